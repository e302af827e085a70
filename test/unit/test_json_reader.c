/*
 * The JSON pull reader: what is right, what is wrong and where, and that nothing else happens.
 */
#include "support.h"

#include "base/cpu.h"

#include <cid/json.h>

#include <stdio.h>

/* The items of a text, one character or its text each: "{k:key s:string n:12 t f z}". */
static enum cid_error read_all(char *out, size_t cap, struct cid_json_reader *reader)
{
    struct cid_json_item item;
    enum cid_error error;
    size_t n = 0;

    while (!(error = cid_json_next(reader, &item))) {
        static const char letters[] = "{}[]ksntfz";
        char text[256];
        size_t len = 0;
        assert_true(item.offset < (size_t)(reader->end - reader->start));
        if (item.kind == CID_JSON_NUMBER)
            n += (size_t)snprintf(out + n, cap - n, "n:%.*s ", (int)item.len, item.text);
        else if (item.kind == CID_JSON_KEY || item.kind == CID_JSON_STRING) {
            assert_error(cid_json_unescape(text, sizeof text, &len, &item), CID_OK);
            assert_true(item.escaped ? len < item.len : len == item.len);
            n += (size_t)snprintf(out + n, cap - n, "%c:%.*s ", letters[item.kind], (int)len, text);
        } else
            n += (size_t)snprintf(out + n, cap - n, "%c", letters[item.kind]);
    }
    return error;
}

static const struct {
    const char *json;
    const char *items;
} good[] = {
    {"null", "z"},
    {" true\n", "t"},
    {"\t\r\nfalse ", "f"},
    {"0", "n:0 "},
    {"-0", "n:-0 "},
    {"-1.5e+10", "n:-1.5e+10 "},
    {"1E-2", "n:1E-2 "},
    {"\"\"", "s: "},
    {"\"a\\n\\\"\\\\\\/\\b\\f\\r\\tz\"", "s:a\n\"\\/\b\f\r\tz "},
    {"\"\\u0041\\u00e9\\u20ac\\ud83d\\ude80\"", "s:A\xc3\xa9\xe2\x82\xac\xf0\x9f\x9a\x80 "},
    {"\"\xe2\x82\xac\x7f\"", "s:\xe2\x82\xac\x7f "},
    {"[]", "[]"},
    {"{}", "{}"},
    {"[ ]", "[]"},
    {"{ }", "{}"},
    {"[1,2 , 3]", "[n:1 n:2 n:3 ]"},
    {"{\"a\":1,\"b\" : [null,{\"\":{}}]}", "{k:a n:1 k:b [z{k: {}}]}"},
    {"{\"\\/\":\"x\"}", "{k:/ s:x }"},
    {"[[[[]]],[]]", "[[[[]]][]]"},
};

static void right_text_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        size_t len = strlen(good[i].json);
        struct cid_json_reader reader;
        char out[256] = "";
        cid_json_reader_begin(&reader, (const char *)test_guard(good[i].json, len), len, 0);
        assert_error(read_all(out, sizeof out, &reader), CID_END);
        assert_string_equal(out, good[i].items);
        assert_int_equal(cid_json_reader_fault(&reader)->code, CID_OK);
    }
    test_guard_release();
}

#define ROW(json, error, offset)                                                                   \
    {                                                                                              \
        json, sizeof(json) - 1, error, offset                                                      \
    }
