/*
 * json/strings/N: an array of N strings of 256 characters, written; an operation is a string.
 * json/manifest/{decode,encode}: a manifest of 12,000 files, with their CIDs parsed, or printed; an
 * operation is a file.
 */
#include "rows.h"

#include "documents.h"
#include "manifest.h"
#include "naive_json.h"

#include <cid/json.h>

#include <string.h>

#define STRING_LEN DOCUMENT_STRING_LEN

/* ---- strings ---------------------------------------------------------------------------- */

struct strings {
    size_t count;
    char *text; /* count * STRING_LEN */
    char *out;
    size_t cap;
    size_t len; /* of what the per-character engine has written */
};

static size_t write_libcid(struct strings *in)
{
    struct cid_json json;
    size_t written = 0;
    enum cid_error error;

    cid_json_begin(&json, in->out, in->cap, NULL, NULL);
    cid_json_array_begin(&json);
    for (size_t i = 0; i < in->count; i++)
        cid_json_string(&json, in->text + i * STRING_LEN, STRING_LEN);
    cid_json_array_end(&json);
    error = cid_json_finish(&json, &written, false);
    if (error)
        bench_fail_error("cid_json_finish", error);
    return written;
}

static void sink(void *ctx, char c)
{
    struct strings *in = ctx;

    if (in->len == in->cap)
        bench_fail("per-character", "no room");
    in->out[in->len++] = c;
}

static size_t write_naive(struct strings *in)
{
    in->len = 0;
    sink(in, '[');
    for (size_t i = 0; i < in->count; i++) {
        if (i != 0)
            sink(in, ',');
        naive_json_string(sink, in, in->text + i * STRING_LEN, STRING_LEN);
    }
    sink(in, ']');
    return in->len;
}

#define STRINGS(name, write)                                                                       \
    static size_t name##_run(void *ctx, size_t at, size_t ops)                                     \
    {                                                                                              \
        struct strings *in = ctx;                                                                  \
        for (; ops != 0; ops -= in->count) {                                                       \
            bench_keep_value(write(in));                                                           \
            bench_keep(in->out);                                                                   \
        }                                                                                          \
        return at;                                                                                 \
    }                                                                                              \
    static void name##_answer(void *ctx, size_t i, struct bench_answer *answer)                    \
    {                                                                                              \
        struct strings *in = ctx;                                                                  \
        (void)i;                                                                                   \
        bench_answer_add(answer, in->out, write(in));                                              \
    }

STRINGS(strings_libcid, write_libcid)
STRINGS(strings_naive, write_naive)

static void open_strings(struct bench_row *row, uint64_t seed)
{
    struct strings *in = bench_buffer(sizeof *in);
    struct bench_random random = {seed};

    *in = (struct strings){.count = row->size};
    in->text = bench_buffer(in->count * STRING_LEN);
    document_fill(&random, in->text, in->count * STRING_LEN);
    in->cap = in->count * (STRING_LEN + 8) + 1024;
    in->out = bench_buffer(in->cap);
    row->input = in;
    row->inputs = row->ops_answer = in->count;
    row->answers = 1;
    row->whole = true;
    row->op = "string";
    row->bytes_per_op = STRING_LEN;
    bench_add_tiered(row, BENCH_ENGINE("libcid", strings_libcid, in));
    bench_add(row, BENCH_ENGINE("per-character", strings_naive, in));
}

static void close_strings(struct bench_row *row)
{
    struct strings *in = row->input;

    free(in->text);
    free(in->out);
    bench_close_input(row);
}

/* ---- manifest --------------------------------------------------------------------------- */

/* The next item, or the value of the next member with that key; it must be of that kind. */
static bool next_is(struct cid_json_reader *reader, struct cid_json_item *item, const char *key,
                    enum cid_json_kind kind)
{
    enum cid_error error = key ? cid_json_find(reader, item, key) : cid_json_next(reader, item);

    if (error)
        bench_fail_error("cid_json_reader", error);
    return item->kind == kind;
}

static void expect(struct cid_json_reader *reader, struct cid_json_item *item, const char *key,
                   enum cid_json_kind kind)
{
    if (!next_is(reader, item, key, kind))
        bench_fail("libcid", "the manifest is not as it was made");
}

/* What is left of an object or array is read, too, so that the whole text is checked. */
static void leave(struct cid_json_reader *reader, const struct cid_json_item *item)
{
    enum cid_error error = cid_json_skip(reader, item);

    if (error)
        bench_fail_error("cid_json_skip", error);
}

