/*
 * Blocks of every codec: what is right and wrong in them and where, and their links.
 */
#include "blocks.h"

/* ---- what is right and wrong ------------------------------------------------------------ */

static const struct {
    uint64_t codec;
    const char *block;
    enum cid_error strict;
    size_t offset; /* of the fault */
    enum cid_error lenient;
    size_t links;
} rules[] = {
    /* DAG-CBOR; test_cbor.c has more */
    {CBOR, "a2616100616101", CID_E_CBOR_KEY_TWICE, 4, CID_E_CBOR_KEY_TWICE, 0},
    {CBOR, "a3636261720363666f6f0163666f6f02", CID_E_CBOR_KEY_TWICE, 11, CID_E_CBOR_KEY_TWICE, 0},
    {CBOR, "a10000", CID_E_CBOR_KEY_TYPE, 1, CID_E_CBOR_KEY_TYPE, 0},
    {CBOR, "a2616201616100", CID_E_CBOR_KEY_ORDER, 4, CID_OK, 0},
    {CBOR, "a26361616101617802", CID_E_CBOR_KEY_ORDER, 6, CID_OK, 0},
    {CBOR, "bfff", CID_E_CBOR_HEAD, 0, CID_E_CBOR_HEAD, 0},
    {CBOR, "f97e00", CID_E_CBOR_FLOAT, 0, CID_OK, 0},
    {CBOR, "fb7ff8000000000000", CID_E_CBOR_FLOAT, 0, CID_OK, 0},
    {CBOR, "fb7ff0000000000000", CID_E_CBOR_FLOAT, 0, CID_OK, 0},
    {CBOR, "f93e00", CID_E_CBOR_FLOAT, 0, CID_OK, 0},
    {CBOR, "f7", CID_E_CBOR_SIMPLE, 0, CID_OK, 0},
    {CBOR, "f818", CID_E_CBOR_SIMPLE, 0, CID_E_CBOR_SIMPLE, 0},
    {CBOR, "c11a00000000", CID_E_CBOR_TAG, 0, CID_OK, 0},
    {CBOR, "d9d9f700", CID_E_CBOR_TAG, 0, CID_OK, 0},
    {CBOR, "1800", CID_E_CBOR_NOT_MINIMAL, 0, CID_OK, 0},
    {CBOR, "62c328", CID_E_CBOR_UTF8, 1, CID_OK, 0},
    {CBOR, "0000", CID_E_TRAILING, 1, CID_E_TRAILING, 0},
    {CBOR, "", CID_E_TRUNCATED, 0, CID_E_TRUNCATED, 0},
    {CBOR, "fb8000000000000000", CID_OK, 0, CID_OK, 0},
    {CBOR, "82d82a582500" D1 "a16161d82a582300" V0, CID_OK, 0, CID_OK, 2},
    {CBOR, "d82a582600" D1 "00", CID_E_TRAILING, 4, CID_E_TRAILING, 0},
    /* DAG-JSON: the reserved forms */
    {JSON, "{\"/\":\"" D1_TEXT "\"}", CID_OK, 0, CID_OK, 1},
    {JSON, "{\"/\":\"" V0_TEXT "\"}", CID_OK, 0, CID_OK, 1},
    {JSON, "{\"/\":\"zb2rhk6GMPQF3hfzwXTaNYFLKomMeC6UXdUt6jZKPpeVirLtV\"}", CID_E_JSON_LINK_BASE, 6,
     CID_OK, 1},
    {JSON, "{\"/\":\"z" V0_TEXT "\"}", CID_E_V0_IN_BASE, 6, CID_E_V0_IN_BASE, 0},
    {JSON, "{\"/\":{\"bytes\":\"AQID\"}}", CID_OK, 0, CID_OK, 0},
    {JSON, "{\"/\":{\"bytes\":\"\"}}", CID_OK, 0, CID_OK, 0},
    {JSON, "{\"/\":{\"bytes\":\"AQ==\"}}", CID_E_BASE_PADDING, 17, CID_OK, 0},
    {JSON, "{\"/\":{\"bytes\":\"AR\"}}", CID_E_BASE_BITS, 16, CID_E_BASE_BITS, 0},
    {JSON, "{\"/\":{\"bytes\":\"A\"}}", CID_E_BASE_LENGTH, 16, CID_E_BASE_LENGTH, 0},
    {JSON, "{\"/\":{\"bytes\":\"-_-_\"}}", CID_E_BASE_CHAR, 15, CID_E_BASE_CHAR, 0},
    {JSON, "{\"/\":\"foo\"}", CID_E_BASE_CHAR, 7, CID_E_BASE_CHAR, 0},
    {JSON, "{\"/\":\"\"}", CID_E_TEXT_EMPTY, 6, CID_E_TEXT_EMPTY, 0},
    {JSON, "{\"/\":\"foo\",\"bar\":1}", CID_E_JSON_RESERVED, 11, CID_E_JSON_RESERVED, 0},
    {JSON, "{\"/\":{\"bytes\":\"AQ\",\"y\":1}}", CID_E_JSON_RESERVED, 19, CID_E_JSON_RESERVED, 0},
    {JSON, "{\"/\":{\"bytes\":\"AQ\"},\"y\":1}", CID_E_JSON_RESERVED, 20, CID_E_JSON_RESERVED, 0},
    {JSON, "{\"/\":{\"abar\":1,\"bytes\":\"AQ\"}}", CID_OK, 0, CID_OK, 0},
    {JSON, "{\"/\":true,\"bar\":1}", CID_OK, 0, CID_OK, 0},
    {JSON, "{\"/\":{\"bytes\":true},\"bar\":1}", CID_OK, 0, CID_OK, 0},
    {JSON, "{\"/\":{}}", CID_OK, 0, CID_OK, 0},
    {JSON, "{\"/\":{\"/\":\"" D1_TEXT "\"}}", CID_OK, 0, CID_OK, 1},
    {JSON, "{\"0bar\":1,\"/\":\"foo\"}", CID_E_JSON_KEY_ORDER, 10, CID_OK, 0},
    {JSON, "{\"!\":1,\"/\":\"foo\"}", CID_OK, 0, CID_OK, 0},
    {JSON, "{\"a\":{\"/\":\"" D1_TEXT "\"},\"b\":\"" D1_TEXT "\"}", CID_OK, 0, CID_OK, 1},
    {JSON, "{\"\\/\":\"" D1_TEXT "\"}", CID_E_JSON_SPELLING, 2, CID_OK, 1},
    {JSON, "{\"\\u002f\":\"\\u0062afkqaaa\"}", CID_E_JSON_SPELLING, 2, CID_OK, 1},
    {JSON, "{\"foo\":1,\"foo\":2,\"bar\":3}", CID_E_JSON_KEY_TWICE, 9, CID_E_JSON_KEY_TWICE, 0},
    {JSON, "{\"b\":1,\"a\":2,\"b\":3}", CID_E_JSON_KEY_ORDER, 7, CID_E_JSON_KEY_TWICE, 0},
    {JSON, "{\"b\":[{}],\"a\":2,\"\\u0061\":3}", CID_E_JSON_KEY_ORDER, 10, CID_E_JSON_KEY_TWICE, 0},
    {JSON, "{\"b\":1,\"c\":2,\"a\":3}", CID_E_JSON_KEY_ORDER, 13, CID_OK, 0},
    {JSON, "{\"aa\":1,\"b\":2}", CID_OK, 0, CID_OK, 0},
    {JSON, "{\"b\":1,\"aa\":2}", CID_E_JSON_KEY_ORDER, 7, CID_OK, 0},
    /* DAG-JSON: the one spelling */
    {JSON, "[1, 2]", CID_E_JSON_SPELLING, 3, CID_OK, 0},
    {JSON, "1\n", CID_E_JSON_SPELLING, 1, CID_OK, 0},
    {JSON, " 1", CID_E_JSON_SPELLING, 0, CID_OK, 0},
    {JSON, "\"\\n\\u0001\\\"\\\\\\u001f\"", CID_OK, 0, CID_OK, 0},
    {JSON, "\"\\u001F\"", CID_E_JSON_SPELLING, 1, CID_OK, 0},
    {JSON, "\"a\\u000a\"", CID_E_JSON_SPELLING, 2, CID_OK, 0},
    {JSON, "\"\\u0041\"", CID_E_JSON_SPELLING, 1, CID_OK, 0},
    {JSON, "\"\\/\"", CID_E_JSON_SPELLING, 1, CID_OK, 0},
    {JSON, "\"\\ud83d\\ude80\"", CID_E_JSON_SPELLING, 1, CID_OK, 0},
    {JSON, "-0", CID_E_JSON_SPELLING, 0, CID_OK, 0},
    {JSON, "-0.0", CID_OK, 0, CID_OK, 0},
    {JSON, "1.50", CID_E_JSON_SPELLING, 0, CID_OK, 0},
    {JSON, "1e2", CID_E_JSON_SPELLING, 0, CID_OK, 0},
    {JSON, "100.0", CID_OK, 0, CID_OK, 0},
    {JSON, "18446744073709551615", CID_OK, 0, CID_OK, 0},
    {JSON, "18446744073709551616", CID_E_JSON_RANGE, 0, CID_E_JSON_RANGE, 0},
    {JSON, "-18446744073709551616", CID_OK, 0, CID_OK, 0},
    {JSON, "-18446744073709551617", CID_E_JSON_RANGE, 0, CID_E_JSON_RANGE, 0},
    {JSON, "1e400", CID_E_JSON_RANGE, 0, CID_E_JSON_RANGE, 0},
    {JSON, "[01]", CID_E_JSON_NUMBER, 1, CID_E_JSON_NUMBER, 0},
    {JSON, "\"\\ud800\"", CID_E_JSON_SURROGATE, 1, CID_E_JSON_SURROGATE, 0},
    {JSON, "{}{}", CID_E_TRAILING, 2, CID_E_TRAILING, 0},
    {JSON, "", CID_E_TRUNCATED, 0, CID_E_TRUNCATED, 0},
    /* DAG-PB */
    {PB, "", CID_OK, 0, CID_OK, 0},
    {PB, "1200", CID_E_PB_NO_HASH, 2, CID_E_PB_NO_HASH, 0},
    {PB, "12020a00", CID_E_TRUNCATED, 4, CID_E_TRUNCATED, 0},
    {PB, "12021200", CID_E_PB_NO_HASH, 2, CID_E_PB_NO_HASH, 0},
    {PB, "12021800", CID_E_PB_NO_HASH, 2, CID_E_PB_NO_HASH, 0},
    {PB, "12000a050001020304", CID_E_PB_NO_HASH, 2, CID_E_PB_NO_HASH, 0},
    {PB, "127f0a24", CID_E_TRUNCATED, 4, CID_E_TRUNCATED, 0},
    {PB, "12040a7f0155", CID_E_TRUNCATED, 6, CID_E_TRUNCATED, 0},
    {PB, "12260a30" D1, CID_E_TRUNCATED, 40, CID_E_TRUNCATED, 0},
    {PB, "122b0a24" D1 "12016118010a020802", CID_OK, 0, CID_OK, 1},
    {PB, "0a020802122b0a24" D1 "1201611801", CID_OK, 0, CID_OK, 1},
    {PB, "12260a24" D1 "0a0012260a24" D1, CID_E_PB_ORDER, 42, CID_E_PB_ORDER, 1},
    {PB, "0a000a00", CID_E_PB_ORDER, 2, CID_E_PB_ORDER, 0},
    {PB, "0801", CID_E_PB_FIELD, 0, CID_E_PB_FIELD, 0},
    {PB, "1a00", CID_E_PB_FIELD, 0, CID_E_PB_FIELD, 0},
    {PB, "0b0c", CID_E_PB_FIELD, 0, CID_E_PB_FIELD, 0},
    {PB, "12280a24" D1 "2000", CID_E_PB_FIELD, 40, CID_E_PB_FIELD, 0},
    {PB,
     "12281200"
     "0a24" D1,
     CID_E_PB_ORDER, 4, CID_E_PB_ORDER, 0},
    {PB, "124c0a24" D1 "0a24" D1, CID_E_PB_ORDER, 40, CID_E_PB_ORDER, 0},
    {PB, "12240a22" V0, CID_OK, 0, CID_OK, 1},
    {PB, "12290a24" D1 "1201ff", CID_E_PB_UTF8, 42, CID_OK, 1},
    {PB, "12310a24" D1 "18ffffffffffffffffff01", CID_OK, 0, CID_OK, 1},
    {PB, "12310a24" D1 "18ffffffffffffffffff02", CID_E_VARINT_OVERFLOW, 41, CID_E_VARINT_OVERFLOW,
     0},
    {PB, "12290a24" D1 "188000", CID_E_VARINT_NOT_MINIMAL, 41, CID_OK, 1},
    {PB, "0a", CID_E_TRUNCATED, 1, CID_E_TRUNCATED, 0},
    {PB, "0affffffffffffffffff01", CID_E_TRUNCATED, 11, CID_E_TRUNCATED, 0},
    /* raw */
    {CID_CODEC_RAW, "", CID_OK, 0, CID_OK, 0},
    {CID_CODEC_RAW, "00ff", CID_OK, 0, CID_OK, 0},
};

