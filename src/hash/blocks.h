/*
 * blocks.h - data in pieces of any size cut into the blocks of a compression function.
 */
#ifndef CID_HASH_BLOCKS_H
#define CID_HASH_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#define CID__BLOCK_MAX 64

/* The start of a block that waits for its end; all-zero at the start of a message. */
struct cid__blocks {
    uint64_t total; /* bytes of the message so far */
    uint8_t held[CID__BLOCK_MAX];
};

/* Takes count whole blocks into the chaining value h. */
typedef void cid__compress(void *h, const uint8_t *blocks, size_t count);

/* Adds data. The size of a block is a power of two. */
void cid__blocks_update(struct cid__blocks *blocks, size_t size, const uint8_t *data, size_t len,
                        cid__compress *compress, void *h);

/* The number of bytes in held. */
static inline size_t cid__blocks_held(const struct cid__blocks *blocks, size_t size)
{
    return (size_t)(blocks->total & (size - 1));
}

#endif
