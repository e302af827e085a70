/*
 * blake2b_x86.c - BLAKE2b of eight messages at a time by AVX-512, and of four by AVX2. All code for
 * a processor that has more than x86-64 sits in functions that say so.
 */
#include "hash/blake2b_x86.h"

#if CID__BLAKE2B_X86

#include "hash/blake2b.h"
#include "hash/lanes_x86.h"

#include <immintrin.h>

#define AVX2   __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define INLINE static inline __attribute__((always_inline))

/*
 * One round; P is the prefix of the operations. Rounds are a loop, not unrolled: to look the words
 * up costs nothing beside the arithmetic, and the code stays small.
 */
#define MIX(P, a, b, c, d, i)                                                                      \
    v[a] = P##_ADD(v[a], m[order[i]]);                                                             \
    __asm__("" : "+v"(v[a])); /* or gcc adds the late one first */                                 \
    v[a] = P##_ADD(v[a], v[b]);                                                                    \
    v[d] = P##_ROR32(P##_XOR(v[d], v[a]));                                                         \
    v[c] = P##_ADD(v[c], v[d]);                                                                    \
    v[b] = P##_ROR24(P##_XOR(v[b], v[c]));                                                         \
    v[a] = P##_ADD(v[a], m[order[(i) + 1]]);                                                       \
    __asm__("" : "+v"(v[a]));                                                                      \
    v[a] = P##_ADD(v[a], v[b]);                                                                    \
    v[d] = P##_ROR16(P##_XOR(v[d], v[a]));                                                         \
    v[c] = P##_ADD(v[c], v[d]);                                                                    \
    v[b] = P##_ROR63(P##_XOR(v[b], v[c]))

#define ROUND(P)                                                                                   \
    MIX(P, 0, 4, 8, 12, 0);                                                                        \
    MIX(P, 1, 5, 9, 13, 2);                                                                        \
    MIX(P, 2, 6, 10, 14, 4);                                                                       \
    MIX(P, 3, 7, 11, 15, 6);                                                                       \
    MIX(P, 0, 5, 10, 15, 8);                                                                       \
    MIX(P, 1, 6, 11, 12, 10);                                                                      \
    MIX(P, 2, 7, 8, 13, 12);                                                                       \
    MIX(P, 3, 4, 9, 14, 14)

/* ---- AVX-512 --------------------------------------------------------------------------------- */

#define X8_ADD(x, y) _mm512_add_epi64(x, y)
#define X8_XOR(x, y) _mm512_xor_si512(x, y)
#define X8_ROR32(x)  _mm512_ror_epi64(x, 32)
#define X8_ROR24(x)  _mm512_ror_epi64(x, 24)
#define X8_ROR16(x)  _mm512_ror_epi64(x, 16)
#define X8_ROR63(x)  _mm512_ror_epi64(x, 63)

/*
 * Half of the turning about of eight rows of eight words: rows 0 to 7 become, for the two words of
 * each 128-bit lane in turn, first and second words. Spelt out, since a loop goes through memory.
 */
#define X8_PAIRS(out, pick, r0, r1, r2, r3, r4, r5, r6, r7)                                        \
    do {                                                                                           \
        __m512i t01 = pick(r0, r1), t23 = pick(r2, r3), t45 = pick(r4, r5), t67 = pick(r6, r7);    \
        __m512i even0 = _mm512_shuffle_i64x2(t01, t23, 0x88);                                      \
        __m512i even1 = _mm512_shuffle_i64x2(t45, t67, 0x88);                                      \
        __m512i odd0 = _mm512_shuffle_i64x2(t01, t23, 0xdd);                                       \
        __m512i odd1 = _mm512_shuffle_i64x2(t45, t67, 0xdd);                                       \
        (out)[0] = _mm512_shuffle_i64x2(even0, even1, 0x88);                                       \
        (out)[2] = _mm512_shuffle_i64x2(odd0, odd1, 0x88);                                         \
        (out)[4] = _mm512_shuffle_i64x2(even0, even1, 0xdd);                                       \
        (out)[6] = _mm512_shuffle_i64x2(odd0, odd1, 0xdd);                                         \
    } while (0)

/* Eight rows of eight words, turned about: word i of all of them is out[i]. */
#define X8_TURN(out, r0, r1, r2, r3, r4, r5, r6, r7)                                               \
    do {                                                                                           \
        X8_PAIRS(out, _mm512_unpacklo_epi64, r0, r1, r2, r3, r4, r5, r6, r7);                      \
        X8_PAIRS((out) + 1, _mm512_unpackhi_epi64, r0, r1, r2, r3, r4, r5, r6, r7);                \
    } while (0)

#define X8_ROW(l) _mm512_loadu_si512((const void *)(at[l] + offset))

