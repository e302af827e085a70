#include "support.h"

#include <cid/varint.h>

static const struct {
    uint64_t value;
    const char *hex;
} good[] = {
    {0, "00"},
    {1, "01"},
    {127, "7f"},
    {128, "8001"},
    {255, "ff01"},
    {300, "ac02"},
    {16383, "ff7f"},
    {16384, "808001"},
    {2097151, "ffff7f"},
    {2097152, "80808001"},
    {UINT64_C(72057594037927936), "808080808080808001"},
    {CID_VARINT_MAX, "ffffffffffffffff7f"},
};

static void reads_and_writes_each_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        struct test_bytes hex = test_hex(good[i].hex);
        const uint8_t *in = test_guard(hex.data, hex.len);
        uint8_t out[CID_VARINT_MAX_SIZE];
        uint64_t value = ~good[i].value;
        size_t used = 0, written = 0;

        assert_error(cid_varint_read(&value, &used, in, hex.len), CID_OK);
        assert_true(value == good[i].value);
        assert_int_equal(used, hex.len);
        assert_int_equal(cid_varint_size(value), hex.len);
        assert_error(cid_varint_write(out, sizeof out, &written, value), CID_OK);
        assert_int_equal(written, hex.len);
        assert_memory_equal(out, hex.data, hex.len);
        test_bytes_free(&hex);
    }
    test_guard_release();
}

static void leaves_what_follows_alone(void **state)
{
    static const uint8_t in[] = {0xac, 0x02, 0x80, 0x80};
    uint64_t value = 0;
    size_t used = 0;
    (void)state;

    assert_error(cid_varint_read(&value, &used, in, sizeof in), CID_OK);
    assert_int_equal(value, 300);
    assert_int_equal(used, 2);
    assert_error(cid_varint_read(&value, NULL, in, sizeof in), CID_OK);
}

static void refuses_bad_input_and_leaves_the_outputs(void **state)
{
    static const struct {
        const char *hex;
        enum cid_error error;
    } bad[] = {
        {"", CID_E_TRUNCATED},
        {"80", CID_E_TRUNCATED},
        {"ffffffffffffffff", CID_E_TRUNCATED},
        {"8000", CID_E_VARINT_NOT_MINIMAL},
        {"8100", CID_E_VARINT_NOT_MINIMAL},
        {"ff00", CID_E_VARINT_NOT_MINIMAL},
        {"808000", CID_E_VARINT_NOT_MINIMAL},
        {"80808000", CID_E_VARINT_NOT_MINIMAL},
        {"808080808080808000", CID_E_VARINT_NOT_MINIMAL},
        {"80808080808080808001", CID_E_VARINT_OVERFLOW},
        {"8fce8080808080808002", CID_E_VARINT_OVERFLOW},
        {"ffffffffffffffffff7f", CID_E_VARINT_OVERFLOW},
        {"ffffffffffffffffff", CID_E_VARINT_OVERFLOW},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(bad); i++) {
        struct test_bytes hex = test_hex(bad[i].hex);
        const uint8_t *in = test_guard(hex.data, hex.len);
        uint64_t value = 4711;
        size_t used = 4712;

        assert_error(cid_varint_read(&value, &used, in, hex.len), bad[i].error);
        assert_int_equal(value, 4711);
        assert_int_equal(used, 4712);
        test_bytes_free(&hex);
    }
    test_guard_release();
}

static void every_cut_is_truncated(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        struct test_bytes hex = test_hex(good[i].hex);
        for (size_t len = 0; len < hex.len; len++) {
            uint64_t value;
            assert_error(cid_varint_read(&value, NULL, test_guard(hex.data, len), len),
                         CID_E_TRUNCATED);
        }
        test_bytes_free(&hex);
    }
    test_guard_release();
}

static void every_size_reads_what_it_wrote(void **state)
{
    struct test_random random = {1};
    (void)state;

    for (unsigned bits = 0; bits <= 63; bits++) {
        for (int i = 0; i < 200; i++) {
            uint64_t mask = bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
            uint64_t value = test_random_next(&random) & mask;
            uint64_t back = ~value;
            uint8_t out[CID_VARINT_MAX_SIZE];
            size_t written = 0, used = 0;

            assert_error(cid_varint_write(out, sizeof out, &written, value), CID_OK);
            assert_error(cid_varint_read(&back, &used, out, written), CID_OK);
            assert_true(back == value);
            assert_int_equal(used, written);
        }
    }
}

static void measures_and_refuses_small_buffers(void **state)
{
    uint8_t out[2] = {0xee, 0xee};
    size_t written = 0;
    (void)state;

    assert_error(cid_varint_write(NULL, 0, &written, 300), CID_E_NOSPACE);
    assert_int_equal(written, 2);
    assert_error(cid_varint_write(out, 1, &written, 300), CID_E_NOSPACE);
    assert_int_equal(out[1], 0xee);
    assert_error(cid_varint_write(out, 2, NULL, 300), CID_OK);
}

static void numbers_over_63_bits_are_not_written(void **state)
{
    uint8_t out[16];
    size_t written = 4711;
    struct cid_bytes owner;
    (void)state;

    assert_int_equal(cid_varint_size(CID_VARINT_MAX + 1), 0);
    assert_error(cid_varint_write(out, sizeof out, &written, CID_VARINT_MAX + 1),
                 CID_E_VARINT_OVERFLOW);
    assert_int_equal(written, 4711);
    memset(&owner, 0xaa, sizeof owner);
    assert_error(cid_varint_make(&owner, UINT64_MAX, NULL), CID_E_VARINT_OVERFLOW);
    assert_int_equal(owner.len, 0);
    cid_bytes_free(&owner, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_and_writes_each_other),
        cmocka_unit_test(leaves_what_follows_alone),
        cmocka_unit_test(refuses_bad_input_and_leaves_the_outputs),
        cmocka_unit_test(every_cut_is_truncated),
        cmocka_unit_test(every_size_reads_what_it_wrote),
        cmocka_unit_test(measures_and_refuses_small_buffers),
        cmocka_unit_test(numbers_over_63_bits_are_not_written),
    };
    return cmocka_run_group_tests_name("varint", tests, NULL, NULL);
}
