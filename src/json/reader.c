#include <cid/json.h>

#include "base/arith.h"
#include "base/endian.h"
#include "base/utf8.h"
#include "json/escape.h"
#include "json/number.h"
#include "json/scan.h"

#include <string.h>

/*
 * What may come next; a value may in all up to STATE_MEMBER, a string in all up to STATE_KEY, where
 * it is a key from STATE_FIRST_KEY on.
 */
enum state {
    STATE_VALUE,       /* a value */
    STATE_FIRST_VALUE, /* a value, or ']' */
    STATE_MEMBER,      /* a value, right behind reader->key, '"' and ':' */
    STATE_FIRST_KEY,   /* a key, or '}' */
    STATE_KEY,         /* a key */
    STATE_COMMA,       /* a comma, or the end of what is open */
    STATE_DONE,        /* nothing */
    STATE_FAILED       /* the failure that has been */
};

void cid_json_reader_begin(struct cid_json_reader *reader, const char *text, size_t len,
                           size_t max_depth)
{
    /* The bits of levels are written before they are read. */
    reader->start = reader->at = reader->end = text;
    if (len != 0)
        reader->end += len;
    reader->depth = 0;
    reader->max_depth = max_depth != 0 && max_depth < CID_JSON_DEPTH ? max_depth : CID_JSON_DEPTH;
    reader->state = STATE_VALUE;
    reader->in_object = false;
    reader->space = NULL;
    reader->key = text;
    reader->piece = text;
    reader->piece_len = reader->ascii_len = 0;
    memset(&reader->fault, 0, sizeof reader->fault);
    reader->fault.size = sizeof reader->fault;
}

const struct cid_fault *cid_json_reader_fault(const struct cid_json_reader *reader)
{
    return &reader->fault;
}

static enum cid_error fail(struct cid_json_reader *reader, enum cid_error error, const char *at)
{
    reader->state = STATE_FAILED;
    reader->fault.code = error;
    reader->fault.field = CID_FIELD_DATA;
    reader->fault.where = CID_WHERE_TEXT;
    reader->fault.offset = (uint64_t)(at - reader->start);
    if (error == CID_E_DEPTH_LIMIT)
        reader->fault.need = reader->max_depth;
    return error;
}

static enum cid_error cut(struct cid_json_reader *reader)
{
    return fail(reader, CID_E_TRUNCATED, reader->end);
}

static inline size_t left_of(const struct cid_json_reader *reader)
{
    return (size_t)(reader->end - reader->at);
}

static inline bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Passes over white space; false at the end of the text. */
static inline bool skip_space(struct cid_json_reader *reader)
{
    const char *at = reader->at;

    if (at == reader->end)
        return false;
    if ((unsigned char)*at > ' ')
        return true;
    while (at < reader->end && is_space(*at))
        at++;
    if (at != reader->at && !reader->space)
        reader->space = reader->at;
    reader->at = at;
    return at < reader->end;
}

/* ---- strings ---------------------------------------------------------------------------- */

/* Looks through the text from at on, as much as there is room for. */
CID__ASIDE void take_piece(struct cid_json_reader *reader, const char *at)
{
    size_t left = (size_t)(reader->end - at);
    bool high;

    reader->piece = at;
    reader->piece_len = left < CID_JSON_PIECE ? left : CID_JSON_PIECE;
    high = cid__json_mark(reader->stops, (const uint8_t *)at, reader->piece_len);
    reader->ascii_len = high ? 0 : reader->piece_len;
}

_Static_assert(sizeof(((struct cid_json_reader *)0)->stops) == CID__JSON_MARKS(CID_JSON_PIECE),
               "the marks of a piece fit their place");

/*
 * The first quote, backslash or control character from at on, or the end of the text. *high is set
 * if there may be bytes above 0x7f before it.
 */
static const char *find_stop(struct cid_json_reader *reader, const char *at, bool *high)
{
    while (at != reader->end) {
        size_t i = (size_t)(at - reader->piece); /* a place before the piece is a large number */
        uint64_t stops;
        if (i >= reader->piece_len) {
            take_piece(reader, at);
            i = 0;
        }
        *high |= reader->ascii_len == 0;
        stops = cid__load64le(reader->stops + i / 8) >> i % 8 << i % 8;
        for (i -= i % 8; !stops && (i += 64) < reader->piece_len;)
            stops = cid__load64le(reader->stops + i / 8);
        if (stops)
            return reader->piece + i + cid__lowest_bit(stops);
        at = reader->piece + reader->piece_len;
    }
    return at;
}

