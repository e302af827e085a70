#include "support.h"

#include <cid/cid.h>

#define C1   "bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4"
#define Q0   "QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n"
#define Q0V1 "bafybeihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"
#define C1_Z "zb2rhi36Gc9GJWijLEL6zW45MBux5FcFv5gJmjXA7VAMozEXY"

static const struct {
    enum cid_base base;
    const char *text;
} c1[] = {
    {CID_BASE32, C1},
    {CID_BASE58_BTC, C1_Z},
    {CID_BASE36, "k2cwuecvan95uqzq14dj3a18wx6av6tgr73nxvopxn3j5kvyr0apys7b"},
    {CID_BASE16, "f01551220a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447"},
    {CID_BASE64, "mAVUSIKlIkE8vD0ebj4GXaUswGEsNLtHBzSoewPuF0pmhkqRH"},
};

static enum cid_error parse(struct cid *out, enum cid_base *base, const char *text)
{
    /* The text ends where the page does: one byte too far faults. */
    const char *at = (const char *)test_guard(text, strlen(text));
    enum cid_error error = cid_parse_with(out, base, at, strlen(text), NULL, NULL);
    test_guard_release();
    return error;
}

static void five_spellings_are_one_cid(void **state)
{
    struct cid first = {0};
    (void)state;

    for (size_t i = 0; i < COUNT(c1); i++) {
        enum cid_base base = CID_BASE_DEFAULT;
        struct cid cid;
        struct cid_view a, b;
        char out[128];
        size_t written = 0, size = 0;

        assert_error(parse(&cid, &base, c1[i].text), CID_OK);
        assert_int_equal(base, c1[i].base);
        a = cid_as_view(&cid);
        if (i == 0)
            assert_error(cid_copy(&first, &cid, NULL), CID_OK);
        b = cid_as_view(&first);
        assert_true(cid_equal(&a, &b));
        assert_error(cid_format(out, sizeof out, &written, &a, c1[i].base), CID_OK);
        assert_string_equal(out, c1[i].text);
        assert_int_equal(written, strlen(c1[i].text));
        assert_error(cid_text_size(&size, &a, c1[i].base), CID_OK);
        assert_int_equal(size, written);
        assert_error(cid_format(out, sizeof out, NULL, &a, CID_BASE_DEFAULT), CID_OK);
        assert_string_equal(out, C1);
        /* A capacity without room for the NUL is refused with the length. */
        assert_error(cid_format(out, written, &size, &a, c1[i].base), CID_E_NOSPACE);
        assert_int_equal(size, written);
    }
}

static void a_v0_has_one_text(void **state)
{
    struct cid cid;
    struct cid_view view;
    char out[64];
    size_t written = 0;
    (void)state;

    assert_error(parse(&cid, NULL, Q0), CID_OK);
    view = cid_as_view(&cid);
    assert_int_equal(view.version, 0);
    assert_error(cid_format(out, sizeof out, &written, &view, CID_BASE_DEFAULT), CID_OK);
    assert_string_equal(out, Q0);
    assert_error(cid_format(out, sizeof out, &written, &view, CID_BASE58_BTC), CID_OK);
    assert_string_equal(out, Q0);
    assert_error(cid_format(out, sizeof out, &written, &view, CID_BASE32), CID_E_V0_BASE);
    assert_error(cid_text_size(&written, &view, CID_BASE16), CID_E_V0_BASE);
    assert_error(cid_format(out, 46, &written, &view, CID_BASE_DEFAULT), CID_E_NOSPACE);
    assert_int_equal(written, 46);
}

static void either_case_is_read_and_one_is_written(void **state)
{
    struct cid cid;
    struct cid_view view;
    char out[64];
    (void)state;

    assert_error(parse(&cid, NULL, "BAFKREIFJJCIE6LYPI6NY7AMXNFFTAGCLBUXNDQONFIPMB64F2KM2DEVEI4"),
                 CID_OK);
    view = cid_as_view(&cid);
    assert_error(cid_format(out, sizeof out, NULL, &view, CID_BASE_DEFAULT), CID_OK);
    assert_string_equal(out, C1);
}

