/*
 * The bases of whole bits with AVX-512 VBMI: 64 digits of b bits, 8 b bytes, a step.
 *
 * Encoding: vpermb lays the b bytes of a group, last one first, into a lane of 64 bits;
 * vpmultishiftqb takes eight bits from eight places of each lane, highest digit first; vpermb looks
 * them up in the alphabet, by six of the eight bits, of which the upper ones that belong to the
 * digit before are no matter because the alphabet stands there over and over.
 *
 * Decoding: vpermi2b looks 64 characters up among the 128 of ASCII; three steps join pairs of
 * digits, pairs of pairs, and halves of groups; vpermb gathers the bytes.
 *
 * Loads and stores are masked at the end of a string, so that nothing beyond it is touched.
 */
#include "multiformats/bits.h"

#if CID__BITS_X86

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi,bmi2")))

/* How digits of b bits lie in a step. */
struct shape {
    uint8_t spread[64]; /* where byte i of the lanes comes from */
    uint8_t gather[64]; /* the reverse */
    uint64_t shifts;    /* of the digits in a lane, one a byte */
    uint64_t bytes;     /* the 8 b bytes of a step, as a mask */
    uint32_t pair;      /* 2^b and 1, as bytes: what the digits of a pair count */
    uint32_t quad;      /* 2^2b and 1, as words */
};

#define EIGHT(f, b, a)                                                                             \
    f(b, a, 0), f(b, a, 1), f(b, a, 2), f(b, a, 3), f(b, a, 4), f(b, a, 5), f(b, a, 6), f(b, a, 7)
#define ALL(f, b)                                                                                  \
    EIGHT(f, b, 0), EIGHT(f, b, 1), EIGHT(f, b, 2), EIGHT(f, b, 3), EIGHT(f, b, 4),                \
        EIGHT(f, b, 5), EIGHT(f, b, 6), EIGHT(f, b, 7)

/* Byte i of lane a; byte i of the eight from 8 a on. What has no meaning is 0. */
#define SPREAD(b, a, i) (uint8_t)((i) < (b) ? (a) * (b) + (b)-1 - (i) : 0)
#define GATHER(b, a, i) (uint8_t)((a) < (b) ? GATHER1(b, 8 * (a) + (i)) : 0)
#define GATHER1(b, i)   ((i) / (b)*8 + (b)-1 - (i) % (b))

#define SHAPE(b)                                                                                   \
    {                                                                                              \
        {ALL(SPREAD, b)}, {ALL(GATHER, b)}, (b)*UINT64_C(0x0001020304050607),                      \
            (UINT64_C(1) << 8 * (b)) - 1, 1 << 8 | 1 << (b), 1 << 16 | 1 << 2 * (b)                \
    }

static const struct shape shapes[7] = {
    [1] = SHAPE(1), [3] = SHAPE(3), [4] = SHAPE(4), [5] = SHAPE(5), [6] = SHAPE(6),
};

/* The lowest n bits, n <= 64. */
TARGET static inline __mmask64 lowest(size_t n)
{
    return _bzhi_u64(~UINT64_C(0), (unsigned)n);
}

/*
 * Stores the first n of 64 bytes; all of them where there is room. The processor hands what was
 * stored on to a load that follows, but not through a mask.
 */
TARGET static inline void store_last(void *at, size_t room, __m512i bytes, size_t n)
{
    if (room >= 64)
        _mm512_storeu_si512(at, bytes);
    else
        _mm512_mask_storeu_epi8(at, lowest(n), bytes);
}

/* ---- encoding ----------------------------------------------------------------------------- */

TARGET static inline __m512i to_digits(__m512i bytes, const struct shape *shape, __m512i alphabet)
{
    __m512i lanes = _mm512_permutexvar_epi8(_mm512_loadu_si512(shape->spread), bytes);
    __m512i shifts = _mm512_set1_epi64((long long)shape->shifts);
    return _mm512_permutexvar_epi8(_mm512_multishift_epi64_epi8(shifts, lanes), alphabet);
}

