/*
 * The same node in another codec. Items are written as they come; what cannot be known then is
 * mended when a map or list ends: the number of its elements, where the input does not tell it
 * before, and the order of its pairs, which lie in the output already and are moved.
 */
#include <cid/dag.h>

#include "base/bytes.h"
#include "dag/pb_write.h"
#include "dag/sort.h"
#include "dag/source.h"
#include "dag/write.h"

/* A map, list or tag that is open. */
struct open {
    enum cid__cbor_kind kind;
    bool unsorted;   /* maps: a key came too late */
    bool count_told; /* DAG-CBOR: the head is right already */
    size_t at;       /* of its first byte in the output */
    size_t offset;   /* and in the input */
    size_t count;    /* elements, or pairs */
    size_t first;    /* maps: its first entry */
};

/* Memory that grows. */
struct room {
    void *at;
    size_t size;
};

struct convert {
    struct cid__dag_source source;
    struct cid__cbor_level *levels;
    const struct cid_allocator *alloc;
    struct cid__output out;
    bool json; /* to DAG-JSON; else to DAG-CBOR */
    size_t depth;
    size_t entry_count;
    struct room opens;
    struct room entries;
    struct room temp;
};

static enum cid_error grow(struct convert *c, struct room *room, size_t used, size_t size)
{
    size_t want = size < SIZE_MAX / 2 ? size * 2 : size;
    void *at;

    if (size <= room->size)
        return CID_OK;
    at = cid__alloc(c->alloc, want);
    if (!at)
        return CID_E_NOMEM;
    if (used != 0)
        memcpy(at, room->at, used);
    if (room->at)
        cid__release(c->alloc, room->at, room->size);
    *room = (struct room){at, want};
    return CID_OK;
}

static struct open *open_at(struct convert *c, size_t i)
{
    return (struct open *)c->opens.at + i;
}

static struct cid__entry *entry_at(struct convert *c, size_t i)
{
    return (struct cid__entry *)c->entries.at + i;
}

static enum cid_error failed(struct convert *c, enum cid_error error, size_t offset)
{
    cid__dag_fault(&c->source.fault, error, c->source.codec, offset, c->source.max_depth);
    return error;
}

/* ---- the end of maps and lists ---------------------------------------------------------- */

/* The entries in their order, and no two the same. */
static enum cid_error sort_entries(struct convert *c, const struct open *map)
{
    struct cid__entry *entries = entry_at(c, map->first);
    enum cid_error twice =
        c->source.codec == CID_CODEC_DAG_JSON ? CID_E_JSON_KEY_TWICE : CID_E_CBOR_KEY_TWICE;

    for (size_t i = 0; i < map->count; i++)
        entries[i].end = i + 1 < map->count ? entries[i + 1].at - c->json : c->out.len;
    cid__entry_sort(entries, map->count, !c->json);
    for (size_t i = 1; i < map->count; i++) {
        size_t a = entries[i - 1].offset, b = entries[i].offset;
        if (cid__entry_compare(&entries[i - 1], &entries[i], !c->json) == 0)
            return failed(c, twice, a > b ? a : b);
    }
    return CID_OK;
}

/* Moves the pairs of a map, which lie one behind the other, to where they belong. */
static enum cid_error move_entries(struct convert *c, const struct open *map, size_t from)
{
    struct cid__entry *entries = entry_at(c, map->first);
    size_t i = 0, at = from, n = 0;
    uint8_t *temp;
    enum cid_error error;

    for (; i < map->count && entries[i].at == at; i++) /* those that are there already */
        at = entries[i].end + c->json;
    if (i == map->count)
        return CID_OK;
    error = grow(c, &c->temp, 0, c->out.len - at);
    if (error)
        return failed(c, error, map->offset);
    for (temp = c->temp.at; i < map->count; i++) {
        size_t len = entries[i].end - entries[i].at;
        if (c->json && n != 0)
            temp[n++] = ',';
        memcpy(temp + n, c->out.buf + entries[i].at, len);
        n += len;
    }
    memcpy(c->out.buf + at, temp, n);
    return CID_OK;
}

/* Whether DAG-JSON reads that map, whose entries are in order, as something else, or not at all. */
static bool is_reserved(struct convert *c, const struct open *map)
{
    const struct cid__entry *first = entry_at(c, map->first);

    return map->count != 0 && cid__entry_is(first, "/") && (first->is_text || first->is_bytes);
}

/* Notes of a value what makes its map a reserved one. */
static void note_value(struct convert *c, bool is_text, bool is_bytes)
{
    size_t i = c->depth;

    while (i > 0 && open_at(c, i - 1)->kind == CID__CBOR_TAG)
        i--;
    if (i == 0 || open_at(c, i - 1)->kind != CID__CBOR_MAP)
        return;
    entry_at(c, c->entry_count - 1)->is_text = is_text;
    entry_at(c, c->entry_count - 1)->is_bytes = is_bytes;
}

static enum cid_error close_map(struct convert *c, const struct open *map)
{
    size_t from = map->at + 1;
    enum cid_error error = CID_OK;
    bool is_bytes;