/* The number of links before the end, which is a failure or CID_OK. */
static size_t count_links(enum cid_error *end, uint64_t codec, const uint8_t *data, size_t len,
                          const struct cid_dag_options *options)
{
    static struct cid_links links;
    struct cid_view view;
    size_t count = 0;

    *end = cid_links_begin(&links, codec, data, len, options);
    while (!*end && !(*end = cid_links_next(&links, &view))) {
        const uint8_t *within = codec == JSON ? (const uint8_t *)&links : data;
        size_t room = codec == JSON ? sizeof links : len;
        assert_true(view.bytes >= within && view.bytes + view.len <= within + room);
        count++;
    }
    assert_error(cid_links_next(&links, &view), *end);
    assert_error(cid_links_fault(&links)->code, *end == CID_END ? CID_OK : *end);
    *end = *end == CID_END ? CID_OK : *end;
    return count;
}

static void the_rules_are_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rules); i++) {
        struct test_bytes block = test_block(rules[i].codec, rules[i].block);
        const uint8_t *data = test_guard(block.data, block.len);
        struct cid_fault fault = {0};
        enum cid_error end, error = cid_dag_check(&fault, rules[i].codec, data, block.len, NULL);
        size_t count = count_links(&end, rules[i].codec, data, block.len, &test_lenient);
        if (error != rules[i].strict || fault.code != error ||
            (error && fault.offset != rules[i].offset))
            fail_msg("%s: %s at %u", rules[i].block, cid_error_name(error), (unsigned)fault.offset);
        if (end != rules[i].lenient || count != rules[i].links)
            fail_msg("%s: %s leniently, %u links", rules[i].block, cid_error_name(end),
                     (unsigned)count);
        assert_error(cid_dag_check(NULL, rules[i].codec, data, block.len, NULL), error);
        test_bytes_free(&block);
        test_guard_release();
    }
}

