/*
 * sm3.c - SM3 (GB/T 32905-2016, ISO/IEC 10118-3:2018), with a digest of 256 bits.
 */
#include "hash/stream.h"

#include "base/endian.h"
#include "hash/blocks.h"
#include "hash/rotate.h"

#define BLOCK 64

struct sm3 {
    uint32_t h[8];
    struct cid__blocks blocks;
};

static inline uint32_t parity(uint32_t x, uint32_t y, uint32_t z)
{
    return x ^ y ^ z;
}

static inline uint32_t majority(uint32_t x, uint32_t y, uint32_t z)
{
    return (x & y) | (z & (x | y));
}

static inline uint32_t choose(uint32_t x, uint32_t y, uint32_t z)
{
    return z ^ (x & (y ^ z));
}

static inline uint32_t spread9(uint32_t x)
{
    return x ^ cid__rotl32(x, 9) ^ cid__rotl32(x, 17);
}

static inline uint32_t spread15(uint32_t x)
{
    return x ^ cid__rotl32(x, 15) ^ cid__rotl32(x, 23);
}

/* Word j; from 16 on, each takes the place of the one 16 before. */
static inline uint32_t word(uint32_t w[16], size_t j)
{
    if (j >= 16)
        w[j % 16] = spread15(w[j % 16] ^ w[(j - 9) % 16] ^ cid__rotl32(w[(j - 3) % 16], 15)) ^
                    cid__rotl32(w[(j - 13) % 16], 7) ^ w[(j - 6) % 16];
    return w[j % 16];
}

/* The eight words change places with each step, in two rings of four. t is the step's constant,
 * turned by its number. */
#define STEP(a, b, c, d, e, f, g, h, mix1, mix2, j)                                                \
    do {                                                                                           \
        uint32_t turned = cid__rotl32(a, 12);                                                      \
        uint32_t sum = cid__rotl32(turned + e + t, 7);                                             \
        d += mix1(a, b, c) + (sum ^ turned) + (w[(j) % 16] ^ word(w, (j) + 4));                    \
        h += mix2(e, f, g) + sum + w[(j) % 16];                                                    \
        h = spread9(h);                                                                            \
        b = cid__rotl32(b, 9);                                                                     \
        f = cid__rotl32(f, 19);                                                                    \
        t = cid__rotl32(t, 1);                                                                     \
    } while (0)
#define FOUR(mix1, mix2, j)                                                                        \
    do {                                                                                           \
        STEP(a, b, c, d, e, f, g, h, mix1, mix2, j);                                               \
        STEP(d, a, b, c, h, e, f, g, mix1, mix2, (j) + 1);                                         \
        STEP(c, d, a, b, g, h, e, f, mix1, mix2, (j) + 2);                                         \
        STEP(b, c, d, a, f, g, h, e, mix1, mix2, (j) + 3);                                         \
    } while (0)

static void compress_one(uint32_t v[8], const uint8_t *block)
{
    uint32_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
    uint32_t w[16], t = 0x79cc4519;

    for (size_t j = 0; j < 16; j++)
        w[j] = cid__load32be(block + 4 * j);
    for (size_t j = 0; j < 16; j += 4)
        FOUR(parity, parity, j);
    t = cid__rotl32(0x7a879d8a, 16);
    for (size_t j = 16; j < 64; j += 4)
        FOUR(majority, choose, j);
    v[0] ^= a;
    v[1] ^= b;
    v[2] ^= c;
    v[3] ^= d;
    v[4] ^= e;
    v[5] ^= f;
    v[6] ^= g;
    v[7] ^= h;
}

static void compress(void *h, const uint8_t *blocks, size_t count)
{
    for (; count != 0; count--, blocks += BLOCK)
        compress_one(h, blocks);
}

static void init(void *state, size_t out_len)
{
    struct sm3 *sm3 = state;
    (void)out_len;
    *sm3 = (struct sm3){.h = {0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc,
                              0x163138aa, 0xe38dee4d, 0xb0fb0e4e}};
}

static void update(void *state, const uint8_t *data, size_t len)
{
    struct sm3 *sm3 = state;
    cid__blocks_update(&sm3->blocks, BLOCK, data, len, compress, sm3->h);
}

static void final(void *state, uint8_t *out, size_t out_len)
{
    struct sm3 *sm3 = state;

    cid__blocks_pad(&sm3->blocks, BLOCK, CID__LENGTH_64BE, compress, sm3->h);
    for (size_t i = 0; i < out_len / 4; i++)
        cid__store32be(out + 4 * i, sm3->h[i]);
}

const struct cid__stream *cid__stream_sm3(uint64_t code)
{
    static const struct cid__stream sm3 = {sizeof(struct sm3), init, update, final, NULL};
    return code == 0x534d ? &sm3 : NULL;
}
