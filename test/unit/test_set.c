/* The set of CIDs, and the keyed hash that it stands on. */
#include "support.h"

#include "cid/keyed.h"
#include "cid/set_shape.h"

#include <cid/set.h>

#define MANY 100000

/* A CID in bytes of its own. */
struct sample {
    uint8_t bytes[512];
    struct cid_view view;
};

static void make(struct sample *out, uint64_t hash_code, const uint8_t *digest, size_t len)
{
    size_t written = 0;
    assert_error(cid_write_v1(out->bytes, sizeof out->bytes, &written, CID_CODEC_RAW, hash_code,
                              digest, len),
                 CID_OK);
    assert_error(cid_read_exact(&out->view, out->bytes, written), CID_OK);
}

/* Number i of an endless row of different CIDs: sha2-256, or identity of 8 to 208 bytes. */
static void make_nth(struct sample *out, uint64_t i, bool mixed)
{
    struct test_random random = {i};
    uint8_t digest[256];
    size_t len = mixed && i % 3 != 0 ? 8 + (size_t)(i * 7 % 201) : 32;

    test_random_fill(&random, digest, len);
    make(out, len == 32 ? CID_HASH_SHA2_256 : CID_HASH_IDENTITY, digest, len);
}

static struct cid_set *open_seeded(uint64_t seed, const struct cid_allocator *alloc)
{
    const struct cid_set_options options = {.seed = seed};
    struct cid_set *set = NULL;

    assert_error(cid_set_open_with(&set, &options, alloc), CID_OK);
    assert_non_null(set);
    return set;
}

static void add_new(struct cid_set *set, const struct cid_view *view)
{
    bool added = false;
    assert_error(cid_set_add(set, &added, view), CID_OK);
    assert_true(added);
}

/* Fails the test unless the set holds exactly the first count of the row, numbered in order. */
static void assert_holds(const struct cid_set *set, uint64_t count, bool mixed)
{
    struct sample sample;
    struct cid_view view;
    uint64_t number = 0;

    assert_int_equal(cid_set_count(set), count);
    for (uint64_t i = 0; i < count; i++) {
        make_nth(&sample, i, mixed);
        assert_true(cid_set_has(set, &sample.view));
        assert_error(cid_set_find(&number, set, &sample.view), CID_OK);
        assert_int_equal(number, i);
        assert_error(cid_set_at(&view, set, i), CID_OK);
        assert_true(cid_equal(&view, &sample.view));
    }
    make_nth(&sample, count, mixed);
    assert_false(cid_set_has(set, &sample.view));
}

/* ---- what a set does ---------------------------------------------------------------------- */

static void adds_each_once(void **state)
{
    struct cid_set *set = NULL;
    struct sample a, b;
    uint64_t number = 4711;
    bool added = true;
    (void)state;

    make_nth(&a, 1, false);
    make_nth(&b, 2, false);
    assert_error(cid_set_open(&set, NULL), CID_OK);
    assert_int_equal(cid_set_count(set), 0);
    assert_false(cid_set_has(set, &a.view));
    assert_error(cid_set_find(&number, set, &a.view), CID_E_NOT_FOUND);
    assert_int_equal(number, 4711);
    add_new(set, &a.view);
    add_new(set, &b.view);
    assert_error(cid_set_add(set, &added, &a.view), CID_OK);
    assert_false(added);
    assert_error(cid_set_add(set, NULL, &b.view), CID_OK);
    assert_int_equal(cid_set_count(set), 2);
    assert_error(cid_set_find(&number, set, &b.view), CID_OK);
    assert_int_equal(number, 1);
    cid_set_close(set);
    cid_set_close(NULL);
}

static void is_asked_by_bytes(void **state)
{
    struct cid_set *set = open_seeded(1, NULL);
    struct sample v1, other, cut;
    uint8_t digest[32] = {1, 2, 3};
    struct cid v0;
    struct cid_view view;
    (void)state;

    make(&v1, CID_HASH_SHA2_256, digest, 32);
    v1.bytes[1] = CID_CODEC_DAG_PB;
    assert_error(cid_read_exact(&v1.view, v1.bytes, v1.view.len), CID_OK);
    assert_error(cid_make_v0(&v0, digest, 32, NULL), CID_OK);
    view = cid_as_view(&v0);
    assert_true(cid_same_content(&view, &v1.view));
    add_new(set, &v1.view);
    assert_false(cid_set_has(set, &view));
    add_new(set, &view);
    make(&other, 0xb220, digest, 32);
    add_new(set, &other.view);
    make(&cut, CID_HASH_SHA2_256, digest, 31);
    add_new(set, &cut.view);
    assert_int_equal(cid_set_count(set), 4);
    assert_error(cid_set_at(&view, set, 1), CID_OK);
    assert_int_equal(view.version, 0);
    assert_error(cid_set_at(&view, set, 2), CID_OK);
    assert_int_equal(view.hash.code, 0xb220);
    cid_set_close(set);
}

