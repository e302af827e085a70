#include "support.h"

#include <cid/multibase.h>

/* Right texts, and what they stand for. */
static const struct {
    const char *text;
    const char *hex;
} both_ways[] = {
    /* leading zeros and high bits in the number bases */
    {"z1", "00"},
    {"z11", "0000"},
    {"z112", "000001"},
    {"z15Q", "00ff"},
    {"z3D", "80"},
    {"zjpXCZedGfVQ", "ffffffffffffffff"},
    {"k0", "00"},
    {"k00", "0000"},
    {"k001", "000001"},
    {"k073", "00ff"},
    {"k3k", "80"},
    {"k3w5e11264sgsf", "ffffffffffffffff"},
    {"K3W5E11264SGSF", "ffffffffffffffff"},
    {"90", "00"},
    {"900255", "0000ff"},
    {"918446744073709551615", "ffffffffffffffff"},
    {"918446744073709551616", "010000000000000000"},
    /* a prefix alone */
    {"0", ""},
    {"7", ""},
    {"9", ""},
    {"f", ""},
    {"b", ""},
    {"c", ""},
    {"h", ""},
    {"k", ""},
    {"R", ""},
    {"z", ""},
    {"m", ""},
    {"M", ""},
    {"pro-", ""},
    {"\xf0\x9f\x9a\x80", ""},
    /* RFC 4648 */
    {"mZg", "66"},
    {"MZg==", "66"},
    {"MZm8=", "666f"},
    {"MZm9v", "666f6f"},
    {"cmy======", "66"},
    {"cmzxq====", "666f"},
    {"cmzxw6===", "666f6f"},
    {"cmzxw6yq=", "666f6f62"},
    {"cmzxw6ytb", "666f6f6261"},
    {"TCPNMUOG=", "666f6f62"},
    {"m+/8", "fbff"},
    {"u-_8", "fbff"},
    {"MAVUAAA==", "01550000"},
    {"mAVUAAA", "01550000"},
    {"bafkqaaa", "01550000"},
    {"f01550000", "01550000"},
    {"FABCDEF", "abcdef"},
    /* RFC 9285, proquint, and the rest */
    {"RBB8", "4142"},
    {"R%69 VD92EX0", "48656c6c6f2121"},
    {"RUJCLQE7W581", "626173652d3435"},
    {"RFGW", "ffff"},
    {"RU5", "ff"},
    {"pro-lusab-babad", "7f000001"},
    {"pro-gutih-tugad", "3f54dcc1"},
    {"pro-zuzuz", "ffff"},
    {"0001011000101100101011010", "2c595a"},
    {"777777777", "ffffff"},
    {"7362", "79"},
    {"\xf0\x9f\x9a\x80\xf0\x9f\x9a\x80\xf0\x9f\xaa\x90\xe2\x98\x84", "000102"},
    {"\xf0\x9f\x9a\x80\xf0\x9f\xa5\x82", "ff"},
};

static void texts_and_bytes_are_each_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(both_ways); i++) {
        struct test_bytes want = test_hex(both_ways[i].hex);
        size_t len = strlen(both_ways[i].text);
        const char *text = (const char *)test_guard(both_ways[i].text, len);
        uint8_t *out = malloc(want.len + 1);
        char again[128];
        size_t written = 4711;
        enum cid_base base = CID_BASE_DEFAULT;

        assert_error(cid_multibase_decode(out, want.len, &written, &base, text, len, NULL), CID_OK);
        assert_int_equal(written, want.len);
        assert_memory_equal(out, want.data, want.len);
        assert_error(cid_multibase_encode(again, sizeof again, &written, want.data, want.len, base),
                     CID_OK);
        assert_int_equal(written, len);
        assert_string_equal(again, both_ways[i].text);
        free(out);
        test_bytes_free(&want);
    }
    test_guard_release();
}

