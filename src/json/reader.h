/*
 * reader.h - what reading JSON item by item and passing over items have in common: the place of a
 * reader, and its marks.
 */
#ifndef CID_JSON_READER_H
#define CID_JSON_READER_H

#include "json/scan.h"

#include <cid/json.h>

#include <stddef.h>
#include <string.h>

/*
 * What may come next; a value may in all up to CID__STATE_FIRST_VALUE, a string in all up to
 * CID__STATE_KEY, where it is a key from CID__STATE_FIRST_KEY on.
 */
enum cid__json_state {
    CID__STATE_VALUE,       /* a value */
    CID__STATE_FIRST_VALUE, /* a value, or ']' */
    CID__STATE_FIRST_KEY,   /* a key, or '}' */
    CID__STATE_KEY,         /* a key */
    CID__STATE_COMMA,       /* a comma, or the end of what is open */
    CID__STATE_DONE,        /* nothing */
    CID__STATE_FAILED       /* the failure that has been */
};

/* ---- marks ------------------------------------------------------------------------------- */

/*
 * How many bytes from the fourth of some marks on pass_members looks at: four, or those of the
 * eight behind the first that are there if nothing is between the marks.
 */
#define CID__QUICK_BYTES 6

/* Looks through the text from at on, as much as there is room for marks; reader->mark is 0. */
void cid__json_take_piece(struct cid_json_reader *reader, const char *at);

/* Finds the first mark from a place in the piece on. It is near, unless a caller has gone back. */
static inline void cid__json_find_mark(struct cid_json_reader *reader, size_t i)
{
    size_t k = reader->mark;

    while (k > 0 && reader->marks[k - 1] >= i)
        k--;
    while (k < reader->marks_len && reader->marks[k] < i)
        k++;
    reader->mark = k;
}

/* Whether there may be bytes above 0x7f between two places in the piece. */
static inline bool cid__json_is_high(const struct cid_json_reader *reader, size_t from, size_t to)
{
    return reader->high >> from / CID__JSON_BLOCK &
           ((UINT64_C(2) << (to / CID__JSON_BLOCK - from / CID__JSON_BLOCK)) - 1);
}

/* ---- the place behind an item ------------------------------------------------------------ */

/*
 * Behind a value or key, where the comma or colon is passed over as well if it is there at once, as
 * it mostly is.
 */
static inline void cid__json_inner_end(struct cid_json_reader *reader, const char *at,
                                       enum cid__json_state next)
{
    if (at != reader->end && *at == ',') {
        reader->state = (uint8_t)next;
        reader->at = at + 1;
    } else {
        reader->state = CID__STATE_COMMA;
        reader->at = at;
    }
}

static inline void cid__json_value_end(struct cid_json_reader *reader, const char *at)
{
    if (reader->depth != 0) {
        cid__json_inner_end(reader, at, reader->in_object ? CID__STATE_KEY : CID__STATE_VALUE);
        return;
    }
    reader->state = CID__STATE_DONE;
    reader->at = at;
}

/* The bracket at at closes what is open. */
static inline void cid__json_leave_level(struct cid_json_reader *reader, const char *at)
{
    size_t depth = --reader->depth;

    reader->in_object = reader->objects[depth / 64] >> depth % 64 & 1;
    cid__json_value_end(reader, at + 1);
}

/* ---- items ------------------------------------------------------------------------------- */

/*
 * Kind and escapes of an item, in one store: callers look at both, compilers do so with one load,
 * and that would have to wait for two stores until they are in the cache.
 */
static inline void cid__json_item_kind(struct cid_json_item *item, enum cid_json_kind kind,
                                       bool escaped)
{
    struct {
        enum cid_json_kind kind;
        bool escaped;
        uint8_t zero[3];
    } head = {kind, escaped, {0}};

    _Static_assert(sizeof head <= offsetof(struct cid_json_item, text), "in front of the text");
    memcpy((void *)item, &head, sizeof head);
}

/* A key or string of len bytes, whose quote stands at at. */
static inline void cid__json_take_text(struct cid_json_reader *reader, struct cid_json_item *item,
                                       enum cid_json_kind kind, bool escaped, const char *at,
                                       size_t len)
{
    cid__json_item_kind(item, kind, escaped);
    item->text = at + 1;
    item->len = len;
    item->offset = (size_t)(at - reader->start);
    item->depth = reader->depth;
}

#endif
