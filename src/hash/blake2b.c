#include "hash/blake2b.h"

#include "base/endian.h"
#include "hash/stream.h"

#define BLOCK CID__BLAKE2B_BLOCK

const uint64_t cid__blake2b_iv[8] = {
    UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xbb67ae8584caa73b), UINT64_C(0x3c6ef372fe94f82b),
    UINT64_C(0xa54ff53a5f1d36f1), UINT64_C(0x510e527fade682d1), UINT64_C(0x9b05688c2b3e6c1f),
    UINT64_C(0x1f83d9abfb41bd6b), UINT64_C(0x5be0cd19137e2179),
};

const uint8_t cid__blake2b_order[12][16] = {
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
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
};

static inline uint64_t ror(uint64_t v, unsigned n)
{
    return v >> n | v << (64 - n);
}

/* Macros on variables of their own, since compilers are slow to see that an array could be. */
#define HALF(a, b, c, d, word, n, k)                                                               \
    a += b + (word);                                                                               \
    d = ror(d ^ a, n);                                                                             \
    c += d;                                                                                        \
    b = ror(b ^ c, k)

#define MIX(a, b, c, d, r, i)                                                                      \
    HALF(v##a, v##b, v##c, v##d, m[cid__blake2b_order[r][i]], 32, 24);                             \
    HALF(v##a, v##b, v##c, v##d, m[cid__blake2b_order[r][(i) + 1]], 16, 63)

#define ROUND(r)                                                                                   \
    MIX(0, 4, 8, 12, r, 0);                                                                        \
    MIX(1, 5, 9, 13, r, 2);                                                                        \
    MIX(2, 6, 10, 14, r, 4);                                                                       \
    MIX(3, 7, 11, 15, r, 6);                                                                       \
    MIX(0, 5, 10, 15, r, 8);                                                                       \
    MIX(1, 6, 11, 12, r, 10);                                                                      \
    MIX(2, 7, 8, 13, r, 12);                                                                       \
    MIX(3, 4, 9, 14, r, 14)

static void block(uint64_t h[8], uint64_t count, uint64_t last, const uint8_t *data)
{
    uint64_t v0 = h[0], v1 = h[1], v2 = h[2], v3 = h[3];
    uint64_t v4 = h[4], v5 = h[5], v6 = h[6], v7 = h[7];
    uint64_t v8 = cid__blake2b_iv[0], v9 = cid__blake2b_iv[1];
    uint64_t v10 = cid__blake2b_iv[2], v11 = cid__blake2b_iv[3];
    /* The upper half of the count stays zero: no message has 2^64 bytes. */
    uint64_t v12 = cid__blake2b_iv[4] ^ count, v13 = cid__blake2b_iv[5];
    uint64_t v14 = cid__blake2b_iv[6] ^ last, v15 = cid__blake2b_iv[7];
    uint64_t m[16];

    for (unsigned i = 0; i < 16; i++)
        m[i] = cid__load64le(data + 8 * i);
    ROUND(0);
    ROUND(1);
    ROUND(2);
    ROUND(3);
    ROUND(4);
    ROUND(5);
    ROUND(6);
    ROUND(7);
    ROUND(8);
    ROUND(9);
    ROUND(10);
    ROUND(11);
    h[0] ^= v0 ^ v8;
    h[1] ^= v1 ^ v9;
    h[2] ^= v2 ^ v10;
    h[3] ^= v3 ^ v11;
    h[4] ^= v4 ^ v12;
    h[5] ^= v5 ^ v13;
    h[6] ^= v6 ^ v14;
    h[7] ^= v7 ^ v15;
}

void cid__blake2b_start(uint64_t h[8], size_t out_len)
{
    memcpy(h, cid__blake2b_iv, sizeof cid__blake2b_iv);
    h[0] = cid__blake2b_first(out_len);
}

void cid__blake2b_blocks(uint64_t h[8], uint64_t *count, uint64_t last, const uint8_t *data,
                         size_t blocks)
{
    for (; blocks != 0; blocks--, data += BLOCK)
        block(h, *count += BLOCK, last, data);
}

/* ---- messages ------------------------------------------------------------------------------ */

struct state {
    uint64_t h[8];
    uint64_t count; /* of the bytes compressed */
    size_t held;    /* at rest; a full block stays there until more is known to come */
    uint8_t rest[BLOCK];
};

static void init(void *to, size_t out_len)
{
    struct state *state = to;
    cid__blake2b_start(state->h, out_len);
    state->count = 0;
    state->held = 0;
}

static void update(void *to, const uint8_t *data, size_t len)
{
    struct state *state = to;
    size_t take = len < BLOCK - state->held ? len : BLOCK - state->held;
    size_t blocks;

    if (len == 0)
        return;
    memcpy(state->rest + state->held, data, take);
    state->held += take;
    data += take;
    len -= take;
    if (len == 0)
        return;
    blocks = (len - 1) / BLOCK;
    cid__blake2b_blocks(state->h, &state->count, 0, state->rest, 1);
    cid__blake2b_blocks(state->h, &state->count, 0, data, blocks);
    state->held = len - blocks * BLOCK;
    memcpy(state->rest, data + blocks * BLOCK, state->held);
}

/* The last block, of held bytes at rest, which has room for a whole one. */
static void finish(uint64_t h[8], uint64_t len, uint8_t *rest, size_t held, uint8_t *out,
                   size_t out_len)
{
    uint64_t count = len - BLOCK; /* wraps, and the block brings it to len */
    uint8_t digest[64];

    memset(rest + held, 0, BLOCK - held);
    cid__blake2b_blocks(h, &count, UINT64_MAX, rest, 1);
    for (unsigned i = 0; i < 8; i++)
        cid__store64le(digest + 8 * i, h[i]);
    memcpy(out, digest, out_len);
}

static void final(void *from, uint8_t *out, size_t out_len)
{
    struct state *state = from;
    finish(state->h, state->count + state->held, state->rest, state->held, out, out_len);
}

static void sum(uint8_t *out, size_t out_len, const uint8_t *data, size_t len)
{
    uint64_t h[8], count = 0;
    uint8_t rest[BLOCK];
    size_t blocks = len == 0 ? 0 : (len - 1) / BLOCK;
    size_t held = len - blocks * BLOCK;

    cid__blake2b_start(h, out_len);
    cid__blake2b_blocks(h, &count, 0, data, blocks);
    if (held != 0)
        memcpy(rest, data + blocks * BLOCK, held);
    finish(h, len, rest, held, out, out_len);
}

const struct cid__stream *cid__stream_blake2b(uint64_t code)
{
    static const struct cid__stream blake2b = {
        sizeof(struct state), init, update, final, sum, NULL};
    return code >= CID__BLAKE2B_FIRST && code <= CID__BLAKE2B_LAST ? &blake2b : NULL;
}
