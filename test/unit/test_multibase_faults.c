/* What multibase refuses, with the place; what its leniencies let pass; and its limits. */
#include "support.h"

#include <cid/multibase.h>

/* C1 less its last character, which carries two spare bits. */
#define C1 "bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei"

static const struct {
    const char *text;
    enum cid_error error;
    size_t offset;
} bad[] = {
    /* the prefix */
    {"", CID_E_TEXT_EMPTY, 0},
    {"1abc", CID_E_BASE_RESERVED, 0},
    {"/ipfs", CID_E_BASE_RESERVED, 0},
    {"QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n", CID_E_BASE_RESERVED, 0},
    {"a", CID_E_BASE_UNKNOWN, 0},
    {"!x", CID_E_BASE_UNKNOWN, 0},
    {" bmy", CID_E_BASE_UNKNOWN, 0},
    {"\n", CID_E_BASE_UNKNOWN, 0},
    {"\x7f", CID_E_BASE_UNKNOWN, 0},
    {"\x80", CID_E_BASE_UNKNOWN, 0},
    {"\xff", CID_E_BASE_UNKNOWN, 0},
    {"\xf0\x9f\x9a", CID_E_BASE_UNKNOWN, 0},
    {"\xf0\x9f\x9a\x81", CID_E_BASE_UNKNOWN, 0},
    /* the alphabet */
    {"bmz0w6ytb", CID_E_BASE_CHAR, 3},
    {"bmz1", CID_E_BASE_CHAR, 3},
    {"bmy ", CID_E_BASE_CHAR, 3},
    {"b\xc2\xa0", CID_E_BASE_CHAR, 1},
    {"bmzxw6ytbo\xff", CID_E_BASE_CHAR, 10},
    {"fg0", CID_E_BASE_CHAR, 1},
    {"f0g", CID_E_BASE_CHAR, 2},
    {"f00=", CID_E_BASE_CHAR, 3},
    {"000000002", CID_E_BASE_CHAR, 8},
    {"778", CID_E_BASE_CHAR, 2},
    {"9a", CID_E_BASE_CHAR, 1},
    {"9-1", CID_E_BASE_CHAR, 1},
    {"k-", CID_E_BASE_CHAR, 1},
    {"z0", CID_E_BASE_CHAR, 1},
    {"zabcO", CID_E_BASE_CHAR, 4},
    {"zI", CID_E_BASE_CHAR, 1},
    {"z111l", CID_E_BASE_CHAR, 4},
    {"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz0z", CID_E_BASE_CHAR, 32},
    {"z2\n", CID_E_BASE_CHAR, 2},
    {"m-_8", CID_E_BASE_CHAR, 1},
    {"u+/8", CID_E_BASE_CHAR, 1},
    {"m+_8", CID_E_BASE_CHAR, 2},
    {"hXF1ZGEDPCFZG1EBB", CID_E_BASE_CHAR, 1},
    {"hcb==", CID_E_BASE_CHAR, 3},
    {"RBB_", CID_E_BASE_CHAR, 3},
    {"Rbb8", CID_E_BASE_CHAR, 1},
    {"pro-xusab", CID_E_BASE_CHAR, 4},
    {"pro-lusab babad", CID_E_BASE_CHAR, 9},
    {"pro-LUSAB", CID_E_BASE_CHAR, 4},
    {"pro--", CID_E_BASE_CHAR, 4},
    {"plusab-babad", CID_E_BASE_CHAR, 1},
    {"pra", CID_E_BASE_CHAR, 2},
    {"\xf0\x9f\x9a\x80x", CID_E_BASE_CHAR, 4},
    {"\xf0\x9f\x9a\x80\xf0\x9f\x9a\x80\xf0\x9f\x9a", CID_E_BASE_CHAR, 8},
    {"\xf0\x9f\x9a\x80\xe2\x98\x84\xe2\x98\x85", CID_E_BASE_CHAR, 7},
    {"\xf0\x9f\x9a\x80\xe2\x98\x84\xc0\x80", CID_E_BASE_CHAR, 7},
    /* impossible lengths */
    {"b2", CID_E_BASE_LENGTH, 2},
    {"ba", CID_E_BASE_LENGTH, 2},
    {"baaa", CID_E_BASE_LENGTH, 4},
    {"baaaaaa", CID_E_BASE_LENGTH, 7},
    {"bmzxw6ytbo", CID_E_BASE_LENGTH, 10},
    {"ma", CID_E_BASE_LENGTH, 2},
    {"mZm9va", CID_E_BASE_LENGTH, 6},
    {"Ma===", CID_E_BASE_LENGTH, 2},
    {"cmzx=====", CID_E_BASE_LENGTH, 4},
    {"f0", CID_E_BASE_LENGTH, 2},
    {"fabc", CID_E_BASE_LENGTH, 4},
    {"01", CID_E_BASE_LENGTH, 2},
    {"0111111111", CID_E_BASE_LENGTH, 10},
    {"71", CID_E_BASE_LENGTH, 2},
    {"711", CID_E_BASE_LENGTH, 3},
    {"70000", CID_E_BASE_LENGTH, 5},
    {"R0", CID_E_BASE_LENGTH, 2},
    {"RBB80", CID_E_BASE_LENGTH, 5},
    {"p", CID_E_BASE_LENGTH, 1},
    {"pro", CID_E_BASE_LENGTH, 3},
    {"pro-lusa", CID_E_BASE_LENGTH, 8},
    {"pro-lusab-", CID_E_BASE_LENGTH, 10},
    {"pro-pos", CID_E_BASE_LENGTH, 7},
    /* spare bits */
    {C1 "5", CID_E_BASE_BITS, sizeof C1 - 1},
    {C1 "6", CID_E_BASE_BITS, sizeof C1 - 1},
    {C1 "7", CID_E_BASE_BITS, sizeof C1 - 1},
    {"mZh", CID_E_BASE_BITS, 2},
    {"mZm9", CID_E_BASE_BITS, 3},
    {"MZh==", CID_E_BASE_BITS, 2},
    {"bmz", CID_E_BASE_BITS, 2},
    {"hcb", CID_E_BASE_BITS, 2},
    {"7315", CID_E_BASE_BITS, 3},
    /* padding */
    {"mAVUAAA==", CID_E_BASE_PADDING, 7},
    {"MAVUAAA", CID_E_BASE_PADDING, 7},
    {"MAVUAAA=", CID_E_BASE_PADDING, 8},
    {"MAVUAAA===", CID_E_BASE_PADDING, 9},
    {"MAVU=AAA=", CID_E_BASE_PADDING, 5},
    {"MZg==Zg==", CID_E_BASE_PADDING, 5},
    {"MZg=Z", CID_E_BASE_PADDING, 4},
    {"M====", CID_E_BASE_PADDING, 1},
    {"MZm9v====", CID_E_BASE_PADDING, 5},
    {"c========", CID_E_BASE_PADDING, 1},
    {"cmy", CID_E_BASE_PADDING, 3},
    {"cmy=====", CID_E_BASE_PADDING, 8},
    {"cmy=======", CID_E_BASE_PADDING, 9},
    {"bmy======", CID_E_BASE_PADDING, 3},
    /* base45 groups out of range: 65536, and 256 */
    {"R:::", CID_E_BASE_RANGE, 1},
    {"RGGW", CID_E_BASE_RANGE, 1},
    {"RBB8V5", CID_E_BASE_RANGE, 4},
};

