/*
 * blake2s.c - BLAKE2s (RFC 7693), unkeyed, with digests of 1 to 32 bytes; each length is a function
 * of its own. Plain words rather than vectors: for one message that is the quicker way.
 */
#include "hash/stream.h"

#include <string.h>

#include "base/endian.h"
#include "hash/blake_round.h"

#define BLOCK 64
#define FIRST UINT64_C(0xb241)
#define LAST  UINT64_C(0xb260)

struct blake2s {
    uint32_t h[8];
    uint64_t taken; /* bytes that have gone into h */
    uint32_t held;  /* bytes in block; the last block is never taken before the end is known */
    uint8_t block[BLOCK];
};

/* The order in which the words of a block are used, round by round. */
static const uint8_t order[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

static void compress(struct blake2s *blake2s, const uint8_t *block, size_t bytes, bool last)
{
    uint32_t *h = blake2s->h;
    uint32_t m[16], v[16];

    blake2s->taken += bytes;
    for (size_t i = 0; i < 16; i++)
        m[i] = cid__load32le(block + 4 * i);
    for (size_t i = 0; i < 8; i++) {
        v[i] = h[i];
        v[i + 8] = cid__blake_start[i];
    }
    v[12] ^= (uint32_t)blake2s->taken;
    v[13] ^= (uint32_t)(blake2s->taken >> 32);
    v[14] ^= last ? UINT32_MAX : 0;
    CID__BLAKE_ROUND(0);
    CID__BLAKE_ROUND(1);
    CID__BLAKE_ROUND(2);
    CID__BLAKE_ROUND(3);
    CID__BLAKE_ROUND(4);
    CID__BLAKE_ROUND(5);
    CID__BLAKE_ROUND(6);
    CID__BLAKE_ROUND(7);
    CID__BLAKE_ROUND(8);
    CID__BLAKE_ROUND(9);
    for (size_t i = 0; i < 8; i++)
        h[i] ^= v[i] ^ v[i + 8];
}

static void init(void *state, size_t out_len)
{
    struct blake2s *blake2s = state;

    *blake2s = (struct blake2s){.taken = 0};
    memcpy(blake2s->h, cid__blake_start, sizeof cid__blake_start);
    blake2s->h[0] ^= UINT32_C(0x01010000) ^ (uint32_t)out_len; /* no key, fan-out and depth of 1 */
}

static void update(void *state, const uint8_t *data, size_t len)
{
    struct blake2s *blake2s = state;

    while (len != 0) {
        size_t part;

        if (blake2s->held == BLOCK) {
            compress(blake2s, blake2s->block, BLOCK, false);
            blake2s->held = 0;
        }
        for (; blake2s->held == 0 && len > BLOCK; data += BLOCK, len -= BLOCK)
            compress(blake2s, data, BLOCK, false);
        part = len < BLOCK - blake2s->held ? len : BLOCK - blake2s->held;
        memcpy(blake2s->block + blake2s->held, data, part);
        blake2s->held += (uint32_t)part;
        data += part;
        len -= part;
    }
}

static void final(void *state, uint8_t *out, size_t out_len)
{
    struct blake2s *blake2s = state;
    uint8_t whole[32];

    memset(blake2s->block + blake2s->held, 0, BLOCK - blake2s->held);
    compress(blake2s, blake2s->block, blake2s->held, true);
    for (size_t i = 0; i < 8; i++)
        cid__store32le(whole + 4 * i, blake2s->h[i]);
    memcpy(out, whole, out_len);
}

const struct cid__stream *cid__stream_blake2s(uint64_t code)
{
    static const struct cid__stream blake2s = {
        sizeof(struct blake2s), init, update, final, NULL, NULL};
    return code >= FIRST && code <= LAST ? &blake2s : NULL;
}