static void refuses_what_is_no_cid(void **state)
{
    static const struct {
        const char *text;
        enum cid_error error;
    } bad[] = {
        {"", CID_E_TEXT_EMPTY},
        {"1", CID_E_BASE_RESERVED},
        {"Qm", CID_E_V0_LENGTH},
        {"QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1", CID_E_V0_LENGTH},
        {"QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n1", CID_E_V0_LENGTH},
        {"QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR10", CID_E_BASE_CHAR},
        {"Qm11111111111111111111111111111111111111111111", CID_E_V0_HASH},
        {"qmdftbbqbpq7vnxzeyej14vmruzbkqfbiwreogjgs1zr1n", CID_E_BASE_UNKNOWN},
        {"b", CID_E_TRUNCATED},
        {"z", CID_E_TRUNCATED},
        {"zQmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n", CID_E_V0_IN_BASE},
        {"bciqohmgeikmpyhautl57jsezn64sij5oihsgjg4tjssjlgi3pbjlqvi", CID_E_V0_IN_BASE},
        {"f1220e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", CID_E_V0_IN_BASE},
        {"BCIQOHMGEIKMPYHAUTL57JSEZN64SIJ5OIHSGJG4TJSSJLGI3PBJLQVI", CID_E_V0_IN_BASE},
        {"f121400000000000000000000000000000000000000000000000000000000", CID_E_V0_IN_BASE},
        {"babkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4", CID_E_CID_EXPLICIT_V0},
        {"f02551220a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447",
         CID_E_CID_RESERVED},
        {"f03551220a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447",
         CID_E_CID_RESERVED},
        {"bqeafkeravfejatzpb5dzxd4bs5uuwmayjmgs5uobzuvb5qh3qxjjtimsurdq", CID_E_VARINT_NOT_MINIMAL},
        {"bahkqaeravfejatzpb5dzxd4bs5uuwmayjmgs5uobzuvb5qh3qxjjtimsurdq", CID_E_VARINT_NOT_MINIMAL},
        {"bafkzeabavfejatzpb5dzxd4bs5uuwmayjmgs5uobzuvb5qh3qxjjtimsurdq", CID_E_VARINT_NOT_MINIMAL},
        {"bafkrfiaavfejatzpb5dzxd4bs5uuwmayjmgs5uobzuvb5qh3qxjjtimsurdq", CID_E_VARINT_NOT_MINIMAL},
        {"bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4aa", CID_E_TRAILING},
        {"bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2deve", CID_E_TRUNCATED},
        {"bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei5", CID_E_BASE_BITS},
        {"bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei6", CID_E_BASE_BITS},
        {"bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei7", CID_E_BASE_BITS},
        {C1 "\r\n", CID_E_BASE_CHAR},
        {C1 " ", CID_E_BASE_CHAR},
        {"\t" C1, CID_E_BASE_UNKNOWN},
        {"\xef\xbb\xbf" C1, CID_E_BASE_UNKNOWN},
        {"/ipfs/" C1, CID_E_BASE_RESERVED},
        {"mAVUAAA==", CID_E_BASE_PADDING},
        {"MAVUAAA", CID_E_BASE_PADDING},
        {"12D3KooWPTCWpA2Xi73a1uREdWgF3ssywwth3Sd8A7M5vm3zgdKp", CID_E_BASE_RESERVED},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(bad); i++) {
        enum cid_base base = CID_BASE2;
        struct cid_fault fault = {0};
        struct cid cid;

        memset(&cid, 0xaa, sizeof cid);
        if (parse(&cid, &base, bad[i].text) != bad[i].error)
            print_error("for %s\n", bad[i].text);
        memset(&cid, 0xaa, sizeof cid);
        assert_error(parse(&cid, &base, bad[i].text), bad[i].error);
        assert_false(cid_is_defined(&cid));
        assert_int_equal(base, CID_BASE2);
        /* The slow way comes to the same result. */
        cid_diagnose(&fault, bad[i].text, strlen(bad[i].text));
        assert_error(fault.code, bad[i].error);
        assert_int_not_equal(fault.field, CID_FIELD_NONE);
        assert_int_not_equal(fault.where, CID_WHERE_NONE);
    }
}

static void a_nul_is_a_character_like_any_other(void **state)
{
    static const char with_nul[] = C1; /* the NUL is within the length */
    static const char identity[] = {0x00, 0x01, 0x55, 0x00, 0x00};
    struct cid cid;
    (void)state;

    assert_error(cid_parse(&cid, with_nul, sizeof with_nul, NULL), CID_E_BASE_CHAR);
    assert_error(cid_parse(&cid, identity, sizeof identity, NULL), CID_E_BASE_RESERVED);
}

