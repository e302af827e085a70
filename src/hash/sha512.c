/*
 * sha512.c - SHA-512 and its kin (FIPS 180-4): SHA-384, SHA-512/224, SHA-512/256, which differ in
 * the start value and in how much of the result is shown. The length asked for tells them apart.
 */
#include "hash/stream.h"

#include <string.h>

#include "base/endian.h"
#include "hash/blocks.h"
#include "hash/rotate.h"

#define BLOCK 128

struct sha512 {
    uint64_t h[8];
    struct cid__blocks blocks;
};

/* The first 64 bits of the fractions of the cube roots of the first 80 primes. */
static const uint64_t cube_roots[80] = {
    UINT64_C(0x428a2f98d728ae22), UINT64_C(0x7137449123ef65cd), UINT64_C(0xb5c0fbcfec4d3b2f),
    UINT64_C(0xe9b5dba58189dbbc), UINT64_C(0x3956c25bf348b538), UINT64_C(0x59f111f1b605d019),
    UINT64_C(0x923f82a4af194f9b), UINT64_C(0xab1c5ed5da6d8118), UINT64_C(0xd807aa98a3030242),
    UINT64_C(0x12835b0145706fbe), UINT64_C(0x243185be4ee4b28c), UINT64_C(0x550c7dc3d5ffb4e2),
    UINT64_C(0x72be5d74f27b896f), UINT64_C(0x80deb1fe3b1696b1), UINT64_C(0x9bdc06a725c71235),
    UINT64_C(0xc19bf174cf692694), UINT64_C(0xe49b69c19ef14ad2), UINT64_C(0xefbe4786384f25e3),
    UINT64_C(0x0fc19dc68b8cd5b5), UINT64_C(0x240ca1cc77ac9c65), UINT64_C(0x2de92c6f592b0275),
    UINT64_C(0x4a7484aa6ea6e483), UINT64_C(0x5cb0a9dcbd41fbd4), UINT64_C(0x76f988da831153b5),
    UINT64_C(0x983e5152ee66dfab), UINT64_C(0xa831c66d2db43210), UINT64_C(0xb00327c898fb213f),
    UINT64_C(0xbf597fc7beef0ee4), UINT64_C(0xc6e00bf33da88fc2), UINT64_C(0xd5a79147930aa725),
    UINT64_C(0x06ca6351e003826f), UINT64_C(0x142929670a0e6e70), UINT64_C(0x27b70a8546d22ffc),
    UINT64_C(0x2e1b21385c26c926), UINT64_C(0x4d2c6dfc5ac42aed), UINT64_C(0x53380d139d95b3df),
    UINT64_C(0x650a73548baf63de), UINT64_C(0x766a0abb3c77b2a8), UINT64_C(0x81c2c92e47edaee6),
    UINT64_C(0x92722c851482353b), UINT64_C(0xa2bfe8a14cf10364), UINT64_C(0xa81a664bbc423001),
    UINT64_C(0xc24b8b70d0f89791), UINT64_C(0xc76c51a30654be30), UINT64_C(0xd192e819d6ef5218),
    UINT64_C(0xd69906245565a910), UINT64_C(0xf40e35855771202a), UINT64_C(0x106aa07032bbd1b8),
    UINT64_C(0x19a4c116b8d2d0c8), UINT64_C(0x1e376c085141ab53), UINT64_C(0x2748774cdf8eeb99),
    UINT64_C(0x34b0bcb5e19b48a8), UINT64_C(0x391c0cb3c5c95a63), UINT64_C(0x4ed8aa4ae3418acb),
    UINT64_C(0x5b9cca4f7763e373), UINT64_C(0x682e6ff3d6b2b8a3), UINT64_C(0x748f82ee5defb2fc),
    UINT64_C(0x78a5636f43172f60), UINT64_C(0x84c87814a1f0ab72), UINT64_C(0x8cc702081a6439ec),
    UINT64_C(0x90befffa23631e28), UINT64_C(0xa4506cebde82bde9), UINT64_C(0xbef9a3f7b2c67915),
    UINT64_C(0xc67178f2e372532b), UINT64_C(0xca273eceea26619c), UINT64_C(0xd186b8c721c0c207),
    UINT64_C(0xeada7dd6cde0eb1e), UINT64_C(0xf57d4f7fee6ed178), UINT64_C(0x06f067aa72176fba),
    UINT64_C(0x0a637dc5a2c898a6), UINT64_C(0x113f9804bef90dae), UINT64_C(0x1b710b35131c471b),
    UINT64_C(0x28db77f523047d84), UINT64_C(0x32caab7b40c72493), UINT64_C(0x3c9ebe0a15c9bebc),
    UINT64_C(0x431d67c49c100d4c), UINT64_C(0x4cc5d4becb3e42b6), UINT64_C(0x597f299cfc657e2a),
    UINT64_C(0x5fcb6fab3ad6faec), UINT64_C(0x6c44198c4a475817),
};

static inline uint64_t choose(uint64_t x, uint64_t y, uint64_t z)
{
    return z ^ (x & (y ^ z));
}

static inline uint64_t majority(uint64_t x, uint64_t y, uint64_t z)
{
    return (x & y) | (z & (x | y));
}

static inline uint64_t sigma0(uint64_t x)
{
    return cid__rotr64(x, 1) ^ cid__rotr64(x, 8) ^ x >> 7;
}

static inline uint64_t sigma1(uint64_t x)
{
    return cid__rotr64(x, 19) ^ cid__rotr64(x, 61) ^ x >> 6;
}