static void each_leniency_is_one_flag(void **state)
{
    static const struct {
        uint64_t codec;
        const char *block;
        uint32_t flag;
    } rows[] = {
        {CBOR, "1800", CID_DAG_ALLOW_LONG_HEADS},
        {PB, "0a8000", CID_DAG_ALLOW_LONG_HEADS},
        {CBOR, "a2616201616100", CID_DAG_ALLOW_KEY_ORDER},
        {CBOR, "f93e00", CID_DAG_ALLOW_FLOATS},
        {CBOR, "f7", CID_DAG_ALLOW_SIMPLES},
        {CBOR, "c100", CID_DAG_ALLOW_TAGS},
        {JSON, "{\"/\":\"f01550000\"}", CID_DAG_ALLOW_BASES},
        {JSON, "{\"/\":\"bafkqAAA\"}", CID_DAG_ALLOW_BASES},
        {JSON, "{\"/\":{\"bytes\":\"AQ==\"}}", CID_DAG_ALLOW_PADDING},
        {JSON, "[ ]", CID_DAG_ALLOW_SPELLING},
        {JSON, "{\"b\":1,\"a\":2}", CID_DAG_ALLOW_SPELLING},
        {JSON, "{\"\\/\":\"bafkqaaa\"}", CID_DAG_ALLOW_SPELLING},
        {JSON, "{\"0bar\":1,\"/\":\"foo\"}", CID_DAG_ALLOW_SPELLING},
        {JSON, "1E2", CID_DAG_ALLOW_SPELLING},
        {JSON, "\"\\u00e9\"", CID_DAG_ALLOW_SPELLING},
        {PB, "12290a24" D1 "1201ff", CID_DAG_ALLOW_NAMES},
        {CBOR, "61ff", CID_DAG_ALLOW_NAMES},
        {CBOR, "a161ff00", CID_DAG_ALLOW_NAMES},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct test_bytes block = test_block(rows[i].codec, rows[i].block);
        for (uint32_t flag = 1; flag <= CID_DAG_ALLOW_ALL; flag <<= 1) {
            struct cid_dag_options options = {.allow = flag};
            bool right = !cid_dag_check(NULL, rows[i].codec, block.data, block.len, &options);
            if (right != (flag == rows[i].flag))
                fail_msg("%s under 0x%x", rows[i].block, (unsigned)flag);
        }
        test_bytes_free(&block);
    }
}

