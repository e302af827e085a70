#include "sample.h"

/* ---- right bytes -------------------------------------------------------------------------- */

static void the_samples_are_written_to_the_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < CAR_WAYS; i++) {
        struct cid_view root;
        struct test_bytes root_bytes, expected = test_hex(car_ways[i].expected);
        struct cid_car_writer_options options = car_way_options(&car_ways[i], &root, &root_bytes);
        struct cid_car_writer *writer = NULL;
        uint8_t *memory = malloc(expected.len);
        uint64_t len = 0;

        assert_non_null(memory);
        assert_error(cid_car_writer_open(&writer, memory, expected.len, &options, NULL), CID_OK);
        assert_error(car_write_sample(writer, options.reserve != 0, &len), CID_OK);
        cid_car_writer_close(writer);
        assert_int_equal(len, expected.len);
        car_expect_bytes(memory, expected.len, car_ways[i].expected);
        free(memory);
        for (int seekable = 0; seekable < 2; seekable++) {
            struct car_sink sink = car_sink_new(seekable != 0);
            struct cid_sink use = car_sink_use(&sink);
            if (!seekable && car_needs_patch(&options)) {
                assert_error(cid_car_writer_open_sink(&writer, &use, &options, NULL), CID_E_SEEK);
                assert_null(writer);
                continue;
            }
            assert_error(cid_car_writer_open_sink(&writer, &use, &options, NULL), CID_OK);
            assert_error(car_write_sample(writer, options.reserve != 0, &len), CID_OK);
            cid_car_writer_close(writer);
            assert_int_equal(len, expected.len);
            car_expect_bytes(sink.out.data, sink.out.len, car_ways[i].expected);
            car_sink_free(&sink);
        }
        test_bytes_free(&root_bytes);
        test_bytes_free(&expected);
    }
}

static void memory_that_is_too_small_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < CAR_WAYS; i++) {
        struct cid_view root;
        struct test_bytes root_bytes, expected = test_hex(car_ways[i].expected);
        struct cid_car_writer_options options = car_way_options(&car_ways[i], &root, &root_bytes);

        for (size_t cap = 0; cap < expected.len; cap++) {
            struct cid_car_writer *writer = NULL;
            uint8_t *memory = malloc(cap + 1);
            uint64_t len = 0;
            enum cid_error error = cid_car_writer_open(&writer, memory, cap, &options, NULL);
            if (!error) {
                error = car_write_sample(writer, options.reserve != 0, &len);
                assert_true(len == 0 || len == expected.len);
                assert_true((len != 0) == (cap >= expected.len - 110 && expected.len > 200));
            } else {
                assert_null(writer);
            }
            assert_error(error, CID_E_NOSPACE);
            cid_car_writer_close(writer);
            free(memory);
        }
        test_bytes_free(&root_bytes);
        test_bytes_free(&expected);
    }
}

static void a_block_that_did_not_fit_changes_nothing(void **state)
{
    uint8_t memory[18 + 38];
    struct cid_car_writer *writer = NULL;
    uint64_t offset = 0, len = 0;
    (void)state;

    assert_error(cid_car_writer_open(&writer, memory, sizeof memory, NULL, NULL), CID_OK);
    assert_error(car_put(writer, &car_d2, &offset), CID_E_NOSPACE);
    assert_error(car_put(writer, &car_d1, &offset), CID_OK);
    assert_int_equal(offset, 18);
    assert_error(cid_car_writer_finish(writer, &len), CID_OK);
    assert_int_equal(len, sizeof memory);
    car_expect_bytes(memory, sizeof memory, CAR_E0 CAR_S1);
    assert_error(car_put(writer, &car_d1, NULL), CID_E_ARGUMENT);
    assert_error(cid_car_writer_finish(writer, &len), CID_E_ARGUMENT);
    cid_car_writer_close(writer);
    cid_car_writer_close(NULL);
}

