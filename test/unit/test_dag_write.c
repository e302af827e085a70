/*
 * The same node in another codec.
 */
#include "blocks.h"

#include <stdio.h>

/* ---- the same node in another codec ----------------------------------------------------- */

static const struct {
    uint64_t from, to;
    const char *in;
    const char *out; /* NULL: an error */
    enum cid_error error;
    size_t offset;
    uint32_t allow;
} conversions[] = {
    {CBOR, JSON, "00", "0", CID_OK, 0, 0},
    {CBOR, JSON, "1bffffffffffffffff", "18446744073709551615", CID_OK, 0, 0},
    {CBOR, JSON, "3bffffffffffffffff", "-18446744073709551616", CID_OK, 0, 0},
    {CBOR, JSON, "3b7fffffffffffffff", "-9223372036854775808", CID_OK, 0, 0},
    {CBOR, JSON, "fb3ff0000000000000", "1.0", CID_OK, 0, 0},
    {CBOR, JSON, "fb8000000000000000", "-0.0", CID_OK, 0, 0},
    {CBOR, JSON, "fb3e7ad7f29abcaf48", "1e-7", CID_OK, 0, 0},
    {CBOR, JSON, "83f4f5f6", "[false,true,null]", CID_OK, 0, 0},
    {CBOR, JSON, "8080", "[]", CID_E_TRAILING, 1, 0},
    {CBOR, JSON, "8280a0", "[[],{}]", CID_OK, 0, 0},
    {CBOR, JSON, "43010203", "{\"/\":{\"bytes\":\"AQID\"}}", CID_OK, 0, 0},
    {CBOR, JSON, "40", "{\"/\":{\"bytes\":\"\"}}", CID_OK, 0, 0},
    {CBOR, JSON, "d82a582500" D1, "{\"/\":\"" D1_TEXT "\"}", CID_OK, 0, 0},
    {CBOR, JSON, "d82a582300" V0, "{\"/\":\"" V0_TEXT "\"}", CID_OK, 0, 0},
    {CBOR, JSON, "6822080c0a0d091f7f", "\"\\\"\\b\\f\\n\\r\\t\\u001f\x7f\"", CID_OK, 0, 0},
    {CBOR, JSON, "645c2fc3a9", "\"\\\\/\xc3\xa9\"", CID_OK, 0, 0},
    {CBOR, JSON, "a2616202626161a2617801627777f5", "{\"aa\":{\"ww\":true,\"x\":1},\"b\":2}", CID_OK,
     0, 0},
    {CBOR, JSON,
     "a3617a01626161026179"
     "03",
     NULL, CID_E_CBOR_KEY_ORDER, 8, 0},
    {CBOR, JSON,
     "a3617a01626161026179"
     "03",
     "{\"aa\":2,\"y\":3,\"z\":1}", CID_OK, 0, CID_DAG_ALLOW_KEY_ORDER},
    {CBOR, CBOR,
     "a3617a01626161026179"
     "03",
     "a3617903617a0162616102", CID_OK, 0, CID_DAG_ALLOW_KEY_ORDER},
    {CBOR, CBOR,
     "a36162016163026162"
     "03",
     NULL, CID_E_CBOR_KEY_TWICE, 7, CID_DAG_ALLOW_KEY_ORDER},
    {CBOR, JSON, "f97e00", NULL, CID_E_DAG_VALUE, 0, CID_DAG_ALLOW_FLOATS},
    {CBOR, JSON, "fbfff0000000000000", NULL, CID_E_DAG_VALUE, 0, CID_DAG_ALLOW_FLOATS},
    {CBOR, CBOR, "82f93e00f90001", "82fb3ff8000000000000fb3e70000000000000", CID_OK, 0,
     CID_DAG_ALLOW_FLOATS},
    {CBOR, JSON, "84f97bfffa3f800000fa00000001f98000", "[65504.0,1.0,1.401298464324817e-45,-0.0]",
     CID_OK, 0, CID_DAG_ALLOW_FLOATS},
    {CBOR, JSON, "81f7", NULL, CID_E_DAG_VALUE, 1, CID_DAG_ALLOW_SIMPLES},
    {CBOR, JSON, "82c1820102c2c300", "[[1,2],0]", CID_OK, 0, CID_DAG_ALLOW_TAGS},
    {CBOR, CBOR, "a16161c1a16162c100", "a16161a1616200", CID_OK, 0, CID_DAG_ALLOW_TAGS},
    {CBOR, CBOR, "98021900ff1800", "8218ff00", CID_OK, 0, CID_DAG_ALLOW_LONG_HEADS},
    /* maps that DAG-JSON cannot say */
    {CBOR, JSON, "a1612f6161", NULL, CID_E_JSON_RESERVED, 0, 0},
    {CBOR, JSON, "81a2612f6161613001", NULL, CID_E_JSON_RESERVED, 1, 0},
    {CBOR, JSON,
     "a2612161786"
     "12f6161",
     "{\"!\":\"x\",\"/\":\"a\"}", CID_OK, 0, 0},
    {CBOR, JSON, "a1612f01", "{\"/\":1}", CID_OK, 0, 0},
    {CBOR, JSON, "a1612f80", "{\"/\":[]}", CID_OK, 0, 0},
    {CBOR, JSON, "a1612fa1656279746573626161", NULL, CID_E_JSON_RESERVED, 0, 0},
    {CBOR, JSON, "a1612fc1a1656279746573c1626161", NULL, CID_E_JSON_RESERVED, 0,
     CID_DAG_ALLOW_TAGS},
    {CBOR, JSON, "a1612fa165627974657301", "{\"/\":{\"bytes\":1}}", CID_OK, 0, 0},
    {CBOR, JSON, "a1612fa26161016562797465736161", "{\"/\":{\"a\":1,\"bytes\":\"a\"}}", CID_OK, 0,
     0},
    {CBOR, JSON,
     "a1612fa2617a01656279746573"
     "6161",
     NULL, CID_E_JSON_RESERVED, 0, 0},
    {CBOR, JSON, "a1612f4101", "{\"/\":{\"/\":{\"bytes\":\"AQ\"}}}", CID_OK, 0, 0},
    {CBOR, JSON,
     "a1656279746573"
     "6161",
     "{\"bytes\":\"a\"}", CID_OK, 0, 0},
    /* and back */
    {JSON, CBOR, "{\"aa\":{\"ww\":true,\"x\":1},\"b\":2}", "a2616202626161a2617801627777f5", CID_OK,
     0, 0},
    {JSON, CBOR, "{\"/\":\"" D1_TEXT "\"}", "d82a582500" D1, CID_OK, 0, 0},
    {JSON, CBOR, "{\"/\":\"z" V0_TEXT "\"}", NULL, CID_E_V0_IN_BASE, 6, 0},
    {JSON, CBOR, "{\"/\":{\"bytes\":\"AQID\"}}", "43010203", CID_OK, 0, 0},
    {JSON, CBOR, "{\"/\": {\"bytes\": \"\\u0041Q==\"}}", "4101", CID_OK, 0,
     CID_DAG_ALLOW_SPELLING | CID_DAG_ALLOW_PADDING},
    {JSON, JSON, "{\"/\": {\"bytes\": \"\\u0041Q==\"}}", "{\"/\":{\"bytes\":\"AQ\"}}", CID_OK, 0,
     CID_DAG_ALLOW_SPELLING | CID_DAG_ALLOW_PADDING},
    {JSON, JSON, "{\"/\":{\"bytes\":\"AQ==\"}}", "{\"/\":{\"bytes\":\"AQ\"}}", CID_OK, 0,
     CID_DAG_ALLOW_PADDING},
    {JSON, JSON, "[ 1.50, 1E2, -0, \"\\u0041\\/\\u0000\" ]", "[1.5,100.0,0,\"A/\\u0000\"]", CID_OK,
     0, CID_DAG_ALLOW_SPELLING},
    {JSON, CBOR, "[1e2,\"\\u0041\\ud83d\\ude80\\n\"]",
     "82fb405900000000000066"
     "41f09f9a800a",
     CID_OK, 0, CID_DAG_ALLOW_SPELLING},
    {JSON, CBOR, "{\"b\":1,\"\\u0061a\":2,\"a\":3}",
     "a3616103616201626161"
     "02",
     CID_OK, 0, CID_DAG_ALLOW_SPELLING},
    {JSON, JSON, "{\"b\":1,\"\\u0061a\":2,\"a\":3}", "{\"a\":3,\"aa\":2,\"b\":1}", CID_OK, 0,
     CID_DAG_ALLOW_SPELLING},
    {JSON, CBOR, "{\"b\":1,\"a\":2,\"\\u0062\":3}", NULL, CID_E_JSON_KEY_TWICE, 13,
     CID_DAG_ALLOW_SPELLING},
    {JSON, CBOR, "{\"0bar\":1,\"/\":\"foo\"}", "a2612f63666f6f643062617201", CID_OK, 0,
     CID_DAG_ALLOW_SPELLING},
    {JSON, JSON, "{\"0bar\":1,\"/\":\"foo\"}", NULL, CID_E_JSON_RESERVED, 0,
     CID_DAG_ALLOW_SPELLING},
    {JSON, JSON, "{\"/\":\"f01550000\"}", "{\"/\":\"bafkqaaa\"}", CID_OK, 0, CID_DAG_ALLOW_BASES},
    {JSON, CBOR, "18446744073709551616", NULL, CID_E_JSON_RANGE, 0, CID_DAG_ALLOW_ALL},
    {JSON, CBOR, "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,[0]]",
     "9818000000000000000000000000000000000000000000000081"
     "00",
     CID_OK, 0, 0},
    /* DAG-PB */
    {PB, JSON, "", "{\"Links\":[]}", CID_OK, 0, 0},
    {PB, CBOR, "", "a1654c696e6b7380", CID_OK, 0, 0},
    {PB, PB, "", "", CID_OK, 0, 0},
    {JSON, PB, "{\"Links\":[]}", "", CID_OK, 0, 0},
    {PB, JSON,
     "120a0a050155000161"
     "1201620a0108",
     "{\"Data\":{\"/\":{\"bytes\":\"CA\"}},\"Links\":[{\"Hash\":{\"/"
     "\":\"bafkqaalb\"},\"Name\":\"b\"}]}",
     CID_OK, 0, 0},
    {PB, JSON, "12260a24" D1, "{\"Links\":[{\"Hash\":{\"/\":\"" D1_TEXT "\"}}]}", CID_OK, 0, 0},
    {PB, PB, "0a02080212280a24" D1 "1200", "12280a24" D1 "12000a020802", CID_OK, 0, 0},
    {PB, CBOR, "12310a24" D1 "18ffffffffffffffffff01",
     "a1654c696e6b7381a26448617368d82a582500" D1 "655473697a651bffffffffffffffff", CID_OK, 0, 0},
    {PB, JSON, "12290a24" D1 "1201ff", NULL, CID_E_PB_UTF8, 42, 0},
    {PB, JSON, "12290a24" D1 "1201ff", NULL, CID_E_PB_UTF8, 42, CID_DAG_ALLOW_NAMES},
    {PB, PB,
     "12290a24" D1 "120162"
     "12290a24" D1 "120161",
     NULL, CID_E_PB_LINK_ORDER, 0, 0},
    {JSON, PB, "{}", NULL, CID_E_PB_SHAPE, 0, 0},
    {JSON, PB, "{\"Data\":null,\"Links\":[]}", NULL, CID_E_PB_SHAPE, 0, 0},
    {JSON, PB, "{\"Links\":[{\"Hash\":{\"/\":\"bafkqaaa\"},\"x\":1}]}", NULL, CID_E_PB_SHAPE, 0, 0},
    {CBOR, PB, "a1654c696e6b7381a0", NULL, CID_E_PB_SHAPE, 8, 0},
    /* raw */
    {CID_CODEC_RAW, JSON, "010203", "{\"/\":{\"bytes\":\"AQID\"}}", CID_OK, 0, 0},
    {CID_CODEC_RAW, CBOR, "", "40", CID_OK, 0, 0},
};

