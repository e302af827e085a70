#include "get.h"

enum cid_error car_open(struct cid_car **out, const uint8_t *bytes, size_t len,
                        struct car_file *file, const struct cid_car_open_options *options,
                        struct cid_fault *fault, const struct cid_allocator *alloc)
{
    struct cid_car_open_options used = {0};
    struct cid_file use;

    if (options)
        used = *options;
    used.read = car_options(&used.read);
    if (!file)
        return cid_car_open(out, bytes, len, &used, fault, alloc);
    *file = car_file_of(bytes, len);
    use = car_file_use(file);
    return cid_car_open_file(out, &use, &used, fault, alloc);
}

void car_check_block(const struct cid_car_block *block, const struct car_wanted *wanted)
{
    struct test_bytes data = test_hex(wanted->data);

    assert_int_equal(block->data_len, data.len);
    if (data.len != 0)
        assert_memory_equal(block->data, data.data, data.len);
    assert_true(block->section_in_payload == wanted->in_payload);
    assert_true(block->section_in_file == wanted->in_file);
    assert_true(block->section_len == wanted->section_len);
    assert_int_equal(block->verdict, wanted->verdict);
    assert_int_equal(block->number, 0);
    test_bytes_free(&data);
}

static void get_block(const struct cid_car *car, const uint8_t *bytes, size_t len, bool in_file,
                      const struct car_wanted *wanted)
{
    struct test_bytes cid_bytes;
    struct cid_view cid = car_cid(wanted->cid, &cid_bytes);
    struct cid_car_block block = {0};
    struct cid_bytes memory;
    struct test_alloc counting;
    uint8_t buf[4096];
    size_t need = 4711;

    assert_error(cid_car_get(&block, buf, sizeof buf, &need, car, &cid, NULL), CID_OK);
    car_check_block(&block, wanted);
    assert_int_equal(need, in_file ? wanted->section_len : 0);
    if (wanted->section_len == 0)
        assert_ptr_equal(block.data, cid.hash.digest);
    else if (in_file)
        assert_true(block.data > buf && block.data + block.data_len <= buf + sizeof buf);
    else
        assert_true(block.data > bytes && block.data + block.data_len <= bytes + len);

    if (need != 0) { /* a buffer of just that size will do, and a smaller one will not */
        uint8_t *exact = malloc(need);
        assert_non_null(exact);
        memset(&block, 0, sizeof block);
        assert_error(cid_car_get(&block, exact, need - 1, NULL, car, &cid, NULL), CID_E_NOSPACE);
        assert_null(block.data);
        assert_error(cid_car_get(&block, NULL, 0, &need, car, &cid, NULL), CID_E_NOSPACE);
        assert_int_equal(need, wanted->section_len);
        assert_error(cid_car_get(&block, exact, need, NULL, car, &cid, NULL), CID_OK);
        car_check_block(&block, wanted);
        free(exact);
    }
    test_alloc_init(&counting, SIZE_MAX);
    assert_error(cid_car_own(&block, &memory, car, &cid, NULL, &counting.allocator), CID_OK);
    car_check_block(&block, wanted);
    assert_int_equal(memory.len, in_file ? wanted->section_len : 0);
    assert_int_equal(counting.calls, memory.len > CID_SMALL ? 1 : 0);
    cid_bytes_free(&memory, &counting.allocator);
    assert_int_equal(counting.live, 0);

    if (wanted->section_len != 0) {
        assert_error(cid_car_get_at(&block, buf, sizeof buf, &need, car, wanted->in_payload, NULL),
                     CID_OK);
        car_check_block(&block, wanted);
    }
    test_bytes_free(&cid_bytes);
}

void car_get_every_way(const char *hex, const struct cid_car_open_options *options,
                       const struct car_wanted *wanted, size_t count)
{
    struct test_bytes bytes = test_hex(hex);
    const uint8_t *guarded = test_guard(bytes.data, bytes.len);

    for (int in_file = 0; in_file < 2; in_file++) {
        struct car_file file;
        struct cid_car *car = NULL;
        assert_error(
            car_open(&car, guarded, bytes.len, in_file ? &file : NULL, options, NULL, NULL),
            CID_OK);
        for (size_t i = 0; i < count; i++)
            get_block(car, guarded, bytes.len, in_file != 0, &wanted[i]);
        cid_car_close(car);
    }
    test_guard_release();
    test_bytes_free(&bytes);
}

/* Asks for a block that is not to come, in both ways; out and memory stay as they are. */
void car_expect_no_block(const char *hex, const struct cid_car_open_options *options,
                         const char *cid_hex, const char *expected)
{
    struct test_bytes bytes = test_hex(hex), cid_bytes;
    const uint8_t *guarded = test_guard(bytes.data, bytes.len);
    struct cid_view cid = car_cid(cid_hex, &cid_bytes);

    for (int in_file = 0; in_file < 2; in_file++) {
        struct car_file file;
        struct cid_car *car = NULL;
        struct cid_car_block block = {0};
        struct cid_fault fault = {0};
        struct cid_bytes memory;
        uint8_t buf[4096];
        enum cid_error error;
        assert_error(
            car_open(&car, guarded, bytes.len, in_file ? &file : NULL, options, &fault, NULL),
            CID_OK);
        error = cid_car_get(&block, buf, sizeof buf, NULL, car, &cid, &fault);
        assert_error(error, fault.code);
        if (strcmp(car_fault_text(&fault), expected) != 0)
            fail_msg("%s, not %s", car_fault_text(&fault), expected);
        assert_error(cid_car_get(&block, buf, sizeof buf, NULL, car, &cid, NULL), fault.code);
        assert_error(cid_car_own(&block, &memory, car, &cid, NULL, NULL), fault.code);
        assert_int_equal(memory.len, 0);
        assert_null(block.data);
        assert_null(block.cid.bytes);
        cid_car_close(car);
    }
    test_guard_release();
    test_bytes_free(&bytes);
    test_bytes_free(&cid_bytes);
}

void car_expect_closed(const char *hex, const struct cid_car_open_options *options,
                       const char *expected)
{
    struct test_bytes bytes = test_hex(hex);
    const uint8_t *guarded = test_guard(bytes.data, bytes.len);

    for (int in_file = 0; in_file < 2; in_file++) {
        struct car_file file;
        struct cid_car *car = NULL;
        struct cid_fault fault = {0};
        struct test_alloc counting;
        enum cid_error error;
        test_alloc_init(&counting, SIZE_MAX);
        error = car_open(&car, guarded, bytes.len, in_file ? &file : NULL, options, &fault,
                         &counting.allocator);
        assert_error(error, fault.code);
        assert_null(car);
        if (strcmp(car_fault_text(&fault), expected) != 0)
            fail_msg("%s, not %s", car_fault_text(&fault), expected);
        assert_int_equal(counting.live, 0);
    }
    test_guard_release();
    test_bytes_free(&bytes);
}