static void refuses_the_undefined_cid(void **state)
{
    struct cid_set *set = open_seeded(1, NULL);
    const struct cid_view undefined = {0};
    struct cid_view view = {.len = 4711};
    struct sample a;
    uint64_t number = 4711;
    bool added = true;
    (void)state;

    make_nth(&a, 0, false);
    for (int round = 0; round < 2; round++) { /* empty, and not */
        assert_error(cid_set_add(set, &added, &undefined), CID_E_ARGUMENT);
        assert_true(added);
        assert_false(cid_set_has(set, &undefined));
        assert_error(cid_set_find(&number, set, &undefined), CID_E_NOT_FOUND);
        assert_int_equal(cid_set_count(set), (uint64_t)round);
        assert_error(cid_set_at(&view, set, (uint64_t)round), CID_E_NOT_FOUND);
        assert_error(cid_set_at(&view, set, UINT64_C(0x100000000)), CID_E_NOT_FOUND);
        assert_error(cid_set_at(&view, set, UINT64_MAX), CID_E_NOT_FOUND);
        assert_int_equal(view.len, 4711);
        assert_int_equal(number, 4711);
        if (round == 0)
            add_new(set, &a.view);
    }
    cid_set_close(set);
}

static void views_outlive_additions(void **state)
{
    struct cid_set *set = open_seeded(1, NULL);
    struct cid_view views[8];
    struct sample sample;
    (void)state;

    for (uint64_t i = 0; i < 5000; i++) {
        make_nth(&sample, i, true);
        add_new(set, &sample.view);
        memset(&sample, 0xee, sizeof sample); /* the set has copies */
        if (i < COUNT(views))
            assert_error(cid_set_at(&views[i], set, i), CID_OK);
    }
    for (size_t i = 0; i < COUNT(views); i++) {
        struct cid_view again;
        make_nth(&sample, i, true);
        assert_true(cid_equal(&views[i], &sample.view));
        assert_error(cid_set_at(&again, set, i), CID_OK);
        assert_ptr_equal(again.bytes, views[i].bytes);
    }
    cid_set_close(set);
}

static void holds_a_hundred_thousand(void **state)
{
    struct test_alloc counting;
    struct cid_set *set;
    struct cid__set_shape shape;
    struct sample sample;
    bool added = true;
    (void)state;

    test_alloc_init(&counting, SIZE_MAX);
    set = open_seeded(7, &counting.allocator);
    for (uint64_t i = 0; i < MANY; i++) {
        make_nth(&sample, i, false);
        add_new(set, &sample.view);
    }
    assert_holds(set, MANY, false);
    make_nth(&sample, 77777, false);
    assert_error(cid_set_add(set, &added, &sample.view), CID_OK);
    assert_false(added);
    shape = cid__set_shape(set);
    assert_true(shape.buckets >= MANY);
    assert_true(shape.longest < 16);
    assert_true(counting.calls < 50); /* slabs and tables, nothing for each CID */
    cid_set_close(set);
    assert_int_equal(counting.live, 0);
}

#define LARGEST 3000000

/* An identity CID of len bytes 5a, at the end of a guarded page. */
static struct cid_view sized(uint8_t *buffer, size_t len)
{
    static const uint8_t head[] = {1, CID_CODEC_RAW, CID_HASH_IDENTITY};
    size_t written = 0;
    size_t total;
    struct cid_view view = {0};

    memset(buffer, 0x5a, sizeof head + 9 + len);
    memcpy(buffer, head, sizeof head);
    assert_error(cid_varint_write(buffer + sizeof head, 9, &written, len), CID_OK);
    total = sizeof head + written + len;
    assert_error(cid_read_exact(&view, test_guard(buffer, total), total), CID_OK);
    return view;
}

static void takes_every_size(void **state)
{
    static const size_t larger[] = {4000, 4096, 70000, 1100000, LARGEST, 301};
    struct cid_set *set = open_seeded(3, NULL);
    uint8_t *buffer = malloc(LARGEST + 12);
    (void)state;

    assert_non_null(buffer);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < 300 + COUNT(larger); i++) {
            struct cid_view view = sized(buffer, i < 300 ? i : larger[i - 300]);
            struct cid_view held;
            uint64_t number = 0;

            if (round == 0)
                add_new(set, &view);
            assert_error(cid_set_find(&number, set, &view), CID_OK);
            assert_int_equal(number, i);
            assert_error(cid_set_at(&held, set, i), CID_OK);
            assert_true(cid_equal(&held, &view));
            test_guard_release();
        }
    }
    free(buffer);
    cid_set_close(set);
}

/* ---- without memory ----------------------------------------------------------------------- */

