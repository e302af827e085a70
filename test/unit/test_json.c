#include "support.h"

#include "base/cpu.h"

#include <cid/json.h>

#include <math.h>
#include <stdio.h>

/* Collects what the writer hands on; fails once `room` bytes are full. */
struct sink {
    char text[4096];
    size_t len;
    size_t calls;
    size_t room;
};

static enum cid_error collect(void *ctx, const char *text, size_t len)
{
    struct sink *sink = ctx;
    sink->calls++;
    if (len > sink->room - sink->len)
        return CID_E_IO;
    memcpy(sink->text + sink->len, text, len);
    sink->len += len;
    return CID_OK;
}

static const uint8_t digest[] = {0x00, 0x1f, 0xa9, 0xff};

/* Every kind of value, nested. */
static void write_everything(struct cid_json *json)
{
    cid_json_object_begin(json);
    cid_json_key(json, "a");
    cid_json_array_begin(json);
    cid_json_u64(json, 0);
    cid_json_u64(json, UINT64_MAX);
    cid_json_i64(json, INT64_MIN);
    cid_json_i64(json, -1);
    cid_json_i64(json, INT64_MAX);
    cid_json_bool(json, true);
    cid_json_bool(json, false);
    cid_json_null(json);
    cid_json_text(json, NULL);
    cid_json_text(json, "");
    cid_json_array_begin(json);
    cid_json_array_end(json);
    cid_json_object_begin(json);
    cid_json_object_end(json);
    cid_json_array_end(json);
    cid_json_key(json, "q\"\xff");
    cid_json_hex(json, digest, sizeof digest);
    cid_json_key(json, "");
    cid_json_object_begin(json);
    cid_json_key(json, "s");
    cid_json_string(json, "tab\tend", 7);
    cid_json_object_end(json);
    cid_json_object_end(json);
}

static const char everything[] =
    "{\"a\":[0,18446744073709551615,-9223372036854775808,-1,9223372036854775807,true,false,null,"
    "null,\"\",[],{}],\"q\\\"\xef\xbf\xbd\":\"001fa9ff\",\"\":{\"s\":\"tab\\tend\"}}\n";

static void writes_every_kind_of_value(void **state)
{
    char buf[512];
    size_t written = 0;
    struct cid_json json;
    (void)state;

    cid_json_begin(&json, buf, sizeof buf, NULL, NULL);
    write_everything(&json);
    assert_error(cid_json_finish(&json, &written, true), CID_OK);
    assert_int_equal(written, strlen(everything));
    assert_memory_equal(buf, everything, written);
}

static void the_size_of_the_buffer_does_not_show(void **state)
{
    (void)state;

    for (size_t cap = 0; cap <= 64; cap++) {
        char *buf = cap != 0 ? malloc(cap) : NULL; /* the sanitizer sees a byte too far */
        struct sink sink = {.room = sizeof sink.text};
        struct cid_json json;
        size_t written = 4711;

        cid_json_begin(&json, buf, cap, collect, &sink);
        write_everything(&json);
        assert_error(cid_json_finish(&json, &written, true), CID_OK);
        assert_int_equal(sink.len, strlen(everything));
        assert_memory_equal(sink.text, everything, sink.len);
        assert_int_equal(written, 4711);
        if (cap != 0)
            assert_int_equal(sink.calls, (strlen(everything) + cap - 1) / cap);
        free(buf);
    }
}

static void a_buffer_too_small_without_flush(void **state)
{
    (void)state;

    for (size_t cap = 0; cap <= strlen(everything); cap++) {
        char *buf = cap != 0 ? malloc(cap) : NULL;
        struct cid_json json;
        size_t written = 4711;
        bool fits = cap == strlen(everything);

        cid_json_begin(&json, buf, cap, NULL, NULL);
        write_everything(&json);
        assert_error(cid_json_finish(&json, &written, true), fits ? CID_OK : CID_E_NOSPACE);
        assert_int_equal(written, fits ? cap : 4711);
        free(buf);
    }
}

static void a_failure_of_flush_is_kept(void **state)
{
    (void)state;

    for (size_t room = 0; room < strlen(everything); room++) {
        char buf[7];
        struct sink sink = {.room = room};
        struct cid_json json;
        size_t calls;

        cid_json_begin(&json, buf, sizeof buf, collect, &sink);
        write_everything(&json);
        assert_error(cid_json_finish(&json, NULL, true), CID_E_IO);
        calls = sink.calls;
        cid_json_text(&json, "more and more and more");
        assert_error(cid_json_finish(&json, NULL, false), CID_E_IO);
        assert_int_equal(sink.calls, calls);
    }
}

