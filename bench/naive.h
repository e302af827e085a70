/*
 * naive.h - the fixed opponent: each task done the usual way, with care but without art. Decoding
 * tables of 256 entries, sizes known before anything is written, no realloc, varints a byte at a
 * time. Built with -O2 in every build, so that it is the same opponent always.
 *
 *   parse      malloc(decoded), bit buffer (a byte loop for the bases that are one number), read,
 *              malloc(exact), copy, free
 *   format     malloc(text), bit buffer or byte loop
 *   construct  malloc(largest), varints, copy, malloc(exact), copy, free
 *
 * Threads: naive_begin once, before anything else; then all functions are reentrant.
 */
#ifndef CID_BENCH_NAIVE_H
#define CID_BENCH_NAIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes on the heap; freed with free(data). */
struct naive_bytes {
    uint8_t *data;
    size_t len;
};

/* A multihash and a CID in somebody else's bytes. */
struct naive_multihash {
    uint64_t code;
    const uint8_t *digest;
    size_t digest_len;
};
struct naive_cid {
    uint64_t version;
    uint64_t codec;
    struct naive_multihash hash;
    size_t len;
};

/* Fills the tables. */
void naive_begin(void);

/* How many bytes the varint took; 0 for a bad one. */
size_t naive_varint_read(uint64_t *value, const uint8_t *in, size_t len);

/* How many bytes were written, at most 9. */
size_t naive_varint_write(uint8_t *out, uint64_t value);

/* How many bytes the item took; 0 for a bad one. */
size_t naive_multihash_read(struct naive_multihash *out, const uint8_t *in, size_t len);
size_t naive_cid_read(struct naive_cid *out, const uint8_t *in, size_t len);

/* Builds a CIDv1 the old way. */
struct naive_bytes naive_cid_make_v1(uint64_t codec, uint64_t hash_code, const uint8_t *digest,
                                     size_t digest_len);

/* A base of whole bits or one number; NULL for any other. */
struct naive_base;
const struct naive_base *naive_base(uint32_t code);

/* Multibase text, prefix included and ended in NUL, on the heap; *len without the NUL. */
char *naive_encode(const struct naive_base *base, size_t *len, const uint8_t *data,
                   size_t data_len);

/* What a multibase text stands for; data is NULL for bad text. */
struct naive_bytes naive_decode(const char *text, size_t len);

/* A CID from its text, and its text. base is of no meaning for version 0. */
struct naive_bytes naive_cid_parse(const char *text, size_t len);
char *naive_cid_format(const struct naive_base *base, size_t *len, const uint8_t *cid,
                       size_t cid_len);

/* A set of byte strings: chains of entries with the bytes behind, FNV-1a, doubled when full. */
struct naive_set;
struct naive_set *naive_set_open(void);
bool naive_set_add(struct naive_set *set, const uint8_t *bytes, size_t len);
bool naive_set_has(const struct naive_set *set, const uint8_t *bytes, size_t len);
void naive_set_close(struct naive_set *set);

#endif
