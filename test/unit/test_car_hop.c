/*
 * Readers that want no data: they find the same sections and the same faults whether the source
 * skips or not, and what they need not read they do not.
 */
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64
#include "car.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static const struct cid_car_options no_data = {.skip_data = true};
static const struct cid_car_options unchecked = {.skip_verify = true};

/* ---- archives ------------------------------------------------------------------------------ */

/* Data of sections in turn: around what is worth a hop, and around what is read. */
static const size_t lens[] = {100000, 3,      65536,  69000,  69632,  0,     1,
                              262144, 300000, 280000, 150000, 200001, 90000, 4000};

#define HEAD_V2 58 /* with padding of 7 bytes */

struct made {
    struct test_bytes bytes;
    size_t sections[COUNT(lens) + 1]; /* where each starts, and the end */
};

static void add_hex(struct test_bytes *bytes, const char *hex)
{
    struct test_bytes more = test_hex(hex);

    memcpy(bytes->data + bytes->len, more.data, more.len);
    bytes->len += more.len;
    test_bytes_free(&more);
}

static void add_section(struct test_bytes *bytes, size_t len)
{
    size_t written = 0;

    assert_error(cid_varint_write(bytes->data + bytes->len, 9, &written, 36 + len), CID_OK);
    bytes->len += written;
    add_hex(bytes, CAR_D1);
    memset(bytes->data + bytes->len, 0x7f, len); /* read as sections it would be cut soon */
    bytes->len += len;
}

