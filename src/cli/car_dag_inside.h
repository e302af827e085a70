/*
 * car_dag_inside.h - what the files behind car_dag.h share: how rows and links are laid out, and
 * arrays that grow.
 */
#ifndef CID_CLI_CAR_DAG_INSIDE_H
#define CID_CLI_CAR_DAG_INSIDE_H

#include "car_dag.h"

/*
 * A row, the 8 bytes of a number: DAG_SECTION, and below it one of the four states, or
 * DAG_READ_FROM and the place of the first link. Links are numbers, the last one of a block has
 * DAG_LAST.
 */
#define DAG_SECTION   (UINT64_C(1) << 63)
#define DAG_READ_FROM UINT64_C(4)
#define DAG_LAST      (UINT32_C(1) << 31)

/* Asks for memory that will be read soon. */
#if defined(__GNUC__)
#define dag_prefetch(p) __builtin_prefetch(p)
#else
#define dag_prefetch(p) ((void)(p))
#endif

/* What is known of a number, a state or DAG_READ_FROM and more. */
static inline uint64_t dag_known(const struct car_dag *dag, uint32_t name)
{
    return dag->rows[name] & ~DAG_SECTION;
}

/* dag_first and dag_next, for the walk over all links. */
static inline uint64_t dag_first_link(const struct car_dag *dag, uint32_t name)
{
    uint64_t value = dag_known(dag, name);
    return value >= DAG_READ_FROM ? value - DAG_READ_FROM : DAG_NO_LINK;
}

static inline uint32_t dag_next_link(const struct car_dag *dag, uint64_t *at)
{
    uint32_t link = dag->links.items[*at];

    *at = link & DAG_LAST ? DAG_NO_LINK : *at + 1;
    return link & ~DAG_LAST;
}

/* Makes room for `need` items of that size; new ones are zero. False: no memory, nothing changed.
 */
bool dag_grow(void **items, size_t *cap, size_t need, size_t size);

/* False without memory. */
bool dag_list_add(struct dag_list *list, uint32_t item);

/* Takes note of a root. Settles what waits. Errors as dag_block. */
enum cid_error dag_add_root(struct car_dag *dag, const struct cid_view *view);

#endif