static void every_cut_and_every_wrong_byte(void **state)
{
    static const char *const texts[] = {C1, C1_Z, Q0, "mAVUAAA", "f01550000", "bafkqablimvwgy3y"};
    (void)state;

    for (size_t t = 0; t < COUNT(texts); t++) {
        size_t len = strlen(texts[t]);
        struct cid cid;
        for (size_t cut = 0; cut < len; cut++) {
            const char *at = (const char *)test_guard(texts[t], cut);
            assert_int_not_equal(cid_parse(&cid, at, cut, NULL), CID_OK);
        }
        test_guard_release();
        for (size_t i = 0; i < len; i++) {
            char copy[128];
            memcpy(copy, texts[t], len);
            for (int c = 0; c < 256; c++) {
                struct cid_fault fault = {0};
                enum cid_error error;
                copy[i] = (char)c;
                error = cid_parse(&cid, copy, len, NULL);
                cid_diagnose(&fault, copy, len);
                assert_error(fault.code, error);
                assert_true(error == CID_OK || fault.offset <= len);
                cid_free(&cid, NULL);
            }
        }
    }
}

static void limits_the_text(void **state)
{
    static char text[1000001];
    struct cid_parse_options options = {.text_limit = 58};
    struct cid cid;
    (void)state;

    memset(text, 'z', sizeof text);
    assert_error(cid_parse(&cid, text, CID_TEXT_LIMIT + 1, NULL), CID_E_TEXT_LIMIT);
    assert_error(cid_parse(&cid, text, sizeof text, NULL), CID_E_TEXT_LIMIT);
    assert_error(cid_parse_with(&cid, NULL, C1, 59, &options, NULL), CID_E_TEXT_LIMIT);
    options.text_limit = 59;
    assert_error(cid_parse_with(&cid, NULL, C1, 59, &options, NULL), CID_OK);
}

static void identity_is_limited_by_option(void **state)
{
    struct cid_parse_options options = {.identity_limit = 128};
    uint8_t digest[129];
    struct cid plain;
    (void)state;

    memset(digest, 'x', sizeof digest);
    for (size_t len = 127; len <= sizeof digest; len++) {
        struct test_alloc counting;
        struct cid_view view;
        struct cid cid;
        char text[300];
        size_t written = 0;

        assert_error(cid_make_v1(&cid, CID_CODEC_RAW, CID_HASH_IDENTITY, digest, len, NULL),
                     CID_OK);
        view = cid_as_view(&cid);
        assert_error(cid_format(text, sizeof text, &written, &view, CID_BASE32), CID_OK);
        cid_free(&cid, NULL);
        assert_error(cid_parse(&cid, text, written, NULL), CID_OK);
        cid_free(&cid, NULL);
        test_alloc_init(&counting, SIZE_MAX);
        assert_error(cid_parse_with(&cid, NULL, text, written, &options, &counting.allocator),
                     len > 128 ? CID_E_IDENTITY_LIMIT : CID_OK);
        assert_int_equal(counting.live, len > 128 ? 0 : 1);
        cid_free(&cid, &counting.allocator);
    }
    /* It is no limit for real hash functions. */
    options.identity_limit = 1;
    assert_error(cid_parse_with(&plain, NULL, C1, strlen(C1), &options, NULL), CID_OK);
}

static void leniency_is_by_option(void **state)
{
    struct cid_parse_options options = {.allow = CID_ALLOW_SPARE_BITS};
    static const char spare[] = "bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei5";
    struct cid cid, strict;
    struct cid_view a, b;
    (void)state;

    assert_error(cid_parse_with(&cid, NULL, spare, 59, &options, NULL), CID_OK);
    assert_error(cid_parse(&strict, C1, 59, NULL), CID_OK);
    a = cid_as_view(&cid);
    b = cid_as_view(&strict);
    assert_true(cid_equal(&a, &b));
    options.allow = CID_ALLOW_PADDING;
    assert_error(cid_parse_with(&cid, NULL, "mAVUAAA==", 9, &options, NULL), CID_OK);
    assert_error(cid_parse_with(&cid, NULL, "MAVUAAA", 7, &options, NULL), CID_OK);
}

