/*
 * car/verified/ARCHIVE/threads2: a whole archive in memory by two threads, and by one, by the clock
 * on the wall. An operation is a block.
 */
#include "rows.h"

#include "archive.h"

#include <cid/car.h>

#include <stdio.h>
#include <string.h>

static const struct threads_case {
    const char *name;
    enum archive_kind kind;
} cases[] = {
    {"small", ARCHIVE_SMALL},
    {"large", ARCHIVE_LARGE},
    {"blake2b", ARCHIVE_BLAKE2B},
};

struct threads {
    const struct archive *archive;
    unsigned workers;
};

static uint64_t verify_once(const struct threads *threads)
{
    struct cid_car_verify_options options = {.workers = threads->workers};
    struct cid_car_reader *reader = NULL;
    struct cid_car_verdicts verdicts;
    enum cid_error error = cid_car_reader_open(
        &reader, threads->archive->data, threads->archive->len, NULL, NULL, bench_count.allocator);

    if (!error)
        error = cid_car_verify(&verdicts, reader, &options);
    if (error)
        bench_fail_error("cid_car_verify", error);
    cid_car_reader_close(reader);
    return verdicts.good;
}

static size_t run(void *ctx, size_t at, size_t ops)
{
    const struct threads *threads = ctx;

    for (; ops != 0; ops -= threads->archive->blocks)
        bench_keep_value(verify_once(threads));
    return at;
}

static void answer(void *ctx, size_t i, struct bench_answer *out)
{
    (void)i;
    bench_answer_add_number(out, verify_once(ctx));
}

static void open_row(struct bench_row *row, uint64_t seed)
{
    const struct threads_case *which = row->param;
    const struct archive *archive = archive_get(which->kind, seed, NULL);
    struct threads *threads = bench_buffer(2 * sizeof *threads);

    threads[0] = (struct threads){archive, 2};
    threads[1] = (struct threads){archive, 1};
    row->input = threads;
    row->op = "block";
    row->inputs = row->ops_answer = archive->blocks;
    row->answers = 1;
    row->whole = row->wall = true;
    row->bytes_per_op = (double)archive->len / (double)archive->blocks;
    if (!archive->verifiable) {
        fprintf(stderr, "cid-bench: %s: left out: this build cannot hash\n", row->name);
        return;
    }
    bench_add(row, (struct bench_engine){"libcid", run, answer, &threads[0], NULL});
    bench_add(row, (struct bench_engine){"libcid-one", run, answer, &threads[1], NULL});
}

static void close_row(struct bench_row *row)
{
    const struct threads_case *which = row->param;

    archive_put(which->kind);
    bench_close_input(row);
}

void bench_rows_threads(struct bench_rows *rows)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench_row *row = bench_rows_add(rows, "car/verified/%s/threads2", cases[i].name);
        row->open = open_row;
        row->close = close_row;
        row->param = &cases[i];
    }
}