static void wrong_calls_are_refused(void **state)
{
    static struct cid_links links;
    struct cid_dag_options deep = {.max_depth = CID_DAG_DEPTH + 1}, odd = {.allow = 0x80000000u};
    struct cid_bytes made;
    (void)state;

    assert_true(cid_dag_known(CBOR) && cid_dag_known(JSON) && cid_dag_known(PB) &&
                cid_dag_known(CID_CODEC_RAW) && !cid_dag_known(CID_CODEC_CAR));
    assert_error(cid_dag_check(NULL, CID_CODEC_LIBP2P_KEY, "", 0, NULL), CID_E_DAG_CODEC);
    assert_error(cid_links_begin(&links, 0x51, "", 0, NULL), CID_E_DAG_CODEC);
    assert_error(cid_links_begin(&links, CBOR, "", 0, &deep), CID_E_ARGUMENT);
    assert_error(cid_dag_check(NULL, CBOR, "\0", 1, &odd), CID_E_ARGUMENT);
    assert_error(cid_dag_make(&made, NULL, CID_CODEC_RAW, CBOR, "\0", 1, NULL, NULL),
                 CID_E_DAG_CODEC);
    assert_error(cid_dag_make(&made, NULL, CBOR, CID_CODEC_CAR, "\0", 1, NULL, NULL),
                 CID_E_DAG_CODEC);
    assert_error(cid_dag_make(&made, NULL, CBOR, CBOR, "\0", 1, &odd, NULL), CID_E_ARGUMENT);
}

