/*
 * index/lookup/{200000,10000000}: finding multihashes in an index in memory, in random order, all
 * of them there. The opponent halves its way through the same entries.
 */
#include "rows.h"

#include <cid/car.h>

#include <string.h>

#define WIDTH       40
#define QUERIES_MAX ((size_t)1 << 20)

struct lookups {
    size_t count; /* of queries */
    struct cid_car_index *index;
    uint8_t *file;    /* the index as a file */
    uint8_t *entries; /* in it */
    size_t entry_count;
    uint8_t (*query)[32];
};

/* A sink to memory that is large enough. */
static enum cid_error append(void *ctx, const void *data, size_t len)
{
    uint8_t **at = ctx;

    memcpy(*at, data, len);
    *at += len;
    return CID_OK;
}

BENCH_INLINE void find_libcid(const struct lookups *in, size_t i, struct bench_answer *answer)
{
    struct cid_multihash_view hash = {CID_HASH_SHA2_256, in->query[i], 32};
    struct cid_car_range range;
    enum cid_error error = cid_car_index_find(&range, in->index, &hash);

    if (error)
        bench_fail_error("cid_car_index_find", error);
    bench_keep(&range);
    if (answer)
        bench_answer_add_number(answer, range.first);
}
BENCH_OP(find_libcid, struct lookups)

BENCH_INLINE void find_halving(const struct lookups *in, size_t i, struct bench_answer *answer)
{
    size_t low = 0, high = in->entry_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memcmp(in->entries + middle * WIDTH, in->query[i], 32) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bench_keep_value(low);
    if (answer)
        bench_answer_add_number(answer, low);
}
BENCH_OP(find_halving, struct lookups)

/* Makes an index of random digests. */
static void make_index(struct lookups *in, size_t count, uint64_t seed)
{
    struct bench_random random = {seed};
    struct cid_car_indexer *indexer = NULL;
    enum cid_error error = cid_car_indexer_open(&indexer, NULL, NULL);
    uint8_t bytes[36] = {1, CID_CODEC_RAW, CID_HASH_SHA2_256, 32};
    uint8_t *at;
    struct cid_sink sink = {append, NULL, &at};

    for (size_t i = 0; i < count && !error; i++) {
        struct cid_view view;
        bench_random_fill(&random, bytes + 4, 32);
        error = cid_read_exact(&view, bytes, sizeof bytes);
        if (!error)
            error = cid_car_indexer_add(indexer, &view, i);
    }
    if (!error)
        error = cid_car_indexer_finish(&in->index, indexer);
    cid_car_indexer_close(indexer);
    if (error)
        bench_fail_error("cid_car_indexer_finish", error);
    in->entry_count = count;
    in->file = at = bench_buffer((size_t)cid_car_index_size(in->index));
    error = cid_car_index_write(in->index, &sink);
    cid_car_index_close(in->index);
    if (!error)
        error = cid_car_index_open(&in->index, in->file, (size_t)(at - in->file), NULL, NULL);
    if (error)
        bench_fail_error("cid_car_index_open", error);
    in->entries = at - count * WIDTH;
}

static void open_lookup(struct bench_row *row, uint64_t seed)
{
    struct lookups *in = bench_buffer(sizeof *in);
    struct bench_random random = {~seed};

    memset(in, 0, sizeof *in);
    make_index(in, row->size, seed);
    in->count = row->size < QUERIES_MAX ? row->size : QUERIES_MAX;
    in->query = bench_buffer(in->count * sizeof *in->query);
    for (size_t i = 0; i < in->count; i++)
        memcpy(in->query[i],
               in->entries + (size_t)bench_random_below(&random, in->entry_count) * WIDTH, 32);
    row->input = in;
    row->inputs = in->count;
    row->answers = in->count < 1000 ? in->count : 1000;
    bench_add(row, BENCH_ENGINE("libcid", find_libcid, in));
    bench_add(row, BENCH_ENGINE("halving", find_halving, in));
}

static void close_lookup(struct bench_row *row)
{
    struct lookups *in = row->input;

    cid_car_index_close(in->index);
    free(in->file);
    free(in->query);
    bench_close_input(row);
}

void bench_rows_index(struct bench_rows *rows)
{
    static const size_t sizes[] = {200000, 10000000};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct bench_row *row = bench_rows_add(rows, "index/lookup/%zu", sizes[i]);
        row->size = sizes[i];
        row->open = open_lookup;
        row->close = close_lookup;
    }
}
