#include "car_dag.h"
#include "car_dag_inside.h"
#include "pages.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory -------------------------------------------------------------------------------- */

/* What is new is zero. */
bool dag_grow(void **items, size_t *cap, size_t need, size_t size)
{
    size_t more = *cap < 64 ? 64 : *cap + *cap / 2;
    void *got;

    if (need <= *cap)
        return true;
    if (more < need)
        more = need;
    got = more > SIZE_MAX / size ? NULL : pages_grow(*items, *cap * size, more * size);
    if (!got)
        return false;
    *items = got;
    *cap = more;
    return true;
}

bool dag_list_add(struct dag_list *list, uint32_t item)
{
    void *items = list->items;

    if (list->len == list->cap) {
        if (!dag_grow(&items, &list->cap, list->len + 1, sizeof *list->items))
            return false;
        list->items = items;
    }
    list->items[list->len++] = item;
    return true;
}

static bool grow_rows(struct car_dag *dag, size_t need)
{
    void *rows = dag->rows, *sizes = dag->sizes;
    bool grown = dag_grow(&rows, &dag->row_cap, need, sizeof *dag->rows) &&
                 (!dag->with_sizes || dag_grow(&sizes, &dag->size_cap, need, sizeof *dag->sizes));

    dag->rows = rows;
    dag->sizes = sizes;
    return grown;
}

void dag_begin(struct car_dag *dag, struct cid_set *names, bool with_sizes)
{
    dag->on = true;
    dag->names = names;
    dag->with_sizes = with_sizes;
}

static void list_free(struct dag_list *list)
{
    pages_free(list->items, list->cap * sizeof *list->items);
}

