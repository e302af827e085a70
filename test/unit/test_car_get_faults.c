#include "get.h"

/* ---- what is not -------------------------------------------------------------------------- */

static void what_is_not_there_is_not_found(void **state)
{
    static const char other[] =
        "01551220 0000000000000000000000000000000000000000000000000000000000000000";
    static const struct cid_car_open_options none = {.no_build = true};
    (void)state;

    car_expect_no_block(CAR_V1, NULL, other, "not_found index@0");
    car_expect_no_block(CAR_E0, NULL, CAR_D1, "not_found index@0");
    car_expect_no_block(CAR_V1, &none, CAR_D1, "index_absent index@0");
    car_expect_no_block(CAR_V2, &none, CAR_D1, "index_absent index@0");
}

static void bytes_that_do_not_match_are_not_given(void **state)
{
    static const char bad[] = CAR_E0 "25" CAR_D1 "62";
    static const char private_hash[] = CAR_E0 "0b 0155828 0c00104 61626364 78";
    static const struct cid_car_open_options skip = {.read = {.skip_verify = true}};
    static const struct car_wanted unchecked[] = {{CAR_D1, "62", 18, 18, 38, CID_UNCHECKED}};
    (void)state;
    (void)private_hash;

    car_expect_no_block(bad, NULL, CAR_D1, "mismatch data@18");
    car_get_every_way(bad, &skip, unchecked, 1);
}

static void what_cannot_be_checked_is_not_given_unless_asked_for(void **state)
{
    /* hash 0x300002, four bytes of digest, one of data */
    static const char cid[] = "01558280c00104 61626364";
    static const char archive[] = CAR_E0 "0c 01558280c00104 61626364 78";
    static const struct cid_car_open_options pass = {.read = {.pass_unverifiable = true}};
    static const struct car_wanted wanted[] = {
        {"01558280c0010461626364", "78", 18, 18, 13, CID_UNVERIFIABLE}};
    (void)state;

    car_expect_no_block(archive, NULL, cid, "unverifiable hash@18");
    car_get_every_way(archive, &pass, wanted, 1);
}

static void an_index_that_lies_is_told(void **state)
{
#define LYING(d2, d1)                                                                              \
    CAR_V2_HEAD("3300000000000000", "8800000000000000", "bb00000000000000")                        \
    CAR_V1 "8108 01000000 1200000000000000 01000000 28000000 5000000000000000"                     \
           "1e0bbd6c686ba050b8eb03ffeedc64fdc9d80947fce821abbe5d6dc8d252c5ac" d2                   \
           "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb" d1
    static const struct {
        const char *hex;
        const char *expected;
    } rows[] = {
        {LYING("6100000000000000", "6100000000000000"), "index_entry entry@148"}, /* at D2 */
        {LYING("6100000000000000", "0000000000000000"), "index_range entry@51"},  /* the header */
        {LYING("6100000000000000", "3a00000000000000"), "index_range entry@109"},
        {LYING("6100000000000000", "3c00000000000000"), "index_range entry@111"}, /* inside */
        {LYING("6100000000000000", "8700000000000000"), "truncated section@186 99/0"},
        {LYING("6100000000000000", "8800000000000000"), "index_range entry@187"}, /* the end */
        {LYING("6100000000000000", "ffffffffffffffff"), "index_range entry@50"},
        {LYING("6100000000000000", "ffffffffffffff7f"), "index_range entry@9223372036854775858"},
    };
    static const struct cid_car_open_options rebuild = {.rebuild_index = true};
    static const struct car_wanted right[] = {{CAR_D1, "61", 59, 110, 38, CID_GOOD}};
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        car_expect_no_block(rows[i].hex, NULL, CAR_D1, rows[i].expected);
        car_get_every_way(rows[i].hex, &rebuild, right, 1);
    }
}