/* Eight words of each of eight messages. */
AVX512 INLINE void x8_words(__m512i *out, const uint8_t *const at[8], size_t offset)
{
    __m512i r0 = X8_ROW(0), r1 = X8_ROW(1), r2 = X8_ROW(2), r3 = X8_ROW(3);
    __m512i r4 = X8_ROW(4), r5 = X8_ROW(5), r6 = X8_ROW(6), r7 = X8_ROW(7);

    X8_TURN(out, r0, r1, r2, r3, r4, r5, r6, r7);
}

/*
 * A block of each message. count is the number of bytes up to its end, ends is all ones in the
 * messages that it is the last block of, and only the states of those in live change. What is
 * ahead, if not NULL, is asked for by sixteen lines, as many as the blocks have.
 */
AVX512 INLINE void x8_block(__m512i h[8], const uint8_t *const at[8], size_t offset, __m512i count,
                            __m512i ends, __mmask8 live, struct cid__ahead *ahead)
{
    __m512i v[16], m[16];
    struct cid__lines lines = {0, 0};

    if (ahead)
        lines = cid__ahead_take(ahead, sizeof m, at);
    x8_words(m, at, offset);
    x8_words(m + 8, at, offset + 64);
    for (int i = 0; i < 8; i++) {
        v[i] = h[i];
        v[i + 8] = _mm512_set1_epi64((long long)cid__blake2b_iv[i]);
    }
    v[12] = _mm512_xor_si512(v[12], count);
    v[14] = _mm512_xor_si512(v[14], ends);
    for (int round = 0; round < 12; round++) {
        const uint8_t *order = cid__blake2b_order[round];
        ROUND(X8);
        if (!ahead)
            continue;
        cid__lines_next(&lines);
        if (round % 3 == 0)
            cid__lines_next(&lines);
    }
    for (int i = 0; i < 8; i++)
        h[i] = _mm512_mask_ternarylogic_epi64(h[i], live, v[i], v[i + 8], 0x96);
}

AVX512 uint32_t cid__blake2b_wide8(struct cid__lanes *set)
{
    __m512i *state = (void *)set->state.w64;
    const __m512i ends = _mm512_load_si512((const void *)set->last);
    __m512i count = _mm512_load_si512((const void *)set->count);
    size_t blocks = cid__lanes_least(set, 8);

    for (size_t i = 0; i < blocks; i++) {
        count = _mm512_add_epi64(count, _mm512_set1_epi64(CID__BLAKE2B_BLOCK));
        x8_block(state, set->at, i * CID__BLAKE2B_BLOCK, count, ends, 0xff, NULL);
    }
    _mm512_store_si512((void *)set->count, count);
    cid__ahead_fetch(set->ahead, blocks * (8 * CID__BLAKE2B_BLOCK));
    return cid__lanes_pass(set, 8, blocks, CID__BLAKE2B_BLOCK);
}

/* ---- AVX-512: a wave ------------------------------------------------------------------------- */

/* Where the eight messages are read from. Their last blocks lie in tail, filled up with zeroes. */
struct x8_wave {
    _Alignas(64) uint8_t tail[8][CID__BLAKE2B_BLOCK];
    _Alignas(64) const uint8_t *at[8];
    _Alignas(64) const uint8_t *tails[8];
    _Alignas(64) uint64_t len[8];
    _Alignas(64) uint64_t first[8]; /* word of the state */
};

/* Masked, so that nothing behind the message is read. */
AVX512 INLINE __m512i x8_part(const uint8_t *data, size_t len)
{
    return len < 64 ? _mm512_maskz_loadu_epi8((UINT64_C(1) << len) - 1, data)
                    : _mm512_loadu_si512((const void *)data);
}

AVX512 INLINE void x8_tail(uint8_t *tail, const struct cid__job *job)
{
    size_t rest = job->len == 0 ? 0 : (job->len - 1) % CID__BLAKE2B_BLOCK + 1;
    const uint8_t *data = job->data + (job->len - rest);
    __m512i second = _mm512_setzero_si512();

    if (rest > 64)
        second = x8_part(data + 64, rest - 64);
    _mm512_store_si512((void *)tail, x8_part(data, rest));
    _mm512_store_si512((void *)(tail + 64), second);
}

/* Lanes without a message do again what the first one does. Returns the longest one's length. */
AVX512 INLINE uint64_t x8_begin(struct x8_wave *x, const struct cid__wave *wave)
{
    uint64_t longest = 0;

    for (unsigned l = 0; l < 8; l++) {
        const struct cid__job *job = wave->job[l < wave->count ? l : 0];
        x8_tail(x->tail[l], job);
        x->at[l] = job->data;
        x->tails[l] = x->tail[l];
        x->len[l] = job->len;
        x->first[l] = cid__blake2b_first(job->out_len);
        longest = job->len > longest ? job->len : longest;
    }
    return longest;
}

/* Brings the messages in ends to their tail, where they stay, and the others on by a block. */
AVX512 INLINE void x8_next(struct x8_wave *x, __mmask8 ends, bool first)
{
    const __m512i block = _mm512_set1_epi64(first ? 0 : CID__BLAKE2B_BLOCK);
    __m512i at = _mm512_add_epi64(_mm512_load_si512((const void *)x->at), block);

    at = _mm512_mask_load_epi64(at, ends, (const void *)x->tails);
    _mm512_store_si512((void *)x->at, at);
}

