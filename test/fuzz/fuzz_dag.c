/*
 * Blocks of every codec: what is accepted strictly is written again byte by byte, and only that;
 * what is written is accepted, has the links of what it was written from, and comes back from any
 * codec as it was. The first byte says which codec it is.
 */
#include "fuzz.h"

#include <cid/dag.h>

const struct fuzz_seed fuzz_seeds[] = {
    SEED("c\xa2\x61"
         "a\x82\x01\xfb\x3f\xf8\x00\x00\x00\x00\x00\x00\x62"
         "bb\xd8\x2a\x45\x00\x01\x55\x00\x00"),
    SEED("c\xa2\x61z\x20\x62"
         "aa\x42\x01\x02"),
    SEED("j{\"a\":[1,-2.5,\"x\\n\",{\"/\":\"bafkqaaa\"}],\"b\":{\"/\":{\"bytes\":\"AQ\"}}}"),
    SEED("j{ \"b\" : \"\\u0041\", \"a\": 1e3, \"/\":{\"bytes\":true} }"),
    SEED("p\x12\x0c\x0a\x05\x01\x55\x00\x01\x61\x12\x01\x62\x18\x01\x0a\x02\x08\x02"),
    SEED("j{\"0bar\":1,\"/\":\"foo\"}"),
    SEED("j{\"\\/\":\"bafkqaaa\"}"),
    SEED("j{\"Data\":{\"/\":{\"bytes\":\"AQ\"}},\"Links\":[{\"Hash\":{\"/\":\"bafkqaaa\"},"
         "\"Name\":\"b\",\"Tsize\":1}]}"),
    SEED("r\x00\xff"),
    SEED_END,
};

/* What can be written. */
static const uint64_t all[] = {CID_CODEC_DAG_CBOR, CID_CODEC_DAG_JSON, CID_CODEC_DAG_PB};

static uint64_t codec_of(uint8_t letter)
{
    switch (letter % 4) {
    case 'c' % 4:
        return CID_CODEC_DAG_CBOR;
    case 'j' % 4:
        return letter == 'r' ? CID_CODEC_RAW : CID_CODEC_DAG_JSON;
    default:
        return CID_CODEC_DAG_PB;
    }
}

/* The links of a block, in any order. */
struct sum {
    uint64_t count;
    uint64_t total;
};

static enum cid_error sum_links(struct sum *sum, uint64_t codec, const void *data, size_t len,
                                const struct cid_dag_options *options)
{
    static struct cid_links links;
    struct cid_view view;
    enum cid_error error = cid_links_begin(&links, codec, data, len, options);

    *sum = (struct sum){0};
    while (!error && !(error = cid_links_next(&links, &view))) {
        sum->count++;
        sum->total += cid_hash64(&view, 1);
    }
    FUZZ_CHECK(cid_links_fault(&links)->offset <= len);
    return error == CID_END ? CID_OK : error;
}

static bool is(const struct cid_bytes *made, const void *data, size_t len)
{
    return made->len == len && (len == 0 || memcmp(cid_bytes_of(made), data, len) == 0);
}

/* What was written in one codec is written in another, if that can say it, and comes back. */
static void go_and_come_back(uint64_t to, uint64_t from, const struct cid_bytes *block)
{
    struct cid_bytes there, back;

    if (cid_dag_make(&there, NULL, to, from, cid_bytes_of(block), block->len, NULL, NULL))
        return;
    FUZZ_CHECK(!cid_dag_make(&back, NULL, from, to, cid_bytes_of(&there), there.len, NULL, NULL));
    FUZZ_CHECK(is(&back, cid_bytes_of(block), block->len));
    cid_bytes_free(&back, NULL);
    cid_bytes_free(&there, NULL);
}

static void look_at(const struct cid_bytes *made, uint64_t to, const struct sum *links)
{
    struct sum again;

    FUZZ_CHECK(!cid_dag_check(NULL, to, cid_bytes_of(made), made->len, NULL));
    FUZZ_CHECK(!sum_links(&again, to, cid_bytes_of(made), made->len, NULL));
    FUZZ_CHECK(again.count == links->count && again.total == links->total);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        go_and_come_back(all[i], to, made);
}

static void convert(uint64_t to, uint64_t from, const uint8_t *data, size_t len, uint32_t allow)
{
    struct cid_dag_options options = {.allow = allow};
    struct cid_fault fault = {0};
    struct cid_bytes made;
    struct sum links;
    enum cid_error error = cid_dag_make(&made, &fault, to, from, data, len, &options, NULL);
    bool same = to == from && to != CID_CODEC_DAG_PB;

    FUZZ_CHECK(fault.code == error && fault.offset <= len);
    if (error)
        return;
    /* Where keys are out of order, the search for equal ones may be given up. */
    if (!sum_links(&links, from, data, len, &options))
        look_at(&made, to, &links);
    if (same)
        FUZZ_CHECK(is(&made, data, len) == !cid_dag_check(NULL, from, data, len, NULL));
    cid_bytes_free(&made, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const uint32_t allow[] = {0, CID_DAG_ALLOW_SPELLING, CID_DAG_ALLOW_ALL};
    struct cid_dag_options lenient = {.allow = CID_DAG_ALLOW_ALL};
    uint64_t codec;

    if (len == 0)
        return 0;
    codec = codec_of(*data++);
    len--;
    if (!cid_dag_check(NULL, codec, data, len, NULL))
        FUZZ_CHECK(!cid_dag_check(NULL, codec, data, len, &lenient));
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (size_t j = 0; j < sizeof allow / sizeof allow[0]; j++)
            convert(all[i], codec, data, len, allow[j]);
    return 0;
}