static void put64(uint8_t *at, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

/* A CARv1, or a CARv2 with an index behind padding that is worth a hop. */
static struct made make(bool v2)
{
    struct made made = {.bytes = {calloc(1, (size_t)2 << 20), 0}};
    struct test_bytes *bytes = &made.bytes;
    size_t start;

    assert_non_null(bytes->data);
    if (v2) {
        add_hex(bytes, CAR_V2_HEAD("3a00000000000000", "0000000000000000", "0000000000000000"));
        bytes->len = HEAD_V2;
    }
    start = bytes->len;
    add_hex(bytes, CAR_H1);
    for (size_t i = 0; i < COUNT(lens); i++) {
        made.sections[i] = bytes->len;
        add_section(bytes, lens[i]);
    }
    made.sections[COUNT(lens)] = bytes->len;
    if (v2) {
        put64(bytes->data + 35, bytes->len - start);
        put64(bytes->data + 43, bytes->len + 150000);
        bytes->len += 150000;
        add_hex(bytes, CAR_IDX);
        bytes->len += 200000;
    }
    return made;
}

/* ---- the same ------------------------------------------------------------------------------ */

/* One way to give bytes. */
static const struct way {
    size_t chunk, skip_most;
    unsigned empties;
} ways[] = {
    {0, SIZE_MAX, 0},    {0, SIZE_MAX, 2},     {1000, SIZE_MAX, 0},
    {4097, SIZE_MAX, 0}, {65537, SIZE_MAX, 1}, {0, 1, 0},
    {0, 30000, 0},       {5000, 70001, 0},     {0, 0, 0},
    {7777, 0, 0},
};

/* Runs over the first len bytes in one way, and holds it against memory. */
static size_t expect_same(const uint8_t *bytes, size_t len, const struct way *way,
                          const struct car_run *expected)
{
    struct car_source source = car_source_of(bytes, len, way->chunk, way->empties);
    struct car_run run;

    source.skip_most = way->skip_most;
    run = car_run_source(&source, &no_data);
    if (strcmp(run.text, expected->text) != 0)
        fail_msg("%zu bytes: \"%s\" instead of \"%s\"", len, run.text, expected->text);
    assert_string_equal(run.full, expected->full);
    car_run_free(&run);
    return source.skips;
}

static void whole_archives_are_the_same(void **state)
{
    (void)state;
    for (int v2 = 0; v2 < 2; v2++) {
        struct made made = make(v2);
        struct car_run all = car_run_memory(made.bytes.data, made.bytes.len, &unchecked);
        struct car_run memory = car_run_memory(made.bytes.data, made.bytes.len, &no_data);
        assert_int_equal(all.blocks, COUNT(lens));
        assert_string_equal(all.text + strlen(all.text) - 4, " end");
        assert_string_equal(memory.text, all.text);
        for (size_t w = 0; w < COUNT(ways); w++) {
            size_t skips = expect_same(made.bytes.data, made.bytes.len, &ways[w], &memory);
            if (ways[w].skip_most == SIZE_MAX)
                assert_true(skips >= (v2 ? 4 : 3));
            else
                assert_int_equal(skips == 0, ways[w].skip_most == 0);
        }
        car_run_free(&all);
        car_run_free(&memory);
        test_bytes_free(&made.bytes);
    }
}

/* Whether a cut there is one to try: near a place where something begins, or now and then. */
static bool is_cut(const struct made *made, size_t len)
{
    static const size_t steps[] = {4096, 65536, 65537 + 36, 69632 + 39};

    for (size_t i = 0; i <= COUNT(lens); i++) {
        size_t start = made->sections[i];
        if (len + 4 >= start && len <= start + 45)
            return true;
        for (size_t j = 0; j < COUNT(steps); j++)
            if (len + 1 >= start + steps[j] && len <= start + steps[j] + 1)
                return true;
    }
    return len % 29989 == 0 || len + 3 >= made->bytes.len;
}

static void cut_archives_are_the_same(void **state)
{
    (void)state;
    for (int v2 = 0; v2 < 2; v2++) {
        struct made made = make(v2);
        size_t turn = 0;
        for (size_t len = 0; len < made.bytes.len; len++) {
            struct car_run memory;
            if (!is_cut(&made, len))
                continue;
            memory = car_run_memory(made.bytes.data, len, &no_data);
            expect_same(made.bytes.data, len, &ways[0], &memory);
            turn = (turn + 1) % COUNT(ways);
            expect_same(made.bytes.data, len, &ways[turn], &memory);
            car_run_free(&memory);
        }
        test_bytes_free(&made.bytes);
    }
}

/* A payload that ends inside a section, at any place of it, though the file goes on. */
static void sections_may_not_leave_the_payload(void **state)
{
    struct made made = make(true);
    (void)state;

    for (size_t end = made.sections[0] + 1; end < made.sections[COUNT(lens)]; end++) {
        struct car_run memory;
        if (!is_cut(&made, end))
            continue;
        put64(made.bytes.data + 35, end - HEAD_V2);
        memory = car_run_memory(made.bytes.data, made.bytes.len, &no_data);
        expect_same(made.bytes.data, made.bytes.len, &ways[0], &memory);
        car_run_free(&memory);
    }
    test_bytes_free(&made.bytes);
}

/* Padding, limits, bad CIDs and identity CIDs of any length, in front of much data. */
static void what_is_odd_is_the_same(void **state)
{
    static const struct cid_car_options options[] = {
        {.skip_data = true},
        {.skip_data = true, .allow_padding = true},
        {.skip_data = true, .section_limit = 150000},
        {.skip_data = true, .section_limit = 149999},
        {.skip_data = true, .identity_limit = 90},
        {.skip_data = true, .strict = true},
    };
    /* sections of 150,000 bytes, of which these are the first */
    static const char *const heads[] = {
        "0155005a",             /* an identity CID of 90 bytes */
        "0155005b",             /* of 91 */
        "0155007c",             /* of 124: together 128 bytes */
        "0155007d",             /* of 125 */
        "015500f093090000",     /* of 149,999: longer than the section */
        "015500eb93090000",     /* of 149,995: to its last byte */
        "01551480",             /* a length that does not end soon */
        "0255122000",           /* CIDv2 */
        "ffffffffffffffffff7f", /* no version at all */
        "1220",                 /* a CIDv0 */
        "8100",                 /* a version that is not minimal */
        "00",
    };
    uint8_t *bytes = calloc(1, 400000);
    (void)state;

    assert_non_null(bytes);
    for (size_t h = 0; h < COUNT(heads); h++)
        for (size_t o = 0; o < COUNT(options); o++)
            for (size_t w = 0; w < 2; w++) {
                struct test_bytes all = {bytes, 0};
                struct cid_car_options with = options[o];
                struct car_source source;
                struct car_run expected, memory, run;
                memset(bytes, 0, 400000);
                add_hex(&all, CAR_E0 "f09309");
                add_hex(&all, heads[h]);
                all.len = 18 + 3 + 150000;
                add_hex(&all, CAR_S1);
                all.len += w ? 100000 : 0; /* zeros */
                memory = car_run_memory(bytes, all.len, &with);
                source = car_source_of(bytes, all.len, 4096, 0);
                source.skip_most = SIZE_MAX;
                run = car_run_source(&source, &with);
                assert_string_equal(run.full, memory.full);
                with.skip_data = false;
                with.skip_verify = true;
                expected = car_run_memory(bytes, all.len, &with);
                assert_string_equal(run.text, expected.text);
                car_run_free(&expected);
                car_run_free(&memory);
                car_run_free(&run);
            }
    free(bytes);
}

static void a_block_has_no_data(void **state)
{
    struct test_bytes bytes = test_hex(CAR_V1);
    struct cid_car_reader *reader = NULL;
    struct cid_car_block block;
    struct cid_car_writer *writer = NULL;
    uint8_t out[256];
    (void)state;

    assert_error(cid_car_reader_open(&reader, bytes.data, bytes.len, &no_data, NULL, NULL), CID_OK);
    assert_error(cid_car_reader_next(reader, &block), CID_OK);
    assert_null(block.data);
    assert_int_equal(block.data_len, 1);
    assert_int_equal(block.verdict, CID_UNCHECKED);
    assert_error(cid_car_writer_open(&writer, out, sizeof out, NULL, NULL), CID_OK);
    assert_error(cid_car_writer_copy(writer, reader), CID_E_ARGUMENT);
    cid_car_writer_close(writer);
    cid_car_reader_close(reader);
    test_bytes_free(&bytes);
}

/* ---- sources that go wrong ----------------------------------------------------------------- */

struct odd {
    struct car_source bytes;
    enum cid_error error; /* of skip */
    uint64_t more;        /* said to be skipped beyond what was asked for */
    bool none;            /* nothing can be skipped */
    size_t lost;          /* bytes that are gone from the end of the file after the first skip */
    size_t skips;
};

static enum cid_error odd_read(void *ctx, void *buf, size_t cap, size_t *got)
{
    struct odd *odd = ctx;
    struct cid_source use = car_source_use(&odd->bytes);

    return use.read(use.ctx, buf, cap, got);
}

static enum cid_error odd_skip(void *ctx, uint64_t n, uint64_t *skipped)
{
    struct odd *odd = ctx;

    odd->skips++;
    if (odd->error || odd->none)
        return odd->error;
    *skipped = n + odd->more;
    odd->bytes.at += (size_t)n;
    odd->bytes.len -= odd->lost;
    if (odd->bytes.at > odd->bytes.len)
        odd->bytes.at = odd->bytes.len; /* behind the end there is nothing */
    odd->lost = 0;
    return CID_OK;
}

static void expect_odd(struct odd odd, const char *expected)
{
    struct cid_source source = {odd_read, &odd, odd_skip};
    struct cid_car_reader *reader = NULL;
    struct cid_fault fault = {0};
    struct car_run run;

    assert_error(cid_car_reader_open_source(&reader, &source, &no_data, &fault, NULL), CID_OK);
    run = car_run_reader(reader, &fault);
    assert_string_equal(run.text, expected);
    assert_int_equal(odd.skips, 1);
    car_run_free(&run);
}

static void a_source_that_cannot_skip_is_quoted(void **state)
{
    struct test_bytes bytes = {calloc(1, 2000000), 0};
    struct car_source source;
    (void)state;

    assert_non_null(bytes.data);
    add_hex(&bytes, CAR_E0);
    add_section(&bytes, 1000000);
    source = car_source_of(bytes.data, bytes.len, 1000, 0);
    expect_odd((struct odd){source, .error = CID_E_NOT_FOUND}, "not_found @1000");
    expect_odd((struct odd){source, .error = CID_E_IO}, "io @1000");
    expect_odd((struct odd){source, .more = 1}, "io @1000");
    expect_odd((struct odd){source, .more = UINT64_MAX - 2000000}, "io @1000");
    expect_odd((struct odd){source, .more = 0}, "18+1000039- end");
    expect_odd((struct odd){source, .none = true}, "18+1000039- end");
    /* the file has become shorter: the last byte of a section is always read */
    expect_odd((struct odd){source, .lost = 1}, "truncated section@18 1000036/1000035");
    test_bytes_free(&bytes);
}

/* ---- files --------------------------------------------------------------------------------- */

#define GIB ((uint64_t)1 << 30)

static const struct cid_car_options huge = {.skip_data = true, .section_limit = 4 * GIB};

/* The head of a section whose data is a hole, and then room for it. */
static uint64_t put_hole(int fd, uint64_t at, uint64_t len)
{
    uint8_t head[64];
    struct test_bytes cid = test_hex(CAR_D1);
    size_t written = 0;

    assert_error(cid_varint_write(head, 9, &written, 36 + len), CID_OK);
    memcpy(head + written, cid.data, 36);
    test_bytes_free(&cid);
    assert_int_equal(pwrite(fd, head, written + 36, (off_t)at), written + 36);
    at += written + 36 + len;
    assert_int_equal(ftruncate(fd, (off_t)at), 0);
    return at;
}

static int new_file(void)
{
    char name[] = "/tmp/cid-test-XXXXXX";
    struct test_bytes head = test_hex(CAR_E0);
    int fd = mkstemp(name);

    assert_true(fd >= 0);
    unlink(name);
    assert_int_equal(write(fd, head.data, head.len), head.len);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    test_bytes_free(&head);
    return fd;
}

/* A source over a descriptor that counts. */
struct counting {
    int fd;
    off_t size;
    uint64_t given;
};

static enum cid_error count_read(void *ctx, void *buf, size_t cap, size_t *got)
{
    struct counting *counting = ctx;
    ssize_t n = read(counting->fd, buf, cap);

    assert_true(n >= 0);
    counting->given += (uint64_t)n;
    *got = (size_t)n;
    return n == 0 ? CID_END : CID_OK;
}

static enum cid_error count_skip(void *ctx, uint64_t n, uint64_t *skipped)
{
    struct counting *counting = ctx;
    uint64_t left = (uint64_t)(counting->size - lseek(counting->fd, 0, SEEK_CUR));

    *skipped = n < left ? n : left;
    assert_true(lseek(counting->fd, (off_t)*skipped, SEEK_CUR) >= 0);
    return CID_OK;
}

/* What a reader of the file finds, which it would take a second to read. */
static void expect_found(int fd, const char *found)
{
    struct cid_car_reader *reader = NULL;
    struct cid_fault fault = {0};
    struct car_run run;

    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    assert_error(cid_car_reader_open_fd(&reader, fd, &huge, &fault, NULL), CID_OK);
    run = car_run_reader(reader, &fault);
    assert_string_equal(run.text, found);
    car_run_free(&run);
}

static void large_files_are_not_read(void **state)
{
    struct counting counting = {.fd = new_file()};
    struct cid_source source = {count_read, &counting, count_skip};
    struct cid_car_reader *reader = NULL;
    struct cid_fault fault = {0};
    struct test_alloc alloc;
    struct car_run run;
    uint64_t end = 18;
    (void)state;

    end = put_hole(counting.fd, end, 3 * GIB);
    end = put_hole(counting.fd, end, 5);
    end = put_hole(counting.fd, end, 2 * GIB);
    counting.size = (off_t)end;
    test_alloc_init(&alloc, SIZE_MAX);
    assert_error(cid_car_reader_open_source(&reader, &source, &huge, &fault, &alloc.allocator),
                 CID_OK);
    run = car_run_reader(reader, &fault);
    assert_string_equal(run.text, "18+3221225513- 3221225531+42- 3221225573+2147483689- end");
    assert_true(counting.given < 600000);
    assert_true(alloc.bytes < 600000);
    car_run_free(&run);

    /* and from a descriptor, whole and cut */
    expect_found(counting.fd, "18+3221225513- 3221225531+42- 3221225573+2147483689- end");
    assert_true(lseek(counting.fd, 0, SEEK_CUR) == (off_t)end);
    assert_int_equal(ftruncate(counting.fd, (off_t)end - 1), 0);
    expect_found(counting.fd, "18+3221225513- 3221225531+42- truncated section@3221225573 "
                              "2147483684/2147483683");
    assert_int_equal(ftruncate(counting.fd, (off_t)end - 100000), 0);
    expect_found(counting.fd, "18+3221225513- 3221225531+42- truncated section@3221225573 "
                              "2147483684/2147383684");
    close(counting.fd);
}

/* Changes a file of three sections between the second and the third, and says how it ends. */
static void expect_change(uint64_t new_len, enum cid_error error, uint64_t blocks)
{
    int fd = new_file();
    struct cid_car_reader *reader = NULL;
    struct cid_car_block block;
    enum cid_error got;
    uint64_t end = 18;

    for (int i = 0; i < 3; i++)
        end = put_hole(fd, end, 300000);
    if (new_len > end)
        assert_int_equal(ftruncate(fd, (off_t)end - 1), 0);
    assert_error(cid_car_reader_open_fd(&reader, fd, &no_data, NULL, NULL), CID_OK);
    for (int i = 0; i < 2; i++)
        assert_error(cid_car_reader_next(reader, &block), CID_OK);
    if (new_len > end)
        (void)put_hole(fd, end, new_len - end);
    else
        assert_int_equal(ftruncate(fd, (off_t)new_len), 0);
    while ((got = cid_car_reader_next(reader, &block)) == CID_OK)
        ;
    assert_error(got, error);
    assert_int_equal(block.number + 1, blocks);
    cid_car_reader_close(reader);
    close(fd);
}

static void files_may_change_meanwhile(void **state)
{
    const uint64_t section = 3 + 36 + 300000, end = 18 + 3 * section;
    (void)state;

    expect_change(end, CID_END, 3);
    expect_change(end + 1, CID_END, 4); /* whole only now, and there is one more */
    expect_change(end + 100000, CID_END, 4);
    expect_change(end - 1, CID_E_TRUNCATED, 2);
    expect_change(end - section + 40, CID_E_TRUNCATED, 2);
}

/* What has no size is read: pipes, and files that say 0. */
static void without_a_size_all_is_read(void **state)
{
    struct made made = make(false);
    struct car_run memory = car_run_memory(made.bytes.data, made.bytes.len, &no_data);
    struct cid_car_reader *reader = NULL;
    struct cid_fault fault = {0};
    FILE *pipe;
    struct car_run run;
    int fd = new_file();
    char command[64];
    (void)state;

    assert_int_equal(pwrite(fd, made.bytes.data, made.bytes.len, 0), made.bytes.len);
    snprintf(command, sizeof command, "cat </proc/%ld/fd/%d", (long)getpid(), fd);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_error(cid_car_reader_open_fd(&reader, fileno(pipe), &no_data, &fault, NULL), CID_OK);
    run = car_run_reader(reader, &fault);
    assert_string_equal(run.full, memory.full);
    car_run_free(&run);
    pclose(pipe);
    close(fd);

    fd = open("/proc/self/maps", O_RDONLY);
    if (fd >= 0) {
        assert_error(cid_car_reader_open_fd(&reader, fd, &no_data, &fault, NULL), CID_E_CAR_KIND);
        close(fd);
    }
    car_run_free(&memory);
    test_bytes_free(&made.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_archives_are_the_same),
        cmocka_unit_test(cut_archives_are_the_same),
        cmocka_unit_test(sections_may_not_leave_the_payload),
        cmocka_unit_test(what_is_odd_is_the_same),
        cmocka_unit_test(a_block_has_no_data),
        cmocka_unit_test(a_source_that_cannot_skip_is_quoted),
        cmocka_unit_test(large_files_are_not_read),
        cmocka_unit_test(files_may_change_meanwhile),
        cmocka_unit_test(without_a_size_all_is_read),
    };
    return cmocka_run_group_tests_name("car_hop", tests, NULL, NULL);
}
