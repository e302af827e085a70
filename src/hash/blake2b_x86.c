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

#define NOTHING (void)0

/*
 * A block of each message, m, changes the states, h, of those in live. count is the number of bytes
 * up to its end, ends is all ones in the messages that it is the last block of. MEANWHILE is done
 * behind each round.
 */
#define COMPRESS(P, m, count, ends, live, MEANWHILE)                                               \
    do {                                                                                           \
        P##_V v[16];                                                                               \
        for (int i = 0; i < 8; i++) {                                                              \
            v[i] = h[i];                                                                           \
            v[i + 8] = P##_ALL(cid__blake2b_iv[i]);                                                \
        }                                                                                          \
        v[12] = P##_XOR(v[12], count);                                                             \
        v[14] = P##_XOR(v[14], ends);                                                              \
        for (int round = 0; round < 12; round++) {                                                 \
            const uint8_t *order = cid__blake2b_order[round];                                      \
            ROUND(P);                                                                              \
            MEANWHILE;                                                                             \
        }                                                                                          \
        for (int i = 0; i < 8; i++)                                                                \
            h[i] = P##_XOR_LIVE(h[i], v[i], v[i + 8], live);                                       \
    } while (0)

/* So many blocks of all lanes of a set. */
#define WIDE(P, set, blocks)                                                                       \
    do {                                                                                           \
        const P##_V ends = P##_LOAD((set)->last);                                                  \
        P##_V h[8], m[16], count = P##_LOAD((set)->count);                                         \
        for (int i = 0; i < 8; i++)                                                                \
            h[i] = P##_LOAD((set)->state.w64[i]);                                                  \
        for (size_t b = 0; b < (blocks); b++) {                                                    \
            P##_WORDS(m, (set)->at, CID__BLAKE2B_BLOCK *b);                                        \
            count = P##_ADD(count, P##_ALL(CID__BLAKE2B_BLOCK));                                   \
            COMPRESS(P, m, count, ends, P##_EVERY, NOTHING);                                       \
        }                                                                                          \
        for (int i = 0; i < 8; i++)                                                                \
            P##_STORE((set)->state.w64[i], h[i]);                                                  \
        P##_STORE((set)->count, count);                                                            \
        cid__ahead_fetch((set)->ahead, (blocks)*P##_LANES *CID__BLAKE2B_BLOCK);                    \
    } while (0)

/* ---- waves on vectors ------------------------------------------------------------------------ */

/* Where the messages are read from. Their last blocks lie in tail, filled up with zeroes. */
struct source {
    _Alignas(64) uint8_t tail[8][CID__BLAKE2B_BLOCK];
    _Alignas(64) const uint8_t *at[8];
    _Alignas(64) const uint8_t *tails[8];
    _Alignas(64) uint64_t len[8];
    _Alignas(64) uint64_t first[8]; /* word of the state */
};

/* Returns the longest message's length. */
INLINE uint64_t begin(struct source *in, const struct cid__wave *wave, unsigned lanes)
{
    uint64_t longest = 0;

    for (unsigned l = 0; l < lanes; l++) {
        const struct cid__job *job = cid__wave_job(wave, l);
        in->at[l] = job->data;
        in->tails[l] = in->tail[l];
        in->len[l] = job->len;
        in->first[l] = cid__blake2b_first(job->out_len);
        longest = job->len > longest ? job->len : longest;
    }
    return longest;
}

INLINE size_t last_bytes(const struct cid__job *job)
{
    return job->len == 0 ? 0 : (job->len - 1) % CID__BLAKE2B_BLOCK + 1;
}

/*
 * From the first block of all messages, told in wave, to the last of the longest, which leaves the
 * states in h. Messages that have more blocks behind the one at hand are on; the others come to
 * their tail, where they stay. Where the next blocks lie is found before the rounds, so that their
 * words can be loaded early.
 */
#define WAVE(P, wave)                                                                              \
    do {                                                                                           \
        const unsigned lanes = P##_LANES;                                                          \
        const size_t step = lanes * CID__BLAKE2B_BLOCK;                                            \
        const uint64_t longest = begin(&in, wave, lanes);                                          \
        const P##_V len = P##_LOAD(in.len), tails = P##_LOAD(in.tails);                            \
        const P##_V block = P##_ALL(CID__BLAKE2B_BLOCK);                                           \
        P##_V at = P##_LOAD(in.at), count = block, m[16];                                          \
        P##_LIVE live = P##_EVERY, on = P##_MORE(len, count);                                      \
        for (unsigned l = 0; l < lanes; l++)                                                       \
            P##_TAIL(in.tail[l], cid__wave_job(wave, l));                                          \
        P##_STORE(in.at, P##_PICK(tails, at, on));                                                 \
        h[0] = P##_LOAD(in.first);                                                                 \
        for (int i = 1; i < 8; i++)                                                                \
            h[i] = P##_ALL(cid__blake2b_iv[i]);                                                    \
        for (uint64_t done = 0; done == 0 || done < longest; done += CID__BLAKE2B_BLOCK) {         \
            const P##_V upto = P##_PICK(len, count, on), ends = P##_ENDS(on);                      \
            const P##_LIVE now = live;                                                             \
            struct cid__lines lines = cid__ahead_take((wave)->ahead, step, in.tail);               \
            P##_WORDS(m, in.at, 0);                                                                \
            count = P##_ADD(count, block);                                                         \
            live = on;                                                                             \
            on = P##_MORE(len, count);                                                             \
            at = P##_ADD(at, block);                                                               \
            P##_STORE(in.at, P##_PICK(tails, at, on));                                             \
            COMPRESS(P, m, upto, ends, now, P##_ASK(&lines, round));                               \
        }                                                                                          \
    } while (0)

/* ---- AVX-512 --------------------------------------------------------------------------------- */

#define X8_LANES                   8
#define X8_V                       __m512i
#define X8_LIVE                    __mmask8
#define X8_EVERY                   0xff
#define X8_ADD(x, y)               _mm512_add_epi64(x, y)
#define X8_XOR(x, y)               _mm512_xor_si512(x, y)
#define X8_ROR32(x)                _mm512_ror_epi64(x, 32)
#define X8_ROR24(x)                _mm512_ror_epi64(x, 24)
#define X8_ROR16(x)                _mm512_ror_epi64(x, 16)
#define X8_ROR63(x)                _mm512_ror_epi64(x, 63)
#define X8_ALL(x)                  _mm512_set1_epi64((long long)(x))
#define X8_LOAD(p)                 _mm512_load_si512((const void *)(p))
#define X8_STORE(p, x)             _mm512_store_si512((void *)(p), x)
#define X8_MORE(x, y)              _mm512_cmpgt_epu64_mask(x, y)
#define X8_ENDS(on)                _mm512_movm_epi64(_knot_mask8(on))
#define X8_PICK(x, y, on)          _mm512_mask_mov_epi64(x, on, y)
#define X8_XOR_LIVE(h, x, y, live) _mm512_mask_ternarylogic_epi64(h, live, x, y, 0x96)
#define X8_TAIL(tail, job)         x8_tail(tail, job)
#define X8_WORDS(m, at, offset)                                                                    \
    do {                                                                                           \
        x8_words(m, at, offset);                                                                   \
        x8_words((m) + 8, at, (offset) + 64);                                                      \
    } while (0)

/* Sixteen lines in twelve rounds, as many as the blocks have. */
#define X8_ASK(lines, round)                                                                       \
    do {                                                                                           \
        cid__lines_next(lines);                                                                    \
        if ((round) < 4)                                                                           \
            cid__lines_next(lines);                                                                \
    } while (0)

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

AVX512 uint32_t cid__blake2b_wide8(struct cid__lanes *set)
{
    size_t blocks = cid__lanes_least(set, 8);

    WIDE(X8, set, blocks);
    return cid__lanes_pass(set, 8, blocks, CID__BLAKE2B_BLOCK);
}

/* Masked, so that nothing behind the message is read. */
AVX512 INLINE __m512i x8_part(const uint8_t *data, size_t len)
{
    return len < 64 ? _mm512_maskz_loadu_epi8((UINT64_C(1) << len) - 1, data)
                    : _mm512_loadu_si512((const void *)data);
}

AVX512 INLINE void x8_tail(uint8_t *tail, const struct cid__job *job)
{
    size_t rest = last_bytes(job);
    const uint8_t *data = job->data + (job->len - rest);
    __m512i second = _mm512_setzero_si512();

    if (rest > 64)
        second = x8_part(data + 64, rest - 64);
    _mm512_store_si512((void *)tail, x8_part(data, rest));
    _mm512_store_si512((void *)(tail + 64), second);
}

AVX512 void cid__blake2b_wave8(struct cid__wave *wave)
{
    struct source in;
    __m512i h[8], *digest = (void *)wave->digest;

    WAVE(X8, wave);
    X8_TURN(digest, h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]);
}

/* ---- AVX2 ------------------------------------------------------------------------------------ */

#define X4_LANES          4
#define X4_V              __m256i
#define X4_LIVE           __m256i
#define X4_EVERY          X4_ALL(-1)
#define X4_ADD(x, y)      _mm256_add_epi64(x, y)
#define X4_XOR(x, y)      _mm256_xor_si256(x, y)
#define X4_ROR32(x)       _mm256_shuffle_epi32(x, 0xb1)
#define X4_ROR24(x)       _mm256_shuffle_epi8(x, x4_order(x4_by3))
#define X4_ROR16(x)       _mm256_shuffle_epi8(x, x4_order(x4_by2))
#define X4_ROR63(x)       x4_ror63(x)
#define X4_ALL(x)         _mm256_set1_epi64x((long long)(x))
#define X4_LOAD(p)        _mm256_load_si256((const __m256i *)(const void *)(p))
#define X4_STORE(p, x)    _mm256_store_si256((__m256i *)(void *)(p), x)
#define X4_MORE(x, y)     _mm256_cmpgt_epi64(x, y)
#define X4_ENDS(on)       _mm256_xor_si256(on, X4_EVERY)
#define X4_PICK(x, y, on) _mm256_blendv_epi8(x, y, on)
#define X4_XOR_LIVE(h, x, y, live)                                                                 \
    _mm256_xor_si256(h, _mm256_and_si256(_mm256_xor_si256(x, y), live))
#define X4_TAIL(tail, job)      x4_tail(tail, job)
#define X4_WORDS(m, at, offset) x4_words(m, at, offset)

/* Eight lines. */
#define X4_ASK(lines, round)                                                                       \
    do {                                                                                           \
        if ((round) < 8)                                                                           \
            cid__lines_next(lines);                                                                \
    } while (0)

/* Which byte becomes each of 16: of its word, the one two or three places on. */
#define X4_BY2 UINT64_C(0x0100070605040302), UINT64_C(0x09080f0e0d0c0b0a)
#define X4_BY3 UINT64_C(0x0201000706050403), UINT64_C(0x0a09080f0e0d0c0b)
static const _Alignas(32) uint64_t x4_by2[4] = {X4_BY2, X4_BY2};
static const _Alignas(32) uint64_t x4_by3[4] = {X4_BY3, X4_BY3};

/* Read anew for each use: kept in registers, these would drive two words of the state out. */
AVX2 INLINE __m256i x4_order(const uint64_t *bytes)
{
    __asm__("" : "+r"(bytes));
    return X4_LOAD(bytes);
}

AVX2 INLINE __m256i x4_ror63(__m256i x)
{
    return _mm256_xor_si256(_mm256_srli_epi64(x, 63), _mm256_add_epi64(x, x));
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
            m[i + l] = _mm256_loadu_si256((const __m256i *)(const void *)(at[l] + offset + 8 * i));
        x4_turn(m + i);
    }
}

AVX2 INLINE void x4_tail(uint8_t *tail, const struct cid__job *job)
{
    struct cid__end end = cid__end_of(job, last_bytes(job), 0);

    for (unsigned i = 0; i < CID__BLAKE2B_BLOCK; i += 32)
        X4_STORE(tail + i, cid__end_part(&end, i));
}

AVX2 uint32_t cid__blake2b_wide4(struct cid__lanes *set)
{
    size_t blocks = cid__lanes_least_plain(set, 4);

    WIDE(X4, set, blocks);
    return cid__lanes_pass_plain(set, 4, blocks, CID__BLAKE2B_BLOCK);
}

AVX2 void cid__blake2b_wave4(struct cid__wave *wave)
{
    struct source in;
    __m256i h[8];

    WAVE(X4, wave);
    x4_turn(h);
    x4_turn(h + 4);
    for (int l = 0; l < 4; l++) {
        X4_STORE(wave->digest[l], h[l]);
        X4_STORE(wave->digest[l] + 32, h[4 + l]);
    }
}

#endif
