#include "support.h"

#include "cid/binary.h"

#define D1 "01551220ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
#define Q0 "1220e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static const struct {
    const char *hex;
    unsigned version;
    uint64_t codec;
    uint64_t hash;
    size_t digest_len;
} good[] = {
    {D1, 1, 0x55, 0x12, 32},
    {Q0, 0, 0x70, 0x12, 32},
    {"0170a0e402200e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8", 1, 0x70,
     0xb220, 32},
    {"01550000", 1, 0x55, 0, 0},
    {"0155000568656c6c6f", 1, 0x55, 0, 5},
    {"01071404f9da82cb", 1, 7, 0x14, 4},
    {"0181c0c00112022122", 1, 0x302001, 0x12, 2},
    {"01711220000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", 1, 0x71, 0x12, 32},
};

static void reads_what_is_there(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        struct test_bytes hex = test_hex(good[i].hex);
        const uint8_t *in = test_guard(hex.data, hex.len);
        struct cid_view view;
        size_t used = 0;
        uint64_t need = 0;

        assert_error(cid_read(&view, &used, in, hex.len), CID_OK);
        assert_int_equal(used, hex.len);
        assert_ptr_equal(view.bytes, in);
        assert_int_equal(view.len, hex.len);
        assert_int_equal(view.version, good[i].version);
        assert_true(view.codec == good[i].codec);
        assert_true(view.hash.code == good[i].hash);
        assert_int_equal(view.hash.digest_len, good[i].digest_len);
        assert_ptr_equal(view.hash.digest + view.hash.digest_len, in + hex.len);
        assert_error(cid_read_exact(&view, in, hex.len), CID_OK);
        assert_error(cid_peek(&need, in, hex.len - view.hash.digest_len), CID_OK);
        assert_int_equal(need, hex.len);
        test_bytes_free(&hex);
    }
    test_guard_release();
}

static void expect_the_same(const uint8_t *in, size_t len)
{
    struct cid__span quick = {in, in + len}, plain = quick;
    struct cid_view a, b;
    enum cid_error error = cid__take(&a, &quick);

    assert_error(cid__take_any(&b, &plain), error);
    if (error)
        return;
    assert_ptr_equal(quick.at, plain.at);
    assert_ptr_equal(a.bytes, b.bytes);
    assert_int_equal(a.len, b.len);
    assert_int_equal(a.version, b.version);
    assert_true(a.codec == b.codec && a.hash.code == b.hash.code);
    assert_ptr_equal(a.hash.digest, b.hash.digest);
    assert_int_equal(a.hash.digest_len, b.hash.digest_len);
}

/* Common shapes are read at once; byte by byte they must come out the same, and others be left. */
static void quick_ways_agree_with_the_plain_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        struct test_bytes hex = test_hex(good[i].hex);
        for (size_t at = 0; at < 7 && at < hex.len; at++)
            for (unsigned value = 0; value < 256; value++) {
                uint8_t before = hex.data[at];
                hex.data[at] = (uint8_t)value;
                expect_the_same(test_guard(hex.data, hex.len), hex.len);
                hex.data[at] = before;
            }
        for (size_t len = 0; len <= hex.len; len++)
            expect_the_same(test_guard(hex.data, len), len);
        test_bytes_free(&hex);
    }
    test_guard_release();
}

static void every_cut_is_truncated_and_every_tail_trailing(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        struct test_bytes hex = test_hex(good[i].hex);
        struct cid_view view;
        uint8_t longer[128] = {0};
        size_t used = 0;

        for (size_t len = 0; len < hex.len; len++)
            assert_error(cid_read(&view, NULL, test_guard(hex.data, len), len), CID_E_TRUNCATED);
        memcpy(longer, hex.data, hex.len);
        assert_error(cid_read_exact(&view, longer, hex.len + 1), CID_E_TRAILING);
        assert_error(cid_read(&view, &used, longer, hex.len + 1), CID_OK);
        assert_int_equal(used, hex.len);
        test_bytes_free(&hex);
    }
    test_guard_release();
}

static void refuses_what_is_no_cid(void **state)
{
    static const struct {
        const char *hex;
        enum cid_error error;
    } bad[] = {
        {"", CID_E_TRUNCATED},
        {"80", CID_E_TRUNCATED},
        {"0180", CID_E_TRUNCATED},
        {"015592", CID_E_TRUNCATED},
        {"015512", CID_E_TRUNCATED},
        {"015500ffffffffffffffff7f61", CID_E_TRUNCATED},
        {"00701220e3b0", CID_E_CID_EXPLICIT_V0},
        {"0255122000", CID_E_CID_RESERVED},
        {"0355122000", CID_E_CID_RESERVED},
        {"0455122000", CID_E_CID_VERSION},
        {"1214000102030405060708090a0b0c0d0e0f10111213", CID_E_CID_VERSION},
        {"122000", CID_E_TRUNCATED},
        {"8100551220", CID_E_VARINT_NOT_MINIMAL},
        {"01d5001220", CID_E_VARINT_NOT_MINIMAL},
        {"0155920020", CID_E_VARINT_NOT_MINIMAL},
        {"015512a000", CID_E_VARINT_NOT_MINIMAL},
        {"01ffffffffffffffffff7f1220", CID_E_VARINT_OVERFLOW},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(bad); i++) {
        struct test_bytes hex = test_hex(bad[i].hex);
        const uint8_t *in = test_guard(hex.data, hex.len);
        struct cid_view view = {.len = 4711};
        size_t used = 4712;

        assert_error(cid_read(&view, &used, in, hex.len), bad[i].error);
        assert_int_equal(view.len, 4711);
        assert_int_equal(used, 4712);
        test_bytes_free(&hex);
    }
    test_guard_release();
}

