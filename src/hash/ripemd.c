/*
 * ripemd.c - RIPEMD-128, -160, -256 and -320 (H. Dobbertin, A. Bosselaers, B. Preneel, 1996).
 *
 * All four are one machine: two lines of rounds that read the same block in different orders. The
 * short pair adds the lines up at the end; the long pair keeps both, and after each round lets them
 * exchange one word. The length asked for tells the four apart.
 */
#include "hash/stream.h"

#include <string.h>

#include "base/endian.h"
#include "hash/blocks.h"
#include "hash/rotate.h"

#define BLOCK 64

struct ripemd {
    uint32_t h[10];
    struct cid__blocks blocks;
};

/* One of the two lines: the word of the block that each step reads, how far it turns, and what it
 * adds. RIPEMD-128 and -256 have the first four rounds only. */
struct line {
    uint8_t word[80];
    uint8_t turn[80];
    uint32_t add[5];
};

static const struct line left_line = {
    {0,  1, 2,  3, 4,  5,  6, 7,  8, 9,  10, 11, 12, 13, 14, 15, 7,  4,  13, 1,
     10, 6, 15, 3, 12, 0,  9, 5,  2, 14, 11, 8,  3,  10, 14, 4,  9,  15, 8,  1,
     2,  7, 0,  6, 13, 11, 5, 12, 1, 9,  11, 10, 0,  8,  12, 4,  13, 3,  7,  15,
     14, 5, 6,  2, 4,  0,  5, 9,  7, 12, 2,  10, 14, 1,  3,  8,  11, 6,  15, 13},
    {11, 14, 15, 12, 5, 8,  7,  9,  11, 13, 14, 15, 6,  7,  9,  8,  7,  6,  8,  13,
     11, 9,  7,  15, 7, 12, 15, 9,  11, 7,  13, 12, 11, 13, 6,  7,  14, 9,  13, 15,
     14, 8,  13, 6,  5, 12, 7,  5,  11, 12, 14, 15, 14, 15, 9,  8,  9,  14, 5,  6,
     8,  6,  5,  12, 9, 15, 5,  11, 6,  8,  13, 12, 5,  12, 13, 14, 11, 8,  5,  6},
    {0x00000000, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e},
};

static const struct line right_line = {
    {5,  14, 7,  0,  9,  2,  11, 4,  13, 6, 15, 8, 1,  10, 3,  12, 6, 11, 3, 7,
     0,  13, 5,  10, 14, 15, 8,  12, 4,  9, 1,  2, 15, 5,  1,  3,  7, 14, 6, 9,
     11, 8,  12, 2,  10, 0,  4,  13, 8,  6, 4,  1, 3,  11, 15, 0,  5, 12, 2, 13,
     9,  7,  10, 14, 12, 15, 10, 4,  1,  5, 8,  7, 6,  2,  13, 14, 0, 3,  9, 11},
    {8,  9,  9,  11, 13, 15, 15, 5, 7,  7,  8,  11, 14, 14, 12, 6,  9,  13, 15, 7,
     12, 8,  9,  11, 7,  7,  12, 7, 6,  15, 13, 11, 9,  7,  15, 11, 8,  6,  6,  14,
     12, 13, 5,  14, 13, 13, 7,  5, 15, 5,  8,  11, 14, 14, 6,  14, 6,  9,  12, 9,
     12, 5,  15, 8,  8,  5,  12, 9, 12, 5,  14, 6,  8,  13, 6,  5,  15, 13, 11, 11},
    {0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9, 0x00000000},
};

/* The five ways of mixing; the left line goes through them upwards, the right one downwards. */
static inline uint32_t mix(unsigned way, uint32_t x, uint32_t y, uint32_t z)
{
    switch (way) {
    case 0:
        return x ^ y ^ z;
    case 1:
        return z ^ (x & (y ^ z));
    case 2:
        return (x | ~y) ^ z;
    case 3:
        return y ^ (z & (x ^ y));
    }
    return x ^ (y | ~z);
}

/* A round of 16 steps on the four words of RIPEMD-128 and -256. */
static void round4(uint32_t v[4], const struct line *line, unsigned round, unsigned way,
                   const uint32_t m[16])
{
    uint32_t add = round == 3 && line == &right_line ? 0 : line->add[round];

    for (unsigned i = 16 * round; i < 16 * round + 16; i++) {
        uint32_t sum = v[0] + mix(way, v[1], v[2], v[3]) + m[line->word[i]] + add;
        v[0] = v[3];
        v[3] = v[2];
        v[2] = v[1];
        v[1] = cid__rotl32(sum, line->turn[i]);
    }
}

/* A round of 16 steps on the five words of RIPEMD-160 and -320. */
static void round5(uint32_t v[5], const struct line *line, unsigned round, unsigned way,
                   const uint32_t m[16])
{
    for (unsigned i = 16 * round; i < 16 * round + 16; i++) {
        uint32_t sum = v[0] + mix(way, v[1], v[2], v[3]) + m[line->word[i]] + line->add[round];
        v[0] = v[4];
        v[4] = v[3];
        v[3] = cid__rotl32(v[2], 10);
        v[2] = v[1];
        v[1] = cid__rotl32(sum, line->turn[i]) + v[0];
    }
}