static void a_v2_is_held_against_its_file(void **state)
{
    static const char *const index = CAR_IDX;
    static const struct car_wanted first[] = {{CAR_D1, "61", 59, 110, 38, CID_GOOD}};
    (void)index;
    (void)state;

#define SIZED(size)                                                                                \
    CAR_V2_HEAD("3300000000000000", size "00000000000000", "bb00000000000000") CAR_V1 CAR_IDX
    /* The last section runs one byte into the index; the index says more than there is; overlap. */
    car_expect_no_block(SIZED("87"), NULL, CAR_D2, "truncated section@148 38/37");
    car_get_every_way(SIZED("87"), NULL, first, 1);
    car_expect_no_block(SIZED("61"), NULL, CAR_D2, "index_range entry@148");
    car_get_every_way(SIZED("61"), NULL, first, 1);
    car_expect_closed(SIZED("89"), NULL, "v2_index_offset index@43 188/187");
    /* More payload than file; an index behind the end; a broken one. */
    car_expect_closed(CAR_V2_HEAD("3300000000000000", "8900000000000000", "0000000000000000")
                          CAR_V1,
                      NULL, "truncated data@187 137/136");
    car_expect_closed(CAR_V2_HEAD("3300000000000000", "8800000000000000", "bb00000000000000")
                          CAR_V1,
                      NULL, "v2_index_offset index@43 187/187");
    car_expect_closed(CAR_V2_HEAD("3300000000000000", "8800000000000000", "bb00000000000000") CAR_V1
                      "8008ffffffff",
                      NULL, "index_count index@189 4294967295/0");
    car_expect_closed(CAR_V2I "00", NULL, "trailing index@297 0/1");
    car_expect_closed("", NULL, "car_empty header@0 1/0");
}

static void an_index_of_another_kind_is_passed_over(void **state)
{
    static const char odd[] =
        CAR_V2_HEAD("3300000000000000", "8800000000000000", "bb00000000000000") CAR_V1 "01 2345";
    static const struct car_wanted wanted[] = {{CAR_D1, "61", 59, 110, 38, CID_GOOD}};
    static const struct cid_car_open_options none = {.no_build = true};
    struct test_bytes bytes = test_hex(odd);
    struct cid_car *car = NULL;
    (void)state;

    car_get_every_way(odd, NULL, wanted, 1);
    for (int build = 0; build < 2; build++) {
        assert_error(car_open(&car, bytes.data, bytes.len, NULL, build ? NULL : &none, NULL, NULL),
                     CID_OK);
        assert_int_equal(cid_car_info_of(car)->index_codec, 1);
        assert_int_equal(cid_car_index_of(car) != NULL, build);
        cid_car_close(car);
    }
    test_bytes_free(&bytes);
}

static void a_sorted_index_does_not_know_the_function(void **state)
{
    /* Two blocks whose digests are the same bytes under two functions. */
#define PRIVATE1 "01558280c00104 61626364"
#define PRIVATE2 "01558380c00104 61626364"
    static const char archive[] =
        CAR_V2_HEAD("3300000000000000", "2c00000000000000", "5f00000000000000") CAR_E0
        "0c" PRIVATE1 "78"
        "0c" PRIVATE2 "79"
        "8008 01000000 0c000000 1800000000000000"
        "61626364 1200000000000000"
        "61626364 1f00000000000000";
    static const struct cid_car_open_options pass = {.read = {.pass_unverifiable = true},
                                                     .by_multihash = true};
    static const struct car_wanted wanted[] = {
        {PRIVATE1, "78", 18, 69, 13, CID_UNVERIFIABLE},
        {PRIVATE2, "79", 31, 82, 13, CID_UNVERIFIABLE},
    };
    (void)state;

    car_get_every_way(archive, &pass, wanted, 2);
    car_expect_no_block(archive, &pass, "01558480c00104 61626364", "not_found @0");
}

static void limits_are_kept(void **state)
{
    static const struct cid_car_open_options options = {.read = {.section_limit = 37},
                                                        .no_build = true};
    struct cid_car_open_options with_index = options;
    struct test_bytes bytes = test_hex(CAR_IDX);
    struct cid_car_index *index = NULL;
    (void)state;

    assert_error(cid_car_index_open(&index, bytes.data, bytes.len, NULL, NULL), CID_OK);
    with_index.index = index;
    car_expect_no_block(CAR_V1, &with_index, CAR_D2, "section_limit section@97 37/38");
    cid_car_index_close(index);
    test_bytes_free(&bytes);
}

