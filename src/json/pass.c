#include "json/reader.h"

#include "base/endian.h"
#include "json/scan.h"

/*
 * A key that is looked for: its bytes and the quote behind, as a word and what of one loaded from a
 * key is to be compared with that. Of a key of more than 7 bytes the first 8.
 */
struct wanted {
    uint64_t head, mask;
};

/* No key. */
static const struct wanted nothing = {1, 0};

/* Made in registers: to write bytes and read them as a word takes longer than all the rest. */
static inline struct wanted want(const uint8_t *key, size_t len)
{
    static const struct wanted quotes[8] = {
        {0x22, 0xff},
        {0x2200, 0xffff},
        {0x220000, 0xffffff},
        {0x22000000, 0xffffffff},
        {UINT64_C(0x2200000000), UINT64_C(0xffffffffff)},
        {UINT64_C(0x220000000000), UINT64_C(0xffffffffffff)},
        {UINT64_C(0x22000000000000), UINT64_C(0xffffffffffffff)},
        {UINT64_C(0x2200000000000000), UINT64_MAX},
    };
    uint64_t head = 0;

    if (len >= 8)
        return (struct wanted){cid__load64le(key), UINT64_MAX};
    if (len >= 4)
        head = cid__load32le(key) | (uint64_t)cid__load32le(key + len - 4) << 8 * (len - 4);
    else
        for (size_t i = 0; i < len; i++)
            head |= (uint64_t)key[i] << 8 * i;
    return (struct wanted){head | quotes[len].head, quotes[len].mask};
}

/* Makes the marks of a member, four of them from reader->mark on, be at hand, if it has such. */
CID__ASIDE bool find_member(struct cid_json_reader *reader, const char *at)
{
    size_t i = (size_t)(at - reader->piece);

    if (i < reader->piece_len)
        cid__json_find_mark(reader, i);
    if (i >= reader->piece_len || (reader->mark + 4 > reader->marks_len &&
                                   reader->piece + reader->piece_len != reader->end)) {
        cid__json_take_piece(reader, at);
        i = 0;
    }
    return reader->mark + 4 <= reader->quick && reader->marks[reader->mark] == i;
}

static inline bool is_member(struct cid_json_reader *reader)
{
    size_t k = reader->mark;

    return (k + 4 <= reader->quick && reader->marks[k] == (size_t)(reader->at - reader->piece)) ||
           find_member(reader, reader->at);
}

#define FOUR(a, b, c, d)                                                                           \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define THREE(a, b, c) FOUR(a, b, c, 0)

/* What stands behind a key and behind a value, at once or with a blank, as many programs put it. */
#define COLON       THREE('"', ':', '"')
#define COLON_BLANK FOUR('"', ':', ' ', '"')
#define COMMA       THREE('"', ',', '"')
#define COMMA_BLANK FOUR('"', ',', ' ', '"')

/* Whether a colon, and then a string, is behind a key; with a blank only where there were some. */
static inline bool is_colon(const struct cid_json_reader *reader, uint32_t colon)
{
    return (colon & 0xffffff) == COLON || (colon == COLON_BLANK && reader->space);
}

static inline bool is_comma(const struct cid_json_reader *reader, uint32_t comma)
{
    return (comma & 0xffffff) == COMMA || (comma == COMMA_BLANK && reader->space);
}

static inline bool is_at(struct wanted wanted, const uint8_t *key)
{
    return (cid__load64le(key) & wanted.mask) == wanted.head;
}

/* Over members at once behind each other, where there are only ASCII characters; see pass_members.
 */
static inline const uint16_t *pass_plain(const uint16_t *mark, const uint16_t *last,
                                         const uint8_t *piece, struct wanted wanted)
{
    for (; mark <= last; mark += 4) {
        uint32_t colon = cid__load32le(piece + mark[1]), comma = cid__load32le(piece + mark[3]);
        if (is_at(wanted, piece + mark[0] + 1) || ((colon ^ COLON) | (comma ^ COMMA)) & 0xffffff)
            break;
    }
    return mark;
}

/* The same with blanks between, and characters beyond ASCII elsewhere. */
CID__ASIDE const uint16_t *pass_loose(const struct cid_json_reader *reader, const uint16_t *mark,
                                      const uint16_t *last, struct wanted wanted)
{
    const uint8_t *piece = (const uint8_t *)reader->piece;

    for (; mark <= last; mark += 4)
        if (is_at(wanted, piece + mark[0] + 1) ||
            !is_colon(reader, cid__load32le(piece + mark[1])) ||
            !is_comma(reader, cid__load32le(piece + mark[3])) ||
            cid__json_is_high(reader, mark[0], mark[3]))
            break;
    return mark;
}

/* Whether that is the last member of an object, and may be passed over. */
static inline bool is_last(const struct cid_json_reader *reader, const uint16_t *mark)
{
    const uint8_t *piece = (const uint8_t *)reader->piece;

    return is_colon(reader, cid__load32le(piece + mark[1])) &&
           (cid__load32le(piece + mark[3]) & 0xffff) == THREE('"', '}', 0) &&
           !cid__json_is_high(reader, mark[0], mark[3]);
}

/*
 * From a key on, over members that are strings, without escapes and characters beyond ASCII, up to
 * one that is something else, or that has the key that is wanted: where that stops. A key of more
 * than 7 bytes need only begin like it. is_member is true.
 *
 * The quotes of such a member are four marks in a row. Between the second and the third there is a
 * colon and nothing else, behind the fourth a comma and the next key, or the end of the object. So
 * a member takes two comparisons, and one for the key.
 */
