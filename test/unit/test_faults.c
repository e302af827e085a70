/*
 * Faults that other implementations were found to have, and that no other test here has met. Where
 * each of the others is tested is told in docs/contributing.md.
 */
#include "car.h"

#include <cid/cid.h>

#define C1 "bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4"
#define D1 "bafkreigks6arfsq3xxfpvqrrwonchxcnu6do76auprhhfomao6c273sixm"
#define D2 "bafkreia6bo6wy2dlubilr2yd77xnyzh5zhmasr745aq2xps5nxeneuwfvq"
#define Q0 "QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n"

/* Bytes that made a reader of several multihashes in a row give up its process. */
static void a_run_of_multihashes_ends_in_an_error(void **state)
{
    struct test_bytes hex = test_hex("00010001cb9b0000000543");
    const uint8_t *in = test_guard(hex.data, hex.len);
    struct cid_multihash_view hash;
    struct cid_view view;
    uint64_t value = 0;
    size_t used = 0;
    (void)state;

    assert_error(cid_read(&view, &used, in, hex.len), CID_E_CID_EXPLICIT_V0);
    assert_error(cid_multihash_read(&hash, &used, in, hex.len), CID_OK);
    assert_int_equal(used, 3);
    assert_error(cid_varint_read(&value, &used, in + 3, hex.len - 3), CID_OK);
    assert_int_equal(used, 1);
    assert_error(cid_varint_read(&value, &used, in + 4, hex.len - 4), CID_E_VARINT_NOT_MINIMAL);
    assert_error(cid_multihash_read(&hash, &used, in + 3, hex.len - 3), CID_E_VARINT_NOT_MINIMAL);
    test_bytes_free(&hex);
    test_guard_release();
}

/* Any length is well-formed; whether the function makes it is asked when something is checked. */
static void digests_of_any_length_are_read(void **state)
{
    static const struct {
        const char *head;
        size_t len;
        size_t max;         /* the longest that the function makes */
        size_t default_len; /* what it makes when nothing is said */
    } rows[] = {
        {"111a", 26, 20, 20},       /* sha1, longer than it is */
        {"1804", 4, SIZE_MAX, 32},  /* shake-128 */
        {"1e20", 32, SIZE_MAX, 32}, /* blake3 */
        {"1e40", 64, SIZE_MAX, 32}, {"1e08", 8, SIZE_MAX, 32},
        {"2208", 8, 8, 8}, /* murmur3-x64-64, which the table tags as another kind of hash */
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct test_bytes head = test_hex(rows[i].head);
        struct cid_multihash_view hash;
        struct cid_hash_info info;
        uint8_t bytes[66] = {0};

        memcpy(bytes, head.data, head.len);
        assert_error(cid_multihash_read_exact(&hash, bytes, 2 + rows[i].len), CID_OK);
        assert_int_equal(hash.digest_len, rows[i].len);
        assert_error(cid_hash_by_code(&info, hash.code), CID_OK);
        assert_true(info.max_len == rows[i].max);
        assert_int_equal(info.default_len, rows[i].default_len);
        /* Nothing but zeros is the digest of nothing; and short ones are never good. */
        assert_int_not_equal(cid_multihash_verify(&hash, "", 0, NULL), CID_OK);
        if (rows[i].len < CID_DIGEST_MIN || rows[i].len > rows[i].max)
            assert_error(cid_multihash_verify(&hash, "", 0, NULL), CID_E_UNVERIFIABLE);
        test_bytes_free(&head);
    }
}

static void a_short_shake_digest_has_a_text(void **state)
{
    struct test_bytes expected = test_hex("015518047f9c2ba4");
    struct cid cid;
    (void)state;

    assert_error(cid_parse(&cid, "bafkrqbd7tqv2i", 14, NULL), CID_OK);
    assert_int_equal(cid.raw.len, expected.len);
    assert_memory_equal(cid_bytes_of(&cid.raw), expected.data, expected.len);
    test_bytes_free(&expected);
}

static void a_mebibyte_of_identity_is_a_view(void **state)
{
    size_t len = 6 + (1 << 20);
    uint8_t *bytes = calloc(1, len);
    struct cid_view view;
    uint64_t need = 0;
    (void)state;

    assert_non_null(bytes);
    memcpy(bytes, "\x01\x55\x00\x80\x80\x40", 6);
    assert_error(cid_read_exact(&view, bytes, len), CID_OK);
    assert_ptr_equal(view.hash.digest, bytes + 6);
    assert_int_equal(view.hash.digest_len, 1 << 20);
    assert_error(cid_read(&view, NULL, bytes, len - 1), CID_E_TRUNCATED);
    assert_error(cid_peek(&need, bytes, 6), CID_OK);
    assert_int_equal(need, len);
    free(bytes);
}

static void codes_of_all_kinds_are_read(void **state)
{
    static const struct {
        const char *text;
        uint64_t codec, hash;
        const char *codec_name; /* NULL: the table has none */
    } rows[] = {
        {"bafkyfagaaeqksseqj4xq6r43r6azo2klgamewdjo2ha42kq6yd5yluuzugjkiry", 0x55, 0x300002, "raw"},
        {"bagaybqabciqksseqj4xq6r43r6azo2klgamewdjo2ha42kq6yd5yluuzugjkiry", 0x300001, 0x12, NULL},
        {"bagbaierazklycewkdo64v6wcggzzui64jwtyn37ycr6e44vzqb3yll7ojc5q", 0x0202, 0x12, "car"},
        {"bagaachrazklycewkdo64v6wcggzzui64jwtyn37ycr6e44vzqb3yll7ojc5q", 0x80, 0x1e,
         "blake3-hashseq"},
        {"bafykbzaceahfouoae3suhmxivmxlayez3kq5dzo7i53y654h7kvultprf7r2q", 0x70, 0xb220, "dag-pb"},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cid_multicodec codec;
        struct cid_view view;
        struct cid cid;

        assert_error(cid_parse(&cid, rows[i].text, strlen(rows[i].text), NULL), CID_OK);
        view = cid_as_view(&cid);
        assert_true(view.codec == rows[i].codec);
        assert_true(view.hash.code == rows[i].hash);
        assert_int_equal(view.hash.digest_len, 32);
        assert_error(cid_multicodec_by_code(&codec, view.codec),
                     rows[i].codec_name ? CID_OK : CID_E_NOT_FOUND);
        if (rows[i].codec_name)
            assert_string_equal(codec.name, rows[i].codec_name);
        assert_int_equal(cid_multicodec_is_private(view.codec), !rows[i].codec_name);
    }
}

