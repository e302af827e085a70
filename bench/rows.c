#include "rows.h"

#include <cid/multicodec.h>

#include <stdarg.h>
#include <stdio.h>

struct bench_row *bench_rows_add(struct bench_rows *rows, const char *format, ...)
{
    struct bench_row *row;
    va_list args;

    if (rows->count == rows->room) {
        rows->room = rows->room * 2 + 64;
        rows->at = realloc(rows->at, rows->room * sizeof *rows->at);
        if (!rows->at)
            bench_out_of_memory();
    }
    row = &rows->at[rows->count++];
    *row = (struct bench_row){.op = "op", .close = bench_close_input};
    va_start(args, format);
    vsnprintf(row->name, sizeof row->name, format, args);
    va_end(args);
    return row;
}

void bench_rows_all(struct bench_rows *rows, const char *car_path)
{
    bench_rows_varint(rows);
    bench_rows_binary(rows);
    bench_rows_text(rows);
    bench_rows_multibase(rows);
    bench_rows_set(rows);
    bench_rows_construct(rows);
    bench_rows_hash(rows);
    bench_rows_json(rows);
    bench_rows_floats(rows);
    bench_rows_dag(rows);
    bench_rows_car(rows, car_path);
    bench_rows_threads(rows);
    bench_rows_archive(rows);
    bench_rows_index(rows);
    bench_rows_graph(rows);
}

void bench_rows_free(struct bench_rows *rows)
{
    free(rows->at);
    *rows = (struct bench_rows){0};
}

void bench_digests(uint8_t (*out)[32], size_t count, uint64_t seed)
{
    struct bench_random random = {seed};
    for (size_t i = 0; i < count; i++)
        bench_random_fill(&random, out[i], sizeof out[i]);
}

uint64_t bench_codec(size_t i)
{
    static const uint64_t codecs[] = {CID_CODEC_RAW, CID_CODEC_DAG_CBOR};
    return codecs[i % 2];
}

void bench_close_input(struct bench_row *row)
{
    free(row->input);
    row->input = NULL;
}
