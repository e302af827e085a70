/*
 * The JSON reader: what it gives can be written, and is then read as the same; what items say of
 * themselves agrees; skipping comes out where reading does; and all of it is the same with and
 * without vectors.
 */
#include "fuzz.h"

#include "base/cpu.h"

#include "json/plain.h"

#include <cid/json.h>

const struct fuzz_seed fuzz_seeds[] = {
    SEED("{\"a\":[1,-2.5e3,\"\\u0001\\ud83d\\ude80\xe2\x82\xac\"],\"b\\n\":{}}"),
    SEED(" [ true , false , null ] "),
    SEED("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]"),
    SEED("[18446744073709551615,-9223372036854775808,1e-8,-0.0,5e-324,1.7976931348623157e308]"),
    SEED(
        "[[[1,[\"a string of more than sixty-four bytes, \\u0041 so that vectors are filled\"]]]]"),
    SEED("{\"name\":\"n\",\"path\":\"a/"
         "b\",\"cid\":\"bafk\",\"cid\":[{\"checksum\":\"\"}],\"\":\"x\"}"),
    SEED("{\"name\": \"n\", \"path\": \"a/b\", \"\xc3\xa9\": \"\xc3\xa9\", \"cid\": \"b\", \"x\": "
         "[{\"y\": \"\"}]}"),
    SEED_END,
};

/* ---- items ------------------------------------------------------------------------------ */

static void look_at_string(const struct cid_json_item *item)
{
    static char text[1 << 16], again[1 << 16];
    struct cid_json_item plain = *item;
    size_t len = 0, measured = 0;

    if (item->len > sizeof text - 1)
        return;
    FUZZ_CHECK(!cid_json_unescape(text, sizeof text - 1, &len, item) && len <= item->len);
    FUZZ_CHECK(item->escaped || (len == item->len && memcmp(text, item->text, len) == 0));
    if (cid_json_unescape(NULL, 0, &measured, item))
        FUZZ_CHECK(len != 0);
    FUZZ_CHECK(measured == len);
    text[len] = '\0';
    FUZZ_CHECK(cid_json_is(item, text) == (strlen(text) == len));
    /* Text without escapes stands for itself. */
    plain.text = text;
    plain.len = len;
    plain.escaped = false;
    FUZZ_CHECK(!cid_json_unescape(again, sizeof again, &measured, &plain) && measured == len);
    FUZZ_CHECK(memcmp(text, again, len) == 0);
}

static void look_at_double(double value)
{
    char text[64];
    struct cid_json json;
    struct cid_json_item item = {.kind = CID_JSON_NUMBER, .text = text};
    double again = 0;

    cid_json_begin(&json, text, sizeof text, NULL, NULL);
    cid_json_double(&json, value);
    FUZZ_CHECK(!cid_json_finish(&json, &item.len, false));
    FUZZ_CHECK(!cid_json_read_double(&again, &item));
    FUZZ_CHECK(memcmp(&value, &again, sizeof value) == 0);
}

static void look_at_number(const struct cid_json_item *item)
{
    uint64_t u = 0;
    int64_t i = 0;
    double value = 0;
    enum cid_error large = cid_json_read_u64(&u, item), small = cid_json_read_i64(&i, item);

    if (!large && !small)
        FUZZ_CHECK((uint64_t)i == u);
    if (!large && small)
        FUZZ_CHECK(u > INT64_MAX);
    if (large == CID_E_ARGUMENT || small == CID_E_ARGUMENT)
        FUZZ_CHECK(large == small);
    if (cid_json_read_double(&value, item)) {
        FUZZ_CHECK(large && small);
        return;
    }
    if (!large)
        FUZZ_CHECK(value == (double)u);
    if (!small)
        FUZZ_CHECK(value == (double)i);
    look_at_double(value);
}

/* Passes over the value that was given last; what comes next is at the same depth or outside. */
static void skip(const struct cid_json_reader *reader, const struct cid_json_item *item)
{
    struct cid_json_reader ahead = *reader;
    struct cid_json_item next;
    size_t depth = item->depth;

    if (cid_json_skip(&ahead, item) || cid_json_next(&ahead, &next))
        return;
    FUZZ_CHECK(next.depth <= depth && next.offset >= item->offset);
}