/* The rest of a string, from a stop on that is not its end; returns where it ends. */
static enum cid_error read_escapes(struct cid_json_reader *reader, const char **at, bool *high)
{
    while (*at != reader->end && **at == '\\') {
        size_t used = 0;
        enum cid_error error = cid__escape_check(&used, *at, (size_t)(reader->end - *at));
        if (error)
            return error == CID_E_TRUNCATED ? cut(reader) : fail(reader, error, *at + used);
        *at = find_stop(reader, *at + used, high);
    }
    if (*at == reader->end)
        return cut(reader);
    return **at == '"' ? CID_OK : fail(reader, CID_E_JSON_STRING, *at);
}

/* The colon behind a key. */
CID__ASIDE enum cid_error read_colon(struct cid_json_reader *reader)
{
    if (!skip_space(reader))
        return cut(reader);
    if (*reader->at != ':')
        return fail(reader, CID_E_JSON_SYNTAX, reader->at);
    reader->at++;
    reader->state = STATE_VALUE;
    return CID_OK;
}

/*
 * Behind a value or key, where the comma or colon is passed over as well if it is there at once, as
 * it mostly is.
 */
static inline void inner_end(struct cid_json_reader *reader, const char *at, enum state next)
{
    if (at != reader->end && *at == ',') {
        reader->state = (uint8_t)next;
        reader->at = at + 1;
    } else {
        reader->state = STATE_COMMA;
        reader->at = at;
    }
}

static inline void value_end(struct cid_json_reader *reader, const char *at)
{
    if (reader->depth != 0) {
        inner_end(reader, at, reader->in_object ? STATE_KEY : STATE_VALUE);
        return;
    }
    reader->state = STATE_DONE;
    reader->at = at;
}

static inline enum cid_error key_end(struct cid_json_reader *reader, const char *at,
                                     enum state next)
{
    reader->at = at;
    if (at == reader->end || *at != ':')
        return read_colon(reader);
    reader->at++;
    reader->state = (uint8_t)next;
    return CID_OK;
}

/* A key or string of len bytes, whose quote stands at at. */
static inline void take_text(struct cid_json_reader *reader, struct cid_json_item *item,
                             enum cid_json_kind kind, const char *at, size_t len)
{
    item->kind = kind;
    item->text = at + 1;
    item->len = len;
    item->offset = (size_t)(at - reader->start);
    item->depth = reader->depth;
}

/* Any key or string, whose quote stands at the place. */
CID__ASIDE enum cid_error read_text(struct cid_json_reader *reader, struct cid_json_item *item)
{
    const char *start = reader->at + 1, *at;
    bool high = false;
    size_t len;

    at = find_stop(reader, start, &high);
    item->escaped = at != reader->end && *at == '\\';
    if (at == reader->end || *at != '"') {
        enum cid_error error = read_escapes(reader, &at, &high);
        if (error)
            return error;
    }
    len = (size_t)(at - start);
    if (high) {
        size_t right = cid__utf8_span((const uint8_t *)start, len);
        if (right != len)
            return fail(reader, CID_E_JSON_UTF8, start + right);
    }
    if (reader->state >= STATE_FIRST_KEY) {
        take_text(reader, item, CID_JSON_KEY, start - 1, len);
        return key_end(reader, at + 1, STATE_VALUE);
    }
    take_text(reader, item, CID_JSON_STRING, start - 1, len);
    value_end(reader, at + 1);
    return CID_OK;
}

/*
 * The marks of the 57 bytes from byte i of the piece on, as many as one load has wherever it
 * begins, in the highest bits.
 */
static inline uint64_t marks_from(const struct cid_json_reader *reader, size_t i)
{
    return cid__load64le(reader->stops + i / 8) >> i % 8 << 7;
}

/*
 * How far behind byte i the first mark is, where marks_from has none; SIZE_MAX: there is none. Its
 * first word begins with up to 8 that marks_from has too.
 */
static inline size_t marks_behind(const struct cid_json_reader *reader, size_t i)
{
    for (size_t k = i / 8 * 8 + 56; k < reader->piece_len; k += 64) {
        uint64_t stops = cid__load64le(reader->stops + k / 8);
        if (stops)
            return k - i + cid__lowest_bit(stops);
    }
    return SIZE_MAX;
}

