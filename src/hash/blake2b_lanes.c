/*
 * blake2b_lanes.c - BLAKE2b of many messages, of any digest lengths, at once.
 */
#include "hash/lanes.h"

#include "base/cpu.h"
#include "base/endian.h"
#include "hash/blake2b.h"
#include "hash/blake2b_x86.h"

#include <string.h>

#if CID__BLAKE2B_X86

#define BLOCK CID__BLAKE2B_BLOCK

static void give(struct cid__lanes *set, unsigned lane, const uint64_t h[8])
{
    for (unsigned i = 0; i < 8; i++)
        set->state.w64[i][lane] = h[i];
}

static size_t begin(struct cid__lanes *set, unsigned lane, const struct cid__job *job)
{
    uint64_t h[8];

    cid__blake2b_start(h, job->out_len);
    give(set, lane, h);
    set->count[lane] = 0;
    set->last[lane] = 0;
    set->at[lane] = job->data;
    return job->len == 0 ? 0 : (job->len - 1) / BLOCK; /* the last block is never one of many */
}

static size_t end(struct cid__lanes *set, unsigned lane, const struct cid__job *job)
{
    size_t body = job->len == 0 ? 0 : (job->len - 1) / BLOCK * BLOCK;
    size_t rest = job->len - body;
    uint8_t *tail = set->tail[lane];

    set->count[lane] = (uint64_t)job->len - BLOCK; /* wraps, and the block brings it to len */
    set->last[lane] = UINT64_MAX;
    if (rest == BLOCK) {
        set->at[lane] = job->data + body;
        return 1;
    }
    memset(tail, 0, BLOCK);
    if (rest != 0)
        memcpy(tail, job->data + body, rest);
    set->at[lane] = tail;
    return 1;
}

static void digest(const struct cid__lanes *set, unsigned lane, uint8_t out[64])
{
    for (unsigned i = 0; i < 8; i++)
        cid__store64le(out + 8 * i, set->state.w64[i][lane]);
}

static void one(struct cid__lanes *set, unsigned lane, size_t blocks)
{
    uint64_t h[8];

    for (unsigned i = 0; i < 8; i++)
        h[i] = set->state.w64[i][lane];
    cid__blake2b_blocks(h, &set->count[lane], set->last[lane], set->at[lane], blocks);
    give(set, lane, h);
    cid__ahead_fetch(set->ahead, blocks * BLOCK);
}

static const struct cid__lane_kind avx512 = {
    .lanes = 8,
    .worth = 2,
    .block = BLOCK,
    .wide = cid__blake2b_wide8,
    .one = one,
    .begin = begin,
    .end = end,
    .digest = digest,
    .wave = cid__blake2b_wave8,
};
static const struct cid__lane_kind avx2 = {
    .lanes = 4,
    .worth = 2,
    .block = BLOCK,
    .wide = cid__blake2b_wide4,
    .one = one,
    .begin = begin,
    .end = end,
    .digest = digest,
    .wave = cid__blake2b_wave4,
};

const struct cid__lane_kind *cid__lanes_blake2b(void)
{
    uint32_t cpu = cid__cpu();

    if (cpu & CID__CPU_AVX512)
        return &avx512;
    return cpu & CID__CPU_AVX2 ? &avx2 : NULL;
}

#else

const struct cid__lane_kind *cid__lanes_blake2b(void)
{
    return NULL;
}

#endif