void dag_free(struct car_dag *dag)
{
    pages_free(dag->rows, dag->row_cap * sizeof *dag->rows);
    pages_free(dag->sizes, dag->size_cap * sizeof *dag->sizes);
    list_free(&dag->links);
    list_free(&dag->inner);
    list_free(&dag->roots);
    list_free(&dag->order);
    free(dag->batch);
    free(dag->reached);
    pages_free(dag->missing, dag->missing_cap * sizeof *dag->missing);
    pages_free(dag->unreadable, dag->unreadable_cap * sizeof *dag->unreadable);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void set_known(struct car_dag *dag, uint32_t name, uint64_t value)
{
    dag->rows[name] = (dag->rows[name] & DAG_SECTION) | value;
}

enum dag_state dag_state(const struct car_dag *dag, uint32_t name)
{
    uint64_t value = dag_known(dag, name);
    return value >= DAG_READ_FROM ? DAG_READ : (enum dag_state)value;
}

bool dag_has_section(const struct car_dag *dag, uint32_t name)
{
    return (dag->rows[name] & DAG_SECTION) != 0;
}

bool dag_has(const struct car_dag *dag, const struct cid_view *view)
{
    uint64_t number;
    return !cid_set_find(&number, dag->names, view) && dag_has_section(dag, (uint32_t)number);
}

struct cid_view dag_cid(const struct car_dag *dag, uint32_t name)
{
    struct cid_view view = {0};

    if (cid_set_at(&view, dag->names, name))
        memset(&view, 0, sizeof view); /* a number that was never given */
    return view;
}

uint64_t dag_size(const struct car_dag *dag, uint32_t name)
{
    return dag->sizes[name];
}

uint64_t dag_first(const struct car_dag *dag, uint32_t name)
{
    return dag_first_link(dag, name);
}

uint32_t dag_next(const struct car_dag *dag, uint64_t *at)
{
    return dag_next_link(dag, at);
}

/* ---- the batch ----------------------------------------------------------------------------- */

/* Gives the first len CIDs that wait their numbers. Whatever fails, each number has its row. */
static enum cid_error number(struct car_dag *dag, size_t len)
{
    struct dag_batch *batch = dag->batch;
    uint64_t most = cid_set_count(dag->names) + len;
    enum cid_error error;

    if (most > DAG_LAST)
        return CID_E_TOO_LARGE;
    if (!grow_rows(dag, (size_t)most))
        return CID_E_NOMEM;
    error = cid_set_number(dag->names, batch->numbers, batch->views, len);
    if (error)
        return error;
    for (size_t i = 0; i < batch->block_count; i++)
        if (batch->blocks[i].first < len)
            dag_prefetch(&dag->rows[batch->numbers[batch->blocks[i].first]]);
    return CID_OK;
}

/* Adds the links of a block, those in the batch up to end, unless the block came before. */
static enum cid_error settle_links(struct car_dag *dag, struct dag_waiting *block, size_t end)
{
    struct dag_batch *batch = dag->batch;
    size_t i = block->first;

    if (block->number == DAG_NO_NAME) {
        block->number = (uint32_t)batch->numbers[i++];
        block->links = dag->links.len;
        block->inner = dag->inner.len;
    }
    if (dag_known(dag, block->number) != DAG_ABSENT)
        return CID_OK;
    for (; i < end; i++) {
        uint32_t name = (uint32_t)batch->numbers[i];
        bool inner = batch->views[i].hash.code == CID_HASH_IDENTITY;
        if (!dag_list_add(&dag->links, name) ||
            (inner && dag_known(dag, name) == DAG_ABSENT && !dag_list_add(&dag->inner, name)))
            return CID_E_NOMEM;
    }
    return CID_OK;
}

static enum cid_error keep_unreadable(struct car_dag *dag, const struct dag_waiting *block)
{
    void *items = dag->unreadable;

    if (!dag_grow(&items, &dag->unreadable_cap, dag->unreadable_len + 1, sizeof *dag->unreadable))
        return CID_E_NOMEM;
    dag->unreadable = items;
    dag->unreadable[dag->unreadable_len++] =
        (struct dag_unreadable){block->number, block->error, block->offset};
    return CID_OK;
}

/* Keeps what was found out of a block, whose links are in the list, unless it came before. */
static enum cid_error keep_block(struct car_dag *dag, const struct dag_waiting *block)
{
    uint32_t name = dag->own = block->number;

    if (block->in_section && !dag_has_section(dag, name)) {
        dag->rows[name] |= DAG_SECTION;
        dag->blocks++;
    }
    if (block->state == DAG_ABSENT || dag_known(dag, name) != DAG_ABSENT)
        return CID_OK;
    if (dag->with_sizes)
        dag->sizes[name] = block->len;
    set_known(dag, name, block->state);
    if (block->state == DAG_UNREADABLE)
        return keep_unreadable(dag, block);
    if (dag->links.len != block->links) {
        dag->links.items[dag->links.len - 1] |= DAG_LAST;
        set_known(dag, name, DAG_READ_FROM + block->links);
    }
    return CID_OK;
}

/* Takes back what of a block's links is in the lists. */
static void unlist(struct car_dag *dag, const struct dag_waiting *block)
{
    if (block->number == DAG_NO_NAME)
        return;
    dag->links.len = block->links;
    dag->inner.len = block->inner;
}

/* Removes the first blocks and CIDs; a block that stays, the last, moves to the front. */
static void drop(struct dag_batch *batch, size_t blocks, size_t len)
{
    size_t left = batch->len - len;
    size_t gone = left != 0 ? (size_t)(batch->views[len].bytes - batch->bytes) : batch->used;

    batch->len = left;
    batch->used -= gone;
    memmove(batch->bytes, batch->bytes + gone, batch->used);
    memmove(batch->views, batch->views + len, left * sizeof batch->views[0]);
    for (size_t i = 0; i < left; i++) {
        batch->views[i].bytes -= gone;
        batch->views[i].hash.digest -= gone;
    }
    batch->block_count -= blocks;
    if (batch->block_count == 0)
        return;
    batch->blocks[0] = batch->blocks[blocks];
    batch->blocks[0].first = 0;
}

/*
 * Settles the blocks that wait, in their order. If the last one is still open, which means that
 * links will be added to it, there are two cases. With others before it, those are settled, and it
 * waits on with what it has. Alone, it gets its number and its links so far, and has no CIDs in the
 * batch any more, so that the next one settled with it begins at the same place.
 */
static enum cid_error settle(struct car_dag *dag, bool open)
{
    struct dag_batch *batch = dag->batch;
    size_t count = batch->block_count, whole = count - open;
    size_t len = open && whole != 0 ? batch->blocks[whole].first : batch->len;
    size_t some = open && whole == 0 ? 1 : whole;
    enum cid_error error = number(dag, len);

    if (error && count != 0)
        unlist(dag, &batch->blocks[0]);
    for (size_t i = 0; !error && i < some; i++) {
        struct dag_waiting *block = &batch->blocks[i];
        error = settle_links(dag, block, i + 1 < count ? block[1].first : batch->len);
        if (!error && i < whole)
            error = keep_block(dag, block);
        if (error)
            unlist(dag, block);
    }
    if (error)
        drop(batch, count, batch->len);
    else
        drop(batch, whole, len);
    return error;
}

enum cid_error dag_settle(struct car_dag *dag)
{
    if (!dag->batch)
        return CID_OK;
    dag->batch->has_inner = false;
    return settle(dag, false);
}

static bool is_full(const struct dag_batch *batch)
{
    return batch->len == DAG_BATCH;
}

static bool has_room_for(const struct dag_batch *batch, size_t bytes)
{
    return (bytes < DAG_BATCH_BYTES ? bytes : DAG_BATCH_BYTES) <= DAG_BATCH_BYTES - batch->used;
}

/*
 * Lets the CID wait whose view has been put behind the others; it belongs to the last block. One
 * too long to be copied does not wait.
 */
static enum cid_error add_cid(struct car_dag *dag)
{
    struct dag_batch *batch = dag->batch;
    struct cid_view *view = &batch->views[batch->len];
    uint8_t *bytes;

    while (!has_room_for(batch, view->len)) {
        struct cid_view saved = *view;
        enum cid_error error = settle(dag, true);
        if (error)
            return error;
        view = &batch->views[batch->len];
        *view = saved;
    }
    batch->len++;
    if (view->len > DAG_BATCH_BYTES)
        return settle(dag, true);
    bytes = batch->bytes + batch->used;
    if (view->len == 36) /* a constant size needs no call */
        memcpy(bytes, view->bytes, 36);
    else
        memcpy(bytes, view->bytes, view->len);
    view->hash.digest = bytes + (view->hash.digest - view->bytes);
    view->bytes = bytes;
    batch->used += view->len;
    return CID_OK;
}

/* Lets a block wait, as yet without links. */
static enum cid_error add_block(struct car_dag *dag, const struct cid_view *cid, size_t len,
                                bool in_section)
{
    struct dag_batch *batch = dag->batch;

    if (!batch && !(batch = dag->batch = calloc(1, sizeof *batch)))
        return CID_E_NOMEM;
    /* One too long to be copied is alone with its block from the start. */
    if (is_full(batch) || cid->len > DAG_BATCH_BYTES - batch->used) {
        enum cid_error error = settle(dag, false);
        if (error)
            return error;
    }
    batch->blocks[batch->block_count++] = (struct dag_waiting){
        .first = batch->len,
        .number = DAG_NO_NAME,
        .in_section = in_section,
        .len = len,
    };
    batch->views[batch->len] = *cid;
    return add_cid(dag);
}

/* Takes back the links of the last block. */
static void take_back_links(struct car_dag *dag)
{
    struct dag_batch *batch = dag->batch;
    const struct dag_waiting *block = &batch->blocks[batch->block_count - 1];

    unlist(dag, block);
    batch->len = batch->used = 0;
    if (block->number != DAG_NO_NAME)
        return;
    batch->len = block->first + 1;
    batch->used =
        (size_t)(batch->views[block->first].bytes - batch->bytes) + batch->views[block->first].len;
}

/* ---- blocks -------------------------------------------------------------------------------- */

/* Codecs that have no links, although blocks of them are not read here. */
static bool has_no_links(uint64_t codec)
{
    static const uint64_t codecs[] = {CID_CODEC_RAW, 0x51 /* cbor */, 0x72 /* libp2p-key */,
                                      0x0200 /* json */};

    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++)
        if (codecs[i] == codec)
            return true;
    return false;
}