    if (!c->json && map->count_told)
        from = map->at + cid__cbor_head_size(map->count);
    if (map->unsorted) {
        error = sort_entries(c, map);
        if (!error && cid__output_is_whole(&c->out))
            error = move_entries(c, map, from);
    }
    if (!error && c->json && is_reserved(c, map))
        error = failed(c, CID_E_JSON_RESERVED, map->offset);
    if (error)
        return error;
    is_bytes = map->count != 0 && entry_at(c, map->first)->is_text &&
               cid__entry_is(entry_at(c, map->first), "bytes");
    c->entry_count = map->first;
    note_value(c, false, is_bytes);
    return CID_OK;
}

/* Writes the number of elements, for which one byte was left, into the head of a container. */
static void mend_head(struct convert *c, const struct open *open)
{
    size_t size = cid__cbor_head_size(open->count), end = c->out.len;
    struct cid__output head = {c->out.buf, c->out.cap, open->at};

    if (open->count_told)
        return;
    (void)cid__output_take(&c->out, size - 1);
    if (!cid__output_is_whole(&c->out))
        return;
    if (size > 1)
        memmove(c->out.buf + open->at + size, c->out.buf + open->at + 1, end - open->at - 1);
    cid__cbor_put_head(&head, open->kind == CID__CBOR_MAP ? 5 : 4, open->count);
}

/* Closes what is open until so many are. */
static enum cid_error close_to(struct convert *c, size_t depth)
{
    while (c->depth > depth) {
        const struct open *open = open_at(c, --c->depth);
        enum cid_error error = CID_OK;
        if (open->kind == CID__CBOR_TAG)
            continue;
        if (open->kind == CID__CBOR_MAP)
            error = close_map(c, open);
        if (error)
            return error;
        if (c->json)
            cid__output_byte(&c->out, open->kind == CID__CBOR_MAP ? '}' : ']');
        else
            mend_head(c, open);
    }
    return CID_OK;
}

/* ---- items ------------------------------------------------------------------------------ */

static enum cid_error put_item(struct convert *c, const struct cid__cbor_item *item)
{
    enum cid_error error = c->json ? cid__dag_json_put_item(&c->out, item)
                                   : cid__cbor_put_item(&c->out, item, c->source.allow);
    return error ? failed(c, error, item->offset) : CID_OK;
}

static enum cid_error add_key(struct convert *c, const struct cid__cbor_item *key)
{
    struct open *map = open_at(c, c->depth - 1);
    size_t each = sizeof(struct cid__entry);
    struct cid__entry *entry;
    enum cid_error error = grow(c, &c->entries, c->entry_count * each, (c->entry_count + 1) * each);

    if (error)
        return failed(c, error, key->offset);
    if (c->json && map->count != 0)
        cid__output_byte(&c->out, ',');
    entry = entry_at(c, c->entry_count++);
    *entry = cid__entry_of(key, c->out.len);
    /* The same key twice is a disorder too, and found when the map is sorted. */
    if (map->count++ != 0 && !map->unsorted)
        map->unsorted = cid__entry_compare(entry - 1, entry, !c->json) >= 0;
    error = put_item(c, key);
    if (!error && c->json)
        cid__output_byte(&c->out, ':');
    return error;
}

static enum cid_error open_container(struct convert *c, const struct cid__cbor_item *item)
{
    bool told = item->number != CID__DAG_UNKNOWN;
    size_t each = sizeof(struct open);
    enum cid_error error = grow(c, &c->opens, c->depth * each, (c->depth + 1) * each);

    if (error)
        return failed(c, error, item->offset);
    *open_at(c, c->depth++) = (struct open){
        .kind = item->kind,
        .count_told = told,
        .at = c->out.len,
        .offset = item->offset,
        .first = c->entry_count,
    };
    if (item->kind == CID__CBOR_TAG)
        return CID_OK;
    if (c->json)
        cid__output_byte(&c->out, item->kind == CID__CBOR_MAP ? '{' : '[');
    else
        cid__cbor_put_head(&c->out, item->kind == CID__CBOR_MAP ? 5 : 4, told ? item->number : 0);
    return CID_OK;
}

static enum cid_error add_value(struct convert *c, const struct cid__cbor_item *item)
{
    struct open *parent = c->depth != 0 ? open_at(c, c->depth - 1) : NULL;

    if (parent && parent->kind == CID__CBOR_ARRAY && parent->count++ != 0 && c->json)
        cid__output_byte(&c->out, ',');
    if (item->kind == CID__CBOR_ARRAY || item->kind == CID__CBOR_MAP || item->kind == CID__CBOR_TAG)
        return open_container(c, item);
    if (item->kind == CID__CBOR_TEXT)
        note_value(c, true, false);
    return put_item(c, item);
}

static enum cid_error convert_all(struct convert *c)
{
    struct cid__cbor_item item;
    enum cid_error error;