static inline uint64_t sum0(uint64_t x)
{
    return cid__rotr64(x, 28) ^ cid__rotr64(x, 34) ^ cid__rotr64(x, 39);
}

static inline uint64_t sum1(uint64_t x)
{
    return cid__rotr64(x, 14) ^ cid__rotr64(x, 18) ^ cid__rotr64(x, 41);
}

static void expand(uint64_t w[80], const uint8_t *block)
{
    for (size_t t = 0; t < 16; t++)
        w[t] = cid__load64be(block + 8 * t);
    for (size_t t = 16; t < 80; t++)
        w[t] = sigma1(w[t - 2]) + w[t - 7] + sigma0(w[t - 15]) + w[t - 16];
}

/* The eight words change places with each step; eight steps bring them home without a move. */
#define STEP(a, b, c, d, e, f, g, h, t)                                                            \
    (h += sum1(e) + choose(e, f, g) + cube_roots[t] + w[t], d += h,                                \
     h += sum0(a) + majority(a, b, c))

static void compress_one(uint64_t v[8], const uint8_t *block)
{
    uint64_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
    uint64_t w[80];

    expand(w, block);
    for (size_t t = 0; t < 80; t += 8) {
        STEP(a, b, c, d, e, f, g, h, t);
        STEP(h, a, b, c, d, e, f, g, t + 1);
        STEP(g, h, a, b, c, d, e, f, t + 2);
        STEP(f, g, h, a, b, c, d, e, t + 3);
        STEP(e, f, g, h, a, b, c, d, t + 4);
        STEP(d, e, f, g, h, a, b, c, t + 5);
        STEP(c, d, e, f, g, h, a, b, t + 6);
        STEP(b, c, d, e, f, g, h, a, t + 7);
    }
    v[0] += a;
    v[1] += b;
    v[2] += c;
    v[3] += d;
    v[4] += e;
    v[5] += f;
    v[6] += g;
    v[7] += h;
}

static void compress(void *h, const uint8_t *blocks, size_t count)
{
    for (; count != 0; count--, blocks += BLOCK)
        compress_one(h, blocks);
}

/* Of 384 and 512: the fractions of the square roots of the 9th to 16th, and of the first 8 primes.
 * Of 512/t: SHA-512 of the name "SHA-512/t" from the start value of 512 with each byte ^ 0xa5. */
static const struct start {
    size_t out_len;
    uint64_t h[8];
} starts[] = {
    {28,
     {UINT64_C(0x8c3d37c819544da2), UINT64_C(0x73e1996689dcd4d6), UINT64_C(0x1dfab7ae32ff9c82),
      UINT64_C(0x679dd514582f9fcf), UINT64_C(0x0f6d2b697bd44da8), UINT64_C(0x77e36f7304c48942),
      UINT64_C(0x3f9d85a86a1d36c8), UINT64_C(0x1112e6ad91d692a1)}},
    {32,
     {UINT64_C(0x22312194fc2bf72c), UINT64_C(0x9f555fa3c84c64c2), UINT64_C(0x2393b86b6f53b151),
      UINT64_C(0x963877195940eabd), UINT64_C(0x96283ee2a88effe3), UINT64_C(0xbe5e1e2553863992),
      UINT64_C(0x2b0199fc2c85b8aa), UINT64_C(0x0eb72ddc81c52ca2)}},
    {48,
     {UINT64_C(0xcbbb9d5dc1059ed8), UINT64_C(0x629a292a367cd507), UINT64_C(0x9159015a3070dd17),
      UINT64_C(0x152fecd8f70e5939), UINT64_C(0x67332667ffc00b31), UINT64_C(0x8eb44a8768581511),
      UINT64_C(0xdb0c2e0d64f98fa7), UINT64_C(0x47b5481dbefa4fa4)}},
    {64,
     {UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xbb67ae8584caa73b), UINT64_C(0x3c6ef372fe94f82b),
      UINT64_C(0xa54ff53a5f1d36f1), UINT64_C(0x510e527fade682d1), UINT64_C(0x9b05688c2b3e6c1f),
      UINT64_C(0x1f83d9abfb41bd6b), UINT64_C(0x5be0cd19137e2179)}},
};

static void init(void *state, size_t out_len)
{
    struct sha512 *sha512 = state;
    size_t i = sizeof starts / sizeof starts[0] - 1;

    while (i > 0 && starts[i].out_len != out_len)
        i--;
    *sha512 = (struct sha512){.blocks = {0}};
    memcpy(sha512->h, starts[i].h, sizeof sha512->h);
}

static void update(void *state, const uint8_t *data, size_t len)
{
    struct sha512 *sha512 = state;
    cid__blocks_update(&sha512->blocks, BLOCK, data, len, compress, sha512->h);
}

static void final(void *state, uint8_t *out, size_t out_len)
{
    struct sha512 *sha512 = state;
    uint8_t whole[64];

    cid__blocks_pad(&sha512->blocks, BLOCK, CID__LENGTH_128BE, compress, sha512->h);
    for (size_t i = 0; i < 8; i++)
        cid__store64be(whole + 8 * i, sha512->h[i]);
    memcpy(out, whole, out_len); /* SHA-512/224 ends within a word */
}

const struct cid__stream *cid__stream_sha512(uint64_t code)
{
    static const struct cid__stream sha512 = {sizeof(struct sha512), init, update, final, NULL};

    switch (code) {
    case 0x13:   /* sha2-512 */
    case 0x20:   /* sha2-384 */
    case 0x1014: /* sha2-512-224 */
    case 0x1015: /* sha2-512-256 */
        return &sha512;
    }
    return NULL;
}
