#include "support.h"

#include <cid/multihash.h>

static void reads_any_code(void **state)
{
    static const struct {
        const char *hex;
        uint64_t code;
        size_t digest_len;
    } rows[] = {
        {"122000112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", 0x12, 32},
        {"a0e402200e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8", 0xb220, 32},
        {"0000", 0, 0},
        {"000568656c6c6f", 0, 5},
        {"22080011223344556677", 0x22, 8},
        {"ffffffffffffffff7f01aa", UINT64_C(0x7fffffffffffffff), 1},
        {"111a0000000000000000000000000000000000000000000000000000", 0x11, 26},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct test_bytes hex = test_hex(rows[i].hex);
        const uint8_t *in = test_guard(hex.data, hex.len);
        struct cid_multihash_view view;
        uint8_t out[64];
        size_t used = 0, written = 0;

        assert_error(cid_multihash_read(&view, &used, in, hex.len), CID_OK);
        assert_int_equal(used, hex.len);
        assert_true(view.code == rows[i].code);
        assert_int_equal(view.digest_len, rows[i].digest_len);
        assert_ptr_equal(view.digest + view.digest_len, in + hex.len);
        assert_error(cid_multihash_read_exact(&view, in, hex.len), CID_OK);
        assert_error(
            cid_multihash_write(out, sizeof out, &written, view.code, view.digest, view.digest_len),
            CID_OK);
        assert_int_equal(written, hex.len);
        assert_memory_equal(out, hex.data, hex.len);
        for (size_t len = 0; len < hex.len; len++)
            assert_error(cid_multihash_read(&view, NULL, test_guard(hex.data, len), len),
                         CID_E_TRUNCATED);
        test_bytes_free(&hex);
    }
    test_guard_release();
}

static void a_digest_of_200_bytes(void **state)
{
    uint8_t in[203] = {0x00, 0xc8, 0x01};
    struct cid_multihash_view view;
    (void)state;

    memset(in + 3, 0x78, 200);
    assert_error(cid_multihash_read_exact(&view, in, sizeof in), CID_OK);
    assert_int_equal(view.code, 0);
    assert_int_equal(view.digest_len, 200);
}

static void refuses_bad_input_and_leaves_the_outputs(void **state)
{
    static const struct {
        const char *hex;
        enum cid_error error;
    } bad[] = {
        {"", CID_E_TRUNCATED},
        {"12", CID_E_TRUNCATED},
        {"1106616263", CID_E_TRUNCATED},
        {"1103616263646566", CID_E_TRAILING},
        {"12808000", CID_E_VARINT_NOT_MINIMAL},
        {"9200", CID_E_VARINT_NOT_MINIMAL},
        {"00ffffffffffffffff7f61", CID_E_TRUNCATED},
        {"0080808080808080808001", CID_E_VARINT_OVERFLOW},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(bad); i++) {
        struct test_bytes hex = test_hex(bad[i].hex);
        struct cid_multihash_view view = {4711, NULL, 4712};
        const uint8_t *in = test_guard(hex.data, hex.len);

        assert_error(cid_multihash_read_exact(&view, in, hex.len), bad[i].error);
        assert_int_equal(view.code, 4711);
        assert_int_equal(view.digest_len, 4712);
        test_bytes_free(&hex);
    }
    test_guard_release();
}

static void a_prefix_may_have_a_tail(void **state)
{
    struct test_bytes hex = test_hex("1103616263646566");
    struct cid_multihash_view view;
    size_t used = 0;
    (void)state;

    assert_error(cid_multihash_read(&view, &used, hex.data, hex.len), CID_OK);
    assert_int_equal(used, 5);
    test_bytes_free(&hex);
}

static void refuses_what_cannot_be_written(void **state)
{
    uint8_t byte = 0, out[16];
    size_t written = 0;
    struct cid_bytes owner;
    (void)state;

    assert_error(cid_multihash_write(out, sizeof out, NULL, UINT64_C(1) << 63, &byte, 1),
                 CID_E_VARINT_OVERFLOW);
    assert_error(cid_multihash_make(&owner, UINT64_MAX, &byte, 1, NULL), CID_E_VARINT_OVERFLOW);
    assert_int_equal(owner.len, 0);
    assert_error(cid_multihash_write(out, 2, &written, 0x12, &byte, 1), CID_E_NOSPACE);
    assert_int_equal(written, 3);
    assert_error(cid_multihash_write(out, 2, &written, 0, NULL, 0), CID_OK);
    assert_int_equal(written, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_any_code),
        cmocka_unit_test(a_digest_of_200_bytes),
        cmocka_unit_test(refuses_bad_input_and_leaves_the_outputs),
        cmocka_unit_test(a_prefix_may_have_a_tail),
        cmocka_unit_test(refuses_what_cannot_be_written),
    };
    return cmocka_run_group_tests_name("multihash", tests, NULL, NULL);
}
