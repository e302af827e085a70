/*
 * text.h - text that came from outside, made safe for a terminal, and colours.
 *
 * Control characters, escape sequences, bidirectional and invisible marks and bytes that are not
 * UTF-8 are shown as escapes: \n, \x1b, \u{202e}; a backslash is doubled. So what is shown says
 * exactly which bytes there were, and cannot act on the terminal.
 */
#ifndef CID_CLI_TEXT_H
#define CID_CLI_TEXT_H

#include "output.h"

#include <stdint.h>

enum style {
    STYLE_LABEL,
    STYLE_GOOD,
    STYLE_BAD,
    STYLE_NOTE,
    STYLE_STRONG
};

/* A character: its bytes (1 to 4) and code point; valid is false for a stray byte. */
struct text_char {
    size_t len;
    uint32_t point;
    bool valid;
};

/* The character at the start of the text, which must not be empty. */
struct text_char text_next(const char *text, size_t len);

/* Whether the whole text is UTF-8. */
bool text_is_utf8(const char *text, size_t len);

/* Whether the whole text is UTF-8 that can be shown as it is. */
bool text_is_plain(const char *text, size_t len);

/* Writes the text with escapes. */
void text_put(struct output *out, const char *text, size_t len);

/* How many columns text_put takes. */
size_t text_width(const char *text, size_t len);

/* How many characters the text has; a stray byte counts as one. */
size_t text_count(const char *text, size_t len);

/* The escape sequences around a style; "" where there are no colours. */
const char *style_on(const struct output *out, enum style style);
const char *style_off(const struct output *out);

/* A text in a style. */
void style_text(struct output *out, enum style style, const char *text);

#endif