/* A failure that says nothing of the block. */
static bool is_ours(enum cid_error error)
{
    return error == CID_E_NOMEM || error == CID_E_TOO_LARGE;
}

/* Adds the links of a block, the last ones of which may still wait; of one that fails none. */
static enum cid_error add_links(struct car_dag *dag, uint64_t codec, const uint8_t *data,
                                size_t len, uint32_t allow)
{
    struct cid_dag_options options = {.allow = allow};
    struct dag_batch *batch = dag->batch;
    enum cid_error error = cid_links_begin(&dag->iteration, codec, data, len, &options);

    while (!error) {
        struct cid_view *view;
        while (is_full(batch)) /* once more if those before have no CIDs in it */
            if ((error = settle(dag, true)))
                return error;
        view = &batch->views[batch->len];
        error = cid_links_next(&dag->iteration, view);
        if (error)
            break;
        batch->has_inner |= view->hash.code == CID_HASH_IDENTITY;
        if ((error = add_cid(dag)))
            return error;
    }
    if (error == CID_END)
        return CID_OK;
    take_back_links(dag);
    return error;
}

/* What a block is, and its links, if that is known. */
static enum cid_error scan_block(struct car_dag *dag, enum dag_state *state,
                                 const struct cid_view *cid, const uint8_t *data, size_t len)
{
    enum cid_error error;

    *state = DAG_READ;
    if (has_no_links(cid->codec))
        return CID_OK;
    *state = DAG_UNREAD;
    if (!cid_dag_known(cid->codec))
        return CID_OK;
    error = add_links(dag, cid->codec, data, len, 0);
    if (error && !is_ours(error)) /* old data is not strict, yet has links */
        error = add_links(dag, cid->codec, data, len, CID_DAG_ALLOW_ALL);
    *state = error ? DAG_UNREADABLE : DAG_READ;
    return is_ours(error) ? error : CID_OK;
}

