/*
 * Heads of archives: CARv1 headers, pragma and header of CARv2, other kinds of files.
 */
#include "car.h"

static const struct cid_car_options strict = {.strict = true};

#define ROOT       "d82a582500" CAR_D1 /* 41 bytes */
#define KEY_ROOTS  "65726f6f7473"      /* 6 bytes */
#define KEY_VER    "6776657273696f6e"  /* 8 bytes */
#define ROOTS_NONE KEY_ROOTS "80"
#define VERSION_1  KEY_VER "01"

struct row {
    const char *name;
    const char *hex;
    const struct cid_car_options *options;
    const char *expected;
};

static void run_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        car_expect(rows[i].name, rows[i].hex, rows[i].options, rows[i].expected);
}

static void bad_headers_are_told_apart(void **state)
{
    static const struct row rows[] = {
        {"length 0", "00", NULL, "open: header_empty header@0 1/0"},
        {"an array", "0180", NULL, "open: header_type header@1"},
        {"null", "01f6", NULL, "open: header_type header@1"},
        {"[1, []]", "03820180", NULL, "open: header_type header@1"},
        {"no version", "08a1" ROOTS_NONE, NULL, "open: header_no_version header@1"},
        {"an empty map", "01a0", NULL, "open: header_no_version header@1"},
        {"no roots", "0aa1" VERSION_1, NULL, "open: header_no_roots header@0"},
        {"version 3", "0aa1" KEY_VER "03", NULL, "open: car_version version@0 1/3"},
        {"version 0", "11a2" ROOTS_NONE KEY_VER "00", NULL, "open: car_version version@0 1/0"},
        {"version 2^64 - 1", "12a1" KEY_VER "1bffffffffffffffff", NULL,
         "open: car_version version@0 1/18446744073709551615"},
        {"version \"1\"", "12a2" ROOTS_NONE KEY_VER "6131", NULL, "open: header_type version@17"},
        {"version -1", "11a2" ROOTS_NONE KEY_VER "20", NULL, "open: header_type version@17"},
        {"a root is a number", "12a2" KEY_ROOTS "8101" VERSION_1, NULL, "open: header_root root@9"},
        {"a root is text", "13a2" KEY_ROOTS "816161" VERSION_1, NULL, "open: header_root root@9"},
        {"roots is a map", "11a2" KEY_ROOTS "a0" VERSION_1, NULL, "open: header_type root@8"},
        {"roots is null", "11a2" KEY_ROOTS "f6" VERSION_1, NULL, "open: header_type root@8"},
        {"a root without 00", "39a2" KEY_ROOTS "81d82a5824" CAR_D1 VERSION_1, NULL,
         "open: header_root root@13"},
        {"a root in another tag", "3aa2" KEY_ROOTS "81d830582500" CAR_D1 VERSION_1, NULL,
         "open: header_root root@9"},
        {"tag 42 on text", "14a2" KEY_ROOTS "81d82a60" VERSION_1, NULL,
         "open: header_root root@11"},
        {"a root that is cut", "18a2" KEY_ROOTS "81d82a450001551220" VERSION_1, NULL,
         "open: header_root root@12"},
        {"roots twice", "18a3" ROOTS_NONE ROOTS_NONE VERSION_1, NULL,
         "open: cbor_key_twice header@9"},
        {"version twice", "1aa3" ROOTS_NONE VERSION_1 VERSION_1, NULL,
         "open: cbor_key_twice header@18"},
        {"roots twice, version between", "18a3" ROOTS_NONE VERSION_1 ROOTS_NONE, NULL,
         "open: cbor_key_twice header@18"},
        {"a number as key",
         "13a3"
         "0001" ROOTS_NONE VERSION_1,
         NULL, "open: cbor_key_type header@2"},
        {"a byte behind the map", "12a2" ROOTS_NONE VERSION_1 "00", NULL,
         "open: trailing header@18"},
        {"a map without end", "12bf" ROOTS_NONE VERSION_1 "ff", NULL, "open: cbor_head header@1"},
        {"roots without end", "12a2" KEY_ROOTS "9fff" VERSION_1, NULL, "open: cbor_head header@8"},
        {"a key that is no UTF-8",
         "15a3"
         "62c32801" ROOTS_NONE VERSION_1,
         NULL, "open: cbor_utf8 header@3"},
        /* lengths that lie */
        {"8 GiB", "8080808020a2", NULL, "open: header_limit header@0 33554432/8589934592"},
        {"2^63 - 1", "ffffffffffffffff7f", NULL,
         "open: header_limit header@0 33554432/9223372036854775807"},
        {"32 MiB, not there", "80808010a2", NULL, "open: truncated header@0 33554432/1"},
        {"length not minimal", "9100a2" ROOTS_NONE VERSION_1, NULL,
         "open: varint_not_minimal header@0"},
        {"length too long", "80808080808080808001", NULL, "open: varint_overflow header@0"},
        {"17 claimed, 16 there", "11a2" ROOTS_NONE KEY_VER, NULL, "open: truncated header@0 17/16"},
        {"cut early", "11a265726f6f74738067", NULL, "open: truncated header@0 17/9"},
        {"cut in its length", "80", NULL, "open: truncated header@0 2/1"},
        {"an array of 2^63 - 1", "0a9b7fffffffffffffff00", NULL, "open: truncated header@11"},
        {"a map of 2^61", "0abb303030303030303000", NULL, "open: truncated header@11"},
        {"2^32 roots",
         "15a2" KEY_ROOTS "9b0000000100000000"
         "00000000"
         "00",
         NULL, "open: truncated header@22"},
        {"a key of 2^63 - 1", "0aa17b7fffffffffffffff", NULL, "open: truncated header@11"},
        {"the map ends late", "11a3" ROOTS_NONE VERSION_1, NULL, "open: truncated header@18"},
    };
    (void)state;
    run_rows(rows, COUNT(rows));
}

