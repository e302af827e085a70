/*
 * hash/many/sha2-256/LENGTH: many messages of one length in one call; other libraries in a loop. An
 * operation is a message.
 */
#include "rows.h"

#include "others.h"

#include <cid/hash.h>

#include <string.h>

#define TOGETHER 512                /* messages in one call, where they are short */
#define LARGEST  ((size_t)16 << 20) /* of all messages together */

static const size_t lengths[] = {32, 300, 4096, 262144};

struct messages {
    size_t count;
    struct cid_data *data;
    uint8_t *bytes;
    uint8_t (*digests)[32];
    other_hash *openssl, *sodium;
};

/* A pass is one call. */
static size_t many_run(void *ctx, size_t at, size_t ops)
{
    struct messages *in = ctx;

    for (; ops != 0; ops -= in->count) {
        enum cid_error error = cid_hash_many(in->digests[0], in->count * 32, NULL,
                                             CID_HASH_SHA2_256, 32, in->data, in->count, NULL);
        if (error)
            bench_fail_error("cid_hash_many", error);
        bench_keep(in->digests);
    }
    return at;
}

static void answer_digests(const struct messages *in, struct bench_answer *answer)
{
    bench_answer_add(answer, in->digests, in->count * 32);
}

static void many_answer(void *ctx, size_t i, struct bench_answer *answer)
{
    struct messages *in = ctx;

    (void)many_run(ctx, i, in->count);
    answer_digests(in, answer);
}

static size_t loop(struct messages *in, other_hash *hash, size_t at, size_t ops)
{
    for (; ops != 0; ops--) {
        hash(in->digests[at], in->data[at].data, in->data[at].len);
        at = at + 1 == in->count ? 0 : at + 1;
    }
    return at;
}

static size_t openssl_run(void *ctx, size_t at, size_t ops)
{
    struct messages *in = ctx;
    return loop(in, in->openssl, at, ops);
}

static void openssl_answer(void *ctx, size_t i, struct bench_answer *answer)
{
    struct messages *in = ctx;

    (void)openssl_run(ctx, i, in->count);
    answer_digests(in, answer);
}

static size_t sodium_run(void *ctx, size_t at, size_t ops)
{
    struct messages *in = ctx;
    return loop(in, in->sodium, at, ops);
}

static void sodium_answer(void *ctx, size_t i, struct bench_answer *answer)
{
    struct messages *in = ctx;

    (void)sodium_run(ctx, i, in->count);
    answer_digests(in, answer);
}

static void open_row(struct bench_row *row, uint64_t seed)
{
    size_t len = *(const size_t *)row->param;
    struct messages *in = bench_buffer(sizeof *in);
    struct bench_random random = {seed};

    in->count = TOGETHER * len > LARGEST ? LARGEST / len : TOGETHER;
    in->bytes = bench_buffer(in->count * len);
    in->data = bench_buffer(in->count * sizeof *in->data);
    in->digests = bench_buffer(in->count * sizeof *in->digests);
    in->openssl = other_openssl_sha2_256();
    in->sodium = other_sha2_256();
    bench_random_fill(&random, in->bytes, in->count * len);
    for (size_t i = 0; i < in->count; i++)
        in->data[i] = (struct cid_data){in->bytes + i * len, len};
    row->input = in;
    row->op = "message";
    row->inputs = row->ops_answer = in->count;
    row->answers = 1;
    row->whole = true;
    row->bytes_per_op = (double)len;
    bench_add_hash_tiered(row, BENCH_ENGINE("libcid", many, in));
    if (in->openssl)
        bench_add(row, BENCH_ENGINE("openssl", openssl, in));
    if (in->sodium)
        bench_add(row, BENCH_ENGINE("libsodium", sodium, in));
}

static void close_row(struct bench_row *row)
{
    struct messages *in = row->input;

    free(in->digests);
    free(in->data);
    free(in->bytes);
    bench_close_input(row);
}

void bench_rows_hash(struct bench_rows *rows)
{
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct bench_row *row = bench_rows_add(rows, "hash/many/sha2-256/%zu", lengths[i]);
        row->open = open_row;
        row->close = close_row;
        row->param = &lengths[i];
    }
}