static void strings_are_escaped_and_mended(void **state)
{
#define FFFD "\xef\xbf\xbd"
    static const struct {
        const char *text;
        size_t len;
        const char *json;
    } rows[] = {
        {"plain", 5, "plain"},
        {"\"\\/", 3, "\\\"\\\\/"},
        {"\b\f\n\r\t", 5, "\\b\\f\\n\\r\\t"},
        {"\0\x01\x1b[31m\x1f", 8, "\\u0000\\u0001\\u001b[31m\\u001f"},
        {"\x7f\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", 9, "\\u007f\\u0080\\u009b\\u009f\xc2\xa0"},
        {"a\xe2\x80\xae\xe2\x80\xa8\xe2\x81\xa6\xd8\x9c", 12, "a\\u202e\\u2028\\u2066\\u061c"},
        {"\xe2\x80\xa7\xe2\x80\xaf\xe2\x80\x8d", 9, "\xe2\x80\xa7\xe2\x80\xaf\xe2\x80\x8d"},
        /* the first and last characters of each length */
        {"\xc2\xa1\xdf\xbf", 4, "\xc2\xa1\xdf\xbf"},
        {"\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf", 12,
         "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf"},
        {"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 8, "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"},
        /* stray and impossible bytes: one each */
        {"\x80\xbf", 2, FFFD FFFD},
        {"\xc0\x80", 2, FFFD FFFD},
        {"\xc1\xbf", 2, FFFD FFFD},
        {"\xf5\x80\x80\x80", 4, FFFD FFFD FFFD FFFD},
        {"\xfe\xff", 2, FFFD FFFD},
        /* over-long, surrogates, beyond Unicode: the first byte is ill-formed by itself */
        {"\xe0\x9f\xbf", 3, FFFD FFFD FFFD},
        {"\xf0\x8f\xbf\xbf", 4, FFFD FFFD FFFD FFFD},
        {"\xed\xa0\x80", 3, FFFD FFFD FFFD},
        {"\xf4\x90\x80\x80", 4, FFFD FFFD FFFD FFFD},
        /* cut characters: one for the whole of what could have become one */
        {"\xc3", 1, FFFD},
        {"\xe2\x82", 2, FFFD},
        {"\xf0\x9f\x9a", 3, FFFD},
        {"\xe2\x82z", 3, FFFD "z"},
        {"\xf0\x9f\x9a\"", 4, FFFD "\\\""},
        {"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", 9, FFFD FFFD FFFD FFFD "A"},
        {"\xf0\x80\x80\x41", 4, FFFD FFFD FFFD "A"},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        char buf[128];
        size_t written = 0;
        struct cid_json json;

        cid_json_begin(&json, buf, sizeof buf, NULL, NULL);
        cid_json_string(&json, (const char *)test_guard(rows[i].text, rows[i].len), rows[i].len);
        assert_error(cid_json_finish(&json, &written, false), CID_OK);
        assert_int_equal(written, strlen(rows[i].json) + 2);
        assert_memory_equal(buf + 1, rows[i].json, written - 2);
        assert_int_equal(buf[0], '"');
        assert_int_equal(buf[written - 1], '"');
    }
    test_guard_release();
#undef FFFD
}

/* Calls out of place, a letter each: { } [ ] k(ey) n(ull) K(ey NULL). */
static void play(struct cid_json *json, const char *calls)
{
    for (; *calls; calls++) {
        switch (*calls) {
        case '{':
            cid_json_object_begin(json);
            break;
        case '}':
            cid_json_object_end(json);
            break;
        case '[':
            cid_json_array_begin(json);
            break;
        case ']':
            cid_json_array_end(json);
            break;
        case 'k':
            cid_json_key(json, "k");
            break;
        case 'K':
            cid_json_key(json, NULL);
            break;
        case 'n':
            cid_json_null(json);
            break;
        case 's':
            cid_json_text(json, "s");
            break;
        case 'h':
            cid_json_hex(json, NULL, 0);
            break;
        case 'u':
            cid_json_u64(json, 1);
            break;
        default:
            fail_msg("no such call: %c", *calls);
        }
    }
}

static void calls_out_of_place_are_refused(void **state)
{
    static const char *const bad[] = {
        "",    "{",   "[",    "]",   "}",    "k",    "K",     "{]",    "[}",   "{n",     "{s}",
        "{h}", "{u}", "{{}}", "{[]", "{k}",  "{kk",  "{knn}", "[k]",   "nn",   "{}{}",   "[]n",
        "s}",  "{}}", "[]]",  "{K",  "{kn]", "[[]}", "{k[}}", "{k{n}", "{k[k", "{kn}kn",
    };
    static const char *const good[] = {
        "n",      "s",     "h",        "u",      "{}",    "[]",         "{kn}",
        "{knkn}", "[nsu]", "{k{}k[]}", "[[[]]]", "[{}n]", "[{kn}{kn}]", "{k[nn]k{kn}}",
    };
    (void)state;

    for (size_t i = 0; i < COUNT(bad); i++) {
        char buf[64];
        struct cid_json json;
        cid_json_begin(&json, buf, sizeof buf, NULL, NULL);
        play(&json, bad[i]);
        if (cid_json_finish(&json, NULL, false) != CID_E_ARGUMENT)
            fail_msg("%s is accepted", bad[i]);
        play(&json, "n");
        assert_error(cid_json_finish(&json, NULL, false), CID_E_ARGUMENT);
    }
    for (size_t i = 0; i < COUNT(good); i++) {
        char buf[64];
        struct cid_json json;
        cid_json_begin(&json, buf, sizeof buf, NULL, NULL);
        play(&json, good[i]);
        if (cid_json_finish(&json, NULL, false) != CID_OK)
            fail_msg("%s is refused", good[i]);
    }
}

static void a_newline_makes_room_for_the_next_value(void **state)
{
    char buf[64];
    size_t written = 0;
    struct cid_json json;
    (void)state;

    cid_json_begin(&json, buf, sizeof buf, NULL, NULL);
    play(&json, "{kn}");
    assert_error(cid_json_finish(&json, &written, true), CID_OK);
    assert_int_equal(written, 11);
    play(&json, "[n]");
    assert_error(cid_json_finish(&json, &written, true), CID_OK);
    assert_int_equal(written, 18);
    play(&json, "n");
    assert_error(cid_json_finish(&json, &written, false), CID_OK);
    assert_int_equal(written, 22);
    assert_memory_equal(buf, "{\"k\":null}\n[null]\nnull", 22);
    play(&json, "n");
    assert_error(cid_json_finish(&json, NULL, true), CID_E_ARGUMENT);
}

static void nests_1024_deep_and_no_deeper(void **state)
{
    static char buf[4096], calls[2 * CID_JSON_DEPTH + 3];
    struct cid_json json;
    (void)state;

    memset(calls, '[', CID_JSON_DEPTH);
    memset(calls + CID_JSON_DEPTH, ']', CID_JSON_DEPTH);
    cid_json_begin(&json, buf, sizeof buf, NULL, NULL);
    play(&json, calls);
    assert_error(cid_json_finish(&json, NULL, false), CID_OK);

    memset(calls, '[', CID_JSON_DEPTH + 1);
    memset(calls + CID_JSON_DEPTH + 1, ']', CID_JSON_DEPTH + 1);
    cid_json_begin(&json, buf, sizeof buf, NULL, NULL);
    play(&json, calls);
    assert_error(cid_json_finish(&json, NULL, false), CID_E_DEPTH_LIMIT);
}

static void pretty_text_has_a_line_an_item(void **state)
{
    static const char expected[] = "{\n"
                                   "  \"k\": [\n"
                                   "    null,\n"
                                   "    {},\n"
                                   "    [],\n"
                                   "    {\n"
                                   "      \"k\": 1,\n"
                                   "      \"k\": \"\"\n"
                                   "    }\n"
                                   "  ]\n"
                                   "}\n";
    char buf[128];
    size_t written = 0;
    struct cid_json json;
    (void)state;

    cid_json_begin_pretty(&json, buf, sizeof buf, NULL, NULL, 2);
    play(&json, "{k[n{}[]{kukh}]}");
    assert_error(cid_json_finish(&json, &written, true), CID_OK);
    assert_int_equal(written, sizeof expected - 1);
    assert_memory_equal(buf, expected, written);
}

static void numbers_as_text_and_doubles(void **state)
{
    static const char *const bad[] = {"",   "-",   "01", "1.",  ".5", "1e",
                                      "+1", "0x1", "1 ", "NaN", "1,2"};
    char buf[128];
    size_t written = 0;
    struct cid_json json;
    (void)state;

    cid_json_begin(&json, buf, sizeof buf, NULL, NULL);
    cid_json_array_begin(&json);
    cid_json_double(&json, 0.1);
    cid_json_double(&json, -0.0);
    cid_json_double(&json, 1e21);
    cid_json_number(&json, "-1.50E+07", 9);
    cid_json_array_end(&json);
    assert_error(cid_json_finish(&json, &written, false), CID_OK);
    assert_int_equal(written, 26);
    assert_memory_equal(buf, "[0.1,-0.0,1e+21,-1.50E+07]", written);
    for (size_t i = 0; i < COUNT(bad); i++) {
        cid_json_begin(&json, buf, sizeof buf, NULL, NULL);
        cid_json_number(&json, bad[i], strlen(bad[i]));
        assert_error(cid_json_finish(&json, NULL, false), CID_E_ARGUMENT);
    }
    for (size_t i = 0; i < 3; i++) {
        const double no[] = {HUGE_VAL, -HUGE_VAL, HUGE_VAL - HUGE_VAL};
        cid_json_begin(&json, buf, sizeof buf, NULL, NULL);
        cid_json_double(&json, no[i]);
        assert_error(cid_json_finish(&json, NULL, false), CID_E_ARGUMENT);
    }
}

/* Text of length len with one odd character at `odd`, written into a buffer that flushes at cap. */
static void write_odd(size_t len, size_t odd, uint8_t c, size_t cap)
{
    char text[160], expected[200], buf[160];
    struct sink sink = {.room = sizeof sink.text};
    struct cid_json json;
    size_t n = 0;

    memset(text, 'x', len);
    expected[n++] = '"';
    for (size_t i = 0; i < len; i++) {
        if (i != odd) {
            expected[n++] = 'x';
            continue;
        }
        text[i] = (char)c;
        if (c < 0x20 || c == 0x7f)
            n += (size_t)snprintf(expected + n, 8, "\\u%04x", c);
        else if (c >= 0x80)
            n += (size_t)snprintf(expected + n, 8, "\xef\xbf\xbd");
        else
            n += (size_t)snprintf(expected + n, 8, "\\%c", c);
    }
    expected[n++] = '"';
    cid_json_begin(&json, buf, cap, collect, &sink);
    cid_json_string(&json, (const char *)test_guard(text, len), len);
    assert_error(cid_json_finish(&json, NULL, false), CID_OK);
    assert_int_equal(sink.len, n);
    assert_memory_equal(sink.text, expected, n);
}

static void every_place_of_an_odd_character_in_every_tier(void **state)
{
    static const uint32_t tiers[] = {CID__CPU_TIER_PORTABLE, CID__CPU_TIER_AVX2,
                                     CID__CPU_TIER_AVX512};
    static const uint8_t odd[] = {'"', '\\', 0x01, 0x1f, 0x7f, 0x80, 0xff};
    (void)state;

    for (size_t t = 0; t < COUNT(tiers); t++) {
        cid__cpu_mask(tiers[t]);
        for (size_t len = 1; len < 140; len += 1 + len / 24)
            for (size_t at = 0; at <= len; at++)
                write_odd(len, at, odd[(len + at) % COUNT(odd)], at % 2 ? 160 : 1 + at % 70);
        test_guard_release();
    }
    cid__cpu_mask(CID__CPU_ALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_every_kind_of_value),
        cmocka_unit_test(the_size_of_the_buffer_does_not_show),
        cmocka_unit_test(a_buffer_too_small_without_flush),
        cmocka_unit_test(a_failure_of_flush_is_kept),
        cmocka_unit_test(strings_are_escaped_and_mended),
        cmocka_unit_test(calls_out_of_place_are_refused),
        cmocka_unit_test(a_newline_makes_room_for_the_next_value),
        cmocka_unit_test(nests_1024_deep_and_no_deeper),
        cmocka_unit_test(pretty_text_has_a_line_an_item),
        cmocka_unit_test(numbers_as_text_and_doubles),
        cmocka_unit_test(every_place_of_an_odd_character_in_every_tier),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
