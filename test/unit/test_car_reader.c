/*
 * The sections of archives: sound ones, every kind of broken one, padding, limits, verdicts. Each
 * input is read from memory and from a source in pieces of several sizes.
 */
#include "car.h"

#include <stdio.h>

#define BC40   "bcbcbcbcbcbcbcbcbcbcbcbcbcbcbcbcbcbcbcbc"
#define EMPTY  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define ZEROS7 "00000000000000"

static const struct cid_car_options padded = {.allow_padding = true};
static const struct cid_car_options unchecked = {.skip_verify = true};
static const struct cid_car_options passing = {.pass_unverifiable = true};

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

static void sound_archives_are_read(void **state)
{
    static const struct row rows[] = {
        {"V1", CAR_V1, NULL, "59+38 97+39 end"},
        {"V1 unchecked", CAR_V1, &unchecked, "59+38- 97+39- end"},
        {"V2", CAR_V2, NULL, "110+38 148+39 end"},
        {"V2I", CAR_V2I, NULL, "110+38 148+39 end"},
        {"V2P", CAR_V2P, NULL, "117+38 155+39 end"},
        {"no roots, no blocks", CAR_E0, NULL, "end"},
        {"no roots, one block", CAR_E0 CAR_S1, NULL, "18+38 end"},
        {"a root that is missing", CAR_H1 CAR_S2, NULL, "59+39 end"},
        {"a root that is identity", "19a265726f6f747381d82a4500015500006776657273696f6e01", NULL,
         "end"},
        {"the same block twice", CAR_V1 CAR_S1, NULL, "59+38 97+39 136+38 end"},
        {"cut at a section's end", CAR_H1 CAR_S1, NULL, "59+38 end"},
        /* blocks without data */
        {"empty v1", CAR_E0 "2401551220" EMPTY, NULL, "18+37 end"},
        {"empty v0", CAR_E0 "221220" EMPTY, NULL, "18+35 end"},
        {"empty identity", CAR_E0 "0401550000", NULL, "18+5 end"},
    };
    (void)state;
    run_rows(rows, COUNT(rows));
}

static void broken_sections_are_refused(void **state)
{
    static const struct row rows[] = {
        /* lengths that lie */
        {"a bomb", CAR_E0 "8080808020" CAR_D1, NULL, "section_limit section@18 8388608/8589934592"},
        {"the largest bomb", CAR_E0 "ffffffffffffffff7f" CAR_D1, NULL,
         "section_limit section@18 8388608/9223372036854775807"},
        {"one below the limit, not there", CAR_E0 "80808004" CAR_D1, NULL,
         "truncated section@18 8388608/36"},
        {"one byte less", CAR_H1 CAR_S1 "26" CAR_D2 "62", NULL, "59+38 truncated section@97 38/37"},
        {"cut in the CID", CAR_H1 CAR_S1 "26015512201e0bbd6c686ba050", NULL,
         "59+38 truncated section@97 38/12"},
        {"nothing behind the length", CAR_V1 "25", NULL, "59+38 97+39 truncated section@136 37/0"},
        {"1 MiB claimed, 10 there", CAR_E0 "80804001551220ca978112ca1b", NULL,
         "truncated section@18 1048576/10"},
        /* varints */
        {"a lone varint byte", CAR_V1 "a0", NULL, "59+38 97+39 truncated section@136 2/1"},
        {"another", CAR_V1 "80", NULL, "59+38 97+39 truncated section@136 2/1"},
        {"two", CAR_V1 "8080", NULL, "59+38 97+39 truncated section@136 3/2"},
        {"not minimal", CAR_E0 "a500" CAR_D1 "61", NULL, "varint_not_minimal section@18"},
        {"zero, not minimal", CAR_E0 "8000" CAR_D1 "61", NULL, "varint_not_minimal section@18"},
        {"ten bytes", CAR_E0 "80808080808080808001", NULL, "varint_overflow section@18"},
        /* CIDs */
        {"shorter than its CID", CAR_E0 "10" CAR_D1 "61", NULL, "section_short section@18 36/16"},
        {"one byte of CID", CAR_E0 "0101", NULL, "section_short section@18 2/1"},
        {"half a CIDv0", CAR_E0 "021220", NULL, "section_short section@18 34/2"},
        {"an endless identity", CAR_E0 "0c015500ffffffffffffffff7f", NULL,
         "section_short section@18 9223372036854775819/12"},
        {"version 0 written out",
         CAR_E0 "250055"
                "1220ca978112ca1bbdcafac231b39a23dc4da786eff8147c"
                "4e72b9807785afee48bb61",
         NULL, "cid_explicit_v0 version@19"},
        {"version 2", CAR_E0 "0402551200", NULL, "cid_reserved version@19"},
        {"version 18",
         CAR_E0 "041214"
                "0000",
         NULL, "cid_version version@19"},
        {"version not minimal", CAR_E0 "058100551200", NULL, "varint_not_minimal version@19"},
        {"codec not minimal", CAR_E0 "0501d5001200", NULL, "varint_not_minimal codec@20"},
        {"hash not minimal", CAR_E0 "050155920000", NULL, "varint_not_minimal hash@21"},
        {"length not minimal",
         CAR_E0 "0501551280"
                "00",
         NULL, "varint_not_minimal length@22"},
        {"codec too large",
         CAR_E0 "0d01ffffffffffffffffff01"
                "1200",
         NULL, "varint_overflow codec@20"},
    };
    (void)state;
    run_rows(rows, COUNT(rows));
}