static const struct {
    const char *json;
    size_t len;
    enum cid_error error;
    size_t offset;
} bad[] = {
    ROW("", CID_E_TRUNCATED, 0),
    ROW("  ", CID_E_TRUNCATED, 2),
    ROW("[", CID_E_TRUNCATED, 1),
    ROW("[1", CID_E_TRUNCATED, 2),
    ROW("[1,", CID_E_TRUNCATED, 3),
    ROW("{", CID_E_TRUNCATED, 1),
    ROW("{\"a", CID_E_TRUNCATED, 3),
    ROW("{\"a\"", CID_E_TRUNCATED, 4),
    ROW("{\"a\":", CID_E_TRUNCATED, 5),
    ROW("{\"a\":1", CID_E_TRUNCATED, 6),
    ROW("{\"a\":1,", CID_E_TRUNCATED, 7),
    ROW("\"", CID_E_TRUNCATED, 1),
    ROW("\"\\", CID_E_TRUNCATED, 2),
    ROW("\"\\u12", CID_E_TRUNCATED, 5),
    ROW("\"\\ud83d\\", CID_E_TRUNCATED, 8),
    ROW("tru", CID_E_TRUNCATED, 3),
    ROW("-", CID_E_TRUNCATED, 1),
    ROW("1.", CID_E_TRUNCATED, 2),
    ROW("1e+", CID_E_TRUNCATED, 3),
    ROW("1 2", CID_E_TRAILING, 2),
    ROW("{}{}", CID_E_TRAILING, 2),
    ROW("[1]//x", CID_E_TRAILING, 3),
    ROW("null\0", CID_E_TRAILING, 4),
    ROW("]", CID_E_JSON_SYNTAX, 0),
    ROW("[1,]", CID_E_JSON_SYNTAX, 3),
    ROW("[,1]", CID_E_JSON_SYNTAX, 1),
    ROW("[1 2]", CID_E_JSON_SYNTAX, 3),
    ROW("[1}", CID_E_JSON_SYNTAX, 2),
    ROW("{\"a\":1]", CID_E_JSON_SYNTAX, 6),
    ROW("{\"a\" 1}", CID_E_JSON_SYNTAX, 5),
    ROW("{\"a\":1,}", CID_E_JSON_SYNTAX, 7),
    ROW("{a:1}", CID_E_JSON_SYNTAX, 1),
    ROW("{1:1}", CID_E_JSON_SYNTAX, 1),
    ROW("{\"a\":}", CID_E_JSON_SYNTAX, 5),
    ROW("'a'", CID_E_JSON_SYNTAX, 0),
    ROW("NaN", CID_E_JSON_SYNTAX, 0),
    ROW("Infinity", CID_E_JSON_SYNTAX, 0),
    ROW("nulL", CID_E_JSON_SYNTAX, 3),
    ROW("True", CID_E_JSON_SYNTAX, 0),
    ROW("\xef\xbb\xbf"
        "1",
        CID_E_JSON_SYNTAX, 0),
    ROW("\v1", CID_E_JSON_SYNTAX, 0),
    ROW("\"a\nb\"", CID_E_JSON_STRING, 2),
    ROW("\"\0\"", CID_E_JSON_STRING, 1),
    ROW("\"\x1f\"", CID_E_JSON_STRING, 1),
    ROW("\"\\x\"", CID_E_JSON_STRING, 2),
    ROW("\"\\\0\"", CID_E_JSON_STRING, 2),
    ROW("\"\\u12g4\"", CID_E_JSON_STRING, 5),
    ROW("\"\\U0041\"", CID_E_JSON_STRING, 2),
    ROW("\"a\xff\"", CID_E_JSON_UTF8, 2),
    ROW("\"\xc0\x80\"", CID_E_JSON_UTF8, 1),
    ROW("\"\xed\xa0\x80\"", CID_E_JSON_UTF8, 1),
    ROW("\"\\n\xe2\x82\"", CID_E_JSON_UTF8, 3),
    ROW("\"\\ud800\"", CID_E_JSON_SURROGATE, 1),
    ROW("\"\\ud800x\"", CID_E_JSON_SURROGATE, 1),
    ROW("\"\\ud800\\n\"", CID_E_JSON_SURROGATE, 1),
    ROW("\"\\udc00\"", CID_E_JSON_SURROGATE, 1),
    ROW("\"a\\udc00\\ud800\"", CID_E_JSON_SURROGATE, 2),
    ROW("\"\\ud800\\ud800\"", CID_E_JSON_SURROGATE, 1),
    ROW("01", CID_E_JSON_NUMBER, 0),
    ROW("-01", CID_E_JSON_NUMBER, 0),
    ROW("00", CID_E_JSON_NUMBER, 0),
    ROW("[-]", CID_E_JSON_NUMBER, 1),
    ROW("[1.]", CID_E_JSON_NUMBER, 1),
    ROW("[1e]", CID_E_JSON_NUMBER, 1),
    ROW("1.2.3", CID_E_JSON_NUMBER, 0),
    ROW("1-2", CID_E_JSON_NUMBER, 0),
    ROW(".5", CID_E_JSON_SYNTAX, 0),
    ROW("+1", CID_E_JSON_SYNTAX, 0),
};

