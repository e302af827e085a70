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
    if (i >= reader->piece_len || (reader->mark + 4 > reader->marks_len && !reader->high &&
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

#define THREE(a, b, c) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16)

/* Whether two places have these characters, three and three. */
static inline bool have_threes(const uint8_t *at, uint32_t three, const uint8_t *other,
                               uint32_t other_three)
{
    return (((cid__load32le(at) ^ three) | (cid__load32le(other) ^ other_three)) & 0xffffff) == 0;
}

static inline bool have_three(const uint8_t *at, uint32_t three)
{
    return (cid__load32le(at) & 0xffffff) == three;
}

/*
 * From a key on, passes over members that are strings, without escapes, white space and characters
 * beyond ASCII, up to one that is something else, or that has the key that is wanted: then true. A
 * key of more than 7 bytes need only begin like it.
 *
 * The quotes of such a member are four marks in a row. Between the second and the third there is a
 * colon and nothing else, behind the fourth a comma and the next key, or the end of the object. So
 * a member takes two comparisons, and one for the key.
 */
static inline bool pass_members(struct cid_json_reader *reader, const struct wanted *wanted)
{
    const uint8_t *piece;
    const uint16_t *mark, *first, *last;
    bool found = false;

    if (!is_member(reader))
        return false;
    piece = (const uint8_t *)reader->piece;
    mark = first = reader->marks + reader->mark;
    last = reader->marks + reader->quick - 4;
    do {
        found = wanted && (cid__load64le(piece + mark[0] + 1) & wanted->mask) == wanted->head;
        if (found || !have_threes(piece + mark[1], THREE('"', ':', '"'), piece + mark[3],
                                  THREE('"', ',', '"')))
            break;
        mark += 4;
    } while (mark <= last);
    if (mark != first) {
        reader->mark = (size_t)(mark - reader->marks);
        reader->at = reader->piece + mark[-1] + 2;
        reader->state = CID__STATE_KEY;
    }
    if (!found && mark <= last && have_three(piece + mark[1], THREE('"', ':', '"')) &&
        (cid__load32le(piece + mark[3]) & 0xffff) == THREE('"', '}', 0)) {
        reader->mark += 4;
        reader->at = reader->piece + mark[3] + 1;
        reader->state = CID__STATE_COMMA;
    }
    return found;
}

static inline bool at_key(const struct cid_json_reader *reader)
{
    return (reader->state == CID__STATE_KEY || reader->state == CID__STATE_FIRST_KEY) &&
           reader->at != reader->end && *reader->at == '"';
}

enum cid_error cid_json_skip(struct cid_json_reader *reader, const struct cid_json_item *item)
{
    struct cid_json_item inner;
    size_t depth = item->depth;
    enum cid_error error = CID_OK;

    if (item->kind == CID_JSON_KEY)
        error = cid_json_next(reader, &inner);
    while (!error && reader->depth > depth) {
        if (at_key(reader))
            (void)pass_members(reader, NULL);
        if (reader->state == CID__STATE_COMMA && reader->in_object && reader->at != reader->end &&
            *reader->at == '}')
            cid__json_leave_level(reader, reader->at);
        else
            error = cid_json_next(reader, &inner);
    }
    return error;
}

/* The value of the member that pass_members has found, if it is a string like those passed over. */
static inline bool take_member(struct cid_json_reader *reader, struct cid_json_item *item,
                               size_t len)
{
    const uint16_t *mark = reader->marks + reader->mark;
    const char *key = reader->piece + mark[0] + 1, *key_end = reader->piece + mark[1];
    const char *end = reader->piece + mark[3];

    if (len > 7 || (size_t)(key_end - key) != len ||
        !have_three((const uint8_t *)key_end, THREE('"', ':', '"')) || *end != '"')
        return false;
    reader->mark += 4;
    cid__json_take_text(reader, item, CID_JSON_STRING, false, key_end + 2,
                        (size_t)(end - key_end) - 3);
    cid__json_inner_end(reader, end + 1, CID__STATE_KEY);
    return true;
}

/* Any member. */
CID__ASIDE enum cid_error find_any(struct cid_json_reader *reader, struct cid_json_item *item,
                                   const char *key, size_t len)
{
    struct wanted wanted = want((const uint8_t *)key, len);
    struct cid_json_item inner;
    enum cid_error error;

    for (;;) {
        error = cid_json_next(reader, &inner);
        if (error)
            return error;
        if (inner.kind == CID_JSON_OBJECT_END) {
            *item = inner;
            return CID_OK;
        }
        if (inner.kind == CID_JSON_KEY && cid_json_is_string(&inner, key, len))
            return cid_json_next(reader, item);
        error = cid_json_skip(reader, &inner);
        if (error)
            return error;
        if (at_key(reader) && pass_members(reader, &wanted) && take_member(reader, item, len))
            return CID_OK;
    }
}

enum cid_error cid_json_find_string(struct cid_json_reader *reader, struct cid_json_item *item,
                                    const char *key, size_t len)
{
    struct wanted wanted = want((const uint8_t *)key, len);

    if (at_key(reader) && pass_members(reader, &wanted) && take_member(reader, item, len))
        return CID_OK;
    if (!reader->in_object)
        return reader->state == CID__STATE_FAILED ? reader->fault.code : CID_E_ARGUMENT;
    return find_any(reader, item, key, len);
}
