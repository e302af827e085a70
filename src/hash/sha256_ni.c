/*
 * sha256_ni.c - SHA-256 by the SHA extensions, one and two messages at a time. All code for them
 * sits in functions that say so.
 */
#include "hash/sha256_x86.h"

#if CID__SHA256_X86

#include "hash/sha256.h"

#include <immintrin.h>

#define SHA    __attribute__((target("sha,sse4.1,ssse3")))
#define INLINE static inline __attribute__((always_inline))

/* The state in the order in which the instructions want it, and four times four words. */
struct ni {
    __m128i abef, cdgh;
    __m128i m[4];
};

SHA INLINE void ni_load(struct ni *n, const uint32_t h[8])
{
    __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(const void *)h), 0xb1);
    __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(const void *)(h + 4)), 0x1b);
    n->abef = _mm_alignr_epi8(low, high, 8);
    n->cdgh = _mm_blend_epi16(high, low, 0xf0);
}

SHA INLINE void ni_store(uint32_t h[8], const struct ni *n)
{
    __m128i low = _mm_shuffle_epi32(n->abef, 0x1b);
    __m128i high = _mm_shuffle_epi32(n->cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)(void *)h, _mm_blend_epi16(low, high, 0xf0));
    _mm_storeu_si128((__m128i *)(void *)(h + 4), _mm_alignr_epi8(high, low, 8));
}

SHA INLINE __m128i ni_words(const uint8_t *p)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), swap);
}

/* Rounds 4 i to 4 i + 3, and what can be done by then for the words to come. */
SHA INLINE void ni_step(struct ni *n, const __m128i *k, const uint8_t *data, unsigned i)
{
    __m128i *m = &n->m[i & 3], *next = &n->m[(i + 1) & 3], *before = &n->m[(i + 3) & 3], x;

    if (i < 4)
        *m = ni_words(data + 16 * i);
    x = _mm_add_epi32(*m, _mm_load_si128(k + i));
    n->cdgh = _mm_sha256rnds2_epu32(n->cdgh, n->abef, x);
    if (i >= 3 && i < 15) {
        __m128i sum = _mm_add_epi32(*next, _mm_alignr_epi8(*m, *before, 4));
        *next = _mm_sha256msg2_epu32(sum, *m);
    }
    if (i >= 1 && i < 13)
        *before = _mm_sha256msg1_epu32(*before, *m);
    n->abef = _mm_sha256rnds2_epu32(n->abef, n->cdgh, _mm_shuffle_epi32(x, 0x0e));
}

SHA void cid__sha256_ni(uint32_t h[8], const uint8_t *data, size_t blocks)
{
    const __m128i *k = (const __m128i *)(const void *)cid__sha256_k;
    struct ni x;

    ni_load(&x, h);
    for (; blocks != 0; blocks--, data += CID__SHA256_BLOCK) {
        __m128i abef = x.abef, cdgh = x.cdgh;
#define NI_ONE(i) ni_step(&x, k, data, i);
        CID__SHA256_SIXTEEN(NI_ONE)
        x.abef = _mm_add_epi32(x.abef, abef);
        x.cdgh = _mm_add_epi32(x.cdgh, cdgh);
    }
    ni_store(h, &x);
}

SHA void cid__sha256_ni_pair(uint32_t h0[8], uint32_t h1[8], const uint8_t *data0,
                             const uint8_t *data1, size_t blocks, struct cid__ahead *ahead)
{
    const __m128i *k = (const __m128i *)(const void *)cid__sha256_k;
    struct cid__lines lines = cid__ahead_take(ahead, blocks * (2 * CID__SHA256_BLOCK), h0);
    struct ni x, y;

    ni_load(&x, h0);
    ni_load(&y, h1);
    for (; blocks != 0; blocks--, data0 += CID__SHA256_BLOCK, data1 += CID__SHA256_BLOCK) {
        __m128i abef0 = x.abef, cdgh0 = x.cdgh, abef1 = y.abef, cdgh1 = y.cdgh;
        cid__lines_next(&lines);
        cid__lines_next(&lines);
#define NI_TWO(i)                                                                                  \
    ni_step(&x, k, data0, i);                                                                      \
    ni_step(&y, k, data1, i);
        CID__SHA256_SIXTEEN(NI_TWO)
        x.abef = _mm_add_epi32(x.abef, abef0);
        x.cdgh = _mm_add_epi32(x.cdgh, cdgh0);
        y.abef = _mm_add_epi32(y.abef, abef1);
        y.cdgh = _mm_add_epi32(y.cdgh, cdgh1);
    }
    ni_store(h0, &x);
    ni_store(h1, &y);
}

#endif
