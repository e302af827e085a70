#include "hash/sha256.h"

#include "base/cpu.h"
#include "base/endian.h"
#include "hash/blocks.h"
#include "hash/sha256_x86.h"
#include "hash/stream.h"

#define BLOCK CID__SHA256_BLOCK

const uint32_t cid__sha256_start[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static const uint32_t start_224[8] = {
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
};

_Alignas(64) const uint32_t cid__sha256_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t ror(uint32_t v, unsigned n)
{
    return v >> n | v << (32 - n);
}

static inline void round_of(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f,
                            uint32_t g, uint32_t *h, uint32_t w)
{
    uint32_t t = *h + w + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) + (g ^ (e & (f ^ g)));

    *d += t;
    *h = t + (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) + ((a & b) | (c & (a | b)));
}

/* Eight rounds, after which every variable is in its old place again. */
static inline void eight(uint32_t v[8], const uint32_t *k, const uint32_t *w)
{
    round_of(v[0], v[1], v[2], &v[3], v[4], v[5], v[6], &v[7], k[0] + w[0]);
    round_of(v[7], v[0], v[1], &v[2], v[3], v[4], v[5], &v[6], k[1] + w[1]);
    round_of(v[6], v[7], v[0], &v[1], v[2], v[3], v[4], &v[5], k[2] + w[2]);
    round_of(v[5], v[6], v[7], &v[0], v[1], v[2], v[3], &v[4], k[3] + w[3]);
    round_of(v[4], v[5], v[6], &v[7], v[0], v[1], v[2], &v[3], k[4] + w[4]);
    round_of(v[3], v[4], v[5], &v[6], v[7], v[0], v[1], &v[2], k[5] + w[5]);
    round_of(v[2], v[3], v[4], &v[5], v[6], v[7], v[0], &v[1], k[6] + w[6]);
    round_of(v[1], v[2], v[3], &v[4], v[5], v[6], v[7], &v[0], k[7] + w[7]);
}

static void block(uint32_t state[8], const uint8_t *data)
{
    uint32_t v[8], w[64];

    for (unsigned i = 0; i < 16; i++)
        w[i] = cid__load32be(data + 4 * i);
    for (unsigned i = 16; i < 64; i++) {
        uint32_t x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (ror(x, 7) ^ ror(x, 18) ^ x >> 3) +
               (ror(y, 17) ^ ror(y, 19) ^ y >> 10);
    }
    memcpy(v, state, sizeof v);
    for (unsigned i = 0; i < 64; i += 8)
        eight(v, cid__sha256_k + i, w + i);
    for (unsigned i = 0; i < 8; i++)
        state[i] += v[i];
}

void cid__sha256_blocks_portable(uint32_t state[8], const uint8_t *data, size_t blocks)
{
    for (; blocks != 0; blocks--, data += BLOCK)
        block(state, data);
}

void cid__sha256_blocks(uint32_t state[8], const uint8_t *data, size_t blocks)
{
#if CID__SHA256_X86
    if (cid__cpu() & CID__CPU_SHA) {
        cid__sha256_ni(state, data, blocks);
        return;
    }
#endif
#ifdef CID_WITH_SODIUM
    cid__sha256_blocks_sodium(state, data, blocks);
#else
    cid__sha256_blocks_portable(state, data, blocks);
#endif
}

size_t cid__sha256_tail(uint8_t out[128], const uint8_t *data, size_t rest, uint64_t len)
{
    size_t blocks = rest < BLOCK - 8 ? 1 : 2;

    memset(out, 0, blocks * BLOCK);
    if (rest != 0)
        memcpy(out, data, rest);
    out[rest] = 0x80;
    cid__store64be(out + blocks * BLOCK - 8, len << 3);
    return blocks;
}

/* ---- messages ------------------------------------------------------------------------------ */

struct sha256 {
    uint32_t h[8];
    struct cid__blocks blocks;
};

static void compress(void *h, const uint8_t *blocks, size_t count)
{
    cid__sha256_blocks(h, blocks, count);
}

static void start(struct sha256 *sha256, const uint32_t h[8])
{
    sha256->blocks.total = 0;
    memcpy(sha256->h, h, sizeof sha256->h);
}

static void init(void *state, size_t out_len)
{
    (void)out_len;
    start(state, cid__sha256_start);
}

static void init_224(void *state, size_t out_len)
{
    (void)out_len;
    start(state, start_224);
}

static void update(void *state, const uint8_t *data, size_t len)
{
    struct sha256 *sha256 = state;
    cid__blocks_update(&sha256->blocks, BLOCK, data, len, compress, sha256->h);
}

static void put(uint8_t *out, const uint32_t *h, size_t words)
{
    for (size_t i = 0; i < words; i++)
        cid__store32be(out + 4 * i, h[i]);
}

/* out_len is 32, or 28 for sha2-224. */
static void final(void *state, uint8_t *out, size_t out_len)
{
    struct sha256 *sha256 = state;
    uint8_t tail[2 * BLOCK];
    size_t rest = cid__blocks_held(&sha256->blocks, BLOCK);
    size_t blocks = cid__sha256_tail(tail, sha256->blocks.held, rest, sha256->blocks.total);

    cid__sha256_blocks(sha256->h, tail, blocks);
    put(out, sha256->h, out_len / 4);
}

/* A whole message, whose blocks are compressed where they lie; out may be where data is. */
static void sum(uint8_t *out, size_t out_len, const uint8_t *data, size_t len)
{
    size_t rest = len % BLOCK;
    uint8_t tail[2 * BLOCK];
    uint32_t h[8];

    memcpy(h, cid__sha256_start, sizeof h);
    cid__sha256_blocks(h, data, len / BLOCK);
    cid__sha256_blocks(h, tail,
                       cid__sha256_tail(tail, rest ? data + (len - rest) : NULL, rest, len));
    put(out, h, out_len / 4);
}

void cid__sha256_finish(uint64_t code, uint8_t digest[32])
{
    if (code == CID__SHA256_TWICE)
        sum(digest, 32, digest, 32);
    else
        digest[31] &= 0x3f; /* Filecoin's field has 254 bits, little-endian */
}

static void final_twice(void *from, uint8_t *out, size_t out_len)
{
    final(from, out, out_len);
    cid__sha256_finish(CID__SHA256_TWICE, out);
}

static void final_254(void *from, uint8_t *out, size_t out_len)
{
    final(from, out, out_len);
    cid__sha256_finish(CID__SHA256_TRUNC254, out);
}

const struct cid__stream *cid__stream_sha256(uint64_t code)
{
    static const struct cid__stream sha2_256 = {
        sizeof(struct sha256), init, update, final, sum, NULL};
    static const struct cid__stream sha2_224 = {
        sizeof(struct sha256), init_224, update, final, NULL, NULL};
    static const struct cid__stream twice = {sizeof(struct sha256), init, update,
                                             final_twice,           NULL, NULL};
    static const struct cid__stream trunc254 = {
        sizeof(struct sha256), init, update, final_254, NULL, NULL};

    switch (code) {
    case CID_HASH_SHA2_256:
        return &sha2_256;
    case CID__SHA256_TWICE:
        return &twice;
    case CID__SHA256_TRUNC254:
        return &trunc254;
    case 0x1013:
        return &sha2_224;
    default:
        return NULL;
    }
}