static void unusual_headers_are_read_and_noted(void **state)
{
    static const struct {
        const char *name;
        const char *hex;
        uint32_t notes;
        size_t roots;
    } rows[] = {
        {"usual", "3aa2" KEY_ROOTS "81" ROOT VERSION_1, 0, 1},
        {"two roots", "63a2" KEY_ROOTS "82" ROOT ROOT VERSION_1, 0, 2},
        {"no roots", CAR_E0, CID_CAR_NOTE_NO_ROOTS, 0},
        {"order", "3aa2" VERSION_1 KEY_ROOTS "81" ROOT, CID_CAR_NOTE_KEY_ORDER, 1},
        {"order, no roots", "11a2" VERSION_1 ROOTS_NONE,
         CID_CAR_NOTE_KEY_ORDER | CID_CAR_NOTE_NO_ROOTS, 0},
        {"another key",
         "42a3"
         "646e6f7465626869" KEY_ROOTS "81" ROOT VERSION_1,
         CID_CAR_NOTE_EXTRA_KEYS, 1},
        {"another key, with everything in it",
         "63a3"
         "6161"
         "8b"
         "1903e8"
         "20"
         "f97e00"
         "fa00000000"
         "f7"
         "f0"
         "c11a5fe0b280"
         "d82a4500"
         "01550000"
         "a2616200616100"
         "4100"
         "80" KEY_ROOTS "81" ROOT VERSION_1,
         CID_CAR_NOTE_EXTRA_KEYS | CID_CAR_NOTE_KEY_ORDER, 1},
        {"long version", "3ba2" KEY_ROOTS "81" ROOT KEY_VER "1801", CID_CAR_NOTE_NOT_MINIMAL, 1},
        {"long map", "3bb802" KEY_ROOTS "81" ROOT VERSION_1, CID_CAR_NOTE_NOT_MINIMAL, 1},
        {"long roots", "42a2" KEY_ROOTS "9b0000000000000001" ROOT VERSION_1,
         CID_CAR_NOTE_NOT_MINIMAL, 1},
        {"long tag",
         "3ba2" KEY_ROOTS "81"
         "d9002a582500" CAR_D1 VERSION_1,
         CID_CAR_NOTE_NOT_MINIMAL, 1},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct test_bytes bytes = test_hex(rows[i].hex);
        const uint8_t *in = test_guard(bytes.data, bytes.len);
        struct cid_car_reader *reader = NULL;
        struct cid_fault fault = {0};
        struct cid_view root;
        size_t len = 0;

        assert_int_equal(bytes.data[0], bytes.len - 1); /* the row itself */
        if (cid_car_reader_open(&reader, in, bytes.len, NULL, &fault, NULL))
            fail_msg("%s: %s at %u", rows[i].name, cid_error_name(fault.code),
                     (unsigned)fault.offset);
        assert_int_equal(cid_car_reader_info(reader)->notes, rows[i].notes);
        assert_int_equal(cid_car_reader_info(reader)->root_count, rows[i].roots);
        for (size_t r = 0; r < rows[i].roots; r++) {
            assert_error(cid_car_reader_root(&root, reader, r), CID_OK);
            assert_int_equal(root.len, 36);
        }
        assert_memory_equal(cid_car_reader_header(reader, &len), bytes.data + 1, bytes.len - 1);
        assert_int_equal(len, bytes.len - 1);
        cid_car_reader_close(reader);
        assert_error(cid_car_reader_open(&reader, in, bytes.len, &strict, &fault, NULL),
                     rows[i].notes ? CID_E_HEADER_STRICT : CID_OK);
        if (rows[i].notes)
            assert_true(fault.have == rows[i].notes);
        cid_car_reader_close(reader);
        test_bytes_free(&bytes);
        car_expect(rows[i].name, rows[i].hex, NULL, "end");
    }
    test_guard_release();
}