static void wrong_text_is_refused_at_its_place(void **state)
{
    static const uint32_t tiers[] = {CID__CPU_TIER_PORTABLE, CID__CPU_ALL};
    (void)state;

    for (size_t t = 0; t < COUNT(tiers); t++) {
        cid__cpu_mask(tiers[t]);
        for (size_t i = 0; i < COUNT(bad); i++) {
            struct cid_json_reader reader;
            struct cid_json_item item;
            char out[256] = "";
            enum cid_error error;
            const uint8_t *in = test_guard(bad[i].json, bad[i].len);
            cid_json_reader_begin(&reader, (const char *)in, bad[i].len, 0);
            error = read_all(out, sizeof out, &reader);
            if (error != bad[i].error || cid_json_reader_fault(&reader)->offset != bad[i].offset)
                fail_msg("%s: %s at %u", bad[i].json, cid_error_name(error),
                         (unsigned)cid_json_reader_fault(&reader)->offset);
            assert_error(cid_json_next(&reader, &item), bad[i].error); /* and for good */
        }
        test_guard_release();
    }
    cid__cpu_mask(CID__CPU_ALL);
}

static void nesting_is_limited(void **state)
{
    size_t len = 2000000;
    char *text = malloc(len), out[16384];
    struct cid_json_reader reader;
    (void)state;

    assert_non_null(text);
    memset(text, '[', len);
    cid_json_reader_begin(&reader, text, len, 0);
    assert_error(read_all(out, sizeof out, &reader), CID_E_DEPTH_LIMIT);
    assert_int_equal(cid_json_reader_fault(&reader)->offset, CID_JSON_DEPTH);
    assert_int_equal(cid_json_reader_fault(&reader)->need, CID_JSON_DEPTH);
    memset(text + CID_JSON_DEPTH, ']', CID_JSON_DEPTH);
    cid_json_reader_begin(&reader, text, 2 * CID_JSON_DEPTH, 5000);
    assert_error(read_all(out, sizeof out, &reader), CID_END);
    cid_json_reader_begin(&reader, text, 2 * CID_JSON_DEPTH, 3);
    assert_error(read_all(out, sizeof out, &reader), CID_E_DEPTH_LIMIT);
    assert_int_equal(cid_json_reader_fault(&reader)->offset, 3);
    free(text);
}

