#include "support.h"

#include <cid/multicodec.h>

static void finds_what_is_known(void **state)
{
    static const struct {
        uint64_t code;
        const char *name, *tag, *status;
    } rows[] = {
        {0x00, "identity", "multihash", "permanent"},
        {0x01, "cidv1", "cid", "permanent"},
        {0x12, "sha2-256", "multihash", "permanent"},
        {CID_CODEC_RAW, "raw", "ipld", "permanent"},
        {CID_CODEC_DAG_PB, "dag-pb", "ipld", "permanent"},
        {CID_CODEC_DAG_CBOR, "dag-cbor", "ipld", "permanent"},
        {CID_CODEC_LIBP2P_KEY, "libp2p-key", "ipld", "permanent"},
        {CID_CODEC_DAG_JSON, "dag-json", "ipld", "permanent"},
        {CID_CODEC_CAR, "car", "serialization", "draft"},
        {CID_CODEC_FIL_COMMITMENT_UNSEALED, "fil-commitment-unsealed", "filecoin", "permanent"},
        {CID_CODEC_FIL_COMMITMENT_SEALED, "fil-commitment-sealed", "filecoin", "permanent"},
        {0x22, "murmur3-x64-64", "hash", "permanent"},
        {0xb220, "blake2b-256", "multihash", "permanent"},
        {0xd02000, "scion", "multiaddr", "draft"},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cid_multicodec codec;
        assert_error(cid_multicodec_by_code(&codec, rows[i].code), CID_OK);
        assert_string_equal(codec.name, rows[i].name);
        assert_string_equal(codec.tag, rows[i].tag);
        assert_string_equal(codec.status, rows[i].status);
        memset(&codec, 0, sizeof codec);
        assert_error(cid_multicodec_by_name(&codec, rows[i].name, strlen(rows[i].name)), CID_OK);
        assert_true(codec.code == rows[i].code);
    }
}

static void every_row_is_found_both_ways_in_order(void **state)
{
    struct cid_multicodec row, found;
    uint64_t last = 0;
    (void)state;

    assert_true(cid_multicodec_count() > 600);
    for (size_t i = 0; i < cid_multicodec_count(); i++) {
        const uint8_t *name;
        assert_error(cid_multicodec_at(&row, i), CID_OK);
        assert_true(i == 0 || row.code > last);
        last = row.code;
        assert_error(cid_multicodec_by_code(&found, row.code), CID_OK);
        assert_ptr_equal(found.name, row.name);
        name = test_guard(row.name, strlen(row.name));
        assert_error(cid_multicodec_by_name(&found, (const char *)name, strlen(row.name)), CID_OK);
        assert_true(found.code == row.code);
    }
    test_guard_release();
}

static void names_are_compared_whole(void **state)
{
    static const char *const none[] = {"", "ra", "raww", "RAW", "raw ", "zzzz", "!", "cid", "\xff"};
    struct cid_multicodec codec = {4711, NULL, NULL, NULL};
    (void)state;

    for (size_t i = 0; i < COUNT(none); i++)
        assert_error(cid_multicodec_by_name(&codec, none[i], strlen(none[i])), CID_E_NOT_FOUND);
    assert_error(cid_multicodec_by_name(&codec, NULL, 0), CID_E_NOT_FOUND);
    assert_error(cid_multicodec_by_name(&codec, "raw\0", 4), CID_E_NOT_FOUND);
    assert_true(codec.code == 4711);
    assert_error(cid_multicodec_by_name(&codec, "raw-and-more", 3), CID_OK);
}

static void codes_outside_the_table_are_not_found(void **state)
{
    static const uint64_t none[] = {
        0x05, 0x300000, 0xd02001, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 0x55, UINT64_MAX};
    struct cid_multicodec codec = {4711, NULL, NULL, NULL};
    (void)state;

    for (size_t i = 0; i < COUNT(none); i++)
        assert_error(cid_multicodec_by_code(&codec, none[i]), CID_E_NOT_FOUND);
    assert_error(cid_multicodec_at(&codec, cid_multicodec_count()), CID_E_NOT_FOUND);
    assert_error(cid_multicodec_at(&codec, SIZE_MAX), CID_E_NOT_FOUND);
    assert_true(codec.code == 4711);
}

static void private_use_has_its_range(void **state)
{
    (void)state;
    assert_false(cid_multicodec_is_private(0x2fffff));
    assert_true(cid_multicodec_is_private(0x300000));
    assert_true(cid_multicodec_is_private(0x3fffff));
    assert_false(cid_multicodec_is_private(0x400000));
    assert_false(cid_multicodec_is_private((UINT64_C(1) << 32) + 0x300000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_is_known),
        cmocka_unit_test(every_row_is_found_both_ways_in_order),
        cmocka_unit_test(names_are_compared_whole),
        cmocka_unit_test(codes_outside_the_table_are_not_found),
        cmocka_unit_test(private_use_has_its_range),
    };
    return cmocka_run_group_tests_name("multicodec", tests, NULL, NULL);
}
