#include "support.h"

#include "base/cpu.h"
#include "hash/stream.h"

#include <cid/hash.h>

#define LONGEST 700

static struct test_random random_numbers = {2};

/* Every function of this build, in pieces of every size, gives what it gives in one piece. */
static void pieces_make_the_whole(void **state)
{
    uint8_t bytes[LONGEST];
    (void)state;

    test_random_fill(&random_numbers, bytes, sizeof bytes);
    for (size_t f = 0; f < cid_hash_count(); f++) {
        struct cid_hash_info info;
        assert_error(cid_hash_at(&info, f), CID_OK);
        if (!info.available || info.code == CID_HASH_IDENTITY)
            continue;
        for (size_t piece = 1; piece <= LONGEST; piece += piece < 16 ? 5 : 41) {
            uint8_t whole[128], out[128];
            size_t written = 0, len = LONGEST - piece % 13;
            struct cid_hasher *hasher = NULL;

            assert_error(cid_hash_sum(whole, sizeof whole, NULL, info.code, CID_DIGEST_DEFAULT,
                                      bytes, len, NULL),
                         CID_OK);
            assert_error(cid_hasher_open(&hasher, info.code, CID_DIGEST_DEFAULT, NULL, NULL),
                         CID_OK);
            for (size_t at = 0; at < len; at += piece)
                assert_error(
                    cid_hasher_update(hasher, bytes + at, len - at < piece ? len - at : piece),
                    CID_OK);
            assert_error(cid_hasher_finish(out, sizeof out, &written, hasher), CID_OK);
            assert_int_equal(written, info.default_len);
            assert_memory_equal(out, whole, written);
            cid_hasher_close(hasher);
        }
    }
}

static void every_boundary_of_two_pieces(void **state)
{
    static const uint64_t codes[] = {CID_HASH_SHA2_256, CID_HASH_BLAKE2B_256, 0x1013};
    uint8_t bytes[300];
    (void)state;

    test_random_fill(&random_numbers, bytes, sizeof bytes);
    for (size_t c = 0; c < COUNT(codes); c++)
        for (size_t len = 0; len <= sizeof bytes; len += 1 + len % 3) {
            struct cid_hasher *hasher = NULL;
            uint8_t whole[32], out[32];

            assert_error(cid_hasher_open(&hasher, codes[c], CID_DIGEST_DEFAULT, NULL, NULL),
                         CID_OK);
            assert_error(cid_hash_sum(whole, sizeof whole, NULL, codes[c], CID_DIGEST_DEFAULT,
                                      bytes, len, NULL),
                         CID_OK);
            for (size_t cut = 0; cut <= len; cut++) {
                size_t written = 0;
                cid_hasher_reset(hasher);
                assert_error(cid_hasher_update(hasher, bytes, cut), CID_OK);
                assert_error(cid_hasher_update(hasher, NULL, 0), CID_OK);
                assert_error(cid_hasher_update(hasher, bytes + cut, len - cut), CID_OK);
                assert_error(cid_hasher_finish(out, sizeof out, &written, hasher), CID_OK);
                assert_memory_equal(out, whole, written);
            }
            cid_hasher_close(hasher);
        }
}

/* One function of every provider. */
static const uint64_t providers[] = {CID_HASH_SHA2_256, 0xb220, 0x1b,
                                     CID_HASH_SHA2_512, 0x11,   0xd5};

