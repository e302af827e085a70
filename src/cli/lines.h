/*
 * lines.h - a file of lines that name CIDs, read whole: "CID", or "CID" and something behind
 * blanks.
 */
#ifndef CID_CLI_LINES_H
#define CID_CLI_LINES_H

#include "buffer.h"
#include "subject.h"

struct lines {
    const char *name; /* of the file */
    struct buffer data;
    size_t at;
    uint64_t number; /* of the line, from 1 */
};

/* Reads the file. False after a failure that was told. Free it in any case. */
bool lines_open(struct cli *cli, struct lines *lines, const char *name);

/*
 * The next line that is not empty: its CID, to be released, and what follows it, without the blanks
 * around. A line whose CID is bad has subject->error. False at the end.
 */
bool lines_next(struct lines *lines, struct subject *subject, const char **rest, size_t *rest_len);

void lines_free(struct lines *lines);

#endif
