/*
 * lanes_x86.h - the bookkeeping of a kernel's call, by AVX-512: how many blocks all lanes have, and
 * where each is afterwards. For the files whose functions may use it; nothing here gets out of a
 * function that says so.
 */
#ifndef CID_HASH_LANES_X86_H
#define CID_HASH_LANES_X86_H

#include "hash/lanes.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define CID__LANES_X86 1

#include <immintrin.h>

#define CID__AVX512                                                                                \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"), always_inline)) static inline

/* The least number of blocks that any of the lanes has left. lanes is 8 or 16. */
CID__AVX512 size_t cid__lanes_least(const struct cid__lanes *set, unsigned lanes)
{
    __m512i least = _mm512_load_si512((const void *)set->left);

    if (lanes == 16)
        least = _mm512_min_epu64(least, _mm512_load_si512((const void *)(set->left + 8)));
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

    if (lanes == 16)
        done |= cid__lanes_pass8(set->left + 8, set->at + 8, blocks, blocks * block) << 8;
    return done;
}

#else
#define CID__LANES_X86 0
#endif

#endif
