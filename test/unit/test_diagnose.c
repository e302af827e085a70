#include "support.h"

#include <cid/cid.h>

#define C1  "bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4"
#define HEX "a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447"

static const struct {
    const char *text;
    enum cid_error code;
    enum cid_field field;
    enum cid_where where;
    uint64_t offset, need, have;
    enum cid_likely likely;
    const char *suggestion; /* or NULL */
} rows[] = {
    {C1, CID_OK, CID_FIELD_NONE, CID_WHERE_NONE, 0, 0, 0, CID_LIKELY_NOTHING, NULL},
    {"", CID_E_TEXT_EMPTY, CID_FIELD_BASE, CID_WHERE_TEXT, 0, 0, 0, CID_LIKELY_NOTHING, NULL},
    {"notacid", CID_E_BASE_UNKNOWN, CID_FIELD_BASE, CID_WHERE_TEXT, 0, 0, 0, CID_LIKELY_NOTHING,
     NULL},
    /* the tenth character replaced by one that base32 does not have */
    {"bafkreifj0cie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4", CID_E_BASE_CHAR, CID_FIELD_BASE,
     CID_WHERE_TEXT, 9, 0, 0, CID_LIKELY_NOTHING, NULL},
    {"bafkreifj8cie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4", CID_E_BASE_CHAR, CID_FIELD_BASE,
     CID_WHERE_TEXT, 9, 0, 0, CID_LIKELY_NOTHING, NULL},
    {"QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1", CID_E_V0_LENGTH, CID_FIELD_LENGTH,
     CID_WHERE_TEXT, 45, 46, 45, CID_LIKELY_V0_CUT, NULL},
    {"QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n1", CID_E_V0_LENGTH, CID_FIELD_LENGTH,
     CID_WHERE_TEXT, 46, 46, 47, CID_LIKELY_V0_CUT, NULL},
    {"QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR0n", CID_E_BASE_CHAR, CID_FIELD_BASE,
     CID_WHERE_TEXT, 44, 0, 0, CID_LIKELY_NOTHING, NULL},
    {"qmdftbbqbpq7vnxzeyej14vmruzbkqfbiwreogjgs1zr1n", CID_E_BASE_UNKNOWN, CID_FIELD_BASE,
     CID_WHERE_TEXT, 0, 0, 0, CID_LIKELY_V0_LOWERED, NULL},
    {"zQmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n", CID_E_V0_IN_BASE, CID_FIELD_VERSION,
     CID_WHERE_BYTES, 0, 0, 0, CID_LIKELY_MULTIHASH,
     "bafybeihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"},
    {"bciqohmgeikmpyhautl57jsezn64sij5oihsgjg4tjssjlgi3pbjlqvi", CID_E_V0_IN_BASE,
     CID_FIELD_VERSION, CID_WHERE_BYTES, 0, 0, 0, CID_LIKELY_MULTIHASH,
     "bafybeihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"},
    {"BCIQOHMGEIKMPYHAUTL57JSEZN64SIJ5OIHSGJG4TJSSJLGI3PBJLQVI", CID_E_V0_IN_BASE,
     CID_FIELD_VERSION, CID_WHERE_BYTES, 0, 0, 0, CID_LIKELY_MULTIHASH,
     "bafybeihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"},
    {"1220e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", CID_E_BASE_RESERVED,
     CID_FIELD_BASE, CID_WHERE_TEXT, 0, 0, 0, CID_LIKELY_MULTIHASH,
     "bafybeihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"},
    {HEX, CID_E_BASE_UNKNOWN, CID_FIELD_BASE, CID_WHERE_TEXT, 0, 0, 0, CID_LIKELY_HEX_DIGEST, C1},
    {"12D3KooWPTCWpA2Xi73a1uREdWgF3ssywwth3Sd8A7M5vm3zgdKp", CID_E_BASE_RESERVED, CID_FIELD_BASE,
     CID_WHERE_TEXT, 0, 0, 0, CID_LIKELY_PEER_ID,
     "bafzaajaiaejcbsuxqejmug55zl5memnttir5ytnhq3x7qfd4jzzltadxqwx64sf3"},
    {"/ipfs/" C1 "/a", CID_E_BASE_RESERVED, CID_FIELD_BASE, CID_WHERE_TEXT, 0, 0, 0,
     CID_LIKELY_PATH, C1},
    {C1 "\r\n", CID_E_BASE_CHAR, CID_FIELD_BASE, CID_WHERE_TEXT, 59, 0, 0, CID_LIKELY_QUOTED, C1},
    {"\"" C1 "\"", CID_E_BASE_UNKNOWN, CID_FIELD_BASE, CID_WHERE_TEXT, 0, 0, 0, CID_LIKELY_QUOTED,
     C1},
    {"\xef\xbb\xbf" C1, CID_E_BASE_UNKNOWN, CID_FIELD_BASE, CID_WHERE_TEXT, 0, 0, 0,
     CID_LIKELY_QUOTED, C1},
    {C1 "aa", CID_E_TRAILING, CID_FIELD_TRAILING, CID_WHERE_BYTES, 36, 0, 1, CID_LIKELY_NOTHING,
     NULL},
    {"bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2deve", CID_E_TRUNCATED, CID_FIELD_DIGEST,
     CID_WHERE_BYTES, 35, 32, 31, CID_LIKELY_CUT, NULL},
    /* whole but for its spare bits, and cut within a character */
    {"bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei5", CID_E_BASE_BITS, CID_FIELD_BASE,
     CID_WHERE_TEXT, 58, 0, 0, CID_LIKELY_NOTHING, NULL},
    {"bafkreifjjcie6lypi6ny7amxnfftagc", CID_E_BASE_BITS, CID_FIELD_BASE, CID_WHERE_TEXT, 31, 32,
     15, CID_LIKELY_CUT, NULL},
    /* the same cut at a place where no text of base32 can end */
    {"bafkreifjjcie6lypi6ny7amxnfftag", CID_E_BASE_LENGTH, CID_FIELD_BASE, CID_WHERE_TEXT, 31, 32,
     14, CID_LIKELY_CUT, NULL},
    {"b", CID_E_TRUNCATED, CID_FIELD_VERSION, CID_WHERE_BYTES, 0, 0, 0, CID_LIKELY_NOTHING, NULL},
    {"bqeafkeravfejatzpb5dzxd4bs5uuwmayjmgs5uobzuvb5qh3qxjjtimsurdq", CID_E_VARINT_NOT_MINIMAL,
     CID_FIELD_VERSION, CID_WHERE_BYTES, 0, 0, 0, CID_LIKELY_NOTHING, NULL},
    {"bahkqaeravfejatzpb5dzxd4bs5uuwmayjmgs5uobzuvb5qh3qxjjtimsurdq", CID_E_VARINT_NOT_MINIMAL,
     CID_FIELD_CODEC, CID_WHERE_BYTES, 1, 0, 0, CID_LIKELY_NOTHING, NULL},
    {"bafkzeabavfejatzpb5dzxd4bs5uuwmayjmgs5uobzuvb5qh3qxjjtimsurdq", CID_E_VARINT_NOT_MINIMAL,
     CID_FIELD_HASH, CID_WHERE_BYTES, 2, 0, 0, CID_LIKELY_NOTHING, NULL},
    {"bafkrfiaavfejatzpb5dzxd4bs5uuwmayjmgs5uobzuvb5qh3qxjjtimsurdq", CID_E_VARINT_NOT_MINIMAL,
     CID_FIELD_LENGTH, CID_WHERE_BYTES, 3, 0, 0, CID_LIKELY_NOTHING, NULL},
    {"f0255122000", CID_E_CID_RESERVED, CID_FIELD_VERSION, CID_WHERE_BYTES, 0, 0, 0,
     CID_LIKELY_NOTHING, NULL},
    {"f0055122000", CID_E_CID_EXPLICIT_V0, CID_FIELD_VERSION, CID_WHERE_BYTES, 0, 0, 0,
     CID_LIKELY_NOTHING, NULL},
};