TARGET void cid__bits_encode_vbmi(char *out, size_t room, size_t digits, const uint8_t *in,
                                  size_t n, const struct cid__base *base)
{
    const struct shape *shape = &shapes[base->bits];
    const size_t step = 8u * base->bits;
    __m512i alphabet = _mm512_loadu_si512(base->digits);
    __m512i bytes;

    for (; n > step; n -= step, in += step, digits -= 64, out += 64, room -= 64) {
        bytes = _mm512_maskz_loadu_epi8(shape->bytes, in);
        _mm512_storeu_si512(out, to_digits(bytes, shape, alphabet));
    }
    bytes = _mm512_maskz_loadu_epi8(lowest(n), in);
    store_last(out, room, to_digits(bytes, shape, alphabet), digits);
}

/* ---- decoding ----------------------------------------------------------------------------- */

TARGET static inline __m512i to_bytes(__m512i digits, const struct shape *shape, unsigned bits)
{
    __m512i pairs = _mm512_maddubs_epi16(digits, _mm512_set1_epi16((short)shape->pair));
    __m512i quads = _mm512_madd_epi16(pairs, _mm512_set1_epi32((int)shape->quad));
    __m512i upper = _mm512_sllv_epi64(quads, _mm512_set1_epi64(4 * bits));
    __m512i lanes = _mm512_or_si512(upper, _mm512_srli_epi64(quads, 32));
    return _mm512_permutexvar_epi8(_mm512_loadu_si512(shape->gather), lanes);
}

/* The values of the digits that are there, 0 behind them; what is no digit adds a high bit to seen.
 */
TARGET static inline __m512i to_values(__m512i *seen, __m512i chars, __mmask64 there,
                                       const uint8_t *values)
{
    __m512i low = _mm512_loadu_si512(values), high = _mm512_loadu_si512(values + 64);
    __m512i digits = _mm512_maskz_permutex2var_epi8(there, low, chars, high);

    *seen = _mm512_or_si512(*seen, _mm512_or_si512(chars, digits));
    return digits;
}

/* The last step, n <= 64, in line so that bits, n and size may be known to the compiler. */
TARGET __attribute__((always_inline)) static inline bool decode_last(uint8_t *out, size_t room,
                                                                     size_t size, const char *text,
                                                                     size_t n, __m512i seen,
                                                                     const uint8_t *values,
                                                                     unsigned bits)
{
    const struct shape *shape = &shapes[bits];
    __mmask64 there = lowest(n);
    __m512i chars = _mm512_maskz_loadu_epi8(there, text);
    __m512i digits = to_values(&seen, chars, there, values);
    __m512i bytes = to_bytes(digits, shape, bits);

    store_last(out, room, bytes, size);
    return (_mm512_movepi8_mask(seen) |
            _mm512_mask_test_epi8_mask(shape->bytes & ~lowest(size), bytes, bytes)) == 0;
}

TARGET bool cid__bits_decode_vbmi(uint8_t *out, size_t room, size_t size, const char *text,
                                  size_t n, const struct cid__base *base)
{
    const struct shape *shape = &shapes[base->bits];
    const size_t step = 8u * base->bits;
    __m512i seen = _mm512_setzero_si512(); /* the highest bits: something was no digit */
    __m512i chars, digits;

    for (; n > 64; n -= 64, text += 64, size -= step, out += step, room -= step) {
        chars = _mm512_loadu_si512(text);
        digits = to_values(&seen, chars, ~UINT64_C(0), base->values);
        store_last(out, room, to_bytes(digits, shape, base->bits), step);
    }
    return decode_last(out, room, size, text, n, seen, base->values, base->bits);
}

TARGET bool cid__bits_decode_usual_vbmi(uint8_t *out, const char *text)
{
    const struct cid__base *base = &cid__bases[cid__base_of_prefix[CID_BASE32]];

    return decode_last(out, 64, 36, text, 58, _mm512_setzero_si512(), base->values, 5);
}

#endif
