/*
 * Passing over members of JSON objects and finding one: what is found, that it is what reading item
 * by item would find, and that what is passed over is checked.
 */
#include "support.h"

#include "base/cpu.h"
#include "json/plain.h"

#include <cid/json.h>

#include <stdio.h>

static const uint32_t tiers[] = {CID__CPU_TIER_PORTABLE, CID__CPU_TIER_AVX2, CID__CPU_TIER_AVX512,
                                 CID__CPU_TIER_VBMI2};

/* Nothing behind the text can be read. */
static void begin_guarded(struct cid_json_reader *reader, const char *json)
{
    size_t len = strlen(json);

    cid_json_reader_begin(reader, (const char *)test_guard(json, len), len, 0);
}

/* ---- what is found ----------------------------------------------------------------------- */

/* The values of a key in the object that the text is, each in brackets; containers by their start.
 */
static enum cid_error find_all(char *out, size_t cap, struct cid_json_reader *reader,
                               const char *key)
{
    struct cid_json_item item;
    size_t n = 0;
    enum cid_error error = cid_json_next(reader, &item);

    out[0] = '\0';
    while (!error && !(error = cid_json_find(reader, &item, key))) {
        if (item.kind == CID_JSON_OBJECT_END) {
            assert_int_equal(item.depth, 0);
            return cid_json_next(reader, &item);
        }
        assert_int_equal(item.depth, 1);
        assert_ptr_equal(item.text,
                         reader->start + item.offset + (item.kind == CID_JSON_STRING ? 1 : 0));
        n += (size_t)snprintf(out + n, cap - n, "(%.*s)", (int)item.len, item.text);
        error = cid_json_skip(reader, &item);
    }
    return error;
}

static void members_are_found(void **state)
{
    static const struct {
        const char *json, *key, *found;
    } cases[] = {
        {"{}", "a", ""},
        {"{\"a\":\"1\"}", "a", "(1)"},
        {"{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\"}", "a", "(1)"},
        {"{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\"}", "b", "(2)"},
        {"{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\"}", "c", "(3)"},
        {"{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\"}", "d", ""},
        {"{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\"}", "", ""},
        {"{\"\":\"0\",\"b\":\"2\",\"\":\"1\"}", "", "(0)(1)"},
        {"{\"a\":\"1\",\"a\":\"2\",\"b\":\"\",\"a\":\"\"}", "a", "(1)(2)()"},
        {"{\"ab\":\"1\",\"a\":\"2\",\"abc\":\"3\"}", "a", "(2)"},
        {"{\"ab\":\"1\",\"a\":\"2\",\"abc\":\"3\"}", "ab", "(1)"},
        {"{\"abc\":\"1\",\"ab\":\"2\",\"abcd\":\"3\"}", "abcd", "(3)"},
        {"{\"seven77\":\"1\",\"eight888\":\"2\",\"nine99999\":\"3\"}", "seven77", "(1)"},
        {"{\"seven77\":\"1\",\"eight888\":\"2\",\"nine99999\":\"3\"}", "eight888", "(2)"},
        {"{\"seven77\":\"1\",\"eight888\":\"2\",\"nine99999\":\"3\"}", "nine99999", "(3)"},
        {"{\"eight888\":\"1\",\"eight8889\":\"2\",\"eight888\":\"3\"}", "eight888", "(1)(3)"},
        {"{\"eight888\":\"1\",\"eight8889\":\"2\",\"eight888\":\"3\"}", "eight8889", "(2)"},
        {"{\"eight888\":\"1\",\"eight8889\":\"2\",\"eight8\":\"3\"}", "eight8", "(3)"},
        {"{\"a\":\"b\",\"b\":\"c\"}", "c", ""},
        {"{\"a\":\"b\",\"b\":\"c\"}", "a\":\"b", ""}, /* bytes that stand there, but are no key */
        {"{\"a\":\"b\",\"b\":\"c\"}", "a\":\"b\",", ""},
        {"{\"x\":\"a\",\"\\u0061\":\"1\",\"a\":\"2\"}", "a", "(1)(2)"},
        {"{\"a\":\"1\",\"a\\\"\":\"2\"}", "a\"", "(2)"},
        {"{\"a\":\"1\",\"\\\\\":\"\\n\",\"b\":\"2\"}", "\\", "(\\n)"},
        {"{\"\xc3\xa9\":\"1\",\"e\":\"2\"}", "\xc3\xa9", "(1)"},
        {"{\"\xc3\xa9\":\"1\",\"e\":\"2\"}", "e", "(2)"},
        {"{\"a\":1,\"b\":true,\"c\":null,\"a\":-2.5}", "a", "(1)(-2.5)"},
        {"{\"a\":{\"c\":\"in\"},\"b\":[{\"c\":\"in\"}],\"c\":\"out\"}", "c", "(out)"},
        {"{\"a\":{\"a\":\"in\"},\"b\":\"x\",\"a\":[[],{}],\"a\":\"y\"}", "a", "({)([)(y)"},
        {" { \"a\" : \"1\" , \"b\" : \"2\" ,\n\"c\":\"3\" } ", "b", "(2)"},
        {"{\"a\":\"1\", \"b\":\"2\", \"c\":\"3\"}", "c", "(3)"},
        {"{\"a\": \"1\",\"b\" :\"2\",\"c\":\"3\" ,\"d\":\"4\"}", "d", "(4)"},
    };
    char out[128];
    (void)state;

    for (size_t t = 0; t < COUNT(tiers); t++) {
        cid__cpu_mask(tiers[t]);
        for (size_t i = 0; i < COUNT(cases); i++) {
            struct cid_json_reader reader;
            begin_guarded(&reader, cases[i].json);
            assert_error(find_all(out, sizeof out, &reader, cases[i].key), CID_END);
            assert_string_equal(out, cases[i].found);
        }
        test_guard_release();
    }
    cid__cpu_mask(CID__CPU_ALL);
}

