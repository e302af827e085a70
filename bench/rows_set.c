/*
 * set/{add,has}/10000: a set of 10,000 CIDs. An operation is a CID. add builds the whole set from
 * nothing and closes it again; has looks for all of them in another order.
 */
#include "rows.h"

#include "naive.h"

#include <cid/set.h>

#include <string.h>

#define SET_SIZE 10000
#define CID_SIZE 36

struct sets {
    size_t count;
    uint8_t (*bytes)[CID_SIZE];
    struct cid_view *view; /* into bytes */
    struct cid_set *set;   /* has: of the library */
    struct naive_set *naive;
};

/* ---- add ---------------------------------------------------------------------------------- */

static uint64_t add_libcid(const struct sets *in)
{
    struct cid_set *set = NULL;
    uint64_t count;
    enum cid_error error = cid_set_open(&set, bench_count.allocator);

    if (error)
        bench_fail_error("cid_set_open", error);
    for (size_t i = 0; i < SET_SIZE; i++) {
        error = cid_set_add(set, NULL, &in->view[i]);
        if (error)
            bench_fail_error("cid_set_add", error);
    }
    count = cid_set_count(set);
    cid_set_close(set);
    return count;
}

static uint64_t add_naive(const struct sets *in)
{
    struct naive_set *set = naive_set_open();
    uint64_t count = 0;

    for (size_t i = 0; i < SET_SIZE; i++)
        count += naive_set_add(set, in->bytes[i], CID_SIZE);
    naive_set_close(set);
    return count;
}

BENCH_PASSES(add_libcid, const struct sets, SET_SIZE)
BENCH_PASSES(add_naive, const struct sets, SET_SIZE)

/* ---- has ---------------------------------------------------------------------------------- */

BENCH_INLINE void has_libcid(const struct sets *in, size_t i, struct bench_answer *answer)
{
    bool has = cid_set_has(in->set, &in->view[i]);

    bench_keep_value(has);
    if (answer)
        bench_answer_add_number(answer, has);
}
BENCH_OP(has_libcid, struct sets)

BENCH_INLINE void has_naive(const struct sets *in, size_t i, struct bench_answer *answer)
{
    bool has = naive_set_has(in->naive, in->bytes[i], CID_SIZE);

    bench_keep_value(has);
    if (answer)
        bench_answer_add_number(answer, has);
}
BENCH_OP(has_naive, struct sets)

/* ---- rows --------------------------------------------------------------------------------- */

static struct sets *open_sets(struct bench_row *row, uint64_t seed)
{
    struct sets *in = bench_buffer(sizeof *in);
    struct bench_random random = {seed};

    *in = (struct sets){.count = SET_SIZE};
    in->bytes = bench_buffer(SET_SIZE * sizeof *in->bytes);
    in->view = bench_buffer(SET_SIZE * sizeof *in->view);
    for (size_t i = 0; i < SET_SIZE; i++) {
        uint8_t digest[32];
        enum cid_error error;
        bench_random_fill(&random, digest, sizeof digest);
        error = cid_write_v1(in->bytes[i], CID_SIZE, NULL, bench_codec(i), CID_HASH_SHA2_256,
                             digest, sizeof digest);
        if (!error)
            error = cid_read_exact(&in->view[i], in->bytes[i], CID_SIZE);
        if (error)
            bench_fail_error("cid_write_v1", error);
    }
    row->input = in;
    row->inputs = SET_SIZE;
    row->bytes_per_op = CID_SIZE;
    return in;
}

static void close_sets(struct bench_row *row)
{
    struct sets *in = row->input;

    cid_set_close(in->set);
    if (in->naive)
        naive_set_close(in->naive);
    free(in->bytes);
    free(in->view);
    bench_close_input(row);
}

static void open_add(struct bench_row *row, uint64_t seed)
{
    struct sets *in = open_sets(row, seed);

    row->whole = true;
    row->answers = 1;
    row->ops_answer = SET_SIZE;
    bench_add(row, BENCH_ENGINE("libcid", add_libcid, in));
    bench_add(row, BENCH_ENGINE("naive", add_naive, in));
}

/* Exchanges the bytes of CIDs at random; the views stay where they are and are read again. */
static void shuffle(struct sets *in, uint64_t seed)
{
    struct bench_random random = {~seed};

    for (size_t i = SET_SIZE - 1; i > 0; i--) {
        size_t j = (size_t)bench_random_below(&random, i + 1);
        uint8_t bytes[CID_SIZE];
        memcpy(bytes, in->bytes[i], CID_SIZE);
        memcpy(in->bytes[i], in->bytes[j], CID_SIZE);
        memcpy(in->bytes[j], bytes, CID_SIZE);
    }
    for (size_t i = 0; i < SET_SIZE; i++)
        if (cid_read_exact(&in->view[i], in->bytes[i], CID_SIZE) != CID_OK)
            bench_fail("cid_read_exact", "a shuffled CID");
}

static void open_has(struct bench_row *row, uint64_t seed)
{
    struct sets *in = open_sets(row, seed);
    enum cid_error error = cid_set_open(&in->set, NULL);

    in->naive = naive_set_open();
    for (size_t i = 0; !error && i < SET_SIZE; i++) {
        error = cid_set_add(in->set, NULL, &in->view[i]);
        naive_set_add(in->naive, in->bytes[i], CID_SIZE);
    }
    if (error)
        bench_fail_error("cid_set_add", error);
    shuffle(in, seed);
    bench_add(row, BENCH_ENGINE("libcid", has_libcid, in));
    bench_add(row, BENCH_ENGINE("naive", has_naive, in));
}

void bench_rows_set(struct bench_rows *rows)
{
    struct bench_row *row = bench_rows_add(rows, "set/add/%d", SET_SIZE);

    row->open = open_add;
    row->close = close_sets;
    row = bench_rows_add(rows, "set/has/%d", SET_SIZE);
    row->open = open_has;
    row->close = close_sets;
}
