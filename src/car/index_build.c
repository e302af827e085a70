#include "car/index.h"

#include "base/arith.h"
#include "base/bytes.h"
#include "base/endian.h"
#include "car/index_sort.h"
#include "car/reader.h"
#include "multiformats/varint.h"

/*
 * Entries are put one behind the other as they come, and runs tell which of them have the same code
 * and width. An archive of one kind of CID is one run a slab; and one that changes at each block,
 * or has a kind of its own for each, costs a run for an entry and no more than that.
 */
struct slab {
    struct slab *next;
    size_t size; /* of the whole */
    uint8_t bytes[];
};

struct run {
    uint64_t code;
    uint64_t width;
    struct cid__entries entries;
};

#define SLAB_FIRST ((size_t)16 << 10)
#define SLAB_MOST  ((size_t)1 << 20)
#define RUNS_FIRST 8

struct cid_car_indexer {
    uint8_t *at; /* the room that is left in the slab */
    uint8_t *end;
    struct run *runs;
    size_t run_count;
    size_t run_room;
    struct slab *slabs; /* the one being filled first */
    uint64_t codec;
    bool identity;
    const struct cid_allocator *alloc; /* NULL, or the copy below */
    struct cid_allocator alloc_copy;
};

enum cid_error cid_car_indexer_open(struct cid_car_indexer **out,
                                    const struct cid_car_index_options *options,
                                    const struct cid_allocator *alloc)
{
    uint64_t codec = options && options->codec ? options->codec : CID_CAR_INDEX_MULTIHASH_SORTED;
    struct cid_car_indexer *indexer;

    *out = NULL;
    if (codec != CID_CAR_INDEX_SORTED && codec != CID_CAR_INDEX_MULTIHASH_SORTED)
        return CID_E_INDEX_CODEC;
    indexer = cid__alloc(alloc, sizeof *indexer);
    if (!indexer)
        return CID_E_NOMEM;
    *indexer = (struct cid_car_indexer){.codec = codec, .identity = options && options->identity};
    if (alloc) {
        indexer->alloc_copy = *alloc;
        indexer->alloc = &indexer->alloc_copy;
    }
    *out = indexer;
    return CID_OK;
}

/* Frees all entries. */
static void clear(struct cid_car_indexer *indexer)
{
    while (indexer->slabs) {
        struct slab *slab = indexer->slabs;
        indexer->slabs = slab->next;
        cid__release(indexer->alloc, slab, slab->size);
    }
    if (indexer->runs)
        cid__release(indexer->alloc, indexer->runs, indexer->run_room * sizeof *indexer->runs);
    indexer->runs = NULL;
    indexer->run_count = indexer->run_room = 0;
    indexer->at = indexer->end = NULL;
}

void cid_car_indexer_close(struct cid_car_indexer *indexer)
{
    struct cid_allocator copy;
    const struct cid_allocator *alloc = NULL;

    if (!indexer)
        return;
    clear(indexer);
    if (indexer->alloc) {
        copy = indexer->alloc_copy;
        alloc = &copy;
    }
    cid__release(alloc, indexer, sizeof *indexer);
}

/* ---- adding ------------------------------------------------------------------------------- */

static enum cid_error more_room(struct cid_car_indexer *indexer, size_t width)
{
    size_t body = indexer->slabs ? 2 * indexer->slabs->size : SLAB_FIRST;
    struct slab *slab;
    size_t size;

    if (body > SLAB_MOST)
        body = SLAB_MOST;
    if (!cid__add_size(&size, sizeof *slab, width))
        return CID_E_NOMEM;
    if (size < body)
        size = body;
    slab = cid__alloc(indexer->alloc, size);
    if (!slab)
        return CID_E_NOMEM;
    slab->next = indexer->slabs;
    slab->size = size;
    indexer->slabs = slab;
    indexer->at = slab->bytes;
    indexer->end = (uint8_t *)slab + size;
    return CID_OK;
}

static enum cid_error more_runs(struct cid_car_indexer *indexer)
{
    size_t room = indexer->run_room ? indexer->run_room : RUNS_FIRST / 2;
    struct run *runs;
    size_t size;

    if (!cid__mul_size(&size, room, 2 * sizeof *runs))
        return CID_E_NOMEM;
    runs = cid__alloc(indexer->alloc, size);
    if (!runs)
        return CID_E_NOMEM;
    if (indexer->runs) {
        memcpy(runs, indexer->runs, indexer->run_count * sizeof *runs);
        cid__release(indexer->alloc, indexer->runs, indexer->run_room * sizeof *runs);
    }
    indexer->runs = runs;
    indexer->run_room = room * 2;
    return CID_OK;
}

/* Starts a run, for which there is room for one entry. */
static enum cid_error start_run(struct cid_car_indexer *indexer, uint64_t code, size_t width)
{
    enum cid_error error = CID_OK;

