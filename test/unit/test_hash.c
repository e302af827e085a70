#include "support.h"

#include <cid/cid.h>
#include <cid/hash.h>

#define ABC_SHA256 "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define ABC_SHA512                                                                                 \
    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"                             \
    "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
#define ABC_BLAKE2B_256 "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"

static void every_row_is_sound(void **state)
{
    struct cid_hash_info info, again;
    uint64_t last = 0;
    (void)state;

    assert_true(cid_hash_count() > 120);
    for (size_t i = 0; i < cid_hash_count(); i++) {
        assert_error(cid_hash_at(&info, i), CID_OK);
        assert_non_null(info.name);
        assert_true(i == 0 || info.code > last);
        assert_true(info.min_len <= info.default_len && info.default_len <= info.max_len);
        assert_error(cid_hash_by_code(&again, info.code), CID_OK);
        assert_string_equal(again.name, info.name);
        assert_error(cid_hash_by_name(&again, info.name, strlen(info.name)), CID_OK);
        assert_true(again.code == info.code);
        last = info.code;
    }
    assert_error(cid_hash_at(&info, cid_hash_count()), CID_E_NOT_FOUND);
    assert_error(cid_hash_by_code(&info, 0x55), CID_E_NOT_FOUND);
    assert_error(cid_hash_by_code(&info, 0x300002), CID_E_NOT_FOUND);
    assert_error(cid_hash_by_name(&info, "raw", 3), CID_E_NOT_FOUND);
    assert_error(cid_hash_by_name(&info, "sha2-25", 7), CID_E_NOT_FOUND);
}

static void the_names_carry_the_lengths(void **state)
{
    /* blake2b-8 … blake2b-512 and blake2s-8 … blake2s-256 say their own bits. */
    static const char *const families[] = {"blake2b-", "blake2s-"};
    (void)state;

    for (size_t f = 0; f < COUNT(families); f++) {
        size_t seen = 0;
        for (size_t i = 0; i < cid_hash_count(); i++) {
            struct cid_hash_info info;
            assert_error(cid_hash_at(&info, i), CID_OK);
            if (strncmp(info.name, families[f], 8) != 0)
                continue;
            seen++;
            assert_int_equal(info.max_len * 8, strtoul(info.name + 8, NULL, 10));
        }
        assert_int_equal(seen, f == 0 ? 64 : 32);
    }
}

static void hashes_what_others_hash(void **state)
{
    static const struct {
        uint64_t code;
        const char *hex;
    } rows[] = {
        {CID_HASH_SHA2_256, ABC_SHA256},
        {CID_HASH_SHA2_512, ABC_SHA512},
        {CID_HASH_BLAKE2B_256, ABC_BLAKE2B_256},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct test_bytes digest = test_hex(rows[i].hex);
        uint8_t out[64];
        size_t written = 0;

        if (!test_has_hash(rows[i].code)) {
            test_bytes_free(&digest);
            continue;
        }
        assert_error(cid_hash_sum(out, sizeof out, &written, rows[i].code, CID_DIGEST_DEFAULT,
                                  "abc", 3, NULL),
                     CID_OK);
        assert_int_equal(written, digest.len);
        assert_memory_equal(out, digest.data, digest.len);
        assert_error(cid_hash_sum(out, 20, &written, rows[i].code, 20, "abc", 3, NULL), CID_OK);
        assert_int_equal(written, 20);
        assert_memory_equal(out, digest.data, 20);
        assert_error(cid_hash_sum(out, 19, &written, rows[i].code, 20, "abc", 3, NULL),
                     CID_E_NOSPACE);
        assert_error(
            cid_hash_sum(out, sizeof out, NULL, rows[i].code, digest.len + 1, "abc", 3, NULL),
            CID_E_DIGEST_LENGTH);
        assert_error(cid_hash_sum(out, sizeof out, NULL, rows[i].code, 0, "abc", 3, NULL),
                     CID_E_DIGEST_LENGTH);
        test_bytes_free(&digest);
    }
}

static void says_what_it_cannot_hash(void **state)
{
    uint8_t out[64];
    size_t written = 4711;
    (void)state;

    assert_error(cid_hash_sum(out, sizeof out, &written, 0x300002, 32, "a", 1, NULL),
                 CID_E_HASH_UNKNOWN);
    assert_int_equal(written, 4711);
}

static void identity_is_the_data(void **state)
{
    struct cid_multihash_view hash = {CID_HASH_IDENTITY, (const uint8_t *)"hello", 5};
    uint8_t out[8];
    size_t written = 0;
    (void)state;

    assert_error(cid_hash_sum(out, sizeof out, &written, 0, CID_DIGEST_DEFAULT, "hello", 5, NULL),
                 CID_OK);
    assert_int_equal(written, 5);
    assert_memory_equal(out, "hello", 5);
    assert_error(cid_hash_sum(out, sizeof out, &written, 0, 4, "hello", 5, NULL),
                 CID_E_DIGEST_LENGTH);
    assert_error(cid_multihash_verify(&hash, "hello", 5, NULL), CID_OK);
    assert_error(cid_multihash_verify(&hash, "hellp", 5, NULL), CID_E_MISMATCH);
    assert_error(cid_multihash_verify(&hash, "hello!", 6, NULL), CID_E_MISMATCH);
    assert_error(cid_multihash_verify(&hash, NULL, 0, NULL), CID_E_MISMATCH);
    hash.digest_len = 0;
    assert_error(cid_multihash_verify(&hash, NULL, 0, NULL), CID_OK);
}

