/*
 * sha256_x86.c - SHA-256 by AVX-512, 16 and 32 messages at a time, and by AVX2, 8. All code for a
 * processor that has more than x86-64 sits in functions that say so; none of it can get into the
 * rest.
 */
#include "hash/sha256_x86.h"

#if CID__SHA256_X86

#include "hash/lanes_x86.h"
#include "hash/sha256.h"

#include <immintrin.h>

#define AVX2   __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define INLINE static inline __attribute__((always_inline))

/* ---- a round on vectors; P is the prefix of the operations ---------------------------------- */

#define BIG0(P, v)   P##_XOR3(P##_ROR(v, 2), P##_ROR(v, 13), P##_ROR(v, 22))
#define BIG1(P, v)   P##_XOR3(P##_ROR(v, 6), P##_ROR(v, 11), P##_ROR(v, 25))
#define SMALL0(P, v) P##_XOR3(P##_ROR(v, 7), P##_ROR(v, 18), P##_SHR(v, 3))
#define SMALL1(P, v) P##_XOR3(P##_ROR(v, 17), P##_ROR(v, 19), P##_SHR(v, 10))

/* The sum of words and constants comes first, since it does not depend on the round before. */
#define ROUND(P, a, b, c, d, e, f, g, h, i)                                                        \
    do {                                                                                           \
        P##_V x = P##_ADD(P##_ADD(h, P##_WORD(i)), P##_CH(e, f, g));                               \
        P##_HOLD(x);                                                                               \
        x = P##_ADD(x, BIG1(P, e));                                                                \
        d = P##_ADD(d, x);                                                                         \
        h = P##_ADD(x, P##_ADD(P##_MAJ(a, b, c), BIG0(P, a)));                                     \
    } while (0)

/* Word i of the sixteen that come next. */
#define NEXT(P, i)                                                                                 \
    w[i] = P##_ADD(P##_ADD(w[i], w[((i) + 9) & 15]),                                               \
                   P##_ADD(SMALL0(P, w[((i) + 1) & 15]), SMALL1(P, w[((i) + 14) & 15])))

/*
 * MEANWHILE is for what would hold up the rounds if it were done all at once: in all sixty-four it
 * is done as many times as there are lanes, here once or twice.
 */
#define ROUNDS8(EACH, P, i, MEANWHILE)                                                             \
    EACH(P, a, b, c, d, e, f, g, h, (i) + 0);                                                      \
    EACH(P, h, a, b, c, d, e, f, g, (i) + 1);                                                      \
    EACH(P, g, h, a, b, c, d, e, f, (i) + 2);                                                      \
    EACH(P, f, g, h, a, b, c, d, e, (i) + 3);                                                      \
    P##_HALFWAY(MEANWHILE);                                                                        \
    EACH(P, e, f, g, h, a, b, c, d, (i) + 4);                                                      \
    EACH(P, d, e, f, g, h, a, b, c, (i) + 5);                                                      \
    EACH(P, c, d, e, f, g, h, a, b, (i) + 6);                                                      \
    EACH(P, b, c, d, e, f, g, h, a, (i) + 7);                                                      \
    MEANWHILE

#define NOTHING (void)0

/* The word of round i with its constant, and a sum that is to be there before the next begins. */
#define WORD(P, i) P##_ADD(w[i], P##_ALL(k[i]))
#define HOLD(x)    __asm__("" : "+v"(x))

#define ROUND_NEXT(P, a, b, c, d, e, f, g, h, i)                                                   \
    ROUND(P, a, b, c, d, e, f, g, h, i);                                                           \
    NEXT(P, i)

/* All sixty-four; the constants are hidden from the optimiser, which else makes code of them. */
#define BLOCK(P, MEANWHILE)                                                                        \
    do {                                                                                           \
        const uint32_t *k = cid__sha256_k;                                                         \
        __asm__("" : "+r"(k));                                                                     \
        for (int turn = 0; turn < 3; turn++, k += 16) {                                            \
            ROUNDS8(ROUND_NEXT, P, 0, MEANWHILE);                                                  \
            ROUNDS8(ROUND_NEXT, P, 8, MEANWHILE);                                                  \
        }                                                                                          \
        ROUNDS8(ROUND, P, 0, MEANWHILE);                                                           \
        ROUNDS8(ROUND, P, 8, MEANWHILE);                                                           \
    } while (0)

