#include "sample.h"

/* ---- what is refused ---------------------------------------------------------------------- */

static void options_that_disagree_are_refused(void **state)
{
    static const uint8_t v2_header[] = {0xa2, 0x65, 'r', 'o', 'o', 't', 's', 0x80, 0x67,
                                        'v',  'e',  'r', 's', 'i', 'o', 'n', 0x02};
    static const uint8_t no_roots[] = {0xa1, 0x67, 'v', 'e', 'r', 's', 'i', 'o', 'n', 0x01};
    static const uint8_t junk[] = {0x00};
    static const struct cid_view undefined;
    static const struct {
        struct cid_car_writer_options options;
        enum cid_error error;
    } rows[] = {
        {{.version = 3}, CID_E_ARGUMENT},
        {{.roots = &undefined, .root_count = 1}, CID_E_ARGUMENT},
        {{.roots = &undefined, .root_count = 1, .reserve = 59}, CID_E_ARGUMENT},
        {{.header = no_roots, .header_len = 10, .reserve = 59}, CID_E_ARGUMENT},
        {{.data_padding = 1}, CID_E_ARGUMENT},
        {{.index_padding = 1}, CID_E_ARGUMENT},
        {{.data_size = 18, .version = 1}, CID_E_ARGUMENT},
        {{.version = 2, .data_size = UINT64_MAX}, CID_E_TOO_LARGE},
        {{.version = 2, .data_padding = UINT64_MAX - 50}, CID_E_TOO_LARGE},
        {{.version = 2, .index = {.codec = 5}}, CID_E_INDEX_CODEC},
        {{.header = v2_header, .header_len = sizeof v2_header}, CID_E_CAR_VERSION},
        {{.header = no_roots, .header_len = sizeof no_roots}, CID_E_HEADER_NO_ROOTS},
        {{.header = junk, .header_len = sizeof junk}, CID_E_HEADER_TYPE},
        {{.header = no_roots, .header_len = 9}, CID_E_TRUNCATED},
        {{.reserve = CID_CAR_HEADER_LIMIT + 1}, CID_E_HEADER_LIMIT},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cid_car_writer *writer = NULL;
        struct car_sink sink = car_sink_new(true);
        struct cid_sink use = car_sink_use(&sink);
        struct test_alloc counting;
        test_alloc_init(&counting, SIZE_MAX);
        assert_error(cid_car_writer_open_sink(&writer, &use, &rows[i].options, &counting.allocator),
                     rows[i].error);
        assert_null(writer);
        assert_int_equal(counting.live, 0);
        assert_int_equal(sink.out.len, 0);
    }
}

static void sections_over_the_limit_are_refused(void **state)
{
    static uint8_t data[CID_CAR_SECTION_LIMIT];
    struct cid_car_writer_options options = {0};
    struct test_bytes bytes;
    struct cid_view cid = car_cid(CAR_D1, &bytes), undefined = {0};
    (void)state;

    for (int raised = 0; raised < 2; raised++) {
        struct car_sink sink = car_sink_new(false);
        struct cid_sink use = car_sink_use(&sink);
        struct cid_car_writer *writer = NULL;
        options.section_limit = raised ? sizeof data + 36 : 0;
        assert_error(cid_car_writer_open_sink(&writer, &use, &options, NULL), CID_OK);
        assert_error(cid_car_writer_put(writer, NULL, &undefined, data, 1), CID_E_ARGUMENT);
        assert_error(cid_car_writer_put(writer, NULL, &cid, data, sizeof data - 35),
                     raised ? CID_OK : CID_E_SECTION_LIMIT);
        assert_error(cid_car_writer_put(writer, NULL, &cid, data, sizeof data - 36), CID_OK);
        assert_error(cid_car_writer_finish(writer, NULL), CID_OK);
        assert_int_equal(sink.out.len, raised ? 19 + 2 * (4 + sizeof data) : 22 + sizeof data);
        cid_car_writer_close(writer);
        car_sink_free(&sink);
    }
    test_bytes_free(&bytes);
}

/* ---- failures ----------------------------------------------------------------------------- */

/* Whether the bytes can be taken for a whole archive, or one whose tail is missing. */
static bool looks_finished(const uint8_t *bytes, size_t len)
{
    struct cid_car_reader *reader = NULL;
    enum cid_error error = cid_car_reader_open(&reader, bytes, len, NULL, NULL, NULL);

    cid_car_reader_close(reader);
    return error == CID_OK;
}

/* Writes many blocks, so that the buffer is flushed several times. */
static enum cid_error write_many(struct cid_car_writer *writer, bool reserved)
{
    static uint8_t data[70000];
    struct test_bytes bytes;
    struct cid_view cid = car_cid(CAR_D1, &bytes);
    enum cid_error error = CID_OK;