static void a_cid_at_fault_is_told_as_far_as_it_goes(void **state)
{
    struct test_bytes bytes = test_hex(CAR_E0 "050155928000"
                                              "00");
    struct cid_car_reader *reader = NULL;
    struct cid_car_block block;
    const struct cid_fault *fault;
    (void)state;

    assert_error(cid_car_reader_open(&reader, bytes.data, bytes.len, NULL, NULL, NULL), CID_OK);
    assert_error(cid_car_reader_next(reader, &block), CID_E_VARINT_NOT_MINIMAL);
    fault = cid_car_reader_fault(reader);
    assert_int_equal(fault->decoded, CID_DECODED_VERSION | CID_DECODED_CODEC);
    assert_true(fault->version == 1 && fault->codec == 0x55);
    assert_int_equal(fault->where, CID_WHERE_FILE);
    cid_car_reader_close(reader);
    test_bytes_free(&bytes);
}

static void padding_needs_leave(void **state)
{
    static const struct row rows[] = {
        {"one zero", CAR_V1 "00", NULL, "59+38 97+39 section_empty section@136 1/0"},
        {"in the middle", CAR_E0 "00" CAR_S1, NULL, "section_empty section@18 1/0"},
        {"one zero, allowed", CAR_V1 "00", &padded, "59+38 97+39 end"},
        {"in the middle, allowed", CAR_E0 "00" CAR_S1, &padded, "padding section@19 0/37"},
        {"something behind", CAR_V1 "0001", &padded, "59+38 97+39 padding section@137 0/1"},
        {"no blocks, allowed", CAR_E0 ZEROS7, &padded, "end"},
        {"in a CARv2",
         CAR_V2_HEAD("3300000000000000", "8b00000000000000", "0000000000000000") CAR_V1 "000000",
         &padded, "110+38 148+39 end"},
        {"in a CARv2, not allowed",
         CAR_V2_HEAD("3300000000000000", "8b00000000000000", "0000000000000000") CAR_V1 "000000",
         NULL, "110+38 148+39 section_empty section@187 1/0"},
        {"a CARv2 cut in its padding",
         CAR_V2_HEAD("3300000000000000", "8b00000000000000", "0000000000000000") CAR_V1 "0000",
         &padded, "110+38 148+39 truncated data@189 139/138"},
    };
    (void)state;
    run_rows(rows, COUNT(rows));
}

static void padding_is_counted(void **state)
{
    struct test_bytes v1 = test_hex(CAR_V1);
    uint8_t bytes[136 + 119] = {0};
    struct cid_car_options options = car_options(&padded);
    struct cid_car_reader *reader = NULL;
    struct cid_car_block block;
    (void)state;

    memcpy(bytes, v1.data, v1.len);
    assert_error(cid_car_reader_open(&reader, bytes, sizeof bytes, &options, NULL, NULL), CID_OK);
    assert_error(cid_car_reader_next(reader, &block), CID_OK);
    assert_error(cid_car_reader_next(reader, &block), CID_OK);
    assert_int_equal(cid_car_reader_info(reader)->payload_len, 136);
    assert_error(cid_car_reader_next(reader, &block), CID_END);
    assert_int_equal(cid_car_reader_info(reader)->padding_len, 119);
    assert_int_equal(cid_car_reader_info(reader)->payload_len, 255);
    assert_int_equal(cid_car_reader_info(reader)->file_len, 255);
    cid_car_reader_close(reader);
    test_bytes_free(&v1);
}