/* A CID that is longer than what is read at first, and data that is. */
static void long_sections_are_read_in_two(void **state)
{
    enum {
        DIGEST = 2000,
        DATA = 3000
    };
    static const struct cid_car_open_options pass = {.read = {.pass_unverifiable = true}};
    uint8_t *bytes = malloc(18 + 10 + 20 + DIGEST + DATA);
    uint8_t *buf = malloc(9000);
    struct test_bytes header = test_hex(CAR_E0), cid_head = test_hex("01558280c001d00f");
    size_t len = header.len, cid_at, used = 0;
    struct test_random random = {1};
    (void)state;

    assert_non_null(bytes);
    assert_non_null(buf);
    memcpy(bytes, header.data, header.len);
    assert_error(cid_varint_write(bytes + len, 9, &used, cid_head.len + DIGEST + DATA), CID_OK);
    len += used;
    cid_at = len;
    memcpy(bytes + len, cid_head.data, cid_head.len);
    len += cid_head.len;
    test_random_fill(&random, bytes + len, DIGEST + DATA);
    len += DIGEST + DATA;
    for (int in_file = 0; in_file < 2; in_file++) {
        struct car_file file;
        struct cid_car *car = NULL;
        struct cid_view cid;
        struct cid_car_block block = {0};
        struct cid_bytes memory;
        size_t need = 0;
        assert_error(cid_read(&cid, NULL, bytes + cid_at, len - cid_at), CID_OK);
        assert_error(car_open(&car, bytes, len, in_file ? &file : NULL, &pass, NULL, NULL), CID_OK);
        assert_error(cid_car_get(&block, buf, 9000, &need, car, &cid, NULL), CID_OK);
        assert_int_equal(block.data_len, DATA);
        assert_memory_equal(block.data, bytes + len - DATA, DATA);
        assert_memory_equal(block.cid.bytes, cid.bytes, cid.len);
        assert_int_equal(need, in_file ? len - 18 : 0);
        assert_error(cid_car_own(&block, &memory, car, &cid, NULL, NULL), CID_OK);
        assert_memory_equal(block.data, bytes + len - DATA, DATA);
        cid_bytes_free(&memory, NULL);
        cid_car_close(car);
    }
    test_bytes_free(&header);
    test_bytes_free(&cid_head);
    free(bytes);
    free(buf);
}

/* Sections of 79, 80 and 81 bytes: in place, in place, in one allocation. */
static void small_sections_do_not_allocate(void **state)
{
    (void)state;
    for (size_t size = 79; size <= 81; size++) {
        uint8_t bytes[18 + 81] = {0};
        struct test_bytes header = test_hex(CAR_E0), cid_bytes;
        struct cid_view cid = car_cid("01558280c00104 61626364", &cid_bytes);
        static const struct cid_car_open_options pass = {.read = {.pass_unverifiable = true}};
        struct car_file file;
        struct cid_car *car = NULL;
        struct cid_car_block block;
        struct cid_bytes memory;
        struct test_alloc counting;

        memcpy(bytes, header.data, header.len);
        bytes[18] = (uint8_t)(size - 1);
        memcpy(bytes + 19, cid.bytes, cid.len);
        assert_error(car_open(&car, bytes, 18 + size, &file, &pass, NULL, NULL), CID_OK);
        test_alloc_init(&counting, SIZE_MAX);
        assert_error(cid_car_own(&block, &memory, car, &cid, NULL, &counting.allocator), CID_OK);
        assert_int_equal(counting.calls, size > 80);
        assert_int_equal(counting.bytes, size > 80 ? size : 0);
        assert_int_equal(block.data_len, size - 1 - cid.len);
        cid_bytes_free(&memory, &counting.allocator);
        if (size > 80) {
            test_alloc_init(&counting, 0);
            assert_error(cid_car_own(&block, &memory, car, &cid, NULL, &counting.allocator),
                         CID_E_NOMEM);
            assert_int_equal(memory.len, 0);
        }
        cid_car_close(car);
        test_bytes_free(&header);
        test_bytes_free(&cid_bytes);
    }
}

/* ---- failures ----------------------------------------------------------------------------- */

