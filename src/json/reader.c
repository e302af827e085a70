#include <cid/json.h>

#include "base/utf8.h"
#include "json/escape.h"
#include "json/number.h"
#include "json/scan.h"

#include <string.h>

/* What may come next. */
enum state {
    STATE_VALUE,       /* a value */
    STATE_FIRST_VALUE, /* a value, or ']' */
    STATE_FIRST_KEY,   /* a key, or '}' */
    STATE_KEY,         /* a key */
    STATE_COMMA,       /* a comma, or the end of what is open */
    STATE_DONE         /* nothing */
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
    memset(&reader->fault, 0, sizeof reader->fault);
    reader->fault.size = sizeof reader->fault;
}

const struct cid_fault *cid_json_reader_fault(const struct cid_json_reader *reader)
{
    return &reader->fault;
}

static enum cid_error fail(struct cid_json_reader *reader, enum cid_error error, const char *at)
{
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

/* ---- values ----------------------------------------------------------------------------- */

/* A string, whose quote stands at the place. */
static enum cid_error read_string(struct cid_json_reader *reader, struct cid_json_item *item)
{
    const char *start = reader->at + 1, *at = start;
    bool high = false;
    size_t right;

    item->text = start;
    item->escaped = false;
    for (;;) {
        size_t used = 0;
        enum cid_error error;
        at += cid__json_scan((const uint8_t *)at, (size_t)(reader->end - at), &high);
        if (at == reader->end)
            return cut(reader);
        if (*at == '"')
            break;
        if (*at != '\\')
            return fail(reader, CID_E_JSON_STRING, at);
        error = cid__escape_check(&used, at, (size_t)(reader->end - at));
        if (error)
            return error == CID_E_TRUNCATED ? cut(reader) : fail(reader, error, at + used);
        item->escaped = true;
        at += used;
    }
    item->len = (size_t)(at - start);
    reader->at = at + 1;
    if (!high)
        return CID_OK;
    right = cid__utf8_span((const uint8_t *)start, item->len);
    return right == item->len ? CID_OK : fail(reader, CID_E_JSON_UTF8, start + right);
}

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

static enum cid_error open_level(struct cid_json_reader *reader, struct cid_json_item *item,
                                 bool object)
{
    uint64_t bit = UINT64_C(1) << reader->depth % 64, *bits;

    if (reader->depth == reader->max_depth)
        return fail(reader, CID_E_DEPTH_LIMIT, reader->at);
    bits = &reader->objects[reader->depth / 64];
    *bits = reader->in_object ? *bits | bit : *bits & ~bit;
    reader->depth++;
    reader->in_object = object;
    item->kind = object ? CID_JSON_OBJECT : CID_JSON_ARRAY;
    item->text = reader->at++;
    item->len = 1;
    reader->state = object ? STATE_FIRST_KEY : STATE_FIRST_VALUE;
    return CID_OK;
}

static enum cid_error read_value(struct cid_json_reader *reader, struct cid_json_item *item)
{
    enum cid_error error;

    item->offset = (size_t)(reader->at - reader->start);
    item->depth = reader->depth;
    item->escaped = false;
    switch (*reader->at) {
    case '{':
        return open_level(reader, item, true);
    case '[':
        return open_level(reader, item, false);
    case '"':
        item->kind = CID_JSON_STRING;
        error = read_string(reader, item);
        break;
    default:
        error = *reader->at == '-' || (*reader->at >= '0' && *reader->at <= '9')
                    ? read_number(reader, item)
                    : read_word(reader, item);
    }
    reader->state = reader->depth == 0 ? STATE_DONE : STATE_COMMA;
    return error;
}

/* ---- what stands around them ------------------------------------------------------------ */

/* A key and its colon. */
static enum cid_error read_key(struct cid_json_reader *reader, struct cid_json_item *item)
{
    enum cid_error error;

    if (*reader->at != '"')
        return fail(reader, CID_E_JSON_SYNTAX, reader->at);
    item->kind = CID_JSON_KEY;
    item->offset = (size_t)(reader->at - reader->start);
    item->depth = reader->depth;
    error = read_string(reader, item);
    if (error)
        return error;
    if (!skip_space(reader))
        return cut(reader);
    if (*reader->at != ':')
        return fail(reader, CID_E_JSON_SYNTAX, reader->at);
    reader->at++;
    reader->state = STATE_VALUE;
    return CID_OK;
}

static enum cid_error close_level(struct cid_json_reader *reader, struct cid_json_item *item)
{
    item->kind = reader->in_object ? CID_JSON_OBJECT_END : CID_JSON_ARRAY_END;
    reader->depth--;
    reader->in_object = reader->objects[reader->depth / 64] >> reader->depth % 64 & 1;
    item->escaped = false;
    item->offset = (size_t)(reader->at - reader->start);
    item->depth = reader->depth;
    item->text = reader->at++;
    item->len = 1;
    reader->state = reader->depth == 0 ? STATE_DONE : STATE_COMMA;
    return CID_OK;
}

/* Passes over the comma; *closed: there is the end of what is open instead. */
static enum cid_error read_comma(struct cid_json_reader *reader, bool *closed)
{
    *closed = *reader->at == (reader->in_object ? '}' : ']');
    if (*closed)
        return CID_OK;
    if (*reader->at != ',')
        return fail(reader, CID_E_JSON_SYNTAX, reader->at);
    reader->at++;
    reader->state = reader->in_object ? STATE_KEY : STATE_VALUE;
    return skip_space(reader) ? CID_OK : cut(reader);
}

enum cid_error cid_json_next(struct cid_json_reader *reader, struct cid_json_item *item)
{
    bool closed = false;
    enum cid_error error = reader->fault.code;

