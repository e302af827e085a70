#include "archive.h"

/* An index with one code, 0x12, and one width, in parts. */
#define LE32(byte)  byte "000000"
#define LE64(byte)  byte "00000000000000"
#define ENTRY_WIDE  "1e0bbd6c686ba050b8eb03ffeedc64fdc9d80947fce821abbe5d6dc8d252c5ac" LE64("61")
#define ENTRY_WIDE2 "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb" LE64("3b")

static enum cid_error open_either(struct cid_car_index **out, const void *bytes, size_t len,
                                  struct car_file *file, struct cid_fault *fault,
                                  const struct cid_allocator *alloc)
{
    struct cid_file use;

    if (!file)
        return cid_car_index_open(out, bytes, len, fault, alloc);
    *file = car_file_of(bytes, len);
    use = car_file_use(file);
    return cid_car_index_open_file(out, &use, fault, alloc);
}

/* ---- what is refused ---------------------------------------------------------------------- */

static void every_lie_has_its_own_error(void **state)
{
    static const struct {
        const char *hex;
        const char *expected;
    } rows[] = {
        {"", "truncated index@0 1/0"},
        {"81", "truncated index@0 2/1"},
        {"818800", "varint_not_minimal index@0"},
        {"ffffffffffffffffff01", "varint_overflow index@0"},
        {"8208" LE32("00"), "index_codec index@0"},
        {"01000000 28000000 c8000000 00000000", "index_codec index@0"},
        {"8108", "truncated index@2 4/0"},
        {"8108 0100", "truncated index@2 4/2"},
        {"8108" LE32("00") "00", "trailing index@6 0/1"},
        {CAR_IDX "00", "trailing index@110 0/1"},
        /* negative counts, and counts that no file of that size has room for */
        {"8008 ffffffff", "index_count index@2 4294967295/0"},
        {"8008 ffffff7f", "index_count index@2 2147483647/0"},
        {"8108 ffffffff", "index_count index@2 4294967295/0"},
        {"8108 02000000" LE64("12") LE32("00"), "index_count index@2 2/1"},
        {"8108 01000000" LE64("12") "000000ff", "index_count index@14 4278190080/0"},
        {"8108 01000000" LE64("12") "ffffff7f" LE32("28") LE64("28") ENTRY_WIDE,
         "index_count index@14 2147483647/4"},
        /* widths that have no room for an offset */
        {"8008 01000000" LE32("00") LE64("08") LE64("00"), "index_width index@6 8/0"},
        {"8008 01000000" LE32("07") LE64("07") "00000000000000", "index_width index@6 8/7"},
        {"8108 01000000" LE64("12") LE32("01") LE32("07") LE64("00"), "index_width index@18 8/7"},
        /* lengths */
        {"8008 01000000" LE32("28") "0000000000000040", "truncated index@18 4611686018427387904/0"},
        {"8008 01000000" LE32("28") "ffffffffffffffff" ENTRY_WIDE,
         "truncated index@18 18446744073709551615/40"},
        {"8008 01000000" LE32("28") LE64("50") ENTRY_WIDE, "truncated index@18 80/40"},
        {"8008 01000000" LE32("0a") LE64("0b") "0000000000000000000000",
         "index_length index@10 10/11"},
        {"8008 01000000 ffffffff" LE64("08") LE64("00"), "index_length index@10 4294967295/8"},
        /* order */
        {"8008 02000000" LE32("08") LE64("00") LE32("08") LE64("00"), "index_twice index@18 8/8"},
        {"8008 02000000" LE32("09") LE64("00") LE32("08") LE64("00"), "index_order index@18 9/8"},
        {"8108 02000000" LE64("12") LE32("00") LE64("12") LE32("00"), "index_twice index@18 18/18"},
        {"8108 02000000" LE64("12") LE32("00") LE64("11") LE32("00"), "index_order index@18 18/17"},
        {"8108 02000000" LE64("00") LE32("00") LE64("00") LE32("00"), "index_twice index@18"},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct test_bytes bytes = test_hex(rows[i].hex);
        for (int in_file = 0; in_file < 2; in_file++) {
            struct car_file file;
            struct cid_fault fault = {0};
            struct cid_car_index *index = NULL;
            const uint8_t *guarded = test_guard(bytes.data, bytes.len);
            struct test_alloc counting;
            test_alloc_init(&counting, SIZE_MAX);
            enum cid_error error = open_either(&index, guarded, bytes.len, in_file ? &file : NULL,
                                               &fault, &counting.allocator);
            assert_error(fault.code, error);
            if (strcmp(car_fault_text(&fault), rows[i].expected) != 0)
                fail_msg("%s: %s, not %s", rows[i].hex, car_fault_text(&fault), rows[i].expected);
            assert_null(index);
            assert_int_equal(counting.live, 0);
            assert_true(counting.bytes < 512);
        }
        test_guard_release();
        test_bytes_free(&bytes);
    }
}