static void digest_on_the_way(uint64_t code)
{
    uint8_t first[64], second[64], out[64];
    struct cid_hasher *hasher = NULL;
    size_t written = 0, len = 0;

    assert_error(cid_hash_sum(first, 64, &len, code, CID_DIGEST_DEFAULT, "abc", 3, NULL), CID_OK);
    assert_error(cid_hash_sum(second, 64, &len, code, CID_DIGEST_DEFAULT, "abcdef", 6, NULL),
                 CID_OK);
    assert_error(cid_hasher_open(&hasher, code, CID_DIGEST_DEFAULT, NULL, NULL), CID_OK);
    assert_error(cid_hasher_update(hasher, "abc", 3), CID_OK);
    assert_error(cid_hasher_finish(out, len - 1, &written, hasher), CID_E_NOSPACE);
    assert_int_equal(written, len);
    assert_error(cid_hasher_finish(out, len, NULL, hasher), CID_OK);
    assert_memory_equal(out, first, len);
    assert_error(cid_hasher_update(hasher, "def", 3), CID_OK);
    assert_error(cid_hasher_finish(out, len, NULL, hasher), CID_OK);
    assert_memory_equal(out, second, len);
    assert_error(cid_hasher_finish(out, len, NULL, hasher), CID_OK);
    assert_memory_equal(out, second, len);
    cid_hasher_reset(hasher);
    assert_error(cid_hasher_update(hasher, "abc", 3), CID_OK);
    assert_error(cid_hasher_finish(out, len, NULL, hasher), CID_OK);
    assert_memory_equal(out, first, len);
    cid_hasher_close(hasher);
}

static void a_digest_on_the_way_disturbs_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(providers); i++)
        if (test_has_hash(providers[i]))
            digest_on_the_way(providers[i]);
}

/* The processor of a hasher that is at work may lose features, as tests have it. */
static void a_hasher_stays_with_its_tier(void **state)
{
    struct cid_hasher *hasher = NULL;
    uint8_t whole[32], out[32];
    (void)state;

    assert_error(cid_hash_sum(whole, 32, NULL, CID_HASH_SHA2_256, 32, "abcdef", 6, NULL), CID_OK);
    for (int portable_first = 0; portable_first < 2; portable_first++) {
        cid__cpu_mask(portable_first ? CID__CPU_TIER_PORTABLE : CID__CPU_ALL);
        assert_error(cid_hasher_open(&hasher, CID_HASH_SHA2_256, 32, NULL, NULL), CID_OK);
        assert_error(cid_hasher_update(hasher, "abc", 3), CID_OK);
        cid__cpu_mask(portable_first ? CID__CPU_ALL : CID__CPU_TIER_PORTABLE);
        assert_error(cid_hasher_update(hasher, "def", 3), CID_OK);
        assert_error(cid_hasher_finish(out, 32, NULL, hasher), CID_OK);
        assert_memory_equal(out, whole, 32);
        cid_hasher_close(hasher);
    }
    cid__cpu_mask(CID__CPU_ALL);
}

static void cut_digests(void **state)
{
    static const struct {
        uint64_t code;
        size_t len;
    } rows[] = {{CID_HASH_SHA2_256, 20}, {CID_HASH_SHA2_256, 1}, {0xb240, 20}, {0x20, 20}};
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cid_hasher *hasher = NULL;
        uint8_t out[64], whole[64];
        size_t written = 0;

        if (!test_has_hash(rows[i].code))
            continue;
        assert_error(cid_hash_sum(whole, sizeof whole, NULL, rows[i].code, CID_DIGEST_DEFAULT,
                                  "abc", 3, NULL),
                     CID_OK);
        assert_error(cid_hasher_open(&hasher, rows[i].code, rows[i].len, NULL, NULL), CID_OK);
        assert_error(cid_hasher_update(hasher, "abc", 3), CID_OK);
        memset(out, 0xa5, sizeof out);
        assert_error(cid_hasher_finish(out, rows[i].len, &written, hasher), CID_OK);
        assert_int_equal(written, rows[i].len);
        assert_memory_equal(out, whole, written);
        assert_int_equal(out[written], 0xa5);
        cid_hasher_close(hasher);
    }
}