static void what_is_passed_over_is_checked(void **state)
{
    static const struct {
        const char *json;
        enum cid_error error;
        size_t offset;
    } cases[] = {
        {"{\"a\":\"1\",\"b\":\"2\",}", CID_E_JSON_SYNTAX, 17},
        {"{\"\"\"\"", CID_E_JSON_SYNTAX, 3},
        {"{\"\"\"\"abcd", CID_E_JSON_SYNTAX,
         3}, /* no members, and no 8 bytes behind the first mark */
        {"{\"a\":\"\"\"\"", CID_E_JSON_SYNTAX, 7},
        {"{\"a\":\"1\",\"b\":\"2\"]", CID_E_JSON_SYNTAX, 16},
        {"{\"a\":\"1\",\"b\",\"c\":\"2\"}", CID_E_JSON_SYNTAX, 12},
        {"{\"a\":\"1\"\"b\":\"2\"}", CID_E_JSON_SYNTAX, 8},
        {"{\"a\":\"1\":\"b\":\"2\"}", CID_E_JSON_SYNTAX, 8},
        {"{\"a\"=\"1\",\"b\":\"2\"}", CID_E_JSON_SYNTAX, 4},
        {"{\"a\":\"1\",\"b\":\"2\"", CID_E_TRUNCATED, 16},
        {"{\"a\":\"1\",\"b\":\"2", CID_E_TRUNCATED, 15},
        {"{\"a\":\"1\",\"b\":\"2\"}}", CID_E_TRAILING, 17},
        {"{\"a\":\"\t\",\"b\":\"2\"}", CID_E_JSON_STRING, 6},
        {"{\"a\":\"\\x\",\"b\":\"2\"}", CID_E_JSON_STRING, 7},
        {"{\"a\":\"\\ud800\",\"b\":\"2\"}", CID_E_JSON_SURROGATE, 6},
        {"{\"a\":\"\xc0\x80\",\"b\":\"2\"}", CID_E_JSON_UTF8, 6},
        {"{\"a\xff\":\"\",\"b\":\"2\"}", CID_E_JSON_UTF8, 3},
        {"{\"a\":[\"\",01],\"b\":\"2\"}", CID_E_JSON_NUMBER, 9},
        {"{\"a\":[{\"c\":\"d\"},{\"e\":\"f\",}],\"b\":\"2\"}", CID_E_JSON_SYNTAX, 25},
        {"{\"a\":[{\"c\":\"d\"},{\"e\":\"f\"],\"b\":\"2\"}", CID_E_JSON_SYNTAX, 24},
    };
    char out[64];
    (void)state;

    for (size_t t = 0; t < COUNT(tiers); t++) {
        cid__cpu_mask(tiers[t]);
        for (size_t i = 0; i < COUNT(cases); i++) {
            struct cid_json_reader reader;
            enum cid_error error;
            begin_guarded(&reader, cases[i].json);
            error = find_all(out, sizeof out, &reader, "missing");
            if (error != cases[i].error ||
                cid_json_reader_fault(&reader)->offset != cases[i].offset)
                fail_msg("%s: %s at %u", cases[i].json, cid_error_name(error),
                         (unsigned)cid_json_reader_fault(&reader)->offset);
            assert_error(cid_json_find(&reader, &(struct cid_json_item){0}, "a"), cases[i].error);
        }
        test_guard_release();
    }
    cid__cpu_mask(CID__CPU_ALL);
}