static void verdicts_tell_apart(void **state)
{
    /* private hash 300002 hex, a Filecoin commitment, sha2-256 cut to 20 bytes and to 4 */
    static const char private[] = "28015582"
                                  "80c00120ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9"
                                  "807785afee48bb61";
    static const char commitment[] =
        "2801"
        "81e203"
        "9220"
        "20"
        "0000000000000000000000000000000000000000000000000000000000000000"
        "61";
    static const char cut20[] = "1901551214ca978112ca1bbdcafac231b39a23dc4da786eff861";
    static const char cut4[] = "0901551204ca97811261";
    char hex[1024];
    (void)state;

    car_expect("mismatch", CAR_E0 "25" CAR_D1 "62" CAR_S2, NULL, "18+38! 56+39 end");
    car_expect("identity, right", CAR_E0 "050155000161", NULL, "18+6! end");
    car_expect("identity, good", CAR_E0 "06015500016161", NULL, "18+7 end");
    car_expect("identity, wrong", CAR_E0 "06015500016162", NULL, "18+7! end");
    snprintf(hex, sizeof hex, "%s%s%s%s%s%s", CAR_E0, CAR_S1, private, commitment, cut20, cut4);
    car_expect("unverifiable", hex, NULL, "18+38 56+41? 97+41? 138+26 164+10? end");
    car_expect("unverifiable, passed", hex, &passing, "18+38 56+41? 97+41? 138+26 164+10? end");
    car_expect("unchecked", hex, &unchecked, "18+38- 56+41- 97+41- 138+26- 164+10- end");
}

static void what_a_verdict_returns(void **state)
{
    struct test_bytes bytes = test_hex(CAR_E0 "25" CAR_D1 "62"
                                              "0901551204ca97811261" CAR_S2);
    struct cid_car_reader *reader = NULL;
    struct cid_car_block block;
    (void)state;

    for (int pass = 0; pass < 2; pass++) {
        struct cid_car_options options = car_options(pass ? &passing : NULL);
        assert_error(cid_car_reader_open(&reader, bytes.data, bytes.len, &options, NULL, NULL),
                     CID_OK);
        assert_error(cid_car_reader_fault(reader)->code, CID_OK);
        assert_error(cid_car_reader_next(reader, &block), CID_E_MISMATCH);
        assert_int_equal(block.verdict, CID_MISMATCH);
        assert_int_equal(cid_car_reader_fault(reader)->offset, 18);
        assert_int_equal(cid_car_reader_fault(reader)->field, CID_FIELD_DATA);
        assert_error(cid_car_reader_next(reader, &block), pass ? CID_OK : CID_E_UNVERIFIABLE);
        assert_int_equal(block.verdict, CID_UNVERIFIABLE);
        assert_int_equal(cid_car_reader_fault(reader)->offset, pass ? 18 : 56);
        assert_error(cid_car_reader_next(reader, &block), CID_OK);
        assert_int_equal(block.verdict, CID_GOOD);
        assert_error(cid_car_reader_next(reader, &block), CID_END);
        cid_car_reader_close(reader);
    }
    test_bytes_free(&bytes);
}

static enum cid_error fail_to_sum(void *ctx, uint8_t *out, size_t out_len, const void *data,
                                  size_t data_len)
{
    (void)ctx;
    (void)out;
    (void)out_len;
    (void)data;
    (void)data_len;
    return CID_E_NOMEM;
}

static void a_hash_function_that_fails_proves_nothing(void **state)
{
    static const struct cid_hash_function function = {CID_HASH_SHA2_256, 32,  32, 32,
                                                      fail_to_sum,       NULL};
    static const struct cid_hash_options hash = {.functions = &function, .function_count = 1};
    static const struct cid_car_options options = {.hash = &hash};
    struct test_bytes bytes = test_hex(CAR_V1);
    struct cid_car_reader *reader = NULL;
    struct cid_car_block block;
    (void)state;

    assert_error(cid_car_reader_open(&reader, bytes.data, bytes.len, &options, NULL, NULL), CID_OK);
    assert_error(cid_car_reader_next(reader, &block), CID_E_UNVERIFIABLE);
    assert_int_equal(block.verdict, CID_UNVERIFIABLE);
    assert_int_equal(cid_car_reader_fault(reader)->offset, 59);
    assert_error(cid_car_reader_next(reader, &block), CID_E_UNVERIFIABLE);
    assert_error(cid_car_reader_next(reader, &block), CID_END);
    cid_car_reader_close(reader);
    test_bytes_free(&bytes);
}

static void over_memory_nothing_is_copied(void **state)
{
    struct test_bytes bytes = test_hex(CAR_V2P);
    struct cid_car_options options = car_options(NULL);
    struct cid_car_reader *reader = NULL;
    struct cid_car_block block;
    struct cid_view root;
    size_t len = 0;
    (void)state;

    assert_error(cid_car_reader_open(&reader, bytes.data, bytes.len, &options, NULL, NULL), CID_OK);
    assert_error(cid_car_reader_next(reader, &block), CID_OK);
    assert_ptr_equal(block.cid.bytes, bytes.data + 118);
    assert_ptr_equal(block.data, bytes.data + 154);
    assert_int_equal(block.data_len, 1);
    assert_int_equal(block.section_in_payload, 59);
    assert_error(cid_car_reader_root(&root, reader, 0), CID_OK);
    assert_true(cid_equal(&root, &block.cid));
    assert_ptr_equal(cid_car_reader_header(reader, &len), bytes.data + 59);
    assert_int_equal(len, 58);
    cid_car_reader_close(reader);
    test_bytes_free(&bytes);
}

