#include "json/scan.h"

#include "base/arith.h"
#include "base/cpu.h"
#include "base/endian.h"
#include "base/prefetch.h"

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* How far ahead of what is marked memory is asked for: as much as a reader marks at once. */
#define AHEAD      2048

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))
#define HIGH       EACH(0x80)

/*
 * The high bit of each byte below n, of bytes below 0x80, n at most 0x80. Bytes above one that is
 * found may be found wrongly, by the borrow; so only the lowest counts.
 */
INLINE uint64_t below(uint64_t v, unsigned n)
{
    return (v - EACH(n)) & ~v & HIGH;
}

INLINE uint64_t stops_of(uint64_t v, bool ascii)
{
    uint64_t stops = below(v, 0x20) | below(v ^ EACH('"'), 1) | below(v ^ EACH('\\'), 1);

    return ascii ? stops | (v & HIGH) | below(v ^ EACH(0x7f), 1) : stops;
}

INLINE bool is_stop(uint8_t c, bool ascii)
{
    return c < 0x20 || c == '"' || c == '\\' || (ascii && c >= 0x7f);
}

/* The stops of the eight bytes from i on, which are copied unless out is NULL. */
INLINE uint64_t step_word(uint8_t *out, const uint8_t *at, size_t i, bool ascii)
{
    if (out)
        memcpy(out + i, at + i, 8);
    return stops_of(cid__load64le(at + i), ascii);
}

/* Four to seven bytes, as two halves of a word that overlap. */
INLINE size_t walk_halves(uint8_t *out, const uint8_t *at, size_t len, bool ascii)
{
    uint32_t first = cid__load32le(at), last = cid__load32le(at + len - 4);
    uint64_t stops = stops_of(first | (uint64_t)last << 32, ascii);
    size_t n = stops ? cid__lowest_bit(stops) / 8 : 8;

    if (out) {
        memcpy(out, at, 4);
        memcpy(out + len - 4, at + len - 4, 4);
    }
    return n < 4 ? n : len - 8 + n;
}

/*
 * Eight bytes at a time. What is left of a longer text is looked at together with what
 * is before it, once more.
 */
INLINE size_t walk_words(uint8_t *out, const uint8_t *at, size_t len, bool ascii)
{
    uint64_t stops = 0;
    size_t i = 0;

    for (; len - i >= 8; i += 8) {
        stops = step_word(out, at, i, ascii);
        if (stops)
            return i + cid__lowest_bit(stops) / 8;
    }
    if (i < len && len >= 8) {
        stops = step_word(out, at, len - 8, ascii);
        return stops ? len - 8 + cid__lowest_bit(stops) / 8 : len;
    }
    if (len >= 4 && len < 8)
        return walk_halves(out, at, len, ascii);
    for (; i < len && !is_stop(at[i], ascii); i++)
        if (out)
            out[i] = at[i];
    return i;
}

/* The high bit of each byte that is a stop, and of no other. */
INLINE uint64_t all_stops_of(uint64_t v)
{
    uint64_t control = (v & ~HIGH) + EACH(0x80 - 0x20);
    uint64_t quote = v ^ EACH('"'), backslash = v ^ EACH('\\');

    quote = ((quote & ~HIGH) + ~HIGH) | quote;
    backslash = ((backslash & ~HIGH) + ~HIGH) | backslash;
    return ~((control | v) & quote & backslash) & HIGH;
}

/* From i on, a multiple of 64. */
INLINE bool mark_words(uint8_t *stops, const uint8_t *at, size_t i, size_t len)
{
    uint64_t seen = 0;

    for (; i < len; i += 64) {
        uint64_t word = 0;
        size_t n = len - i < 64 ? len - i : 64, k = 0;
        for (; n - k >= 8; k += 8) {
            uint64_t v = cid__load64le(at + i + k);
            /* The multiplication gathers the lowest bits of eight bytes in the highest byte. */
            word |= (all_stops_of(v) >> 7) * UINT64_C(0x0102040810204080) >> 56 << k;
            seen |= v;
        }
        for (; k < n; k++) {
            word |= (uint64_t)is_stop(at[i + k], false) << k;
            seen |= at[i + k];
        }
        cid__store64le(stops + i / 8, word);
    }
    cid__store64le(stops + i / 8, 0);
    return seen & HIGH;
}

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define AVX2   __attribute__((target("avx2,bmi,bmi2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi,bmi2")))

/* ---- AVX2 -------------------------------------------------------------------------------- */

