/*
 * The DAG-CBOR pull reader, strict and lenient.
 */
#include "support.h"

#include "base/utf8.h"
#include "dag/cbor.h"

#include <stdio.h>

#define ALL                                                                                        \
    (CID__CBOR_LONG_HEADS | CID__CBOR_KEY_ORDER | CID__CBOR_FLOATS | CID__CBOR_SIMPLES |           \
     CID__CBOR_TAGS)
#define D1 "01551220ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"

struct result {
    enum cid_error error; /* CID_OK: read whole; CID_E_TRAILING: bytes are left */
    size_t offset;
    size_t items;
    size_t links;
    uint32_t notes;
};

static struct result read_all(const uint8_t *bytes, size_t len, uint32_t pass)
{
    struct cid__cbor_level levels[CID__CBOR_DEPTH];
    struct cid__cbor cbor;
    struct cid__cbor_item item;
    struct result result = {0};

    cid__cbor_init(&cbor, bytes, len, pass, levels, CID__CBOR_DEPTH);
    while ((result.error = cid__cbor_next(&cbor, &item)) == CID_OK) {
        result.items++;
        result.links += item.kind == CID__CBOR_LINK;
        assert_true(item.offset < len);
        assert_true(item.depth <= CID__CBOR_DEPTH);
    }
    result.offset = cbor.fault;
    result.notes = cbor.notes;
    if (result.error != CID_END)
        return result;
    result.offset = (size_t)(cbor.in.at - bytes);
    result.error = cbor.in.at == cbor.in.end ? CID_OK : CID_E_TRAILING;
    return result;
}

