/* Which way messages go when they are hashed many at once; test_many.c has what comes of them. */
#include "hash_tiers.h"
#include "support.h"

#include "base/cpu.h"
#include "cid/verify.h"
#include "hash/lanes.h"

#include <cid/cid.h>

static uint8_t bytes[5000];

static int set_up(void **state)
{
    struct test_random random_numbers = {1};
    (void)state;
    test_random_fill(&random_numbers, bytes, sizeof bytes);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cid__cpu_mask(CID__CPU_ALL);
    return 0;
}

static void each_tier_has_its_kernels(void **state)
{
    uint32_t there;
    (void)state;

    cid__cpu_mask(CID__CPU_TIER_PORTABLE);
    assert_null(cid__lanes_sha256());
    assert_null(cid__lanes_blake2b());
    cid__cpu_mask(CID__CPU_ALL);
    there = cid__cpu();
    if (there & CID__CPU_AVX512) {
        assert_int_equal(cid__lanes_sha256()->lanes, there & CID__CPU_BROAD ? 32 : 16);
        assert_int_equal(cid__lanes_blake2b()->lanes, 8);
    }
    cid__cpu_mask(CID__CPU_TIER_AVX512);
    if (there & CID__CPU_AVX512)
        assert_int_equal(cid__lanes_sha256()->lanes, 16);
    cid__cpu_mask(CID__CPU_TIER_AVX512 | CID__CPU_AS_BROAD);
    if (there & CID__CPU_AVX512 && there & CID__CPU_SHA) {
        assert_int_equal(cid__lanes_sha256()->lanes, 32);
        assert_int_equal(cid__lanes_sha256()->half->lanes, 16);
        assert_int_equal(cid__lanes_blake2b()->lanes, 8);
    }
    cid__cpu_mask(CID__CPU_TIER_SHA);
    if (there & CID__CPU_SHA)
        assert_int_equal(cid__lanes_sha256()->lanes, 2);
    cid__cpu_mask(CID__CPU_TIER_AVX2);
    if (there & CID__CPU_AVX2) {
        assert_int_equal(cid__lanes_sha256()->lanes, 8);
        assert_int_equal(cid__lanes_blake2b()->lanes, 4);
    }
}

/*
 * A kind that says what it is asked for: its own functions, and those of the kind with half of its
 * lanes, if there is one.
 */
static struct {
    struct cid__lane_kind kind, half;
    const struct cid__lane_kind *real;
    size_t in_waves, in_half_waves;
    size_t wides, half_wides; /* calls */
    bool back;                /* one of wide behind one of half */
} spy;

static void spy_wave(struct cid__wave *wave)
{
    assert_in_range(wave->count, spy.real->worth, spy.real->lanes);
    spy.in_waves += wave->count;
    spy.real->wave(wave);
}

static void spy_half_wave(struct cid__wave *wave)
{
    assert_in_range(wave->count, spy.half.worth, spy.half.lanes);
    spy.in_half_waves += wave->count;
    spy.real->half->wave(wave);
}

static size_t busy(const struct cid__lanes *set, size_t lanes)
{
    size_t count = 0;

    for (size_t l = 0; l < lanes; l++)
        count += set->left[l] != CID__LANE_IDLE;
    return count;
}

static uint32_t spy_wide(struct cid__lanes *set)
{
    assert_true(busy(set, spy.real->lanes) >= spy.real->worth);
    spy.wides++;
    spy.back = spy.back || spy.half_wides != 0;
    return spy.real->wide(set);
}

static uint32_t spy_half_wide(struct cid__lanes *set)
{
    assert_true(busy(set, spy.half.lanes) >= spy.half.worth);
    spy.half_wides++;
    return spy.real->half->wide(set);
}

static const struct cid__lane_kind *spy_on(const struct cid__lane_kind *kind)
{
    memset(&spy, 0, sizeof spy);
    spy.real = kind;
    spy.kind = *kind;
    spy.kind.wave = spy_wave;
    spy.kind.wide = kind->wide ? spy_wide : NULL;
    if (!kind->half)
        return &spy.kind;
    spy.half = *kind->half;
    spy.half.wave = spy_half_wave;
    spy.half.wide = spy_half_wide;
    spy.kind.half = &spy.half;
    return &spy.kind;
}

/* Messages of one length, of which so many are left. */
struct same {
    size_t len, left;
};

static size_t feed_same(void *ctx, struct cid__job *jobs, size_t cap)
{
    struct same *same = ctx;
    size_t count = same->left < cap ? same->left : cap;

    for (size_t i = 0; i < count; i++)
        jobs[i] = (struct cid__job){bytes, same->len, 0, 32};
    same->left -= count;
    return count;
}

static void drop(void *ctx, const struct cid__job *const *jobs, const uint8_t (*digests)[64],
                 size_t count)
{
    (void)ctx, (void)jobs, (void)digests, (void)count;
}

