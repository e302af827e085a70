/*
 * Whole archives by several threads: every number of them tells what one tells, wherever the bad
 * blocks are, and however reading ends.
 */
#include "car.h"

#include <cid/hash.h>

#define BLOCKS      6000
#define MOST        1000 /* bytes of data, but for a few */
#define LARGE       200000
#define LARGE_EVERY 1500
#define WORKERS     8

/* What one block told. */
struct told {
    uint64_t number, section_in_file, section_in_payload, section_len;
    size_t data_len, cid_len;
    uint8_t first, last; /* of its data */
    enum cid_verdict verdict;
    enum cid_error error;
    uint64_t fault_at; /* what the reader said of its last fault, then */
};

struct list {
    struct told *at;
    size_t count;
    struct cid_car_reader *reader;
    size_t stop_at; /* SIZE_MAX: never */
    /* of the whole run */
    enum cid_error error;
    struct cid_fault fault;
    uint64_t payload_len, file_len, padding_len;
    struct cid_car_verdicts verdicts;
};

static struct test_bytes archive;
static size_t sections[BLOCKS + 1]; /* where each starts, and the end */

/* ---- the archive -------------------------------------------------------------------------- */

static void add_section(size_t i, struct test_random *random)
{
    uint64_t draw = test_random_next(random);
    size_t len = i % LARGE_EVERY == 700 ? LARGE : (size_t)(draw % MOST);
    uint64_t hash = draw >> 60 == 0 ? CID_HASH_BLAKE2B_256 : CID_HASH_SHA2_256;
    uint8_t digest[32], cid[64];
    uint8_t *data = malloc(len + 1);
    size_t cid_len = 0, written = 0;

    assert_non_null(data);
    test_random_fill(random, data, len);
    assert_error(cid_hash_sum(digest, 32, NULL, hash, 32, data, len, NULL), CID_OK);
    assert_error(cid_write_v1(cid, sizeof cid, &cid_len, 0x55, hash, digest, 32), CID_OK);
    assert_error(cid_varint_write(archive.data + archive.len, 9, &written, cid_len + len), CID_OK);
    archive.len += written;
    memcpy(archive.data + archive.len, cid, cid_len);
    memcpy(archive.data + archive.len + cid_len, data, len);
    archive.len += cid_len + len;
    free(data);
}

static int make_archive(void **state)
{
    struct test_bytes head = test_hex(CAR_E0);
    struct test_random random = {7};
    struct cid_hash_info info;
    (void)state;

    assert_error(cid_hash_by_code(&info, CID_HASH_BLAKE2B_256), CID_OK);
    archive.data = calloc(1, (size_t)BLOCKS * (MOST + 64) + (size_t)LARGE * 8);
    assert_non_null(archive.data);
    memcpy(archive.data, head.data, head.len);
    archive.len = head.len;
    for (size_t i = 0; info.available && i < BLOCKS; i++) {
        sections[i] = archive.len;
        add_section(i, &random);
    }
    sections[BLOCKS] = archive.len;
    test_bytes_free(&head);
    return 0;
}

static int free_archive(void **state)
{
    (void)state;
    test_bytes_free(&archive);
    return 0;
}

static void need_archive(void)
{
    if (sections[BLOCKS] < BLOCKS)
        skip();
}

/* Changes the last byte of the section before the one that starts there, or changes it back. */
static void flip(size_t end)
{
    archive.data[end - 1] ^= 0x10;
}

/* ---- runs --------------------------------------------------------------------------------- */

static enum cid_error take(void *ctx, const struct cid_car_block *block, enum cid_error error)
{
    struct list *list = ctx;

    assert_true(list->count < BLOCKS + 8);
    list->at[list->count++] = (struct told){
        .number = block->number,
        .section_in_file = block->section_in_file,
        .section_in_payload = block->section_in_payload,
        .section_len = block->section_len,
        .data_len = block->data_len,
        .cid_len = block->cid.len,
        .first = block->data_len ? block->data[0] : 0,
        .last = block->data_len ? block->data[block->data_len - 1] : 0,
        .verdict = block->verdict,
        .error = error,
        .fault_at = cid_car_reader_fault(list->reader)->offset,
    };
    return list->count - 1 == list->stop_at ? CID_E_ARGUMENT : CID_OK;
}

static void begin(struct list *list)
{
    *list = (struct list){.stop_at = SIZE_MAX, .at = calloc(BLOCKS + 8, sizeof *list->at)};
    assert_non_null(list->at);
}

static void end(struct list *list)
{
    const struct cid_car_info *info = cid_car_reader_info(list->reader);

    list->fault = *cid_car_reader_fault(list->reader);
    list->payload_len = info->payload_len;
    list->file_len = info->file_len;
    list->padding_len = info->padding_len;
    cid_car_reader_close(list->reader);
    list->reader = NULL;
}