AVX512 void cid__blake2b_wave8(struct cid__wave *wave)
{
    struct x8_wave x;
    const uint64_t longest = x8_begin(&x, wave);
    const __m512i len = _mm512_load_si512((const void *)x.len);
    __m512i h[8], count = _mm512_setzero_si512();
    __m512i *digest = (void *)wave->digest;
    __mmask8 live = 0xff;

    h[0] = _mm512_load_si512((const void *)x.first);
    for (int i = 1; i < 8; i++)
        h[i] = _mm512_set1_epi64((long long)cid__blake2b_iv[i]);
    for (uint64_t at = 0; at == 0 || at < longest; at += CID__BLAKE2B_BLOCK) {
        __mmask8 ends;
        count = _mm512_add_epi64(count, _mm512_set1_epi64(CID__BLAKE2B_BLOCK));
        ends = _mm512_cmple_epu64_mask(len, count);
        x8_next(&x, ends, at == 0);
        x8_block(h, x.at, 0, _mm512_min_epu64(count, len), _mm512_movm_epi64(ends), live,
                 wave->ahead);
        live = _knot_mask8(ends);
    }
    X8_TURN(digest, h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]);
}

/* ---- AVX2 -------------------------------------------------------------------------------------
 */

#define X4_ADD(x, y) _mm256_add_epi64(x, y)
#define X4_XOR(x, y) _mm256_xor_si256(x, y)
#define X4_ROR32(x)  _mm256_shuffle_epi32(x, 0xb1)
#define X4_ROR24(x)  _mm256_shuffle_epi8(x, by3)
#define X4_ROR16(x)  _mm256_shuffle_epi8(x, by2)
#define X4_ROR63(x)  x4_ror63(x)

AVX2 INLINE __m256i x4_ror63(__m256i x)
{
    return _mm256_xor_si256(_mm256_srli_epi64(x, 63), _mm256_add_epi64(x, x));
}

AVX2 INLINE __m256i x4_load(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

/* Four rows of four words each, turned about. */
AVX2 INLINE void x4_turn(__m256i r[4])
{
    __m256i t0 = _mm256_unpacklo_epi64(r[0], r[1]), t1 = _mm256_unpackhi_epi64(r[0], r[1]);
    __m256i t2 = _mm256_unpacklo_epi64(r[2], r[3]), t3 = _mm256_unpackhi_epi64(r[2], r[3]);

    r[0] = _mm256_permute2x128_si256(t0, t2, 0x20);
    r[1] = _mm256_permute2x128_si256(t1, t3, 0x20);
    r[2] = _mm256_permute2x128_si256(t0, t2, 0x31);
    r[3] = _mm256_permute2x128_si256(t1, t3, 0x31);
}

AVX2 INLINE void x4_words(__m256i m[16], const uint8_t *const at[4], size_t offset)
{
    for (int i = 0; i < 16; i += 4) {
        for (int l = 0; l < 4; l++)
            m[i + l] = x4_load(at[l] + offset + 8 * i);
        x4_turn(m + i);
    }
}

AVX2 void cid__blake2b_x4(uint64_t state[8][8], uint64_t count[8], const uint64_t last[8],
                          const uint8_t *const at[4], size_t blocks)
{
    const __m256i by2 =
        _mm256_broadcastsi128_si256(_mm_set_epi64x(0x09080f0e0d0c0b0a, 0x0100070605040302));
    const __m256i by3 =
        _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0a09080f0e0d0c0b, 0x0201000706050403));
    const __m256i ends = x4_load(last);
    __m256i done = x4_load(count);

    for (size_t offset = 0; offset < blocks * CID__BLAKE2B_BLOCK; offset += CID__BLAKE2B_BLOCK) {
        __m256i v[16], m[16];

        x4_words(m, at, offset);
        for (int i = 0; i < 8; i++) {
            v[i] = x4_load(state[i]);
            v[i + 8] = _mm256_set1_epi64x((long long)cid__blake2b_iv[i]);
        }
        done = _mm256_add_epi64(done, _mm256_set1_epi64x(CID__BLAKE2B_BLOCK));
        v[12] = _mm256_xor_si256(v[12], done);
        v[14] = _mm256_xor_si256(v[14], ends);
        for (int round = 0; round < 12; round++) {
            const uint8_t *order = cid__blake2b_order[round];
            ROUND(X4);
        }
        for (int i = 0; i < 8; i++) {
            __m256i h = _mm256_xor_si256(x4_load(state[i]), _mm256_xor_si256(v[i], v[i + 8]));
            _mm256_store_si256((__m256i *)(void *)state[i], h);
        }
    }
    _mm256_store_si256((__m256i *)(void *)count, done);
}

#endif