static inline const uint16_t *pass_members(const struct cid_json_reader *reader,
                                           struct wanted wanted)
{
    const uint16_t *mark = reader->marks + reader->mark;
    const uint16_t *last = reader->marks + reader->quick - 4;

    return reader->high || reader->space
               ? pass_loose(reader, mark, last, wanted)
               : pass_plain(mark, last, (const uint8_t *)reader->piece, wanted);
}

/* Whether the member is one of those, and has the key that is wanted. */
static inline bool is_found(const struct cid_json_reader *reader, const uint16_t *mark,
                            struct wanted wanted)
{
    return mark <= reader->marks + reader->quick - 4 &&
           is_at(wanted, (const uint8_t *)reader->piece + mark[0] + 1);
}

/* Takes the reader to where pass_members stops; and behind that if it is the last member. */
static inline void go_to(struct cid_json_reader *reader, const uint16_t *mark, bool behind)
{
    if (mark != reader->marks + reader->mark) {
        reader->mark = (size_t)(mark - reader->marks);
        reader->at = reader->piece + mark[-1] + 2;
        reader->state = CID__STATE_KEY;
    }
    if (behind && mark <= reader->marks + reader->quick - 4 && is_last(reader, mark)) {
        reader->mark += 4;
        reader->at = reader->piece + mark[3] + 1;
        reader->state = CID__STATE_COMMA;
    }
}

/* Whether a member is next whose key stands right here. */
static inline bool at_member(struct cid_json_reader *reader)
{
    return (reader->state == CID__STATE_KEY || reader->state == CID__STATE_FIRST_KEY) &&
           reader->at != reader->end && *reader->at == '"' && is_member(reader);
}

/* The same, passing over a blank before it. */
static inline bool to_member(struct cid_json_reader *reader)
{
    if (reader->state == CID__STATE_KEY && reader->space && reader->end - reader->at > 1 &&
        reader->at[0] == ' ' && reader->at[1] == '"')
        reader->at++;
    return at_member(reader);
}

enum cid_error cid_json_skip(struct cid_json_reader *reader, const struct cid_json_item *item)
{
    struct cid_json_item inner;
    size_t depth = item->depth;
    enum cid_error error = CID_OK;

    if (item->kind == CID_JSON_KEY)
        error = cid_json_next(reader, &inner);
    while (!error && reader->depth > depth) {
        if (to_member(reader))
            go_to(reader, pass_members(reader, nothing), true);
        if (reader->state == CID__STATE_COMMA && reader->in_object && reader->at != reader->end &&
            *reader->at == '}')
            cid__json_leave_level(reader, reader->at);
        else
            error = cid_json_next(reader, &inner);
    }
    return error;
}

/* The value of the member that is_found, if it is a string like those passed over. */
static inline bool take_member(struct cid_json_reader *reader, struct cid_json_item *item,
                               const uint16_t *mark, size_t len)
{
    const char *key = reader->piece + mark[0] + 1, *key_end = reader->piece + mark[1];
    const char *start = reader->piece + mark[2], *end = reader->piece + mark[3];

    if (len > 7 || (size_t)(key_end - key) != len || *end != '"' ||
        !is_colon(reader, cid__load32le((const uint8_t *)key_end)) ||
        (reader->high && cid__json_is_high(reader, mark[0], mark[3])))
        return false;
    reader->mark = (size_t)(mark - reader->marks) + 4;
    cid__json_take_text(reader, item, CID_JSON_STRING, false, start, (size_t)(end - start) - 1);
    cid__json_inner_end(reader, end + 1, CID__STATE_KEY);
    return true;
}

/* Any member. */
CID__ASIDE enum cid_error find_any(struct cid_json_reader *reader, struct cid_json_item *item,
                                   const char *key, size_t len)
{
    struct wanted wanted = want((const uint8_t *)key, len);
    struct cid_json_item inner;
    enum cid_error error = CID_OK;

    while (!error) {
        if (to_member(reader)) {
            const uint16_t *mark = pass_members(reader, wanted);
            bool found = is_found(reader, mark, wanted);
            if (found && take_member(reader, item, mark, len))
                return CID_OK;
            go_to(reader, mark, !found);
        }
        error = cid_json_next(reader, &inner);
        if (!error && inner.kind == CID_JSON_OBJECT_END) {
            *item = inner;
            return CID_OK;
        }
        if (!error && inner.kind == CID_JSON_KEY && cid_json_is_string(&inner, key, len))
            return cid_json_next(reader, item);
        if (!error)
            error = cid_json_skip(reader, &inner);
    }
    return error;
}

enum cid_error cid_json_find_string(struct cid_json_reader *reader, struct cid_json_item *item,
                                    const char *key, size_t len)
{
    if (at_member(reader)) {
        struct wanted wanted = want((const uint8_t *)key, len);
        const uint16_t *mark = pass_members(reader, wanted);
        bool found = is_found(reader, mark, wanted);
        if (found && take_member(reader, item, mark, len))
            return CID_OK;
        go_to(reader, mark, !found);
    }
    if (!reader->in_object)
        return reader->state == CID__STATE_FAILED ? reader->fault.code : CID_E_ARGUMENT;
    return find_any(reader, item, key, len);
}