static void the_codec_of_another_kind_is_told(void **state)
{
    static const uint8_t none[] = {0x80, 0x80, 0xc0, 0x01}; /* 0x300000 */
    struct cid_fault fault = {0};
    struct cid_car_index *index = NULL;
    (void)state;

    assert_error(cid_car_index_open(&index, none, sizeof none, &fault, NULL), CID_E_INDEX_CODEC);
    assert_int_equal(fault.decoded, CID_DECODED_CODEC);
    assert_int_equal(fault.codec, 0x300000);
    assert_error(cid_car_index_open(&index, none, sizeof none, NULL, NULL), CID_E_INDEX_CODEC);
}

static void every_cut_is_an_error(void **state)
{
    static const char *const samples[] = {CAR_IDX,
                                          "8008" LE32("01") LE32("08") LE64("08") LE64("3b")};
    (void)state;

    for (size_t s = 0; s < COUNT(samples); s++) {
        struct test_bytes bytes = test_hex(samples[s]);
        for (size_t len = 0; len < bytes.len; len++) {
            struct cid_car_index *index = NULL;
            struct car_file file;
            const uint8_t *cut = test_guard(bytes.data, len);
            assert_true(open_either(&index, cut, len, NULL, NULL, NULL) != CID_OK);
            assert_true(open_either(&index, cut, len, &file, NULL, NULL) != CID_OK);
        }
        test_guard_release();
        test_bytes_free(&bytes);
    }
}

/* Looks at all there is in an index, wherever it leads. */
static void use_up(const struct cid_car_index *index)
{
    uint64_t count = cid_car_index_count(index);
    struct cid_fault fault = {0};

    (void)!cid_car_index_check(index, &fault);
    for (uint64_t i = 0; i < count; i++) {
        struct cid_car_entry entry;
        struct cid_car_range range = {0};
        struct cid_multihash_view hash;
        uint8_t digest[256];
        if (cid_car_index_at(&entry, digest, sizeof digest, index, i) != CID_OK)
            continue;
        hash = (struct cid_multihash_view){entry.hash_code, entry.digest, entry.digest_len};
        if (cid_car_index_find(&range, index, &hash) == CID_OK) {
            assert_true(range.count > 0 && range.count <= count);
            assert_true(range.first <= count - range.count);
        }
    }
}

static void every_bit_flip_is_survived(void **state)
{
    struct test_bytes bytes = test_hex(CAR_IDX);
    (void)state;

    for (size_t bit = 0; bit < bytes.len * 8; bit++) {
        struct cid_car_index *index = NULL;
        struct car_file file;
        const uint8_t *flipped;
        bytes.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        flipped = test_guard(bytes.data, bytes.len);
        for (int in_file = 0; in_file < 2; in_file++)
            if (open_either(&index, flipped, bytes.len, in_file ? &file : NULL, NULL, NULL) ==
                CID_OK) {
                use_up(index);
                cid_car_index_close(index);
            }
        bytes.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        test_guard_release();
    }
    test_bytes_free(&bytes);
}

static void memory_is_bounded_by_the_input(void **state)
{
    enum {
        BUCKETS = 3000
    };
    uint8_t *bytes = calloc(1, 6 + BUCKETS * 20);
    struct test_alloc counting;
    struct cid_car_index *index = NULL;
    (void)state;

    assert_non_null(bytes);
    memcpy(bytes, "\x80\x08\xb8\x0b\0\0", 6); /* many buckets, of an entry each or of none */
    for (int full = 0; full < 2; full++) {
        uint8_t *at = bytes + 6;
        for (unsigned i = 0; i < BUCKETS; i++) {
            memset(at, 0, 12);
            at[0] = (uint8_t)(i + 8);
            at[1] = (uint8_t)((i + 8) >> 8);
            at += 12;
        }
        if (full) { /* one of 8 bytes in the first */
            memmove(bytes + 26, bytes + 18, (size_t)(at - bytes) - 18);
            memset(bytes + 18, 0, 8);
            bytes[10] = 8;
            at += 8;
        }
        test_alloc_init(&counting, SIZE_MAX);
        assert_error(
            cid_car_index_open(&index, bytes, (size_t)(at - bytes), NULL, &counting.allocator),
            CID_OK);
        assert_int_equal(cid_car_index_count(index), full);
        assert_true(counting.bytes < 512);
        cid_car_index_close(index);
        assert_int_equal(counting.live, 0);
    }
    free(bytes);
}

