/*
 * subject.h - one input that should be a CID, or hold one in a path or URL; and what to say if it
 * does not.
 */
#ifndef CID_CLI_SUBJECT_H
#define CID_CLI_SUBJECT_H

#include "input.h"

/* What an input turned out to be. */
struct subject {
    struct item item;
    enum cid_error error; /* CID_OK: the members up to rest_len are set; else fault is */
    struct cid cid;
    struct cid_view view; /* of cid */
    enum cid_base base;   /* of the text */
    const char *text;     /* the CID's part of the input */
    size_t text_len;
    const char *rest; /* what follows it */
    size_t rest_len;
    struct cid_fault fault; /* offset counts from the start of the input */
};

/* What is taken for a CID. */
enum accept {
    ACCEPT_BARE, /* CID text and nothing else */
    ACCEPT_PATHS /* paths and URLs too */
};

/* Reads an input. *subject may not be moved while its view is in use. Release it afterwards. */
void subject_read(struct subject *subject, const struct item *item, enum accept accept);
void subject_release(struct subject *subject);

/* A failure of another kind than reading, such as a CID that has no version 0. */
void subject_fail(struct subject *subject, enum cid_error error, enum cid_field field);

/* Tells the failure, as a message or as a JSON line, and remembers the status. */
void subject_complain(struct cli *cli, const struct subject *subject);

/* The keys "input" and, for input that is not UTF-8, "input_hex". */
void json_input(struct cid_json *json, const struct item *item);

/* The key "error" and its object. message may be NULL: the sentence of the error code. */
void json_error(struct cid_json *json, const struct cid_fault *fault, const char *message);

#endif