static void numbers_fit_or_do_not(void **state)
{
    static const struct {
        const char *json;
        enum cid_error u64, i64, real;
        uint64_t u;
        int64_t i;
    } cases[] = {
        {"0", CID_OK, CID_OK, CID_OK, 0, 0},
        {"-0", CID_OK, CID_OK, CID_OK, 0, 0},
        {"-1", CID_E_JSON_RANGE, CID_OK, CID_OK, 0, -1},
        {"9223372036854775807", CID_OK, CID_OK, CID_OK, INT64_MAX, INT64_MAX},
        {"9223372036854775808", CID_OK, CID_E_JSON_RANGE, CID_OK, UINT64_C(1) << 63, 0},
        {"-9223372036854775808", CID_E_JSON_RANGE, CID_OK, CID_OK, 0, INT64_MIN},
        {"-9223372036854775809", CID_E_JSON_RANGE, CID_E_JSON_RANGE, CID_OK, 0, 0},
        {"18446744073709551615", CID_OK, CID_E_JSON_RANGE, CID_OK, UINT64_MAX, 0},
        {"18446744073709551616", CID_E_JSON_RANGE, CID_E_JSON_RANGE, CID_OK, 0, 0},
        {"1.0", CID_E_ARGUMENT, CID_E_ARGUMENT, CID_OK, 0, 0},
        {"1e999", CID_E_ARGUMENT, CID_E_ARGUMENT, CID_E_JSON_RANGE, 0, 0},
        {"\"1\"", CID_E_ARGUMENT, CID_E_ARGUMENT, CID_E_ARGUMENT, 0, 0},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cid_json_reader reader;
        struct cid_json_item item;
        uint64_t u = 0;
        int64_t s = 0;
        double real = 0;
        cid_json_reader_begin(&reader, cases[i].json, strlen(cases[i].json), 0);
        assert_error(cid_json_next(&reader, &item), CID_OK);
        assert_error(cid_json_read_u64(&u, &item), cases[i].u64);
        assert_error(cid_json_read_i64(&s, &item), cases[i].i64);
        assert_error(cid_json_read_double(&real, &item), cases[i].real);
        assert_true(u == cases[i].u && s == cases[i].i);
    }
}

static void values_can_be_skipped_and_copied(void **state)
{
    static const char json[] =
        "{\"a\":[1,{\"b\":\"\\u0001\\ud83d\\ude80\"}],\"c\":{},\"d\\n\":\"\\/\"}";
    static const char copy[] =
        "{\"a\":[1,{\"b\":\"\\u0001\xf0\x9f\x9a\x80\"}],\"c\":{},\"d\\n\":\"/\"}";
    struct cid_json_reader reader;
    struct cid_json_item item;
    struct cid_json writer;
    char out[128];
    size_t written = 0;
    (void)state;

    cid_json_reader_begin(&reader, json, sizeof json - 1, 0);
    assert_error(cid_json_next(&reader, &item), CID_OK);
    assert_error(cid_json_next(&reader, &item), CID_OK);
    assert_true(cid_json_is(&item, "a") && !cid_json_is(&item, "ab") && !cid_json_is(&item, ""));
    assert_true(cid_json_is_string(&item, "ab", 1) && !cid_json_is_string(&item, NULL, 0));
    assert_error(cid_json_skip(&reader, &item), CID_OK);
    assert_error(cid_json_next(&reader, &item), CID_OK);
    assert_true(cid_json_is(&item, "c"));
    assert_error(cid_json_next(&reader, &item), CID_OK);
    assert_error(cid_json_skip(&reader, &item), CID_OK);
    assert_error(cid_json_next(&reader, &item), CID_OK);
    assert_true(cid_json_is(&item, "d\n") && !cid_json_is(&item, "d") &&
                !cid_json_is(&item, "d\nx"));
    assert_true(cid_json_is_string(&item, "d\nx", 2) && !cid_json_is_string(&item, "d\nx", 3));
    assert_error(cid_json_unescape(out, 1, &written, &item), CID_E_NOSPACE);
    assert_int_equal(written, 2);

    cid_json_reader_begin(&reader, json, sizeof json - 1, 0);
    cid_json_begin(&writer, out, sizeof out, NULL, NULL);
    while (!cid_json_next(&reader, &item))
        cid_json_copy(&writer, &item);
    assert_error(cid_json_finish(&writer, &written, false), CID_OK);
    assert_int_equal(written, sizeof copy - 1);
    assert_memory_equal(out, copy, written);
}

/*
 * The reader looks through the text in pieces. Here a string that wants care begins, turns and ends
 * around the border between two, behind one that reaches up to there, or that is nothing but
 * blanks.
 */
