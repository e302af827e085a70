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
    cid__ahead_fetch(set->ahead, blocks * BLOCK);
}

static void pair(struct cid__lanes *set, unsigned a, unsigned b, size_t blocks)
{
    uint32_t h0[8], h1[8];

    take(h0, set, a);
    take(h1, set, b);
    cid__sha256_ni_pair(h0, h1, set->at[a], set->at[b], blocks, set->ahead);
    give(set, a, h0);
    give(set, b, h1);
}

static void move(struct cid__lanes *set, unsigned to, unsigned from)
{
    uint32_t h[8];

    take(h, set, from);
    give(set, to, h);
}

/* The same where no kernel wants words side by side: word i of lane l is at [l][i]. */

static size_t begin_row(struct cid__lanes *set, unsigned lane, const struct cid__job *job)
{
    memcpy(set->state.w32[lane], cid__sha256_start, sizeof cid__sha256_start);
    set->at[lane] = job->data;
    return job->len / BLOCK;
}

static void digest_row(const struct cid__lanes *set, unsigned lane, uint8_t out[64])
{
    for (unsigned i = 0; i < 8; i++)
        cid__store32be(out + 4 * i, set->state.w32[lane][i]);
}

static void one_row(struct cid__lanes *set, unsigned lane, size_t blocks)
{
    cid__sha256_ni(set->state.w32[lane], set->at[lane], blocks);
    cid__ahead_fetch(set->ahead, blocks * BLOCK);
}

static void pair_row(struct cid__lanes *set, unsigned a, unsigned b, size_t blocks)
{
    cid__sha256_ni_pair(set->state.w32[a], set->state.w32[b], set->at[a], set->at[b], blocks,
                        set->ahead);
}

/* ---- a wave of two --------------------------------------------------------------------------- */

struct message {
    const struct cid__job *job;
    uint32_t h[8];
    const uint8_t *at;
    size_t left; /* blocks from there on; 0: it is done */
    bool ending; /* they are in tail */
    uint8_t tail[2 * BLOCK];
};

static void move_on(struct message *m, size_t blocks)
{
    size_t rest = m->job->len % BLOCK;

    m->at += blocks * BLOCK;
    m->left -= blocks;
    if (m->left != 0 || m->ending)
        return;
    m->ending = true;
    m->at = m->tail;
    m->left = cid__sha256_tail(m->tail, m->job->data + (m->job->len - rest), rest, m->job->len);
}

static void start_message(struct message *m, const struct cid__job *job)
{
    m->job = job;
    memcpy(m->h, cid__sha256_start, sizeof m->h);
    m->at = job->data;
    m->left = job->len / BLOCK;
    m->ending = false;
    move_on(m, 0);
}

static void end_message(struct message *m, uint8_t digest[64])
{
    for (; m->left != 0; move_on(m, m->left))
        cid__sha256_ni(m->h, m->at, m->left);
    for (unsigned i = 0; i < 8; i++)
        cid__store32be(digest + 4 * i, m->h[i]);
}

static void wave2(struct cid__wave *wave)
{
    struct message a, b;

    start_message(&a, wave->job[0]);
    start_message(&b, wave->job[wave->count - 1]);
    while (a.left != 0 && b.left != 0) {
        size_t blocks = a.left < b.left ? a.left : b.left;
        cid__sha256_ni_pair(a.h, b.h, a.at, b.at, blocks, wave->ahead);
        move_on(&a, blocks);
        move_on(&b, blocks);
    }
    end_message(&a, wave->digest[0]);
    end_message(&b, wave->digest[wave->count - 1]);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* Sixteen lanes take as long as ten or so messages two by two, or two messages without SHA. */
static const struct cid__lane_kind avx512_sha = {
    .lanes = 16,
    .worth = 10,
    .block = BLOCK,
    .padding = 8,
    .wide = cid__sha256_wide16,
    .pair = pair,
    .one = one,
    .begin = begin,
    .end = end,
    .digest = digest,
    .wave = cid__sha256_wave16,
};
/* Where thirty-two take less than twice as long; for seventeen messages and more. */
static const struct cid__lane_kind avx512_broad = {
    .lanes = 32,
    .worth = 17,
    .block = BLOCK,
    .padding = 8,
    .wide = cid__sha256_wide32,
    .pair = pair,
    .one = one,
    .begin = begin,
    .end = end,
    .digest = digest,
    .wave = cid__sha256_wave32,
    .half = &avx512_sha,
    .move = move,
};
static const struct cid__lane_kind avx512 = {
    .lanes = 16,
    .worth = 2,
    .block = BLOCK,
    .padding = 8,
    .wide = cid__sha256_wide16,
    .one = one,
    .begin = begin,
    .end = end,
    .digest = digest,
    .wave = cid__sha256_wave16,
};
static const struct cid__lane_kind sha = {
    .lanes = 2,
    .worth = 2,
    .block = BLOCK,
    .padding = 8,
    .wave = wave2,
    .pair = pair_row,
    .one = one_row,
    .begin = begin_row,
    .end = end,
    .digest = digest_row,
};
static const struct cid__lane_kind avx2 = {
    .lanes = 8,
    .worth = 2,
    .block = BLOCK,
    .padding = 8,
    .wide = cid__sha256_wide8,
    .one = one,
    .begin = begin,
    .end = end,
    .digest = digest,
    .wave = cid__sha256_wave8,
};

const struct cid__lane_kind *cid__lanes_sha256(void)
{
    uint32_t cpu = cid__cpu();

    if (cpu & CID__CPU_AVX512 && cpu & CID__CPU_SHA)
        return cpu & CID__CPU_BROAD ? &avx512_broad : &avx512_sha;
    if (cpu & CID__CPU_AVX512)
        return &avx512;
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