static void bad_texts_are_refused_with_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        size_t len = strlen(bad[i].text);
        const char *text = (const char *)test_guard(bad[i].text, len);
        uint8_t out[128];
        size_t written = 4711;
        enum cid_base base = CID_BASE45;
        struct cid_fault fault = {.size = sizeof fault, .need = 1, .likely = CID_LIKELY_PATH};

        assert_error(cid_multibase_decode(out, sizeof out, &written, &base, text, len, NULL),
                     bad[i].error);
        assert_error(cid_multibase_decode(NULL, 0, &written, &base, text, len, NULL), bad[i].error);
        assert_int_equal(written, 4711);
        assert_int_equal(base, CID_BASE45);
        cid_multibase_diagnose(&fault, text, len, NULL);
        assert_error(fault.code, bad[i].error);
        if (fault.offset != bad[i].offset)
            fail_msg("%s: at %u, not %u", bad[i].text, (unsigned)fault.offset,
                     (unsigned)bad[i].offset);
        assert_int_equal(fault.where, CID_WHERE_TEXT);
        assert_int_equal(fault.field, CID_FIELD_BASE);
        assert_int_equal(fault.size, sizeof fault);
        assert_int_equal(fault.need, 0);
        assert_int_equal(fault.likely, CID_LIKELY_NOTHING);
    }
    test_guard_release();
}

