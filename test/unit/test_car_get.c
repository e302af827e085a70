#include "get.h"

#define MULTIHASH_D1 "1220ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
/* D1 with another codec: the same multihash. */
#define D1_CBOR "0171" MULTIHASH_D1

/* ---- what is there ------------------------------------------------------------------------ */

static void blocks_are_got_by_their_cids(void **state)
{
    static const struct car_wanted v1[] = {{CAR_D1, "61", 59, 59, 38, CID_GOOD},
                                           {CAR_D2, "6263", 97, 97, 39, CID_GOOD}};
    static const struct car_wanted v2[] = {{CAR_D1, "61", 59, 110, 38, CID_GOOD},
                                           {CAR_D2, "6263", 97, 148, 39, CID_GOOD}};
    static const struct car_wanted v2p[] = {{CAR_D1, "61", 59, 117, 38, CID_GOOD},
                                            {CAR_D2, "6263", 97, 155, 39, CID_GOOD}};
    static const struct cid_car_open_options rebuild = {.rebuild_index = true};
    (void)state;

    car_get_every_way(CAR_V1, NULL, v1, 2);
    car_get_every_way(CAR_V2, NULL, v2, 2);
    car_get_every_way(CAR_V2I, NULL, v2, 2);
    car_get_every_way(CAR_V2I, &rebuild, v2, 2);
    car_get_every_way(CAR_V2P, NULL, v2p, 2);
}

static void an_index_of_the_callers_will_do(void **state)
{
    static const struct car_wanted wanted[] = {{CAR_D1, "61", 59, 59, 38, CID_GOOD}};
    struct test_bytes bytes = test_hex(CAR_IDX);
    struct cid_car_open_options options = {0};
    struct cid_car_index *index = NULL;
    (void)state;

    assert_error(cid_car_index_open(&index, bytes.data, bytes.len, NULL, NULL), CID_OK);
    options.index = index;
    options.no_build = true;
    car_get_every_way(CAR_V1, &options, wanted, 1);
    cid_car_index_close(index);
    test_bytes_free(&bytes);
}

static void identity_needs_no_archive(void **state)
{
    static const struct car_wanted wanted[] = {{"015500026869", "6869", 0, 0, 0, CID_GOOD},
                                               {"01550000", "", 0, 0, 0, CID_GOOD}};
    static const struct cid_car_open_options none = {.no_build = true};
    (void)state;

    car_get_every_way(CAR_V1, &none, wanted, 2);
    /* Even where the archive has a block of that CID, and a bad one at that. */
    car_get_every_way(CAR_E0 "07 015500026869 00", NULL, wanted, 1);
}

static void the_head_is_told(void **state)
{
    struct test_bytes bytes = test_hex(CAR_V2P);
    (void)state;

    for (int in_file = 0; in_file < 2; in_file++) {
        struct car_file file;
        struct cid_car *car = NULL;
        struct cid_view root;
        size_t len = 0;
        assert_error(
            car_open(&car, bytes.data, bytes.len, in_file ? &file : NULL, NULL, NULL, NULL),
            CID_OK);
        assert_int_equal(cid_car_info_of(car)->version, 2);
        assert_int_equal(cid_car_info_of(car)->data_offset, 58);
        assert_int_equal(cid_car_info_of(car)->index_codec, 0x0401);
        assert_int_equal(cid_car_info_of(car)->root_count, 1);
        assert_error(cid_car_root(&root, car, 0), CID_OK);
        car_expect_bytes(root.bytes, root.len, CAR_D1);
        assert_error(cid_car_root(&root, car, 1), CID_E_NOT_FOUND);
        assert_int_equal(cid_car_header(car, &len)[0], 0xa2);
        assert_int_equal(len, 58);
        assert_int_equal(cid_car_index_count(cid_car_index_of(car)), 2);
        if (in_file)
            assert_true(file.calls <= 7); /* the start, and what the index says of itself */
        cid_car_close(car);
    }
    cid_car_close(NULL);
    test_bytes_free(&bytes);
}

static void the_whole_cid_counts_unless_told_otherwise(void **state)
{
    static const struct car_wanted wanted[] = {{D1_CBOR, "61", 59, 59, 38, CID_GOOD}};
    static const struct cid_car_open_options by_multihash = {.by_multihash = true};
    (void)state;

    car_expect_no_block(CAR_V1, NULL, D1_CBOR, "not_found @0");
    car_get_every_way(CAR_V1, &by_multihash, wanted, 1);
}

static void blocks_that_are_twice_there_are_tried_in_turn(void **state)
{
    /* One multihash under two codecs; a bad copy in front of a good one. */
    static const char two[] = CAR_E0 "25" D1_CBOR "61" CAR_S1;
    static const char bad_first[] = CAR_E0 "25" CAR_D1 "62" CAR_S1;
    static const struct car_wanted in_two[] = {{CAR_D1, "61", 56, 56, 38, CID_GOOD},
                                               {D1_CBOR, "61", 18, 18, 38, CID_GOOD}};
    static const struct car_wanted in_bad[] = {{CAR_D1, "61", 56, 56, 38, CID_GOOD}};
    struct test_bytes bytes = test_hex(two);
    struct cid_car *car = NULL;
    struct cid_car_block block;
    uint8_t buf[100];
    (void)state;

    assert_error(car_open(&car, bytes.data, bytes.len, NULL, NULL, NULL, NULL), CID_OK);
    assert_error(cid_car_get_at(&block, buf, sizeof buf, NULL, car, 18, NULL), CID_OK);
    cid_car_close(car);
    test_bytes_free(&bytes);
    car_get_every_way(two, NULL, in_two, 2);

    bytes = test_hex(bad_first);
    for (int in_file = 0; in_file < 2; in_file++) {
        struct car_file file;
        struct test_bytes cid_bytes;
        struct cid_view cid = car_cid(CAR_D1, &cid_bytes);
        assert_error(
            car_open(&car, bytes.data, bytes.len, in_file ? &file : NULL, NULL, NULL, NULL),
            CID_OK);
        assert_error(cid_car_get(&block, buf, sizeof buf, NULL, car, &cid, NULL), CID_OK);
        car_check_block(&block, in_bad);
        cid_car_close(car);
        test_bytes_free(&cid_bytes);
    }
    test_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_got_by_their_cids),
        cmocka_unit_test(an_index_of_the_callers_will_do),
        cmocka_unit_test(identity_needs_no_archive),
        cmocka_unit_test(the_head_is_told),
        cmocka_unit_test(the_whole_cid_counts_unless_told_otherwise),
        cmocka_unit_test(blocks_that_are_twice_there_are_tried_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
