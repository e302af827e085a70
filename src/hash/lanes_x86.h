/*
 * lanes_x86.h - the bookkeeping of a kernel's call: how many blocks all lanes have, and where each
 * is afterwards; and the ends of messages. Nothing here by AVX2 or AVX-512 gets out of a function
 * that says so.
 */
#ifndef CID_HASH_LANES_X86_H
#define CID_HASH_LANES_X86_H

#include "hash/lanes.h"

#include "base/endian.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define CID__LANES_X86 1

#include <immintrin.h>

#define CID__AVX2 __attribute__((target("avx2"), always_inline)) static inline
#define CID__AVX512                                                                                \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"), always_inline)) static inline

/* The least number of blocks that any of the lanes has left. lanes is a multiple of 8. */
CID__AVX512 size_t cid__lanes_least(const struct cid__lanes *set, unsigned lanes)
{
    __m512i least = _mm512_load_si512((const void *)set->left);

    for (unsigned l = 8; l < lanes; l += 8)
        least = _mm512_min_epu64(least, _mm512_load_si512((const void *)(set->left + l)));
    return (size_t)_mm512_reduce_min_epu64(least);
}

CID__AVX512 uint32_t cid__lanes_pass8(uint64_t *left, const uint8_t **at, size_t blocks,
                                      size_t bytes)
{
    __m512i then = _mm512_sub_epi64(_mm512_load_si512((const void *)left),
                                    _mm512_set1_epi64((long long)blocks));
    __m512i where =
        _mm512_add_epi64(_mm512_load_si512((const void *)at), _mm512_set1_epi64((long long)bytes));

    _mm512_store_si512((void *)left, then);
    _mm512_store_si512((void *)at, where);
    return _mm512_testn_epi64_mask(then, then);
}

/* Moves all lanes on by so many blocks of that size; returns the lanes that have none left. */
CID__AVX512 uint32_t cid__lanes_pass(struct cid__lanes *set, unsigned lanes, size_t blocks,
                                     size_t block)
{
    uint32_t done = cid__lanes_pass8(set->left, set->at, blocks, blocks * block);

    for (unsigned l = 8; l < lanes; l += 8)
        done |= cid__lanes_pass8(set->left + l, set->at + l, blocks, blocks * block) << l;
    return done;
}

/* The same without AVX-512. */

static inline size_t cid__lanes_least_plain(const struct cid__lanes *set, unsigned lanes)
{
    uint64_t least = set->left[0];

    for (unsigned l = 1; l < lanes; l++)
        least = set->left[l] < least ? set->left[l] : least;
    return (size_t)least;
}

static inline uint32_t cid__lanes_pass_plain(struct cid__lanes *set, unsigned lanes, size_t blocks,
                                             size_t block)
{
    uint32_t done = 0;

    for (unsigned l = 0; l < lanes; l++) {
        set->at[l] += blocks * block;
        set->left[l] -= blocks;
        done |= (uint32_t)(set->left[l] == 0) << l;
    }
    return done;
}

/* The message of a lane of a wave. Lanes without one do again what the first one does. */
static inline const struct cid__job *cid__wave_job(const struct cid__wave *wave, unsigned lane)
{
    return wave->job[lane < wave->count ? lane : 0];
}

/*
 * The end of a message, for waves by AVX2: its words are read under a mask, so that nothing behind
 * the message is, and put together in registers, since a load of what two stores have written waits
 * until they are through.
 */
struct cid__end {
    uintptr_t at;
    __m256i words; /* how many whole ones of 32 bits there are */
    __m256i last;  /* the one behind them, which has the rest */
};

/* The last rest bytes, and behind them one more, after. */
CID__AVX2 struct cid__end cid__end_of(const struct cid__job *job, size_t rest, uint8_t after)
{
    const unsigned odd = 8 * (unsigned)(rest % 4);
    struct cid__end end;
    uint32_t word = 0;

    if (job->len >= 4)
        word = (uint32_t)((uint64_t)cid__load32le(job->data + (job->len - 4)) >> (32 - odd));
    else
        for (size_t i = job->len; i-- > 0;)
            word = word << 8 | job->data[i];
    end.at = (uintptr_t)job->data + (job->len - rest);
    end.words = _mm256_set1_epi32((int)(rest / 4));
    end.last = _mm256_set1_epi32((int)(word | (uint32_t)after << odd));
    return end;
}

/* 32 bytes of it, from at on; zeroes where there is nothing. */
CID__AVX2 __m256i cid__end_part(const struct cid__end *end, unsigned at)
{
    const __m256i words = _mm256_sub_epi32(end->words, _mm256_set1_epi32((int)at / 4));
    const __m256i place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i whole = _mm256_cmpgt_epi32(words, place), last = _mm256_cmpeq_epi32(words, place);

    return _mm256_or_si256(_mm256_maskload_epi32((const int *)(end->at + at), whole),
                           _mm256_and_si256(end->last, last));
}

#else
#define CID__LANES_X86 0
#endif

#endif