static void a_file_that_fails_is_handed_on(void **state)
{
    static const char *const samples[] = {CAR_V1, CAR_V2I};
    size_t good = 0;
    (void)state;

    for (size_t s = 0; s < COUNT(samples); s++)
        for (size_t grace = 0; grace < 12; grace++) {
            struct test_bytes bytes = test_hex(samples[s]), cid_bytes;
            struct cid_view cid = car_cid(CAR_D2, &cid_bytes);
            struct cid_car_open_options options = {.read = car_options(NULL)};
            struct car_file file = car_file_of(bytes.data, bytes.len);
            struct cid_file use = car_file_use(&file);
            struct test_alloc counting;
            struct cid_car *car = NULL;
            struct cid_car_block block;
            struct cid_fault fault = {0};
            uint8_t buf[100];
            enum cid_error error;
            test_alloc_init(&counting, SIZE_MAX);
            file.grace = grace;
            error = cid_car_open_file(&car, &use, &options, &fault, &counting.allocator);
            if (!error)
                error = cid_car_get(&block, buf, sizeof buf, NULL, car, &cid, &fault);
            if (error)
                assert_error(fault.code, CID_E_IO);
            assert_error(error, file.calls > grace ? CID_E_IO : CID_OK);
            good += !error;
            cid_car_close(car);
            assert_int_equal(counting.live, 0);
            test_bytes_free(&bytes);
            test_bytes_free(&cid_bytes);
        }
    assert_true(good > 2 && good < 20);
}

static void opening_without_memory_leaves_nothing(void **state)
{
    static const char *const samples[] = {CAR_V1, CAR_V2I};
    (void)state;

    for (size_t s = 0; s < COUNT(samples); s++) {
        struct test_bytes bytes = test_hex(samples[s]);
        for (int in_file = 0; in_file < 2; in_file++) {
            size_t grace = 0;
            enum cid_error error;
            do {
                struct car_file file;
                struct cid_car *car = NULL;
                struct cid_fault fault = {0};
                struct test_alloc failing;
                test_alloc_init(&failing, grace++);
                error = car_open(&car, bytes.data, bytes.len, in_file ? &file : NULL, NULL, &fault,
                                 &failing.allocator);
                assert_error(error, failing.calls > failing.grace ? CID_E_NOMEM : CID_OK);
                assert_error(fault.code, error);
                cid_car_close(car);
                assert_int_equal(failing.live, 0);
            } while (error);
            assert_true(grace > 4);
        }
        test_bytes_free(&bytes);
    }
}

static void every_bit_flip_is_survived(void **state)
{
    struct test_bytes bytes = test_hex(CAR_V2I), cid_bytes;
    struct cid_view cid = car_cid(CAR_D2, &cid_bytes);
    (void)state;

    for (size_t bit = 0; bit < bytes.len * 8; bit++) {
        const uint8_t *flipped;
        bytes.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        flipped = test_guard(bytes.data, bytes.len);
        for (int in_file = 0; in_file < 2; in_file++) {
            struct car_file file;
            struct cid_car *car = NULL;
            struct cid_car_block block;
            uint8_t buf[300];
            if (car_open(&car, flipped, bytes.len, in_file ? &file : NULL, NULL, NULL, NULL))
                continue;
            if (cid_car_get(&block, buf, sizeof buf, NULL, car, &cid, NULL) == CID_OK) {
                assert_int_equal(block.data_len, 2);
                assert_memory_equal(block.data, "bc", 2);
            }
            cid_car_close(car);
        }
        bytes.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        test_guard_release();
    }
    test_bytes_free(&bytes);
    test_bytes_free(&cid_bytes);
}

static void an_undefined_cid_is_refused(void **state)
{
    struct test_bytes bytes = test_hex(CAR_V1);
    struct cid_view undefined = {0};
    struct cid_car *car = NULL;
    struct cid_car_block block;
    (void)state;

    assert_error(car_open(&car, bytes.data, bytes.len, NULL, NULL, NULL, NULL), CID_OK);
    assert_error(cid_car_get(&block, NULL, 0, NULL, car, &undefined, NULL), CID_E_ARGUMENT);
    cid_car_close(car);
    test_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_there_is_not_found),
        cmocka_unit_test(bytes_that_do_not_match_are_not_given),
        cmocka_unit_test(what_cannot_be_checked_is_not_given_unless_asked_for),
        cmocka_unit_test(an_index_that_lies_is_told),
        cmocka_unit_test(a_v2_is_held_against_its_file),
        cmocka_unit_test(an_index_of_another_kind_is_passed_over),
        cmocka_unit_test(a_sorted_index_does_not_know_the_function),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(long_sections_are_read_in_two),
        cmocka_unit_test(small_sections_do_not_allocate),
        cmocka_unit_test(a_file_that_fails_is_handed_on),
        cmocka_unit_test(opening_without_memory_leaves_nothing),
        cmocka_unit_test(every_bit_flip_is_survived),
        cmocka_unit_test(an_undefined_cid_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