/* What one call after the other tells. */
static void by_hand(struct list *list, size_t len, const struct cid_car_options *options)
{
    struct cid_car_block block;

    begin(list);
    assert_error(cid_car_reader_open(&list->reader, archive.data, len, options, NULL, NULL),
                 CID_OK);
    for (;;) {
        list->error = cid_car_reader_next(list->reader, &block);
        if (list->error && list->error != CID_E_MISMATCH && list->error != CID_E_UNVERIFIABLE)
            break;
        (void)take(list, &block, list->error);
    }
    end(list);
}

/* How an archive gets to the verifier. */
struct way {
    bool source;
    size_t chunk;
    size_t before; /* blocks that are read by hand first */
};
static const struct way ways[] = {
    {false, 0, 0}, {true, 0, 0}, {true, 65536, 3}, {false, 0, 20}, {true, 700001, 0},
};

static void start(struct list *list, const struct way *way, struct car_source *source, size_t len,
                  const struct cid_car_options *options, const struct cid_allocator *alloc)
{
    struct cid_source use;

    *source = car_source_of(archive.data, len, way->chunk, 0);
    use = car_source_use(source);
    begin(list);
    if (way->source)
        list->error = cid_car_reader_open_source(&list->reader, &use, options, NULL, alloc);
    else
        list->error = cid_car_reader_open(&list->reader, archive.data, len, options, NULL, alloc);
    for (size_t i = 0; !list->error && i < way->before; i++) {
        struct cid_car_block block;
        (void)take(list, &block, cid_car_reader_next(list->reader, &block));
    }
}

static void by_workers(struct list *list, const struct way *way, unsigned workers, size_t len,
                       const struct cid_car_options *options)
{
    struct cid_car_verify_options verify = {.workers = workers, .block = take, .ctx = list};
    struct car_source source;

    start(list, way, &source, len, options, NULL);
    assert_error(list->error, CID_OK);
    list->error = cid_car_verify(&list->verdicts, list->reader, &verify);
    end(list);
}

static void assert_same(const struct list *got, const struct list *expected)
{
    assert_int_equal(got->count, expected->count);
    for (size_t i = 0; i < got->count; i++) {
        const struct told *a = &got->at[i], *b = &expected->at[i];
        assert_int_equal(a->number, i);
        assert_true(a->section_in_file == b->section_in_file && a->verdict == b->verdict &&
                    a->section_in_payload == b->section_in_payload &&
                    a->section_len == b->section_len && a->error == b->error &&
                    a->data_len == b->data_len && a->cid_len == b->cid_len &&
                    a->first == b->first && a->last == b->last && a->fault_at == b->fault_at);
    }
    assert_error(got->fault.code, expected->fault.code);
    assert_true(got->fault.offset == expected->fault.offset &&
                got->fault.need == expected->fault.need && got->fault.have == expected->fault.have);
    assert_true(got->payload_len == expected->payload_len &&
                got->padding_len == expected->padding_len);
    if (expected->error == CID_END) /* else a source has been read who knows how far */
        assert_int_equal(got->file_len, expected->file_len);
}

/* Holds a run against the one by hand; error is what it must say if it saw all blocks itself. */
static void expect_run(const struct way *way, unsigned workers, size_t len,
                       const struct cid_car_options *options, const struct list *expected,
                       enum cid_error error)
{
    size_t mismatches = 0;
    struct list got;

    for (size_t i = way->before; i < expected->count; i++)
        mismatches += expected->at[i].verdict == CID_MISMATCH;
    if (error == CID_E_MISMATCH && mismatches == 0)
        error = CID_OK;
    by_workers(&got, way, workers, len, options);
    assert_error(got.error, error);
    assert_same(&got, expected);
    assert_int_equal(got.verdicts.blocks + way->before, expected->count);
    assert_int_equal(got.verdicts.mismatches, mismatches);
    assert_int_equal(got.verdicts.good + mismatches, got.verdicts.blocks);
    free(got.at);
}

/* Numbers of threads in steps, and every way; error is what cid_car_verify must say. */
static void expect_same(size_t len, const struct cid_car_options *options, enum cid_error error,
                        size_t mismatches, unsigned step)
{
    struct list expected;
    size_t found = 0;

    by_hand(&expected, len, options);
    for (size_t i = 0; i < expected.count; i++)
        found += expected.at[i].verdict == CID_MISMATCH;
    assert_int_equal(found, mismatches);
    for (unsigned workers = 1; workers <= WORKERS; workers += step)
        for (size_t w = workers % 2; w < COUNT(ways); w += 2)
            expect_run(&ways[w], workers, len, options, &expected, error);
    free(expected.at);
}

