#include "car_dag.h"

#include <stdlib.h>
#include <string.h>

/*
 * A row, the 8 bytes of a number: SECTION, and below it one of the four states, or READ_FROM and
 * the place of the first link. Links are numbers, the last one of a block has LAST.
 */
#define SECTION   (UINT64_C(1) << 63)
#define READ_FROM UINT64_C(4)
#define LAST      (UINT32_C(1) << 31)

/* ---- memory -------------------------------------------------------------------------------- */

/* Large arrays are grown by realloc, which moves pages instead of copying them. */
static bool grow(void **items, size_t *cap, size_t need, size_t size)
{
    size_t more = *cap < 64 ? 64 : *cap + *cap / 2;
    void *got;

    if (need <= *cap)
        return true;
    if (more < need)
        more = need;
    got = more > SIZE_MAX / size ? NULL : realloc(*items, more * size);
    if (!got)
        return false;
    *items = got;
    *cap = more;
    return true;
}

static bool list_add(struct dag_list *list, uint32_t item)
{
    void *items = list->items;

    if (list->len == list->cap) {
        if (!grow(&items, &list->cap, list->len + 1, sizeof *list->items))
            return false;
        list->items = items;
    }
    list->items[list->len++] = item;
    return true;
}

static bool grow_rows(struct car_dag *dag, size_t need)
{
    size_t was = dag->row_cap, cap = was;
    void *rows = dag->rows, *sizes = dag->sizes;

    if (need <= was)
        return true;
    if (dag->with_sizes) {
        if (!grow(&sizes, &cap, need, sizeof *dag->sizes))
            return false;
        dag->sizes = sizes;
        cap = was;
    }
    if (!grow(&rows, &cap, need, sizeof *dag->rows))
        return false;
    dag->rows = rows;
    dag->row_cap = cap;
    memset(dag->rows + was, 0, (cap - was) * sizeof *dag->rows);
    if (dag->with_sizes)
        memset(dag->sizes + was, 0, (cap - was) * sizeof *dag->sizes);
    return true;
}

void dag_begin(struct car_dag *dag, struct cid_set *names, bool with_sizes)
{
    dag->on = true;
    dag->names = names;
    dag->with_sizes = with_sizes;
}