static void only_objects_are_looked_through(void **state)
{
    static const char json[] = "[1,{\"a\":[2,\"x\"],\"b\":{\"a\":\"in\"},\"a\":\"y\"}]";
    struct cid_json_reader reader;
    struct cid_json_item item = {0}, array;
    (void)state;

    cid_json_reader_begin(&reader, json, sizeof json - 1, 0);
    assert_error(cid_json_find(&reader, &item, "a"), CID_E_ARGUMENT); /* in nothing */
    assert_error(cid_json_next(&reader, &array), CID_OK);
    assert_error(cid_json_find(&reader, &item, "a"), CID_E_ARGUMENT); /* in an array */
    assert_error(cid_json_next(&reader, &item), CID_OK);
    assert_int_equal(item.kind, CID_JSON_NUMBER);
    assert_error(cid_json_next(&reader, &item), CID_OK);
    assert_error(cid_json_next(&reader, &item), CID_OK);
    assert_int_equal(item.kind, CID_JSON_KEY);
    /* Behind a key: not its value, but the next member. */
    assert_error(cid_json_find(&reader, &item, "b"), CID_OK);
    assert_int_equal(item.kind, CID_JSON_OBJECT);
    /* In an object that was found: its own members. */
    assert_error(cid_json_find(&reader, &item, "b"), CID_OK);
    assert_int_equal(item.kind, CID_JSON_OBJECT_END);
    assert_int_equal(item.depth, 2);
    assert_error(cid_json_find(&reader, &item, "a"), CID_OK);
    assert_true(cid_json_is(&item, "y"));
    /* What is left of the array outside. */
    assert_error(cid_json_skip(&reader, &array), CID_OK);
    assert_error(cid_json_find(&reader, &item, "a"), CID_E_ARGUMENT); /* behind all */
    assert_error(cid_json_next(&reader, &item), CID_END);
}

/* ---- the same as item by item ------------------------------------------------------------ */

static void hold_place(const struct cid_json_reader *a, const struct cid_json_reader *b)
{
    assert_ptr_equal(a->at, b->at);
    assert_int_equal(a->state, b->state);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->in_object, b->in_object);
    assert_ptr_equal(a->space, b->space);
    assert_int_equal(a->fault.code, b->fault.code);
    assert_int_equal(a->fault.offset, b->fault.offset);
}

static void hold_item(const struct cid_json_item *a, const struct cid_json_item *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->escaped, b->escaped);
    assert_ptr_equal(a->text, b->text);
    assert_int_equal(a->len, b->len);
    assert_int_equal(a->offset, b->offset);
    assert_int_equal(a->depth, b->depth);
}

/* All members of all objects with that key, both ways: objects in arrays are gone into. */
static void hold_text(const char *text, size_t len, const char *key)
{
    struct cid_json_reader quick, plain;
    struct cid_json_item found = {0}, right = {0};
    enum cid_error error = CID_OK;

    cid_json_reader_begin(&quick, text, len, 0);
    cid_json_reader_begin(&plain, text, len, 0);
    while (!error) {
        if (quick.in_object) {
            error = cid_json_find(&quick, &found, key);
            assert_error(cid__json_find_plain(&plain, &right, key, strlen(key)), error);
        } else {
            error = cid_json_next(&quick, &found);
            assert_error(cid_json_next(&plain, &right), error);
        }
        hold_place(&quick, &plain);
        if (error)
            break;
        hold_item(&found, &right);
        if (found.kind != CID_JSON_ARRAY)
            continue;
        struct cid_json_reader quick_skip = quick, plain_skip = plain;
        assert_error(cid__json_skip_plain(&plain_skip, &right), cid_json_skip(&quick_skip, &found));
        hold_place(&quick_skip, &plain_skip);
    }
}