static void a_diagnosis_names_the_base_once_it_is_known(void **state)
{
    struct cid_fault fault = {0};
    (void)state;

    cid_multibase_diagnose(&fault, "bmz0", 4, NULL);
    assert_int_equal(fault.decoded, CID_DECODED_BASE);
    assert_int_equal(fault.base, CID_BASE32);
    cid_multibase_diagnose(&fault, "pra", 3, NULL);
    assert_int_equal(fault.base, CID_BASE_PROQUINT);
    cid_multibase_diagnose(&fault, "a", 1, NULL);
    assert_int_equal(fault.decoded, 0);
    assert_int_equal(fault.base, 0);
    cid_multibase_diagnose(&fault, "\0abc", 4, NULL);
    assert_error(fault.code, CID_E_BASE_RESERVED);
    cid_multibase_diagnose(&fault, "bmy", 3, NULL);
    assert_error(fault.code, CID_OK);
    assert_int_equal(fault.where, CID_WHERE_NONE);
    assert_int_equal(fault.field, CID_FIELD_NONE);
    assert_int_equal(fault.base, CID_BASE32);
}

static void leniencies_let_pass_what_they_say_and_no_more(void **state)
{
    static const struct {
        const char *text;
        uint32_t allow;
        enum cid_error error;
        const char *hex;
    } rows[] = {
        {"mZh", CID_ALLOW_SPARE_BITS, CID_OK, "66"},
        {"MZh==", CID_ALLOW_SPARE_BITS, CID_OK, "66"},
        {"bmz", CID_ALLOW_SPARE_BITS, CID_OK, "66"},
        {"7315", CID_ALLOW_SPARE_BITS, CID_OK, "66"},
        {"ba", CID_ALLOW_SPARE_BITS, CID_E_BASE_LENGTH, ""},
        {"mZh==", CID_ALLOW_SPARE_BITS, CID_E_BASE_PADDING, ""},
        {"mZh==", CID_ALLOW_SPARE_BITS | CID_ALLOW_PADDING, CID_OK, "66"},
        {"MZg", CID_ALLOW_PADDING, CID_OK, "66"},
        {"MZg=", CID_ALLOW_PADDING, CID_OK, "66"},
        {"mZg==", CID_ALLOW_PADDING, CID_OK, "66"},
        {"cmy", CID_ALLOW_PADDING, CID_OK, "66"},
        {"bmy======", CID_ALLOW_PADDING, CID_OK, "66"},
        {"MZg===", CID_ALLOW_PADDING, CID_E_BASE_PADDING, ""},
        {"mZm9v=", CID_ALLOW_PADDING, CID_E_BASE_PADDING, ""},
        {"M====", CID_ALLOW_PADDING, CID_E_BASE_PADDING, ""},
        {"MZg==Zg==", CID_ALLOW_PADDING, CID_E_BASE_PADDING, ""},
        {"mZh", CID_ALLOW_PADDING, CID_E_BASE_BITS, ""},
        {"f66=", CID_ALLOW_PADDING, CID_E_BASE_CHAR, ""},
        {"hca======", CID_ALLOW_PADDING, CID_E_BASE_CHAR, ""},
        {"m\r\nZm\n9v\r", CID_ALLOW_LINE_ENDS, CID_OK, "666f6f"},
        {"MZg=\r\n=", CID_ALLOW_LINE_ENDS, CID_OK, "66"},
        {"MZg\n==\n", CID_ALLOW_LINE_ENDS, CID_OK, "66"},
        {"f\n6\n6\n", CID_ALLOW_LINE_ENDS, CID_OK, "66"},
        {"f\n", CID_ALLOW_LINE_ENDS, CID_OK, ""},
        {"z\n1\n1\r2\n", CID_ALLOW_LINE_ENDS, CID_OK, "000001"},
        {"zjpXCZ\nedGfVQ\n", CID_ALLOW_LINE_ENDS, CID_OK, "ffffffffffffffff"},
        {"k\n", CID_ALLOW_LINE_ENDS, CID_OK, ""},
        {"RB\nB8\nU\n5\n", CID_ALLOW_LINE_ENDS, CID_OK, "4142ff"},
        {"R\n", CID_ALLOW_LINE_ENDS, CID_OK, ""},
        {"pro-\nlusab-\nbab\nad", CID_ALLOW_LINE_ENDS, CID_OK, "7f000001"},
        {"\xf0\x9f\x9a\x80\n\xe2\x98\x84\n", CID_ALLOW_LINE_ENDS, CID_OK, "02"},
        {"\nf66", CID_ALLOW_LINE_ENDS, CID_E_BASE_UNKNOWN, ""},
        {"p\nro-lusab", CID_ALLOW_LINE_ENDS, CID_E_BASE_CHAR, ""},
        {"f6 6", CID_ALLOW_LINE_ENDS, CID_E_BASE_CHAR, ""},
        {"f6\n", CID_ALLOW_LINE_ENDS, CID_E_BASE_LENGTH, ""},
        {"01", CID_ALLOW_SHORT, CID_OK, "01"},
        {"0111111111", CID_ALLOW_SHORT, CID_OK, "01ff"},
        {"011010", CID_ALLOW_SHORT, CID_OK, "1a"},
        {"71", CID_ALLOW_SHORT, CID_E_BASE_LENGTH, ""},
        {"f1", CID_ALLOW_SHORT, CID_E_BASE_LENGTH, ""},
        {"hXF", 0xf, CID_E_BASE_CHAR, ""},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cid_multibase_options options = {.allow = rows[i].allow};
        struct test_bytes want = test_hex(rows[i].hex);
        size_t len = strlen(rows[i].text), written = 0;
        const char *text = (const char *)test_guard(rows[i].text, len);
        uint8_t *out = malloc(want.len + 1);
        enum cid_error error =
            cid_multibase_decode(out, want.len, &written, NULL, text, len, &options);

        assert_error(error, rows[i].error);
        if (!error) {
            assert_int_equal(written, want.len);
            assert_memory_equal(out, want.data, want.len);
        }
        free(out);
        test_bytes_free(&want);
    }
    test_guard_release();
}