#define ROW 700 /* enough for several slabs, chunks and tables */

/* Adds the row with an allocator that refuses the call number `grace` + 1; whether it came to it.
 */
static bool survives_refusal(size_t grace)
{
    const struct cid_set_options options = {.seed = 5};
    struct test_alloc failing;
    struct cid_set *set = (struct cid_set *)&failing;
    struct sample sample;
    bool refused = false;

    test_alloc_init(&failing, grace);
    if (cid_set_open_with(&set, &options, &failing.allocator) != CID_OK) {
        assert_null(set);
        assert_int_equal(grace, 0);
        return true;
    }
    for (uint64_t i = 0; i < ROW; i++) {
        bool added = false;
        enum cid_error error;

        make_nth(&sample, i, true);
        error = cid_set_add(set, &added, &sample.view);
        if (error) {
            assert_error(error, CID_E_NOMEM);
            assert_false(refused || added);
            refused = true;
            assert_holds(set, i, true);
            assert_error(cid_set_add(set, &added, &sample.view), CID_E_NOMEM); /* and again */
            assert_holds(set, i, true);
            failing.grace = SIZE_MAX;
            add_new(set, &sample.view);
        }
    }
    assert_holds(set, ROW, true);
    cid_set_close(set);
    assert_int_equal(failing.live, 0);
    return refused;
}

static void survives_every_refusal(void **state)
{
    size_t grace = 0;
    (void)state;

    while (survives_refusal(grace))
        grace++;
    assert_true(grace >
                12); /* the set, 5 slabs, 2 for the first table, 4 for larger ones, chunks */
}

static void closes_half_made_sets(void **state)
{
    struct sample sample;
    (void)state;

    make_nth(&sample, 1, true);
    assert_true(sample.view.len != 36);
    for (size_t grace = 1; grace < 6; grace++) {
        struct test_alloc failing;
        struct cid_set *set;
        bool enough;

        test_alloc_init(&failing, grace);
        set = open_seeded(1, &failing.allocator);
        enough = cid_set_add(set, NULL, &sample.view) == CID_OK;
        assert_int_equal(cid_set_count(set), enough ? 1 : 0);
        cid_set_close(set);
        assert_int_equal(failing.live, 0);
    }
}

/* ---- chosen CIDs -------------------------------------------------------------------------- */

/* A flood: digests that are all alike but for a counter, times step, in 8 bytes at `at`. */
static const struct {
    uint64_t hash_code;
    size_t digest_len;
    size_t at;
    uint64_t step;
} floods[] = {
    {CID_HASH_IDENTITY, 16, 8, 1}, /* agree in the first 8 bytes of the digest */
    {CID_HASH_IDENTITY, 16, 0, 1}, /* in the last 8 */
    {CID_HASH_IDENTITY, 16, 4, UINT64_C(1) << 32},
    {CID_HASH_IDENTITY, 8, 0, UINT64_C(1) << 44}, /* in the low bits of their only word */
    {CID_HASH_IDENTITY, 100, 50, 65536},          /* too long for the sum of products */
    {0x300001, 24, 16, UINT64_C(0x0000000100000001)},
    {CID_HASH_SHA2_256, 32, 0, 1}, /* digests that no data has */
    {CID_HASH_SHA2_256, 32, 8, 1},
    {CID_HASH_SHA2_256, 32, 24, UINT64_C(1) << 40},
};

#define FLOOD 30000

/* Fills a set with a flood; the work of finding each of its CIDs once. */
static uint64_t flood_probes(size_t f, uint64_t seed)
{
    struct cid_set *set = open_seeded(seed, NULL);
    struct cid__set_shape shape;
    uint8_t digest[128] = {0};
    struct sample sample;

    for (uint64_t i = 0; i < FLOOD; i++) {
        cid__store64le(digest + floods[f].at, i * floods[f].step);
        make(&sample, floods[f].hash_code, digest, floods[f].digest_len);
        add_new(set, &sample.view);
    }
    shape = cid__set_shape(set);
    assert_true(shape.longest < 20);
    cid_set_close(set);
    return shape.probes;
}

static void floods_are_as_good_as_chance(void **state)
{
    /* Found once each, n CIDs thrown into b buckets by chance take n + n (n - 1) / 2 b probes. */
    const double chance = FLOOD + (double)FLOOD * (FLOOD - 1) / (2 * 32768.0);
    (void)state;

    for (size_t f = 0; f < COUNT(floods); f++) {
        double probes = (double)flood_probes(f, 1000 + f);
        assert_true(probes < 1.1 * chance);
        assert_true(probes > 0.9 * chance);
    }
}

