/*
 * sort.h - the entries of the maps that are being written: where each stands in the output, and the
 * order in which they must.
 */
#ifndef CID_DAG_SORT_H
#define CID_DAG_SORT_H

#include "dag/cbor.h"
#include "dag/output.h"

/* A pair of a map. */
struct cid__entry {
    const char *key; /* in the input */
    size_t raw_len;  /* of the key there */
    size_t len;      /* of the key; less than raw_len if and only if there are escapes */
    size_t at;       /* the pair in the output: its key's first byte, */
    size_t end;      /* and what is behind it, a comma not counted */
    size_t offset;   /* of the key in the input */
    bool is_text;    /* the value is text */
    bool is_bytes;   /* the value is a map that begins with "bytes" and text */
};

/* The entry of a key. */
struct cid__entry cid__entry_of(const struct cid__cbor_item *key, size_t at);

/* Whether an entry's key is that text. */
bool cid__entry_is(const struct cid__entry *entry, const char *key);

/* Less than, equal to or greater than 0; by length first (DAG-CBOR) or by bytes alone (DAG-JSON).
 */
int cid__entry_compare(const struct cid__entry *a, const struct cid__entry *b, bool length_first);

/* Sorts in place, in n log n steps. */
void cid__entry_sort(struct cid__entry *entries, size_t count, bool length_first);

#endif
