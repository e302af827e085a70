/*
 * file.h - files named on the command line; "-" is standard input.
 */
#ifndef CID_CLI_FILE_H
#define CID_CLI_FILE_H

#include "buffer.h"
#include "cli.h"
#include "options.h"

/* Opens a file for reading; returns errno. *fd is -1 on failure. A directory is EISDIR. */
int file_open(int *fd, const char *name);

/*
 * Puts all that is left to read into data, up to limit bytes; returns errno, EFBIG if there is
 * more.
 */
int file_read_all(struct buffer *data, int fd, uint64_t limit);

/* Reads len bytes from that offset on. CID_E_IO; CID_E_TRUNCATED: the file ends before. */
enum cid_error file_read_at(int fd, void *buf, size_t len, uint64_t offset);

/* Whether the two descriptors stand for the same file; false for pipes and devices. */
bool file_same(int a, int b);

/* Closes what file_open opened; standard input stays open, -1 is allowed. */
void file_close(int fd);

/* False after a usage error, which has been told: no file, and standard input is a terminal. */
bool file_check_operands(struct cli *cli, const struct arguments *args);

/* Tells that a file failed, in words or as a JSON line. detail may be NULL. */
void file_complain(struct cli *cli, const char *name, enum cid_error error, const char *detail);

#endif