static const uint64_t codecs[] = {CBOR, JSON, PB};

/* ---- hostile blocks --------------------------------------------------------------------- */

/* Reads a block in every way; what is accepted strictly must come out as it went in. */
static void look_at(uint64_t codec, const uint8_t *data, size_t len)
{
    static struct cid_links links;
    struct cid_fault fault = {0};
    struct cid_view view;
    struct cid_bytes made;
    enum cid_error strict = cid_dag_check(&fault, codec, data, len, NULL), error;

    assert_true(fault.offset <= len);
    error = cid_links_begin(&links, codec, data, len, &test_lenient);
    while (!error)
        error = cid_links_next(&links, &view);
    if (!strict)
        assert_error(error, CID_END);
    for (size_t i = 0; i < COUNT(codecs); i++) {
        error = cid_dag_make(&made, &fault, codecs[i], codec, data, len, &test_lenient, NULL);
        assert_true(fault.offset <= len);
        if (!error)
            assert_error(cid_dag_check(NULL, codecs[i], cid_bytes_of(&made), made.len, NULL),
                         CID_OK);
        if (!strict && codecs[i] == codec && codec != PB) {
            assert_error(error, CID_OK);
            assert_int_equal(made.len, len);
            if (len != 0)
                assert_memory_equal(cid_bytes_of(&made), data, len);
        }
        cid_bytes_free(&made, NULL);
    }
}

static void cuts_and_flips_are_survived(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(codecs); i++) {
        struct test_bytes block = test_sample(codecs[i]);
        for (size_t len = 0; len <= block.len; len++) {
            look_at(codecs[i], test_guard(block.data, len), len);
            if (len % 64 == 0)
                test_guard_release();
        }
        for (size_t bit = 0; bit < 8 * block.len; bit++) {
            block.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
            look_at(codecs[i], block.data, block.len);
            block.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        test_bytes_free(&block);
    }
    test_guard_release();
}