    if (indexer->run_count == indexer->run_room)
        error = more_runs(indexer);
    if (!error && (size_t)(indexer->end - indexer->at) < width)
        error = more_room(indexer, width);
    if (!error)
        indexer->runs[indexer->run_count++] = (struct run){code, width, {indexer->at, 0}};
    return error;
}

enum cid_error cid_car_indexer_add(struct cid_car_indexer *indexer, const struct cid_view *view,
                                   uint64_t section_in_payload)
{
    uint64_t code = indexer->codec == CID_CAR_INDEX_SORTED ? 0 : view->hash.code;
    size_t width = view->hash.digest_len + CID__INDEX_OFFSET_SIZE;
    struct run *run = indexer->run_count != 0 ? indexer->runs + indexer->run_count - 1 : NULL;

    if (view->len == 0)
        return CID_E_ARGUMENT;
    if (view->hash.code == CID_HASH_IDENTITY && !indexer->identity)
        return CID_OK;
    if (view->hash.digest_len > UINT32_MAX - CID__INDEX_OFFSET_SIZE)
        return CID_E_TOO_LARGE;
    if (!run || run->code != code || run->width != width ||
        (size_t)(indexer->end - indexer->at) < width) {
        enum cid_error error = start_run(indexer, code, width);
        if (error)
            return error;
        run = indexer->runs + indexer->run_count - 1;
    }
    run->entries.count++;
    indexer->at = cid__put(indexer->at, view->hash.digest, view->hash.digest_len);
    cid__store64le(indexer->at, section_in_payload);
    indexer->at += CID__INDEX_OFFSET_SIZE;
    return CID_OK;
}

/* ---- sorting ------------------------------------------------------------------------------ */

static bool is_before(const struct run *a, const struct run *b)
{
    return a->code != b->code ? a->code < b->code : a->width < b->width;
}

static void sift_down(struct run *runs, size_t root, size_t count)
{
    for (;;) {
        size_t child = 2 * root + 1;
        struct run held;
        if (child >= count)
            return;
        if (child + 1 < count && is_before(&runs[child], &runs[child + 1]))
            child++;
        if (!is_before(&runs[root], &runs[child]))
            return;
        held = runs[root];
        runs[root] = runs[child];
        runs[child] = held;
        root = child;
    }
}

/* Brings runs of one code and width together. No archive makes that slow. */
static void sort_runs(struct run *runs, size_t count)
{
    for (size_t i = count / 2; i-- != 0;)
        sift_down(runs, i, count);
    for (size_t i = count; i-- > 1;) {
        struct run held = runs[0];
        runs[0] = runs[i];
        runs[i] = held;
        sift_down(runs, 0, i);
    }
}

/* The runs of one bucket, from number i on. */
struct group {
    size_t run_count;
    size_t entry_count;
};

static struct group group_at(const struct cid_car_indexer *indexer, size_t i)
{
    const struct run *runs = indexer->runs + i;
    struct group group = {0, 0};

    while (i + group.run_count < indexer->run_count && runs[group.run_count].code == runs->code &&
           runs[group.run_count].width == runs->width)
        group.entry_count += runs[group.run_count++].entries.count;
    return group;
}

/* How many buckets follow with the code of run number i. */
static uint32_t count_buckets(const struct cid_car_indexer *indexer, size_t i)
{
    uint64_t code = indexer->runs[i].code;
    uint32_t count = 0;

    while (i < indexer->run_count && indexer->runs[i].code == code) {
        i += group_at(indexer, i).run_count;
        count++;
    }
    return count;
}

/* ---- layout ------------------------------------------------------------------------------- */

struct layout {
    size_t size;
    size_t codes;
    size_t buckets;
};

/* Sizes of what is in memory and counted once cannot overflow, but for the heads. */
static enum cid_error measure(const struct cid_car_indexer *indexer, struct layout *layout)
{
    size_t entries = 0;

    *layout = (struct layout){0};
    for (size_t i = 0; i < indexer->run_count;) {
        struct group group = group_at(indexer, i);
        layout->codes += i == 0 || indexer->runs[i].code != indexer->runs[i - 1].code;
        layout->buckets++;
        entries += group.entry_count * (size_t)indexer->runs[i].width;
        i += group.run_count;
    }
    if (layout->buckets > INT32_MAX ||
        layout->buckets + layout->codes + 2 > (SIZE_MAX - entries) / CID__INDEX_HEAD_SIZE)
        return CID_E_TOO_LARGE;
    layout->size =
        cid__varint_size(indexer->codec) + 4 + layout->buckets * CID__INDEX_HEAD_SIZE + entries;
    if (indexer->codec == CID_CAR_INDEX_MULTIHASH_SORTED)
        layout->size += layout->codes * CID__INDEX_HEAD_SIZE;
    return CID_OK;
}

