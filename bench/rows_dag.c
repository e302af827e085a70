/*
 * dag/links/{cbor,named,pb}: the links of 4,096 blocks, each with 2 to 33 of them, blocks checked
 * strictly; an operation is a link, and the bytes are those of the blocks. cbor is a map of a byte
 * string and a list of links; named and pb are the same nodes, of links with names and sizes, in
 * DAG-CBOR and DAG-PB.
 * dag/write/manifest: the manifest of json/manifest in DAG-CBOR, written as DAG-JSON; an operation
 * is a file, and the bytes are those written.
 */
#include "rows.h"

#include "manifest.h"

#include <cid/dag.h>
#include <cid/json.h>

#include <stdio.h>
#include <string.h>

#define BLOCKS 4096

struct blocks {
    uint64_t codec;
    uint8_t *data;
    size_t at[BLOCKS + 1];
    size_t links;
    struct cid_links iteration;
};

static uint64_t walk(struct blocks *in, struct bench_answer *answer)
{
    uint64_t count = 0;

    for (size_t i = 0; i < BLOCKS; i++) {
        struct cid_view view;
        enum cid_error error = cid_links_begin(&in->iteration, in->codec, in->data + in->at[i],
                                               in->at[i + 1] - in->at[i], NULL);
        while (!error && !(error = cid_links_next(&in->iteration, &view))) {
            bench_keep(&view);
            count++;
            if (answer)
                bench_answer_add(answer, view.bytes, view.len);
        }
        if (error != CID_END)
            bench_fail_error("cid_links_next", error);
    }
    return count;
}

static size_t links_run(void *ctx, size_t at, size_t ops)
{
    struct blocks *in = ctx;

    for (; ops != 0; ops -= in->links)
        bench_keep_value(walk(in, NULL));
    return at;
}

static void links_answer(void *ctx, size_t i, struct bench_answer *answer)
{
    (void)i;
    bench_answer_add_number(answer, walk(ctx, answer));
}

static void put_link(struct cid_json *json, struct bench_random *random, size_t i)
{
    uint8_t digest[32];
    char text[64];
    struct cid cid;
    struct cid_view view;

    bench_random_fill(random, digest, sizeof digest);
    if (cid_make_v1(&cid, bench_codec(i), CID_HASH_SHA2_256, digest, sizeof digest, NULL))
        bench_fail("cid_make_v1", "a link");
    view = cid_as_view(&cid);
    if (cid_format(text, sizeof text, NULL, &view, CID_BASE_DEFAULT))
        bench_fail("cid_format", "a link");
    cid_json_object_begin(json);
    cid_json_key(json, "/");
    cid_json_text(json, text);
    cid_json_object_end(json);
}

/* A link of DAG-PB. */
static void put_named_link(struct cid_json *json, struct bench_random *random, size_t i)
{
    char name[32];

    snprintf(name, sizeof name, "part-%04zu", i);
    cid_json_object_begin(json);
    cid_json_key(json, "Hash");
    put_link(json, random, i);
    cid_json_key(json, "Name");
    cid_json_text(json, name);
    cid_json_key(json, "Tsize");
    cid_json_u64(json, bench_random_below(random, 1 << 20));
    cid_json_object_end(json);
}

/* 60 bytes of data. */
static void put_data(struct cid_json *json, struct bench_random *random)
{
    char text[81];

    for (size_t i = 0; i < sizeof text - 1; i++)
        text[i] = (char)('a' + bench_random_below(random, 26));
    text[sizeof text - 1] = '\0';
    cid_json_object_begin(json);
    cid_json_key(json, "/");
    cid_json_object_begin(json);
    cid_json_key(json, "bytes");
    cid_json_text(json, text);
    cid_json_object_end(json);
    cid_json_object_end(json);
}

/* A node as DAG-JSON, so that the library writes it in either codec. */
static size_t make_node(char *text, size_t cap, struct bench_random *random, size_t links,
                        bool named)
{
    struct cid_json json;
    size_t written = 0;

    cid_json_begin(&json, text, cap, NULL, NULL);
    cid_json_object_begin(&json);
    if (!named) {
        cid_json_key(&json, "data");
        put_data(&json, random);
    }
    cid_json_key(&json, named ? "Links" : "links");
    cid_json_array_begin(&json);
    for (size_t i = 0; i < links; i++) {
        if (named)
            put_named_link(&json, random, i);
        else
            put_link(&json, random, i);
    }
    cid_json_array_end(&json);
    cid_json_object_end(&json);
    if (cid_json_finish(&json, &written, false))
        bench_fail("cid_json_finish", "a node");
    return written;
}