static void identity_has_a_limit(void **state)
{
    uint8_t bytes[CID_HASHER_IDENTITY_MAX + 1] = {1, 2, 3}, out[sizeof bytes];
    struct cid_hasher *hasher = NULL;
    size_t written = 4711;
    (void)state;

    assert_error(cid_hasher_open(&hasher, CID_HASH_IDENTITY, 5, NULL, NULL), CID_E_DIGEST_LENGTH);
    assert_error(cid_hasher_open(&hasher, CID_HASH_IDENTITY, CID_DIGEST_DEFAULT, NULL, NULL),
                 CID_OK);
    assert_error(cid_hasher_finish(out, 0, &written, hasher), CID_OK);
    assert_int_equal(written, 0);
    assert_error(cid_hasher_update(hasher, bytes, 2), CID_OK);
    assert_error(cid_hasher_update(hasher, bytes + 2, sizeof bytes - 3), CID_OK);
    assert_error(cid_hasher_finish(out, sizeof out, &written, hasher), CID_OK);
    assert_int_equal(written, CID_HASHER_IDENTITY_MAX);
    assert_memory_equal(out, bytes, written);
    assert_error(cid_hasher_finish(out, written - 1, &written, hasher), CID_E_NOSPACE);
    assert_error(cid_hasher_update(hasher, bytes, 1), CID_E_DIGEST_LENGTH);
    assert_error(cid_hasher_update(hasher, bytes, 0), CID_E_DIGEST_LENGTH);
    assert_error(cid_hasher_finish(out, sizeof out, &written, hasher), CID_E_DIGEST_LENGTH);
    cid_hasher_reset(hasher);
    assert_error(cid_hasher_update(hasher, "abc", 3), CID_OK);
    assert_error(cid_hasher_finish(out, 3, &written, hasher), CID_OK);
    assert_memory_equal(out, "abc", 3);
    cid_hasher_close(hasher);
}

static enum cid_error any_sum(void *ctx, uint8_t *out, size_t out_len, const void *data,
                              size_t data_len)
{
    (void)ctx, (void)out, (void)out_len, (void)data, (void)data_len;
    return CID_OK;
}

static void opening_fails_cleanly(void **state)
{
    struct cid_hash_function function = {CID_HASH_SHA2_256, 32, 32, 32, any_sum, NULL};
    struct cid_hash_options options = {.functions = &function, .function_count = 1};
    struct cid_hasher *hasher;
    struct test_alloc counting;
    (void)state;

    hasher = (struct cid_hasher *)&function;
    assert_error(cid_hasher_open(&hasher, 0x300002, 32, NULL, NULL), CID_E_HASH_UNKNOWN);
    assert_null(hasher);
    assert_error(cid_hasher_open(&hasher, CID_HASH_SHA2_256, 33, NULL, NULL), CID_E_DIGEST_LENGTH);
    assert_error(cid_hasher_open(&hasher, CID_HASH_SHA2_256, 32, &options, NULL),
                 CID_E_HASH_ABSENT);
    test_alloc_init(&counting, 0);
    hasher = (struct cid_hasher *)&function;
    assert_error(cid_hasher_open(&hasher, CID_HASH_SHA2_256, 32, NULL, &counting.allocator),
                 CID_E_NOMEM);
    assert_null(hasher);
    cid_hasher_close(NULL);
    test_alloc_init(&counting, SIZE_MAX);
    assert_error(cid_hasher_open(&hasher, CID_HASH_SHA2_256, 32, NULL, &counting.allocator),
                 CID_OK);
    assert_int_equal(counting.calls, 1);
    cid_hasher_close(hasher);
    assert_int_equal(counting.live, 0);
}

/* A state that outgrew its room would overwrite the stack. */
static void states_fit(void **state)
{
    (void)state;
    for (size_t i = 0; i < cid_hash_count(); i++) {
        struct cid_hash_info info;
        assert_error(cid_hash_at(&info, i), CID_OK);
        if (info.available && info.code != CID_HASH_IDENTITY)
            assert_true(cid__stream_find(info.code)->state_size <= CID__STREAM_STATE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_make_the_whole),
        cmocka_unit_test(every_boundary_of_two_pieces),
        cmocka_unit_test(a_digest_on_the_way_disturbs_nothing),
        cmocka_unit_test(a_hasher_stays_with_its_tier),
        cmocka_unit_test(cut_digests),
        cmocka_unit_test(identity_has_a_limit),
        cmocka_unit_test(opening_fails_cleanly),
        cmocka_unit_test(states_fit),
    };
    return cmocka_run_group_tests_name("hasher", tests, NULL, NULL);
}
