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

/*
 * The twelve rounds: ROUND gets the numbers of the message words in the order in which its eight
 * steps want them.
 */
#define CID__BLAKE2B_ROUNDS(ROUND)                                                                 \
    ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)                                    \
    ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)                                    \
    ROUND(11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4)                                    \
    ROUND(7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8)                                    \
    ROUND(9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13)                                    \
    ROUND(2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9)                                    \
    ROUND(12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11)                                    \
    ROUND(13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10)                                    \
    ROUND(6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5)                                    \
    ROUND(10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0)                                    \
    ROUND(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)                                    \
    ROUND(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)

/* The state of a message whose digest will have out_len bytes, 1 to 64, and that has no key. */
void cid__blake2b_start(uint64_t h[8], size_t out_len);

/*
 * Compresses blocks of one message. *count is the number of bytes before the first of them, and
 * grows by 128 a block. last: all ones for the last block of the message, else 0.
 */
void cid__blake2b_blocks(uint64_t h[8], uint64_t *count, uint64_t last, const uint8_t *data,
                         size_t blocks);

#endif