static void nodes_are_written_in_other_codecs(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(conversions); i++) {
        struct cid_dag_options options = {.allow = conversions[i].allow};
        struct test_bytes in = test_block(conversions[i].from, conversions[i].in), out;
        const uint8_t *data = test_guard(in.data, in.len);
        struct cid_fault fault = {0};
        struct cid_bytes made;
        enum cid_error error = cid_dag_make(&made, &fault, conversions[i].to, conversions[i].from,
                                            data, in.len, &options, NULL);
        if (error != conversions[i].error || fault.code != error ||
            fault.offset != conversions[i].offset)
            fail_msg("%s: %s at %u", conversions[i].in, cid_error_name(error),
                     (unsigned)fault.offset);
        if (!error) {
            out = test_block(conversions[i].to, conversions[i].out);
            if (made.len != out.len || memcmp(cid_bytes_of(&made), out.data, out.len) != 0)
                fail_msg("%s: %.*s", conversions[i].in, (int)made.len,
                         (const char *)cid_bytes_of(&made));
            test_bytes_free(&out);
        }
        cid_bytes_free(&made, NULL);
        test_bytes_free(&in);
        test_guard_release();
    }
}

static const uint64_t codecs[] = {CBOR, JSON, PB};

static void every_capacity_and_every_allocation(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(codecs) * COUNT(codecs); i++) {
        uint64_t from = codecs[i / COUNT(codecs)], to = codecs[i % COUNT(codecs)];
        struct test_bytes in = test_sample(from);
        struct test_alloc alloc;
        struct cid_bytes made;
        if (to == PB && from != PB) {
            test_bytes_free(&in);
            continue;
        }
        for (size_t grace = 0;; grace++) {
            enum cid_error error;
            test_alloc_init(&alloc, grace);
            error = cid_dag_make(&made, NULL, to, from, in.data, in.len, NULL, &alloc.allocator);
            if (!error)
                break;
            assert_error(error, CID_E_NOMEM);
            assert_int_equal(alloc.live, 0);
            assert_int_equal(made.len, 0);
        }
        for (size_t cap = 0; cap <= made.len; cap++) {
            uint8_t *out = malloc(cap + !cap);
            size_t written = 4711;
            enum cid_error error =
                cid_dag_write(out, cap, &written, NULL, to, from, in.data, in.len, NULL, NULL);
            assert_error(error, cap < made.len ? CID_E_NOSPACE : CID_OK);
            assert_int_equal(written, made.len);
            if (!error)
                assert_memory_equal(out, cid_bytes_of(&made), made.len);
            free(out);
        }
        if (to == from) {
            assert_int_equal(made.len, in.len);
            assert_memory_equal(cid_bytes_of(&made), in.data, in.len);
        }
        cid_bytes_free(&made, &alloc.allocator);
        assert_int_equal(alloc.live, 0);
        test_bytes_free(&in);
    }
}