static void a_header_with_a_note_in_it_keeps_it(void **state)
{
    (void)state;
    car_expect("note: hi",
               "42a3"
               "646e6f7465626869" KEY_ROOTS "81" ROOT VERSION_1 CAR_S1 CAR_S2,
               NULL, "67+38 105+39 end");
}

/* A header whose extra key holds arrays nested in arrays. */
static struct test_bytes nested(size_t depth)
{
    static const uint8_t tail[] = {0x65, 'r', 'o', 'o', 't', 's', 0x80, 0x67,
                                   'v',  'e', 'r', 's', 'i', 'o', 'n',  0x01};
    size_t len = 1 + 2 + depth + 1 + sizeof tail;
    struct test_bytes bytes = {malloc(len + 9), 0};

    assert_non_null(bytes.data);
    assert_error(cid_varint_write(bytes.data, 9, &bytes.len, len), CID_OK);
    memcpy(bytes.data + bytes.len, "\xa3\x61\x61", 3);
    memset(bytes.data + bytes.len + 3, 0x81, depth);
    bytes.data[bytes.len + 3 + depth] = 0;
    memcpy(bytes.data + bytes.len + 4 + depth, tail, sizeof tail);
    bytes.len += len;
    return bytes;
}

static void nesting_has_a_limit(void **state)
{
    static const struct {
        size_t depth;
        const char *expected;
    } rows[] = {
        {1023, "end"}, /* the header's map is the first level */
        {1024, "open: depth_limit header@1028"},
        {2000000, "open: depth_limit header@1029"},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct test_bytes bytes = nested(rows[i].depth);
        struct car_run run = car_run_every_way(bytes.data, bytes.len, NULL);
        assert_string_equal(run.text, rows[i].expected);
        car_run_free(&run);
        test_bytes_free(&bytes);
    }
}

/* Keys in falling order, each of which must be looked for among all the others. */
static void keys_in_disorder_cost_little(void **state)
{
    size_t count = 500000;
    struct test_bytes bytes = {malloc(count * 5 + 64), 0};
    struct car_run run;
    uint8_t *at;
    (void)state;

    assert_non_null(bytes.data);
    assert_error(cid_varint_write(bytes.data, 9, &bytes.len, count * 5 + 5), CID_OK);
    at = bytes.data + bytes.len;
    *at++ = 0xba;
    for (int shift = 24; shift >= 0; shift -= 8)
        *at++ = (uint8_t)(count >> shift);
    for (size_t i = count; i-- > 0; at += 5) {
        at[0] = 0x63;
        at[1] = (uint8_t)(i / 8100 % 90 + 0x21);
        at[2] = (uint8_t)(i / 90 % 90 + 0x21);
        at[3] = (uint8_t)(i % 90 + 0x21);
        at[4] = 0;
    }
    bytes.len = (size_t)(at - bytes.data);
    run = car_run_memory(bytes.data, bytes.len, NULL);
    assert_non_null(strstr(run.text, "cbor_key_order header@"));
    car_run_free(&run);
    test_bytes_free(&bytes);
}

