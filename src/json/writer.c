#include <cid/json.h>

#include "json/escape.h"
#include "json/number.h"
#include "json/scan.h"

#include <string.h>

#define INDENT_MAX 16

/*
 * What may come next. Behind a value it is the same with the lowest bit set. The members are
 * numbered for that, and so that one comparison or bit tells what may come.
 */
enum place {
    PLACE_TOP = 0,         /* the one value */
    PLACE_DONE = 1,        /* nothing */
    PLACE_FIRST_VALUE = 2, /* a value, or ']' */
    PLACE_VALUE = 3,       /* a comma and a value, or ']' */
    PLACE_MEMBER = 4,      /* the value of a key */
    PLACE_KEY = 5,         /* a comma and a key, or '}' */
    PLACE_FIRST_KEY = 6    /* a key, or '}' */
};

#define FOR_VALUES                                                                                 \
    (1u << PLACE_TOP | 1u << PLACE_FIRST_VALUE | 1u << PLACE_VALUE | 1u << PLACE_MEMBER)
#define WITH_COMMA (1u << PLACE_VALUE | 1u << PLACE_KEY)

static const char hex_digits[] = "0123456789abcdef";

void cid_json_begin_pretty(struct cid_json *json, char *buf, size_t cap,
                           enum cid_error (*flush)(void *ctx, const char *text, size_t len),
                           void *ctx, unsigned indent)
{
    /* The bits of levels are written before they are read. */
    json->buf = buf;
    json->cap = cap;
    json->len = 0;
    json->flush = flush;
    json->ctx = ctx;
    json->error = CID_OK;
    json->depth = 0;
    json->indent = indent < INDENT_MAX ? indent : INDENT_MAX;
    json->place = PLACE_TOP;
}

void cid_json_begin(struct cid_json *json, char *buf, size_t cap,
                    enum cid_error (*flush)(void *ctx, const char *text, size_t len), void *ctx)
{
    cid_json_begin_pretty(json, buf, cap, flush, ctx, 0);
}

/* ---- the buffer ------------------------------------------------------------------------- */

static void fail(struct cid_json *json, enum cid_error error)
{
    if (!json->error)
        json->error = error;
}

static void flush(struct cid_json *json)
{
    if (json->error || !json->flush || json->len == 0)
        return;
    json->error = json->flush(json->ctx, json->buf, json->len);
    json->len = 0;
}

/* A character for which there may be no room. */
CID__ASIDE void put_char_slowly(struct cid_json *json, char c)
{
    flush(json);
    if (json->error)
        return;
    if (json->len < json->cap)
        json->buf[json->len++] = c;
    else if (json->flush) /* a writer without a buffer hands on every character */
        json->error = json->flush(json->ctx, &c, 1);
    else
        json->error = CID_E_NOSPACE;
}

static inline void put_char(struct cid_json *json, char c)
{
    if (json->len < json->cap && !json->error)
        json->buf[json->len++] = c;
    else
        put_char_slowly(json, c);
}

static void put(struct cid_json *json, const char *text, size_t len)
{
    while (len > 0 && !json->error) {
        size_t room = json->cap - json->len, n = len < room ? len : room;
        if (n == 0) {
            put_char_slowly(json, *text);
            n = 1;
        } else {
            memcpy(json->buf + json->len, text, n);
            json->len += n;
        }
        text += n;
        len -= n;
    }
}

/* ---- places ----------------------------------------------------------------------------- */

static void put_line(struct cid_json *json)
{
    static const char blanks[INDENT_MAX] = "                ";

    put_char(json, '\n');
    for (uint32_t i = 0; i < json->depth; i++)
        put(json, blanks, json->indent);
}

/* Whether the place is one of those. */
static inline bool is_at(const struct cid_json *json, unsigned places)
{
    return places >> json->place & 1;
}

/* What stands before a value or key. */
static void put_before(struct cid_json *json)
{
    if (is_at(json, WITH_COMMA))
        put_char(json, ',');
    if (json->indent != 0 && json->place != PLACE_TOP && json->place != PLACE_MEMBER)
        put_line(json);
}

