#include "json/reader.h"

#include "base/utf8.h"
#include "json/escape.h"
#include "json/number.h"
#include "json/scan.h"

void cid_json_reader_begin(struct cid_json_reader *reader, const char *text, size_t len,
                           size_t max_depth)
{
    /* The bits of levels are written before they are read. */
    reader->start = reader->at = reader->end = text;
    if (len != 0)
        reader->end += len;
    reader->depth = 0;
    reader->max_depth = max_depth != 0 && max_depth < CID_JSON_DEPTH ? max_depth : CID_JSON_DEPTH;
    reader->state = CID__STATE_VALUE;
    reader->in_object = false;
    reader->space = NULL;
    reader->piece = text;
    reader->piece_len = reader->mark = reader->marks_len = reader->quick = 0;
    reader->high = 0;
    memset(&reader->fault, 0, sizeof reader->fault);
    reader->fault.size = sizeof reader->fault;
}

const struct cid_fault *cid_json_reader_fault(const struct cid_json_reader *reader)
{
    return &reader->fault;
}

static enum cid_error fail(struct cid_json_reader *reader, enum cid_error error, const char *at)
{
    reader->state = CID__STATE_FAILED;
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

_Static_assert(CID_JSON_PIECE <= 64 * CID__JSON_BLOCK, "there is a bit in high for each block");

/* Looks through the text from at on, as much as there is room for. */
void cid__json_take_piece(struct cid_json_reader *reader, const char *at)
{
    size_t left = (size_t)(reader->end - at);
    struct cid__marked marked = cid__json_mark(reader->marks, CID_JSON_MARKS, (const uint8_t *)at,
                                               left < CID_JSON_PIECE ? left : CID_JSON_PIECE);
    size_t quick = marked.count;

    reader->piece = at;
    reader->piece_len = marked.len;
    reader->mark = 0;
    reader->marks_len = marked.count;
    reader->high = marked.high ? cid__json_high((const uint8_t *)at, marked.len) : 0;
    while (quick != 0 && left - reader->marks[quick - 1] < CID__QUICK_BYTES)
        quick--;
    reader->quick = quick;
}

/*
 * The first quote, backslash or control character from at on, or the end of the text; reader->mark
 * is the one behind. *high is set if there may be bytes above 0x7f before it.
 */
static const char *find_stop(struct cid_json_reader *reader, const char *at, bool *high)
{
    while (at != reader->end) {
        size_t i = (size_t)(at - reader->piece); /* a place before the piece is a large number */
        if (i >= reader->piece_len) {
            cid__json_take_piece(reader, at);
            i = 0;
        }
        cid__json_find_mark(reader, i);
        if (reader->mark < reader->marks_len) {
            size_t stop = reader->marks[reader->mark++];
            *high |= cid__json_is_high(reader, i, stop);
            return reader->piece + stop;
        }
        *high |= cid__json_is_high(reader, i, reader->piece_len - 1);
        at = reader->piece + reader->piece_len;
    }
    return at;
}

/*
 * The end of the string whose quote stands at at, quickly where that and its end are marks at hand,
 * and there are neither escapes nor characters beyond ASCII between; else NULL.
 *
 * Where the next string is, is known from the marks and not from where this one ends: so no string
 * waits for the one before it.
 */
static inline const char *quick_end(struct cid_json_reader *reader, const char *at)
{
    size_t k = reader->mark, i = (size_t)(at - reader->piece), end;

    if (k + 2 > reader->marks_len || reader->marks[k] != i)
        return NULL;
    end = reader->marks[k + 1];
    if (reader->piece[end] != '"' || (reader->high && cid__json_is_high(reader, i, end)))
        return NULL;
    reader->mark = k + 2;
    return reader->piece + end;
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
    reader->state = CID__STATE_VALUE;
    return CID_OK;
}

static inline enum cid_error key_end(struct cid_json_reader *reader, const char *at)
{
    reader->at = at;
    if (at == reader->end || *at != ':')
        return read_colon(reader);
    reader->at++;
    reader->state = CID__STATE_VALUE;
    return CID_OK;
}

/* Any key or string, whose quote stands at the place. */
CID__ASIDE enum cid_error read_text(struct cid_json_reader *reader, struct cid_json_item *item)
{
    const char *start = reader->at + 1, *at;
    bool high = false;
    bool escaped;
    size_t len;

    at = find_stop(reader, start, &high);
    escaped = at != reader->end && *at == '\\';
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
    if (reader->state >= CID__STATE_FIRST_KEY) {
        cid__json_take_text(reader, item, CID_JSON_KEY, escaped, start - 1, len);
        return key_end(reader, at + 1);
    }
    cid__json_take_text(reader, item, CID_JSON_STRING, escaped, start - 1, len);
    cid__json_value_end(reader, at + 1);
    return CID_OK;
}

/* The same for a key and a string. */
static inline enum cid_error read_key(struct cid_json_reader *reader, struct cid_json_item *item,
                                      const char *at)
{
    const char *end = quick_end(reader, at);

    if (!end)
        return read_text(reader, item);
    cid__json_take_text(reader, item, CID_JSON_KEY, false, at, (size_t)(end - at) - 1);
    return key_end(reader, end + 1);
}

static inline enum cid_error read_string(struct cid_json_reader *reader, struct cid_json_item *item,
                                         const char *at)
{
    const char *end = quick_end(reader, at);

    if (!end)
        return read_text(reader, item);
    cid__json_take_text(reader, item, CID_JSON_STRING, false, at, (size_t)(end - at) - 1);
    cid__json_value_end(reader, end + 1);
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
    cid__json_item_kind(item, kind, false);
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
    reader->state = object ? CID__STATE_FIRST_KEY : CID__STATE_FIRST_VALUE;
    reader->at = at + 1;
    return CID_OK;
}

static inline enum cid_error close_level(struct cid_json_reader *reader, struct cid_json_item *item,
                                         const char *at)
{
    bool object = reader->in_object;

    cid__json_leave_level(reader, at);
    item_mark(reader, item, object ? CID_JSON_OBJECT_END : CID_JSON_ARRAY_END, at);
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
        cid__json_value_end(reader, reader->at);
    return error;
}

/* ---- what stands around them ------------------------------------------------------------ */

/* Whatever is next, with white space around it. */
CID__ASIDE enum cid_error read_any(struct cid_json_reader *reader, struct cid_json_item *item)
{
    if (reader->state == CID__STATE_FAILED)
        return reader->fault.code;
    if (!skip_space(reader))
        return reader->state == CID__STATE_DONE ? CID_END : cut(reader);
    if (reader->state == CID__STATE_DONE)
        return fail(reader, CID_E_TRAILING, reader->at);
    if (*reader->at == (reader->in_object ? '}' : ']') &&
        (reader->state == CID__STATE_COMMA || reader->state == CID__STATE_FIRST_KEY ||
         reader->state == CID__STATE_FIRST_VALUE))
        return close_level(reader, item, reader->at);
    if (reader->state == CID__STATE_COMMA) {
        if (*reader->at != ',')
            return fail(reader, CID_E_JSON_SYNTAX, reader->at);
        reader->at++;
        reader->state = reader->in_object ? CID__STATE_KEY : CID__STATE_VALUE;
        if (!skip_space(reader))
            return cut(reader);
    }
    if (*reader->at == '"' && reader->state >= CID__STATE_FIRST_KEY)
        return read_key(reader, item, reader->at);
    if (*reader->at == '"')
        return read_string(reader, item, reader->at);
    if (reader->state >= CID__STATE_FIRST_KEY)
        return fail(reader, CID_E_JSON_SYNTAX, reader->at);
    return read_value(reader, item);
}

enum cid_error cid_json_next(struct cid_json_reader *reader, struct cid_json_item *item)
{
    enum cid__json_state state = reader->state;
    const char *at = reader->at;
    char c;

    if (at == reader->end)
        return read_any(reader, item);
    c = *at;
    if (c == '"' && state <= CID__STATE_KEY) {
        if (state >= CID__STATE_FIRST_KEY)
            return read_key(reader, item, at);
        return read_string(reader, item, at);
    }
    if (c == '{' && state <= CID__STATE_FIRST_VALUE)
        return open_level(reader, item, at, true);
    if (state <= CID__STATE_FIRST_VALUE && (unsigned char)c > ' ' && c != ']')
        return read_value(reader, item);
    if (c == '}' && state == CID__STATE_COMMA && reader->in_object)
        return close_level(reader, item, at);
    return read_any(reader, item);
}
