/* multibase/{encode,decode}/BASE/{36,1024}: random bytes, as many, in every base there is. */
#include "rows.h"

#include "naive.h"
#include "others.h"

#include <cid/multibase.h>

#include <string.h>

/* Fewer long inputs: in some bases the usual way takes milliseconds for one. */
#define LONG_INPUTS 32
#define LONG_SIZE   1024

struct strings {
    size_t count;
    size_t size; /* of data */
    enum cid_base base;
    const struct naive_base *naive;
    const struct other_base *sodium;
    const struct other_base *openssl;
    size_t room; /* of a text, with NUL */
    uint8_t *data;
    char *text;
    size_t *len;
    char *text_out;
    uint8_t *data_out;
};

/* ---- encode ------------------------------------------------------------------------------- */

static inline const uint8_t *data_of(const struct strings *in, size_t i)
{
    return in->data + i * in->size;
}

static inline const char *text_of(const struct strings *in, size_t i)
{
    return in->text + i * in->room;
}

BENCH_INLINE void encode_libcid(const struct strings *in, size_t i, struct bench_answer *answer)
{
    size_t len = 0;
    enum cid_error error =
        cid_multibase_encode(in->text_out, in->room, &len, data_of(in, i), in->size, in->base);

    if (error)
        bench_fail_error("cid_multibase_encode", error);
    bench_keep(in->text_out);
    if (answer)
        bench_answer_add(answer, in->text_out, len + 1);
}
BENCH_OP(encode_libcid, struct strings)

BENCH_INLINE void encode_naive(const struct strings *in, size_t i, struct bench_answer *answer)
{
    size_t len = 0;
    char *text = naive_encode(in->naive, &len, data_of(in, i), in->size);

    bench_keep(text);
    if (answer)
        bench_answer_add(answer, text, len + 1);
    free(text);
}
BENCH_OP(encode_naive, struct strings)

BENCH_INLINE void encode_other(const struct strings *in, const struct other_base *base, size_t i,
                               struct bench_answer *answer)
{
    size_t len = other_encode(base, in->text_out, in->room, data_of(in, i), in->size);

    bench_keep(in->text_out);
    if (answer)
        bench_answer_add(answer, in->text_out, len + 1);
}

BENCH_INLINE void encode_sodium(const struct strings *in, size_t i, struct bench_answer *answer)
{
    encode_other(in, in->sodium, i, answer);
}
BENCH_OP(encode_sodium, struct strings)

BENCH_INLINE void encode_openssl(const struct strings *in, size_t i, struct bench_answer *answer)
{
    encode_other(in, in->openssl, i, answer);
}
BENCH_OP(encode_openssl, struct strings)

/* ---- decode ------------------------------------------------------------------------------- */

BENCH_INLINE void decode_libcid(const struct strings *in, size_t i, struct bench_answer *answer)
{
    size_t len = 0;
    enum cid_error error =
        cid_multibase_decode(in->data_out, in->room, &len, NULL, text_of(in, i), in->len[i], NULL);
    if (error)
        bench_fail_error("cid_multibase_decode", error);
    bench_keep(in->data_out);
    if (answer)
        bench_answer_add(answer, in->data_out, len);
}
BENCH_OP(decode_libcid, struct strings)

BENCH_INLINE void decode_naive(const struct strings *in, size_t i, struct bench_answer *answer)
{
    struct naive_bytes data = naive_decode(text_of(in, i), in->len[i]);

    if (!data.data)
        bench_fail("naive_decode", "failed");
    bench_keep(data.data);
    if (answer)
        bench_answer_add(answer, data.data, data.len);
    free(data.data);
}
BENCH_OP(decode_naive, struct strings)

BENCH_INLINE void decode_other(const struct strings *in, const struct other_base *base, size_t i,
                               struct bench_answer *answer)
{
    size_t len = other_decode(base, in->data_out, in->room, text_of(in, i), in->len[i]);

    if (len == SIZE_MAX)
        bench_fail("another library's decoder", "failed");
    bench_keep(in->data_out);
    if (answer)
        bench_answer_add(answer, in->data_out, len);
}