static const struct {
    const char *hex;
    enum cid_error strict;
    size_t offset; /* of the fault in strict reading */
    enum cid_error lenient;
} rows[] = {
    /* sound */
    {"00", CID_OK, 1, CID_OK},
    {"1bffffffffffffffff", CID_OK, 9, CID_OK},
    {"3bffffffffffffffff", CID_OK, 9, CID_OK},
    {"40", CID_OK, 1, CID_OK},
    {"60", CID_OK, 1, CID_OK},
    {"80", CID_OK, 1, CID_OK},
    {"a0", CID_OK, 1, CID_OK},
    {"f4", CID_OK, 1, CID_OK},
    {"f5", CID_OK, 1, CID_OK},
    {"f6", CID_OK, 1, CID_OK},
    {"fb3ff8000000000000", CID_OK, 9, CID_OK},
    {"fb8000000000000000", CID_OK, 9, CID_OK},
    {"a2616101616202", CID_OK, 7, CID_OK},
    {"a2617802626161"
     "01",
     CID_OK, 8, CID_OK},
    {"d82a582500" D1, CID_OK, 41, CID_OK},
    {"82d82a582500" D1 "d82a582500" D1, CID_OK, 83, CID_OK},
    {"63e282ac", CID_OK, 4, CID_OK},
    {"83a0808180", CID_OK, 5, CID_OK},
    /* cut */
    {"", CID_E_TRUNCATED, 0, CID_E_TRUNCATED},
    {"18", CID_E_TRUNCATED, 1, CID_E_TRUNCATED},
    {"1b00000000000000", CID_E_TRUNCATED, 8, CID_E_TRUNCATED},
    {"4100"
     "00",
     CID_E_TRAILING, 2, CID_E_TRAILING},
    {"42"
     "00",
     CID_E_TRUNCATED, 2, CID_E_TRUNCATED},
    {"81", CID_E_TRUNCATED, 1, CID_E_TRUNCATED},
    {"a1"
     "6161",
     CID_E_TRUNCATED, 3, CID_E_TRUNCATED},
    {"8201", CID_E_TRUNCATED, 2, CID_E_TRUNCATED},
    {"d82a", CID_E_TRUNCATED, 2, CID_E_TRUNCATED},
    /* bombs */
    {"9b7fffffffffffffff", CID_E_TRUNCATED, 9, CID_E_TRUNCATED},
    {"9bffffffffffffffff", CID_E_TRUNCATED, 9, CID_E_TRUNCATED},
    {"bbffffffffffffffff", CID_E_TRUNCATED, 9, CID_E_TRUNCATED},
    {"bb8000000000000000", CID_E_TRUNCATED, 9, CID_E_TRUNCATED},
    {"bb3030303030303030", CID_E_TRUNCATED, 9, CID_E_TRUNCATED},
    {"5b7fffffffffffffff", CID_E_TRUNCATED, 9, CID_E_TRUNCATED},
    {"7bffffffffffffffff", CID_E_TRUNCATED, 9, CID_E_TRUNCATED},
    {"9a7fffffff9a7fffffff9a7fffffff", CID_E_TRUNCATED, 15, CID_E_TRUNCATED},
    /* never allowed */
    {"0000", CID_E_TRAILING, 1, CID_E_TRAILING},
    {"a2616100616101", CID_E_CBOR_KEY_TWICE, 4, CID_E_CBOR_KEY_TWICE},
    {"a3636261720363666f6f0163666f6f02", CID_E_CBOR_KEY_TWICE, 11, CID_E_CBOR_KEY_TWICE},
    {"a26000"
     "6001",
     CID_E_CBOR_KEY_TWICE, 3, CID_E_CBOR_KEY_TWICE},
    {"a10000", CID_E_CBOR_KEY_TYPE, 1, CID_E_CBOR_KEY_TYPE},
    {"a1416100", CID_E_CBOR_KEY_TYPE, 1, CID_E_CBOR_KEY_TYPE},
    {"a1d82a582500" D1 "00", CID_E_CBOR_KEY_TYPE, 1, CID_E_CBOR_KEY_TYPE},
    {"bfff", CID_E_CBOR_HEAD, 0, CID_E_CBOR_HEAD},
    {"9fff", CID_E_CBOR_HEAD, 0, CID_E_CBOR_HEAD},
    {"5f4100ff", CID_E_CBOR_HEAD, 0, CID_E_CBOR_HEAD},
    {"7f6161ff", CID_E_CBOR_HEAD, 0, CID_E_CBOR_HEAD},
    {"ff", CID_E_CBOR_HEAD, 0, CID_E_CBOR_HEAD},
    {"1c", CID_E_CBOR_HEAD, 0, CID_E_CBOR_HEAD},
    {"62c328", CID_E_CBOR_UTF8, 1, CID_E_CBOR_UTF8},
    {"6461c0af62", CID_E_CBOR_UTF8, 2, CID_E_CBOR_UTF8},
    {"63eda080", CID_E_CBOR_UTF8, 1, CID_E_CBOR_UTF8},
    {"a161ff00", CID_E_CBOR_UTF8, 2, CID_E_CBOR_UTF8},
    {"f818", CID_E_CBOR_SIMPLE, 0, CID_E_CBOR_SIMPLE},
    {"d82a00", CID_E_CBOR_TAG, 2, CID_E_CBOR_TAG},
    {"d82a60", CID_E_CBOR_TAG, 2, CID_E_CBOR_TAG},
    {"d82ad82a40", CID_E_CBOR_TAG, 2, CID_E_CBOR_TAG},
    {"d82a5824" D1, CID_E_LINK_PREFIX, 4, CID_E_LINK_PREFIX},
    {"d82a582600" D1 "00", CID_E_TRAILING, 4, CID_E_TRAILING},
    {"d82a40", CID_E_TRUNCATED, 3, CID_E_TRUNCATED},
    {"d82a450001550000", CID_OK, 8, CID_OK},
    {"d82a450002550000", CID_E_CID_RESERVED, 3, CID_E_CID_RESERVED},
    /* refused unless it may pass */
    {"a2616201616100", CID_E_CBOR_KEY_ORDER, 4, CID_OK},
    {"a26361616101617802", CID_E_CBOR_KEY_ORDER, 6, CID_OK},
    {"a3616301616200616302", CID_E_CBOR_KEY_ORDER, 4, CID_E_CBOR_KEY_TWICE},
    {"a3616281a0616100616202", CID_E_CBOR_KEY_ORDER, 5, CID_E_CBOR_KEY_TWICE},
    {"a3616200616101616102", CID_E_CBOR_KEY_ORDER, 4, CID_E_CBOR_KEY_TWICE},
    {"a261628261616161616100", CID_E_CBOR_KEY_ORDER, 8, CID_OK},
    {"1800", CID_E_CBOR_NOT_MINIMAL, 0, CID_OK},
    {"1817", CID_E_CBOR_NOT_MINIMAL, 0, CID_OK},
    {"1818", CID_OK, 2, CID_OK},
    {"190001", CID_E_CBOR_NOT_MINIMAL, 0, CID_OK},
    {"1900ff", CID_E_CBOR_NOT_MINIMAL, 0, CID_OK},
    {"190100", CID_OK, 3, CID_OK},
    {"1a0000ffff", CID_E_CBOR_NOT_MINIMAL, 0, CID_OK},
    {"1a00010000", CID_OK, 5, CID_OK},
    {"1b00000000ffffffff", CID_E_CBOR_NOT_MINIMAL, 0, CID_OK},
    {"1b0000000100000000", CID_OK, 9, CID_OK},
    {"3800", CID_E_CBOR_NOT_MINIMAL, 0, CID_OK},
    {"5800", CID_E_CBOR_NOT_MINIMAL, 0, CID_OK},
    {"7800", CID_E_CBOR_NOT_MINIMAL, 0, CID_OK},
    {"9800", CID_E_CBOR_NOT_MINIMAL, 0, CID_OK},
    {"b800", CID_E_CBOR_NOT_MINIMAL, 0, CID_OK},
    {"d9002a582500" D1, CID_E_CBOR_NOT_MINIMAL, 0, CID_OK},
    {"f97e00", CID_E_CBOR_FLOAT, 0, CID_OK},
    {"f93e00", CID_E_CBOR_FLOAT, 0, CID_OK},
    {"fa3fc00000", CID_E_CBOR_FLOAT, 0, CID_OK},
    {"fb7ff8000000000000", CID_E_CBOR_FLOAT, 0, CID_OK},
    {"fb7ff0000000000000", CID_E_CBOR_FLOAT, 0, CID_OK},
    {"fbfff0000000000000", CID_E_CBOR_FLOAT, 0, CID_OK},
    {"f7", CID_E_CBOR_SIMPLE, 0, CID_OK},
    {"e0", CID_E_CBOR_SIMPLE, 0, CID_OK},
    {"f8ff", CID_E_CBOR_SIMPLE, 0, CID_OK},
    {"c11a00010000", CID_E_CBOR_TAG, 0, CID_OK},
    {"d9d9f700", CID_E_CBOR_TAG, 0, CID_OK},
    {"c1", CID_E_CBOR_TAG, 0, CID_E_TRUNCATED},
    {"82c18000", CID_E_CBOR_TAG, 1, CID_OK},
};