/* Whether a value may stand here; not after a failure. */
static inline bool value_fits(struct cid_json *json)
{
    if (json->error)
        return false;
    if (is_at(json, FOR_VALUES))
        return true;
    fail(json, CID_E_ARGUMENT);
    return false;
}

static inline bool key_fits(struct cid_json *json)
{
    if (json->error)
        return false;
    if (json->place >= PLACE_KEY)
        return true;
    fail(json, CID_E_ARGUMENT);
    return false;
}

static inline void value_end(struct cid_json *json)
{
    json->place |= 1;
}

/* The place behind an object or array that has been closed. */
static inline enum place place_behind(const struct cid_json *json)
{
    if (json->depth == 0)
        return PLACE_DONE;
    return json->objects[json->depth / 64] >> json->depth % 64 & 1 ? PLACE_KEY : PLACE_VALUE;
}

/* A bracket or brace, and what stands before it. */
static inline void put_bracket(struct cid_json *json, char c)
{
    if (json->cap - json->len >= 2 && json->indent == 0) {
        char *at = json->buf + json->len;
        at[0] = ',';
        at += is_at(json, WITH_COMMA);
        at[0] = c;
        json->len = (size_t)(at + 1 - json->buf);
    } else {
        put_before(json);
        put_char(json, c);
    }
}

static inline void open_level(struct cid_json *json, bool object)
{
    uint32_t depth = json->depth;
    uint64_t bit = UINT64_C(1) << depth % 64;

    if (!json->error && depth == CID_JSON_DEPTH)
        fail(json, CID_E_DEPTH_LIMIT);
    if (!value_fits(json))
        return;
    put_bracket(json, object ? '{' : '[');
    if (json->place == PLACE_MEMBER)
        json->objects[depth / 64] |= bit;
    else
        json->objects[depth / 64] &= ~bit;
    json->depth = depth + 1;
    json->place = object ? PLACE_FIRST_KEY : PLACE_FIRST_VALUE;
}

static inline void close_level(struct cid_json *json, bool object)
{
    bool empty = json->place == (object ? PLACE_FIRST_KEY : PLACE_FIRST_VALUE);

    if (json->error)
        return;
    if (!empty && json->place != (object ? PLACE_KEY : PLACE_VALUE)) {
        fail(json, CID_E_ARGUMENT);
        return;
    }
    json->depth--;
    json->place = (uint8_t)place_behind(json);
    if (json->indent != 0 && !empty)
        put_line(json);
    put_char(json, object ? '}' : ']');
}

void cid_json_object_begin(struct cid_json *json)
{
    open_level(json, true);
}

void cid_json_object_end(struct cid_json *json)
{
    close_level(json, true);
}

void cid_json_array_begin(struct cid_json *json)
{
    open_level(json, false);
}

void cid_json_array_end(struct cid_json *json)
{
    close_level(json, false);
}

/* ---- strings ---------------------------------------------------------------------------- */

/*
 * The length of the character at the start of text, 0 if it is ill-formed; then *bad is the length
 * of the maximal ill-formed part (Unicode, section 3.9, table 3-7), which is at least 1.
 */
static size_t utf8_char(const uint8_t *text, size_t len, size_t *bad)
{
    uint8_t first = text[0];
    uint8_t low = 0x80, high = 0xbf; /* of the second byte */
    size_t need = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

    *bad = 1;
    if ((first >= 0x80 && first < 0xc2) || first > 0xf4)
        return 0;
    if (first == 0xe0)
        low = 0xa0; /* shorter forms exist below */
    else if (first == 0xf0)
        low = 0x90;
    else if (first == 0xed)
        high = 0x9f; /* surrogates lie above */
    else if (first == 0xf4)
        high = 0x8f; /* the end of Unicode */
    for (size_t i = 1; i < need; i++) {
        if (i == len || text[i] < low || text[i] > high)
            return 0;
        low = 0x80;
        high = 0xbf;
        *bad = i + 1;
    }
    return need;
}

static uint32_t code_point(const uint8_t *at, size_t n)
{
    if (n == 2)
        return (at[0] & 0x1fu) << 6 | (at[1] & 0x3fu);
    return n == 3 ? (at[0] & 0x0fu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu) : at[0];
}