    for (size_t i = 0; i < 300 && !error; i++)
        error = cid_car_writer_put(writer, NULL, &cid, data, i % 100 == 50 ? sizeof data : i);
    test_bytes_free(&bytes);
    if (!error && reserved)
        error = car_set_root(writer);
    return error;
}

static void a_sink_that_fails_is_handed_on(void **state)
{
    (void)state;
    for (size_t i = 0; i < CAR_WAYS; i++) {
        struct cid_view root;
        struct test_bytes bytes;
        struct cid_car_writer_options options = car_way_options(&car_ways[i], &root, &bytes);
        size_t grace = 0;
        enum cid_error error;
        options.data_size = 0;
        do {
            struct car_sink sink = car_sink_new(true);
            struct cid_sink use = car_sink_use(&sink);
            struct cid_car_writer *writer = NULL;
            struct test_alloc counting;
            test_alloc_init(&counting, SIZE_MAX);
            sink.grace = grace++;
            error = cid_car_writer_open_sink(&writer, &use, &options, &counting.allocator);
            if (!error)
                error = write_many(writer, options.reserve != 0);
            if (!error)
                error = cid_car_writer_finish(writer, NULL);
            if (error && writer) { /* and so it stays, without another call of the sink */
                assert_error(error, CID_E_IO);
                assert_error(car_put(writer, &car_d1, NULL), CID_E_IO);
                assert_error(cid_car_writer_finish(writer, NULL), CID_E_IO);
                if (options.version == 2)
                    assert_false(looks_finished(sink.out.data, sink.out.len));
            }
            cid_car_writer_close(writer);
            assert_int_equal(counting.live, 0);
            car_sink_free(&sink);
        } while (error);
        assert_true(grace > (options.dedupe ? 1 : 4));
        test_bytes_free(&bytes);
    }
}

static void writing_without_memory_leaves_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < CAR_WAYS; i++) {
        struct cid_view root;
        struct test_bytes bytes;
        struct cid_car_writer_options options = car_way_options(&car_ways[i], &root, &bytes);
        size_t grace = 0;
        enum cid_error error;
        do {
            struct car_sink sink = car_sink_new(true);
            struct cid_sink use = car_sink_use(&sink);
            struct cid_car_writer *writer = NULL;
            struct test_alloc failing;
            test_alloc_init(&failing, grace++);
            error = cid_car_writer_open_sink(&writer, &use, &options, &failing.allocator);
            if (!error)
                error = car_write_sample(writer, options.reserve != 0, NULL);
            if (error)
                assert_error(error, CID_E_NOMEM);
            else
                car_expect_bytes(sink.out.data, sink.out.len, car_ways[i].expected);
            cid_car_writer_close(writer);
            assert_int_equal(failing.live, 0);
            car_sink_free(&sink);
        } while (error);
        assert_true(grace >= 3);
        test_bytes_free(&bytes);
    }
}

/* A writer that is never finished, as if killed: what is there cannot be taken for a whole. */
static void what_is_not_finished_does_not_look_so(void **state)
{
    (void)state;
    for (size_t i = 0; i < CAR_WAYS; i++) {
        struct cid_view root;
        struct test_bytes bytes;
        struct cid_car_writer_options options = car_way_options(&car_ways[i], &root, &bytes);
        struct car_sink sink = car_sink_new(true);
        struct cid_sink use = car_sink_use(&sink);
        struct cid_car_writer *writer = NULL;
        if (car_needs_patch(&options)) {
            assert_error(cid_car_writer_open_sink(&writer, &use, &options, NULL), CID_OK);
            assert_error(write_many(writer, false), CID_OK);
            assert_true(sink.out.len > 65536);
            assert_false(looks_finished(sink.out.data, sink.out.len));
            cid_car_writer_close(writer);
        }
        car_sink_free(&sink);
        test_bytes_free(&bytes);
    }
}

static void memory_is_written_with_one_allocation(void **state)
{
    struct cid_car_writer_options options = {0};
    struct cid_car_writer *writer = NULL;
    struct test_alloc counting;
    uint8_t memory[18 + 38 + 39];
    (void)state;

    test_alloc_init(&counting, SIZE_MAX);
    assert_error(cid_car_writer_open(&writer, memory, sizeof memory, &options, &counting.allocator),
                 CID_OK);
    assert_int_equal(counting.live, 1);
    counting.calls = 0;
    assert_error(car_write_sample(writer, false, NULL), CID_OK);
    assert_int_equal(counting.calls, 0);
    cid_car_writer_close(writer);
    assert_int_equal(counting.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_that_disagree_are_refused),
        cmocka_unit_test(sections_over_the_limit_are_refused),
        cmocka_unit_test(a_sink_that_fails_is_handed_on),
        cmocka_unit_test(writing_without_memory_leaves_nothing),
        cmocka_unit_test(what_is_not_finished_does_not_look_so),
        cmocka_unit_test(memory_is_written_with_one_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
