/*
 * stream.h - hash functions that take their data in pieces: the one internal shape of every
 * function that this build computes. One-shot hashing, struct cid_hasher and the batches stand on
 * it. A family of functions is one file, exports one cid__stream_family, and is listed in stream.c.
 */
#ifndef CID_HASH_STREAM_H
#define CID_HASH_STREAM_H

#include <cid/hash.h>

/* The largest state, in bytes, so that one fits the stack of a one-shot call. */
#define CID__STREAM_STATE 2048

/* Room for the state of any function. */
union cid__stream_state {
    uint8_t bytes[CID__STREAM_STATE];
    uint64_t align64;
    void *align;
};

/*
 * A function. Its state is aligned for uint64_t and pointers, holds no pointer into itself, so that
 * it may be copied with memcpy, and owns nothing. out_len is a length that the function makes (for
 * one of fixed length just that; cuts are made above), the same in init and final. Nothing can
 * fail. data may be NULL when len is 0. After final the state is used up.
 */
struct cid__stream {
    size_t state_size;
    void (*init)(void *state, size_t out_len);
    void (*update)(void *state, const uint8_t *data, size_t len);
    void (*final)(void *state, uint8_t *out, size_t out_len);
    /* The three in one, where there is a quicker way; or NULL. */
    void (*sum)(uint8_t *out, size_t out_len, const uint8_t *data, size_t len);
};

/* The function of that code, static, or NULL if the family has none. */
typedef const struct cid__stream *cid__stream_family(uint64_t code);

cid__stream_family cid__stream_blake2b;
cid__stream_family cid__stream_blake2s;
cid__stream_family cid__stream_blake3;
cid__stream_family cid__stream_keccak;
cid__stream_family cid__stream_md5;
cid__stream_family cid__stream_murmur3;
cid__stream_family cid__stream_ripemd;
cid__stream_family cid__stream_sha1;
cid__stream_family cid__stream_sha256;
cid__stream_family cid__stream_sha512;
cid__stream_family cid__stream_sm3;
#ifdef CID_WITH_SODIUM
cid__stream_family cid__stream_sodium;
#endif

/* Asks every family of this build. Identity is none of them. */
cid__stream_family cid__stream_find;

/* One whole message. */
void cid__stream_sum(const struct cid__stream *stream, uint8_t *out, size_t out_len,
                     const uint8_t *data, size_t len);

#endif
