/* Which way messages go when they are hashed many at once; test_many.c has what comes of them. */
#include "support.h"

#include "base/cpu.h"
#include "cid/verify.h"
#include "hash/lanes.h"

#include <cid/cid.h>

/* Every set of features makes its own choice of kernels; those this processor lacks come twice. */
static const uint32_t tiers[] = {
    CID__CPU_TIER_PORTABLE,          CID__CPU_AVX2,        CID__CPU_SHA, CID__CPU_TIER_SHA,
    CID__CPU_AVX2 | CID__CPU_AVX512, CID__CPU_TIER_AVX512, CID__CPU_ALL,
};

static uint8_t bytes[5000];

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
        assert_int_equal(cid__lanes_sha256()->lanes, 16);
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

static void (*real_wave)(struct cid__wave *wave);
static size_t in_waves;

static void counted_wave(struct cid__wave *wave)
{
    in_waves += wave->count;
    real_wave(wave);
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
        for (size_t n = 1; n <= 300; n += n < 40 ? 1 : 65)
            for (size_t f = 0; f < 2; f++) {
                const struct cid__lane_kind *kind;
                struct cid__ahead nothing = {0, 0};
                struct same same = {n % 2 ? 300 : 0, n};
                struct cid__lane_io io = {feed_same, drop, &same, &nothing};
                struct cid__lane_kind counted;
                size_t last = n % 256; /* of a window */
                cid__cpu_mask(tiers[t]);
                kind = f == 0 ? cid__lanes_sha256() : cid__lanes_blake2b();
                if (!kind)
                    continue;
                counted = *kind;
                counted.wave = counted_wave;
                real_wave = kind->wave;
                in_waves = 0;
                assert_non_null(real_wave);
                cid__lanes_run(&counted, &io);
                last %= kind->lanes;
                assert_int_equal(in_waves, last < kind->worth ? n - last : n);
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
        cmocka_unit_test(what_comes_next_is_fetched_meanwhile),
    };
    return cmocka_run_group_tests_name("lanes", tests, NULL, tear_down);
}