static void across_pieces(size_t before, char with, const char *json, enum cid_error error,
                          size_t offset, const char *decoded)
{
    static char text[2 * CID_JSON_PIECE + 256];
    struct cid_json_reader reader;
    struct cid_json_item item;
    size_t n = 0, at, written = 0;
    char out[32];

    n += (size_t)snprintf(text, 8, with == ' ' ? "[\"\"" : "[\"");
    memset(text + n, with, before);
    n += before;
    n += (size_t)snprintf(text + n, 8, with == ' ' ? "," : "\",");
    at = n;
    memcpy(text + n, json, strlen(json));
    n += strlen(json);
    cid_json_reader_begin(&reader, (const char *)test_guard(text, n), n, 0);
    assert_error(cid_json_next(&reader, &item), CID_OK);
    assert_error(cid_json_next(&reader, &item), CID_OK);
    assert_int_equal(item.len, with == ' ' ? 0 : before);
    assert_error(cid_json_next(&reader, &item), error);
    if (error) {
        assert_int_equal(cid_json_reader_fault(&reader)->offset, at + offset);
        return;
    }
    assert_int_equal(item.offset, at);
    assert_error(cid_json_unescape(out, sizeof out, &written, &item), CID_OK);
    assert_int_equal(written, strlen(decoded));
    assert_memory_equal(out, decoded, written);
    assert_error(cid_json_next(&reader, &item), CID_OK);
    assert_error(cid_json_next(&reader, &item), CID_END);
}

static void strings_may_lie_across_pieces(void **state)
{
    static const struct {
        const char *json;
        enum cid_error error;
        size_t offset;
        const char *decoded;
    } cases[] = {
        {"\"plain, of 24 characters\"]", CID_OK, 0, "plain, of 24 characters"},
        {"\"\\\"\\ud83d\\ude80\\\\\"]", CID_OK, 0, "\"\xf0\x9f\x9a\x80\\"},
        {"\"a\xe2\x82\xac\xf0\x9f\x9a\x80z\"]", CID_OK, 0, "a\xe2\x82\xac\xf0\x9f\x9a\x80z"},
        {"\"abcd\\n\xe2\x82\"]", CID_E_JSON_UTF8, 7, NULL},
        {"\"\xc2\xa0 b\xff\"]", CID_E_JSON_UTF8, 5, NULL},
        {"\"abcdefg\001\"]", CID_E_JSON_STRING, 8, NULL},
        {"\"abc\\u00zz\"]", CID_E_JSON_STRING, 8, NULL},
        {"\"abcdefghi", CID_E_TRUNCATED, 10, NULL},
    };
    static const uint32_t tiers[] = {CID__CPU_TIER_PORTABLE, CID__CPU_TIER_AVX2, CID__CPU_ALL};
    (void)state;

    for (size_t t = 0; t < COUNT(tiers); t++) {
        cid__cpu_mask(tiers[t]);
        for (size_t i = 0; i < COUNT(cases); i++) {
            for (size_t before = CID_JSON_PIECE - 30; before < CID_JSON_PIECE + 3; before++) {
                across_pieces(before, 'x', cases[i].json, cases[i].error, cases[i].offset,
                              cases[i].decoded);
                across_pieces(before, ' ', cases[i].json, cases[i].error, cases[i].offset,
                              cases[i].decoded);
            }
            test_guard_release();
        }
    }
    cid__cpu_mask(CID__CPU_ALL);
}