    while (!(error = cid__dag_source_next(&c->source, &item))) {
        error = close_to(c, item.depth);
        if (!error)
            error = item.key ? add_key(c, &item) : add_value(c, &item);
        if (error)
            return error;
    }
    return error == CID_END ? close_to(c, 0) : error;
}

static void release(struct convert *c, struct room *room)
{
    if (room->at)
        cid__release(c->alloc, room->at, room->size);
}

/* To DAG-CBOR or DAG-JSON. */
static enum cid_error convert_block(struct cid__output *out, struct cid_fault *fault, uint64_t to,
                                    uint64_t from, const void *data, size_t len,
                                    const struct cid_dag_options *options,
                                    const struct cid_allocator *alloc)
{
    struct cid_dag_options mine = options ? *options : (struct cid_dag_options){0};
    struct cid__cbor_level levels[CID_DAG_DEPTH];
    struct convert c;
    enum cid_error error;

    mine.allow |= CID__DAG_NO_SEARCH;             /* maps are sorted here, which finds keys twice */
    mine.allow &= ~(uint32_t)CID_DAG_ALLOW_NAMES; /* no codec should say them */
    c.alloc = alloc;
    c.out = *out;
    c.json = to == CID_CODEC_DAG_JSON;
    c.depth = c.entry_count = 0;
    c.opens = c.entries = c.temp = (struct room){0};
    error = cid__dag_source_init(&c.source, from, data, len, &mine, levels);
    if (!error)
        error = convert_all(&c);
    *out = c.out;
    *fault = c.source.fault;
    release(&c, &c.opens);
    release(&c, &c.entries);
    release(&c, &c.temp);
    return error;
}

/* To DAG-PB, by way of DAG-CBOR in canonical form. */
static enum cid_error convert_to_pb(struct cid__output *out, struct cid_fault *fault, uint64_t from,
                                    const void *data, size_t len,
                                    const struct cid_dag_options *options,
                                    const struct cid_allocator *alloc)
{
    struct cid__output cbor = {0};
    uint8_t *buf;
    size_t offset = 0;
    enum cid_error error =
        convert_block(&cbor, fault, CID_CODEC_DAG_CBOR, from, data, len, options, alloc);

    if (error)
        return error;
    buf = cid__alloc(alloc, cbor.len);
    if (!buf)
        return CID_E_NOMEM;
    cbor = (struct cid__output){buf, cbor.len, 0};
    error = convert_block(&cbor, fault, CID_CODEC_DAG_CBOR, from, data, len, options, alloc);
    if (!error)
        error = cid__pb_write(out, &offset, buf, cbor.len);
    if (error && !fault->code) /* a place in the block only if that was this very DAG-CBOR */
        cid__dag_fault(fault, error, from, from == CID_CODEC_DAG_CBOR ? offset : 0, 0);
    cid__release(alloc, buf, cbor.cap);
    return error;
}

static bool can_write(uint64_t codec)
{
    return codec == CID_CODEC_DAG_CBOR || codec == CID_CODEC_DAG_JSON || codec == CID_CODEC_DAG_PB;
}

enum cid_error cid_dag_write(uint8_t *out, size_t cap, size_t *written, struct cid_fault *fault,
                             uint64_t to, uint64_t from, const void *data, size_t len,
                             const struct cid_dag_options *options,
                             const struct cid_allocator *alloc)
{
    struct cid__output output = {out, cap, 0};
    struct cid_fault found = {0};
    enum cid_error error;

    cid__assert_apart(out, cap, data, len);
    if (options && options->allow & ~CID_DAG_ALLOW_ALL)
        error = CID_E_ARGUMENT;
    else if (!can_write(to) || !cid_dag_known(from))
        error = CID_E_DAG_CODEC;
    else if (to == CID_CODEC_DAG_PB)
        error = convert_to_pb(&output, &found, from, data, len, options, alloc);
    else
        error = convert_block(&output, &found, to, from, data, len, options, alloc);
    if (!error && output.len == SIZE_MAX)
        error = CID_E_TOO_LARGE;
    if (error && !found.code)
        cid__dag_fault(&found, error, from, 0, 0);
    if (fault)
        *fault = found;
    if (error)
        return error;
    if (written)
        *written = output.len;
    return output.len > cap ? CID_E_NOSPACE : CID_OK;
}

enum cid_error cid_dag_make(struct cid_bytes *out, struct cid_fault *fault, uint64_t to,
                            uint64_t from, const void *data, size_t len,
                            const struct cid_dag_options *options,
                            const struct cid_allocator *alloc)
{
    struct cid__build build = cid__build_owner(out, alloc);
    size_t total = 0, written;
    uint8_t *at;
    enum cid_error error =
        cid_dag_write(NULL, 0, &total, fault, to, from, data, len, options, alloc);

    cid__build_assert_apart(&build, data, len);
    if (error && error != CID_E_NOSPACE)
        return cid__build_fail(&build, error);
    error = cid__build_reserve(&build, total, &at);
    if (error)
        return error;
    error = cid_dag_write(at, total, &written, fault, to, from, data, len, options, alloc);
    return error ? cid__build_undo(&build, error) : cid__build_commit(&build);
}
