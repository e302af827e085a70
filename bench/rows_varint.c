/* varint/{read,write}/{1,2,3,9}: 512 numbers that take so many bytes. */
#include "rows.h"

#include "naive.h"

#include <cid/varint.h>

struct varints {
    size_t count;
    size_t size;
    uint64_t value[BENCH_INPUTS];
    uint8_t bytes[BENCH_INPUTS][16]; /* the varint, and more bytes behind it */
};

BENCH_INLINE void read_libcid(const struct varints *in, size_t i, struct bench_answer *answer)
{
    uint64_t value = 0;
    size_t used = 0;
    enum cid_error error = cid_varint_read(&value, &used, in->bytes[i], sizeof in->bytes[i]);

    if (error)
        bench_fail_error("cid_varint_read", error);
    bench_keep_value(value + used);
    if (answer)
        bench_answer_add_number(answer, value + used);
}
BENCH_OP(read_libcid, struct varints)

BENCH_INLINE void read_naive(const struct varints *in, size_t i, struct bench_answer *answer)
{
    uint64_t value = 0;
    size_t used = naive_varint_read(&value, in->bytes[i], sizeof in->bytes[i]);

    if (used == 0)
        bench_fail("naive_varint_read", "failed");
    bench_keep_value(value + used);
    if (answer)
        bench_answer_add_number(answer, value + used);
}
BENCH_OP(read_naive, struct varints)

BENCH_INLINE void write_libcid(const struct varints *in, size_t i, struct bench_answer *answer)
{
    uint8_t out[16];
    size_t written = 0;
    enum cid_error error = cid_varint_write(out, sizeof out, &written, in->value[i]);

    if (error)
        bench_fail_error("cid_varint_write", error);
    bench_keep(out);
    if (answer)
        bench_answer_add(answer, out, written);
}
BENCH_OP(write_libcid, struct varints)

BENCH_INLINE void write_naive(const struct varints *in, size_t i, struct bench_answer *answer)
{
    uint8_t out[16];
    size_t written = naive_varint_write(out, in->value[i]);

    bench_keep(out);
    if (answer)
        bench_answer_add(answer, out, written);
}
BENCH_OP(write_naive, struct varints)

static struct varints *open_varints(struct bench_row *row, uint64_t seed)
{
    struct varints *in = bench_buffer(sizeof *in);
    struct bench_random random = {seed};
    uint64_t least = row->size == 1 ? 0 : UINT64_C(1) << (7 * (row->size - 1));
    uint64_t most = (UINT64_C(1) << (7 * row->size)) - 1;

    in->count = BENCH_INPUTS;
    in->size = row->size;
    for (size_t i = 0; i < in->count; i++) {
        in->value[i] = least + bench_random_below(&random, most - least + 1);
        bench_random_fill(&random, in->bytes[i], sizeof in->bytes[i]);
        naive_varint_write(in->bytes[i], in->value[i]);
    }
    row->input = in;
    row->inputs = in->count;
    row->bytes_per_op = (double)row->size;
    return in;
}

static void open_read(struct bench_row *row, uint64_t seed)
{
    struct varints *in = open_varints(row, seed);
    bench_add(row, BENCH_ENGINE("libcid", read_libcid, in));
    bench_add(row, BENCH_ENGINE("naive", read_naive, in));
}

static void open_write(struct bench_row *row, uint64_t seed)
{
    struct varints *in = open_varints(row, seed);
    bench_add(row, BENCH_ENGINE("libcid", write_libcid, in));
    bench_add(row, BENCH_ENGINE("naive", write_naive, in));
}

void bench_rows_varint(struct bench_rows *rows)
{
    static const size_t sizes[] = {1, 2, 3, 9};

    for (size_t way = 0; way < 2; way++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct bench_row *row =
                bench_rows_add(rows, "varint/%s/%zu", way == 0 ? "read" : "write", sizes[i]);
            row->open = way == 0 ? open_read : open_write;
            row->size = sizes[i];
        }
}