/* ---- CARv2 -------------------------------------------------------------------------------- */

#define Q(hex) hex "00000000000000"
#define HUGE   "0000000000000080" /* 2^63 */

static void bad_v2_heads_are_told_apart(void **state)
{
    static const struct row rows[] = {
        {"pragma alone", CAR_PRAGMA, NULL, "open: truncated header@11 40/0"},
        {"half a header", CAR_PRAGMA CAR_NO_CHARS "33", NULL, "open: truncated header@11 40/17"},
        {"pragma cut", "0aa16776657273", NULL, "open: truncated header@0 10/6"},
        {"another spelling of the pragma", "0ba16776657273696f6e1802", NULL,
         "open: header_type header@0"},
        {"version 2 with roots", "11a2" ROOTS_NONE KEY_VER "02", NULL,
         "open: header_type header@0"},
        {"offset in the header", CAR_V2_HEAD(Q("32"), Q("88"), Q("00")) CAR_V1, NULL,
         "open: v2_data_offset data@27 51/50"},
        {"offset in the pragma", CAR_V2_HEAD(Q("0a"), Q("88"), Q("00")) CAR_V1, NULL,
         "open: v2_data_offset data@27 51/10"},
        {"offset 0", CAR_V2_HEAD(Q("00"), Q("88"), Q("00")) CAR_V1, NULL,
         "open: v2_data_offset data@27 51/0"},
        {"offset 10^12", CAR_V2_HEAD("0010a5d4e8000000", Q("88"), Q("00")) CAR_V1, NULL,
         "open: v2_data_offset data@27 1000000000000/187"},
        {"offset one too far", CAR_V2_HEAD(Q("bc"), Q("88"), Q("00")) CAR_V1, NULL,
         "open: v2_data_offset data@27 188/187"},
        {"offset at the end", CAR_V2_HEAD(Q("bb"), Q("88"), Q("00")) CAR_V1, NULL,
         "open: truncated header@187 1/0"},
        {"offset 2^63, size 2^63", CAR_V2_HEAD(HUGE, HUGE, Q("00")) CAR_V1, NULL,
         "open: v2_data_offset data@27 51/9223372036854775808"},
        {"offset 51, size 2^64 - 51", CAR_V2_HEAD(Q("33"), "cdffffffffffffff", Q("00")) CAR_V1,
         NULL, "open: v2_data_size data@35 1/18446744073709551565"},
        {"offset 51, size 2^63 - 51", CAR_V2_HEAD(Q("33"), "cdffffffffffff7f", Q("00")) CAR_V1,
         NULL, "open: v2_data_size data@35 1/9223372036854775757"},
        {"size 0", CAR_V2_HEAD(Q("33"), Q("00"), Q("00")) CAR_V1, NULL,
         "open: v2_data_size data@35 1/0"},
        {"size within the inner header", CAR_V2_HEAD(Q("33"), Q("05"), Q("00")) CAR_V1, NULL,
         "open: truncated header@51 58/4"},
        {"index in the header", CAR_V2_HEAD(Q("33"), Q("88"), Q("10")) CAR_V1, NULL,
         "open: v2_index_offset index@43 187/16"},
        {"index in the data", CAR_V2_HEAD(Q("33"), Q("88"), Q("33")) CAR_V1, NULL,
         "open: v2_index_offset index@43 187/51"},
        {"index at the data's last byte", CAR_V2_HEAD(Q("33"), Q("88"), Q("ba")) CAR_V1, NULL,
         "open: v2_index_offset index@43 187/186"},
        {"data reaches into the index", CAR_V2_HEAD(Q("33"), Q("89"), Q("bb")) CAR_V1 CAR_IDX, NULL,
         "open: v2_index_offset index@43 188/187"},
        /* what only the end of the file tells */
        {"index past the end", CAR_V2_HEAD(Q("33"), Q("88"), "00f0000000000000") CAR_V1, NULL,
         "110+38 148+39 v2_index_offset index@43 61440/187"},
        {"index at the end", CAR_V2_HEAD(Q("33"), Q("88"), Q("bb")) CAR_V1, NULL,
         "110+38 148+39 v2_index_offset index@43 187/187"},
        {"half a codec", CAR_V2_HEAD(Q("33"), Q("88"), Q("bb")) CAR_V1 "81", NULL,
         "110+38 148+39 truncated index@187"},
        {"size larger than the file", CAR_V2_HEAD(Q("33"), Q("89"), Q("00")) CAR_V1, NULL,
         "110+38 148+39 truncated data@187 137/136"},
        {"size cuts the last section", CAR_V2_HEAD(Q("33"), Q("87"), Q("bb")) CAR_V1 CAR_IDX, NULL,
         "110+38 truncated section@148 38/37"},
        {"size ends at a section", CAR_V2_HEAD(Q("33"), Q("61"), Q("bb")) CAR_V1 CAR_IDX, NULL,
         "110+38 end"},
        {"bytes behind the data", CAR_V2 "ffffff", NULL, "110+38 148+39 end"},
        /* what is inside */
        {"nested", CAR_V2_HEAD(Q("33"), Q("bb"), Q("00")) CAR_V2, NULL,
         "open: v2_inner header@51 1/2"},
        {"version 3 inside", CAR_V2_HEAD(Q("33"), Q("12"), Q("00")) "11a2" ROOTS_NONE KEY_VER "03",
         NULL, "open: v2_inner header@51 1/3"},
        {"JSON inside", CAR_V2_HEAD(Q("33"), Q("08"), Q("00")) "7b2261223a317d0a", NULL,
         "open: truncated header@51 123/7"},
        {"no roots inside", CAR_V2_HEAD(Q("33"), Q("12"), Q("00")) CAR_E0, NULL, "end"},
    };
    (void)state;
    run_rows(rows, COUNT(rows));
}