/* A map of many keys, in an order that has to be undone; as DAG-JSON, `count` times "kNNNNN":0. */
static void large_maps_are_sorted(void **state)
{
    enum {
        KEYS = 6000
    };
    size_t cap = KEYS * 12 + 16, n = 0, longest = 0;
    char *text = malloc(cap);
    struct cid_bytes cbor, json;
    struct test_alloc alloc;
    struct cid_fault fault = {0};
    struct cid_dag_options options = {.allow = CID_DAG_ALLOW_SPELLING};
    (void)state;

    assert_non_null(text);
    text[n++] = '{';
    for (unsigned i = 0; i < KEYS; i++)
        n += (size_t)snprintf(text + n, cap - n, "%s\"%u\":%u", i ? "," : "", i * 7919u % KEYS,
                              i % 10);
    text[n++] = '}';
    test_alloc_init(&alloc, SIZE_MAX);
    assert_error(cid_dag_make(&cbor, NULL, CBOR, JSON, text, n, &options, &alloc.allocator),
                 CID_OK);
    assert_true(alloc.bytes < 60 * n);
    assert_error(cid_dag_check(NULL, CBOR, cid_bytes_of(&cbor), cbor.len, NULL), CID_OK);
    assert_error(cid_dag_make(&json, NULL, JSON, CBOR, cid_bytes_of(&cbor), cbor.len, NULL, NULL),
                 CID_OK);
    assert_int_equal(json.len, n);
    assert_error(cid_dag_check(NULL, JSON, cid_bytes_of(&json), json.len, NULL), CID_OK);
    cid_bytes_free(&cbor, &alloc.allocator);
    cid_bytes_free(&json, NULL);
    /* Without memory the search for duplicates ends some day, and says so. */
    assert_error(cid_dag_check(&fault, JSON, text, n, &options), CID_E_JSON_KEY_ORDER);
    /* The last key once more: found. */
    for (size_t i = n; text[i - 1] != ','; i--)
        longest++;
    assert_true(longest < 12);
    memcpy(text + n, text + n - longest, longest);
    text[n - 1] = ',';
    assert_error(cid_dag_make(&cbor, &fault, CBOR, JSON, text, n + longest, &options, NULL),
                 CID_E_JSON_KEY_TWICE);
    assert_int_equal(fault.offset, n);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_written_in_other_codecs),
        cmocka_unit_test(every_capacity_and_every_allocation),
        cmocka_unit_test(large_maps_are_sorted),
    };
    return cmocka_run_group_tests_name("dag_write", tests, NULL, NULL);
}