/* So long a key may be that its value's quote is in marks_from and not in marks_behind as well. */
#define KEY_LIMIT 46

/*
 * The same for a key and a string, quickly where there are neither escapes nor characters beyond
 * ASCII.
 *
 * What takes the time is the way from one place in the text to the next. It is shorter for two at
 * once, so that the end of a value is found from the start of its key, as the third mark from
 * there.
 */
static inline enum cid_error read_key(struct cid_json_reader *reader, struct cid_json_item *item,
                                      const char *at)
{
    size_t i = (size_t)(at + 1 - reader->piece), len;
    uint64_t stops;

    if (i >= reader->ascii_len)
        return read_text(reader, item);
    stops = marks_from(reader, i);
    len = stops ? cid__lowest_bit(stops) - 7 : SIZE_MAX;
    if (len > KEY_LIMIT || at[1 + len] != '"')
        return read_text(reader, item);
    reader->key = at + 1;
    item->escaped = false;
    take_text(reader, item, CID_JSON_KEY, at, len);
    return key_end(reader, at + len + 2, STATE_MEMBER);
}

/* The string at at; member: the value of reader->key. */
static inline enum cid_error read_string(struct cid_json_reader *reader, struct cid_json_item *item,
                                         const char *at, bool member)
{
    const char *from = member ? reader->key : at + 1;
    size_t i = (size_t)(from - reader->piece), len;
    uint64_t stops;

    if (i >= reader->ascii_len)
        return read_text(reader, item);
    stops = marks_from(reader, i);
    if (member) { /* past the quotes behind the key and before the string */
        stops &= stops - 1;
        stops &= stops - 1;
    }
    len = stops ? cid__lowest_bit(stops) - 7 : marks_behind(reader, i);
    if (len == SIZE_MAX || from[len] != '"')
        return read_text(reader, item);
    item->escaped = false;
    take_text(reader, item, CID_JSON_STRING, at, (size_t)(from + len - at) - 1);
    if (member)
        inner_end(reader, from + len + 1, STATE_KEY);
    else
        value_end(reader, from + len + 1);
    return CID_OK;
}

/* ---- other values ----------------------------------------------------------------------- */

static bool in_number(char c)
{
    return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || (c | 0x20) == 'e';
}

static enum cid_error read_number(struct cid_json_reader *reader, struct cid_json_item *item)
{
    size_t left = left_of(reader), n = cid__number_span(reader->at, left), i = n;

    while (i < left && in_number(reader->at[i]))
        i++;
    if (n == 0 || i != n) { /* cut short, or not as JSON has it */
        char last = reader->at[i - 1];
        bool open = last == '.' || last == '-' || last == '+' || (last | 0x20) == 'e';
        return i == left && n == 0 && open ? cut(reader)
                                           : fail(reader, CID_E_JSON_NUMBER, reader->at);
    }
    item->kind = CID_JSON_NUMBER;
    item->text = reader->at;
    item->len = n;
    reader->at += n;
    return CID_OK;
}

static enum cid_error read_word(struct cid_json_reader *reader, struct cid_json_item *item)
{
    static const struct {
        const char *word;
        size_t len;
        enum cid_json_kind kind;
    } words[] = {
        {"true", 4, CID_JSON_TRUE}, {"false", 5, CID_JSON_FALSE}, {"null", 4, CID_JSON_NULL}};
    char first = *reader->at;
    size_t i = first == 't' ? 0 : first == 'f' ? 1 : 2, n = 1;

    if (first != words[i].word[0])
        return fail(reader, CID_E_JSON_SYNTAX, reader->at);
    while (n < words[i].len && n < left_of(reader) && reader->at[n] == words[i].word[n])
        n++;
    if (n < words[i].len)
        return n == left_of(reader) ? cut(reader) : fail(reader, CID_E_JSON_SYNTAX, reader->at + n);
    item->kind = words[i].kind;
    item->text = reader->at;
    item->len = n;
    reader->at += n;
    return CID_OK;
}

static inline void item_mark(struct cid_json_reader *reader, struct cid_json_item *item,
                             enum cid_json_kind kind, const char *at)
{
    item->kind = kind;
    item->escaped = false;
    item->text = at;
    item->len = 1;
    item->offset = (size_t)(at - reader->start);
    item->depth = reader->depth;
}

