/*
 * construct.h - the four shapes in which a CIDv1 can be built from its codec and multihash, written
 * small and with the same writing code, so that what differs is where the bytes go:
 *
 *   two-alloc  a block of the largest size is written, then copied to one of the exact size
 *   sized      measured first; one block of the exact size is written
 *   stack      written in a buffer on the stack, then copied to one block of the exact size;
 *              measured and written to the block where the buffer is too small
 *   inline-N   measured first; written into the owner, which holds N bytes, or else into one block
 *
 * Threads: all functions are reentrant.
 */
#ifndef CID_BENCH_CONSTRUCT_H
#define CID_BENCH_CONSTRUCT_H

#include <stddef.h>
#include <stdint.h>

/* What a CID is built from. */
struct construct_parts {
    uint64_t codec;
    uint64_t hash_code;
    const uint8_t *digest;
    size_t digest_len;
};

/* The largest owner of all shapes. */
#define CONSTRUCT_OWNER_MAX 96

/*
 * A shape. make writes an owner of owner_size bytes at *owner; bytes gives what it holds; drop
 * frees what it holds, and takes an owner that is all zero.
 */
struct construct_shape {
    const char *name;
    size_t owner_size;
    void (*make)(void *owner, const struct construct_parts *parts);
    const uint8_t *(*bytes)(const void *owner, size_t *len);
    void (*drop)(void *owner);
};

#define CONSTRUCT_SHAPES 8 /* two-alloc, sized, stack, inline-40, -56, -72, -80, -88 */
extern const struct construct_shape construct_shapes[CONSTRUCT_SHAPES];

#endif