/* The bytes of a vector that are stops, a bit each. */
AVX2 INLINE uint32_t stops_avx2(__m256i v, bool ascii)
{
    __m256i stops = _mm256_or_si256(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('"')),
                                    _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\')));

    if (ascii) /* signed: 0x80 and above count as below 0x20 */
        stops =
            _mm256_or_si256(stops, _mm256_or_si256(_mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), v),
                                                   _mm256_cmpeq_epi8(v, _mm256_set1_epi8(0x7f))));
    else
        stops = _mm256_or_si256(stops,
                                _mm256_cmpeq_epi8(_mm256_min_epu8(v, _mm256_set1_epi8(0x1f)), v));
    return (uint32_t)_mm256_movemask_epi8(stops);
}

/* The stops of the 32 bytes from i on, which are copied unless out is NULL. */
AVX2 INLINE uint32_t step_avx2(uint8_t *out, const uint8_t *at, size_t i, bool ascii)
{
    __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(at + i));

    if (out)
        _mm256_storeu_si256((__m256i *)(void *)(out + i), v);
    return stops_avx2(v, ascii);
}

/* 16 to 31 bytes, as two halves of a vector that overlap. */
AVX2 INLINE size_t walk_halves_avx2(uint8_t *out, const uint8_t *at, size_t len, bool ascii)
{
    __m128i first = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i last = _mm_loadu_si128((const __m128i *)(const void *)(at + len - 16));
    size_t n = _tzcnt_u32(stops_avx2(_mm256_set_m128i(last, first), ascii));

    if (out) {
        _mm_storeu_si128((__m128i *)(void *)out, first);
        _mm_storeu_si128((__m128i *)(void *)(out + len - 16), last);
    }
    return n < 16 ? n : len - 32 + n;
}

/* As walk_words. */
AVX2 INLINE size_t walk_avx2(uint8_t *out, const uint8_t *at, size_t len, bool ascii)
{
    uint32_t stops = 0;
    size_t i = 0;

    if (len < 32)
        return len < 16 ? walk_words(out, at, len, ascii) : walk_halves_avx2(out, at, len, ascii);
    for (; len - i >= 32; i += 32) {
        stops = step_avx2(out, at, i, ascii);
        if (stops)
            return i + (size_t)__builtin_ctz(stops);
    }
    if (i == len)
        return len;
    stops = step_avx2(out, at, len - 32, ascii);
    return stops ? len - 32 + (size_t)__builtin_ctz(stops) : len;
}

AVX2 static size_t scan_avx2(const uint8_t *at, size_t len)
{
    return walk_avx2(NULL, at, len, false);
}

AVX2 static size_t copy_avx2(uint8_t *out, const uint8_t *at, size_t len)
{
    return walk_avx2(out, at, len, false);
}

AVX2 static size_t copy_ascii_avx2(uint8_t *out, const uint8_t *at, size_t len)
{
    return walk_avx2(out, at, len, true);
}

AVX2 static bool mark_avx2(uint8_t *stops, const uint8_t *at, size_t len)
{
    __m256i seen = _mm256_setzero_si256();
    size_t i = 0;

    for (; len - i >= 64; i += 64) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(at + i));
        __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(at + i + 32));
        cid__prefetch(at + i + AHEAD);
        cid__store64le(stops + i / 8, stops_avx2(a, false) | (uint64_t)stops_avx2(b, false) << 32);
        seen = _mm256_or_si256(seen, _mm256_or_si256(a, b));
    }
    return mark_words(stops, at, i, len) || _mm256_movemask_epi8(seen);
}

/* ---- AVX-512 ----------------------------------------------------------------------------- */

/*
 * What the shuffle below gives for the low four bits of a byte: the one stop among those from 0x20
 * to 0x7f that has them, else something that no byte with them is.
 */
static const uint8_t special[16] = {1, 0, '"', 0, 0, 0, 0, 0, 0, 0, 0, 0, '\\', 0, 0, 0};
static const uint8_t special_ascii[16] = {1, 0, '"', 0, 0, 0, 0, 0, 0, 0, 0, 0, '\\', 0, 0, 0x7f};

AVX512 INLINE uint64_t stops_avx512(__m512i v, bool ascii)
{
    const __m128i *row = (const __m128i *)(const void *)(ascii ? special_ascii : special);
    __m512i like = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_loadu_si128(row)), v);
    __m512i space = _mm512_set1_epi8(0x20);
    /* signed: 0x80 and above count as below 0x20 */
    __mmask64 plain = ascii ? _mm512_cmpge_epi8_mask(v, space) : _mm512_cmpge_epu8_mask(v, space);

    return ~_mm512_mask_cmpneq_epi8_mask(plain, v, like);
}

