/*
 * murmur3.c - MurmurHash3 with seed 0: the 32-bit form and the 128-bit form for 64-bit machines.
 * Not cryptographic; directories that are sharded by hash (HAMTs) use it.
 *
 * The function makes numbers. As digests they are written high byte first, and murmur3-x64-64 is
 * the first half of murmur3-x64-128.
 */
#include "hash/stream.h"

#include <string.h>

#include "base/endian.h"
#include "hash/blocks.h"
#include "hash/rotate.h"

#define BLOCK32 4
#define BLOCK64 16

struct murmur32 {
    uint32_t h;
    struct cid__blocks blocks;
};

struct murmur64 {
    uint64_t h[2];
    struct cid__blocks blocks;
};

static uint32_t stir32(uint32_t k)
{
    return cid__rotl32(k * 0xcc9e2d51, 15) * 0x1b873593;
}

static void compress32(void *state, const uint8_t *blocks, size_t count)
{
    uint32_t *h = state;

    for (; count != 0; count--, blocks += BLOCK32)
        *h = cid__rotl32(*h ^ stir32(cid__load32le(blocks)), 13) * 5 + 0xe6546b64;
}

static void init32(void *state, size_t out_len)
{
    struct murmur32 *murmur = state;
    (void)out_len;
    *murmur = (struct murmur32){.h = 0};
}

static void update32(void *state, const uint8_t *data, size_t len)
{
    struct murmur32 *murmur = state;
    cid__blocks_update(&murmur->blocks, BLOCK32, data, len, compress32, &murmur->h);
}

static void final32(void *state, uint8_t *out, size_t out_len)
{
    struct murmur32 *murmur = state;
    size_t held = cid__blocks_held(&murmur->blocks, BLOCK32);
    uint32_t h = murmur->h;
    (void)out_len;

    /* Nothing held is zero, and zero stirs to zero. */
    memset(murmur->blocks.held + held, 0, BLOCK32 - held);
    h ^= stir32(cid__load32le(murmur->blocks.held)) ^ (uint32_t)murmur->blocks.total;
    h = (h ^ h >> 16) * 0x85ebca6b;
    h = (h ^ h >> 13) * 0xc2b2ae35;
    cid__store32be(out, h ^ h >> 16);
}

#define C1 UINT64_C(0x87c37b91114253d5)
#define C2 UINT64_C(0x4cf5ad432745937f)

static uint64_t stir_low(uint64_t k)
{
    return cid__rotl64(k * C1, 31) * C2;
}

static uint64_t stir_high(uint64_t k)
{
    return cid__rotl64(k * C2, 33) * C1;
}

static uint64_t finish(uint64_t h)
{
    h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ h >> 33;
}

static void compress64(void *state, const uint8_t *blocks, size_t count)
{
    uint64_t *h = state;

    for (; count != 0; count--, blocks += BLOCK64) {
        h[0] = cid__rotl64(h[0] ^ stir_low(cid__load64le(blocks)), 27) + h[1];
        h[0] = h[0] * 5 + 0x52dce729;
        h[1] = cid__rotl64(h[1] ^ stir_high(cid__load64le(blocks + 8)), 31) + h[0];
        h[1] = h[1] * 5 + 0x38495ab5;
    }
}

static void init64(void *state, size_t out_len)
{
    struct murmur64 *murmur = state;
    (void)out_len;
    *murmur = (struct murmur64){.h = {0, 0}};
}

static void update64(void *state, const uint8_t *data, size_t len)
{
    struct murmur64 *murmur = state;
    cid__blocks_update(&murmur->blocks, BLOCK64, data, len, compress64, murmur->h);
}

static void final64(void *state, uint8_t *out, size_t out_len)
{
    struct murmur64 *murmur = state;
    size_t held = cid__blocks_held(&murmur->blocks, BLOCK64);
    uint64_t low = murmur->h[0], high = murmur->h[1];

    memset(murmur->blocks.held + held, 0, BLOCK64 - held);
    low ^= stir_low(cid__load64le(murmur->blocks.held)) ^ murmur->blocks.total;
    high ^= stir_high(cid__load64le(murmur->blocks.held + 8)) ^ murmur->blocks.total;
    low += high;
    high += low;
    low = finish(low);
    high = finish(high);
    low += high;
    cid__store64be(out, low);
    if (out_len > 8)
        cid__store64be(out + 8, high + low);
}

const struct cid__stream *cid__stream_murmur3(uint64_t code)
{
    static const struct cid__stream x86_32 = {
        sizeof(struct murmur32), init32, update32, final32, NULL, NULL};
    static const struct cid__stream x64 = {
        sizeof(struct murmur64), init64, update64, final64, NULL, NULL};

    if (code == 0x22 || code == 0x1022) /* murmur3-x64-64, murmur3-x64-128 */
        return &x64;
    return code == 0x23 ? &x86_32 : NULL;
}
