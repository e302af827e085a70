/*
 * Where the bytes of archives come from: pieces of any size, cuts at every byte, sources that fail
 * or give nothing, descriptors, and what memory it takes.
 */
#define _DEFAULT_SOURCE
#include "car.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static const char *const samples[] = {CAR_V1, CAR_V2, CAR_V2I, CAR_V2P};

static void every_split_gives_the_same(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT(samples); s++) {
        struct test_bytes bytes = test_hex(samples[s]);
        struct car_run memory = car_run_memory(bytes.data, bytes.len, NULL);
        assert_int_equal(memory.blocks, 2);
        for (size_t chunk = 1; chunk <= bytes.len; chunk++)
            for (unsigned empties = 0; empties < 3; empties++) {
                struct car_source source = car_source_of(bytes.data, bytes.len, chunk, empties);
                struct car_run run = car_run_source(&source, NULL);
                assert_string_equal(run.full, memory.full);
                car_run_free(&run);
            }
        car_run_free(&memory);
        test_bytes_free(&bytes);
    }
}

/* The places at which an archive may be cut without harm: between sections, in a CARv1. */
static bool is_clean_cut(size_t sample, size_t len)
{
    return sample == 0 && (len == 59 || len == 97);
}

static void no_cut_file_ends_cleanly(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT(samples); s++) {
        struct test_bytes bytes = test_hex(samples[s]);
        for (size_t len = 0; len < bytes.len; len++) {
            struct car_run run = car_run_every_way(bytes.data, len, NULL);
            const char *end = strrchr(run.text, ' ');
            bool clean = strcmp(run.text, "end") == 0 || (end && strcmp(end, " end") == 0);
            /* An index is not read yet, so only its loss is seen. */
            if (s == 2 && len >= 189)
                assert_true(clean);
            else if (s == 3 && len >= 196)
                assert_true(clean);
            else if (clean != is_clean_cut(s, len))
                fail_msg("sample %zu cut at %zu: %s", s, len, run.text);
            car_run_free(&run);
        }
        test_bytes_free(&bytes);
    }
}

static void a_cut_says_where(void **state)
{
    char expected[96];
    struct test_bytes bytes = test_hex(CAR_V1);
    (void)state;

    for (size_t len = 1; len < bytes.len; len++) {
        struct car_run run = car_run_every_way(bytes.data, len, NULL);
        if (len < 59)
            snprintf(expected, sizeof expected, "open: truncated header@0 58/%zu", len - 1);
        else if (len == 59)
            snprintf(expected, sizeof expected, "end");
        else if (len < 97)
            snprintf(expected, sizeof expected, "truncated section@59 37/%zu", len - 60);
        else if (len == 97)
            snprintf(expected, sizeof expected, "59+38 end");
        else
            snprintf(expected, sizeof expected, "59+38 truncated section@97 38/%zu", len - 98);
        assert_string_equal(run.text, expected);
        car_run_free(&run);
    }
    test_bytes_free(&bytes);
}

static void a_source_that_fails_is_quoted(void **state)
{
    struct test_bytes bytes = test_hex(CAR_V2P);
    (void)state;

    for (size_t at = 0; at < bytes.len; at++) {
        struct car_source source = car_source_of(bytes.data, bytes.len, 5, 0);
        struct car_run run;
        char expected[64];
        source.fail_at = at;
        source.error = at % 2 ? CID_E_NOT_FOUND : CID_E_IO;
        run = car_run_source(&source, NULL);
        snprintf(expected, sizeof expected, "%s%s%s @%zu", at < 117 ? "open: " : "",
                 at < 155   ? ""
                 : at < 194 ? "117+38 "
                            : "117+38 155+39 ",
                 at % 2 ? "not_found" : "io", at);
        assert_string_equal(run.text, expected);
        car_run_free(&run);
    }
    test_bytes_free(&bytes);
}

static void a_source_may_be_silent_for_a_while(void **state)
{
    struct test_bytes bytes = test_hex(CAR_V1);
    struct car_source patient = car_source_of(bytes.data, bytes.len, 50, 100);
    struct car_source silent = car_source_of(bytes.data, bytes.len, 50, 101);
    struct car_run run = car_run_source(&patient, NULL);
    (void)state;

    assert_string_equal(run.text, "59+38 97+39 end");
    car_run_free(&run);
    run = car_run_source(&silent, NULL);
    assert_string_equal(run.text, "open: io @0");
    assert_int_equal(silent.calls, 101);
    car_run_free(&run);
    test_bytes_free(&bytes);
}

