/*
 * Blocks of every codec: what is accepted strictly is written again byte by byte, and what is
 * written is accepted. The first byte says which codec it is.
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
    SEED("r\x00\xff"),
    SEED_END,
};

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

static void convert(uint64_t to, uint64_t from, const uint8_t *data, size_t len, uint32_t allow)
{
    struct cid_dag_options options = {.allow = allow};
    struct cid_fault fault = {0};
    struct cid_bytes made;
    enum cid_error error = cid_dag_make(&made, &fault, to, from, data, len, &options, NULL);

    FUZZ_CHECK(fault.code == error && fault.offset <= len);
    if (error)
        return;
    FUZZ_CHECK(!cid_dag_check(NULL, to, cid_bytes_of(&made), made.len, NULL));
    if (allow == 0 && to == from && to != CID_CODEC_DAG_PB)
        FUZZ_CHECK(made.len == len && memcmp(cid_bytes_of(&made), data, len) == 0);
    cid_bytes_free(&made, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const uint64_t to[] = {CID_CODEC_DAG_CBOR, CID_CODEC_DAG_JSON, CID_CODEC_DAG_PB};
    struct cid_dag_options lenient = {.allow = CID_DAG_ALLOW_ALL};
    uint64_t codec;

    if (len == 0)
        return 0;
    codec = codec_of(*data++);
    len--;
    if (!cid_dag_check(NULL, codec, data, len, NULL))
        FUZZ_CHECK(!cid_dag_check(NULL, codec, data, len, &lenient));
    for (size_t i = 0; i < sizeof to / sizeof to[0]; i++) {
        convert(to[i], codec, data, len, 0);
        convert(to[i], codec, data, len, CID_DAG_ALLOW_ALL);
    }
    return 0;
}