static void what_a_v2_says_is_handed_on(void **state)
{
    static const struct {
        const char *hex;
        const struct cid_car_options *options;
        uint32_t notes;
        uint64_t codec;
        enum cid_error error;
    } rows[] = {
        {CAR_V2, &strict, 0, 0, CID_OK},
        {CAR_V2I, &strict, 0, 0x0401, CID_OK},
        {CAR_V2P, &strict, 0, 0x0401, CID_OK},
        {CAR_PRAGMA "80000000000000000000000000000000" Q("33") Q("88") Q("bb") CAR_V1 CAR_IDX,
         &strict, 0, 0x0401, CID_OK},
        {CAR_PRAGMA "80000000000000000000000000000000" Q("33") Q("88") Q("00") CAR_V1, NULL,
         CID_CAR_NOTE_V2_NO_INDEX, 0, CID_OK},
        {CAR_PRAGMA "80000000000000000000000000000000" Q("33") Q("88") Q("00") CAR_V1, &strict, 0,
         0, CID_E_HEADER_STRICT},
        {CAR_PRAGMA "00000000000000000000000000000001" Q("33") Q("88") Q("00") CAR_V1, &strict,
         CID_CAR_NOTE_V2_BITS, 0, CID_OK},
        {CAR_PRAGMA "40000000000000000000000000000000" Q("33") Q("88") Q("00") CAR_V1, &strict,
         CID_CAR_NOTE_V2_BITS, 0, CID_OK},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct test_bytes bytes = test_hex(rows[i].hex);
        struct cid_car_options options = car_options(rows[i].options);
        struct cid_car_reader *reader = NULL;
        const struct cid_car_info *info;
        struct cid_car_block block;

        assert_error(cid_car_reader_open(&reader, bytes.data, bytes.len, &options, NULL, NULL),
                     rows[i].error);
        if (reader) {
            info = cid_car_reader_info(reader);
            assert_int_equal(info->notes, rows[i].notes);
            assert_int_equal(info->version, 2);
            assert_true(info->file_len == bytes.len);
            assert_true(info->data_size == 136);
            assert_true(info->header_offset == info->data_offset);
            assert_int_equal(info->header_len, 59);
            assert_memory_equal(info->characteristics, bytes.data + 11, 16);
            assert_error(cid_car_reader_next(reader, &block), CID_OK);
            assert_error(cid_car_reader_next(reader, &block), CID_OK);
            assert_error(cid_car_reader_next(reader, &block), CID_END);
            assert_true(info->index_codec == rows[i].codec);
            assert_int_equal(info->payload_len, 136);
        }
        cid_car_reader_close(reader);
        test_bytes_free(&bytes);
    }
}

