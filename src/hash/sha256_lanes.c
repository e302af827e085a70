/*
 * sha256_lanes.c - SHA-256 of many messages: which kernel each processor is best served by. The
 * figures are in docs/design.md.
 */
#include "hash/lanes.h"

#include "base/cpu.h"
#include "base/endian.h"
#include "hash/sha256.h"
#include "hash/sha256_x86.h"

#include <string.h>

#if CID__SHA256_X86

#define BLOCK CID__SHA256_BLOCK

static size_t begin(struct cid__lanes *set, unsigned lane, const struct cid__job *job)
{
    for (unsigned i = 0; i < 8; i++)
        set->state.w32[i][lane] = cid__sha256_start[i];
    set->at[lane] = job->data;
    return job->len / BLOCK;
}

static size_t end(struct cid__lanes *set, unsigned lane, const struct cid__job *job)
{
    size_t rest = job->len % BLOCK;

    set->at[lane] = set->tail[lane];
    return cid__sha256_tail(set->tail[lane], job->data + (job->len - rest), rest, job->len);
}

static void digest(const struct cid__lanes *set, unsigned lane, uint8_t out[64])
{
    for (unsigned i = 0; i < 8; i++)
        cid__store32be(out + 4 * i, set->state.w32[i][lane]);
}

static void take(uint32_t h[8], const struct cid__lanes *set, unsigned lane)
{
    for (unsigned i = 0; i < 8; i++)
        h[i] = set->state.w32[i][lane];
}

static void give(struct cid__lanes *set, unsigned lane, const uint32_t h[8])
{
    for (unsigned i = 0; i < 8; i++)
        set->state.w32[i][lane] = h[i];
}

static void one(struct cid__lanes *set, unsigned lane, size_t blocks)
{
    uint32_t h[8];

    take(h, set, lane);
    cid__sha256_blocks(h, set->at[lane], blocks);
    give(set, lane, h);
}

static void pair(struct cid__lanes *set, unsigned a, unsigned b, size_t blocks)
{
    uint32_t h0[8], h1[8];

    take(h0, set, a);
    take(h1, set, b);
    cid__sha256_ni_pair(h0, h1, set->at[a], set->at[b], blocks);
    give(set, a, h0);
    give(set, b, h1);
}

static void wide16(struct cid__lanes *set, size_t blocks)
{
    cid__sha256_x16(set->state.w32, set->at, blocks);
}

static void wide8(struct cid__lanes *set, size_t blocks)
{
    cid__sha256_x8(set->state.w32, set->at, blocks);
}

/* Sixteen lanes take as long as ten or so messages two by two, or two messages without SHA. */
static const struct cid__lane_kind avx512_sha = {16,  10,    BLOCK, wide16, pair,
                                                 one, begin, end,   digest};
static const struct cid__lane_kind avx512 = {16, 2, BLOCK, wide16, NULL, one, begin, end, digest};
static const struct cid__lane_kind sha = {2, 3, BLOCK, NULL, pair, one, begin, end, digest};
static const struct cid__lane_kind avx2 = {8, 2, BLOCK, wide8, NULL, one, begin, end, digest};

const struct cid__lane_kind *cid__lanes_sha256(void)
{
    uint32_t cpu = cid__cpu();

    if (cpu & CID__CPU_AVX512)
        return cpu & CID__CPU_SHA ? &avx512_sha : &avx512;
    if (cpu & CID__CPU_SHA)
        return &sha;
    return cpu & CID__CPU_AVX2 ? &avx2 : NULL;
}

#else

const struct cid__lane_kind *cid__lanes_sha256(void)
{
    return NULL;
}

#endif