static void verifies_and_never_more_than_it_knows(void **state)
{
    static const struct {
        uint64_t code;
        size_t len;
        enum cid_error check;
    } rows[] = {
        {CID_HASH_SHA2_256, 32, CID_OK},
        {CID_HASH_SHA2_256, 20, CID_OK},
        {CID_HASH_SHA2_256, 19, CID_E_DIGEST_LENGTH},
        {CID_HASH_SHA2_256, 0, CID_E_DIGEST_LENGTH},
        {CID_HASH_SHA2_256, 33, CID_E_DIGEST_LENGTH},
        {0x22, 8, CID_E_UNVERIFIABLE},
        {0x300002, 32, CID_E_HASH_UNKNOWN},
        {0x55, 32, CID_E_HASH_UNKNOWN},
    };
    struct test_bytes digest = test_hex(ABC_SHA256 "00");
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cid_multihash_view hash = {rows[i].code, digest.data, rows[i].len};
        enum cid_error check = cid_hash_check(rows[i].code, rows[i].len, NULL);

        assert_error(check, rows[i].check);
        assert_error(cid_multihash_verify(&hash, "abc", 3, NULL),
                     check == CID_OK ? CID_OK : CID_E_UNVERIFIABLE);
        assert_error(cid_multihash_verify(&hash, "abd", 3, NULL),
                     check == CID_OK ? CID_E_MISMATCH : CID_E_UNVERIFIABLE);
    }
    test_bytes_free(&digest);
}

/* A toy function: every byte of the digest is the sum of the data and the context's start. */
static enum cid_error toy_sum(void *ctx, uint8_t *out, size_t out_len, const void *data,
                              size_t data_len)
{
    uint8_t sum = *(const uint8_t *)ctx;
    for (size_t i = 0; i < data_len; i++)
        sum = (uint8_t)(sum + ((const uint8_t *)data)[i]);
    memset(out, sum, out_len);
    return CID_OK;
}

static enum cid_error failing_sum(void *ctx, uint8_t *out, size_t out_len, const void *data,
                                  size_t data_len)
{
    (void)ctx, (void)out, (void)out_len, (void)data, (void)data_len;
    return CID_E_IO;
}

static void a_caller_may_bring_functions(void **state)
{
    uint8_t start = 7;
    struct cid_hash_function functions[] = {
        {0x300002, 32, 32, 32, toy_sum, &start},
        {CID_HASH_SHA2_256, 32, 32, 32, toy_sum, &start},
        {0x300003, 32, 200, 100, failing_sum, NULL},
    };
    struct cid_hash_options options = {.functions = functions, .function_count = 3};
    struct cid_prefix prefix = {CID_CODEC_RAW, 0x300002, CID_DIGEST_DEFAULT, 1};
    struct test_alloc counting;
    struct cid_view view;
    struct cid cid;
    (void)state;

    assert_error(cid_prefix_sum(&cid, &prefix, "\x01\x02", 2, &options, NULL), CID_OK);
    view = cid_as_view(&cid);
    assert_int_equal(view.hash.digest_len, 32);
    assert_int_equal(view.hash.digest[31], 10);
    assert_error(cid_verify(&view, "\x02\x01", 2, &options), CID_OK);
    assert_error(cid_verify(&view, "\x02\x02", 2, &options), CID_E_MISMATCH);
    assert_error(cid_verify(&view, "\x02\x01", 2, NULL), CID_E_UNVERIFIABLE);
    prefix.digest_len = 20;
    assert_error(cid_prefix_sum(&cid, &prefix, "\x01", 1, &options, NULL), CID_OK);
    assert_int_equal(cid.raw.len, 27);
    /* It replaces the library's own of the same code. */
    prefix = (struct cid_prefix){CID_CODEC_RAW, CID_HASH_SHA2_256, 32, 1};
    assert_error(cid_prefix_sum(&cid, &prefix, "", 0, &options, NULL), CID_OK);
    assert_int_equal(cid_bytes_of(&cid.raw)[35], 7);
    /* A failure frees what was reserved. */
    prefix = (struct cid_prefix){CID_CODEC_RAW, 0x300003, CID_DIGEST_DEFAULT, 1};
    test_alloc_init(&counting, SIZE_MAX);
    assert_error(cid_prefix_sum(&cid, &prefix, "", 0, &options, &counting.allocator), CID_E_IO);
    assert_int_equal(counting.calls, 1);
    assert_int_equal(counting.live, 0);
    assert_false(cid_is_defined(&cid));
}