static size_t decode_libcid(const struct manifest *manifest, manifest_use *use, void *ctx)
{
    struct cid_json_reader reader;
    struct cid_json_item whole, group, file, item;
    size_t count = 0;

    cid_json_reader_begin(&reader, manifest->text, manifest->len, 0);
    expect(&reader, &whole, NULL, CID_JSON_OBJECT);
    expect(&reader, &item, "groups", CID_JSON_ARRAY);
    while (next_is(&reader, &group, NULL, CID_JSON_OBJECT)) {
        expect(&reader, &item, "files", CID_JSON_ARRAY);
        while (next_is(&reader, &file, NULL, CID_JSON_OBJECT)) {
            expect(&reader, &item, "cid", CID_JSON_STRING);
            if (item.escaped)
                bench_fail("libcid", "a CID has escapes");
            manifest_cid(use, ctx, item.text, item.len);
            count++;
            leave(&reader, &file);
        }
        leave(&reader, &group);
    }
    leave(&reader, &whole);
    if (cid_json_next(&reader, &item) != CID_END)
        bench_fail("libcid", "the manifest does not end");
    return count;
}

static void use_keep(void *ctx, const struct cid *cid)
{
    (void)ctx;
    bench_keep(cid);
}

static void use_answer(void *ctx, const struct cid *cid)
{
    bench_answer_add(ctx, cid_bytes_of(&cid->raw), cid->raw.len);
}

#define MANIFEST(name, decode, encode)                                                             \
    static size_t name##_decode_run(void *ctx, size_t at, size_t ops)                              \
    {                                                                                              \
        for (; ops != 0; ops -= MANIFEST_ALL)                                                      \
            bench_keep_value(decode(ctx, use_keep, NULL));                                         \
        return at;                                                                                 \
    }                                                                                              \
    static void name##_decode_answer(void *ctx, size_t i, struct bench_answer *answer)             \
    {                                                                                              \
        (void)i;                                                                                   \
        bench_answer_add_number(answer, decode(ctx, use_answer, answer));                          \
    }                                                                                              \
    static size_t name##_encode_run(void *ctx, size_t at, size_t ops)                              \
    {                                                                                              \
        struct manifest *manifest = ctx;                                                           \
        for (; ops != 0; ops -= MANIFEST_ALL) {                                                    \
            bench_keep_value(encode(manifest));                                                    \
            bench_keep(manifest->out);                                                             \
        }                                                                                          \
        return at;                                                                                 \
    }                                                                                              \
    static void name##_encode_answer(void *ctx, size_t i, struct bench_answer *answer)             \
    {                                                                                              \
        struct manifest *manifest = ctx;                                                           \
        (void)i;                                                                                   \
        bench_answer_add(answer, manifest->out, encode(manifest));                                 \
    }

MANIFEST(libcid, decode_libcid, manifest_write)
MANIFEST(yajl, manifest_yajl.decode, manifest_yajl.encode)
MANIFEST(jansson, manifest_jansson.decode, manifest_jansson.encode)

static void open_manifest(struct bench_row *row, uint64_t seed)
{
    struct manifest *manifest = manifest_make(seed);
    bool encode = row->size != 0;

    row->input = manifest;
    row->inputs = row->ops_answer = MANIFEST_ALL;
    row->answers = 1;
    row->whole = true;
    row->op = "file";
    row->bytes_per_op = (double)manifest->len / MANIFEST_ALL;
    bench_add_tiered(row, encode ? BENCH_ENGINE("libcid", libcid_encode, manifest)
                                 : BENCH_ENGINE("libcid", libcid_decode, manifest));
    if (manifest_yajl.decode)
        bench_add(row, encode ? BENCH_ENGINE("yajl", yajl_encode, manifest)
                              : BENCH_ENGINE("yajl", yajl_decode, manifest));
    if (manifest_jansson.decode)
        bench_add(row, encode ? BENCH_ENGINE("jansson", jansson_encode, manifest)
                              : BENCH_ENGINE("jansson", jansson_decode, manifest));
}

static void close_manifest(struct bench_row *row)
{
    manifest_free(row->input);
    row->input = NULL;
}

void bench_rows_json(struct bench_rows *rows)
{
    static const size_t counts[] = {1, 4, 256, 4096, 65536};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct bench_row *row = bench_rows_add(rows, "json/strings/%zu", counts[i]);
        row->open = open_strings;
        row->close = close_strings;
        row->size = counts[i];
    }
    for (size_t encode = 0; encode < 2; encode++) {
        struct bench_row *row =
            bench_rows_add(rows, "json/manifest/%s", encode ? "encode" : "decode");
        row->open = open_manifest;
        row->close = close_manifest;
        row->size = encode;
    }
}