/* ---- tests -------------------------------------------------------------------------------- */

static void all_good(void **state)
{
    (void)state;
    need_archive();
    expect_same(archive.len, NULL, CID_OK, 0, 1);
}

static void bad_blocks_at_the_start_in_the_middle_and_at_the_end(void **state)
{
    (void)state;
    need_archive();
    flip(sections[1]);
    expect_same(archive.len, NULL, CID_E_MISMATCH, 1, 1);
    flip(sections[3000]);
    flip(sections[BLOCKS]);
    expect_same(archive.len, NULL, CID_E_MISMATCH, 3, 1);
    flip(sections[1]);
    flip(sections[3000]);
    expect_same(archive.len, NULL, CID_E_MISMATCH, 1, 1);
    flip(sections[BLOCKS]);
}

static void what_ends_reading_comes_behind_the_blocks_before_it(void **state)
{
    static const struct cid_car_options padded = {.allow_padding = true};
    uint8_t saved[4];
    (void)state;
    need_archive();

    flip(sections[2000]);
    expect_same(archive.len - 1, NULL, CID_E_TRUNCATED, 1, 3);
    expect_same(archive.len + 3, &padded, CID_E_MISMATCH, 1, 3); /* calloc left zeros there */
    expect_same(archive.len + 3, NULL, CID_E_SECTION_EMPTY, 1, 3);
    flip(sections[2000]);
    for (size_t i = 0; i < 3; i++) {
        static const size_t places[] = {0, 2999, BLOCKS - 1};
        uint8_t *section = archive.data + sections[places[i]];
        memcpy(saved, section, 4);
        memcpy(section, "\xff\xff\xff\x7f", 4);
        if (i == 0) { /* before the blocks that the ways read by hand */
            struct list got;
            by_workers(&got, &ways[0], 4, archive.len, NULL);
            assert_error(got.error, CID_E_SECTION_LIMIT);
            assert_int_equal(got.count, 0);
            assert_int_equal(got.fault.offset, sections[0]);
            free(got.at);
        } else {
            expect_same(archive.len, NULL, CID_E_SECTION_LIMIT, 0, 3);
        }
        memcpy(section, saved, 4);
    }
}

static void who_wants_no_more_gets_no_more(void **state)
{
    static const size_t places[] = {0, 3000, BLOCKS - 1};
    (void)state;
    need_archive();

    for (unsigned workers = 1; workers <= WORKERS; workers += 3)
        for (size_t i = 0; i < 3; i++) {
            struct list list;
            struct cid_car_verify_options verify = {
                .workers = workers, .block = take, .ctx = &list};
            struct cid_car_block block;
            struct car_source source;
            start(&list, &ways[1], &source, archive.len, NULL, NULL);
            list.stop_at = places[i];
            assert_error(cid_car_verify(NULL, list.reader, &verify), CID_E_ARGUMENT);
            assert_int_equal(list.count, places[i] + 1);
            assert_error(cid_car_reader_next(list.reader, &block), CID_E_ARGUMENT);
            end(&list);
            free(list.at);
        }
}

static void unchecked_and_unverifiable_blocks_are_counted(void **state)
{
    static const struct cid_car_options unchecked = {.skip_verify = true};
    static const struct cid_car_options passing = {.pass_unverifiable = true};
    struct test_bytes bytes = test_hex(CAR_E0 "0901551204ca97811261"
                                              "06015500016161");
    (void)state;

    for (unsigned workers = 0; workers < 4; workers++)
        for (int kind = 0; kind < 3; kind++) {
            const struct cid_car_options *options[] = {NULL, &passing, &unchecked};
            struct cid_car_verify_options verify = {.workers = workers};
            struct cid_car_verdicts verdicts;
            struct cid_car_reader *reader = NULL;
            assert_error(
                cid_car_reader_open(&reader, bytes.data, bytes.len, options[kind], NULL, NULL),
                CID_OK);
            assert_error(cid_car_verify(&verdicts, reader, &verify),
                         kind == 0 ? CID_E_UNVERIFIABLE : CID_OK);
            assert_int_equal(verdicts.blocks, 2);
            assert_int_equal(verdicts.data_len, 2);
            assert_int_equal(verdicts.unverifiable, kind == 2 ? 0 : 1);
            assert_int_equal(verdicts.good, kind == 2 ? 0 : 1);
            assert_error(cid_car_verify(&verdicts, reader, NULL), CID_OK); /* nothing is left */
            assert_int_equal(verdicts.blocks, 0);
            cid_car_reader_close(reader);
        }
    test_bytes_free(&bytes);
}