/* ---- what is read ------------------------------------------------------------------------- */

static void the_sample_is_read(void **state)
{
    struct test_bytes bytes = test_hex(CAR_IDX);
    (void)state;

    for (int in_file = 0; in_file < 2; in_file++) {
        struct cid_car_index *index = NULL;
        struct car_file file;
        struct cid_car_entry entry = {0};
        struct cid_car_range range = {0};
        struct cid_multihash_view hash = {0x12, bytes.data + 70, 32};
        uint8_t digest[32];

        assert_error(open_either(&index, test_guard(bytes.data, bytes.len), bytes.len,
                                 in_file ? &file : NULL, NULL, NULL),
                     CID_OK);
        assert_int_equal(cid_car_index_codec(index), 0x0401);
        assert_int_equal(cid_car_index_count(index), 2);
        assert_int_equal(cid_car_index_size(index), 110);
        assert_error(cid_car_index_check(index, NULL), CID_OK);
        assert_error(cid_car_index_at(&entry, digest, sizeof digest, index, 0), CID_OK);
        assert_int_equal(entry.hash_code, 0x12);
        assert_int_equal(entry.digest_len, 32);
        assert_memory_equal(entry.digest, bytes.data + 30, 32);
        assert_int_equal(entry.section_in_payload, 97);
        assert_error(cid_car_index_at(&entry, digest, 31, index, 1),
                     in_file ? CID_E_NOSPACE : CID_OK);
        assert_int_equal(entry.digest_len, 32);
        assert_int_equal(entry.section_in_payload, 59);
        assert_error(cid_car_index_at(&entry, digest, sizeof digest, index, 2), CID_E_NOT_FOUND);

        assert_error(cid_car_index_find(&range, index, &hash), CID_OK);
        assert_int_equal(range.first, 1);
        assert_int_equal(range.count, 1);
        hash.code = 0x13;
        assert_error(cid_car_index_find(&range, index, &hash), CID_E_NOT_FOUND);
        hash.code = 0x12;
        hash.digest_len = 31;
        assert_error(cid_car_index_find(&range, index, &hash), CID_E_NOT_FOUND);
        hash = (struct cid_multihash_view){0x12, bytes.data, 32};
        assert_error(cid_car_index_find(&range, index, &hash), CID_E_NOT_FOUND);
        cid_car_index_close(index);
        test_guard_release();
    }
    cid_car_index_close(NULL);
    test_bytes_free(&bytes);
}

static void an_empty_digest_is_found(void **state)
{
    static const char hex[] =
        "8108" LE32("01") LE64("00") LE32("01") LE32("08") LE64("08") LE64("3b");
    struct test_bytes bytes = test_hex(hex);
    struct cid_multihash_view hash = {0, NULL, 0};
    (void)state;

    for (int in_file = 0; in_file < 2; in_file++) {
        struct cid_car_index *index = NULL;
        struct cid_car_range range = {9, 9};
        struct cid_car_entry entry = {0};
        struct car_file file;
        assert_error(open_either(&index, bytes.data, bytes.len, in_file ? &file : NULL, NULL, NULL),
                     CID_OK);
        assert_error(cid_car_index_check(index, NULL), CID_OK);
        assert_error(cid_car_index_find(&range, index, &hash), CID_OK);
        assert_int_equal(range.first, 0);
        assert_int_equal(range.count, 1);
        assert_error(cid_car_index_at(&entry, NULL, 0, index, 0), CID_OK);
        assert_int_equal(entry.digest_len, 0);
        assert_int_equal(entry.section_in_payload, 59);
        cid_car_index_close(index);
    }
    test_bytes_free(&bytes);
}

static void indexes_without_entries_are_read(void **state)
{
    static const char *const samples[] = {
        "8108" LE32("00"), "8008" LE32("00"), "8108" LE32("01") LE64("12") LE32("00"),
        "8108" LE32("01") LE64("12") LE32("01") LE32("28") LE64("00")};
    struct cid_multihash_view hash = {0x12, (const uint8_t *)"01234567890123456789012345678901",
                                      32};
    (void)state;

    for (size_t i = 0; i < COUNT(samples); i++) {
        struct test_bytes bytes = test_hex(samples[i]);
        struct cid_car_index *index = NULL;
        struct cid_car_range range;
        assert_error(cid_car_index_open(&index, bytes.data, bytes.len, NULL, NULL), CID_OK);
        assert_int_equal(cid_car_index_count(index), 0);
        assert_error(cid_car_index_find(&range, index, &hash), CID_E_NOT_FOUND);
        assert_error(cid_car_index_check(index, NULL), CID_OK);
        cid_car_index_close(index);
        test_bytes_free(&bytes);
    }
}

