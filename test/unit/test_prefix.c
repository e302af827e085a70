#include "support.h"

#include <cid/cid.h>

#define DIGEST "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static struct cid_view read_hex(struct test_bytes *bytes, const char *hex)
{
    struct cid_view view;
    *bytes = test_hex(hex);
    assert_error(cid_read_exact(&view, bytes->data, bytes->len), CID_OK);
    return view;
}

static void converts_between_versions(void **state)
{
    struct test_bytes b0, b1;
    struct cid_view v0 = read_hex(&b0, "1220" DIGEST);
    struct cid_view v1 = read_hex(&b1, "01701220" DIGEST);
    struct cid cid;
    (void)state;

    assert_error(cid_to_v1(&cid, &v0, NULL), CID_OK);
    assert_int_equal(cid.raw.len, b1.len);
    assert_memory_equal(cid_bytes_of(&cid.raw), b1.data, b1.len);
    assert_error(cid_to_v0(&cid, &v1, NULL), CID_OK);
    assert_int_equal(cid.raw.len, b0.len);
    assert_memory_equal(cid_bytes_of(&cid.raw), b0.data, b0.len);
    assert_error(cid_to_v0(&cid, &v0, NULL), CID_OK);
    assert_int_equal(cid.raw.len, b0.len);
    test_bytes_free(&b0);
    test_bytes_free(&b1);
}

static void says_why_there_is_no_v0(void **state)
{
    static const struct {
        const char *hex;
        enum cid_error error;
    } rows[] = {
        {"01551220" DIGEST, CID_E_V0_CODEC},
        {"01701204aabbccdd", CID_E_V0_HASH},
        {"01701120" DIGEST, CID_E_V0_HASH},
    };
    struct cid_view none = {0};
    struct cid cid;
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct test_bytes bytes;
        struct cid_view view = read_hex(&bytes, rows[i].hex);
        assert_error(cid_to_v0(&cid, &view, NULL), rows[i].error);
        assert_false(cid_is_defined(&cid));
        test_bytes_free(&bytes);
    }
    assert_error(cid_to_v0(&cid, &none, NULL), CID_E_ARGUMENT);
    assert_error(cid_to_v1(&cid, &none, NULL), CID_E_ARGUMENT);
}

static void reads_and_writes_prefixes(void **state)
{
    static const struct {
        const char *hex;
        struct cid_prefix prefix;
    } rows[] = {
        {"01551220", {0x55, 0x12, 32, 1}},
        {"00701220", {0x70, 0x12, 32, 0}},
        {"0171a0e40220", {0x71, 0xb220, 32, 1}},
        {"01550000", {0x55, 0, 0, 1}},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct test_bytes bytes = test_hex(rows[i].hex);
        struct cid_prefix prefix;
        uint8_t out[32];
        size_t used = 0, written = 0;

        assert_error(cid_prefix_read(&prefix, &used, bytes.data, bytes.len), CID_OK);
        assert_int_equal(used, bytes.len);
        assert_true(prefix.codec == rows[i].prefix.codec);
        assert_true(prefix.hash_code == rows[i].prefix.hash_code);
        assert_int_equal(prefix.digest_len, rows[i].prefix.digest_len);
        assert_int_equal(prefix.version, rows[i].prefix.version);
        assert_error(cid_prefix_write(out, sizeof out, &written, &prefix), CID_OK);
        assert_int_equal(written, bytes.len);
        assert_memory_equal(out, bytes.data, written);
        for (size_t len = 0; len < bytes.len; len++)
            assert_error(cid_prefix_read(&prefix, NULL, test_guard(bytes.data, len), len),
                         CID_E_TRUNCATED);
        test_bytes_free(&bytes);
    }
    test_guard_release();
}

static void refuses_bad_prefixes(void **state)
{
    static const struct {
        const char *hex;
        enum cid_error error;
    } rows[] = {
        {"02551220", CID_E_CID_RESERVED},
        {"03551220", CID_E_CID_RESERVED},
        {"04551220", CID_E_CID_VERSION},
        {"00551220", CID_E_V0_CODEC},
        {"00701120", CID_E_V0_HASH},
        {"00701214", CID_E_V0_HASH},
        {"0155128000", CID_E_VARINT_NOT_MINIMAL},
        {"015512ffffffffffffffffff01", CID_E_VARINT_OVERFLOW},
    };
    struct cid_prefix prefix = {0};
    struct cid cid;
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct test_bytes bytes = test_hex(rows[i].hex);
        assert_error(cid_prefix_read(&prefix, NULL, bytes.data, bytes.len), rows[i].error);
        test_bytes_free(&bytes);
    }
    prefix = (struct cid_prefix){0x55, 0x12, CID_DIGEST_DEFAULT, 1};
    assert_int_not_equal(cid_prefix_write(NULL, 0, NULL, &prefix), CID_E_NOSPACE);
    prefix = (struct cid_prefix){0x55, 0x12, 32, 2};
    assert_error(cid_prefix_sum(&cid, &prefix, "", 0, NULL, NULL), CID_E_CID_VERSION);
    prefix = (struct cid_prefix){0x55, 0x12, 32, 0};
    assert_error(cid_prefix_sum(&cid, &prefix, "", 0, NULL, NULL), CID_E_V0_CODEC);
    prefix = (struct cid_prefix){0x70, 0x13, 32, 0};
    assert_error(cid_prefix_sum(&cid, &prefix, "", 0, NULL, NULL), CID_E_V0_HASH);
}

static void the_prefix_of_a_cid(void **state)
{
    struct test_bytes bytes;
    struct cid_view view = read_hex(&bytes, "0171a0e40220" DIGEST);
    struct cid_prefix prefix = cid_prefix_of(&view);
    (void)state;

    assert_true(prefix.version == 1 && prefix.codec == 0x71);
    assert_true(prefix.hash_code == 0xb220 && prefix.digest_len == 32);
    test_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(converts_between_versions), cmocka_unit_test(says_why_there_is_no_v0),
        cmocka_unit_test(reads_and_writes_prefixes), cmocka_unit_test(refuses_bad_prefixes),
        cmocka_unit_test(the_prefix_of_a_cid),
    };
    return cmocka_run_group_tests_name("prefix", tests, NULL, NULL);
}