BENCH_INLINE void decode_sodium(const struct strings *in, size_t i, struct bench_answer *answer)
{
    decode_other(in, in->sodium, i, answer);
}
BENCH_OP(decode_sodium, struct strings)

BENCH_INLINE void decode_openssl(const struct strings *in, size_t i, struct bench_answer *answer)
{
    decode_other(in, in->openssl, i, answer);
}
BENCH_OP(decode_openssl, struct strings)

/* ---- rows --------------------------------------------------------------------------------- */

static struct strings *open_strings(struct bench_row *row, uint64_t seed)
{
    const enum cid_base base = (enum cid_base)(uintptr_t)row->param;
    struct strings *in = bench_buffer(sizeof *in);
    struct bench_random random = {seed};

    in->count = row->size == LONG_SIZE ? LONG_INPUTS : BENCH_INPUTS;
    in->size = row->size;
    in->base = base;
    in->naive = naive_base((uint32_t)base);
    in->sodium = other_sodium((uint32_t)base);
    in->openssl = other_openssl((uint32_t)base);
    in->room = cid_multibase_encoded_bound(base, row->size) + 8;
    in->data = bench_buffer(in->count * in->size);
    in->text = bench_buffer(in->count * in->room);
    in->len = bench_buffer(in->count * sizeof *in->len);
    in->text_out = bench_buffer(in->room);
    in->data_out = bench_buffer(in->room);
    bench_random_fill(&random, in->data, in->count * in->size);
    for (size_t i = 0; i < in->count; i++) {
        enum cid_error error = cid_multibase_encode(in->text + i * in->room, in->room, &in->len[i],
                                                    data_of(in, i), in->size, base);
        if (error)
            bench_fail_error("cid_multibase_encode", error);
    }
    row->input = in;
    row->inputs = in->count;
    row->bytes_per_op = (double)in->size;
    return in;
}

static void close_strings(struct bench_row *row)
{
    struct strings *in = row->input;
    free(in->data);
    free(in->text);
    free(in->len);
    free(in->text_out);
    free(in->data_out);
    bench_close_input(row);
}

static void open_encode(struct bench_row *row, uint64_t seed)
{
    struct strings *in = open_strings(row, seed);
    bench_add_tiered(row, BENCH_ENGINE("libcid", encode_libcid, in));
    if (in->naive)
        bench_add(row, BENCH_ENGINE("naive", encode_naive, in));
    if (in->sodium)
        bench_add(row, BENCH_ENGINE("libsodium", encode_sodium, in));
    if (in->openssl)
        bench_add(row, BENCH_ENGINE("openssl", encode_openssl, in));
}

static void open_decode(struct bench_row *row, uint64_t seed)
{
    struct strings *in = open_strings(row, seed);
    bench_add_tiered(row, BENCH_ENGINE("libcid", decode_libcid, in));
    if (in->naive)
        bench_add(row, BENCH_ENGINE("naive", decode_naive, in));
    if (in->sodium)
        bench_add(row, BENCH_ENGINE("libsodium", decode_sodium, in));
    if (in->openssl)
        bench_add(row, BENCH_ENGINE("openssl", decode_openssl, in));
}

static void add(struct bench_rows *rows, bool encode, const struct cid_base_info *info, size_t size)
{
    struct bench_row *row =
        bench_rows_add(rows, "multibase/%s/%s/%zu", encode ? "encode" : "decode", info->name, size);
    row->open = encode ? open_encode : open_decode;
    row->close = close_strings;
    row->param = (const void *)(uintptr_t)info->base;
    row->size = size;
}

void bench_rows_multibase(struct bench_rows *rows)
{
    struct cid_base_info info;

    for (size_t way = 0; way < 2; way++)
        for (size_t i = 0; cid_base_at(&info, i) == CID_OK; i++) {
            add(rows, way == 0, &info, 36);
            add(rows, way == 0, &info, LONG_SIZE);
        }
}