static enum cid_error boast(void *ctx, void *buf, size_t cap, size_t *got)
{
    (void)ctx;
    (void)buf;
    *got = cap + 1;
    return CID_OK;
}

static void a_source_that_boasts_is_refused(void **state)
{
    struct cid_source source = {boast, NULL, NULL};
    struct cid_car_reader *reader = NULL;
    (void)state;

    assert_error(cid_car_reader_open_source(&reader, &source, NULL, NULL, NULL), CID_E_IO);
    assert_null(reader);
}

/* A whole block is handed out although the source would have more to say, or nothing. */
static void a_whole_block_is_never_kept_waiting(void **state)
{
    struct test_bytes bytes = test_hex(CAR_V1);
    struct car_source source = car_source_of(bytes.data, bytes.len, 97, 0);
    struct cid_source use = car_source_use(&source);
    struct cid_car_options options = car_options(NULL);
    struct cid_car_reader *reader = NULL;
    struct cid_car_block block;
    (void)state;

    assert_error(cid_car_reader_open_source(&reader, &use, &options, NULL, NULL), CID_OK);
    assert_int_equal(source.calls, 1);
    assert_error(cid_car_reader_next(reader, &block), CID_OK);
    assert_int_equal(source.calls, 1);
    assert_error(cid_car_reader_next(reader, &block), CID_OK);
    assert_int_equal(source.calls, 2);
    cid_car_reader_close(reader);
    test_bytes_free(&bytes);
}

/* ---- memory ------------------------------------------------------------------------------- */

static void over_memory_only_opening_allocates(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT(samples); s++) {
        struct test_bytes bytes = test_hex(samples[s]);
        struct cid_car_options options = car_options(NULL);
        struct cid_car_reader *reader = NULL;
        struct cid_car_block block;
        struct test_alloc counting;

        test_alloc_init(&counting, SIZE_MAX);
        assert_error(cid_car_reader_open(&reader, bytes.data, bytes.len, &options, NULL,
                                         &counting.allocator),
                     CID_OK);
        assert_int_equal(counting.calls, 2); /* the reader, the places of the roots */
        assert_true(counting.bytes < 32768); /* with room for a batch of 256 blocks */
        while (cid_car_reader_next(reader, &block) == CID_OK)
            assert_int_equal(counting.calls, 2);
        cid_car_reader_close(reader);
        assert_int_equal(counting.calls, 2);
        assert_int_equal(counting.live, 0);
        test_bytes_free(&bytes);
    }
}

/* Opens and reads with an allocator; NOMEM anywhere is the only failure that may be. */
static enum cid_error read_with(const struct test_bytes *bytes, bool memory,
                                const struct cid_allocator *alloc)
{
    struct car_source pieces = car_source_of(bytes->data, bytes->len, 5000, 0);
    struct cid_source use = car_source_use(&pieces);
    struct cid_car_options options = {.skip_verify = true};
    struct cid_car_reader *reader = NULL;
    struct cid_car_block block;
    struct cid_fault fault = {0};
    enum cid_error error =
        memory ? cid_car_reader_open(&reader, bytes->data, bytes->len, &options, &fault, alloc)
               : cid_car_reader_open_source(&reader, &use, &options, &fault, alloc);

    if (error) {
        assert_null(reader);
        assert_error(fault.code, error);
        return error;
    }
    while ((error = cid_car_reader_next(reader, &block)) == CID_OK)
        ;
    assert_error(cid_car_reader_next(reader, &block), error);
    cid_car_reader_close(reader);
    return error;
}

/* V1 and one section more, of a megabyte, for which the buffer must grow. */
static struct test_bytes v1_and_a_large_block(void)
{
    struct test_bytes v1 = test_hex(CAR_V1);
    size_t data = (size_t)1 << 20;
    struct test_bytes bytes = {calloc(1, v1.len + data + 16), v1.len};
    size_t written = 0;

    assert_non_null(bytes.data);
    memcpy(bytes.data, v1.data, v1.len);
    assert_error(cid_varint_write(bytes.data + bytes.len, 9, &written, data + 4), CID_OK);
    bytes.len += written;
    memcpy(bytes.data + bytes.len, "\x01\x55\x00\x00", 4);
    bytes.len += 4 + data;
    test_bytes_free(&v1);
    return bytes;
}

