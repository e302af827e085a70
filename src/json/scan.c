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
#define AHEAD      4096

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
    /* Of bytes below 0x80 a sum has the high bit unless the byte is a stop; others are none. */
    uint64_t low = v & ~HIGH, control = low + EACH(0x80 - 0x20);
    uint64_t quote = (low ^ EACH('"')) + ~HIGH, backslash = (low ^ EACH('\\')) + ~HIGH;

    return ~((control & quote & backslash) | v) & HIGH;
}

/* The stops of n bytes, at most 64, a bit each; *seen gathers what is in them. */
INLINE uint64_t stops_words(const uint8_t *at, size_t n, uint64_t *seen)
{
    uint64_t word = 0;
    size_t k = 0;

    for (; n - k >= 8; k += 8) {
        uint64_t v = cid__load64le(at + k);
        /* The multiplication gathers the lowest bits of eight bytes in the highest byte. */
        word |= (all_stops_of(v) >> 7) * UINT64_C(0x0102040810204080) >> 56 << k;
        *seen |= v;
    }
    for (; k < n; k++) {
        word |= (uint64_t)is_stop(at[k], false) << k;
        *seen |= at[k];
    }
    return word;
}

/* The stops of 64 bytes as marks; returns how many. */
INLINE size_t put_marks(uint16_t *marks, uint64_t stops, size_t i)
{
    size_t n = 0;

    for (; stops; stops &= stops - 1)
        marks[n++] = (uint16_t)(i + cid__lowest_bit(stops));
    return n;
}

/* Goes on with what is marked already. */
INLINE struct cid__marked mark_words(uint16_t *marks, size_t room, struct cid__marked done,
                                     const uint8_t *at, size_t len)
{
    uint64_t seen = 0;

    while (done.len < len && room - done.count >= CID__JSON_BLOCK) {
        size_t n = len - done.len < 64 ? len - done.len : 64;
        uint64_t stops = stops_words(at + done.len, n, &seen);
        done.count += put_marks(marks + done.count, stops, done.len);
        done.len += n;
    }
    done.high |= (seen & HIGH) != 0;
    return done;
}

uint64_t cid__json_high(const uint8_t *at, size_t len)
{
    uint64_t high = 0;

    for (size_t i = 0; i < len; i += CID__JSON_BLOCK) {
        size_t n = len - i < CID__JSON_BLOCK ? len - i : CID__JSON_BLOCK, k = 0;
        uint64_t seen = 0;
        for (; n - k >= 8; k += 8)
            seen |= cid__load64le(at + i + k);
        for (; k < n; k++)
            seen |= at[i + k];
        high |= (uint64_t)((seen & HIGH) != 0) << i / CID__JSON_BLOCK;
    }
    return high;
}

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define AVX2   __attribute__((target("avx2,bmi,bmi2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi,bmi2")))
#define VBMI2                                                                                      \
    __attribute__((target("avx512vbmi2,avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi,bmi2")))

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

/*
 * As put_marks. The first eight are put down whether there are as many or not: there are seldom
 * more, and just how many cannot be foretold. Four go in one store, which keeps compilers from
 * gathering them in a vector.
 */
AVX2 INLINE size_t put_marks_bmi(uint16_t *marks, uint64_t stops, size_t i)
{
    size_t n = (size_t)_mm_popcnt_u64(stops);

    for (size_t k = 0; k < 8; k += 4) {
        uint64_t four = i * UINT64_C(0x0001000100010001);
        for (unsigned shift = 0; shift < 64; shift += 16, stops = _blsr_u64(stops))
            four += _tzcnt_u64(stops) << shift;
        memcpy(marks + k, &four, sizeof four);
    }
    for (size_t k = 8; k < n; k++, stops = _blsr_u64(stops))
        marks[k] = (uint16_t)(i + _tzcnt_u64(stops));
    return n;
}

AVX2 static struct cid__marked mark_avx2(uint16_t *marks, size_t room, const uint8_t *at,
                                         size_t len)
{
    __m256i seen = _mm256_setzero_si256();
    struct cid__marked done = {0, 0, false};

    while (len - done.len >= 64 && room - done.count >= CID__JSON_BLOCK) {
        const uint8_t *from = at + done.len;
        __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)from);
        __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(from + 32));
        uint64_t stops = stops_avx2(a, false) | (uint64_t)stops_avx2(b, false) << 32;
        cid__prefetch(from + AHEAD);
        done.count += put_marks_bmi(marks + done.count, stops, done.len);
        seen = _mm256_or_si256(seen, _mm256_or_si256(a, b));
        done.len += 64;
    }
    done.high = _mm256_movemask_epi8(seen) != 0;
    return mark_words(marks, room, done, at, len);
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

