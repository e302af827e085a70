/*
 * What the graph of an archive is when memory runs out on the way: what was settled before stays,
 * what waited is gone as a whole, and the same blocks can be read again.
 */
#include "support.h"

#include "cli/car_dag.h"
#include "cli/car_dag_inside.h"
#include "cli/pages.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory that runs out ------------------------------------------------------------------ */

static size_t left; /* how many more times there is some */

static bool is_there(void)
{
    left -= left != 0;
    return left != 0;
}

void *pages_grow(void *array, size_t was, size_t size)
{
    uint8_t *grown = is_there() ? malloc(size) : NULL; /* never in place */

    if (!grown)
        return NULL;
    if (was != 0)
        memcpy(grown, array, was);
    memset(grown + was, 0, size - was);
    free(array);
    return grown;
}

void pages_free(void *array, size_t size)
{
    (void)size;
    free(array);
}

static void *alloc_some(void *ctx, size_t size)
{
    (void)ctx;
    return is_there() ? malloc(size) : NULL;
}

static void free_some(void *ctx, void *piece, size_t size)
{
    (void)ctx;
    (void)size;
    free(piece);
}

static const struct cid_allocator some = {.alloc = alloc_some, .free = free_some};

/* ---- an archive ---------------------------------------------------------------------------- */

/* Block i links to some before it; every hundredth to so many that they fill batches. */
#define BLOCKS 700
#define MANY   600
#define ABSENT UINT32_MAX /* stands for a block that is not there */

struct block {
    struct cid cid;
    uint8_t *data;
    size_t len;
    size_t links;
};

static struct block blocks[BLOCKS];
static size_t links_in_all;

static uint8_t *put_link(uint8_t *at, uint32_t to)
{
    struct cid absent = {0};
    struct cid_view view;

    if (to == ABSENT)
        assert_error(
            cid_sum_v1(&absent, CID_CODEC_RAW, CID_HASH_SHA2_256, CID_DIGEST_DEFAULT, "x", 1, NULL),
            CID_OK);
    view = cid_as_view(to == ABSENT ? &absent : &blocks[to].cid);
    memcpy(at, "\xd8\x2a\x58\x25\x00", 5);
    memcpy(at + 5, view.bytes, view.len);
    cid_free(&absent, NULL);
    return at + 5 + view.len;
}

/* An array: a number that makes the block its own, and links. */
static void make_block(uint32_t i)
{
    struct block *block = &blocks[i];
    size_t links = i % 100 == 99 ? MANY : i % 4;
    uint8_t *at = block->data = malloc(16 + (links + 1) * 41);

    assert_non_null(at);
    block->links = links;
    at[0] = 0x99;
    at[1] = (uint8_t)((links + 1) >> 8);
    at[2] = (uint8_t)(links + 1);
    memcpy(at + 3, "\x1a\x00\x01", 3);
    at[6] = (uint8_t)(i >> 8);
    at[7] = (uint8_t)i;
    if (links + 1 < 256) { /* the shortest head */
        at[0] = (uint8_t)(0x80 + links + 1);
        memmove(at + 1, at + 3, 5);
        at -= 2;
    }
    at += 8;
    for (size_t l = 0; l < links; l++)
        at = put_link(at, i < 4 ? ABSENT : (uint32_t)((i * 7 + l * 13) % i));
    block->len = (size_t)(at - block->data);
    links_in_all += links;
    assert_error(cid_sum_v1(&block->cid, CID_CODEC_DAG_CBOR, CID_HASH_SHA2_256, CID_DIGEST_DEFAULT,
                            block->data, block->len, NULL),
                 CID_OK);
}

static int make_blocks(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < BLOCKS; i++)
        make_block(i);
    return 0;
}

static int free_blocks(void **state)
{
    (void)state;
    for (size_t i = 0; i < BLOCKS; i++) {
        cid_free(&blocks[i].cid, NULL);
        free(blocks[i].data);
    }
    return 0;
}

/* ---- reading it ---------------------------------------------------------------------------- */

static enum cid_error read_all(struct car_dag *dag)
{
    enum cid_error error = CID_OK;

    for (size_t i = 0; i < BLOCKS && !error; i++) {
        struct cid_car_block block = {
            .cid = cid_as_view(&blocks[i].cid),
            .data = blocks[i].data,
            .data_len = blocks[i].len,
        };
        error = dag_block(dag, &block, true);
    }
    return error ? error : dag_settle(dag);
}

/* Every CID can be asked for, and every block that is known has all its links and no others. */
static size_t check(const struct car_dag *dag)
{
    size_t there = 0, links = 0;

    for (size_t i = 0; i < BLOCKS; i++) {
        struct cid_view view = cid_as_view(&blocks[i].cid);
        uint64_t name = 0, at;
        size_t own = 0;
        if (!dag_has(dag, &view))
            continue;
        there++;
        assert_error(cid_set_find(&name, dag->names, &view), CID_OK);
        assert_int_equal(dag_state(dag, (uint32_t)name), DAG_READ);
        for (at = dag_first(dag, (uint32_t)name); at != DAG_NO_LINK; own++)
            assert_true(dag_next(dag, &at) < cid_set_count(dag->names));
        assert_int_equal(own, blocks[i].links);
        links += own;
    }
    assert_int_equal(dag->blocks, there);
    assert_int_equal(dag->links.len, links); /* nothing is left of what was lost */
    return there;
}

static void finish(struct car_dag *dag)
{
    struct dag_roots roots = {.cids = &blocks[BLOCKS - 1].cid, .len = 1};

    assert_error(dag_finish(dag, NULL, &roots), CID_OK);
    assert_int_equal(dag->missing_len, 1);
    assert_int_equal(dag->unreadable_len, 0);
}

static void memory_runs_out(void **state)
{
    bool failed = true;
    size_t most = 0, n = 1;
    (void)state;

    for (; failed; n++) {
        struct car_dag dag = {0};
        struct cid_set *names = NULL;
        enum cid_error error;
        size_t there;
        left = SIZE_MAX;
        assert_error(cid_set_open(&names, &some), CID_OK);
        dag_begin(&dag, names, n % 2 != 0);
        left = n;
        error = read_all(&dag);
        failed = error != CID_OK;
        assert_true(!failed || error == CID_E_NOMEM);
        there = check(&dag);
        most = failed && there > most ? there : most;
        left = SIZE_MAX; /* now there is some again */
        assert_error(read_all(&dag), CID_OK);
        assert_int_equal(check(&dag), BLOCKS);
        assert_int_equal(dag.links.len, links_in_all);
        finish(&dag);
        dag_free(&dag);
        cid_set_close(names);
    }
    assert_true(n > 20);            /* it did run out, in many places */
    assert_true(most > BLOCKS / 2); /* and late, too */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests_name("dag_memory", tests, make_blocks, free_blocks);
}