/* Parsing allocates as all construction does: not at all, or once and exactly. */
static void allocates_none_or_one(void **state)
{
    static const size_t digest_lens[] = {0, 32, 75, 76, 77, 127, 128, 500};
    static const enum cid_base bases[] = {CID_BASE16, CID_BASE32, CID_BASE58_BTC, CID_BASE64,
                                          CID_BASE36};
    uint8_t digest[500];
    struct test_random random = {5};
    (void)state;

    test_random_fill(&random, digest, sizeof digest);
    for (size_t d = 0; d < COUNT(digest_lens); d++) {
        struct cid from;
        struct cid_view view;
        assert_error(cid_make_v1(&from, CID_CODEC_RAW, 0, digest, digest_lens[d], NULL), CID_OK);
        view = cid_as_view(&from);
        for (size_t b = 0; b < COUNT(bases); b++) {
            char text[1200];
            size_t len = 0;
            size_t calls = view.len > CID_SMALL ? 1 : 0;
            struct test_alloc counting;
            struct cid_view back;
            struct cid cid;

            assert_error(cid_format(text, sizeof text, &len, &view, bases[b]), CID_OK);
            test_alloc_init(&counting, SIZE_MAX);
            assert_error(cid_parse(&cid, text, len, &counting.allocator), CID_OK);
            back = cid_as_view(&cid);
            assert_true(cid_equal(&back, &view));
            assert_int_equal(counting.calls, calls);
            assert_int_equal(counting.bytes, calls ? view.len : 0);
            cid_free(&cid, &counting.allocator);
            assert_int_equal(counting.live, 0);
            test_alloc_init(&counting, 0);
            assert_error(cid_parse(&cid, text, len, &counting.allocator),
                         calls ? CID_E_NOMEM : CID_OK);
            assert_int_equal(counting.live, 0);
            /* What is found wrong only after the allocation gives it back. */
            test_alloc_init(&counting, SIZE_MAX);
            if (bases[b] == CID_BASE16) {
                memcpy(text + len, "00", 3);
                assert_error(cid_parse(&cid, text, len + 2, &counting.allocator), CID_E_TRAILING);
                assert_int_equal(counting.live, 0);
                assert_false(cid_is_defined(&cid));
            }
        }
        cid_free(&from, NULL);
    }
}

static void the_dasl_profile(void **state)
{
    static const struct {
        const char *text;
        enum cid_error error;
    } rows[] = {
        {C1, CID_OK},
        {"bafyreihyrpefhacm6kkp4ql6j6udakdit7g3dmkzfriqfykhjw6cad5lrm", CID_OK},
        {Q0, CID_E_PROFILE_BASE},
        {C1_Z, CID_E_PROFILE_BASE},
        {"BAFKREIFJJCIE6LYPI6NY7AMXNFFTAGCLBUXNDQONFIPMB64F2KM2DEVEI4", CID_E_PROFILE_BASE},
        {"bAFKREIFJJCIE6LYPI6NY7AMXNFFTAGCLBUXNDQONFIPMB64F2KM2DEVEI4", CID_E_PROFILE_BASE},
        {Q0V1, CID_E_PROFILE_CODEC},
        {"bafkreffjjcie6lypi6ny7amxnfftagclbuxndqi", CID_E_PROFILE_LENGTH},
        {"bafkqablimvwgy3y", CID_E_PROFILE_HASH},
        {"bafkq", CID_E_TRUNCATED},
        {"", CID_E_TEXT_EMPTY},
    };
    struct cid cid;
    struct cid_view view = {0};
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++)
        assert_error(cid_dasl_check(rows[i].text, strlen(rows[i].text)), rows[i].error);
    assert_error(cid_dasl_check_view(&view), CID_E_ARGUMENT);
    assert_error(cid_parse(&cid, Q0, 46, NULL), CID_OK);
    view = cid_as_view(&cid);
    assert_error(cid_dasl_check_view(&view), CID_E_PROFILE_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_spellings_are_one_cid),
        cmocka_unit_test(a_v0_has_one_text),
        cmocka_unit_test(either_case_is_read_and_one_is_written),
        cmocka_unit_test(refuses_what_is_no_cid),
        cmocka_unit_test(a_nul_is_a_character_like_any_other),
        cmocka_unit_test(every_cut_and_every_wrong_byte),
        cmocka_unit_test(limits_the_text),
        cmocka_unit_test(identity_is_limited_by_option),
        cmocka_unit_test(leniency_is_by_option),
        cmocka_unit_test(allocates_none_or_one),
        cmocka_unit_test(the_dasl_profile),
    };
    return cmocka_run_group_tests_name("cid_text", tests, NULL, NULL);
}