AVX512 static struct cid__marked mark_avx512(uint16_t *marks, size_t room, const uint8_t *at,
                                             size_t len)
{
    __m512i seen = _mm512_setzero_si512(), v;
    struct cid__marked done = {0, 0, false};

    while (len - done.len >= 64 && room - done.count >= CID__JSON_BLOCK) {
        v = _mm512_loadu_si512((const void *)(at + done.len));
        cid__prefetch(at + done.len + AHEAD);
        done.count += put_marks_bmi(marks + done.count, stops_avx512(v, false), done.len);
        seen = _mm512_or_si512(seen, v);
        done.len += 64;
    }
    if (len - done.len < 64 && room - done.count >= CID__JSON_BLOCK) {
        __mmask64 there = _bzhi_u64(UINT64_MAX, (unsigned)(len - done.len));
        v = _mm512_maskz_loadu_epi8(there, at + done.len);
        done.count += put_marks_bmi(marks + done.count, stops_avx512(v, false) & there, done.len);
        seen = _mm512_or_si512(seen, v);
        done.len = len;
    }
    done.high = _mm512_movepi8_mask(seen) != 0;
    return done;
}

/* The numbers 0 to 63. */
static const uint8_t places[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                   16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                   32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                   48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

/*
 * As put_marks_bmi: the places move together, and are put down 16 at a time, the first ones whether
 * there are or not. All is done without a detour through general registers, since the port that it
 * takes is the one that compares, shuffles and compresses.
 */
VBMI2 INLINE size_t put_marks_vbmi2(uint16_t *marks, __mmask64 stops, __m512i from)
{
    __m512i all = _mm512_loadu_si512((const void *)places);
    __m512i few = _mm512_maskz_compress_epi8(stops, all);
    __m256i low = _mm512_castsi512_si256(from);
    __m256i put = _mm256_cvtepu8_epi16(_mm512_castsi512_si128(few));
    size_t n = (size_t)_mm_popcnt_u64(_cvtmask64_u64(stops));

    _mm256_storeu_si256((__m256i *)(void *)marks, _mm256_add_epi16(put, low));
    if (n > 16) {
        __m512i wide = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(few, 1));
        put = _mm256_cvtepu8_epi16(_mm512_extracti32x4_epi32(few, 1));
        _mm256_storeu_si256((__m256i *)(void *)(marks + 16), _mm256_add_epi16(put, low));
        _mm512_storeu_si512((void *)(marks + 32), _mm512_add_epi16(wide, from));
    }
    return n;
}

/* The bytes that are stops: the same as stops_avx512, and the mask stays where it is. */
VBMI2 INLINE __mmask64 stops_vbmi2(__m512i v)
{
    const __m128i *row = (const __m128i *)(const void *)special;
    __m512i like = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_loadu_si128(row)), v);
    /* 0 where the byte is the one that it is like; 0 below 0x20 */
    __m512i other = _mm512_xor_si512(v, like);
    __m512i above = _mm512_subs_epu8(v, _mm512_set1_epi8(0x1f));

    return _mm512_testn_epi8_mask(_mm512_min_epu8(other, above), _mm512_set1_epi8(-1));
}

VBMI2 static struct cid__marked mark_vbmi2(uint16_t *marks, size_t room, const uint8_t *at,
                                           size_t len)
{
    __m512i seen = _mm512_setzero_si512(), from = seen, v;
    size_t i = 0, n = 0;

    for (; len - i >= 64 && room - n >= CID__JSON_BLOCK; i += 64) {
        v = _mm512_loadu_si512((const void *)(at + i));
        cid__prefetch(at + i + AHEAD);
        n += put_marks_vbmi2(marks + n, stops_vbmi2(v), from);
        from = _mm512_add_epi16(from, _mm512_set1_epi16(64));
        seen = _mm512_or_si512(seen, v);
    }
    if (len - i < 64 && room - n >= CID__JSON_BLOCK) {
        __mmask64 there = _bzhi_u64(UINT64_MAX, (unsigned)(len - i));
        v = _mm512_maskz_loadu_epi8(there, at + i);
        n += put_marks_vbmi2(marks + n, stops_vbmi2(v) & there, from);
        seen = _mm512_or_si512(seen, v);
        i = len;
    }
    return (struct cid__marked){i, n, _mm512_movepi8_mask(seen) != 0};
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

struct cid__marked cid__json_mark(uint16_t *marks, size_t room, const uint8_t *at, size_t len)
{
    uint32_t cpu = cid__cpu();

    if (cpu & CID__CPU_VBMI2)
        return mark_vbmi2(marks, room, at, len);
    if (cpu & CID__CPU_AVX512)
        return mark_avx512(marks, room, at, len);
    if (cpu & CID__CPU_AVX2)
        return mark_avx2(marks, room, at, len);
    return mark_words(marks, room, (struct cid__marked){0, 0, false}, at, len);
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

struct cid__marked cid__json_mark(uint16_t *marks, size_t room, const uint8_t *at, size_t len)
{
    return mark_words(marks, room, (struct cid__marked){0, 0, false}, at, len);
}

#endif