/* A header without roots and one identity-free section whose block has len bytes. */
static struct test_bytes large_section(size_t len)
{
    struct test_bytes head = test_hex(CAR_E0);
    struct test_bytes bytes;
    uint64_t section = (uint64_t)len + 8;
    size_t written = 0;

    bytes.data = calloc(1, len + 64);
    assert_non_null(bytes.data);
    memcpy(bytes.data, head.data, head.len);
    bytes.len = head.len;
    assert_error(cid_varint_write(bytes.data + bytes.len, 9, &written, section), CID_OK);
    bytes.len += written;
    memcpy(bytes.data + bytes.len, "\x01\x55\x12\x04\1\2\3\4", 8);
    bytes.len += 8 + len;
    test_bytes_free(&head);
    return bytes;
}

static void the_section_limit_can_be_moved(void **state)
{
    const size_t eight = (size_t)8 << 20;
    struct cid_car_options options = {.skip_verify = true};
    struct test_bytes bytes = large_section(eight - 8);
    struct car_run run = car_run_every_way(bytes.data, bytes.len, &options);
    (void)state;

    assert_string_equal(run.text, "18+8388612- end"); /* the limit itself is allowed */
    car_run_free(&run);
    test_bytes_free(&bytes);

    bytes = large_section(eight + 1);
    run = car_run_every_way(bytes.data, bytes.len, &options);
    assert_string_equal(run.text, "section_limit section@18 8388608/8388617");
    car_run_free(&run);
    options.section_limit = (uint64_t)9 << 20;
    run = car_run_every_way(bytes.data, bytes.len, &options);
    assert_string_equal(run.text, "18+8388621- end");
    car_run_free(&run);
    test_bytes_free(&bytes);

    options.section_limit = 37;
    car_expect("a low limit", CAR_V1, &options, "59+38- section_limit section@97 37/38");
}

static void identity_is_limited_by_option(void **state)
{
    static const struct cid_car_options one = {.identity_limit = 1};
    static const struct cid_car_options two = {.identity_limit = 2};
    static const char hex[] = CAR_E0 "06015500016161"
                                     "08015500026262"
                                     "6262" CAR_S1;
    (void)state;

    car_expect("no limit", hex, NULL, "18+7 25+9 34+38 end");
    car_expect("2", hex, &two, "18+7 25+9 34+38 end");
    car_expect("1", hex, &one, "18+7 identity_limit digest@30 1/2");
}

static void every_bit_flip_is_survived(void **state)
{
    static const char *const samples[] = {CAR_V1, CAR_V2P};
    (void)state;

    for (size_t s = 0; s < COUNT(samples); s++) {
        struct test_bytes bytes = test_hex(samples[s]);
        struct car_run sound = car_run_memory(bytes.data, bytes.len, NULL);
        for (size_t bit = 0; bit < 8 * bytes.len; bit++) {
            struct car_run memory, source;
            struct car_source pieces = car_source_of(bytes.data, bytes.len, 13, 0);
            bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
            memory = car_run_memory(test_guard(bytes.data, bytes.len), bytes.len, NULL);
            source = car_run_source(&pieces, NULL);
            assert_string_equal(memory.full, source.full);
            if (s == 0) /* in a CARv1 every bit counts */
                assert_string_not_equal(memory.full, sound.full);
            bytes.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
            car_run_free(&memory);
            car_run_free(&source);
            test_guard_release();
        }
        car_run_free(&sound);
        test_bytes_free(&bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_archives_are_read),
        cmocka_unit_test(broken_sections_are_refused),
        cmocka_unit_test(a_cid_at_fault_is_told_as_far_as_it_goes),
        cmocka_unit_test(padding_needs_leave),
        cmocka_unit_test(padding_is_counted),
        cmocka_unit_test(verdicts_tell_apart),
        cmocka_unit_test(what_a_verdict_returns),
        cmocka_unit_test(a_hash_function_that_fails_proves_nothing),
        cmocka_unit_test(over_memory_nothing_is_copied),
        cmocka_unit_test(the_section_limit_can_be_moved),
        cmocka_unit_test(identity_is_limited_by_option),
        cmocka_unit_test(every_bit_flip_is_survived),
    };
    return cmocka_run_group_tests_name("car_reader", tests, NULL, NULL);
}