void dag_free(struct car_dag *dag)
{
    free(dag->rows);
    free(dag->sizes);
    free(dag->links.items);
    free(dag->inner.items);
    free(dag->roots.items);
    free(dag->order.items);
    free(dag->reached);
    free(dag->missing);
    free(dag->unreadable);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static uint64_t known(const struct car_dag *dag, uint32_t name)
{
    return dag->rows[name] & ~SECTION;
}

static void set_known(struct car_dag *dag, uint32_t name, uint64_t value)
{
    dag->rows[name] = (dag->rows[name] & SECTION) | value;
}

enum dag_state dag_state(const struct car_dag *dag, uint32_t name)
{
    uint64_t value = known(dag, name);
    return value >= READ_FROM ? DAG_READ : (enum dag_state)value;
}

bool dag_has_section(const struct car_dag *dag, uint32_t name)
{
    return (dag->rows[name] & SECTION) != 0;
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
    uint64_t value = known(dag, name);
    return value >= READ_FROM ? value - READ_FROM : DAG_NO_LINK;
}

uint32_t dag_next(const struct car_dag *dag, uint64_t *at)
{
    uint32_t link = dag->links.items[*at];

    *at = link & LAST ? DAG_NO_LINK : *at + 1;
    return link & ~LAST;
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

/* Gives numbers to the CIDs that wait, and adds the links among them. */
static enum cid_error flush(struct car_dag *dag)
{
    struct dag_batch *batch = &dag->batch;
    enum cid_error error = cid_set_number(dag->names, batch->numbers, batch->views, batch->len);
    uint64_t count = cid_set_count(dag->names);

    if (!error && count >= LAST)
        error = CID_E_TOO_LARGE;
    if (!error && !grow_rows(dag, (size_t)count))
        error = CID_E_NOMEM;
    for (size_t i = 0; !error && i < batch->len; i++) {
        uint32_t name = (uint32_t)batch->numbers[i];
        bool inner = batch->views[i].hash.code == CID_HASH_IDENTITY;
        if (dag->own == DAG_NO_NAME)
            dag->own = name; /* what waits first is the block itself */
        else if (!list_add(&dag->links, name) ||
                 (inner && known(dag, name) == DAG_ABSENT && !list_add(&dag->inner, name)))
            error = CID_E_NOMEM;
    }
    batch->len = 0;
    return error;
}

/* A failure that says nothing of the block. */
static bool is_ours(enum cid_error error)
{
    return error == CID_E_NOMEM || error == CID_E_TOO_LARGE;
}

/* Where the lists were before a block. */
struct place {
    size_t links;
    size_t inner;
};

static void go_back(struct car_dag *dag, const struct place *place)
{
    dag->links.len = place->links;
    dag->inner.len = place->inner;
    dag->batch.len = dag->own == DAG_NO_NAME;
}

/* Adds the links of a block, the last of which may still wait; after a failure none. */
static enum cid_error add_links(struct car_dag *dag, uint64_t codec, const uint8_t *data,
                                size_t len, uint32_t allow)
{
    struct cid_dag_options options = {.allow = allow};
    struct place place = {dag->links.len, dag->inner.len};
    struct cid_view *views = dag->batch.views;
    size_t room = codec == CID_CODEC_DAG_JSON ? 2 : DAG_BATCH; /* its links live for a call */
    enum cid_error error = cid_links_begin(&dag->iteration, codec, data, len, &options);

    while (!error && !(error = cid_links_next(&dag->iteration, &views[dag->batch.len])))
        if (++dag->batch.len >= room || room == 2)
            error = flush(dag);
    if (error == CID_END)
        return CID_OK;
    go_back(dag, &place);
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

static enum cid_error keep_unreadable(struct car_dag *dag, uint32_t name)
{
    const struct cid_fault *fault = cid_links_fault(&dag->iteration);
    void *items = dag->unreadable;

    if (!grow(&items, &dag->unreadable_cap, dag->unreadable_len + 1, sizeof *dag->unreadable))
        return CID_E_NOMEM;
    dag->unreadable = items;
    dag->unreadable[dag->unreadable_len++] =
        (struct dag_unreadable){name, fault->code, fault->offset};
    return CID_OK;
}

/* Keeps what was found out of a block that is not known yet; its links are those behind start. */
static enum cid_error keep_row(struct car_dag *dag, enum dag_state state, size_t start, size_t len)
{
    uint32_t name = dag->own;

    if (dag->with_sizes)
        dag->sizes[name] = len;
    set_known(dag, name, state);
    if (state == DAG_UNREADABLE)
        return keep_unreadable(dag, name);
    if (dag->links.len != start) {
        dag->links.items[dag->links.len - 1] |= LAST;
        set_known(dag, name, READ_FROM + start);
    }
    return CID_OK;
}

/* A block, of a section or of an identity CID. */
static enum cid_error read_one(struct car_dag *dag, const struct cid_view *cid, const uint8_t *data,
                               size_t len, bool in_section, bool good)
{
    struct place place = {dag->links.len, dag->inner.len};
    enum dag_state state = DAG_ABSENT;
    enum cid_error error = CID_OK;

    dag->own = DAG_NO_NAME;
    dag->batch.views[0] = *cid;
    dag->batch.len = 1;
    if (good)
        error = scan_block(dag, &state, cid, data, len);
    if (!error)
        error = flush(dag);
    if (error)
        return error;
    if (in_section && !dag_has_section(dag, dag->own)) {
        dag->rows[dag->own] |= SECTION;
        dag->blocks++;
    }
    if (good && known(dag, dag->own) == DAG_ABSENT)
        return keep_row(dag, state, place.links, len);
    go_back(dag, &place); /* it came before */
    return CID_OK;
}

/* Reads the blocks that stand in CIDs, and those in the CIDs that they link to. */
static enum cid_error read_inner(struct car_dag *dag)
{
    enum cid_error error = CID_OK;

    while (!error && dag->inner.len != 0) {
        struct cid_view view = dag_cid(dag, dag->inner.items[--dag->inner.len]);
        error = read_one(dag, &view, view.hash.digest, view.hash.digest_len, false, true);
    }
    return error;
}

enum cid_error dag_block(struct car_dag *dag, const struct cid_car_block *block, bool good)
{
    enum cid_error error = read_one(dag, &block->cid, block->data, block->data_len, true, good);
    return error ? error : read_inner(dag);
}

/* ---- reaching ------------------------------------------------------------------------------ */

uint32_t dag_twin(const struct car_dag *dag, uint32_t name)
{
    struct cid_view view, other;
    struct cid twin = {0};
    uint64_t number = name;

    if (known(dag, name) != DAG_ABSENT)
        return name;
    view = dag_cid(dag, name);
    if (view.codec != CID_CODEC_DAG_PB)
        return name;
    if (view.version == 0 ? cid_to_v1(&twin, &view, NULL) : cid_to_v0(&twin, &view, NULL))
        return name;
    other = cid_as_view(&twin);
    if (cid_set_find(&number, dag->names, &other) || known(dag, (uint32_t)number) == DAG_ABSENT)
        number = name;
    cid_free(&twin, NULL);
    return (uint32_t)number;
}

bool dag_reached(const struct car_dag *dag, uint32_t name)
{
    return (dag->reached[name / 8] >> (name % 8) & 1) != 0;
}

/* Marks a number; false if it was marked. */
static bool mark(struct car_dag *dag, uint32_t name)
{
    if (dag_reached(dag, name))
        return false;
    dag->reached[name / 8] |= (uint8_t)(1u << (name % 8));
    return true;
}

static bool reach(struct car_dag *dag, uint32_t name, uint32_t from)
{
    void *items = dag->missing;
    uint32_t there;

    if (!mark(dag, name))
        return true;
    there = dag_twin(dag, name);
    if (there != name && !mark(dag, there))
        return true;
    if (known(dag, there) != DAG_ABSENT) {
        dag->reachable += dag_has_section(dag, there);
        dag->unread += dag_state(dag, there) == DAG_UNREAD;
        return list_add(&dag->order, there);
    }
    if (!grow(&items, &dag->missing_cap, dag->missing_len + 1, sizeof *dag->missing))
        return false;
    dag->missing = items;
    dag->missing[dag->missing_len++] = (struct dag_missing){name, from};
    return true;
}

static enum cid_error add_root(struct car_dag *dag, const struct cid_view *view)
{
    bool inner = view->hash.code == CID_HASH_IDENTITY;
    enum cid_error error =
        read_one(dag, view, view->hash.digest, view->hash.digest_len, false, inner);

    if (!error && !list_add(&dag->roots, dag->own))
        error = CID_E_NOMEM;
    return error ? error : read_inner(dag);
}

static enum cid_error add_roots(struct car_dag *dag, const struct cid_car_reader *reader,
                                const struct dag_roots *asked)
{
    enum cid_error error = CID_OK;
    struct cid_view view;

    for (size_t i = 0; !error && asked && i < asked->len; i++) {
        view = cid_as_view(&asked->cids[i]);
        error = add_root(dag, &view);
    }
    if (asked && asked->len != 0)
        return error;
    for (size_t i = 0; !error && !cid_car_reader_root(&view, reader, i); i++)
        error = add_root(dag, &view);
    return error;
}

static bool walk(struct car_dag *dag)
{
    bool fine = true;

    for (size_t i = 0; fine && i < dag->roots.len; i++)
        fine = reach(dag, dag->roots.items[i], DAG_NO_NAME);
    for (size_t i = 0; fine && i < dag->order.len; i++) {
        uint32_t name = dag->order.items[i];
        uint64_t at = dag_first(dag, name);
        while (fine && at != DAG_NO_LINK)
            fine = reach(dag, dag_next(dag, &at), name);
    }
    return fine;
}

enum cid_error dag_finish(struct car_dag *dag, const struct cid_car_reader *reader,
                          const struct dag_roots *asked)
{
    enum cid_error error = add_roots(dag, reader, asked);
    size_t kept = 0;

    dag->reached = calloc(1, (size_t)cid_set_count(dag->names) / 8 + 1);
    if (error || !dag->reached || !walk(dag))
        return error ? error : CID_E_NOMEM;
    for (size_t i = 0; i < dag->unreadable_len; i++)
        if (dag_reached(dag, dag->unreadable[i].name))
            dag->unreadable[kept++] = dag->unreadable[i];
    dag->unreadable_len = kept;
    return CID_OK;
}

enum status dag_status(const struct car_dag *dag)
{
    if (dag->unreadable_len != 0)
        return STATUS_BAD;
    return dag->missing_len != 0 || dag->unread != 0 || dag->roots.len == 0 ? STATUS_OPEN
                                                                            : STATUS_GOOD;
}