static int by_bytes(const void *a, const void *b)
{
    struct cid_view x = cid_as_view(a);
    struct cid_view y = cid_as_view(b);
    return cid_compare(&x, &y);
}

/* Sorted by bytes D2 is first; by the usual texts Q0 would be. */
static void the_order_is_that_of_the_bytes(void **state)
{
    static const char *const sorted[] = {D2, D1, Q0};
    static const char *const given[] = {Q0, D1, D2};
    struct cid cids[3];
    (void)state;

    for (size_t i = 0; i < 3; i++)
        assert_error(cid_parse(&cids[i], given[i], strlen(given[i]), NULL), CID_OK);
    qsort(cids, 3, sizeof cids[0], by_bytes);
    for (size_t i = 0; i < 3; i++) {
        struct cid_view view = cid_as_view(&cids[i]);
        char text[64];
        assert_error(cid_format(text, sizeof text, NULL, &view, CID_BASE_DEFAULT), CID_OK);
        assert_string_equal(text, sorted[i]);
    }
    assert_true(strcmp(Q0, D2) < 0);
}

/* What an owner held before, behind the bytes in use, is no part of the CID. */
static void unused_bytes_of_an_owner_do_not_count(void **state)
{
    struct cid a, b;
    struct cid_view x, y;
    (void)state;

    memset(&a, 0x00, sizeof a);
    memset(&b, 0xff, sizeof b);
    assert_error(cid_parse(&a, C1, strlen(C1), NULL), CID_OK);
    assert_error(cid_parse(&b, C1, strlen(C1), NULL), CID_OK);
    x = cid_as_view(&a);
    y = cid_as_view(&b);
    assert_true(cid_equal(&x, &y));
    assert_int_equal(cid_compare(&x, &y), 0);
    assert_true(cid_hash64(&x, 7) == cid_hash64(&y, 7));
}

static void what_surrounds_a_cid_is_placed(void **state)
{
    static const struct {
        const char *text;
        size_t len;
        uint64_t offset;
    } rows[] = {
        {C1 "\r\n", 61, 59}, {C1 " ", 60, 59},  {"\t" C1, 60, 0}, {"\xef\xbb\xbf" C1, 62, 0},
        {C1 "\0", 60, 59},   {Q0 "\n", 47, 46}, {" " Q0, 47, 0},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *text = (const char *)test_guard(rows[i].text, rows[i].len);
        struct cid_fault fault = {0};
        struct cid cid;

        assert_int_not_equal(cid_parse(&cid, text, rows[i].len, NULL), CID_OK);
        cid_diagnose(&fault, text, rows[i].len);
        assert_int_equal(fault.where, CID_WHERE_TEXT);
        assert_int_equal(fault.offset, rows[i].offset);
    }
    test_guard_release();
}

/* A CID that is longer than any buffer somebody may have thought enough, a byte at a time. */
static void a_long_cid_comes_in_pieces(void **state)
{
    uint8_t bytes[18 + 2 + 605 + 1];
    struct test_bytes head = test_hex(CAR_E0 "de04"
                                             "015500d804"); /* 606 = 5 + 600 + 1 */
    struct car_run run;
    (void)state;

    memset(bytes, 'x', sizeof bytes);
    memcpy(bytes, head.data, head.len);
    run = car_run_every_way(bytes, sizeof bytes, NULL);
    assert_string_equal(run.text, "18+608! end");
    car_run_free(&run);
    test_bytes_free(&head);
}

static void blake3_is_not_of_the_profile(void **state)
{
    uint8_t digest[32] = {0};
    struct cid_view view;
    struct cid cid;
    char text[64];
    (void)state;

    assert_error(cid_make_v1(&cid, CID_CODEC_RAW, 0x1e, digest, 32, NULL), CID_OK);
    view = cid_as_view(&cid);
    assert_error(cid_dasl_check_view(&view), CID_E_PROFILE_HASH);
    assert_error(cid_format(text, sizeof text, NULL, &view, CID_BASE32), CID_OK);
    assert_error(cid_dasl_check(text, strlen(text)), CID_E_PROFILE_HASH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_of_multihashes_ends_in_an_error),
        cmocka_unit_test(digests_of_any_length_are_read),
        cmocka_unit_test(a_short_shake_digest_has_a_text),
        cmocka_unit_test(a_mebibyte_of_identity_is_a_view),
        cmocka_unit_test(codes_of_all_kinds_are_read),
        cmocka_unit_test(the_order_is_that_of_the_bytes),
        cmocka_unit_test(unused_bytes_of_an_owner_do_not_count),
        cmocka_unit_test(what_surrounds_a_cid_is_placed),
        cmocka_unit_test(a_long_cid_comes_in_pieces),
        cmocka_unit_test(blake3_is_not_of_the_profile),
    };
    return cmocka_run_group_tests_name("faults", tests, NULL, NULL);
}