/*
 * Up to 64 bytes. Masked loads and stores do not touch what is masked out; that is loaded as 0,
 * which is a stop, so that the length needs no test.
 */
AVX512 INLINE size_t walk_vector(uint8_t *out, const uint8_t *at, size_t len, bool ascii)
{
    __mmask64 there = _bzhi_u64(UINT64_MAX, (unsigned)len);
    __m512i v = _mm512_maskz_loadu_epi8(there, at);

    if (out)
        _mm512_mask_storeu_epi8(out, there, v);
    return _tzcnt_u64(stops_avx512(v, ascii));
}

AVX512 INLINE size_t walk_avx512(uint8_t *out, const uint8_t *at, size_t len, bool ascii)
{
    size_t i = 0;

    for (; len - i > 64; i += 64) {
        __m512i v = _mm512_loadu_si512((const void *)(at + i));
        uint64_t stops = stops_avx512(v, ascii);
        if (out)
            _mm512_storeu_si512((void *)(out + i), v);
        if (stops)
            return i + _tzcnt_u64(stops);
    }
    return i + walk_vector(out ? out + i : NULL, at + i, len - i, ascii);
}

AVX512 static size_t scan_avx512(const uint8_t *at, size_t len)
{
    return walk_avx512(NULL, at, len, false);
}

AVX512 static size_t copy_avx512(uint8_t *out, const uint8_t *at, size_t len)
{
    return walk_avx512(out, at, len, false);
}

AVX512 static size_t copy_ascii_avx512(uint8_t *out, const uint8_t *at, size_t len)
{
    return walk_avx512(out, at, len, true);
}

AVX512 static bool mark_avx512(uint8_t *stops, const uint8_t *at, size_t len)
{
    __m512i seen = _mm512_setzero_si512(), v;
    size_t i = 0;

    for (; len - i >= 64; i += 64) {
        v = _mm512_loadu_si512((const void *)(at + i));
        cid__prefetch(at + i + AHEAD);
        cid__store64le(stops + i / 8, stops_avx512(v, false));
        seen = _mm512_or_si512(seen, v);
    }
    if (i < len) {
        __mmask64 there = _bzhi_u64(UINT64_MAX, (unsigned)(len - i));
        v = _mm512_maskz_loadu_epi8(there, at + i);
        cid__store64le(stops + i / 8, stops_avx512(v, false) & there);
        seen = _mm512_or_si512(seen, v);
        i += 64;
    }
    cid__store64le(stops + i / 8, 0);
    return _mm512_movepi8_mask(seen) != 0;
}

/* ---- which of them ----------------------------------------------------------------------- */

size_t cid__json_scan(const uint8_t *at, size_t len)
{
    uint32_t cpu = cid__cpu();

    if (cpu & CID__CPU_AVX512)
        return scan_avx512(at, len);
    if (cpu & CID__CPU_AVX2)
        return scan_avx2(at, len);
    return walk_words(NULL, at, len, false);
}

size_t cid__json_copy(uint8_t *out, const uint8_t *at, size_t len)
{
    uint32_t cpu = cid__cpu();

    if (cpu & CID__CPU_AVX512)
        return copy_avx512(out, at, len);
    if (cpu & CID__CPU_AVX2)
        return copy_avx2(out, at, len);
    return walk_words(out, at, len, false);
}

size_t cid__json_copy_ascii(uint8_t *out, const uint8_t *at, size_t len)
{
    uint32_t cpu = cid__cpu();

    if (cpu & CID__CPU_AVX512)
        return copy_ascii_avx512(out, at, len);
    if (cpu & CID__CPU_AVX2)
        return copy_ascii_avx2(out, at, len);
    return walk_words(out, at, len, true);
}

bool cid__json_mark(uint8_t *stops, const uint8_t *at, size_t len)
{
    uint32_t cpu = cid__cpu();

    if (cpu & CID__CPU_AVX512)
        return mark_avx512(stops, at, len);
    if (cpu & CID__CPU_AVX2)
        return mark_avx2(stops, at, len);
    return mark_words(stops, at, 0, len);
}

#else

size_t cid__json_scan(const uint8_t *at, size_t len)
{
    return walk_words(NULL, at, len, false);
}

size_t cid__json_copy(uint8_t *out, const uint8_t *at, size_t len)
{
    return walk_words(out, at, len, false);
}

size_t cid__json_copy_ascii(uint8_t *out, const uint8_t *at, size_t len)
{
    return walk_words(out, at, len, true);
}

bool cid__json_mark(uint8_t *stops, const uint8_t *at, size_t len)
{
    return mark_words(stops, at, 0, len);
}

#endif