static void the_limit_of_the_options_comes_first(void **state)
{
    struct cid_multibase_options options = {.size = sizeof options, .text_limit = 3};
    struct cid_fault fault = {0};
    uint8_t out[8];
    (void)state;

    assert_error(cid_multibase_decode(out, sizeof out, NULL, NULL, "bmy", 3, &options), CID_OK);
    assert_error(cid_multibase_decode(out, sizeof out, NULL, NULL, "!!!!", 4, &options),
                 CID_E_TEXT_LIMIT);
    assert_error(cid_base_decode(out, sizeof out, NULL, "aaaa", 4, CID_BASE16, &options),
                 CID_E_TEXT_LIMIT);
    cid_multibase_diagnose(&fault, "bmzxq", 5, &options);
    assert_error(fault.code, CID_E_TEXT_LIMIT);
    assert_int_equal(fault.offset, 3);
    assert_int_equal(fault.need, 3);
    assert_int_equal(fault.have, 5);
}

static void long_numbers_are_refused_at_once(void **state)
{
    static const char firsts[] = "zZkK9";
    size_t len = 1000001;
    char *text = malloc(len);
    struct cid_fault fault = {0};
    (void)state;

    for (size_t i = 0; i < sizeof firsts - 1; i++) {
        memset(text, '9', len);
        text[0] = firsts[i];
        assert_error(cid_multibase_decode(NULL, 0, NULL, NULL, text, len, NULL), CID_E_TEXT_LIMIT);
        cid_multibase_diagnose(&fault, text, len, NULL);
        assert_error(fault.code, CID_E_TEXT_LIMIT);
        assert_int_equal(fault.offset, CID_MULTIBASE_NUMBER_LIMIT);
        assert_int_equal(fault.need, CID_MULTIBASE_NUMBER_LIMIT);
        assert_int_equal(fault.have, len);
        assert_error(cid_multibase_encode(NULL, 0, NULL, text, len, (enum cid_base)firsts[i]),
                     CID_E_TEXT_LIMIT);
    }
    /* no such limit where the digits stand for bits */
    memset(text, 'a', len);
    text[0] = 'f';
    assert_error(cid_multibase_decode(NULL, 0, NULL, NULL, text, len, NULL), CID_E_NOSPACE);
    free(text);
}