    if (error)
        return error;
    if (!skip_space(reader))
        return reader->state == STATE_DONE ? CID_END : cut(reader);
    if (reader->state == STATE_DONE)
        return fail(reader, CID_E_TRAILING, reader->at);
    if (reader->state == STATE_COMMA)
        error = read_comma(reader, &closed);
    else if (reader->state == STATE_FIRST_KEY || reader->state == STATE_FIRST_VALUE)
        closed = *reader->at == (reader->in_object ? '}' : ']');
    if (error)
        return error;
    if (closed)
        return close_level(reader, item);
    if (reader->state == STATE_KEY || reader->state == STATE_FIRST_KEY)
        return read_key(reader, item);
    return read_value(reader, item);
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

/* ---- what items say --------------------------------------------------------------------- */

static bool is_text(const struct cid_json_item *item)
{
    return item->kind == CID_JSON_KEY || item->kind == CID_JSON_STRING;
}

enum cid_error cid_json_unescape(char *out, size_t cap, size_t *written,
                                 const struct cid_json_item *item)
{
    const char *at = item->text, *end = at + item->len;
    size_t len;

    if (!is_text(item))
        return CID_E_ARGUMENT;
    len = item->escaped ? cid__escape_length(at, item->len) : item->len;
    if (written)
        *written = len;
    if (len > cap)
        return CID_E_NOSPACE;
    while (at < end) {
        const char *escape = item->escaped ? memchr(at, '\\', (size_t)(end - at)) : NULL;
        size_t n = (size_t)((escape ? escape : end) - at);
        memcpy(out, at, n);
        out += n;
        at += n;
        if (escape)
            out += cid__escape_take(out, &at);
    }
    return CID_OK;
}

bool cid_json_is(const struct cid_json_item *item, const char *text)
{
    const char *at = item->text, *end = at + item->len;
    size_t left = strlen(text);
    char unit[4];

    if (!is_text(item))
        return false;
    if (!item->escaped)
        return item->len == left && memcmp(at, text, left) == 0;
    while (at < end) {
        size_t n = 1;
        unit[0] = *at;
        if (*at == '\\')
            n = cid__escape_take(unit, &at);
        else
            at++;
        if (n > left || memcmp(unit, text, n) != 0)
            return false;
        text += n;
        left -= n;
    }
    return left == 0;
}

static enum cid_error read_integer(bool *negative, uint64_t *magnitude,
                                   const struct cid_json_item *item)
{
    if (item->kind != CID_JSON_NUMBER)
        return CID_E_ARGUMENT;
    switch (cid__number_read(negative, magnitude, item->text, item->len)) {
    case CID__NUMBER_INTEGER:
        return CID_OK;
    case CID__NUMBER_LARGE:
        return CID_E_JSON_RANGE;
    case CID__NUMBER_REAL:
        break;
    }
    return CID_E_ARGUMENT;
}

enum cid_error cid_json_read_u64(uint64_t *out, const struct cid_json_item *item)
{
    uint64_t magnitude = 0;
    bool negative = false;
    enum cid_error error = read_integer(&negative, &magnitude, item);

    if (error)
        return error;
    if (negative && magnitude != 0)
        return CID_E_JSON_RANGE;
    *out = magnitude;
    return CID_OK;
}

enum cid_error cid_json_read_i64(int64_t *out, const struct cid_json_item *item)
{
    uint64_t magnitude = 0;
    bool negative = false;
    enum cid_error error = read_integer(&negative, &magnitude, item);

    if (error)
        return error;
    if (magnitude > (uint64_t)INT64_MAX + negative)
        return CID_E_JSON_RANGE;
    if (negative && magnitude != 0)
        *out = -(int64_t)(magnitude - 1) - 1;
    else
        *out = (int64_t)magnitude;
    return CID_OK;
}

enum cid_error cid_json_read_double(double *out, const struct cid_json_item *item)
{
    if (item->kind != CID_JSON_NUMBER)
        return CID_E_ARGUMENT;
    return cid__double_read(out, item->text, item->len) ? CID_OK : CID_E_JSON_RANGE;
}