static void either_case_is_read_where_the_table_says_so(void **state)
{
    static const char hello[] = "hello world";
    static const char *const texts[] = {
        "f68656c6c6f20776F726C64",   "F68656c6c6f20776F726C64",   "bnbswy3dpeB3W64TMMQ",
        "Bnbswy3dpeB3W64TMMQ",       "vd1imor3f41RMUSJCCG",       "Vd1imor3f41RMUSJCCG",
        "cnbswy3dpeB3W64TMMQ======", "Cnbswy3dpeB3W64TMMQ======", "td1imor3f41RMUSJCCG======",
        "Td1imor3f41RMUSJCCG======", "kfUvrsIvVnfRbjWaJo",        "KfUVrSIVVnFRbJWAJo",
    };
    (void)state;

    for (size_t i = 0; i < COUNT(texts); i++) {
        uint8_t out[16];
        char again[64];
        size_t written = 0;
        enum cid_base base;

        assert_error(cid_multibase_decode(out, sizeof out, &written, &base, texts[i],
                                          strlen(texts[i]), NULL),
                     CID_OK);
        assert_int_equal(written, strlen(hello));
        assert_memory_equal(out, hello, written);
        assert_error(cid_multibase_encode(again, sizeof again, NULL, out, written, base), CID_OK);
        for (const char *c = again + 1; *c; c++)
            assert_false(again[0] >= 'a' ? *c >= 'A' && *c <= 'Z' : *c >= 'a' && *c <= 'z');
    }
}

static void the_table_is_found_in_every_way(void **state)
{
    struct cid_base_info info, found;
    (void)state;

    assert_int_equal(cid_base_count(), 25);
    for (size_t i = 0, last = 0; i < cid_base_count(); i++) {
        assert_error(cid_base_at(&info, i), CID_OK);
        assert_true((size_t)info.base > last);
        last = (size_t)info.base;
        assert_error(cid_base_by_code(&found, (uint32_t)info.base), CID_OK);
        assert_ptr_equal(found.name, info.name);
        assert_error(cid_base_by_name(&found, info.name, strlen(info.name)), CID_OK);
        assert_int_equal(found.base, info.base);
        assert_error(cid_base_by_name(&found, info.prefix, strlen(info.prefix)), CID_OK);
        assert_int_equal(found.base, info.base);
    }
    assert_error(cid_base_at(&info, 25), CID_E_NOT_FOUND);
    assert_error(cid_base_by_name(&found, "base58btc", 9), CID_OK);
    assert_int_equal(found.base, CID_BASE58_BTC);
    assert_string_equal(found.prefix, "z");
    assert_string_equal(found.status, "final");
    assert_false(found.case_insensitive);
    assert_error(cid_base_by_name(&found, "p", 1), CID_OK);
    assert_string_equal(found.name, "proquint");
    assert_error(cid_base_by_code(&found, CID_BASE36), CID_OK);
    assert_true(found.case_insensitive);
    assert_error(cid_base_by_code(&found, CID_BASE32_Z), CID_OK);
    assert_false(found.case_insensitive);
}

static void what_is_no_base_is_not_found(void **state)
{
    static const uint32_t codes[] = {0, '1', 'Q', '/', 'a', 127, 128, 0xf0, 0x1f681, UINT32_MAX};
    static const char *const names[] = {"", "none", "base", "base588", "BASE32", "1", "Q", "pro-"};
    struct cid_base_info info = {.name = "untouched"};
    char out[8];
    uint8_t bytes[8];
    (void)state;

    for (size_t i = 0; i < COUNT(codes); i++) {
        enum cid_base base = (enum cid_base)codes[i];
        assert_error(cid_base_by_code(&info, codes[i]), CID_E_NOT_FOUND);
        assert_error(cid_multibase_encode(out, sizeof out, NULL, "", 0, base), CID_E_ARGUMENT);
        assert_error(cid_base_encode(out, sizeof out, NULL, "", 0, base), CID_E_ARGUMENT);
        assert_error(cid_base_decode(bytes, sizeof bytes, NULL, "", 0, base, NULL), CID_E_ARGUMENT);
        assert_true(cid_multibase_encoded_bound(base, 1) == SIZE_MAX);
        assert_true(cid_multibase_decoded_bound(base, 1) == SIZE_MAX);
    }
    for (size_t i = 0; i < COUNT(names); i++)
        assert_error(cid_base_by_name(&info, names[i], strlen(names[i])), CID_E_NOT_FOUND);
    assert_string_equal(info.name, "untouched");
}