static void peeks_as_far_as_it_must(void **state)
{
    struct test_bytes v1 = test_hex(D1);
    struct test_bytes v0 = test_hex(Q0);
    uint64_t need = 0;
    (void)state;

    for (size_t len = 0; len < 4; len++) {
        assert_error(cid_peek(&need, test_guard(v1.data, len), len), CID_E_TRUNCATED);
        assert_int_equal(need, len + 1);
    }
    assert_error(cid_peek(&need, test_guard(v1.data, 4), 4), CID_OK);
    assert_int_equal(need, 36);
    assert_error(cid_peek(&need, test_guard(v0.data, 1), 1), CID_E_TRUNCATED);
    assert_int_equal(need, 2);
    assert_error(cid_peek(&need, test_guard(v0.data, 2), 2), CID_OK);
    assert_int_equal(need, 34);
    test_bytes_free(&v1);
    v1 = test_hex("015500ffffffffffffffff7f");
    assert_error(cid_peek(&need, v1.data, v1.len), CID_OK);
    assert_true(need == UINT64_C(0x7fffffffffffffff) + 12);
    assert_error(cid_peek(&need, (const uint8_t *)"\x02", 1), CID_E_CID_RESERVED);
    test_bytes_free(&v1);
    test_bytes_free(&v0);
    test_guard_release();
}

static void all_tiny_inputs(void **state)
{
    (void)state;
    for (uint32_t value = 0; value < (1u << 24); value += value < 0x20000 ? 1 : 13) {
        uint8_t in[3] = {(uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
        for (size_t len = 0; len <= 3; len++) {
            struct cid_view view;
            /* The shortest CID has four bytes. */
            assert_int_not_equal(cid_read(&view, NULL, in + 3 - len, len), CID_OK);
        }
    }
}

static void compares_by_bytes(void **state)
{
    struct test_bytes d1 = test_hex(D1);
    struct test_bytes other = test_hex(D1);
    struct test_bytes q0 = test_hex(Q0);
    struct test_bytes shorter = test_hex("01551203aabbcc");
    struct test_bytes q1 = test_hex("0170" Q0);
    struct cid_view a, b, q, s, v1;
    (void)state;

    other.data[35] ^= 1;
    assert_error(cid_read_exact(&a, d1.data, d1.len), CID_OK);
    assert_error(cid_read_exact(&b, other.data, other.len), CID_OK);
    assert_error(cid_read_exact(&q, q0.data, q0.len), CID_OK);
    assert_error(cid_read_exact(&s, shorter.data, shorter.len), CID_OK);
    assert_error(cid_read_exact(&v1, q1.data, q1.len), CID_OK);
    assert_true(cid_equal(&a, &a));
    assert_false(cid_equal(&a, &b));
    assert_false(cid_equal(&q, &v1));
    assert_true(cid_same_multihash(&q, &v1));
    assert_true(cid_same_content(&q, &v1));
    assert_false(cid_same_content(&a, &v1));
    assert_int_equal(cid_compare(&a, &a), 0);
    assert_int_equal(cid_compare(&a, &b), 1); /* …bb after …ba */
    assert_int_equal(cid_compare(&b, &a), -1);
    assert_int_equal(cid_compare(&a, &q), -1);
    assert_int_equal(cid_compare(&s, &a), -1);
    test_bytes_free(&d1);
    test_bytes_free(&other);
    test_bytes_free(&q0);
    test_bytes_free(&shorter);
    test_bytes_free(&q1);
}

static void makes_a_v0(void **state)
{
    struct test_bytes q0 = test_hex(Q0);
    struct cid cid;
    (void)state;

    assert_error(cid_make_v0(&cid, q0.data + 2, 32, NULL), CID_OK);
    assert_int_equal(cid.raw.len, 34);
    assert_memory_equal(cid_bytes_of(&cid.raw), q0.data, 34);
    assert_error(cid_make_v0(&cid, q0.data + 2, 31, NULL), CID_E_V0_HASH);
    assert_false(cid_is_defined(&cid));
    test_bytes_free(&q0);
}

static void links_have_a_zero_in_front(void **state)
{
    struct test_bytes link = test_hex("00" D1);
    struct cid_view view;
    uint8_t out[64];
    size_t written = 0;
    (void)state;

    assert_error(cid_link_read(&view, link.data, link.len), CID_OK);
    assert_int_equal(view.len, 36);
    assert_error(cid_link_write(out, sizeof out, &written, &view), CID_OK);
    assert_int_equal(written, 37);
    assert_memory_equal(out, link.data, 37);
    assert_error(cid_link_write(NULL, 0, &written, &view), CID_E_NOSPACE);
    assert_int_equal(written, 37);
    assert_error(cid_link_read(&view, link.data + 1, link.len - 1), CID_E_LINK_PREFIX);
    assert_error(cid_link_read(&view, link.data, 1), CID_E_TRUNCATED);
    assert_error(cid_link_read(&view, link.data, 0), CID_E_TRUNCATED);
    test_bytes_free(&link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_is_there),
        cmocka_unit_test(quick_ways_agree_with_the_plain_one),
        cmocka_unit_test(every_cut_is_truncated_and_every_tail_trailing),
        cmocka_unit_test(refuses_what_is_no_cid),
        cmocka_unit_test(peeks_as_far_as_it_must),
        cmocka_unit_test(all_tiny_inputs),
        cmocka_unit_test(compares_by_bytes),
        cmocka_unit_test(makes_a_v0),
        cmocka_unit_test(links_have_a_zero_in_front),
    };
    return cmocka_run_group_tests_name("cid_binary", tests, NULL, NULL);
}
