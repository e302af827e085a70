#include "car_dag.h"
#include "car_dag_inside.h"

#include <stdlib.h>

/* ---- reaching ------------------------------------------------------------------------------ */

/* The number of the CID of the other version, if it has one; else the same. */
static uint32_t other_version(const struct car_dag *dag, uint32_t name)
{
    struct cid_view view = dag_cid(dag, name), other;
    struct cid twin = {0};
    uint64_t number = name;

    if (view.codec != CID_CODEC_DAG_PB)
        return name;
    if (view.version == 0 ? cid_to_v1(&twin, &view, NULL) : cid_to_v0(&twin, &view, NULL))
        return name;
    other = cid_as_view(&twin);
    if (cid_set_find(&number, dag->names, &other))
        number = name;
    cid_free(&twin, NULL);
    return (uint32_t)number;
}

uint32_t dag_twin(const struct car_dag *dag, uint32_t name)
{
    uint32_t twin;

    if (dag_known(dag, name) != DAG_ABSENT)
        return name;
    twin = other_version(dag, name);
    return dag_known(dag, twin) != DAG_ABSENT ? twin : name;
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
    there = dag_known(dag, name) != DAG_ABSENT ? name : other_version(dag, name);
    if (there != name && !mark(dag, there)) /* also where both are missing: it is one block */
        return true;
    if (dag_known(dag, there) != DAG_ABSENT) {
        dag->reachable += dag_has_section(dag, there);
        dag->unread += dag_state(dag, there) == DAG_UNREAD;
        return dag_list_add(&dag->order, there);
    }
    if (!dag_grow(&items, &dag->missing_cap, dag->missing_len + 1, sizeof *dag->missing))
        return false;
    dag->missing = items;
    dag->missing[dag->missing_len++] = (struct dag_missing){name, from};
    return true;
}

static enum cid_error add_roots(struct car_dag *dag, const struct cid_car_reader *reader,
                                const struct dag_roots *asked)
{
    enum cid_error error = CID_OK;
    struct cid_view view;

    for (size_t i = 0; !error && asked && i < asked->len; i++) {
        view = cid_as_view(&asked->cids[i]);
        error = dag_add_root(dag, &view);
    }
    if (asked && asked->len != 0)
        return error;
    for (size_t i = 0; !error && !cid_car_reader_root(&view, reader, i); i++)
        error = dag_add_root(dag, &view);
    return error;
}

/* How far ahead of the walk memory is asked for, in blocks; less far, what it leads to. */
#define AHEAD 24

static void ask_ahead(const struct car_dag *dag, size_t i)
{
    const uint32_t *items = dag->order.items;
    size_t left = dag->order.len - i;
    uint64_t at;

    if (left <= AHEAD)
        return;
    dag_prefetch(&dag->rows[items[i + AHEAD]]);
    at = dag_first_link(dag, items[i + AHEAD * 2 / 3]);
    if (at != DAG_NO_LINK)
        dag_prefetch(&dag->links.items[at]);
    at = dag_first_link(dag, items[i + AHEAD / 3]);
    for (int n = 0; n < 4 && at != DAG_NO_LINK; n++)
        dag_prefetch(&dag->rows[dag_next_link(dag, &at)]);
}

static bool walk(struct car_dag *dag)
{
    bool fine = true;

    for (size_t i = 0; fine && i < dag->roots.len; i++)
        fine = reach(dag, dag->roots.items[i], DAG_NO_NAME);
    for (size_t i = 0; fine && i < dag->order.len; i++) {
        uint32_t name = dag->order.items[i];
        uint64_t at = dag_first_link(dag, name);
        ask_ahead(dag, i);
        while (fine && at != DAG_NO_LINK)
            fine = reach(dag, dag_next_link(dag, &at), name);
    }
    return fine;
}

enum cid_error dag_finish(struct car_dag *dag, const struct cid_car_reader *reader,
                          const struct dag_roots *asked)
{
    enum cid_error error = dag_settle(dag);
    size_t kept = 0;

    if (!error)
        error = add_roots(dag, reader, asked);
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
