/*
 * Short numbers in radix 36 and 58 with AVX-512 VBMI. P is radix^5.
 *
 * Encoding: the number as words of 32 bits, times the matrix of the digits of 2^(32 i) in radix P,
 * gives 16 columns below 2^64, in two registers. Carrying from column to column would be one long
 * chain; instead, all columns are divided at once, by a quotient that is a little too small, and
 * the quotients are added one column further up. After two such steps what is above P is so little
 * that it is carried on only once in a million numbers, by a loop. Each column is then five digits.
 *
 * Decoding: digits are joined in pairs, fours and eights; those are multiplied by the words of
 * radix^(8 i) and added up.
 */
#include "multiformats/numbers.h"

#if CID__BITS_X86

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi,bmi2")))
/* radix is a constant in all of these. */
#define INLINE TARGET static inline __attribute__((always_inline))

INLINE __mmask64 lowest(size_t n)
{
    return _bzhi_u64(~UINT64_C(0), (unsigned)n);
}

INLINE __m512i lanes_plus(size_t n)
{
    static const uint8_t lanes[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    };
    return _mm512_add_epi8(_mm512_loadu_si512(lanes), _mm512_set1_epi8((char)n));
}

INLINE __m512i all64(uint64_t value)
{
    return _mm512_set1_epi64((long long)value);
}

/* ---- encoding ----------------------------------------------------------------------------- */

/* 16 columns of 64 bits, lowest first. */
struct columns {
    __m512i low, high;
};

INLINE uint64_t power5(unsigned radix)
{
    return (uint64_t)radix * radix * radix * radix * radix;
}

/* P is at least 2^log. */
INLINE unsigned log_of(unsigned radix)
{
    return radix == 58 ? 29 : 25;
}

INLINE struct columns multiply(const uint32_t *words, size_t count, const uint32_t (*rows)[16])
{
    struct columns sum = {_mm512_setzero_si512(), _mm512_setzero_si512()};

    for (size_t i = 0; i < count; i++) {
        __m512i word = _mm512_set1_epi32((int)words[i]);
        const __m256i *row = (const __m256i *)(const void *)rows[i];
        __m512i low = _mm512_cvtepu32_epi64(_mm256_loadu_si256(row));
        __m512i high = _mm512_cvtepu32_epi64(_mm256_loadu_si256(row + 1));
        sum.low = _mm512_add_epi64(sum.low, _mm512_mul_epu32(word, low));
        sum.high = _mm512_add_epi64(sum.high, _mm512_mul_epu32(word, high));
    }
    return sum;
}

/* rest + quotients, these one column further up. */
INLINE struct columns carry(struct columns rest, struct columns quotients)
{
    __m512i low = _mm512_alignr_epi64(quotients.low, _mm512_setzero_si512(), 7);
    __m512i high = _mm512_alignr_epi64(quotients.high, quotients.low, 7);
    return (struct columns){_mm512_add_epi64(rest.low, low), _mm512_add_epi64(rest.high, high)};
}

/* x / P, at most 2^(33 - log) + 2 too small. */
INLINE __m512i divide(__m512i x, unsigned radix)
{
    const unsigned log = log_of(radix);
    __m512i inverse = all64((UINT64_C(1) << (32 + log)) / power5(radix));
    return _mm512_srli_epi64(_mm512_mul_epu32(_mm512_srli_epi64(x, 32), inverse), log);
}

/* The same for x < 2^36, at most 1 too small. */
INLINE __m512i divide_small(__m512i x, unsigned radix)
{
    const unsigned log = log_of(radix);
    __m512i inverse = all64((UINT64_C(1) << (32 + log)) / power5(radix));
    return _mm512_srli_epi64(_mm512_mul_epu32(_mm512_srli_epi64(x, 4), inverse), log + 28);
}