static void exchange(uint32_t *a, uint32_t *b)
{
    uint32_t t = *a;
    *a = *b;
    *b = t;
}

static void load(uint32_t m[16], const uint8_t *block)
{
    for (size_t i = 0; i < 16; i++)
        m[i] = cid__load32le(block + 4 * i);
}

/* Adds both lines to h, each word of the right one further on. */
static void add_up(uint32_t *h, const uint32_t *left, const uint32_t *right, size_t words)
{
    uint32_t sum[5];

    for (size_t i = 0; i < words; i++)
        sum[i] = h[(i + 1) % words] + left[(i + 2) % words] + right[(i + 3) % words];
    memcpy(h, sum, 4 * words);
}

static void compress128(void *state, const uint8_t *blocks, size_t count)
{
    uint32_t *h = state;

    for (; count != 0; count--, blocks += BLOCK) {
        uint32_t m[16], left[4], right[4];

        load(m, blocks);
        memcpy(left, h, sizeof left);
        memcpy(right, h, sizeof right);
        for (unsigned r = 0; r < 4; r++) {
            round4(left, &left_line, r, r, m);
            round4(right, &right_line, r, 3 - r, m);
        }
        add_up(h, left, right, 4);
    }
}

static void compress160(void *state, const uint8_t *blocks, size_t count)
{
    uint32_t *h = state;

    for (; count != 0; count--, blocks += BLOCK) {
        uint32_t m[16], left[5], right[5];

        load(m, blocks);
        memcpy(left, h, sizeof left);
        memcpy(right, h, sizeof right);
        for (unsigned r = 0; r < 5; r++) {
            round5(left, &left_line, r, r, m);
            round5(right, &right_line, r, 4 - r, m);
        }
        add_up(h, left, right, 5);
    }
}

static void compress256(void *state, const uint8_t *blocks, size_t count)
{
    uint32_t *h = state;

    for (; count != 0; count--, blocks += BLOCK) {
        uint32_t m[16], v[8];

        load(m, blocks);
        memcpy(v, h, sizeof v);
        for (unsigned r = 0; r < 4; r++) {
            round4(v, &left_line, r, r, m);
            round4(v + 4, &right_line, r, 3 - r, m);
            exchange(&v[r], &v[r + 4]);
        }
        for (size_t i = 0; i < 8; i++)
            h[i] += v[i];
    }
}

static void compress320(void *state, const uint8_t *blocks, size_t count)
{
    static const uint8_t exchanged[5] = {1, 3, 0, 2, 4};
    uint32_t *h = state;

    for (; count != 0; count--, blocks += BLOCK) {
        uint32_t m[16], v[10];

        load(m, blocks);
        memcpy(v, h, sizeof v);
        for (unsigned r = 0; r < 5; r++) {
            round5(v, &left_line, r, r, m);
            round5(v + 5, &right_line, r, 4 - r, m);
            exchange(&v[exchanged[r]], &v[exchanged[r] + 5]);
        }
        for (size_t i = 0; i < 10; i++)
            h[i] += v[i];
    }
}

static void init_short(void *state, size_t out_len)
{
    struct ripemd *ripemd = state;
    (void)out_len;
    *ripemd = (struct ripemd){.h = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}};
}

static void init256(void *state, size_t out_len)
{
    struct ripemd *ripemd = state;
    (void)out_len;
    *ripemd = (struct ripemd){.h = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0x76543210,
                                    0xfedcba98, 0x89abcdef, 0x01234567}};
}

static void init320(void *state, size_t out_len)
{
    struct ripemd *ripemd = state;
    (void)out_len;
    *ripemd = (struct ripemd){.h = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0,
                                    0x76543210, 0xfedcba98, 0x89abcdef, 0x01234567, 0x3c2d1e0f}};
}

static void put(struct ripemd *ripemd, uint8_t *out, size_t out_len, cid__compress *compress)
{
    cid__blocks_pad(&ripemd->blocks, BLOCK, CID__LENGTH_64LE, compress, ripemd->h);
    for (size_t i = 0; i < out_len / 4; i++)
        cid__store32le(out + 4 * i, ripemd->h[i]);
}

/* update and final of one length. */
#define FORM(bits, start)                                                                          \
    static void update##bits(void *state, const uint8_t *data, size_t len)                         \
    {                                                                                              \
        struct ripemd *ripemd = state;                                                             \
        cid__blocks_update(&ripemd->blocks, BLOCK, data, len, compress##bits, ripemd->h);          \
    }                                                                                              \
    static void final##bits(void *state, uint8_t *out, size_t out_len)                             \
    {                                                                                              \
        put(state, out, out_len, compress##bits);                                                  \
    }                                                                                              \
    static const struct cid__stream ripemd##bits = {sizeof(struct ripemd), start, update##bits,    \
                                                    final##bits, NULL};

FORM(128, init_short)
FORM(160, init_short)
FORM(256, init256)
FORM(320, init320)

const struct cid__stream *cid__stream_ripemd(uint64_t code)
{
    switch (code) {
    case 0x1052:
        return &ripemd128;
    case 0x1053:
        return &ripemd160;
    case 0x1054:
        return &ripemd256;
    case 0x1055:
        return &ripemd320;
    }
    return NULL;
}