static void blocks_are_hashed_on_request(void **state)
{
    struct cid_car_options used = car_options(NULL);
    struct cid_car_writer_options options = {.hash = used.hash};
    struct cid_prefix prefix = {0x55, CID_HASH_SHA2_256, CID_DIGEST_DEFAULT, 1};
    uint8_t memory[18 + 38 + 39];
    struct cid_car_writer *writer = NULL;
    struct cid cid;
    uint64_t offset = 0;
    (void)state;

    assert_error(cid_car_writer_open(&writer, memory, sizeof memory, &options, NULL), CID_OK);
    assert_error(cid_car_writer_add(writer, &cid, &offset, &prefix, "a", 1), CID_OK);
    assert_int_equal(offset, 18);
    car_expect_bytes(cid_bytes_of(&cid.raw), cid.raw.len, CAR_D1);
    cid_free(&cid, NULL);
    prefix.hash_code = 0x300002;
    assert_error(cid_car_writer_add(writer, &cid, NULL, &prefix, "a", 1), CID_E_HASH_UNKNOWN);
    assert_false(cid_is_defined(&cid));
    prefix.hash_code = CID_HASH_SHA2_256;
    assert_error(cid_car_writer_add(writer, NULL, &offset, &prefix, "bc", 2), CID_OK);
    assert_int_equal(offset, 56);
    assert_error(cid_car_writer_add(writer, &cid, NULL, &prefix, "", 0), CID_E_NOSPACE);
    assert_false(cid_is_defined(&cid));
    assert_error(cid_car_writer_finish(writer, NULL), CID_OK);
    cid_car_writer_close(writer);
    car_expect_bytes(memory, sizeof memory, CAR_E0 CAR_S1 CAR_S2);
}

static void blocks_are_written_once_on_request(void **state)
{
    (void)state;
    for (int dedupe = 0; dedupe < 2; dedupe++) {
        struct cid_car_writer_options options = {.version = 2, .dedupe = dedupe != 0};
        struct car_sink sink = car_sink_new(true);
        struct cid_sink use = car_sink_use(&sink);
        struct cid_car_writer *writer = NULL;
        uint64_t offsets[4];

        assert_error(cid_car_writer_open_sink(&writer, &use, &options, NULL), CID_OK);
        assert_error(car_put(writer, &car_d1, &offsets[0]), CID_OK);
        assert_error(car_put(writer, &car_d1, &offsets[1]), CID_OK);
        assert_error(car_put(writer, &car_d2, &offsets[2]), CID_OK);
        assert_error(car_put(writer, &car_d1, &offsets[3]), CID_OK);
        assert_error(cid_car_writer_finish(writer, NULL), CID_OK);
        cid_car_writer_close(writer);
        assert_true(offsets[0] == 18);
        if (dedupe) {
            assert_true(offsets[1] == UINT64_MAX && offsets[2] == 56 && offsets[3] == UINT64_MAX);
            assert_int_equal(sink.out.len, 51 + 18 + 38 + 39 + 110);
        } else { /* the index has D1 three times, in the order of the archive */
            assert_true(offsets[1] == 56 && offsets[2] == 94 && offsets[3] == 133);
            car_expect_bytes(sink.out.data + 51 + 171 + 70, 120,
                             "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
                             "1200000000000000"
                             "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
                             "3800000000000000"
                             "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
                             "8500000000000000");
        }
        car_sink_free(&sink);
    }
}

/* ---- headers ------------------------------------------------------------------------------ */

static void headers_are_of_one_form(void **state)
{
    static const struct {
        const char *roots[2];
        size_t count;
        const char *expected;
    } rows[] = {
        {{NULL}, 0, CAR_E0},
        {{CAR_D1}, 1, CAR_H1},
        {{"01550000"}, 1, "19a265726f6f747381d82a4500015500006776657273696f6e01"},
        {{CAR_D1, "01550000"},
         2,
         "42a265726f6f747382d82a582500" CAR_D1 "d82a4500015500006776657273696f6e01"},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cid_view roots[2];
        struct test_bytes bytes[2];
        uint8_t out[200];
        uint64_t size = 0;
        size_t written = 0;
        for (size_t k = 0; k < rows[i].count; k++)
            roots[k] = car_cid(rows[i].roots[k], &bytes[k]);
        assert_error(cid_car_header_size(&size, roots, rows[i].count), CID_OK);
        assert_error(cid_car_header_write(NULL, 0, &written, roots, rows[i].count), CID_E_NOSPACE);
        assert_int_equal(written, size);
        assert_error(cid_car_header_write(out, (size_t)size - 1, &written, roots, rows[i].count),
                     CID_E_NOSPACE);
        assert_error(cid_car_header_write(out, (size_t)size, &written, roots, rows[i].count),
                     CID_OK);
        car_expect_bytes(out, written, rows[i].expected);
        for (size_t k = 0; k < rows[i].count; k++)
            test_bytes_free(&bytes[k]);
    }
}

