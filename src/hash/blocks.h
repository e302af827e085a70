/*
 * blocks.h - data in pieces of any size cut into the blocks of a compression function, and the
 * padding of MD4 and all that came after it: a one bit, zeros, the length of the message in bits.
 */
#ifndef CID_HASH_BLOCKS_H
#define CID_HASH_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#define CID__BLOCK_MAX 128

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

enum cid__length_form {
    CID__LENGTH_64LE, /* MD5, RIPEMD */
    CID__LENGTH_64BE, /* SHA-1, SHA-256, SM3 */
    CID__LENGTH_128BE /* SHA-512 */
};

/* Pads the message and takes the last one or two blocks of it. */
void cid__blocks_pad(struct cid__blocks *blocks, size_t size, enum cid__length_form form,
                     cid__compress *compress, void *h);

#endif