static void bombs_end_at_once(void **state)
{
    static const struct {
        uint64_t codec;
        const char *block;
        enum cid_error error;
    } rows[] = {
        {CBOR, "9b7fffffffffffffff", CID_E_TRUNCATED},
        {CBOR,
         "9a7fffffff9a7fffffff9a7fffffff9a7fffffff9a7fffffff9a7fffffff"
         "9a7fffffff9a7fffffff9a7fffffff9a7fffffff9a7fffffff9a7fffffff",
         CID_E_TRUNCATED},
        {CBOR, "5b7fffffffffffffff", CID_E_TRUNCATED},
        {CBOR, "bb3030303030303030", CID_E_TRUNCATED},
        {PB, "12ffffffffffffffff7f", CID_E_TRUNCATED},
    };
    size_t len = 2000001;
    uint8_t *deep = malloc(len);
    struct cid_fault fault = {0};
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct test_bytes block = test_hex(rows[i].block);
        struct test_alloc alloc;
        struct cid_bytes made;
        test_alloc_init(&alloc, SIZE_MAX);
        assert_error(cid_dag_check(NULL, rows[i].codec, block.data, block.len, NULL),
                     rows[i].error);
        assert_error(cid_dag_make(&made, NULL, JSON, rows[i].codec, block.data, block.len, NULL,
                                  &alloc.allocator),
                     rows[i].error);
        assert_true(alloc.bytes <= 4096 && alloc.live == 0);
        test_bytes_free(&block);
    }
    assert_non_null(deep);
    memset(deep, 0x81, len);
    deep[len - 1] = 0;
    assert_error(cid_dag_check(&fault, CBOR, deep, len, NULL), CID_E_DEPTH_LIMIT);
    assert_int_equal(fault.offset, CID_DAG_DEPTH);
    assert_int_equal(fault.need, CID_DAG_DEPTH);
    memset(deep, '[', len);
    assert_error(cid_dag_check(&fault, JSON, deep, len, NULL), CID_E_DEPTH_LIMIT);
    assert_int_equal(fault.offset, CID_DAG_DEPTH);
    for (size_t i = 0; i < len; i++) /* {"":{"":... */
        deep[i] = (uint8_t) "{\"\":"[i % 4];
    assert_error(cid_dag_check(&fault, JSON, deep, len, &test_lenient), CID_E_DEPTH_LIMIT);
    for (size_t i = 0; i < len; i++) /* {"/":{"/":... */
        deep[i] = (uint8_t) "{\"/\":"[i % 5];
    assert_error(cid_dag_check(&fault, JSON, deep, len, &test_lenient), CID_E_DEPTH_LIMIT);
    free(deep);
}

static void the_depth_can_be_chosen(void **state)
{
    size_t depth = 5000;
    uint8_t *block = malloc(depth + 1), *stack = malloc(depth * CID_DAG_LEVEL_SIZE);
    struct cid_dag_options options = {.max_depth = depth, .stack = stack};
    struct cid_bytes json;
    (void)state;

    assert_true(block && stack);
    memset(block, 0x81, depth);
    block[depth] = 0;
    assert_error(cid_dag_check(NULL, CBOR, block, depth + 1, NULL), CID_E_DEPTH_LIMIT);
    assert_error(cid_dag_check(NULL, CBOR, block, depth + 1, &options), CID_OK);
    assert_error(cid_dag_make(&json, NULL, JSON, CBOR, block, depth + 1, &options, NULL), CID_OK);
    assert_int_equal(json.len, 2 * depth + 1);
    cid_bytes_free(&json, NULL);
    options.max_depth = 3;
    assert_error(cid_dag_check(NULL, CBOR, block, depth + 1, &options), CID_E_DEPTH_LIMIT);
    options.stack = NULL;
    assert_error(cid_dag_check(NULL, JSON, "[[[0]]]", 7, &options), CID_OK);
    assert_error(cid_dag_check(NULL, JSON, "[[[[]]]]", 8, &options), CID_E_DEPTH_LIMIT);
    /* Bytes and links are no levels of the node. */
    assert_error(cid_dag_check(NULL, JSON, "[[[{\"/\":{\"bytes\":\"\"}}]]]", 24, &options), CID_OK);
    free(block);
    free(stack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rules_are_kept),      cmocka_unit_test(each_leniency_is_one_flag),
        cmocka_unit_test(wrong_calls_are_refused), cmocka_unit_test(cuts_and_flips_are_survived),
        cmocka_unit_test(bombs_end_at_once),       cmocka_unit_test(the_depth_can_be_chosen),
    };
    return cmocka_run_group_tests_name("dag", tests, NULL, NULL);
}