/* A member behind another one that takes `before` bytes; `end` is what stands behind its value. */
static void read_member(size_t before, size_t key_len, size_t len, const char *between,
                        const char *end, enum cid_error error)
{
    static char text[2 * CID_JSON_PIECE];
    struct cid_json_reader reader;
    struct cid_json_item item;
    size_t n = 0, key_at, value_at;

    n += (size_t)snprintf(text, sizeof text, "{\"\":\"%*s\",", (int)before, "");
    key_at = n;
    text[n++] = '"';
    memset(text + n, 'k', key_len);
    n += key_len;
    n += (size_t)snprintf(text + n, 16, "\"%s", between);
    value_at = n;
    text[n++] = '"';
    memset(text + n, 'v', len);
    n += len;
    n += (size_t)snprintf(text + n, 16, "%s", end);
    memmove(text + sizeof text - n, text, n); /* the end of it is guarded by sanitizers */
    cid_json_reader_begin(&reader, text + sizeof text - n, n, 0);
    for (int i = 0; i < 4; i++)
        assert_error(cid_json_next(&reader, &item), CID_OK);
    assert_int_equal(item.kind, CID_JSON_KEY);
    assert_int_equal(item.offset, key_at);
    assert_int_equal(item.len, key_len);
    assert_error(cid_json_next(&reader, &item), error);
    if (error) {
        assert_int_equal(cid_json_reader_fault(&reader)->offset, value_at + 1 + len);
        return;
    }
    assert_int_equal(item.kind, CID_JSON_STRING);
    assert_int_equal(item.offset, value_at);
    assert_true(item.text == reader.start + value_at + 1);
    assert_int_equal(item.len, item.escaped ? len + 2 : len);
    assert_error(cid_json_next(&reader, &item), CID_OK);
    assert_int_equal(item.kind, CID_JSON_OBJECT_END);
    assert_error(cid_json_next(&reader, &item), CID_END);
}

static void members_of_all_lengths(void **state)
{
    static const size_t lens[] = {0, 1, 7, 30, 45, 46, 47, 48, 49, 54, 55, 56, 57, 58, 64, 65, 150};
    static const struct {
        const char *between, *end;
        enum cid_error error;
    } forms[] = {{":", "\"}", CID_OK},    {":", "", CID_E_TRUNCATED},
                 {":", "\\n\"}", CID_OK}, {": ", "\" }", CID_OK},
                 {" :", "\"}", CID_OK},   {":", "\n\"}", CID_E_JSON_STRING}};
    (void)state;

    for (size_t key = 0; key < COUNT(lens); key++)
        for (size_t len = 0; len < COUNT(lens); len++)
            for (size_t before = 0; before < CID_JSON_PIECE + 8;
                 before = before == 8 ? CID_JSON_PIECE - 200 : before + 1 + len % 8)
                for (size_t i = 0; i < 3; i++) { /* the first two, and the others in turn */
                    size_t form = i < 2 ? i : 2 + (before + key) % (COUNT(forms) - 2);
                    read_member(before, lens[key], lens[len], forms[form].between, forms[form].end,
                                forms[form].error);
                }
}

static void cuts_and_flips_are_survived(void **state)
{
    static const char json[] =
        "[{\"a\":[1,-2.5e3,\"\\u0001\\ud83d\\ude80\xe2\x82\xac\"]},true,null]";
    (void)state;

    for (size_t len = 0; len < sizeof json - 1; len++) {
        struct cid_json_reader reader;
        char out[256];
        cid_json_reader_begin(&reader, (const char *)test_guard(json, len), len, 0);
        assert_error(read_all(out, sizeof out, &reader), CID_E_TRUNCATED);
        assert_int_equal(cid_json_reader_fault(&reader)->offset, len);
    }
    test_guard_release();
    for (size_t bit = 0; bit < 8 * (sizeof json - 1); bit++) {
        struct cid_json_reader reader;
        char out[256], flipped[sizeof json];
        memcpy(flipped, json, sizeof json);
        flipped[bit / 8] = (char)(flipped[bit / 8] ^ (1 << bit % 8));
        cid_json_reader_begin(&reader, flipped, sizeof json - 1, 0);
        (void)!read_all(out, sizeof out, &reader);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_text_is_read),
        cmocka_unit_test(wrong_text_is_refused_at_its_place),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(numbers_fit_or_do_not),
        cmocka_unit_test(values_can_be_skipped_and_copied),
        cmocka_unit_test(strings_may_lie_across_pieces),
        cmocka_unit_test(members_of_all_lengths),
        cmocka_unit_test(cuts_and_flips_are_survived),
    };
    return cmocka_run_group_tests_name("json_reader", tests, NULL, NULL);
}