static void hold_place(const struct cid_json_reader *a, const struct cid_json_reader *b)
{
    FUZZ_CHECK(a->at == b->at && a->state == b->state && a->depth == b->depth);
    FUZZ_CHECK(a->in_object == b->in_object && a->space == b->space);
    FUZZ_CHECK(a->fault.code == b->fault.code && a->fault.offset == b->fault.offset);
}

/* The members with that key from here on, as by reading item by item. */
static void find(const struct cid_json_reader *reader, const char *key, size_t len)
{
    struct cid_json_reader ahead = *reader, plain = *reader;
    enum cid_error error;

    for (int i = 0; i < 4; i++) {
        struct cid_json_item found = {0}, right = {0};
        error = cid_json_find_string(&ahead, &found, key, len);
        FUZZ_CHECK(cid__json_find_plain(&plain, &right, key, len) == error);
        hold_place(&ahead, &plain);
        if (error)
            return;
        FUZZ_CHECK(found.kind == right.kind && found.text == right.text && found.len == right.len);
        FUZZ_CHECK(found.offset == right.offset && found.depth == right.depth);
        FUZZ_CHECK(found.escaped == right.escaped);
        error = cid_json_skip(&ahead, &found);
        FUZZ_CHECK(cid__json_skip_plain(&plain, &right) == error);
        hold_place(&ahead, &plain);
    }
}

static void find_some(const struct cid_json_reader *reader, const struct cid_json_item *item)
{
    static char last[32];
    static size_t last_len;

    find(reader, "", 0);
    find(reader, "cid", 3);
    find(reader, last, last_len);
    if (item->kind != CID_JSON_KEY)
        return;
    last_len = item->len < sizeof last ? item->len : sizeof last;
    memcpy(last, item->text, last_len);
    find(reader, last, last_len);
}

static void look_at(const struct cid_json_reader *reader, const struct cid_json_item *item,
                    size_t number)
{
    if (item->kind == CID_JSON_KEY || item->kind == CID_JSON_STRING)
        look_at_string(item);
    else if (item->kind == CID_JSON_NUMBER)
        look_at_number(item);
    if (number < 8) {
        skip(reader, item);
        find_some(reader, item);
    }
}

/* ---- texts ------------------------------------------------------------------------------ */

static enum cid_error copy(char *out, size_t cap, size_t *written, const char *text, size_t len,
                           size_t *bad)
{
    struct cid_json_reader reader;
    struct cid_json_item item;
    struct cid_json json;
    enum cid_error error;

    cid_json_reader_begin(&reader, text, len, 0);
    cid_json_begin(&json, out, cap, NULL, NULL);
    for (size_t n = 0; !(error = cid_json_next(&reader, &item)); n++) {
        FUZZ_CHECK(item.offset < len);
        look_at(&reader, &item, n);
        cid_json_copy(&json, &item);
    }
    *bad = (size_t)cid_json_reader_fault(&reader)->offset;
    FUZZ_CHECK(*bad <= len);
    if (error == CID_END)
        return cid_json_finish(&json, written, false);
    return error;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static char once[1 << 16], twice[1 << 16];
    static const uint32_t tiers[] = {CID__CPU_TIER_PORTABLE, CID__CPU_TIER_AVX2,
                                     CID__CPU_TIER_AVX512};
    const char *text = (const char *)data;
    size_t first = 0, second = 0, bad = 0, other = 0;
    enum cid_error error = copy(once, sizeof once, &first, text, len, &bad);

    for (size_t i = 0; i < sizeof tiers / sizeof tiers[0]; i++) {
        cid__cpu_mask(tiers[i]);
        FUZZ_CHECK(copy(twice, sizeof twice, &second, text, len, &other) == error);
        FUZZ_CHECK(other == bad && (error || (first == second && !memcmp(once, twice, first))));
    }
    cid__cpu_mask(CID__CPU_ALL);
    if (error)
        return 0;
    FUZZ_CHECK(copy(twice, sizeof twice, &second, once, first, &other) == CID_OK);
    FUZZ_CHECK(first == second && memcmp(once, twice, first) == 0);
    return 0;
}
