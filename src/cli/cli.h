/*
 * cli.h - what the commands of cid-inspect share: the outputs, the options that all have, the exit
 * status, and how errors are told.
 */
#ifndef CID_CLI_CLI_H
#define CID_CLI_CLI_H

#include "output.h"

#include <cid/cid.h>
#include <cid/json.h>

/* Exit statuses. */
enum status {
    STATUS_GOOD = 0,
    STATUS_BAD = 1,   /* malformed, cut short, or not matching */
    STATUS_USAGE = 2, /* the call is wrong; nothing was done */
    STATUS_IO = 3,    /* input or output failed */
    STATUS_OPEN = 4   /* nothing wrong found, but something cannot be checked */
};

struct progress;

struct cli {
    struct output out; /* standard output */
    struct output err; /* standard error, flushed a message at a time */
    struct cid_json json;
    bool as_json;              /* --json */
    enum status status;        /* the worst so far */
    struct progress *progress; /* what may stand on standard error now; NULL if nothing */
    const char *command;       /* "convert", "car verify"; for messages */
    char json_buf[4096];
};

void cli_begin(struct cli *cli);

/* The worse of two statuses, in the order 2, 3, 1, 4, 0. */
enum status status_worst(enum status a, enum status b);

/* Remembers a status; the worst wins. */
void cli_status(struct cli *cli, enum status status);

/* Whether going on makes sense: false once standard output has failed. */
bool cli_going(const struct cli *cli);

/* Hands out what is left, tells a failure of standard output, and gives the exit status. */
enum status cli_end(struct cli *cli);

/* Ends a JSON value with a newline. */
void cli_json_line(struct cli *cli);

/* Starts and ends a message on standard error: "cid-inspect: ". Standard output goes first. */
struct output *cli_message(struct cli *cli);
void cli_message_end(struct cli *cli);

/* A message about the call, and where to read more. Returns STATUS_USAGE. */
enum status cli_usage(struct cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The number of bytes asked for, zeroed; ends the program with status 3 if there are none. */
void *cli_alloc(size_t size);

#endif
