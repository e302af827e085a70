#include "text.h"

#include <stdio.h>
#include <string.h>

struct range {
    uint32_t first, last;
};

static bool in_ranges(uint32_t point, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (point >= ranges[i].first && point <= ranges[i].last)
            return true;
    return false;
}

struct text_char text_next(const char *text, size_t len)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t *at = (const uint8_t *)text;
    size_t need = at[0] < 0x80 ? 1 : at[0] < 0xc0 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    struct text_char stray = {1, at[0], false}, c = {need, at[0], true};

    if (need == 1)
        return c;
    if (need == 0 || at[0] > 0xf4 || need > len)
        return stray;
    c.point = at[0] & (0xffu >> (need + 1));
    for (size_t i = 1; i < need; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return stray;
        c.point = c.point << 6 | (at[i] & 0x3fu);
    }
    if (c.point < smallest[need] || c.point > 0x10ffff || (c.point >> 11) == 0x1b)
        return stray;
    return c;
}

/* What acts on a terminal, reorders the text, or cannot be seen. */
static bool is_hidden(uint32_t point)
{
    static const struct range hidden[] = {
        {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},       {0x61c, 0x61c},
        {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e},   {0x2060, 0x206f},
        {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xe0000, 0xe0fff},
    };
    return in_ranges(point, hidden, sizeof hidden / sizeof hidden[0]);
}

/* What takes two columns; near enough to put a mark under a character. */
static bool is_wide(uint32_t point)
{
    static const struct range wide[] = {
        {0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x23f0, 0x23f0},
        {0x23f3, 0x23f3},   {0x25fd, 0x25fe},   {0x2614, 0x2615},   {0x2648, 0x2653},
        {0x267f, 0x267f},   {0x2693, 0x2693},   {0x26a1, 0x26a1},   {0x26aa, 0x26ab},
        {0x26bd, 0x26be},   {0x26c4, 0x26c5},   {0x26ce, 0x26ce},   {0x26d4, 0x26d4},
        {0x26ea, 0x26ea},   {0x26f2, 0x26f3},   {0x26f5, 0x26f5},   {0x26fa, 0x26fa},
        {0x26fd, 0x26fd},   {0x2705, 0x2705},   {0x270a, 0x270b},   {0x2728, 0x2728},
        {0x274c, 0x274c},   {0x274e, 0x274e},   {0x2753, 0x2755},   {0x2757, 0x2757},
        {0x2795, 0x2797},   {0x27b0, 0x27b0},   {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},
        {0x2b55, 0x2b55},   {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
        {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
        {0x1f680, 0x1f6ff}, {0x1f7e0, 0x1f7ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd},
    };
    return in_ranges(point, wide, sizeof wide / sizeof wide[0]);
}

/* The escape of a character, or its own bytes. *width is in columns. */
static size_t show(char out[16], size_t *width, const char *text, struct text_char c)
{
    static const char letters[] = "abtnvfr"; /* of the controls 7 to 13 */
    int n;

    if (!c.valid)
        n = snprintf(out, 16, "\\x%02x", (unsigned)c.point);
    else if (c.point == '\\')
        n = snprintf(out, 16, "\\\\");
    else if (c.point >= 7 && c.point <= 13)
        n = snprintf(out, 16, "\\%c", letters[c.point - 7]);
    else if (c.point < 0x80 && is_hidden(c.point))
        n = snprintf(out, 16, "\\x%02x", (unsigned)c.point);
    else if (is_hidden(c.point))
        n = snprintf(out, 16, "\\u{%x}", (unsigned)c.point);
    else {
        memcpy(out, text, c.len);
        *width = is_wide(c.point) ? 2 : 1;
        return c.len;
    }
    *width = (size_t)n;
    return (size_t)n;
}

void text_put(struct output *out, const char *text, size_t len)
{
    while (len != 0) {
        struct text_char c = text_next(text, len);
        char shown[16];
        size_t width = 0, n = show(shown, &width, text, c);
        out_write(out, shown, n);
        text += c.len;
        len -= c.len;
    }
}

size_t text_width(const char *text, size_t len)
{
    size_t sum = 0;
    while (len != 0) {
        struct text_char c = text_next(text, len);
        char shown[16];
        size_t width = 0;
        show(shown, &width, text, c);
        sum += width;
        text += c.len;
        len -= c.len;
    }
    return sum;
}

size_t text_count(const char *text, size_t len)
{
    size_t count = 0;
    for (size_t at = 0; at < len; count++)
        at += text_next(text + at, len - at).len;
    return count;
}

bool text_is_utf8(const char *text, size_t len)
{
    for (size_t at = 0; at < len;) {
        struct text_char c = text_next(text + at, len - at);
        if (!c.valid)
            return false;
        at += c.len;
    }
    return true;
}

bool text_is_plain(const char *text, size_t len)
{
    for (size_t at = 0; at < len;) {
        struct text_char c = text_next(text + at, len - at);
        if (!c.valid || is_hidden(c.point))
            return false;
        at += c.len;
    }
    return true;
}

const char *style_on(const struct output *out, enum style style)
{
    if (!out->color)
        return "";
    switch (style) {
    case STYLE_LABEL:
        return "\x1b[2m";
    case STYLE_GOOD:
        return "\x1b[32m";
    case STYLE_BAD:
        return "\x1b[1;31m";
    case STYLE_NOTE:
        return "\x1b[33m";
    case STYLE_STRONG:
        return "\x1b[1m";
    }
    return "";
}

const char *style_off(const struct output *out)
{
    return out->color ? "\x1b[0m" : "";
}

void style_text(struct output *out, enum style style, const char *text)
{
    out_text(out, style_on(out, style));
    out_text(out, text);
    out_text(out, style_off(out));
}