static void without_memory_for_threads_one_does_it(void **state)
{
    enum cid_error error = CID_E_NOMEM;
    size_t grace = 2; /* what opening needs */
    (void)state;
    need_archive();

    for (; error != CID_OK || grace < 4; grace++) {
        struct test_alloc alloc;
        struct list list;
        struct cid_car_verify_options verify = {.workers = 3, .block = take, .ctx = &list};
        struct car_source source;
        assert_true(grace < 32);
        test_alloc_init(&alloc, grace);
        start(&list, &ways[1], &source, archive.len, NULL, &alloc.allocator);
        error = list.error;
        if (!error) {
            error = cid_car_verify(&list.verdicts, list.reader, &verify);
            assert_true(error == CID_OK || error == CID_E_NOMEM);
            if (!error)
                assert_int_equal(list.count, BLOCKS);
            end(&list);
        }
        assert_int_equal(alloc.live, 0);
        free(list.at);
    }
}

/* ---- memory -------------------------------------------------------------------------------- */

/* An archive of one block again and again. */
struct again {
    struct test_bytes head, section;
    size_t left; /* of the sections */
    size_t at;   /* in the section, or in the head first */
    bool past_head;
};

static enum cid_error give_again(void *ctx, void *buf, size_t cap, size_t *got)
{
    struct again *again = ctx;
    const struct test_bytes *from = again->past_head ? &again->section : &again->head;
    size_t n = from->len - again->at;

    if (again->left == 0)
        return CID_END;
    n = n < cap ? n : cap;
    memcpy(buf, from->data + again->at, n);
    *got = n;
    again->at += n;
    if (again->at == from->len) {
        again->left -= again->past_head;
        again->past_head = true;
        again->at = 0;
    }
    return CID_OK;
}

static struct again again_of(size_t data_len, size_t count)
{
    struct again again = {test_hex(CAR_E0), {calloc(1, data_len + 64), 0}, count, 0, false};
    uint8_t *at = again.section.data, digest[32];
    size_t written = 0, cid_len = 0;
    uint8_t *data = calloc(1, data_len);

    assert_true(at && data);
    assert_error(cid_hash_sum(digest, 32, NULL, CID_HASH_SHA2_256, 32, data, data_len, NULL),
                 CID_OK);
    assert_error(cid_varint_write(at, 9, &written, 36 + data_len), CID_OK);
    assert_error(
        cid_write_v1(at + written, 40, &cid_len, 0x55, CID_HASH_SHA2_256, digest, sizeof digest),
        CID_OK);
    again.section.len = written + cid_len + data_len;
    free(data);
    return again;
}

/* What the header of the library says of memory, for eight threads. */
static void memory_is_bounded(void **state)
{
    static const struct {
        size_t data_len, count, buffer;
    } rows[] = {
        {300, 40000, (size_t)512 << 10},
        {(size_t)100 << 10, 300, 33 * ((size_t)100 << 10) / 2 + 4096},
        {(size_t)1 << 20, 140, (size_t)12 << 20},
        {((size_t)8 << 20) - 36, 12, (size_t)16 << 20},
    };
    (void)state;
    need_archive();

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct again again = again_of(rows[i].data_len, rows[i].count);
        struct cid_source source = {give_again, &again, NULL};
        struct cid_car_verify_options verify = {.workers = WORKERS};
        struct cid_car_verdicts verdicts;
        struct cid_car_reader *reader = NULL;
        struct test_alloc alloc;
        size_t most = (WORKERS + 2) * rows[i].buffer + WORKERS * ((size_t)256 << 10);
        test_alloc_init(&alloc, SIZE_MAX);
        assert_error(cid_car_reader_open_source(&reader, &source, NULL, NULL, &alloc.allocator),
                     CID_OK);
        assert_error(cid_car_verify(&verdicts, reader, &verify), CID_OK);
        assert_int_equal(verdicts.good, rows[i].count);
        assert_true(alloc.held > 0);
        cid_car_reader_close(reader);
        assert_int_equal(alloc.held, 0);
        if (alloc.peak > most || alloc.peak < 3 * rows[i].buffer)
            fail_msg("%zu bytes for blocks of %zu; at most %zu", alloc.peak, rows[i].data_len,
                     most);
        test_bytes_free(&again.head);
        test_bytes_free(&again.section);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_good),
        cmocka_unit_test(bad_blocks_at_the_start_in_the_middle_and_at_the_end),
        cmocka_unit_test(what_ends_reading_comes_behind_the_blocks_before_it),
        cmocka_unit_test(who_wants_no_more_gets_no_more),
        cmocka_unit_test(unchecked_and_unverifiable_blocks_are_counted),
        cmocka_unit_test(without_memory_for_threads_one_does_it),
        cmocka_unit_test(memory_is_bounded),
    };
    return cmocka_run_group_tests_name("car_verify", tests, make_archive, free_archive);
}