static void says_what_and_where_and_what_it_probably_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t len = strlen(rows[i].text);
        const char *text = (const char *)test_guard(rows[i].text, len);
        struct cid_fault fault;
        struct cid cid;
        char out[128];

        memset(&fault, 0xaa, sizeof fault); /* all but the size is the library's */
        fault.size = 0;
        cid_diagnose(&fault, text, len);
        if (fault.code != rows[i].code || fault.offset != rows[i].offset ||
            fault.likely != rows[i].likely)
            print_error("for %s\n", rows[i].text);
        assert_error(fault.code, rows[i].code);
        assert_string_equal(cid_field_name(fault.field), cid_field_name(rows[i].field));
        assert_string_equal(cid_where_name(fault.where), cid_where_name(rows[i].where));
        assert_int_equal(fault.offset, rows[i].offset);
        assert_int_equal(fault.need, rows[i].need);
        assert_int_equal(fault.have, rows[i].have);
        assert_int_equal(fault.likely, rows[i].likely);
        assert_error(cid_suggest(&cid, text, len, NULL),
                     rows[i].suggestion ? CID_OK : CID_E_NOT_FOUND);
        if (rows[i].suggestion) {
            struct cid_view view = cid_as_view(&cid);
            assert_error(cid_format(out, sizeof out, NULL, &view, CID_BASE_DEFAULT), CID_OK);
            assert_string_equal(out, rows[i].suggestion);
        }
    }
    test_guard_release();
}