/* Counts and lengths around which CBOR heads and varints change their size. */
static void headers_of_every_size_are_read_back(void **state)
{
    static const size_t counts[] = {0, 1, 2, 23, 24, 25, 255, 256, 700};
    static const size_t digests[] = {0, 18, 19, 20, 32, 250, 251, 252, 65530};
    static const struct cid_car_options strict = {.strict = true};
    uint8_t *digest = calloc(1, 70000);
    (void)state;

    assert_non_null(digest);
    for (size_t i = 0; i < COUNT(counts); i++)
        for (size_t k = 0; k < COUNT(digests); k++) {
            struct cid_view roots[700];
            struct cid cid;
            struct cid_car_reader *reader = NULL;
            struct cid_view root;
            uint8_t *out;
            uint64_t size = 0;
            if (counts[i] > 256 && digests[k] > 1000)
                continue;
            assert_error(cid_make_v1(&cid, 0x55, 0x12, digest, digests[k], NULL), CID_OK);
            for (size_t n = 0; n < counts[i]; n++)
                roots[n] = cid_as_view(&cid);
            assert_error(cid_car_header_size(&size, roots, counts[i]), CID_OK);
            out = malloc((size_t)size);
            assert_non_null(out);
            assert_error(cid_car_header_write(out, (size_t)size, NULL, roots, counts[i]), CID_OK);
            assert_error(cid_car_reader_open(&reader, out, (size_t)size,
                                             counts[i] != 0 ? &strict : NULL, NULL, NULL),
                         CID_OK);
            assert_int_equal(cid_car_reader_info(reader)->root_count, counts[i]);
            assert_int_equal(cid_car_reader_info(reader)->header_len, size);
            for (size_t n = 0; n < counts[i]; n++) {
                assert_error(cid_car_reader_root(&root, reader, n), CID_OK);
                assert_true(cid_equal(&root, &roots[n]));
            }
            cid_car_reader_close(reader);
            free(out);
            cid_free(&cid, NULL);
        }
    free(digest);
}

static void sizes_are_known_beforehand(void **state)
{
    static const struct {
        size_t cid_len;
        uint64_t data_len;
        uint64_t size;
    } rows[] = {{36, 1, 38},       {36, 0, 37},
                {4, 0, 5},         {36, 91, 128},
                {36, 92, 130},     {4, 16379, 16385},
                {4, 16380, 16387}, {1, CID_VARINT_MAX - 1, CID_VARINT_MAX + 9}};
    uint64_t size = 0;
    struct cid_view undefined = {0};
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_error(cid_car_section_size(&size, rows[i].cid_len, rows[i].data_len), CID_OK);
        assert_true(size == rows[i].size);
    }
    assert_error(cid_car_section_size(&size, 2, CID_VARINT_MAX - 1), CID_E_TOO_LARGE);
    assert_error(cid_car_section_size(&size, 36, UINT64_MAX), CID_E_TOO_LARGE);
    assert_error(cid_car_header_size(&size, &undefined, 1), CID_E_ARGUMENT);
}