/* For each word of the state. */
#define WORDS8(EACH, P)                                                                            \
    EACH(P, a, 0);                                                                                 \
    EACH(P, b, 1);                                                                                 \
    EACH(P, c, 2);                                                                                 \
    EACH(P, d, 3);                                                                                 \
    EACH(P, e, 4);                                                                                 \
    EACH(P, f, 5);                                                                                 \
    EACH(P, g, 6);                                                                                 \
    EACH(P, h, 7)

#define TAKE(P, v, i) P##_V v = P##_LOAD(state[i])
#define SUM(P, v, i)                                                                               \
    v = P##_ADD(v, P##_LOAD(state[i]));                                                            \
    P##_STORE(state[i], v)

/* So many blocks of all lanes of a set. */
#define WIDE(P, set, blocks)                                                                       \
    do {                                                                                           \
        uint32_t(*state)[CID__LANES_MAX] = (set)->state.w32;                                       \
        size_t end = CID__SHA256_BLOCK * (blocks);                                                 \
        WORDS8(TAKE, P);                                                                           \
        for (size_t offset = 0; offset < end; offset += CID__SHA256_BLOCK) {                       \
            P##_V w[P##_WORDS_KEPT];                                                               \
            P##_WORDS(w, (set)->at, offset);                                                       \
            P##_BLOCK(NOTHING);                                                                    \
            WORDS8(SUM, P);                                                                        \
        }                                                                                          \
        cid__ahead_fetch((set)->ahead, end *P##_LANES);                                            \
    } while (0)

/* ---- waves on vectors ------------------------------------------------------------------------ */

/* Where the messages are read from. Their ends lie in tail, with the padding. */
struct source {
    _Alignas(64) uint8_t tail[CID__LANES_MAX][2 * CID__SHA256_BLOCK];
    _Alignas(64) const uint8_t *at[CID__LANES_MAX];
    _Alignas(64) const uint8_t *tails[CID__LANES_MAX];
    _Alignas(64) uint32_t len[CID__LANES_MAX]; /* of short messages, which fit */
};

/* Returns the most blocks of any message. */
INLINE uint32_t begin(struct source *in, const struct cid__wave *wave, unsigned lanes)
{
    uint32_t longest = 0;

    for (unsigned l = 0; l < lanes; l++) {
        const struct cid__job *job = cid__wave_job(wave, l);
        uint32_t len = (uint32_t)job->len;
        in->at[l] = len < CID__SHA256_BLOCK ? in->tail[l] : job->data;
        in->tails[l] = in->tail[l];
        in->len[l] = len;
        longest = len > longest ? len : longest;
    }
    return (longest + 8) / CID__SHA256_BLOCK + 1;
}

#define START(P, v, i)    P##_V v = state[i] = P##_ALL(cid__sha256_start[i])
#define SUM_LIVE(P, v, i) v = state[i] = P##_ADD_LIVE(state[i], v, live)

/*
 * Brings those messages that are on to the next block, and others to their tail. A vector has half
 * as many pointers as words, the first of which is that of message l.
 */
#define MOVE_HALF(P, l, on)                                                                        \
    P##_STORE(in.at + (l),                                                                         \
              P##_PICK(P##_LOAD(in.tails + (l)), P##_BEHIND(P##_LOAD(in.at + (l))), on))
#define MOVE(P, l, on)                                                                             \
    do {                                                                                           \
        MOVE_HALF(P, l, P##_LOW(on));                                                              \
        MOVE_HALF(P, (l) + P##_LANES / 2, P##_HIGH(on));                                           \
    } while (0)

/*
 * From the first block of all messages, told in wave, to the last of the one that has most, which
 * leaves the words in state. whole are the blocks that are read where they lie, total those of the
 * tail too. Messages that are done go through their tail again. Where the next blocks lie is found
 * before the rounds, so that their words can be loaded early.
 */
#define WAVE(P, wave)                                                                              \
    do {                                                                                           \
        const unsigned lanes = P##_LANES;                                                          \
        const size_t step = lanes * CID__SHA256_BLOCK;                                             \
        const uint32_t most = begin(&in, wave, lanes);                                             \
        const P##_V len = P##_LOAD(in.len), whole = P##_SHR(len, 6);                               \
        const P##_V total = P##_SHR(P##_ADD(len, P##_ALL(CID__SHA256_BLOCK + 8)), 6);              \
        WORDS8(START, P);                                                                          \
        for (unsigned l = 0; l < lanes; l++)                                                       \
            P##_TAIL(in.tail[l], cid__wave_job(wave, l));                                          \
        for (uint32_t i = 0; i < most; i++) {                                                      \
            const P##_V now = P##_ALL(i), then = P##_ALL(i + 1);                                   \
            const P##_LIVE live = P##_MORE(total, now), on = P##_ON(then, whole, total);           \
            struct cid__lines lines = cid__ahead_take((wave)->ahead, step, in.tail);               \
            P##_V w[P##_WORDS_KEPT];                                                               \
            P##_WORDS(w, in.at, 0);                                                                \
            P##_MOVE(on);                                                                          \
            P##_BLOCK(cid__lines_next(&lines));                                                    \
            WORDS8(SUM_LIVE, P);                                                                   \
        }                                                                                          \
    } while (0)

/* ---- AVX-512 -------------------------------------------------------------------------------- */

#define X16_LANES                16
#define X16_V                    __m512i
#define X16_ADD(x, y)            _mm512_add_epi32(x, y)
#define X16_ROR(x, n)            _mm512_ror_epi32(x, n)
#define X16_SHR(x, n)            _mm512_srli_epi32(x, n)
#define X16_XOR3(x, y, z)        _mm512_ternarylogic_epi32(x, y, z, 0x96)
#define X16_CH(x, y, z)          _mm512_ternarylogic_epi32(x, y, z, 0xca)
#define X16_MAJ(x, y, z)         _mm512_ternarylogic_epi32(x, y, z, 0xe8)
#define X16_ALL(x)               _mm512_set1_epi32((int)(x))
#define X16_LOAD(p)              _mm512_load_si512((const void *)(p))
#define X16_STORE(p, x)          _mm512_store_si512((void *)(p), x)
#define X16_WORD(i)              WORD(X16, i)
#define X16_HOLD(x)              HOLD(x)
#define X16_HALFWAY(meanwhile)   meanwhile
#define X16_BLOCK(meanwhile)     BLOCK(X16, meanwhile)
#define X16_WORDS_KEPT           16
#define X16_WORDS(w, at, offset) x16_words(w, at, offset)

/* For waves. BEHIND and PICK are about pointers, of which a vector has half: LOW or HIGH. */
#define X16_LIVE                 __mmask16
#define X16_MOVE(on)             MOVE(X16, 0, on)
#define X16_MORE(x, y)           _mm512_cmpgt_epu32_mask(x, y)
#define X16_ON(i, whole, total)  _mm512_mask_cmpneq_epu32_mask(X16_MORE(total, i), i, whole)
#define X16_LOW(on)              (__mmask8)(on)
#define X16_HIGH(on)             (__mmask8)((on) >> 8)
#define X16_BEHIND(at)           _mm512_add_epi64(at, _mm512_set1_epi64(CID__SHA256_BLOCK))
#define X16_PICK(x, y, on)       _mm512_mask_mov_epi64(x, on, y)
#define X16_ADD_LIVE(x, y, live) _mm512_mask_add_epi32(x, live, x, y)
#define X16_TAIL(tail, job)      x16_tail(tail, job)

/* Rows i to i + 3 become: 128-bit lane l of row i + c has word 4 l + c of the four. */
#define X16_QUAD(i)                                                                                \
    do {                                                                                           \
        __m512i t0 = _mm512_unpacklo_epi32(w[i], w[(i) + 1]);                                      \
        __m512i t1 = _mm512_unpackhi_epi32(w[i], w[(i) + 1]);                                      \
        __m512i t2 = _mm512_unpacklo_epi32(w[(i) + 2], w[(i) + 3]);                                \
        __m512i t3 = _mm512_unpackhi_epi32(w[(i) + 2], w[(i) + 3]);                                \
        w[i] = _mm512_unpacklo_epi64(t0, t2);                                                      \
        w[(i) + 1] = _mm512_unpackhi_epi64(t0, t2);                                                \
        w[(i) + 2] = _mm512_unpacklo_epi64(t1, t3);                                                \
        w[(i) + 3] = _mm512_unpackhi_epi64(t1, t3);                                                \
    } while (0)

/* Rows c, c + 4, c + 8 and c + 12 become words c, c + 4, … of all sixteen. */
#define X16_JOIN(c)                                                                                \
    do {                                                                                           \
        __m512i even0 = _mm512_shuffle_i32x4(w[c], w[(c) + 4], 0x88);                              \
        __m512i even1 = _mm512_shuffle_i32x4(w[(c) + 8], w[(c) + 12], 0x88);                       \
        __m512i odd0 = _mm512_shuffle_i32x4(w[c], w[(c) + 4], 0xdd);                               \
        __m512i odd1 = _mm512_shuffle_i32x4(w[(c) + 8], w[(c) + 12], 0xdd);                        \
        w[c] = _mm512_shuffle_i32x4(even0, even1, 0x88);                                           \
        w[(c) + 4] = _mm512_shuffle_i32x4(odd0, odd1, 0x88);                                       \
        w[(c) + 8] = _mm512_shuffle_i32x4(even0, even1, 0xdd);                                     \
        w[(c) + 12] = _mm512_shuffle_i32x4(odd0, odd1, 0xdd);                                      \
    } while (0)

#define X16_ROW(i)                                                                                 \
    w[i] = _mm512_shuffle_epi8(_mm512_loadu_si512((const void *)(at[i] + offset)), swap)
#define X16_ROWS(i)                                                                                \
    X16_ROW(i);                                                                                    \
    X16_ROW((i) + 1);                                                                              \
    X16_ROW((i) + 2);                                                                              \
    X16_ROW((i) + 3);                                                                              \
    X16_QUAD(i)

AVX512 INLINE void x16_words(__m512i w[16], const uint8_t *const at[16], size_t offset)
{
    const __m512i swap =
        _mm512_broadcast_i32x4(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
    X16_ROWS(0);
    X16_ROWS(4);
    X16_ROWS(8);
    X16_ROWS(12);
    X16_JOIN(0);
    X16_JOIN(1);
    X16_JOIN(2);
    X16_JOIN(3);
}

AVX512 uint32_t cid__sha256_wide16(struct cid__lanes *set)
{
    size_t blocks = cid__lanes_least(set, 16);

    WIDE(X16, set, blocks);
    return cid__lanes_pass(set, 16, blocks, CID__SHA256_BLOCK);
}

/* The one or two blocks that end a message. Masked, so that nothing behind it is read. */
AVX512 INLINE void x16_tail(uint8_t *tail, const struct cid__job *job)
{
    unsigned rest = (unsigned)(job->len % CID__SHA256_BLOCK);
    uint64_t bit = UINT64_C(1) << rest;
    __m512i length = _mm512_set1_epi64((long long)__builtin_bswap64((uint64_t)job->len << 3));
    __m512i block = _mm512_maskz_loadu_epi8(bit - 1, job->data + (job->len - rest));
    __mmask8 last = rest < CID__SHA256_BLOCK - 8 ? 0x80 : 0;

    block = _mm512_mask_mov_epi8(block, bit, _mm512_set1_epi8((char)0x80));
    _mm512_store_si512((void *)tail, _mm512_mask_mov_epi64(block, last, length));
    _mm512_store_si512((void *)(tail + CID__SHA256_BLOCK), _mm512_maskz_mov_epi64(0x80, length));
}

/* The digests of columns i, i + 4, i + 8 and i + 12; low and high have 16 bytes of each. */
AVX512 INLINE void x16_digests(uint8_t digest[16][64], unsigned i, __m512i low, __m512i high)
{
    const __m512i swap =
        _mm512_broadcast_i32x4(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    __m512i x = _mm512_shuffle_epi8(_mm512_permutex2var_epi64(low, first, high), swap);
    __m512i y = _mm512_shuffle_epi8(_mm512_permutex2var_epi64(low, second, high), swap);

    _mm256_store_si256((__m256i *)(void *)digest[i], _mm512_castsi512_si256(x));
    _mm256_store_si256((__m256i *)(void *)digest[i + 4], _mm512_extracti64x4_epi64(x, 1));
    _mm256_store_si256((__m256i *)(void *)digest[i + 8], _mm512_castsi512_si256(y));
    _mm256_store_si256((__m256i *)(void *)digest[i + 12], _mm512_extracti64x4_epi64(y, 1));
}

AVX512 INLINE void x16_all_digests(uint8_t digest[16][64], __m512i w[8])
{
    X16_QUAD(0);
    X16_QUAD(4);
    for (unsigned i = 0; i < 4; i++)
        x16_digests(digest, i, w[i], w[i + 4]);
}

AVX512 void cid__sha256_wave16(struct cid__wave *wave)
{
    struct source in;
    __m512i state[8];

    WAVE(X16, wave);
    x16_all_digests(wave->digest, state);
}

/* ---- AVX-512, twice sixteen ------------------------------------------------------------------ */

/*
 * Thirty-two messages as two times sixteen, round by round: where one chain of rounds leaves a
 * processor idle, it works on the other meanwhile. Two states and what a round needs beside them
 * take all registers, so that words are made before the rounds, with the constants added, and wait
 * in memory.
 */
struct x32 {
    __m512i v[2];
};
struct x32_live {
    __mmask16 v[2];
};

#define X32_LANES                32
#define X32_V                    struct x32
#define X32_ADD(x, y)            x32_add(x, y)
#define X32_ROR(x, n)            ((struct x32){{X16_ROR((x).v[0], n), X16_ROR((x).v[1], n)}})
#define X32_SHR(x, n)            ((struct x32){{X16_SHR((x).v[0], n), X16_SHR((x).v[1], n)}})
#define X32_XOR3(x, y, z)        x32_xor3(x, y, z)
#define X32_CH(x, y, z)          x32_ch(x, y, z)
#define X32_MAJ(x, y, z)         x32_maj(x, y, z)
#define X32_ALL(x)               ((struct x32){{X16_ALL(x), X16_ALL(x)}})
#define X32_LOAD(p)              ((struct x32){{X16_LOAD(p), X16_LOAD((p) + 16)}})
#define X32_STORE(p, x)          (X16_STORE(p, (x).v[0]), X16_STORE((p) + 16, (x).v[1]))
#define X32_WORD(i)              w[i]
#define X32_HOLD(x)              __asm__("" : "+v"((x).v[0]), "+v"((x).v[1]))
#define X32_HALFWAY(meanwhile)   meanwhile
#define X32_WORDS_KEPT           64
#define X32_WORDS(w, at, offset) (x32_words(w, 0, at, offset), x32_words(w, 1, (at) + 16, offset))
#define X32_BLOCK(meanwhile)                                                                       \
    for (unsigned round = 0; round < 64; round += 8) {                                             \
        ROUNDS8(ROUND, X32, round, (meanwhile, meanwhile));                                        \
    }

#define X32_LIVE                 struct x32_live
#define X32_MORE(x, y)           x32_more(x, y)
#define X32_ON(i, whole, total)  x32_on(i, whole, total)
#define X32_ADD_LIVE(x, y, live) x32_add_live(x, y, live)
#define X32_TAIL(tail, job)      x16_tail(tail, job)
#define X32_MOVE(on)                                                                               \
    do {                                                                                           \
        MOVE(X16, 0, (on).v[0]);                                                                   \
        MOVE(X16, 16, (on).v[1]);                                                                  \
    } while (0)

AVX512 INLINE struct x32 x32_add(struct x32 x, struct x32 y)
{
    return (struct x32){{X16_ADD(x.v[0], y.v[0]), X16_ADD(x.v[1], y.v[1])}};
}

AVX512 INLINE struct x32 x32_xor3(struct x32 x, struct x32 y, struct x32 z)
{
    return (struct x32){{X16_XOR3(x.v[0], y.v[0], z.v[0]), X16_XOR3(x.v[1], y.v[1], z.v[1])}};
}

AVX512 INLINE struct x32 x32_ch(struct x32 x, struct x32 y, struct x32 z)
{
    return (struct x32){{X16_CH(x.v[0], y.v[0], z.v[0]), X16_CH(x.v[1], y.v[1], z.v[1])}};
}

AVX512 INLINE struct x32 x32_maj(struct x32 x, struct x32 y, struct x32 z)
{
    return (struct x32){{X16_MAJ(x.v[0], y.v[0], z.v[0]), X16_MAJ(x.v[1], y.v[1], z.v[1])}};
}

AVX512 INLINE struct x32_live x32_more(struct x32 x, struct x32 y)
{
    return (struct x32_live){{X16_MORE(x.v[0], y.v[0]), X16_MORE(x.v[1], y.v[1])}};
}

AVX512 INLINE struct x32_live x32_on(struct x32 i, struct x32 whole, struct x32 total)
{
    return (struct x32_live){
        {X16_ON(i.v[0], whole.v[0], total.v[0]), X16_ON(i.v[1], whole.v[1], total.v[1])}};
}

AVX512 INLINE struct x32 x32_add_live(struct x32 x, struct x32 y, struct x32_live live)
{
    return (struct x32){
        {X16_ADD_LIVE(x.v[0], y.v[0], live.v[0]), X16_ADD_LIVE(x.v[1], y.v[1], live.v[1])}};
}

#define X32_READY(i) out[i].v[half] = WORD(X16, i)
#define X32_READY_NEXT(i)                                                                          \
    X32_READY(i);                                                                                  \
    NEXT(X16, i);
#define X32_READY_LAST(i) X32_READY(i);

/* All words of sixteen messages. */
AVX512 INLINE void x32_words(struct x32 *out, unsigned half, const uint8_t *const *at,
                             size_t offset)
{
    const uint32_t *k = cid__sha256_k;
    __m512i w[16];

    __asm__("" : "+r"(k));
    x16_words(w, at, offset);
    for (int turn = 0; turn < 3; turn++, k += 16, out += 16) {
        CID__SHA256_SIXTEEN(X32_READY_NEXT)
    }
    CID__SHA256_SIXTEEN(X32_READY_LAST)
}

AVX512 uint32_t cid__sha256_wide32(struct cid__lanes *set)
{
    size_t blocks = cid__lanes_least(set, 32);

    WIDE(X32, set, blocks);
    return cid__lanes_pass(set, 32, blocks, CID__SHA256_BLOCK);
}

AVX512 void cid__sha256_wave32(struct cid__wave *wave)
{
    struct source in;
    struct x32 state[8];

    WAVE(X32, wave);
    for (unsigned half = 0; half < 2; half++) {
        __m512i w[8];
        for (unsigned i = 0; i < 8; i++)
            w[i] = state[i].v[half];
        x16_all_digests(wave->digest + 16 * half, w);
    }
}

/* ---- AVX2 ------------------------------------------------------------------------------------ */

#define X8_LANES         8
#define X8_V             __m256i
#define X8_ADD(x, y)     _mm256_add_epi32(x, y)
#define X8_ROR(x, n)     _mm256_or_si256(_mm256_srli_epi32(x, n), _mm256_slli_epi32(x, 32 - (n)))
#define X8_SHR(x, n)     _mm256_srli_epi32(x, n)
#define X8_XOR3(x, y, z) _mm256_xor_si256(_mm256_xor_si256(x, y), z)
#define X8_CH(x, y, z)   _mm256_xor_si256(z, _mm256_and_si256(x, _mm256_xor_si256(y, z)))
#define X8_MAJ(x, y, z)                                                                            \
    _mm256_or_si256(_mm256_and_si256(x, y), _mm256_and_si256(z, _mm256_or_si256(x, y)))
#define X8_ALL(x)               _mm256_set1_epi32((int)(x))
#define X8_LOAD(p)              _mm256_load_si256((const __m256i *)(const void *)(p))
#define X8_STORE(p, x)          _mm256_store_si256((__m256i *)(void *)(p), x)
#define X8_WORD(i)              WORD(X8, i)
#define X8_HOLD(x)              HOLD(x)
#define X8_HALFWAY(meanwhile)   (void)0
#define X8_BLOCK(meanwhile)     BLOCK(X8, meanwhile)
#define X8_WORDS_KEPT           16
#define X8_WORDS(w, at, offset) x8_words(w, at, offset)

#define X8_LIVE                 __m256i
#define X8_MOVE(on)             MOVE(X8, 0, on)
#define X8_MORE(x, y)           _mm256_cmpgt_epi32(x, y)
#define X8_ON(i, whole, total)  _mm256_andnot_si256(_mm256_cmpeq_epi32(i, whole), X8_MORE(total, i))
#define X8_LOW(on)              _mm256_cvtepi32_epi64(_mm256_castsi256_si128(on))
#define X8_HIGH(on)             _mm256_cvtepi32_epi64(_mm256_extracti128_si256(on, 1))
#define X8_BEHIND(at)           _mm256_add_epi64(at, _mm256_set1_epi64x(CID__SHA256_BLOCK))
#define X8_PICK(x, y, on)       _mm256_blendv_epi8(x, y, on)
#define X8_ADD_LIVE(x, y, live) _mm256_add_epi32(x, _mm256_and_si256(y, live))
#define X8_TAIL(tail, job)      x8_tail(tail, job)

/* Eight rows of eight words each, turned about. */
AVX2 INLINE void x8_turn(__m256i r[8])
{
    __m256i t[8], u[8];

    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_epi32(r[i], r[i + 1]);
        t[i + 1] = _mm256_unpackhi_epi32(r[i], r[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        u[i] = _mm256_unpacklo_epi64(t[i], t[i + 2]);
        u[i + 1] = _mm256_unpackhi_epi64(t[i], t[i + 2]);
        u[i + 2] = _mm256_unpacklo_epi64(t[i + 1], t[i + 3]);
        u[i + 3] = _mm256_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
    for (int i = 0; i < 4; i++) {
        r[i] = _mm256_permute2x128_si256(u[i], u[i + 4], 0x20);
        r[i + 4] = _mm256_permute2x128_si256(u[i], u[i + 4], 0x31);
    }
}

AVX2 INLINE __m256i x8_swap(__m256i x)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(swap));
}

AVX2 INLINE void x8_words(__m256i w[16], const uint8_t *const at[8], size_t offset)
{
    for (int half = 0; half < 16; half += 8) {
        for (int l = 0; l < 8; l++) {
            const void *p = at[l] + offset + 4 * half;
            w[half + l] = x8_swap(_mm256_loadu_si256((const __m256i *)p));
        }
        x8_turn(w + half);
    }
}

AVX2 uint32_t cid__sha256_wide8(struct cid__lanes *set)
{
    size_t blocks = cid__lanes_least_plain(set, 8);

    WIDE(X8, set, blocks);
    return cid__lanes_pass_plain(set, 8, blocks, CID__SHA256_BLOCK);
}

AVX2 INLINE void x8_tail(uint8_t *tail, const struct cid__job *job)
{
    const size_t rest = job->len % CID__SHA256_BLOCK;
    const struct cid__end end = cid__end_of(job, rest, 0x80);
    const __m256i zero = _mm256_setzero_si256();
    const __m256i length =
        _mm256_set_epi64x((long long)__builtin_bswap64((uint64_t)job->len << 3), 0, 0, 0);
    const __m256i here = rest < CID__SHA256_BLOCK - 8 ? length : zero;

    X8_STORE(tail, cid__end_part(&end, 0));
    X8_STORE(tail + 32, _mm256_or_si256(cid__end_part(&end, 32), here));
    X8_STORE(tail + 64, zero);
    X8_STORE(tail + 96, length);
}

AVX2 void cid__sha256_wave8(struct cid__wave *wave)
{
    struct source in;
    __m256i state[8];

    WAVE(X8, wave);
    x8_turn(state);
    for (unsigned l = 0; l < 8; l++)
        X8_STORE(wave->digest[l], x8_swap(state[l]));
}

#endif