static const char *const texts[] = {
    "{\"groups\":[{\"name\":\"g\",\"files\":[{\"name\":\"n\",\"path\":\"a/b/c\",\"cid\":\"bafk\"},"
    "{\"cid\":\"bafy\",\"name\":\"\"}]},{\"name\":\"h\",\"files\":[]}]}",
    "{\"a\":\"1\",\"cid\":\"\\u0062\",\"b\":\"\xc3\xa9\",\"groups\":[{\"cid\":\"\"}],\"c\":12}",
    "{\"a\": \"1\", \"b\": \"2\", \"cid\": \"3\", \"checksum\": \"\", \"groups\": \"\xc3\xa9\", "
    "\"c\": \"4\", "
    "\"cid\": [{\"a\": \"1\", \"b\": \"2\"}, {}], \"files\": \"\", \"\": \"\"}",
    "[{\"a\":\"1\", \"cid\":\"b\"},\"\",\"x\",{\"cid\":{\"cid\":\"c\"},\"checksum\":\"0\"}]",
};
static const char *const keys[] = {"cid", "groups", "checksum", "files", ""};

/* The text behind a member of so many bytes, in front of a guarded page, cut or changed. */
static void hold_changed(size_t before, const char *text, size_t change, char to)
{
    static char all[CID_JSON_PIECE + 512];
    size_t n = 0, len = strlen(text);

    if (before != 0)
        n = (size_t)snprintf(all, sizeof all, "[\"%*s\",", (int)before - 4, "");
    memcpy(all + n, text, len);
    if (change < len && to != '\0')
        all[n + change] = to;
    else if (change < len)
        len = change;
    for (size_t i = 0; i < COUNT(keys); i++)
        hold_text((const char *)test_guard(all, n + len), n + len, keys[i]);
    test_guard_release();
}

static void all_is_as_item_by_item(void **state)
{
    static const char to[] = "\"\\{}[],: a0\n\x80";
    (void)state;

    for (size_t t = 0; t < COUNT(tiers); t++) {
        cid__cpu_mask(tiers[t]);
        for (size_t i = 0; i < COUNT(texts); i++) {
            hold_changed(0, texts[i], SIZE_MAX, '\0');
            for (size_t at = 0; at < strlen(texts[i]); at++) {
                hold_changed(0, texts[i], at, '\0');
                hold_changed(0, texts[i], at, to[(at + t) % (sizeof to - 1)]);
                hold_changed(0, texts[i], at, to[(at * 5 + 3 * t + 1) % (sizeof to - 1)]);
            }
        }
    }
    cid__cpu_mask(CID__CPU_ALL);
}

/* The end of a piece at every place of a text. */
static void pieces_may_end_anywhere(void **state)
{
    (void)state;

    for (size_t t = 0; t < COUNT(tiers); t++) {
        cid__cpu_mask(tiers[t]);
        for (size_t i = 0; i < COUNT(texts); i++)
            for (size_t at = 0; at <= strlen(texts[i]); at += 1 + t % 2)
                hold_changed(CID_JSON_PIECE - at, texts[i], SIZE_MAX, '\0');
    }
    cid__cpu_mask(CID__CPU_ALL);
}

/* So many marks that a piece is not looked through to its end. */
static void marks_may_run_out(void **state)
{
    static char text[12 * CID_JSON_MARKS];
    size_t n = 0;
    (void)state;

    text[n++] = '{';
    while (n + 16 < sizeof text)
        n += (size_t)snprintf(text + n, 16, "\"%s\":\"%s\",", n % 5 == 0 ? "k" : "",
                              n % 7 == 0 ? "v" : "");
    n += (size_t)snprintf(text + n, 16, "\"cid\":\"\"}");
    for (size_t t = 0; t < COUNT(tiers); t++) {
        cid__cpu_mask(tiers[t]);
        hold_text((const char *)test_guard(text, n), n, "cid");
        hold_text((const char *)test_guard(text, n), n, "k");
        test_guard_release();
    }
    cid__cpu_mask(CID__CPU_ALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_found),
        cmocka_unit_test(what_is_passed_over_is_checked),
        cmocka_unit_test(only_objects_are_looked_through),
        cmocka_unit_test(all_is_as_item_by_item),
        cmocka_unit_test(pieces_may_end_anywhere),
        cmocka_unit_test(marks_may_run_out),
    };
    return cmocka_run_group_tests_name("json_find", tests, NULL, NULL);
}