INLINE struct columns carry_all(struct columns sum, unsigned radix)
{
    const __m512i p = all64(power5(radix)), one = all64(1);
    struct columns q = {divide(sum.low, radix), divide(sum.high, radix)};
    unsigned over;

    sum.low = _mm512_sub_epi64(sum.low, _mm512_mullo_epi64(q.low, p));
    sum.high = _mm512_sub_epi64(sum.high, _mm512_mullo_epi64(q.high, p));
    sum = carry(sum, q); /* below 2^36 */
    q = (struct columns){divide_small(sum.low, radix), divide_small(sum.high, radix)};
    sum.low = _mm512_sub_epi64(sum.low, _mm512_mul_epu32(q.low, p));
    sum.high = _mm512_sub_epi64(sum.high, _mm512_mul_epu32(q.high, p));
    sum = carry(sum, q); /* below 2 P + 2^11 */
    for (;;) {
        __mmask8 low = _mm512_cmpge_epu64_mask(sum.low, p);
        __mmask8 high = _mm512_cmpge_epu64_mask(sum.high, p);
        over = (unsigned)low | (unsigned)high << 8;
        if (!over)
            return sum;
        sum.low = _mm512_mask_sub_epi64(sum.low, low, sum.low, p);
        sum.high = _mm512_mask_sub_epi64(sum.high, high, sum.high, p);
        sum.low = _mm512_mask_add_epi64(sum.low, (__mmask8)(over << 1), sum.low, one);
        sum.high = _mm512_mask_add_epi64(sum.high, (__mmask8)(over >> 7), sum.high, one);
    }
}

/* x / n for x below radix^5 or less, n > 16. */
INLINE __m512i divide_by(__m512i x, uint64_t n)
{
    __m512i inverse = all64(((UINT64_C(1) << 37) + n - 1) / n);
    return _mm512_srli_epi64(_mm512_mul_epu32(x, inverse), 37);
}

/* A column below P as five digits, the highest in the lowest byte. */
INLINE __m512i five_digits(__m512i x, unsigned radix)
{
    const unsigned square = radix * radix;
    __m512i four = divide_by(x, radix);
    __m512i two = divide_by(four, square);
    __m512i last = _mm512_sub_epi64(x, _mm512_mul_epu32(four, all64(radix)));
    __m512i pairs, upper, lower;

    four = _mm512_sub_epi64(four, _mm512_mul_epu32(two, all64(square)));
    pairs = _mm512_or_si512(two, _mm512_slli_epi64(four, 16));
    upper = _mm512_mulhi_epu16(pairs, _mm512_set1_epi16((short)(65536 / radix + 1)));
    lower = _mm512_sub_epi16(pairs, _mm512_mullo_epi16(upper, _mm512_set1_epi16((short)radix)));
    upper = _mm512_or_si512(upper, _mm512_slli_epi16(lower, 8));
    return _mm512_or_si512(upper, _mm512_slli_epi64(last, 32));
}

/* All digits, the last one in the last byte. */
INLINE __m512i in_order(struct columns digits)
{
    static const uint8_t order[64] = {
        97, 98, 99, 100, 88, 89, 90, 91, 92, 80, 81, 82, 83, 84, 72, 73, 74, 75, 76, 64, 65, 66,
        67, 68, 56, 57,  58, 59, 60, 48, 49, 50, 51, 52, 40, 41, 42, 43, 44, 32, 33, 34, 35, 36,
        24, 25, 26, 27,  28, 16, 17, 18, 19, 20, 8,  9,  10, 11, 12, 0,  1,  2,  3,  4,
    };
    return _mm512_permutex2var_epi8(digits.low, _mm512_loadu_si512(order), digits.high);
}