static uint8_t *put32(uint8_t *at, uint32_t value)
{
    cid__store32le(at, value);
    return at + 4;
}

static uint8_t *put64(uint8_t *at, uint64_t value)
{
    cid__store64le(at, value);
    return at + 8;
}

/* Writes a bucket, of the runs from number i on, and moves *at behind it. */
static enum cid_error write_bucket(const struct cid_car_indexer *indexer, size_t i,
                                   struct group group, struct cid__entries *parts, uint8_t **at)
{
    size_t width = (size_t)indexer->runs[i].width;
    uint8_t *out = put64(put32(*at, (uint32_t)width), (uint64_t)group.entry_count * width);

    for (size_t k = 0; k < group.run_count; k++)
        parts[k] = indexer->runs[i + k].entries;
    *at = out + group.entry_count * width;
    return cid__entries_sort(out, parts, group.run_count, group.entry_count, width, indexer->alloc);
}

static enum cid_error write_all(const struct cid_car_indexer *indexer, const struct layout *layout,
                                struct cid__entries *parts, uint8_t *out)
{
    bool with_codes = indexer->codec == CID_CAR_INDEX_MULTIHASH_SORTED;
    uint8_t *at = cid__varint_put(out, indexer->codec);
    enum cid_error error = CID_OK;

    at = put32(at, (uint32_t)(with_codes ? layout->codes : layout->buckets));
    for (size_t i = 0; i < indexer->run_count && !error;) {
        struct group group = group_at(indexer, i);
        if (with_codes && (i == 0 || indexer->runs[i].code != indexer->runs[i - 1].code))
            at = put32(put64(at, indexer->runs[i].code), count_buckets(indexer, i));
        error = write_bucket(indexer, i, group, parts, &at);
        i += group.run_count;
    }
    return error;
}

/* Writes the index to *bytes, in one allocation of exactly its size. */
static enum cid_error lay_out(struct cid_car_indexer *indexer, uint8_t **bytes, size_t *len)
{
    struct layout layout;
    struct cid__entries *parts;
    size_t parts_size = (indexer->run_count + 1) * sizeof *parts; /* smaller than the runs */
    enum cid_error error;

    sort_runs(indexer->runs, indexer->run_count);
    error = measure(indexer, &layout);
    if (error)
        return error;
    parts = cid__alloc(indexer->alloc, parts_size);
    if (!parts)
        return CID_E_NOMEM;
    *len = layout.size;
    *bytes = cid__alloc(indexer->alloc, layout.size);
    error = *bytes ? write_all(indexer, &layout, parts, *bytes) : CID_E_NOMEM;
    if (error && *bytes)
        cid__release(indexer->alloc, *bytes, layout.size);
    cid__release(indexer->alloc, parts, parts_size);
    return error;
}

/* Sorting has moved the runs: the last of them is no longer the one being filled. */
static void forget_last(struct cid_car_indexer *indexer)
{
    indexer->at = indexer->end;
}

enum cid_error cid_car_indexer_finish(struct cid_car_index **out, struct cid_car_indexer *indexer)
{
    struct cid__place place;
    struct cid_fault unseen = {0};
    uint8_t *bytes = NULL;
    size_t len = 0;
    enum cid_error error;

    *out = NULL;
    forget_last(indexer);
    error = lay_out(indexer, &bytes, &len);
    if (error)
        return error;
    place = cid__place_memory(bytes, len);
    error = cid__index_open(out, &place, &unseen, indexer->alloc);
    if (error) {
        cid__release(indexer->alloc, bytes, len);
        return error;
    }
    (*out)->own = bytes;
    clear(indexer);
    return CID_OK;
}

/* ---- all at once -------------------------------------------------------------------------- */

static enum cid_error add_all(struct cid_car_indexer *indexer, struct cid_car_reader *reader)
{
    struct cid_car_block block;
    enum cid_error error;

    while ((error = cid_car_reader_next(reader, &block)) == CID_OK) {
        error = cid_car_indexer_add(indexer, &block.cid, block.section_in_payload);
        if (error)
            return error;
    }
    return error == CID_END ? CID_OK : error;
}

enum cid_error cid_car_index_build(struct cid_car_index **out, struct cid_car_reader *reader,
                                   const struct cid_car_index_options *options,
                                   const struct cid_allocator *alloc)
{
    struct cid_car_indexer *indexer;
    enum cid_error error = cid_car_indexer_open(&indexer, options, alloc);

    *out = NULL;
    if (error)
        return error;
    error = add_all(indexer, reader);
    if (!error)
        error = cid_car_indexer_finish(out, indexer);
    cid_car_indexer_close(indexer);
    return error;
}