/* Lets a block wait, of a section or of an identity CID, and what its links are. */
static enum cid_error read_one(struct car_dag *dag, const struct cid_view *cid, const uint8_t *data,
                               size_t len, bool in_section, bool good)
{
    enum cid_error error = add_block(dag, cid, len, in_section);
    enum dag_state state = DAG_ABSENT;
    struct dag_waiting *block;

    if (!error && good)
        error = scan_block(dag, &state, cid, data, len);
    if (error)
        return error;
    block = &dag->batch->blocks[dag->batch->block_count - 1];
    block->state = state;
    if (state == DAG_UNREADABLE) {
        block->error = cid_links_fault(&dag->iteration)->code;
        block->offset = cid_links_fault(&dag->iteration)->offset;
    }
    return CID_OK;
}

/* Lets a block wait that stands in too many CIDs to be read. */
static enum cid_error refuse_one(struct car_dag *dag, const struct cid_view *cid, size_t len)
{
    enum cid_error error = add_block(dag, cid, len, false);
    struct dag_waiting *block;

    if (error)
        return error;
    block = &dag->batch->blocks[dag->batch->block_count - 1];
    block->state = DAG_UNREADABLE;
    block->error = CID_E_DEPTH_LIMIT;
    return CID_OK;
}

/*
 * Identity CIDs that stand in each other are read so deep and no deeper: each has all the bytes of
 * those within it, and the set copies it, so that n of them would take n times their bytes.
 */
#define DEPTH_MOST 16

/*
 * Reads the blocks that stand in CIDs, and those in the CIDs that they link to. Behind what a block
 * has put on the list, which is read first, lies DAG_NO_NAME as its end.
 */
static enum cid_error read_inner(struct car_dag *dag)
{
    enum cid_error error = dag_settle(dag);
    unsigned depth = 0;

    while (!error && dag->inner.len != 0) {
        uint32_t name = dag->inner.items[--dag->inner.len];
        struct cid_view view;
        if (name == DAG_NO_NAME) {
            depth--;
            continue;
        }
        if (!dag_list_add(&dag->inner, DAG_NO_NAME))
            return CID_E_NOMEM;
        view = dag_cid(dag, name);
        error = ++depth > DEPTH_MOST
                    ? refuse_one(dag, &view, view.hash.digest_len)
                    : read_one(dag, &view, view.hash.digest, view.hash.digest_len, false, true);
        if (!error)
            error = dag_settle(dag);
    }
    if (error)
        dag->inner.len = 0; /* they are lost like the blocks that wait */
    return error;
}

enum cid_error dag_block(struct car_dag *dag, const struct cid_car_block *block, bool good)
{
    enum cid_error error = read_one(dag, &block->cid, block->data, block->data_len, true, good);

    return error || !dag->batch->has_inner ? error : read_inner(dag);
}

enum cid_error dag_add_root(struct car_dag *dag, const struct cid_view *view)
{
    bool inner = view->hash.code == CID_HASH_IDENTITY;
    enum cid_error error =
        read_one(dag, view, view->hash.digest, view->hash.digest_len, false, inner);

    if (!error)
        error = dag_settle(dag);
    if (!error && !dag_list_add(&dag->roots, dag->own))
        error = CID_E_NOMEM;
    return error ? error : read_inner(dag);
}
