#include <cid/json.h>

#include <string.h>

static const char hex_digits[] = "0123456789abcdef";

void cid_json_begin(struct cid_json *json, char *buf, size_t cap,
                    enum cid_error (*flush)(void *ctx, const char *text, size_t len), void *ctx)
{
    memset(json, 0, sizeof *json);
    json->buf = buf;
    json->cap = cap;
    json->flush = flush;
    json->ctx = ctx;
}

/* ---- the buffer ---------------------------------------------------------------------------- */

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

static void put_char(struct cid_json *json, char c)
{
    if (json->len == json->cap)
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

static void put(struct cid_json *json, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        put_char(json, text[i]);
}

/* ---- places -------------------------------------------------------------------------------- */

static uint64_t level_bit(const struct cid_json *json)
{
    return UINT64_C(1) << (json->depth - 1);
}

static bool in_object(const struct cid_json *json)
{
    return json->depth != 0 && (json->in_object & level_bit(json)) != 0;
}

static void put_comma(struct cid_json *json)
{
    if (json->not_first & level_bit(json))
        put_char(json, ',');
    json->not_first |= level_bit(json);
}

/* Makes the place for a value; false if none may stand here, or after a failure. */
static bool value_begin(struct cid_json *json)
{
    if (json->error)
        return false;
    if (json->depth == 0 ? json->done : in_object(json) && !json->after_key) {
        fail(json, CID_E_ARGUMENT);
        return false;
    }
    if (json->depth != 0 && !json->after_key)
        put_comma(json);
    json->after_key = false;
    return true;
}

static void value_end(struct cid_json *json)
{
    if (json->depth == 0)
        json->done = true;
}

static void open_level(struct cid_json *json, bool object)
{
    if (!json->error && json->depth == CID_JSON_DEPTH)
        fail(json, CID_E_DEPTH_LIMIT);
    if (!value_begin(json))
        return;
    json->depth++;
    json->not_first &= ~level_bit(json);
    json->in_object &= ~level_bit(json);
    if (object)
        json->in_object |= level_bit(json);
    put_char(json, object ? '{' : '[');
}

static void close_level(struct cid_json *json, bool object)
{
    if (json->error)
        return;
    if (json->depth == 0 || in_object(json) != object || json->after_key) {
        fail(json, CID_E_ARGUMENT);
        return;
    }
    json->depth--;
    put_char(json, object ? '}' : ']');
    value_end(json);
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

/* ---- strings ------------------------------------------------------------------------------- */

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

static void put_string(struct cid_json *json, const char *text, size_t len)
{
    const uint8_t *at = (const uint8_t *)text;

    put_char(json, '"');
    while (len != 0 && !json->error) {
        size_t bad = 0, n = utf8_char(at, len, &bad);
        size_t step = n != 0 ? n : bad;
        if (n == 0)
            put(json, "\xef\xbf\xbd", 3);
        else if (n < 4 && needs_escape(code_point(at, n)))
            put_escaped(json, code_point(at, n));
        else
            put(json, (const char *)at, n);
        at += step;
        len -= step;
    }
    put_char(json, '"');
}

void cid_json_key(struct cid_json *json, const char *key)
{
    if (json->error)
        return;
    if (!key || !in_object(json) || json->after_key) {
        fail(json, CID_E_ARGUMENT);
        return;
    }
    put_comma(json);
    put_string(json, key, strlen(key));
    put_char(json, ':');
    json->after_key = true;
}

void cid_json_string(struct cid_json *json, const char *text, size_t len)
{
    if (!value_begin(json))
        return;
    put_string(json, text, len);
    value_end(json);
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
    if (!value_begin(json))
        return;
    put_char(json, '"');
    for (size_t i = 0; i < len && !json->error; i++) {
        put_char(json, hex_digits[bytes[i] >> 4]);
        put_char(json, hex_digits[bytes[i] & 15]);
    }
    put_char(json, '"');
    value_end(json);
}

/* ---- other values -------------------------------------------------------------------------- */

static void put_number(struct cid_json *json, bool negative, uint64_t value)
{
    char text[21];
    size_t at = sizeof text;

    if (!value_begin(json))
        return;
    do {
        text[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    if (negative)
        text[--at] = '-';
    put(json, text + at, sizeof text - at);
    value_end(json);
}

void cid_json_u64(struct cid_json *json, uint64_t value)
{
    put_number(json, false, value);
}

void cid_json_i64(struct cid_json *json, int64_t value)
{
    put_number(json, value < 0, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static void put_word(struct cid_json *json, const char *word)
{
    if (!value_begin(json))
        return;
    put(json, word, strlen(word));
    value_end(json);
}

void cid_json_bool(struct cid_json *json, bool value)
{
    put_word(json, value ? "true" : "false");
}

void cid_json_null(struct cid_json *json)
{
    put_word(json, "null");
}

enum cid_error cid_json_finish(struct cid_json *json, size_t *written, bool newline)
{
    if (!json->done)
        fail(json, CID_E_ARGUMENT);
    if (newline)
        put_char(json, '\n');
    flush(json);
    if (json->error)
        return json->error;
    if (newline)
        json->done = false;
    if (written && !json->flush)
        *written = json->len;
    return CID_OK;
}
