#include "blocks.h"

const struct cid_dag_options test_lenient = {.allow = CID_DAG_ALLOW_ALL};

struct test_bytes test_block(uint64_t codec, const char *text)
{
    struct test_bytes block;

    if (codec != JSON)
        return test_hex(text);
    block.len = strlen(text);
    block.data = malloc(block.len + 1);
    assert_non_null(block.data);
    memcpy(block.data, text, block.len + 1);
    return block;
}

static const char sample_json[] =
    "{\"a\":[1,-2,1.5,true,null,{\"/\":\"" D1_TEXT "\"}],\"bb\":{\"/\":{\"bytes\":\"AQIDBA\"}},"
    "\"c\":\"x\\n\xe2\x82\xac\",\"dd\":{\"e\":{},\"ff\":[[]],\"g\":{\"/\":\"" V0_TEXT "\"}}}";
static const char sample_pb[] =
    "122b0a24" D1 "120161180112290a22" V0 "1201621802122d0a24" D1 "120263641880010a020802";

struct test_bytes test_sample(uint64_t codec)
{
    struct test_bytes json, out;
    struct cid_bytes made;

    if (codec == PB)
        return test_hex(sample_pb);
    json = test_block(JSON, sample_json);
    if (codec == JSON)
        return json;
    assert_error(cid_dag_make(&made, NULL, codec, JSON, json.data, json.len, NULL, NULL), CID_OK);
    out = json;
    assert_true(made.len <= json.len);
    out.len = made.len;
    memcpy(out.data, cid_bytes_of(&made), made.len);
    cid_bytes_free(&made, NULL);
    return out;
}
