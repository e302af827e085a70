/*
 * md5.c - MD5 (RFC 1321).
 */
#include "hash/stream.h"

#include "base/endian.h"
#include "hash/blocks.h"
#include "hash/rotate.h"

#define BLOCK 64

struct md5 {
    uint32_t h[4];
    struct cid__blocks blocks;
};

/* The integer part of 2^32 |sin(i + 1)|. */
static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static inline uint32_t choose(uint32_t x, uint32_t y, uint32_t z)
{
    return z ^ (x & (y ^ z));
}

static inline uint32_t choose_by_last(uint32_t x, uint32_t y, uint32_t z)
{
    return y ^ (z & (x ^ y));
}

static inline uint32_t parity(uint32_t x, uint32_t y, uint32_t z)
{
    return x ^ y ^ z;
}

static inline uint32_t or_not(uint32_t x, uint32_t y, uint32_t z)
{
    return y ^ (x | ~z);
}

/* The four words change places with each step; four steps bring them home without a move. Step i
 * reads word (mul * i + add) mod 16. */
#define STEP(a, b, c, d, mix, i, mul, add, turn)                                                   \
    (a += mix(b, c, d) + m[((mul) * (i) + (add)) % 16] + sines[i], a = b + cid__rotl32(a, turn))
#define FOUR(mix, i, mul, add, s0, s1, s2, s3)                                                     \
    (STEP(a, b, c, d, mix, i, mul, add, s0), STEP(d, a, b, c, mix, i + 1, mul, add, s1),           \
     STEP(c, d, a, b, mix, i + 2, mul, add, s2), STEP(b, c, d, a, mix, i + 3, mul, add, s3))

static void compress_one(uint32_t h[4], const uint8_t *block)
{
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3];
    uint32_t m[16];

    for (size_t i = 0; i < 16; i++)
        m[i] = cid__load32le(block + 4 * i);
    for (size_t i = 0; i < 16; i += 4)
        FOUR(choose, i, 1, 0, 7, 12, 17, 22);
    for (size_t i = 16; i < 32; i += 4)
        FOUR(choose_by_last, i, 5, 1, 5, 9, 14, 20);
    for (size_t i = 32; i < 48; i += 4)
        FOUR(parity, i, 3, 5, 4, 11, 16, 23);
    for (size_t i = 48; i < 64; i += 4)
        FOUR(or_not, i, 7, 0, 6, 10, 15, 21);
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
}

static void compress(void *h, const uint8_t *blocks, size_t count)
{
    for (; count != 0; count--, blocks += BLOCK)
        compress_one(h, blocks);
}

static void init(void *state, size_t out_len)
{
    struct md5 *md5 = state;
    (void)out_len;
    *md5 = (struct md5){.h = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}};
}

static void update(void *state, const uint8_t *data, size_t len)
{
    struct md5 *md5 = state;
    cid__blocks_update(&md5->blocks, BLOCK, data, len, compress, md5->h);
}

static void final(void *state, uint8_t *out, size_t out_len)
{
    struct md5 *md5 = state;

    cid__blocks_pad(&md5->blocks, BLOCK, CID__LENGTH_64LE, compress, md5->h);
    for (size_t i = 0; i < out_len / 4; i++)
        cid__store32le(out + 4 * i, md5->h[i]);
}

const struct cid__stream *cid__stream_md5(uint64_t code)
{
    static const struct cid__stream md5 = {sizeof(struct md5), init, update, final, NULL};
    return code == 0xd5 ? &md5 : NULL;
}
