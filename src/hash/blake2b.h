/*
 * blake2b.h - the compression function of BLAKE2b in all its forms. Specification: RFC 7693.
 */
#ifndef CID_HASH_BLAKE2B_H
#define CID_HASH_BLAKE2B_H

#include <stddef.h>
#include <stdint.h>

#define CID__BLAKE2B_BLOCK 128
#define CID__BLAKE2B_FIRST UINT64_C(0xb201) /* blake2b-8 */
#define CID__BLAKE2B_LAST  UINT64_C(0xb240) /* blake2b-512 */

extern const uint64_t cid__blake2b_iv[8];

/* Which word of the block each of the sixteen half-steps of each round takes. */
extern const uint8_t cid__blake2b_order[12][16];

/* The first word of the state of a message whose digest will have out_len bytes. */
static inline uint64_t cid__blake2b_first(size_t out_len)
{
    return cid__blake2b_iv[0] ^ 0x01010000 ^ (uint64_t)out_len;
}

/* The state of a message whose digest will have out_len bytes, 1 to 64, and that has no key. */
void cid__blake2b_start(uint64_t h[8], size_t out_len);

/*
 * Compresses blocks of one message. *count is the number of bytes before the first of them, and
 * grows by 128 a block. last: all ones for the last block of the message, else 0.
 */
void cid__blake2b_blocks(uint64_t h[8], uint64_t *count, uint64_t last, const uint8_t *data,
                         size_t blocks);

#endif
