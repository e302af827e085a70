/*
 * car/dag/verify: an archive of 200,000 DAG-CBOR blocks with two links each, checked, with its
 * links followed from the root ("libcid-dag", what `car verify --dag` does, by the program's own
 * code) and without ("libcid", what `car verify -j 1` does: every CID goes into a set). An
 * operation is a block. Allocations are those of the library alone.
 *
 * The first block is the root. Each links to the next one and to some later one, the last to an
 * identity CID instead, so that everything can be reached.
 */
#include "rows.h"

#include "cli/car_dag.h"

#include <cid/car.h>

#include <stdio.h>
#include <string.h>

#define GRAPH_BLOCKS 200000
#define CID_LEN      36
#define DATA_MIN     24 /* so that its length takes one byte more */
#define DATA_MAX     223
#define NODE_MAX     (DATA_MAX + 16 + 2 * (CID_LEN + 5))
#define SECTION_MAX  (NODE_MAX + CID_LEN + 2)
#define HEADER_LEN   59

struct graph {
    uint8_t *memory;
    uint8_t *data; /* the archive, at the end of it */
    size_t len;
};

static void must(enum cid_error error, const char *what)
{
    if (error)
        bench_fail_error(what, error);
}

/* ---- the archive -------------------------------------------------------------------------- */

static uint8_t *put(uint8_t *at, const void *bytes, size_t len)
{
    memcpy(at, bytes, len);
    return at + len;
}

/* A link of DAG-CBOR to a CID of less than 255 bytes. */
static uint8_t *put_link(uint8_t *at, const uint8_t *cid, size_t len)
{
    at = put(at, "\xd8\x2a\x58", 3);
    *at++ = (uint8_t)(len + 1);
    *at++ = 0;
    return put(at, cid, len);
}

/*
 * {"data": BYTES, "links": [CID, CID]}, number i; returns its length. cids are those of all blocks,
 * of which the ones behind i are known.
 */
static size_t make_node(uint8_t *out, struct bench_random *random, const uint8_t *cids, size_t i)
{
    static const uint8_t identity[] = {1, CID_CODEC_RAW, 0, 0};
    uint8_t *at = put(out, "\xa2\x64\x64\x61\x74\x61\x58", 7);
    size_t len = DATA_MIN + (size_t)bench_random_below(random, DATA_MAX - DATA_MIN + 1);
    size_t left = GRAPH_BLOCKS - 1 - i;

    *at++ = (uint8_t)len;
    bench_random_fill(random, at, len);
    at = put(at + len, "\x65links\x82", 7);
    if (left == 0) {
        at = put_link(at, identity, sizeof identity);
        at = put_link(at, identity, sizeof identity);
    } else {
        size_t later = i + 1 + (size_t)bench_random_below(random, left);
        at = put_link(at, cids + (i + 1) * CID_LEN, CID_LEN);
        at = put_link(at, cids + later * CID_LEN, CID_LEN);
    }
    return (size_t)(at - out);
}

/* Writes a section so that it ends at `end`, and its CID; returns where it begins. */
static uint8_t *put_section(uint8_t *end, uint8_t *cid, const uint8_t *node, size_t len)
{
    uint8_t digest[32], *at = end - len - CID_LEN - 2;

    must(cid_hash_sum(digest, sizeof digest, NULL, CID_HASH_SHA2_256, 32, node, len, NULL),
         "cid_hash_sum");
    must(cid_write_v1(cid, CID_LEN, NULL, CID_CODEC_DAG_CBOR, CID_HASH_SHA2_256, digest, 32),
         "cid_write_v1");
    must(cid_varint_write(at, 2, NULL, CID_LEN + len), "cid_varint_write");
    put(put(at + 2, cid, CID_LEN), node, len);
    return at;
}

/* Blocks are made from the last to the first, so that those that a block links to have a CID. */
static void make_archive(struct graph *out, uint64_t seed)
{
    uint8_t *cids = bench_buffer(GRAPH_BLOCKS * CID_LEN), node[NODE_MAX], *at, *end;
    size_t room = HEADER_LEN + (size_t)GRAPH_BLOCKS * SECTION_MAX;
    struct bench_random random = {seed};

    out->memory = bench_buffer(room);
    at = end = out->memory + room;
    for (size_t i = GRAPH_BLOCKS; i-- > 0;) {
        size_t len = make_node(node, &random, cids, i);
        at = put_section(at, cids + i * CID_LEN, node, len);
    }
    out->data = at - HEADER_LEN;
    out->len = (size_t)(end - out->data);
    at = put(out->data, "\x3a\xa2\x65roots\x81", 9);
    at = put_link(at, cids, CID_LEN);
    put(at, "\x67version\x01", 9);
    free(cids);
}

