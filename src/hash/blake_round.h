/*
 * blake_round.h - what BLAKE2s and BLAKE3 have in common: where they start, and the round. Its
 * macros work on v[16], m[16] and the table order[][16] of whoever includes it.
 */
#ifndef CID_HASH_BLAKE_ROUND_H
#define CID_HASH_BLAKE_ROUND_H

#include "hash/rotate.h"

#include <stdint.h>

/* The first 32 bits of the fractions of the square roots of the first 8 primes. */
static const uint32_t cid__blake_start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

#define CID__BLAKE_MIX(a, b, c, d, x, y)                                                           \
    do {                                                                                           \
        v[a] += v[b] + m[x];                                                                       \
        v[d] = cid__rotr32(v[d] ^ v[a], 16);                                                       \
        v[c] += v[d];                                                                              \
        v[b] = cid__rotr32(v[b] ^ v[c], 12);                                                       \
        v[a] += v[b] + m[y];                                                                       \
        v[d] = cid__rotr32(v[d] ^ v[a], 8);                                                        \
        v[c] += v[d];                                                                              \
        v[b] = cid__rotr32(v[b] ^ v[c], 7);                                                        \
    } while (0)

/* r is a number in the source, so that the order costs nothing at run time. */
#define CID__BLAKE_ROUND(r)                                                                        \
    do {                                                                                           \
        CID__BLAKE_MIX(0, 4, 8, 12, order[r][0], order[r][1]);                                     \
        CID__BLAKE_MIX(1, 5, 9, 13, order[r][2], order[r][3]);                                     \
        CID__BLAKE_MIX(2, 6, 10, 14, order[r][4], order[r][5]);                                    \
        CID__BLAKE_MIX(3, 7, 11, 15, order[r][6], order[r][7]);                                    \
        CID__BLAKE_MIX(0, 5, 10, 15, order[r][8], order[r][9]);                                    \
        CID__BLAKE_MIX(1, 6, 11, 12, order[r][10], order[r][11]);                                  \
        CID__BLAKE_MIX(2, 7, 8, 13, order[r][12], order[r][13]);                                   \
        CID__BLAKE_MIX(3, 4, 9, 14, order[r][14], order[r][15]);                                   \
    } while (0)

#endif
