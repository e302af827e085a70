#include "json/escape.h"

#include <string.h>

static const char letters[] = "\"\\/bfnrt";
static const char meanings[] = "\"\\/\b\f\n\r\t";

/* The value of a hexadecimal digit, or -1. */
static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads "\uXXXX"; CID_E_JSON_STRING if something else stands there. */
static enum cid_error read_unit(uint32_t *unit, size_t *used, const char *at, size_t left)
{
    *unit = 0;
    for (*used = 0; *used < 6; (*used)++) {
        int value = 0;
        if (*used == left)
            return CID_E_TRUNCATED;
        if (*used == 0 ? at[0] != '\\' : *used == 1 && at[1] != 'u')
            return CID_E_JSON_STRING;
        if (*used >= 2)
            value = hex_value(at[*used]);
        if (value < 0)
            return CID_E_JSON_STRING;
        *unit = *unit << 4 | (uint32_t)value;
    }
    return CID_OK;
}

static bool is_high(uint32_t unit)
{
    return unit >= 0xd800 && unit < 0xdc00;
}

static bool is_low(uint32_t unit)
{
    return unit >= 0xdc00 && unit < 0xe000;
}

enum cid_error cid__escape_check(size_t *used, const char *at, size_t left)
{
    uint32_t unit;
    size_t second;
    enum cid_error error;

    *used = 1;
    if (left < 2)
        return CID_E_TRUNCATED;
    if (at[1] != 'u') {
        if (at[1] == '\0' || !strchr(letters, at[1]))
            return CID_E_JSON_STRING;
        *used = 2;
        return CID_OK;
    }
    error = read_unit(&unit, used, at, left);
    if (error || (!is_high(unit) && !is_low(unit)))
        return error;
    *used = 0; /* the surrogate itself is at fault if no other half follows */
    if (is_low(unit))
        return CID_E_JSON_SURROGATE;
    error = read_unit(&unit, &second, at + 6, left - 6);
    if (error == CID_E_TRUNCATED) {
        *used = left;
        return error;
    }
    if (error || !is_low(unit))
        return CID_E_JSON_SURROGATE;
    *used = 12;
    return CID_OK;
}

static size_t put_point(char *out, uint32_t point)
{
    size_t n = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const uint8_t leads[5] = {0, 0, 0xc0, 0xe0, 0xf0};

    for (size_t i = n - 1; i > 0; i--, point >>= 6)
        out[i] = (char)(0x80 | (point & 0x3f));
    out[0] = (char)(uint8_t)(leads[n] | point);
    return n;
}

size_t cid__escape_take(char *out, const char **at)
{
    uint32_t unit, low;
    size_t used;

    if ((*at)[1] != 'u') {
        out[0] = meanings[strchr(letters, (*at)[1]) - letters];
        *at += 2;
        return 1;
    }
    (void)!read_unit(&unit, &used, *at, 6);
    *at += 6;
    if (is_high(unit)) {
        (void)!read_unit(&low, &used, *at, 6);
        *at += 6;
        unit = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
    }
    return put_point(out, unit);
}

size_t cid__escape_length(const char *text, size_t len)
{
    const char *end = text + len;
    size_t decoded = 0;
    char unit[4];

    while (text < end) {
        const char *escape = memchr(text, '\\', (size_t)(end - text));
        decoded += (size_t)((escape ? escape : end) - text);
        text = escape ? escape : end;
        if (escape)
            decoded += cid__escape_take(unit, &text);
    }
    return decoded;
}

/* A string that is taken byte by byte. */
struct decoded {
    const char *at, *end;
    char unit[4];
    size_t next, len; /* in unit */
};

/* The next byte, or -1 at the end. */
static int take_byte(struct decoded *text)
{
    if (text->next < text->len)
        return (uint8_t)text->unit[text->next++];
    if (text->at == text->end)
        return -1;
    if (*text->at != '\\')
        return (uint8_t)*text->at++;
    text->len = cid__escape_take(text->unit, &text->at);
    text->next = 1;
    return (uint8_t)text->unit[0];
}

int cid__escape_compare(const char *a, size_t a_len, const char *b, size_t b_len)
{
    struct decoded left = {.at = a, .end = a + a_len}, right = {.at = b, .end = b + b_len};

    for (;;) {
        int x = take_byte(&left), y = take_byte(&right);
        if (x != y || x < 0)
            return x - y;
    }
}