/* The longest text that is read is read, is written again, and is the longest that is written. */
static void the_number_limit_is_exact(void **state)
{
    static const char texts[][2] = {{'z', 'z'}, {'9', '9'}, {'z', '1'}, {'K', '0'}};
    size_t len = CID_MULTIBASE_NUMBER_LIMIT;
    char *text = malloc(len + 1), *again = malloc(len + 1);
    uint8_t *bytes = malloc(len + 1);
    (void)state;

    for (size_t i = 0; i < COUNT(texts); i++) {
        size_t n = 0, written = 0;
        enum cid_base base;
        memset(text, texts[i][1], len + 1);
        text[0] = texts[i][0];
        assert_error(cid_multibase_decode(bytes, len, NULL, NULL, text, len + 1, NULL),
                     CID_E_TEXT_LIMIT);
        assert_error(cid_multibase_decode(bytes, len, &n, &base, text, len, NULL), CID_OK);
        assert_error(cid_multibase_encode(again, len + 1, &written, bytes, n, base), CID_OK);
        assert_int_equal(written, len);
        assert_memory_equal(again, text, len);
        bytes[n] = 0xff;
        assert_error(cid_multibase_encode(again, len + 1, &written, bytes, n + 1, base),
                     CID_E_TEXT_LIMIT);
    }
    /* one digit too many, and none to spare */
    memset(bytes, 0, len);
    assert_error(cid_multibase_encode(again, len + 1, NULL, bytes, len, CID_BASE58_BTC),
                 CID_E_TEXT_LIMIT);
    assert_error(cid_multibase_encode(again, len + 1, NULL, bytes, len - 1, CID_BASE58_BTC),
                 CID_OK);
    free(text);
    free(again);
    free(bytes);
}

static void proquint_has_no_odd_bytes(void **state)
{
    char out[32];
    size_t written = 4711;
    (void)state;

    assert_error(cid_multibase_encode(out, sizeof out, &written, "abc", 3, CID_BASE_PROQUINT),
                 CID_E_BASE_LENGTH);
    assert_error(cid_multibase_encode(NULL, 0, &written, "a", 1, CID_BASE_PROQUINT),
                 CID_E_BASE_LENGTH);
    assert_int_equal(written, 4711);
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/*
 * Damaged texts: whatever is accepted is what an encoder writes (in either case), the diagnosis
 * agrees, and a text that is refused is never said to want space.
 */
static void nothing_but_what_is_written_is_read(void **state)
{
    struct test_random random = {5};
    (void)state;

    for (int round = 0; round < 5000; round++) {
        struct cid_base_info info;
        uint8_t data[40], out[400];
        char text[400], again[400];
        size_t n = test_random_next(&random) % sizeof data & ~(size_t)1;
        size_t len, written = 0;
        enum cid_base base;
        struct cid_fault fault = {0};
        enum cid_error error;

        assert_error(cid_base_at(&info, (size_t)round % cid_base_count()), CID_OK);
        test_random_fill(&random, data, n);
        assert_error(cid_multibase_encode(text, sizeof text, &len, data, n, info.base), CID_OK);
        switch (round / 25 % 4) {
        case 0: /* a changed character */
            text[test_random_next(&random) % len] = (char)test_random_next(&random);
            break;
        case 1: /* cut */
            len = (size_t)(test_random_next(&random) % (len + 1));
            break;
        case 2: /* the last character, or padding, replaced by a neighbour */
            text[len - 1] = (char)(text[len - 1] + 1);
            break;
        default: /* longer */
            text[len++] = "=aA0"[round / 100 % 4];
        }
        error = cid_multibase_decode(out, sizeof out, &written, &base,
                                     (const char *)test_guard(text, len), len, NULL);
        cid_multibase_diagnose(&fault, text, len, NULL);
        assert_error(fault.code, error);
        assert_true(fault.offset <= len);
        assert_true(error != CID_E_NOSPACE);
        if (!error) {
            size_t back = 0;
            assert_error(cid_multibase_encode(again, sizeof again, &back, out, written, base),
                         CID_OK);
            assert_int_equal(back, len);
            assert_error(cid_base_by_code(&info, (uint32_t)base), CID_OK);
            for (size_t i = 0; i < len; i++)
                assert_true(again[i] == text[i] ||
                            (info.case_insensitive && lower(again[i]) == lower(text[i])));
        }
        if (round % 256 == 0)
            test_guard_release();
    }
    test_guard_release();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_texts_are_refused_with_their_place),
        cmocka_unit_test(a_diagnosis_names_the_base_once_it_is_known),
        cmocka_unit_test(leniencies_let_pass_what_they_say_and_no_more),
        cmocka_unit_test(the_limit_of_the_options_comes_first),
        cmocka_unit_test(long_numbers_are_refused_at_once),
        cmocka_unit_test(the_number_limit_is_exact),
        cmocka_unit_test(proquint_has_no_odd_bytes),
        cmocka_unit_test(nothing_but_what_is_written_is_read),
    };
    return cmocka_run_group_tests_name("multibase_faults", tests, NULL, NULL);
}