/* ---- other kinds of files ----------------------------------------------------------------- */

static void other_kinds_of_files_are_named(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
        const char *kind;
    } rows[] = {
#define TEXT(s) s, sizeof(s) - 1
        {TEXT("{\"error\":\"x\"}"), "JSON"},
        {TEXT("\xef\xbb\xbf {}"), "JSON"},
        {TEXT("[ {\"a\":1}]"), "JSON"},
        {TEXT("[1,2]"), "JSON"},
        {TEXT("<!DOCTYPE html>\n<html>"), "HTML"},
        {TEXT("\n<HTML lang=en>"), "HTML"},
        {TEXT("<?xml version=\"1.0\"?>"), "XML"},
        {TEXT("\x1f\x8b\x08\x00\x00\x00\x00\x00"), "gzip"},
        {TEXT("\x28\xb5\x2f\xfd\x04\x00"), "zstd"},
        {TEXT("\xfd\x37zXZ\x00"), "xz"},
        {TEXT("BZh91AY&SY"), "bzip2"},
        {TEXT("PK\x03\x04\x14"), "zip"},
        {TEXT("\xff\xfe\x3a\x00\xa2\x00\x65\x00"), "UTF-16 text (a shell redirection?)"},
        {TEXT("\xfe\xff\x00\x3a"), "UTF-16 text (a shell redirection?)"},
        {TEXT(":\xef\xbf\xbd\x65roots\xef\xbf\xbd*X%\x00"),
         "a CAR spoilt by being written as text"},
        {TEXT("3aa265726f6f747381d82a582500\n"), "hexadecimal text"},
        {TEXT("404 page not found\n"), "text"},
        {TEXT("\xa1\x61\x61\x01"), "a CBOR block"},
        {TEXT("\xa2\x65roots\x80\x67version\x01"), "a CBOR block"},
        {TEXT("\x82\x01\x61\x61"), "a CBOR block"},
        {TEXT("\xd8\x2a\x45\x00\x01\x55\x00\x00"), "a CBOR block"},
        {TEXT("\x81\x08\x01\x00\x00\x00\x12\x00"), "a CARv2 index without its CAR"},
#undef TEXT
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        const uint8_t *in = test_guard(rows[i].bytes, rows[i].len);
        struct car_run run;
        assert_non_null(cid_car_guess(in, rows[i].len));
        assert_string_equal(cid_car_guess(in, rows[i].len), rows[i].kind);
        run = car_run_every_way(in, rows[i].len, NULL);
        assert_string_equal(run.text, "open: car_kind header@0");
        car_run_free(&run);
    }
    car_expect("empty", "", NULL, "open: car_empty header@0 1/0");
    assert_null(cid_car_guess(NULL, 0));
}

static void no_cut_archive_is_taken_for_something_else(void **state)
{
    static const char *const samples[] = {CAR_E0, CAR_V1, CAR_V2, CAR_V2P,
                                          "11a2" VERSION_1 ROOTS_NONE};
    (void)state;

    for (size_t s = 0; s < COUNT(samples); s++) {
        struct test_bytes bytes = test_hex(samples[s]);
        for (size_t len = 0; len <= bytes.len; len++)
            assert_null(cid_car_guess(bytes.data, len));
        test_bytes_free(&bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_headers_are_told_apart),
        cmocka_unit_test(unusual_headers_are_read_and_noted),
        cmocka_unit_test(a_header_with_a_note_in_it_keeps_it),
        cmocka_unit_test(nesting_has_a_limit),
        cmocka_unit_test(keys_in_disorder_cost_little),
        cmocka_unit_test(bad_v2_heads_are_told_apart),
        cmocka_unit_test(what_a_v2_says_is_handed_on),
        cmocka_unit_test(other_kinds_of_files_are_named),
        cmocka_unit_test(no_cut_archive_is_taken_for_something_else),
    };
    return cmocka_run_group_tests_name("car_header", tests, NULL, NULL);
}
