/*
 * Bases 16, 32 and 64 with AVX2: 32 digits of b bits, 4 b bytes, a step; half of each to a lane of
 * 128 bits, as two groups of 8 digits and b bytes.
 *
 * Encoding: vpshufb lays the bytes of a group, last one first, into 64 bits; three times these are
 * split in halves, so that every digit has a byte; vpshufb puts the highest first and looks all up
 * in the alphabet, 16 characters at a time. Decoding is the reverse. Its table has 16 characters
 * for each upper half of a byte that occurs in the alphabet: what is not in any of them is no
 * digit.
 *
 * A last step that is not full is loaded as the last 16 bytes of the input, moved to their place,
 * and stored piece by piece.
 */
#include "multiformats/bits.h"

#if CID__BITS_X86

#include "base/endian.h"

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2")))
/* bits is a constant in all of these, and most of what hangs on it too. */
#define INLINE TARGET static inline __attribute__((always_inline))

/* ---- the ends of strings ------------------------------------------------------------------ */

INLINE __m128i load16(const void *at)
{
    return _mm_loadu_si128(at);
}

INLINE void store16(void *at, __m128i bytes)
{
    _mm_storeu_si128(at, bytes);
}

/* The n bytes at `at`, up to 16 of them, and `fill` behind; 16 bytes or more end at at + n. */
INLINE __m128i load_last(const uint8_t *at, size_t n, uint8_t fill)
{
    static const int8_t slide[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                     11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1,
                                     -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    __m128i from, missing;

    if (n >= 16)
        return load16(at);
    from = load16(slide + 16 - n);
    missing = _mm_and_si128(_mm_cmplt_epi8(from, _mm_setzero_si128()), _mm_set1_epi8((char)fill));
    return _mm_or_si128(_mm_shuffle_epi8(load16(at + n - 16), from), missing);
}

/* Two lanes; the second has what is there from `half` on. */
INLINE __m256i load_lanes(const uint8_t *at, size_t n, size_t half, uint8_t fill)
{
    size_t first = n < half ? n : half;

    if (n >= half + 16)
        return _mm256_set_m128i(load16(at + half), load16(at));
    return _mm256_set_m128i(load_last(at + first, n - first, fill), load_last(at, n, fill));
}

/* Stores the first n of 16 bytes. */
INLINE void store_some(uint8_t *at, __m128i bytes, size_t n)
{
    uint64_t word;

    if (n >= 16) {
        store16(at, bytes);
        return;
    }
    word = (uint64_t)_mm_cvtsi128_si64(bytes);
    if (n & 8) {
        cid__store64le(at, word);
        at += 8;
        word = (uint64_t)_mm_extract_epi64(bytes, 1);
    }
    if (n & 4) {
        cid__store32le(at, (uint32_t)word);
        at += 4;
        word >>= 32;
    }
    for (n &= 3; n > 0; n--, word >>= 8)
        *at++ = (uint8_t)word;
}

/* Stores the first n of 32 bytes; more of them where there is room for all. */
INLINE void store_last(uint8_t *at, size_t room, __m128i first, __m128i second, size_t n)
{
    if (room >= 32) {
        store16(at, first);
        store16(at + 16, second);
        return;
    }
    store_some(at, first, n);
    if (n > 16)
        store_some(at + 16, second, n - 16);
}

/* ---- encoding ----------------------------------------------------------------------------- */

#define Z 0x80 /* vpshufb writes a zero */

static const uint8_t spread[3][16] = {
    {3, 2, 1, 0, Z, Z, Z, Z, 7, 6, 5, 4, Z, Z, Z, Z},
    {4, 3, 2, 1, 0, Z, Z, Z, 9, 8, 7, 6, 5, Z, Z, Z},
    {5, 4, 3, 2, 1, 0, Z, Z, 11, 10, 9, 8, 7, 6, Z, Z},
};

INLINE __m256i both(const void *at)
{
    return _mm256_broadcastsi128_si256(load16(at));
}

/* The digits of two groups a lane, each in its byte. */
INLINE __m256i split(__m256i bytes, unsigned bits)
{
    __m256i x = _mm256_shuffle_epi8(bytes, both(spread[bits - 4]));
    __m256i halves = _mm256_set1_epi64x((1 << 4 * bits) - 1);
    __m256i quads = _mm256_set1_epi32((1 << 2 * bits) - 1);
    __m256i pairs = _mm256_set1_epi16((short)((1 << bits) - 1));

    x = _mm256_or_si256(_mm256_srli_epi64(x, (int)(4 * bits)),
                        _mm256_slli_epi64(_mm256_and_si256(x, halves), 32));
    x = _mm256_or_si256(_mm256_srli_epi32(x, (int)(2 * bits)),
                        _mm256_slli_epi32(_mm256_and_si256(x, quads), 16));
    return _mm256_or_si256(_mm256_srli_epi16(x, (int)bits),
                           _mm256_slli_epi16(_mm256_and_si256(x, pairs), 8));
}

INLINE __m256i choose(__m256i zero, __m256i one, __m256i digits, int bit)
{
    return _mm256_blendv_epi8(zero, one, _mm256_slli_epi16(digits, 7 - bit));
}

INLINE __m256i to_chars(__m256i digits, unsigned bits, const __m256i *alphabet)
{
    __m256i low, high;

    low = _mm256_shuffle_epi8(alphabet[0], digits);
    if (bits == 4)
        return low;
    low = choose(low, _mm256_shuffle_epi8(alphabet[1], digits), digits, 4);
    if (bits == 5)
        return low;
    high = choose(_mm256_shuffle_epi8(alphabet[2], digits),
                  _mm256_shuffle_epi8(alphabet[3], digits), digits, 4);
    return choose(low, high, digits, 5);
}

INLINE void encode(char *out, size_t room, size_t digits, const uint8_t *in, size_t n,
                   unsigned bits, const char *alphabet)
{
    __m256i tables[4];
    __m256i chars;

    for (unsigned i = 0; i < 1u << (bits - 4); i++)
        tables[i] = both(alphabet + 16 * i);
    for (;; in += 4 * bits, n -= 4 * bits, out += 32, room -= 32, digits -= 32) {
        chars = to_chars(split(load_lanes(in, n, 2 * bits, 0), bits), bits, tables);
        if (digits <= 32)
            break;
        _mm256_storeu_si256((__m256i *)(void *)out, chars);
    }
    store_last((uint8_t *)out, room, _mm256_castsi256_si128(chars),
               _mm256_extracti128_si256(chars, 1), digits);
}

TARGET void cid__bits_encode_avx2(char *out, size_t room, size_t digits, const uint8_t *in,
                                  size_t n, const struct cid__base *base)
{
    if (base->bits == 4)
        encode(out, room, digits, in, n, 4, base->digits);
    else if (base->bits == 5)
        encode(out, room, digits, in, n, 5, base->digits);
    else
        encode(out, room, digits, in, n, 6, base->digits);
}

/* ---- decoding ----------------------------------------------------------------------------- */

static const uint8_t gather[3][16] = {
    {3, 2, 1, 0, 11, 10, 9, 8, Z, Z, Z, Z, Z, Z, Z, Z},
    {4, 3, 2, 1, 0, 12, 11, 10, 9, 8, Z, Z, Z, Z, Z, Z},
    {5, 4, 3, 2, 1, 0, 13, 12, 11, 10, 9, 8, Z, Z, Z, Z},
};

/* The upper halves of the bytes that are digits, as a mask. */
INLINE unsigned rows_of(unsigned bits)
{
    return bits == 4 ? 1u << 3 | 1u << 4 | 1u << 6 : bits == 5 ? 0xf8 : 0xfc;
}

/* A row of values is kept inverted, so that what is in no row comes out as no digit. */
INLINE void load_rows(__m256i *rows, unsigned bits, const uint8_t *values)
{
    for (unsigned i = 2; i < 8; i++)
        if (rows_of(bits) >> i & 1)
            rows[i] = _mm256_xor_si256(both(values + 16 * i), _mm256_set1_epi8(-1));
}

/*
 * Characters to digits, or 0xff. vpshufb looks up by the lower half of a byte and gives 0 where the
 * highest bit is set: after the exclusive or and the sum it is, outside of the row.
 */
INLINE __m256i to_digits(__m256i chars, unsigned bits, const __m256i *rows)
{
    __m256i inverted = _mm256_setzero_si256();

    for (unsigned i = 2; i < 8; i++) {
        __m256i at;
        if (!(rows_of(bits) >> i & 1))
            continue;
        at = _mm256_xor_si256(chars, _mm256_set1_epi8((char)(16 * i)));
        at = _mm256_adds_epu8(at, _mm256_set1_epi8(0x70));
        inverted = _mm256_or_si256(inverted, _mm256_shuffle_epi8(rows[i], at));
    }
    return _mm256_xor_si256(inverted, _mm256_set1_epi8(-1));
}

/* 2 bits bytes at the start of each lane, and zeros. */
INLINE __m256i join(__m256i digits, unsigned bits)
{
    __m256i x = _mm256_maddubs_epi16(digits, _mm256_set1_epi16((short)(1 << 8 | 1 << bits)));
    x = _mm256_madd_epi16(x, _mm256_set1_epi32(1 << 16 | 1 << 2 * bits));
    x = _mm256_or_si256(_mm256_slli_epi64(x, (int)(4 * bits)), _mm256_srli_epi64(x, 32));
    return _mm256_shuffle_epi8(x, both(gather[bits - 4]));
}

/* What of a lane goes behind the 2 bits bytes of the one before, in the same 16 bytes. */
INLINE __m128i behind(__m128i lane, unsigned bits)
{
    return bits == 4   ? _mm_slli_si128(lane, 8)
           : bits == 5 ? _mm_slli_si128(lane, 10)
                       : _mm_slli_si128(lane, 12);
}

/* What of it goes into the next 16 bytes. */
INLINE __m128i rest(__m128i lane, unsigned bits)
{
    return bits == 4   ? _mm_srli_si128(lane, 8)
           : bits == 5 ? _mm_srli_si128(lane, 6)
                       : _mm_srli_si128(lane, 4);
}

INLINE bool decode(uint8_t *out, size_t room, size_t size, const uint8_t *text, size_t n,
                   unsigned bits, const struct cid__base *base)
{
    const unsigned spare = (1u << n % 8 * bits % 8) - 1;
    const uint8_t last = base->values[text[n - 1]];
    __m256i seen = _mm256_setzero_si256(); /* has a highest bit where something was no digit */
    __m256i rows[8], digits, bytes;
    __m128i first, second;

    load_rows(rows, bits, base->values);
    for (;; text += 32, n -= 32, out += 4 * bits, room -= 4 * bits, size -= 4 * bits) {
        digits = to_digits(load_lanes(text, n, 16, (uint8_t)base->digits[0]), bits, rows);
        seen = _mm256_or_si256(seen, digits);
        bytes = join(digits, bits);
        second = _mm256_extracti128_si256(bytes, 1);
        first = _mm_or_si128(_mm256_castsi256_si128(bytes), behind(second, bits));
        second = rest(second, bits);
        if (n <= 32)
            break;
        store_last(out, room, first, second, 4 * bits);
    }
    store_last(out, room, first, second, size);
    return _mm256_movemask_epi8(seen) == 0 && (last & spare) == 0;
}

TARGET bool cid__bits_decode_avx2(uint8_t *out, size_t room, size_t size, const char *text,
                                  size_t n, const struct cid__base *base)
{
    const uint8_t *in = (const uint8_t *)text;

    if (base->bits == 4)
        return decode(out, room, size, in, n, 4, base);
    if (base->bits == 5)
        return decode(out, room, size, in, n, 5, base);
    return decode(out, room, size, in, n, 6, base);
}

#endif