static void the_rules_are_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct test_bytes hex = test_hex(rows[i].hex);
        const uint8_t *in = test_guard(hex.data, hex.len);
        struct result strict = read_all(in, hex.len, 0);
        struct result lenient = read_all(in, hex.len, ALL);

        if (strict.error != rows[i].strict || strict.offset != rows[i].offset)
            fail_msg("%s strict: %s at %zu", rows[i].hex, cid_error_name(strict.error),
                     strict.offset);
        if (lenient.error != rows[i].lenient)
            fail_msg("%s lenient: %s", rows[i].hex, cid_error_name(lenient.error));
        if (rows[i].strict == CID_OK)
            assert_int_equal(lenient.notes, 0);
        else if (rows[i].lenient == CID_OK)
            assert_int_not_equal(lenient.notes, 0);
        test_bytes_free(&hex);
    }
    test_guard_release();
}

static void each_leniency_is_one_flag(void **state)
{
    static const struct {
        const char *hex;
        uint32_t flag;
    } cases[] = {
        {"1800", CID__CBOR_LONG_HEADS}, {"a2616201616100", CID__CBOR_KEY_ORDER},
        {"f93e00", CID__CBOR_FLOATS},   {"f7", CID__CBOR_SIMPLES},
        {"c100", CID__CBOR_TAGS},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct test_bytes hex = test_hex(cases[i].hex);
        assert_error(read_all(hex.data, hex.len, cases[i].flag).error, CID_OK);
        assert_int_equal(read_all(hex.data, hex.len, ALL).notes, cases[i].flag);
        assert_int_not_equal(read_all(hex.data, hex.len, ALL & ~cases[i].flag).error, CID_OK);
        test_bytes_free(&hex);
    }
}

