/*
 * sha1.c - SHA-1 (FIPS 180-4), which Git names its objects by.
 */
#include "hash/stream.h"

#include "base/endian.h"
#include "hash/blocks.h"
#include "hash/rotate.h"

#define BLOCK 64

struct sha1 {
    uint32_t h[5];
    struct cid__blocks blocks;
};

static inline uint32_t choose(uint32_t x, uint32_t y, uint32_t z)
{
    return z ^ (x & (y ^ z));
}

static inline uint32_t parity(uint32_t x, uint32_t y, uint32_t z)
{
    return x ^ y ^ z;
}

static inline uint32_t majority(uint32_t x, uint32_t y, uint32_t z)
{
    return (x & y) | (z & (x | y));
}

/* The word of step t; from 16 on, each takes the place of the one 16 steps before. */
static inline uint32_t word(uint32_t w[16], size_t t)
{
    if (t >= 16)
        w[t % 16] =
            cid__rotl32(w[(t - 3) % 16] ^ w[(t - 8) % 16] ^ w[(t - 14) % 16] ^ w[t % 16], 1);
    return w[t % 16];
}

/* The five words change places with each step; five steps bring them home without a move. */
#define STEP(a, b, c, d, e, mix, k, t)                                                             \
    (e += cid__rotl32(a, 5) + mix(b, c, d) + (k) + word(w, t), b = cid__rotl32(b, 30))
#define FIVE(mix, k, t)                                                                            \
    (STEP(a, b, c, d, e, mix, k, t), STEP(e, a, b, c, d, mix, k, t + 1),                           \
     STEP(d, e, a, b, c, mix, k, t + 2), STEP(c, d, e, a, b, mix, k, t + 3),                       \
     STEP(b, c, d, e, a, mix, k, t + 4))

static void compress_one(uint32_t h[5], const uint8_t *block)
{
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    uint32_t w[16];

    for (size_t t = 0; t < 16; t++)
        w[t] = cid__load32be(block + 4 * t);
    for (size_t t = 0; t < 20; t += 5)
        FIVE(choose, 0x5a827999, t);
    for (size_t t = 20; t < 40; t += 5)
        FIVE(parity, 0x6ed9eba1, t);
    for (size_t t = 40; t < 60; t += 5)
        FIVE(majority, 0x8f1bbcdc, t);
    for (size_t t = 60; t < 80; t += 5)
        FIVE(parity, 0xca62c1d6, t);
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

static void compress(void *h, const uint8_t *blocks, size_t count)
{
    for (; count != 0; count--, blocks += BLOCK)
        compress_one(h, blocks);
}

static void init(void *state, size_t out_len)
{
    struct sha1 *sha1 = state;
    (void)out_len;
    *sha1 = (struct sha1){.h = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}};
}

static void update(void *state, const uint8_t *data, size_t len)
{
    struct sha1 *sha1 = state;
    cid__blocks_update(&sha1->blocks, BLOCK, data, len, compress, sha1->h);
}

static void final(void *state, uint8_t *out, size_t out_len)
{
    struct sha1 *sha1 = state;

    cid__blocks_pad(&sha1->blocks, BLOCK, CID__LENGTH_64BE, compress, sha1->h);
    for (size_t i = 0; i < out_len / 4; i++)
        cid__store32be(out + 4 * i, sha1->h[i]);
}

const struct cid__stream *cid__stream_sha1(uint64_t code)
{
    static const struct cid__stream sha1 = {sizeof(struct sha1), init, update, final, NULL};
    return code == 0x11 ? &sha1 : NULL;
}