static void roots_that_come_late_must_fit(void **state)
{
    struct cid_car_writer_options options = {.reserve = 59};
    struct car_sink sink = car_sink_new(true);
    struct cid_sink use = car_sink_use(&sink);
    struct cid_car_writer *writer = NULL;
    struct test_bytes small_bytes, bytes;
    struct cid_view small = car_cid("01550000", &small_bytes), root = car_cid(CAR_D1, &bytes);
    struct cid_view undefined = {0};
    (void)state;

    assert_error(cid_car_writer_open_sink(&writer, &use, &options, NULL), CID_OK);
    assert_error(car_put(writer, &car_d1, NULL), CID_OK);
    assert_error(cid_car_writer_finish(writer, NULL), CID_E_ROOTS_ROOM);
    assert_error(cid_car_writer_set_roots(writer, &small, 1), CID_E_ROOTS_ROOM);
    assert_error(cid_car_writer_set_roots(writer, NULL, 0), CID_E_ROOTS_ROOM);
    assert_error(cid_car_writer_set_roots(writer, &undefined, 1), CID_E_ARGUMENT);
    assert_error(cid_car_writer_finish(writer, NULL), CID_E_ROOTS_ROOM);
    assert_error(cid_car_writer_set_roots(writer, &root, 1), CID_OK);
    assert_error(cid_car_writer_finish(writer, NULL), CID_OK);
    assert_error(cid_car_writer_set_roots(writer, &root, 1), CID_E_ARGUMENT);
    car_expect_bytes(sink.out.data, sink.out.len, CAR_H1 CAR_S1);
    cid_car_writer_close(writer);
    assert_error(cid_car_writer_open_sink(&writer, &use, NULL, NULL), CID_OK);
    assert_error(cid_car_writer_set_roots(writer, &root, 1), CID_E_ARGUMENT); /* no room */
    cid_car_writer_close(writer);
    car_sink_free(&sink);
    test_bytes_free(&small_bytes);
    test_bytes_free(&bytes);
}

/* With a note in the header, which copying must keep. */
#define NOTED                                                                                      \
    "42a3646e6f7465626869"                                                                         \
    "65726f6f747381d82a582500" CAR_D1 "6776657273696f6e01"

static void wrapping_and_unwrapping_give_the_same_file(void **state)
{
    static const char *const samples[] = {CAR_V1, CAR_E0, CAR_E0 CAR_S1 CAR_S1, NOTED CAR_S2,
                                          CAR_E0 "05 01550001 00" CAR_S1};
    static const struct cid_car_options unchecked = {.skip_verify = true};
    (void)state;

    for (size_t i = 0; i < COUNT(samples); i++) {
        struct test_bytes bytes = test_hex(samples[i]);
        struct car_sink sinks[2] = {car_sink_new(true), car_sink_new(false)};
        for (uint32_t version = 2; version >= 1; version--) {
            struct car_sink *sink = &sinks[2 - version];
            struct cid_sink use = car_sink_use(sink);
            struct cid_car_writer_options options = {.version = version};
            struct cid_car_writer *writer = NULL;
            struct cid_car_reader *reader = NULL;
            const uint8_t *in = version == 2 ? bytes.data : sinks[0].out.data;
            size_t in_len = version == 2 ? bytes.len : sinks[0].out.len;
            assert_error(cid_car_reader_open(&reader, in, in_len, &unchecked, NULL, NULL), CID_OK);
            options.header = cid_car_reader_header(reader, &options.header_len);
            assert_error(cid_car_writer_open_sink(&writer, &use, &options, NULL), CID_OK);
            assert_error(cid_car_writer_copy(writer, reader), CID_OK);
            assert_error(cid_car_writer_finish(writer, NULL), CID_OK);
            cid_car_writer_close(writer);
            cid_car_reader_close(reader);
        }
        car_expect_bytes(sinks[1].out.data, sinks[1].out.len, samples[i]);
        car_sink_free(&sinks[0]);
        car_sink_free(&sinks[1]);
        test_bytes_free(&bytes);
    }
}

static void a_reader_that_fails_is_handed_on(void **state)
{
    struct test_bytes bytes = test_hex(CAR_V1);
    struct cid_car_options options = car_options(NULL);
    struct car_sink sink = car_sink_new(false);
    struct cid_sink use = car_sink_use(&sink);
    struct cid_car_writer *writer = NULL;
    struct cid_car_reader *reader = NULL;
    (void)state;

    assert_error(cid_car_reader_open(&reader, bytes.data, 135, &options, NULL, NULL), CID_OK);
    assert_error(cid_car_writer_open_sink(&writer, &use, NULL, NULL), CID_OK);
    assert_error(cid_car_writer_copy(writer, reader), CID_E_TRUNCATED);
    cid_car_writer_close(writer);
    cid_car_reader_close(reader);
    car_sink_free(&sink);
    test_bytes_free(&bytes);
}

/* ---- CARv2 -------------------------------------------------------------------------------- */

