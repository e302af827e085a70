/*
 * stream.h - hash functions that take their data in pieces: the one internal shape of every
 * function that this build computes. One-shot hashing, struct cid_hasher and the batches stand on
 * it. A family of functions is one file, exports one cid__stream_family, and is listed in stream.c.
 */
#ifndef CID_HASH_STREAM_H
#define CID_HASH_STREAM_H

#include <cid/hash.h>

#include <string.h>

/* The largest state, in bytes, so that one fits the stack of a one-shot call. */
#define CID__STREAM_STATE 2048

/* Room for the state of any function. */
union cid__stream_state {
    uint8_t bytes[CID__STREAM_STATE];
    uint64_t align64;
    void *align;
};

/*
 * What a function has on top whose state owns something. open makes the state, once, before the
 * first init; copy makes another of it. Both are false if there is no memory, and then there is
 * nothing to be closed.
 */
struct cid__stream_owner {
    bool (*open)(void *state);
    bool (*copy)(void *to, const void *from);
    void (*close)(void *state);
};

/*
 * A function. Its state is aligned for uint64_t and pointers, holds no pointer into itself, and is
 * plain bytes, which may be copied with memcpy and dropped, unless there is an owner. init begins a
 * message, as often as one likes. out_len is a length that the function makes (for one of fixed
 * length just that; cuts are made above), the same in init and final. Nothing here can fail. data
 * may be NULL when len is 0. After final the state is used up until the next init.
 */
struct cid__stream {
    size_t state_size;
    void (*init)(void *state, size_t out_len);
    void (*update)(void *state, const uint8_t *data, size_t len);
    void (*final)(void *state, uint8_t *out, size_t out_len);
    /* The three in one, where there is a quicker way; or NULL. */
    void (*sum)(uint8_t *out, size_t out_len, const uint8_t *data, size_t len);
    const struct cid__stream_owner *owner; /* NULL: the state is plain bytes */
};

/* The function of that code, static, or NULL if the family has none. */
typedef const struct cid__stream *cid__stream_family(uint64_t code);

cid__stream_family cid__stream_blake2b;
cid__stream_family cid__stream_blake2s;
cid__stream_family cid__stream_blake3;
cid__stream_family cid__stream_keccak;
cid__stream_family cid__stream_murmur3;
cid__stream_family cid__stream_sha256;
#ifdef CID_WITH_GCRYPT
cid__stream_family cid__stream_gcrypt;
#endif
#ifdef CID_WITH_SODIUM
cid__stream_family cid__stream_sodium;
#endif

/* Asks every family of this build. Identity is none of them. */
cid__stream_family cid__stream_find;

/* One whole message; false if there is no memory, which only functions with an owner need. */
bool cid__stream_sum(const struct cid__stream *stream, uint8_t *out, size_t out_len,
                     const uint8_t *data, size_t len);

/* Makes a state and begins a message; false if there is no memory. */
static inline bool cid__stream_open(const struct cid__stream *stream, void *state, size_t out_len)
{
    if (stream->owner && !stream->owner->open(state))
        return false;
    stream->init(state, out_len);
    return true;
}

/* Makes another state of that one; false if there is no memory. */
static inline bool cid__stream_copy(const struct cid__stream *stream, void *to, const void *from)
{
    if (stream->owner)
        return stream->owner->copy(to, from);
    memcpy(to, from, stream->state_size);
    return true;
}

static inline void cid__stream_close(const struct cid__stream *stream, void *state)
{
    if (stream->owner)
        stream->owner->close(state);
}

#endif