static void no_memory_is_survived_everywhere(void **state)
{
    struct test_bytes bytes = v1_and_a_large_block();
    (void)state;

    for (int memory = 0; memory < 2; memory++) {
        enum cid_error error = CID_E_NOMEM;
        size_t n = 0;
        for (; error == CID_E_NOMEM && n < 32; n++) {
            struct test_alloc failing;
            test_alloc_init(&failing, n);
            error = read_with(&bytes, memory, &failing.allocator);
            assert_int_equal(failing.live, 0);
        }
        assert_error(error, CID_END);
        /* reader and roots; also buffer, header, and the buffer grown twice for 1 MiB */
        assert_int_equal(n - 1, memory ? 2 : 6);
    }
    test_bytes_free(&bytes);
}

static void lengths_that_lie_cost_nothing(void **state)
{
    static const char section[] = CAR_E0 "80808004" CAR_D1; /* of 8 MiB */
    static const char *const lies[] = {
        "80808010a2",                                            /* a header of 32 MiB */
        section, "15a265726f6f74739b00000001000000000000000000", /* 2^32 roots */
    };
    (void)state;

    for (size_t i = 0; i < COUNT(lies); i++) {
        struct test_bytes bytes = test_hex(lies[i]);
        for (int memory = 0; memory < 2; memory++) {
            struct test_alloc counting;
            test_alloc_init(&counting, SIZE_MAX);
            assert_error(read_with(&bytes, memory, &counting.allocator), CID_E_TRUNCATED);
            assert_true(counting.bytes < (memory ? 2048u : 600000u));
            assert_int_equal(counting.live, 0);
        }
        test_bytes_free(&bytes);
    }
}

/* ---- descriptors -------------------------------------------------------------------------- */

static void expect_fd(int fd, const char *expected)
{
    struct cid_car_options options = car_options(NULL);
    struct cid_car_reader *reader = NULL;
    struct cid_fault fault = {0};
    enum cid_error error = cid_car_reader_open_fd(&reader, fd, &options, &fault, NULL);
    struct car_run run = car_run_reader(reader, &fault);

    (void)error;
    assert_string_equal(run.text, expected);
    car_run_free(&run);
}

static void a_pipe_will_do(void **state)
{
    struct test_bytes bytes = test_hex(CAR_V2P);
    int ends[2];
    (void)state;

    for (int blocking = 0; blocking < 2; blocking++) {
        assert_int_equal(pipe(ends), 0);
        if (!blocking)
            assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
        assert_int_equal(write(ends[1], bytes.data, bytes.len), bytes.len);
        close(ends[1]);
        expect_fd(ends[0], "117+38 155+39 end");
        close(ends[0]);
    }
    test_bytes_free(&bytes);
}

static void a_file_is_read_from_where_it_stands(void **state)
{
    struct test_bytes bytes = test_hex("ffffff" CAR_V1);
    char name[] = "/tmp/cid-test-XXXXXX";
    int fd = mkstemp(name);
    (void)state;

    assert_true(fd >= 0);
    unlink(name);
    assert_int_equal(write(fd, bytes.data, bytes.len), bytes.len);
    assert_int_equal(lseek(fd, 3, SEEK_SET), 3);
    expect_fd(fd, "59+38 97+39 end");
    expect_fd(fd, "open: car_empty header@0 1/0"); /* it is still open, and at its end */
    close(fd);
    errno = 0;
    expect_fd(fd, "open: io @0");
    assert_int_equal(errno, EBADF);
    test_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_split_gives_the_same),
        cmocka_unit_test(no_cut_file_ends_cleanly),
        cmocka_unit_test(a_cut_says_where),
        cmocka_unit_test(a_source_that_fails_is_quoted),
        cmocka_unit_test(a_source_may_be_silent_for_a_while),
        cmocka_unit_test(a_source_that_boasts_is_refused),
        cmocka_unit_test(a_whole_block_is_never_kept_waiting),
        cmocka_unit_test(over_memory_only_opening_allocates),
        cmocka_unit_test(no_memory_is_survived_everywhere),
        cmocka_unit_test(lengths_that_lie_cost_nothing),
        cmocka_unit_test(a_pipe_will_do),
        cmocka_unit_test(a_file_is_read_from_where_it_stands),
    };
    return cmocka_run_group_tests_name("car_source", tests, NULL, NULL);
}
