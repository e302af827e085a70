/*
 * blocks.h - for the tests of what is inside blocks: CIDs to link to, and blocks written down.
 */
#ifndef CID_TEST_BLOCKS_H
#define CID_TEST_BLOCKS_H

#include "support.h"

#include <cid/dag.h>

#define D1      "01551220ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
#define D1_TEXT "bafkreigks6arfsq3xxfpvqrrwonchxcnu6do76auprhhfomao6c273sixm"
#define V0_TEXT "QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n"
#define V0      "1220e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

#define CBOR    CID_CODEC_DAG_CBOR
#define JSON    CID_CODEC_DAG_JSON
#define PB      CID_CODEC_DAG_PB

extern const struct cid_dag_options test_lenient; /* all that can be allowed */

/* A block from hexadecimal, or from text where it is DAG-JSON. Free with test_bytes_free. */
struct test_bytes test_block(uint64_t codec, const char *text);

/* A block of the codec with values of all kinds. Free with test_bytes_free. */
struct test_bytes test_sample(uint64_t codec);

#endif