/* Short messages are hashed in waves by every kernel there is, but for too few at the end. */
static void short_messages_go_in_waves(void **state)
{
    (void)state;
    for (size_t t = 0; t < COUNT(tiers); t++)
        for (size_t n = 1; n <= 300; n += n < 70 ? 1 : 65)
            for (size_t f = 0; f < 2; f++) {
                const struct cid__lane_kind *kind;
                struct cid__ahead nothing = {0, 0};
                struct same same = {n % 2 ? 300 : 0, n};
                struct cid__lane_io io = {feed_same, drop, &same, &nothing};
                size_t last, in_last = 0, in_half = 0;
                cid__cpu_mask(tiers[t]);
                kind = f == 0 ? cid__lanes_sha256() : cid__lanes_blake2b();
                if (!kind)
                    continue;
                assert_non_null(kind->wave);
                cid__lanes_run(spy_on(kind), &io);
                last = n % 256 % kind->lanes; /* of a window; windows are whole numbers of waves */
                if (last >= kind->worth)
                    in_last = last;
                else if (kind->half && last >= kind->half->worth)
                    in_half = last;
                assert_int_equal(spy.in_waves, n - last + in_last);
                assert_int_equal(spy.in_half_waves, in_half);
            }
}

/* Long messages, from the shortest to the longest or back, all in one bucket of the order. */
struct steps {
    size_t n, next;
    bool rising;
    size_t seen;
};

static size_t step_len(const struct steps *steps, size_t i)
{
    return 4100 + 13 * (steps->rising ? i : steps->n - 1 - i);
}

static size_t feed_steps(void *ctx, struct cid__job *jobs, size_t cap)
{
    struct steps *steps = ctx;
    size_t count = 0;

    for (; count < cap && steps->next < steps->n; count++, steps->next++)
        jobs[count] = (struct cid__job){bytes, step_len(steps, steps->next), steps->next, 32};
    return count;
}

static void check_steps(void *ctx, const struct cid__job *const *jobs, const uint8_t (*digests)[64],
                        size_t count)
{
    struct steps *steps = ctx;

    for (size_t i = 0; i < count; i++, steps->seen++) {
        uint8_t expected[32];
        assert_int_equal(jobs[i]->len, step_len(steps, jobs[i]->index));
        assert_error(
            cid_hash_sum(expected, 32, NULL, CID_HASH_SHA2_256, 32, bytes, jobs[i]->len, NULL),
            CID_OK);
        assert_memory_equal(digests[i], expected, 32);
    }
}

/* What is left when half of the lanes would do is brought together in them, and ends there. */
static void few_long_messages_go_through_half_of_the_lanes(void **state)
{
    (void)state;

    cid__cpu_mask(CID__CPU_TIER_AVX512 | CID__CPU_AS_BROAD);
    if (!cid__lanes_sha256() || !cid__lanes_sha256()->half)
        skip();
    for (size_t n = 1; n <= 65; n++)
        for (size_t r = 0; r < 2; r++) {
            struct cid__ahead nothing = {0, 0};
            struct steps steps = {n, 0, r != 0, 0};
            struct cid__lane_io io = {feed_steps, check_steps, &steps, &nothing};
            cid__lanes_run(spy_on(cid__lanes_sha256()), &io);
            assert_int_equal(steps.seen, n);
            assert_true((spy.wides != 0) == (n >= 17));
            if (n <= 48) /* with more, many lanes may come to their ends at once */
                assert_true((spy.half_wides != 0) == (n >= 10));
            assert_false(spy.back);
        }
}

/* All that is to be fetched is, wherever there are lanes, and nothing is said to be that is not. */
static void what_comes_next_is_fetched_meanwhile(void **state)
{
    static const struct {
        size_t n, len;
    } batches[] = {{256, 300}, {100, 700}, {13, 64}, {3, 4200}, {1, 200}, {40, 5000}};
    static const uint64_t functions[] = {CID_HASH_SHA2_256, CID_HASH_BLAKE2B_256};
    struct cid_view views[256];
    struct cid_data data[256];
    enum cid_verdict verdicts[256];
    (void)state;

    for (size_t b = 0; b < COUNT(batches); b++)
        for (size_t t = 0; t < COUNT(tiers); t++)
            for (size_t f = 0; f < COUNT(functions); f++) {
                struct cid__ahead ahead = {(uintptr_t)bytes, (uintptr_t)bytes};
                struct cid cid;
                bool lanes;
                assert_error(cid_sum_v1(&cid, CID_CODEC_RAW, functions[f], CID_DIGEST_DEFAULT,
                                        bytes, batches[b].len, NULL),
                             CID_OK);
                for (size_t i = 0; i < batches[b].n; i++) {
                    views[i] = cid_as_view(&cid);
                    data[i] = (struct cid_data){bytes, batches[b].len};
                }
                cid__cpu_mask(tiers[t]);
                lanes = (f == 0 ? cid__lanes_sha256() : cid__lanes_blake2b()) != NULL;
                ahead.end += batches[b].n * batches[b].len;
                cid__verify_many_ahead(verdicts, views, data, batches[b].n, NULL, &ahead);
                assert_true(ahead.at == (lanes ? ahead.end : (uintptr_t)bytes));
                assert_int_equal(verdicts[0], CID_GOOD);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_tier_has_its_kernels),
        cmocka_unit_test(short_messages_go_in_waves),
        cmocka_unit_test(few_long_messages_go_through_half_of_the_lanes),
        cmocka_unit_test(what_comes_next_is_fetched_meanwhile),
    };
    return cmocka_run_group_tests_name("lanes", tests, set_up, tear_down);
}