/* The text in a number base by long division, byte by byte: slow, plain, and known to be right. */
static size_t long_division(char *out, const uint8_t *in, size_t n, const char *digits)
{
    unsigned radix = (unsigned)strlen(digits);
    uint8_t rest[512];
    size_t zeros = 0, len = 0;
    bool more = true;

    memcpy(rest, in, n);
    while (zeros < n && in[zeros] == 0)
        zeros++;
    while (more && zeros < n) {
        unsigned carry = 0;
        more = false;
        for (size_t i = 0; i < n; i++) {
            carry = carry << 8 | rest[i];
            rest[i] = (uint8_t)(carry / radix);
            carry %= radix;
            more = more || rest[i];
        }
        out[len++] = digits[carry];
    }
    while (zeros-- > 0)
        out[len++] = digits[0];
    for (size_t i = 0; i < len / 2; i++) {
        char c = out[i];
        out[i] = out[len - 1 - i];
        out[len - 1 - i] = c;
    }
    return len;
}

static void numbers_agree_with_long_division(void **state)
{
    static const struct {
        enum cid_base base;
        const char *digits;
    } bases[] = {
        {CID_BASE10, "0123456789"},
        {CID_BASE36, "0123456789abcdefghijklmnopqrstuvwxyz"},
        {CID_BASE58_BTC, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"},
    };
    struct test_random random = {3};
    (void)state;

    for (size_t b = 0; b < COUNT(bases); b++) {
        for (size_t n = 0; n <= 440; n += n < 72 ? 1 : 23) {
            uint8_t in[440];
            char want[1200], got[1200];
            size_t written, len;
            test_random_fill(&random, in, n);
            memset(in, n % 5 == 4 ? 0xff : 0, n % 5 < n ? n % 5 : n);
            len = long_division(want, in, n, bases[b].digits);
            assert_error(cid_base_encode(got, sizeof got, &written, in, n, bases[b].base), CID_OK);
            assert_int_equal(written, len);
            assert_memory_equal(got, want, len);
        }
    }
}

/* A text of random bytes in a base, with an exact fit; decoded with one as well. */
static void there_and_back(enum cid_base base, const uint8_t *data, size_t n)
{
    size_t bound = cid_multibase_encoded_bound(base, n), written = 0, back = 0;
    char *text;
    uint8_t *out = malloc(n + 1);
    enum cid_base read = CID_BASE_DEFAULT;
    struct cid_multibase_options lenient = {.allow = 0xf};

    assert_error(cid_multibase_encode(NULL, 0, &written, data, n, base), CID_E_NOSPACE);
    assert_true(written <= bound);
    text = malloc(written + 1);
    memset(text, '#', written + 1);
    assert_error(cid_multibase_encode(text, written, &back, data, n, base), CID_E_NOSPACE);
    assert_int_equal(back, written);
    assert_error(cid_multibase_encode(text, written + 1, NULL, data, n, base), CID_OK);
    assert_int_equal(strlen(text), written);
    assert_true(n <= cid_multibase_decoded_bound(base, written));

    if (n > 0) {
        assert_error(cid_multibase_decode(NULL, 0, &back, NULL, text, written, NULL),
                     CID_E_NOSPACE);
        assert_int_equal(back, n);
        back = 0;
        assert_error(cid_multibase_decode(out, n - 1, &back, NULL, text, written, &lenient),
                     CID_E_NOSPACE);
        assert_int_equal(back, n);
    }
    assert_error(cid_multibase_decode(out, n, &back, &read, text, written, NULL), CID_OK);
    assert_int_equal(read, base);
    assert_int_equal(back, n);
    assert_memory_equal(out, data, n);
    memset(out, 0, n);
    assert_error(cid_multibase_decode(out, n, &back, NULL, text, written, &lenient), CID_OK);
    assert_int_equal(back, n);
    assert_memory_equal(out, data, n);
    free(text);
    free(out);
}

static void every_base_reads_what_it_wrote(void **state)
{
    struct test_random random = {4};
    uint8_t data[300];
    (void)state;

    for (size_t i = 0; i < cid_base_count(); i++) {
        struct cid_base_info info;
        assert_error(cid_base_at(&info, i), CID_OK);
        for (size_t n = 0; n <= sizeof data; n++) {
            if (info.base == CID_BASE_PROQUINT && n % 2 != 0)
                continue;
            test_random_fill(&random, data, n);
            if (n % 3 == 1)
                memset(data, 0, n / 3 + 1);
            there_and_back(info.base, data, n);
        }
    }
}

static void prefixless_digits_are_the_rest_of_the_text(void **state)
{
    static const uint8_t data[] = {0, 0x55, 0xff, 0x12, 0, 7};
    (void)state;

    for (size_t i = 0; i < cid_base_count(); i++) {
        struct cid_base_info info;
        char text[128], digits[128];
        uint8_t out[sizeof data];
        size_t len, digits_len, lead, written = 0;

        assert_error(cid_base_at(&info, i), CID_OK);
        lead = info.base == CID_BASE_PROQUINT ? 4 : strlen(info.prefix);
        assert_error(cid_multibase_encode(text, sizeof text, &len, data, sizeof data, info.base),
                     CID_OK);
        assert_error(
            cid_base_encode(digits, sizeof digits, &digits_len, data, sizeof data, info.base),
            CID_OK);
        assert_int_equal(len, digits_len + lead);
        assert_string_equal(text + lead, digits);
        assert_error(cid_base_encode(digits, digits_len, NULL, data, sizeof data, info.base),
                     CID_E_NOSPACE);
        assert_error(
            cid_base_decode(out, sizeof out, &written, text + lead, digits_len, info.base, NULL),
            CID_OK);
        assert_int_equal(written, sizeof data);
        assert_memory_equal(out, data, sizeof data);
        assert_error(cid_base_encode(digits, 1, &written, NULL, 0, info.base), CID_OK);
        assert_int_equal(written, 0);
        assert_error(cid_base_encode(NULL, 0, &written, NULL, 0, info.base), CID_E_NOSPACE);
        assert_error(cid_base_decode(NULL, 0, &written, NULL, 0, info.base, NULL), CID_OK);
    }
}

static void bounds_are_exact_for_whole_bits_and_do_not_wrap(void **state)
{
    static const struct {
        enum cid_base base;
        size_t data, text;
    } rows[] = {
        {CID_BASE2, 3, 25},      {CID_BASE8, 1, 4},          {CID_BASE16, 36, 73},
        {CID_BASE32, 36, 59},    {CID_BASE32_PAD, 1, 9},     {CID_BASE32_PAD, 5, 9},
        {CID_BASE32_PAD, 6, 17}, {CID_BASE64, 36, 49},       {CID_BASE64_PAD, 1, 5},
        {CID_BASE45, 3, 6},      {CID_BASE_PROQUINT, 4, 15}, {CID_BASE_PROQUINT, 0, 4},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(cid_multibase_encoded_bound(rows[i].base, rows[i].data), rows[i].text);
        assert_true(cid_multibase_decoded_bound(rows[i].base, rows[i].text) >= rows[i].data);
    }
    assert_int_equal(cid_multibase_decoded_bound(CID_BASE32, 59), 36);
    assert_int_equal(cid_multibase_decoded_bound(CID_BASE32, 0), 0);
    assert_int_equal(cid_multibase_decoded_bound(CID_BASE_PROQUINT, 3), 0);
    for (size_t i = 0; i < cid_base_count(); i++) {
        struct cid_base_info info;
        assert_error(cid_base_at(&info, i), CID_OK);
        assert_true(cid_multibase_encoded_bound(info.base, SIZE_MAX) == SIZE_MAX);
        assert_true(cid_multibase_encoded_bound(info.base, SIZE_MAX - 1) == SIZE_MAX);
        assert_true(cid_multibase_encoded_bound(info.base, SIZE_MAX / 16) > SIZE_MAX / 16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_and_bytes_are_each_others),
        cmocka_unit_test(either_case_is_read_where_the_table_says_so),
        cmocka_unit_test(the_table_is_found_in_every_way),
        cmocka_unit_test(what_is_no_base_is_not_found),
        cmocka_unit_test(numbers_agree_with_long_division),
        cmocka_unit_test(every_base_reads_what_it_wrote),
        cmocka_unit_test(prefixless_digits_are_the_rest_of_the_text),
        cmocka_unit_test(bounds_are_exact_for_whole_bits_and_do_not_wrap),
    };
    return cmocka_run_group_tests_name("multibase", tests, NULL, NULL);
}