static void entries_out_of_order_are_told(void **state)
{
    struct test_bytes bytes = test_hex("8108" LE32("01") LE64("12") LE32("01") LE32("28") LE64("50")
                                           ENTRY_WIDE2 ENTRY_WIDE);
    (void)state;

    for (int in_file = 0; in_file < 2; in_file++) {
        struct cid_car_index *index = NULL;
        struct cid_fault fault = {0};
        struct car_file file;
        assert_error(open_either(&index, test_guard(bytes.data, bytes.len), bytes.len,
                                 in_file ? &file : NULL, NULL, NULL),
                     CID_OK);
        assert_error(cid_car_index_check(index, &fault), CID_E_INDEX_ORDER);
        assert_string_equal(car_fault_text(&fault), "index_order entry@70");
        use_up(index);
        cid_car_index_close(index);
        test_guard_release();
    }
    test_bytes_free(&bytes);
}

static enum cid_error stop_at_second(void *ctx, const struct cid_car_entry *entry)
{
    (void)entry;
    return ++*(int *)ctx == 2 ? CID_END : CID_OK;
}

static void a_walk_can_be_ended(void **state)
{
    struct test_bytes bytes = test_hex(CAR_IDX);
    struct cid_car_index *index = NULL;
    int calls = 0;
    (void)state;

    assert_error(cid_car_index_open(&index, bytes.data, bytes.len, NULL, NULL), CID_OK);
    assert_error(cid_car_index_each(index, stop_at_second, &calls, NULL), CID_END);
    assert_int_equal(calls, 2);
    cid_car_index_close(index);
    test_bytes_free(&bytes);
}

static void a_file_that_fails_is_handed_on(void **state)
{
    struct test_bytes bytes = test_hex(CAR_IDX);
    struct cid_multihash_view hash = {0x12, bytes.data + 70, 32};
    (void)state;

    for (size_t grace = 0; grace < 10; grace++) {
        struct cid_car_index *index = NULL;
        struct cid_fault fault = {0};
        struct cid_car_range range;
        struct cid_car_entry entry;
        struct car_file file = car_file_of(bytes.data, bytes.len);
        struct cid_file use = car_file_use(&file);
        struct test_alloc counting;
        uint8_t digest[32];
        enum cid_error error;
        test_alloc_init(&counting, SIZE_MAX);
        file.grace = grace;
        error = cid_car_index_open_file(&index, &use, &fault, &counting.allocator);
        if (error) {
            assert_error(error, CID_E_IO);
            assert_error(fault.code, CID_E_IO);
            assert_int_equal(counting.live, 0);
            continue;
        }
        assert_true(grace >= 5); /* codec, count, code, count, width and length */
        file.calls = 0;
        file.grace = 0;
        assert_error(cid_car_index_find(&range, index, &hash), CID_E_IO);
        assert_error(cid_car_index_at(&entry, digest, sizeof digest, index, 0), CID_E_IO);
        assert_error(cid_car_index_check(index, &fault), CID_E_IO);
        cid_car_index_close(index);
    }
    test_bytes_free(&bytes);
}

/* ---- a memory that gives out -------------------------------------------------------------- */

static void opening_without_memory_leaves_nothing(void **state)
{
    struct test_bytes bytes = test_hex(CAR_IDX);
    size_t grace = 0;
    enum cid_error error;
    (void)state;

    do {
        struct cid_car_index *index = NULL;
        struct test_alloc failing;
        test_alloc_init(&failing, grace++);
        error = cid_car_index_open(&index, bytes.data, bytes.len, NULL, &failing.allocator);
        if (error)
            assert_error(error, CID_E_NOMEM);
        cid_car_index_close(index);
        assert_int_equal(failing.live, 0);
    } while (error);
    assert_int_equal(grace, 3); /* the index and its buckets */
    test_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lie_has_its_own_error),
        cmocka_unit_test(the_codec_of_another_kind_is_told),
        cmocka_unit_test(every_cut_is_an_error),
        cmocka_unit_test(every_bit_flip_is_survived),
        cmocka_unit_test(memory_is_bounded_by_the_input),
        cmocka_unit_test(the_sample_is_read),
        cmocka_unit_test(an_empty_digest_is_found),
        cmocka_unit_test(indexes_without_entries_are_read),
        cmocka_unit_test(entries_out_of_order_are_told),
        cmocka_unit_test(a_walk_can_be_ended),
        cmocka_unit_test(a_file_that_fails_is_handed_on),
        cmocka_unit_test(opening_without_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