static void items_come_in_order(void **state)
{
    static const struct {
        enum cid__cbor_kind kind;
        bool key;
        size_t depth;
        size_t offset;
        uint64_t number;
    } expected[] = {
        {CID__CBOR_MAP, false, 0, 0, 2},    {CID__CBOR_TEXT, true, 1, 1, 1},
        {CID__CBOR_ARRAY, false, 1, 3, 2},  {CID__CBOR_NINT, false, 2, 4, 0},
        {CID__CBOR_MAP, false, 2, 5, 1},    {CID__CBOR_TEXT, true, 3, 6, 0},
        {CID__CBOR_BOOL, false, 3, 7, 1},   {CID__CBOR_TEXT, true, 1, 8, 2},
        {CID__CBOR_LINK, false, 1, 11, 42},
    };
    struct test_bytes hex = test_hex("a2616182"
                                     "20"
                                     "a160f5"
                                     "626262"
                                     "d82a582500" D1);
    struct cid__cbor_level levels[8];
    struct cid__cbor cbor;
    struct cid__cbor_item item;
    (void)state;

    cid__cbor_init(&cbor, hex.data, hex.len, 0, levels, COUNT(levels));
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_error(cid__cbor_next(&cbor, &item), CID_OK);
        assert_int_equal(item.kind, expected[i].kind);
        assert_int_equal(item.key, expected[i].key);
        assert_int_equal(item.depth, expected[i].depth);
        assert_int_equal(item.offset, expected[i].offset);
        assert_true(item.number == expected[i].number);
    }
    assert_int_equal(item.link.len, 36);
    assert_ptr_equal(item.link.bytes, hex.data + 16);
    assert_error(cid__cbor_next(&cbor, &item), CID_END);
    assert_error(cid__cbor_next(&cbor, &item), CID_END);
    test_bytes_free(&hex);
}

static void values_can_be_skipped(void **state)
{
    struct test_bytes hex = test_hex("83"
                                     "8201a16162820304"
                                     "a0"
                                     "05");
    struct cid__cbor_level levels[8];
    struct cid__cbor cbor;
    struct cid__cbor_item item;
    (void)state;

    cid__cbor_init(&cbor, hex.data, hex.len, 0, levels, COUNT(levels));
    assert_error(cid__cbor_next(&cbor, &item), CID_OK);
    assert_error(cid__cbor_next(&cbor, &item), CID_OK);
    assert_error(cid__cbor_skip(&cbor, &item), CID_OK);
    assert_error(cid__cbor_next(&cbor, &item), CID_OK);
    assert_int_equal(item.kind, CID__CBOR_MAP);
    assert_error(cid__cbor_skip(&cbor, &item), CID_OK);
    assert_error(cid__cbor_next(&cbor, &item), CID_OK);
    assert_true(item.number == 5);
    assert_error(cid__cbor_skip(&cbor, &item), CID_OK);
    assert_error(cid__cbor_next(&cbor, &item), CID_END);
    test_bytes_free(&hex);
}