/* ---- the passes --------------------------------------------------------------------------- */

/* What a pass works with. */
struct pass {
    struct cid_set *seen;
    struct car_dag *dag; /* NULL: links are not followed */
};

static enum cid_error see_block(void *ctx, const struct cid_car_block *block, enum cid_error error)
{
    struct pass *pass = ctx;

    if (pass->dag)
        return dag_block(pass->dag, block, error != CID_E_MISMATCH);
    return cid_set_add(pass->seen, NULL, &block->cid);
}

/* Follows the links, all of which lead to a block. Returns how many blocks there are. */
static uint64_t finish(struct car_dag *dag, const struct cid_car_reader *reader)
{
    uint64_t blocks;

    must(dag_finish(dag, reader, NULL), "dag_finish");
    blocks = dag->blocks;
    if (dag->reachable != blocks || dag->missing_len != 0 || dag->unreadable_len != 0 ||
        dag->links.len != 2 * GRAPH_BLOCKS)
        bench_fail("libcid-dag", "the graph is not as it was made");
    dag_free(dag);
    return blocks;
}

/* Checks the archive; returns how many blocks are good. They must be as many as there are CIDs. */
static uint64_t verify(const struct graph *in, struct car_dag *dag)
{
    struct pass pass = {.dag = dag};
    struct cid_car_verify_options options = {.workers = 1, .block = see_block, .ctx = &pass};
    struct cid_car_reader *reader = NULL;
    struct cid_car_verdicts verdicts;
    uint64_t blocks;

    must(cid_car_reader_open(&reader, in->data, in->len, NULL, NULL, bench_count.allocator),
         "cid_car_reader_open");
    must(cid_set_open(&pass.seen, bench_count.allocator), "cid_set_open");
    if (dag)
        dag_begin(dag, pass.seen, false);
    must(cid_car_verify(&verdicts, reader, &options), "cid_car_verify");
    blocks = dag ? finish(dag, reader) : cid_set_count(pass.seen);
    cid_set_close(pass.seen);
    cid_car_reader_close(reader);
    if (blocks != verdicts.good || blocks != GRAPH_BLOCKS)
        bench_fail("cid_car_verify", "the archive is not as it was made");
    return verdicts.good;
}

static uint64_t plain(const struct graph *in)
{
    return verify(in, NULL);
}

static uint64_t followed(const struct graph *in)
{
    struct car_dag dag = {0};
    return verify(in, &dag);
}

BENCH_PASSES(plain, const struct graph, GRAPH_BLOCKS)
BENCH_PASSES(followed, const struct graph, GRAPH_BLOCKS)

/* ---- the row ------------------------------------------------------------------------------ */

static void open_row(struct bench_row *row, uint64_t seed)
{
    struct graph *in = bench_buffer(sizeof *in);

    memset(in, 0, sizeof *in);
    row->input = in;
    row->op = "block";
    row->inputs = row->ops_answer = GRAPH_BLOCKS;
    row->answers = 1;
    row->whole = true;
    if (cid_hash_check(CID_HASH_SHA2_256, 32, NULL)) {
        fprintf(stderr, "cid-bench: %s: left out: this build cannot hash\n", row->name);
        return;
    }
    make_archive(in, seed);
    row->bytes_per_op = (double)in->len / GRAPH_BLOCKS;
    bench_add(row, BENCH_ENGINE("libcid", plain, in));
    bench_add(row, BENCH_ENGINE("libcid-dag", followed, in));
}

static void close_row(struct bench_row *row)
{
    free(((struct graph *)row->input)->memory);
    bench_close_input(row);
}

void bench_rows_graph(struct bench_rows *rows)
{
    struct bench_row *row = bench_rows_add(rows, "car/dag/verify");

    row->open = open_row;
    row->close = close_row;
}