static void open_links(struct bench_row *row, uint64_t seed)
{
    static char text[8192];
    struct blocks *in = bench_buffer(sizeof *in);
    struct bench_random random = {seed};
    size_t cap = BLOCKS * sizeof text / 2;

    in->codec = row->size;
    in->data = bench_buffer(cap);
    in->links = 0;
    in->at[0] = 0;
    for (size_t i = 0; i < BLOCKS; i++) {
        size_t links = 2 + (size_t)bench_random_below(&random, 32), written = 0;
        size_t len = make_node(text, sizeof text, &random, links, row->param);
        enum cid_error error = cid_dag_write(in->data + in->at[i], cap - in->at[i], &written, NULL,
                                             in->codec, CID_CODEC_DAG_JSON, text, len, NULL, NULL);
        if (error)
            bench_fail_error("cid_dag_write", error);
        in->at[i + 1] = in->at[i] + written;
        in->links += links;
    }
    row->input = in;
    row->inputs = row->ops_answer = in->links;
    row->answers = 1;
    row->whole = true;
    row->op = "link";
    row->bytes_per_op = (double)in->at[BLOCKS] / (double)in->links;
    bench_add(row, (struct bench_engine){
                       .name = "libcid", .run = links_run, .answer = links_answer, .ctx = in});
}

static void close_links(struct bench_row *row)
{
    free(((struct blocks *)row->input)->data);
    bench_close_input(row);
}

/* ---- manifest --------------------------------------------------------------------------- */

struct writing {
    struct manifest *manifest;
    struct cid_bytes cbor;
};

static size_t write_all(struct writing *in)
{
    size_t written = 0;
    enum cid_error error = cid_dag_write(
        (uint8_t *)in->manifest->out, in->manifest->cap, &written, NULL, CID_CODEC_DAG_JSON,
        CID_CODEC_DAG_CBOR, cid_bytes_of(&in->cbor), in->cbor.len, NULL, bench_count.allocator);

    if (error)
        bench_fail_error("cid_dag_write", error);
    return written;
}

static size_t write_run(void *ctx, size_t at, size_t ops)
{
    for (; ops != 0; ops -= MANIFEST_ALL)
        bench_keep_value(write_all(ctx));
    return at;
}

static void write_answer(void *ctx, size_t i, struct bench_answer *answer)
{
    struct writing *in = ctx;
    (void)i;
    bench_answer_add(answer, in->manifest->out, write_all(in));
}

/* "cid":"TEXT" becomes a link. */
static size_t link_texts(char *out, const char *text, size_t len)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++) {
        out[n++] = text[i];
        if (text[i] != ':' || i < 5 || memcmp(text + i - 5, "\"cid\"", 5) != 0)
            continue;
        memcpy(out + n, "{\"/\":", 5);
        memcpy(out + n + 5, text + i + 1, 61); /* 59 characters in quotes */
        out[n + 66] = '}';
        n += 67;
        i += 61;
    }
    return n;
}

static void open_write(struct bench_row *row, uint64_t seed)
{
    struct writing *in = bench_buffer(sizeof *in);
    struct cid_dag_options options = {.allow = CID_DAG_ALLOW_SPELLING};
    size_t len;
    enum cid_error error;

    in->manifest = manifest_make(seed);
    len = link_texts(in->manifest->out, in->manifest->text, in->manifest->len);
    error = cid_dag_make(&in->cbor, NULL, CID_CODEC_DAG_CBOR, CID_CODEC_DAG_JSON, in->manifest->out,
                         len, &options, NULL);
    if (error)
        bench_fail_error("cid_dag_make", error);
    row->input = in;
    row->inputs = row->ops_answer = MANIFEST_ALL;
    row->answers = 1;
    row->whole = true;
    row->op = "file";
    row->bytes_per_op = (double)len / MANIFEST_ALL;
    bench_add(row, (struct bench_engine){
                       .name = "libcid", .run = write_run, .answer = write_answer, .ctx = in});
}

static void close_write(struct bench_row *row)
{
    struct writing *in = row->input;

    manifest_free(in->manifest);
    cid_bytes_free(&in->cbor, NULL);
    bench_close_input(row);
}

void bench_rows_dag(struct bench_rows *rows)
{
    static const struct {
        const char *name;
        uint64_t codec;
        const char *param; /* NULL: a list of links alone */
    } kinds[] = {{"cbor", CID_CODEC_DAG_CBOR, NULL},
                 {"named", CID_CODEC_DAG_CBOR, "named"},
                 {"pb", CID_CODEC_DAG_PB, "named"}};
    struct bench_row *row;

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        row = bench_rows_add(rows, "dag/links/%s", kinds[i].name);
        row->open = open_links;
        row->close = close_links;
        row->size = (size_t)kinds[i].codec;
        row->param = kinds[i].param;
    }
    row = bench_rows_add(rows, "dag/write/manifest");
    row->open = open_write;
    row->close = close_write;
}