static void nesting_is_limited_without_recursion(void **state)
{
    size_t len = 2000001;
    uint8_t *bytes = malloc(len);
    (void)state;

    assert_non_null(bytes);
    memset(bytes, 0x81, len);
    bytes[len - 1] = 0;
    assert_error(read_all(bytes, len, 0).error, CID_E_DEPTH_LIMIT);
    assert_int_equal(read_all(bytes, len, 0).offset, CID__CBOR_DEPTH);
    bytes[CID__CBOR_DEPTH] = 0;
    assert_error(read_all(bytes, CID__CBOR_DEPTH + 1, 0).error, CID_OK);
    memset(bytes, 0xc1, len);
    assert_error(read_all(bytes, len, ALL).error, CID_E_DEPTH_LIMIT);
    free(bytes);
}

static void every_cut_is_truncated(void **state)
{
    struct test_bytes hex = test_hex("a2616183"
                                     "1903e8"
                                     "63e282ac"
                                     "fb3ff8000000000000"
                                     "626262"
                                     "d82a582500" D1);
    (void)state;

    assert_error(read_all(hex.data, hex.len, 0).error, CID_OK);
    for (size_t len = 0; len < hex.len; len++)
        assert_error(read_all(test_guard(hex.data, len), len, 0).error, CID_E_TRUNCATED);
    test_guard_release();
    test_bytes_free(&hex);
}

static void random_bytes_are_survived(void **state)
{
    struct test_random random = {42};
    uint8_t bytes[64];
    (void)state;

    for (int i = 0; i < 20000; i++) {
        size_t len = test_random_next(&random) % sizeof bytes;
        const uint8_t *in;
        test_random_fill(&random, bytes, len);
        if (len > 0 && i % 2) /* else hardly anything goes deep */
            bytes[0] = (uint8_t)(0x82 + 0x20 * (i / 2 % 2));
        in = bytes + sizeof bytes - len;
        memmove(bytes + sizeof bytes - len, bytes, len);
        if (read_all(in, len, 0).error == CID_OK) /* what is strict is lenient */
            assert_error(read_all(in, len, ALL).error, CID_OK);
    }
}

static void utf8_is_told(void **state)
{
    static const struct {
        const char *hex;
        size_t right;
    } cases[] = {
        {"", 0},         {"00", 1},       {"7f", 1},
        {"c280", 2},     {"dfbf", 2},     {"e0a080", 3},
        {"ed9fbf", 3},   {"ee8080", 3},   {"efbfbf", 3},
        {"f0908080", 4}, {"f48fbfbf", 4}, {"6162636465666768c3a9", 10},
        {"80", 0},       {"c080", 0},     {"c1bf", 0},
        {"c2", 0},       {"c241", 0},     {"e09fbf", 0},
        {"e28241", 0},   {"eda080", 0},   {"edbfbf", 0},
        {"f08fbfbf", 0}, {"f4908080", 0}, {"f5808080", 0},
        {"f0908041", 0}, {"ff", 0},       {"6162636465666768ff", 8},
        {"41e282", 1},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct test_bytes hex = test_hex(cases[i].hex);
        const uint8_t *in = test_guard(hex.data, hex.len);
        assert_int_equal(cid__utf8_span(in, hex.len), cases[i].right);
        test_bytes_free(&hex);
    }
    test_guard_release();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rules_are_kept),
        cmocka_unit_test(each_leniency_is_one_flag),
        cmocka_unit_test(items_come_in_order),
        cmocka_unit_test(values_can_be_skipped),
        cmocka_unit_test(nesting_is_limited_without_recursion),
        cmocka_unit_test(every_cut_is_truncated),
        cmocka_unit_test(random_bytes_are_survived),
        cmocka_unit_test(utf8_is_told),
    };
    return cmocka_run_group_tests_name("cbor", tests, NULL, NULL);
}