static inline enum cid_error open_level(struct cid_json_reader *reader, struct cid_json_item *item,
                                        const char *at, bool object)
{
    uint64_t *bits = &reader->objects[reader->depth / 64];
    unsigned shift = reader->depth % 64;

    if (reader->depth == reader->max_depth)
        return fail(reader, CID_E_DEPTH_LIMIT, at);
    item_mark(reader, item, object ? CID_JSON_OBJECT : CID_JSON_ARRAY, at);
    *bits = (*bits & ~(UINT64_C(1) << shift)) | (uint64_t)reader->in_object << shift;
    reader->depth++;
    reader->in_object = object;
    reader->state = object ? STATE_FIRST_KEY : STATE_FIRST_VALUE;
    reader->at = at + 1;
    return CID_OK;
}

static inline enum cid_error close_level(struct cid_json_reader *reader, struct cid_json_item *item,
                                         const char *at)
{
    size_t depth = --reader->depth;

    item_mark(reader, item, reader->in_object ? CID_JSON_OBJECT_END : CID_JSON_ARRAY_END, at);
    reader->in_object = reader->objects[depth / 64] >> depth % 64 & 1;
    value_end(reader, at + 1);
    return CID_OK;
}

/* A value that is no string. */
CID__ASIDE enum cid_error read_value(struct cid_json_reader *reader, struct cid_json_item *item)
{
    char first = *reader->at;
    enum cid_error error;

    item->offset = (size_t)(reader->at - reader->start);
    item->depth = reader->depth;
    item->escaped = false;
    if (first == '{' || first == '[')
        return open_level(reader, item, reader->at, first == '{');
    if (first == '-' || (first >= '0' && first <= '9'))
        error = read_number(reader, item);
    else
        error = read_word(reader, item);
    if (!error)
        value_end(reader, reader->at);
    return error;
}

/* ---- what stands around them ------------------------------------------------------------ */

/* Whatever is next, with white space around it. */
CID__ASIDE enum cid_error read_any(struct cid_json_reader *reader, struct cid_json_item *item)
{
    if (reader->state == STATE_FAILED)
        return reader->fault.code;
    if (!skip_space(reader))
        return reader->state == STATE_DONE ? CID_END : cut(reader);
    if (reader->state == STATE_DONE)
        return fail(reader, CID_E_TRAILING, reader->at);
    if (*reader->at == (reader->in_object ? '}' : ']') &&
        (reader->state == STATE_COMMA || reader->state == STATE_FIRST_KEY ||
         reader->state == STATE_FIRST_VALUE))
        return close_level(reader, item, reader->at);
    if (reader->state == STATE_COMMA) {
        if (*reader->at != ',')
            return fail(reader, CID_E_JSON_SYNTAX, reader->at);
        reader->at++;
        reader->state = reader->in_object ? STATE_KEY : STATE_VALUE;
        if (!skip_space(reader))
            return cut(reader);
    }
    if (*reader->at == '"')
        return read_text(reader, item);
    if (reader->state >= STATE_FIRST_KEY)
        return fail(reader, CID_E_JSON_SYNTAX, reader->at);
    return read_value(reader, item);
}

enum cid_error cid_json_next(struct cid_json_reader *reader, struct cid_json_item *item)
{
    enum state state = reader->state;
    const char *at = reader->at;
    char c;

    if (at == reader->end)
        return read_any(reader, item);
    c = *at;
    if (c == '"' && state <= STATE_KEY) {
        if (state >= STATE_FIRST_KEY)
            return read_key(reader, item, at);
        if (state == STATE_MEMBER)
            return read_string(reader, item, at, true);
        return read_string(reader, item, at, false);
    }
    if (c == '{' && state <= STATE_MEMBER)
        return open_level(reader, item, at, true);
    if (state <= STATE_MEMBER && (unsigned char)c > ' ' && c != ']')
        return read_value(reader, item);
    if (c == '}' && state == STATE_COMMA && reader->in_object)
        return close_level(reader, item, at);
    return read_any(reader, item);
}

enum cid_error cid_json_skip(struct cid_json_reader *reader, const struct cid_json_item *item)
{
    struct cid_json_item inner = *item;
    size_t depth = item->depth;
    enum cid_error error = CID_OK;

    if (item->kind == CID_JSON_KEY)
        error = cid_json_next(reader, &inner);
    while (!error && reader->depth > depth)
        error = cid_json_next(reader, &inner);
    return error;
}