static void says_what_could_be_decoded(void **state)
{
    struct cid_fault fault = {0};
    static const char bad_char[] = "bafkreifj0cie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4";
    static const char half[] = "bafkreifjjcie6lypi6ny7amx";
    static const char bad_v0[] = "QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR0n";
    (void)state;

    cid_diagnose(&fault, bad_char, strlen(bad_char));
    assert_int_equal(fault.decoded, CID_DECODED_BASE | CID_DECODED_VERSION | CID_DECODED_CODEC |
                                        CID_DECODED_HASH | CID_DECODED_LENGTH);
    assert_int_equal(fault.base, CID_BASE32);
    assert_int_equal(fault.version, 1);
    assert_int_equal(fault.codec, CID_CODEC_RAW);
    assert_int_equal(fault.hash_code, CID_HASH_SHA2_256);
    assert_int_equal(fault.digest_len, 32);
    cid_diagnose(&fault, half, strlen(half));
    assert_error(fault.code, CID_E_TRUNCATED);
    assert_int_equal(fault.need, 32);
    assert_int_equal(fault.have, 11);
    cid_diagnose(&fault, bad_v0, strlen(bad_v0));
    assert_int_equal(fault.base, CID_BASE58_BTC);
    assert_int_equal(fault.decoded, CID_DECODED_BASE);
    cid_diagnose(&fault, "f0155", 5);
    assert_int_equal(fault.decoded, CID_DECODED_BASE | CID_DECODED_VERSION | CID_DECODED_CODEC);
    assert_int_equal(fault.field, CID_FIELD_HASH);
    assert_int_equal(fault.offset, 2);
}

static void the_same_for_bytes(void **state)
{
    static const struct {
        const char *hex;
        enum cid_error code;
        enum cid_field field;
        uint64_t offset, need, have;
    } bytes[] = {
        {"01550000", CID_OK, CID_FIELD_NONE, 0, 0, 0},
        {"", CID_E_TRUNCATED, CID_FIELD_VERSION, 0, 0, 0},
        {"80", CID_E_TRUNCATED, CID_FIELD_VERSION, 1, 0, 0},
        {"0180", CID_E_TRUNCATED, CID_FIELD_CODEC, 2, 0, 0},
        {"015592", CID_E_TRUNCATED, CID_FIELD_HASH, 3, 0, 0},
        {"015512", CID_E_TRUNCATED, CID_FIELD_LENGTH, 3, 0, 0},
        {"01551220aabb", CID_E_TRUNCATED, CID_FIELD_DIGEST, 6, 32, 2},
        {"1220aabb", CID_E_TRUNCATED, CID_FIELD_DIGEST, 4, 32, 2},
        {"12", CID_E_TRUNCATED, CID_FIELD_DIGEST, 1, 32, 0},
        {"1214aabb", CID_E_CID_VERSION, CID_FIELD_VERSION, 0, 0, 0},
        {"015500ffffffffffffffff7f61", CID_E_TRUNCATED, CID_FIELD_DIGEST, 13,
         UINT64_C(0x7fffffffffffffff), 1},
        {"0155000000", CID_E_TRAILING, CID_FIELD_TRAILING, 4, 0, 1},
        {"01ffffffffffffffffff7f", CID_E_VARINT_OVERFLOW, CID_FIELD_CODEC, 1, 0, 0},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(bytes); i++) {
        struct test_bytes in = test_hex(bytes[i].hex);
        struct cid_fault fault = {0};
        struct cid_view view;
        const uint8_t *at = test_guard(in.data, in.len);

        cid_diagnose_bytes(&fault, at, in.len);
        assert_error(fault.code, bytes[i].code);
        assert_error(cid_read_exact(&view, at, in.len), bytes[i].code);
        assert_string_equal(cid_field_name(fault.field), cid_field_name(bytes[i].field));
        assert_int_equal(fault.offset, bytes[i].offset);
        assert_true(fault.need == bytes[i].need);
        assert_int_equal(fault.have, bytes[i].have);
        assert_int_equal(fault.where, bytes[i].code ? CID_WHERE_BYTES : CID_WHERE_NONE);
        test_bytes_free(&in);
    }
    test_guard_release();
}

static void agrees_with_reading_on_random_bytes(void **state)
{
    struct test_random random = {11};
    (void)state;

    for (int i = 0; i < 20000; i++) {
        static const uint8_t heads[] = {0x00, 0x01, 0x02, 0x12, 0x20, 0x55, 0x80, 0x7f};
        uint8_t in[12];
        size_t len = (size_t)(test_random_next(&random) % (sizeof in + 1));
        struct cid_fault fault = {0};
        struct cid_view view;

        for (size_t k = 0; k < len; k++)
            in[k] = heads[test_random_next(&random) % sizeof heads];
        cid_diagnose_bytes(&fault, in, len);
        assert_error(fault.code, cid_read_exact(&view, in, len));
        assert_true(fault.offset <= len);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_and_where_and_what_it_probably_is),
        cmocka_unit_test(says_what_could_be_decoded),
        cmocka_unit_test(the_same_for_bytes),
        cmocka_unit_test(agrees_with_reading_on_random_bytes),
    };
    return cmocka_run_group_tests_name("diagnose", tests, NULL, NULL);
}