INLINE size_t encode(char *out, size_t room, const uint8_t *in, size_t n, unsigned radix,
                     const struct cid__base *base)
{
    __m512i bytes = _mm512_maskz_loadu_epi8(lowest(n), in);
    size_t zeros = _tzcnt_u64(_mm512_test_epi8_mask(bytes, bytes) | UINT64_C(1) << n);
    __m512i turned = _mm512_sub_epi8(_mm512_set1_epi8((char)(n - 1)), lanes_plus(0));
    uint32_t words[16];
    struct columns columns;
    __m512i digits;
    size_t total;

    _mm512_storeu_si512(words, _mm512_maskz_permutexvar_epi8(lowest(n), turned, bytes));
    columns = carry_all(multiply(words, (n + 3) / 4, base->number->rows), radix);
    columns.low = five_digits(columns.low, radix);
    columns.high = five_digits(columns.high, radix);
    digits = in_order(columns);
    total = zeros + 64 - _tzcnt_u64(_mm512_test_epi8_mask(digits, digits));
    if (total > room)
        return total;
    digits = _mm512_permutexvar_epi8(lanes_plus(64 - total), digits);
    digits = _mm512_permutexvar_epi8(digits, _mm512_loadu_si512(base->digits));
    if (room >= 64)
        _mm512_storeu_si512(out, digits);
    else
        _mm512_mask_storeu_epi8(out, lowest(total), digits);
    return total;
}

TARGET size_t cid__number_encode_vbmi(char *out, size_t room, const uint8_t *in, size_t n,
                                      const struct cid__base *base)
{
    if (base->number->radix == 58)
        return encode(out, room, in, n, 58, base);
    return encode(out, room, in, n, 36, base);
}

/* ---- decoding ----------------------------------------------------------------------------- */

__extension__ typedef unsigned __int128 wide;

/* Eights, the lowest last, as words, the lowest first. Their products are below 2^111. */
INLINE void add_up(uint64_t words[5], const uint64_t eights[8], const uint64_t (*powers)[5],
                   unsigned radix)
{
    const unsigned log = radix == 58 ? 47 : 42; /* an eight is below 2^log */
    wide sum = 0, carried = 0;

#pragma GCC unroll 8
    for (unsigned word = 0; word < 5; word++) {
        sum = carried;
#pragma GCC unroll 8
        for (unsigned i = 0; i < 8; i++)
            if (i * log + 1 > 64 * word || word == 0)
                sum += (wide)eights[7 - i] * powers[i][word];
        words[word] = (uint64_t)sum;
        carried = sum >> 64;
    }
}

INLINE __m512i join(__m512i digits, unsigned radix)
{
    const unsigned square = radix * radix;
    __m512i pairs = _mm512_maddubs_epi16(digits, _mm512_set1_epi16((short)(1 << 8 | radix)));
    __m512i fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32((int)(1 << 16 | square)));
    __m512i upper = _mm512_mul_epu32(fours, all64((uint64_t)square * square));
    return _mm512_add_epi64(upper, _mm512_srli_epi64(fours, 32));
}

INLINE bool decode(uint8_t *out, size_t cap, size_t *written, const char *text, size_t n,
                   unsigned radix, const struct cid__base *base)
{
    __m512i chars = _mm512_maskz_loadu_epi8(lowest(n), text);
    __m512i digits = _mm512_maskz_permutex2var_epi8(lowest(n), _mm512_loadu_si512(base->values),
                                                    chars, _mm512_loadu_si512(base->values + 64));
    size_t zeros = _tzcnt_u64(_mm512_test_epi8_mask(digits, digits) | UINT64_C(1) << n);
    uint64_t eights[8], words[5];
    size_t count = 5, size;

    if (_mm512_movepi8_mask(_mm512_or_si512(chars, digits)))
        return false;
    /* the last digit into the last lane */
    digits = _mm512_maskz_permutexvar_epi8(~lowest(64 - n), lanes_plus(n), digits);
    _mm512_storeu_si512(eights, join(digits, radix));
    add_up(words, eights, base->number->eights, radix);
    while (count > 0 && words[count - 1] == 0)
        count--;
    size = count == 0 ? 0 : (count - 1) * 8 + cid__bytes_in(words[count - 1]);
    *written = zeros + size;
    if (zeros + size > cap)
        return false;
    for (size_t i = 0; i < zeros; i++)
        out[i] = 0;
    if (size > 0)
        cid__put_words(out + zeros, size, words);
    return true;
}

TARGET bool cid__number_decode_vbmi(uint8_t *out, size_t cap, size_t *written, const char *text,
                                    size_t n, const struct cid__base *base)
{
    if (base->number->radix == 58)
        return decode(out, cap, written, text, n, 58, base);
    return decode(out, cap, written, text, n, 36, base);
}

#endif