static void identity_and_emptiness_decide_on_the_index(void **state)
{
    static const struct car_sample identity = {"01550001 78", "x"};
    static const struct {
        bool identity;
        bool with_block;
        size_t size; /* of what comes behind the payload */
        uint8_t characteristics;
    } rows[] = {
        {false, false, 0, 0}, /* no entries, no index, nothing indexed */
        {true, false, 0, 0},
        {false, true, 0, 0},
        {true, true, 6 + 12 + 12 + 9, 0x80},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cid_car_writer_options options = {
            .version = 2, .index_padding = 3, .index = {.identity = rows[i].identity}};
        size_t payload = 18 + (rows[i].with_block ? 7 : 0);
        uint64_t index_at = 51 + payload + 3;
        struct car_sink sink = car_sink_new(true);
        struct cid_sink use = car_sink_use(&sink);
        struct cid_car_writer *writer = NULL;
        struct cid_car *car = NULL;

        assert_error(cid_car_writer_open_sink(&writer, &use, &options, NULL), CID_OK);
        if (rows[i].with_block)
            assert_error(car_put(writer, &identity, NULL), CID_OK);
        assert_error(cid_car_writer_finish(writer, NULL), CID_OK);
        cid_car_writer_close(writer);
        assert_int_equal(sink.out.len, 51 + payload + (rows[i].size ? 3 + rows[i].size : 0));
        assert_int_equal(sink.out.data[11], rows[i].characteristics);
        assert_int_equal(sink.out.data[43], rows[i].size ? index_at : 0);
        assert_error(cid_car_open(&car, sink.out.data, sink.out.len, NULL, NULL, NULL), CID_OK);
        assert_int_equal(cid_car_info_of(car)->index_codec, rows[i].size ? 0x0401 : 0);
        cid_car_close(car);
        car_sink_free(&sink);
    }
}

static void the_other_kind_of_index_can_be_had(void **state)
{
    struct cid_car_writer_options options = {.version = 2,
                                             .index = {.codec = CID_CAR_INDEX_SORTED}};
    struct car_sink sink = car_sink_new(true);
    struct cid_sink use = car_sink_use(&sink);
    struct cid_car_writer *writer = NULL;
    (void)state;

    assert_error(cid_car_writer_open_sink(&writer, &use, &options, NULL), CID_OK);
    assert_error(car_put(writer, &car_d1, NULL), CID_OK);
    assert_error(cid_car_writer_finish(writer, NULL), CID_OK);
    cid_car_writer_close(writer);
    car_expect_bytes(sink.out.data + 51 + 56, sink.out.len - 51 - 56,
                     "8008 01000000 28000000 2800000000000000"
                     "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
                     "1200000000000000");
    car_sink_free(&sink);
}

static void an_announced_size_must_come_true(void **state)
{
    static const uint64_t sizes[] = {135, 137};
    (void)state;

    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct car_way way = {"", "", {.version = 2, .data_size = sizes[i]}};
        struct cid_view root;
        struct test_bytes bytes;
        struct cid_car_writer_options options = car_way_options(&way, &root, &bytes);
        struct car_sink sink = car_sink_new(false);
        struct cid_sink use = car_sink_use(&sink);
        struct cid_car_writer *writer = NULL;
        assert_error(cid_car_writer_open_sink(&writer, &use, &options, NULL), CID_OK);
        assert_error(car_write_sample(writer, false, NULL), CID_E_DATA_SIZE);
        assert_error(car_put(writer, &car_d1, NULL), CID_E_DATA_SIZE);
        cid_car_writer_close(writer);
        car_sink_free(&sink);
        test_bytes_free(&bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_samples_are_written_to_the_byte),
        cmocka_unit_test(memory_that_is_too_small_is_told),
        cmocka_unit_test(a_block_that_did_not_fit_changes_nothing),
        cmocka_unit_test(blocks_are_hashed_on_request),
        cmocka_unit_test(blocks_are_written_once_on_request),
        cmocka_unit_test(headers_are_of_one_form),
        cmocka_unit_test(headers_of_every_size_are_read_back),
        cmocka_unit_test(sizes_are_known_beforehand),
        cmocka_unit_test(roots_that_come_late_must_fit),
        cmocka_unit_test(wrapping_and_unwrapping_give_the_same_file),
        cmocka_unit_test(a_reader_that_fails_is_handed_on),
        cmocka_unit_test(identity_and_emptiness_decide_on_the_index),
        cmocka_unit_test(the_other_kind_of_index_can_be_had),
        cmocka_unit_test(an_announced_size_must_come_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