static void sums_are_built_in_one_piece(void **state)
{
    static const size_t lens[] = {0, 5, 75, 76, 77, 200};
    uint8_t data[200];
    (void)state;

    memset(data, 0x78, sizeof data);
    for (size_t i = 0; i < COUNT(lens); i++) {
        size_t overhead = lens[i] > 127 ? 5 : 4;
        size_t calls = lens[i] + overhead > CID_SMALL ? 1 : 0;
        struct test_alloc counting;
        struct cid_bytes hash;
        struct cid cid;

        test_alloc_init(&counting, SIZE_MAX);
        assert_error(cid_sum_v1(&cid, CID_CODEC_RAW, CID_HASH_IDENTITY, CID_DIGEST_DEFAULT, data,
                                lens[i], &counting.allocator),
                     CID_OK);
        assert_int_equal(counting.calls, calls);
        assert_int_equal(cid.raw.len, lens[i] + overhead);
        cid_free(&cid, &counting.allocator);
        assert_error(cid_multihash_sum(&hash, CID_HASH_IDENTITY, CID_DIGEST_DEFAULT, data, lens[i],
                                       NULL, &counting.allocator),
                     CID_OK);
        assert_int_equal(hash.len, lens[i] + overhead - 2);
        cid_bytes_free(&hash, &counting.allocator);
        assert_int_equal(counting.live, 0);
    }
}

static void an_identity_template_takes_the_new_length(void **state)
{
    struct cid_prefix prefix = {CID_CODEC_RAW, CID_HASH_IDENTITY, 32, 1};
    struct test_bytes expected = test_hex("0155000568656c6c6f");
    struct cid cid;
    (void)state;

    assert_error(cid_prefix_sum(&cid, &prefix, "hello", 5, NULL, NULL), CID_OK);
    assert_int_equal(cid.raw.len, expected.len);
    assert_memory_equal(cid_bytes_of(&cid.raw), expected.data, expected.len);
    test_bytes_free(&expected);
}

static void commitments_are_unverifiable(void **state)
{
    uint8_t digest[32] = {0};
    struct cid cid;
    struct cid_view view;
    (void)state;

    for (uint64_t codec = 0xf101; codec <= 0xf102; codec++) {
        assert_error(cid_make_v1(&cid, codec, CID_HASH_SHA2_256, digest, 32, NULL), CID_OK);
        view = cid_as_view(&cid);
        assert_error(cid_verify(&view, "", 0, NULL), CID_E_UNVERIFIABLE);
        assert_error(cid_can_verify(&view, NULL), CID_E_UNVERIFIABLE);
    }
    view = (struct cid_view){0};
    assert_error(cid_verify(&view, "", 0, NULL), CID_E_ARGUMENT);
    assert_error(cid_can_verify(&view, NULL), CID_E_ARGUMENT);
}

static void makes_the_cids_of_data(void **state)
{
    struct cid cid;
    struct cid_view view;
    (void)state;

    assert_error(cid_sum_v0(&cid, "", 0, NULL), CID_OK);
    view = cid_as_view(&cid);
    assert_int_equal(view.version, 0);
    assert_error(cid_verify(&view, "", 0, NULL), CID_OK);
    assert_error(
        cid_sum_v1(&cid, CID_CODEC_RAW, CID_HASH_SHA2_256, CID_DIGEST_DEFAULT, "abc", 3, NULL),
        CID_OK);
    view = cid_as_view(&cid);
    assert_error(cid_verify(&view, "abc", 3, NULL), CID_OK);
    assert_error(cid_verify(&view, "abC", 3, NULL), CID_E_MISMATCH);
}

static void verdicts_have_names(void **state)
{
    (void)state;
    assert_string_equal(cid_verdict_name(CID_UNCHECKED), "unchecked");
    assert_string_equal(cid_verdict_name(CID_GOOD), "ok");
    assert_string_equal(cid_verdict_name(CID_MISMATCH), "mismatch");
    assert_string_equal(cid_verdict_name(CID_UNVERIFIABLE), "unverifiable");
    assert_string_equal(cid_verdict_name((enum cid_verdict)9), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_sound),
        cmocka_unit_test(the_names_carry_the_lengths),
        cmocka_unit_test(hashes_what_others_hash),
        cmocka_unit_test(says_what_it_cannot_hash),
        cmocka_unit_test(identity_is_the_data),
        cmocka_unit_test(verifies_and_never_more_than_it_knows),
        cmocka_unit_test(a_caller_may_bring_functions),
        cmocka_unit_test(sums_are_built_in_one_piece),
        cmocka_unit_test(an_identity_template_takes_the_new_length),
        cmocka_unit_test(commitments_are_unverifiable),
        cmocka_unit_test(makes_the_cids_of_data),
        cmocka_unit_test(verdicts_have_names),
    };
    return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