/* What must be escaped, and what would act on a terminal or turn the direction of the text. */
static bool needs_escape(uint32_t point)
{
    return point < 0x20 || point == '"' || point == '\\' || (point >= 0x7f && point < 0xa0) ||
           point == 0x61c || point == 0x200e || point == 0x200f ||
           (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
}

static void put_escaped(struct cid_json *json, uint32_t point)
{
    static const char known[] = "\"\\\b\f\n\r\t";
    const char *at = point != 0 && point < 0x80 ? strchr(known, (int)point) : NULL;
    char text[6] = {'\\', 'u'};

    if (at) {
        put_char(json, '\\');
        put_char(json, "\"\\bfnrt"[at - known]);
        return;
    }
    for (int i = 0; i < 4; i++)
        text[2 + i] = hex_digits[point >> (12 - 4 * i) & 15];
    put(json, text, sizeof text);
}

/* A character that is not plain ASCII, or that needs an escape; returns how many bytes it took. */
static size_t put_special(struct cid_json *json, const uint8_t *at, size_t len)
{
    size_t bad = 0, n = utf8_char(at, len, &bad);

    if (n == 0)
        put(json, "\xef\xbf\xbd", 3);
    else if (n < 4 && needs_escape(code_point(at, n)))
        put_escaped(json, code_point(at, n));
    else
        put(json, (const char *)at, n);
    return n != 0 ? n : bad;
}

static void put_characters(struct cid_json *json, const char *text, size_t len)
{
    const uint8_t *at = (const uint8_t *)text;

    while (len != 0 && !json->error) {
        size_t room = json->cap - json->len, n = 0;
        if (room != 0)
            n = cid__json_copy_ascii((uint8_t *)json->buf + json->len, at, len < room ? len : room);
        json->len += n;
        at += n;
        len -= n;
        if (n != 0 && n == room) /* the buffer is full, whatever comes next */
            continue;
        do { /* text beyond ASCII stays here */
            n = len != 0 ? put_special(json, at, len) : 0;
            at += n;
            len -= n;
        } while (len != 0 && *at >= 0x80);
    }
}

static void string_end(struct cid_json *json, bool key)
{
    put_char(json, '"');
    if (!key) {
        value_end(json);
        return;
    }
    put_char(json, ':');
    if (json->indent != 0)
        put_char(json, ' ');
    json->place = PLACE_MEMBER;
}

/* A key or string from some place in it on. */
CID__ASIDE void put_rest(struct cid_json *json, const char *text, size_t len, bool key)
{
    put_characters(json, text, len);
    string_end(json, key);
}

/* A key or string where there is little room, or a line an item. */
CID__ASIDE void put_slowly(struct cid_json *json, const char *text, size_t len, bool key)
{
    put_before(json);
    put_char(json, '"');
    put_rest(json, text, len, key);
}

/*
 * A key or string, where it may stand. Where there is room for all of it as it is, the length of
 * the text is what changes, and only once: to wait for it is what would take the time.
 */
static inline void put_string(struct cid_json *json, const char *text, size_t len, bool key)
{
    size_t room = json->cap - json->len, n;
    char *at;

    if (len >= room || room - len < 4 || json->indent != 0) {
        put_slowly(json, text, len, key);
        return;
    }
    at = json->buf + json->len;
    *at = ',';
    at += is_at(json, WITH_COMMA);
    *at++ = '"';
    n = cid__json_copy_ascii((uint8_t *)at, (const uint8_t *)text, len);
    if (n != len) {
        json->len = (size_t)(at + n - json->buf);
        put_rest(json, text + n, len - n, key);
        return;
    }
    at += len;
    at[0] = '"';
    at[1] = ':';
    json->len = (size_t)(at + 1 + key - json->buf);
    json->place = key ? PLACE_MEMBER : json->place | 1;
}

/* A key or string that a reader gave, its escapes taken out and put in again. */
static void copy_string(struct cid_json *json, const struct cid_json_item *item)
{
    const char *at = item->text, *end = at + item->len;
    bool key = item->kind == CID_JSON_KEY;

    if (key ? !key_fits(json) : !value_fits(json))
        return;
    put_before(json);
    put_char(json, '"');
    while (at < end && !json->error) {
        const char *escape = item->escaped ? memchr(at, '\\', (size_t)(end - at)) : NULL;
        char unit[4];
        put_characters(json, at, (size_t)((escape ? escape : end) - at));
        at = escape ? escape : end;
        if (escape)
            put_characters(json, unit, cid__escape_take(unit, &at));
    }
    string_end(json, key);
}

void cid_json_key_string(struct cid_json *json, const char *key, size_t len)
{
    if (!key && len != 0)
        fail(json, CID_E_ARGUMENT);
    else if (key_fits(json))
        put_string(json, key, len, true);
}

void cid_json_string(struct cid_json *json, const char *text, size_t len)
{
    if (value_fits(json))
        put_string(json, text, len, false);
}

void cid_json_text(struct cid_json *json, const char *text)
{
    if (text)
        cid_json_string(json, text, strlen(text));
    else
        cid_json_null(json);
}

void cid_json_hex(struct cid_json *json, const uint8_t *bytes, size_t len)
{
    if (!value_fits(json))
        return;
    put_before(json);
    put_char(json, '"');
    for (size_t i = 0; i < len && !json->error; i++) {
        put_char(json, hex_digits[bytes[i] >> 4]);
        put_char(json, hex_digits[bytes[i] & 15]);
    }
    put_char(json, '"');
    value_end(json);
}

/* ---- other values ----------------------------------------------------------------------- */

/* Text that is a whole value as it stands. */
static void put_value(struct cid_json *json, const char *text, size_t len)
{
    if (!value_fits(json))
        return;
    put_before(json);
    put(json, text, len);
    value_end(json);
}

static void put_number(struct cid_json *json, bool negative, uint64_t value)
{
    char text[CID__NUMBER_SIZE];

    put_value(json, text, cid__number_print(text, negative, value));
}

void cid_json_u64(struct cid_json *json, uint64_t value)
{
    put_number(json, false, value);
}

void cid_json_i64(struct cid_json *json, int64_t value)
{
    put_number(json, value < 0, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void cid_json_double(struct cid_json *json, double value)
{
    char text[CID__NUMBER_SIZE];

    if (value - value != 0) /* NaN and the infinities */
        fail(json, CID_E_ARGUMENT);
    else
        put_value(json, text, cid__double_print(text, value));
}

void cid_json_number(struct cid_json *json, const char *text, size_t len)
{
    if (len == 0 || cid__number_span(text, len) != len)
        fail(json, CID_E_ARGUMENT);
    else
        put_value(json, text, len);
}

void cid_json_bool(struct cid_json *json, bool value)
{
    put_value(json, value ? "true" : "false", value ? 4 : 5);
}

void cid_json_null(struct cid_json *json)
{
    put_value(json, "null", 4);
}

void cid_json_copy(struct cid_json *json, const struct cid_json_item *item)
{
    switch (item->kind) {
    case CID_JSON_OBJECT:
        open_level(json, true);
        return;
    case CID_JSON_OBJECT_END:
        close_level(json, true);
        return;
    case CID_JSON_ARRAY:
        open_level(json, false);
        return;
    case CID_JSON_ARRAY_END:
        close_level(json, false);
        return;
    case CID_JSON_KEY:
    case CID_JSON_STRING:
        copy_string(json, item);
        return;
    case CID_JSON_NUMBER:
    case CID_JSON_TRUE:
    case CID_JSON_FALSE:
    case CID_JSON_NULL:
        put_value(json, item->text, item->len);
        return;
    }
}

enum cid_error cid_json_finish(struct cid_json *json, size_t *written, bool newline)
{
    if (json->place != PLACE_DONE)
        fail(json, CID_E_ARGUMENT);
    if (newline)
        put_char(json, '\n');
    flush(json);
    if (json->error)
        return json->error;
    if (newline)
        json->place = PLACE_TOP;
    if (written && !json->flush)
        *written = json->len;
    return CID_OK;
}