/* Codecs are free to choose as well: one digest, many CIDs. */
static void codecs_do_not_collide(void **state)
{
    struct cid_set *set = NULL;
    uint8_t digest[32] = {0};
    (void)state;

    assert_error(cid_set_open(&set, NULL), CID_OK); /* a drawn key must do as well */
    for (uint64_t i = 0; i < FLOOD; i++) {
        struct cid cid;
        struct cid_view view;
        assert_error(cid_make_v1(&cid, i << 20, CID_HASH_SHA2_256, digest, 32, NULL), CID_OK);
        view = cid_as_view(&cid);
        add_new(set, &view);
        cid_free(&cid, NULL);
    }
    assert_true(cid__set_shape(set).longest < 20);
    cid_set_close(set);
}

/* ---- the hash ----------------------------------------------------------------------------- */

/* Worked out by another program from the description, for the bytes 7 i + 1. */
static const struct {
    size_t len;
    uint32_t hash;
} keyed[] = {
    {4, 0xe5fc1a8a},  {7, 0x39c31e1a},  {8, 0xc078125c},  {9, 0xb3206a24},  {34, 0xa333d66d},
    {36, 0x08dd6cb5}, {38, 0x7da4fff9}, {80, 0x3c2c4fcd}, {81, 0x9c2ccec4}, {200, 0x0e12634e},
};

static void hashes_alike_on_every_machine(void **state)
{
    struct cid__keyed key;
    uint8_t bytes[200];
    (void)state;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(7 * i + 1);
    cid__keyed_set(&key, UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543210));
    for (size_t i = 0; i < COUNT(keyed); i++)
        assert_int_equal(cid__keyed_hash(&key, test_guard(bytes, keyed[i].len), keyed[i].len),
                         keyed[i].hash);
    test_guard_release();
}

static void every_bit_and_length_counts(void **state)
{
    struct cid__keyed key;
    uint8_t bytes[100] = {0};
    (void)state;

    cid__keyed_set(&key, 1, 2);
    for (size_t len = 1; len <= sizeof bytes; len++) {
        uint32_t hash = cid__keyed_hash(&key, bytes, len);
        assert_int_not_equal(hash, cid__keyed_hash(&key, bytes, len - 1));
        for (size_t bit = 0; bit < 8 * len; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            assert_int_not_equal(hash, cid__keyed_hash(&key, bytes, len));
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
    }
}

static void keys_are_drawn_anew(void **state)
{
    struct cid__keyed a, b;
    (void)state;

    cid__keyed_draw(&a);
    cid__keyed_draw(&b);
    assert_true(a.k0 != b.k0 && a.k1 != b.k1);
    assert_true(a.finish & b.finish & 1);
}

/* Twice the row at once, backwards, over a set that has a part of it. */
static void numbers_many(void **state)
{
    enum {
        MADE = 500,
        HAD = 70
    };
    static struct sample samples[MADE];
    static struct cid_view views[2 * MADE];
    static uint64_t numbers[2 * MADE];
    struct cid_set *set = open_seeded(7, NULL);
    struct cid_view undefined = {0};
    (void)state;

    for (size_t i = 0; i < MADE; i++) {
        make_nth(&samples[i], i, true);
        views[MADE - 1 - i] = views[2 * MADE - 1 - i] = samples[i].view;
        if (i < HAD)
            add_new(set, &samples[i].view);
    }
    assert_error(cid_set_number(set, numbers, views, 0), CID_OK);
    assert_error(cid_set_number(set, numbers, views, 2 * MADE), CID_OK);
    assert_int_equal(cid_set_count(set), MADE);
    for (size_t i = 0; i < 2 * MADE; i++) {
        uint64_t nth = MADE - 1 - i % MADE, number = 0;
        assert_int_equal(numbers[i], nth < HAD ? nth : HAD + i % MADE);
        assert_error(cid_set_find(&number, set, &views[i]), CID_OK);
        assert_int_equal(number, numbers[i]);
    }
    views[1] = undefined;
    assert_error(cid_set_number(set, numbers, views, 2), CID_E_ARGUMENT);
    assert_int_equal(cid_set_count(set), MADE);
    cid_set_close(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_each_once),
        cmocka_unit_test(numbers_many),
        cmocka_unit_test(is_asked_by_bytes),
        cmocka_unit_test(refuses_the_undefined_cid),
        cmocka_unit_test(views_outlive_additions),
        cmocka_unit_test(holds_a_hundred_thousand),
        cmocka_unit_test(takes_every_size),
        cmocka_unit_test(survives_every_refusal),
        cmocka_unit_test(closes_half_made_sets),
        cmocka_unit_test(floods_are_as_good_as_chance),
        cmocka_unit_test(codecs_do_not_collide),
        cmocka_unit_test(hashes_alike_on_every_machine),
        cmocka_unit_test(every_bit_and_length_counts),
        cmocka_unit_test(keys_are_drawn_anew),
    };
    return cmocka_run_group_tests_name("set", tests, NULL, NULL);
}
