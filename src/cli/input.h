/*
 * input.h - the CIDs that a command is given: its operands as they are, and, for "-" or when there
 * are none, the lines of standard input. A line loses its line end (LF or CRLF) and the blanks
 * around it, the first line a byte order mark; nothing else. Memory does not grow with the input.
 */
#ifndef CID_CLI_INPUT_H
#define CID_CLI_INPUT_H

#include "cli.h"
#include "options.h"

/* The longest line, in bytes. What is longer is an error of that line. */
#define LINE_LIMIT 65536

/* One input. The text lives until the next call. */
struct item {
    const char *text;
    size_t len;
    uint64_t line; /* of standard input, from 1; 0 for an operand */
    bool too_long; /* the text is only the start of the line */
};

struct items {
    struct cli *cli;
    const struct arguments *args;
    size_t at;     /* of the next operand */
    bool in_stdin; /* lines are being read */
    bool any;      /* an operand was handed out */
    bool end;      /* of standard input */
    uint64_t line; /* of the last line read */
    size_t start;  /* the part of buf not handed out yet */
    size_t stop;
    char buf[LINE_LIMIT + 8];
};

/*
 * Begins. NULL after a usage error, which has been told: there are no operands and standard input
 * is a terminal. Free it with free.
 */
struct items *items_begin(struct cli *cli, const struct arguments *args);

/* The next input; false at the end, or after standard input has failed, which has been told. */
bool items_next(struct items *items, struct item *item);

#endif
