/*
 * One small archive with every bit flipped in turn, and cut at every byte: what must come of it,
 * by one thread and by several.
 */
#include "car.h"

#define MOST 8

/* The blocks: sha2-256, blake2b-256 behind a longer codec, identity. */
struct part {
    size_t section, codec, codec_len, hash, digest, data, end; /* offsets in the file */
};

static uint8_t bytes[1024];
static size_t header_len, len;
static struct part parts[3];

struct seen {
    enum cid_error open, error;
    struct cid_fault fault;
    bool same_root;
    size_t count;
    uint64_t offset[MOST];
    enum cid_verdict verdict[MOST];
    bool same_cid[MOST]; /* as in the sound archive */
};

/* ---- the archive -------------------------------------------------------------------------- */

static void put(const void *data, size_t data_len)
{
    memcpy(bytes + len, data, data_len);
    len += data_len;
}

static void put_part(struct part *part, uint64_t codec, uint64_t hash, const char *text)
{
    size_t text_len = strlen(text), cid_len = 0;
    uint8_t cid[128], digest[32];
    const uint8_t *from = digest;
    size_t digest_len = hash == CID_HASH_IDENTITY ? text_len : 32;

    if (hash == CID_HASH_IDENTITY)
        from = (const uint8_t *)text;
    else
        assert_error(cid_hash_sum(digest, 32, NULL, hash, 32, text, text_len, NULL), CID_OK);
    assert_error(cid_write_v1(cid, sizeof cid, &cid_len, codec, hash, from, digest_len), CID_OK);
    assert_true(cid_len + text_len < 0x80);
    part->section = len;
    bytes[len++] = (uint8_t)(cid_len + text_len);
    part->codec = len + 1;
    part->codec_len = codec < 0x80 ? 1 : 2;
    part->hash = part->codec + part->codec_len;
    put(cid, cid_len);
    part->digest = len - digest_len;
    part->data = len;
    put(text, text_len);
    part->end = len;
}

static int make(void **state)
{
    struct test_bytes head = test_hex(CAR_H1);
    struct cid_hash_info info;
    (void)state;

    put(head.data, head.len);
    header_len = len;
    test_bytes_free(&head);
    assert_error(cid_hash_by_code(&info, CID_HASH_BLAKE2B_256), CID_OK);
    if (!info.available)
        return 0;
    put_part(&parts[0], 0x55, CID_HASH_SHA2_256, "the first");
    put_part(&parts[1], 0x0129, CID_HASH_BLAKE2B_256, "another one");
    put_part(&parts[2], 0x71, CID_HASH_IDENTITY, "inside");
    return 0;
}

static void need_hashes(void)
{
    if (len == header_len)
        skip();
}

/* ---- reading ------------------------------------------------------------------------------ */

static uint8_t sound[sizeof bytes];

static enum cid_error take(void *ctx, const struct cid_car_block *block, enum cid_error error)
{
    struct seen *seen = ctx;
    size_t i = seen->count++;
    size_t at = i < COUNT(parts) ? parts[i].codec - 1 : 0;

    (void)error;
    assert_true(i < MOST);
    seen->offset[i] = block->section_in_file;
    seen->verdict[i] = block->verdict;
    seen->same_cid[i] = i < COUNT(parts) && block->cid.len == parts[i].data - at &&
                        memcmp(block->cid.bytes, sound + at, block->cid.len) == 0;
    return CID_OK;
}

static struct seen look(const uint8_t *file, size_t file_len, unsigned workers)
{
    struct cid_car_verify_options options = {.workers = workers, .block = take};
    struct cid_car_reader *reader = NULL;
    struct cid_view root;
    struct seen seen = {0};

    options.ctx = &seen;
    seen.open = cid_car_reader_open(&reader, file, file_len, NULL, &seen.fault, NULL);
    if (seen.open)
        return seen;
    seen.same_root = cid_car_reader_root(&root, reader, 0) == CID_OK && root.len == 36 &&
                     memcmp(root.bytes, sound + 14, 36) == 0 &&
                     cid_car_reader_info(reader)->root_count == 1;
    seen.error = cid_car_verify(NULL, reader, &options);
    seen.fault = *cid_car_reader_fault(reader);
    cid_car_reader_close(reader);
    return seen;
}

/* What is seen by one thread, and by three the same. */
static struct seen look_twice(size_t file_len)
{
    const uint8_t *file = test_guard(bytes, file_len);
    struct seen one = look(file, file_len, 1), three = look(file, file_len, 3);

    assert_true(one.open == three.open && one.error == three.error && one.count == three.count);
    for (size_t i = 0; i < one.count; i++)
        assert_true(one.offset[i] == three.offset[i] && one.verdict[i] == three.verdict[i]);
    assert_true(one.fault.code == three.fault.code && one.fault.offset == three.fault.offset);
    test_guard_release();
    return one;
}

/* ---- tests -------------------------------------------------------------------------------- */

static void nothing_is_wrong_with_it(void **state)
{
    struct seen seen;
    (void)state;
    need_hashes();

    memcpy(sound, bytes, len);
    seen = look_twice(len);
    assert_error(seen.open, CID_OK);
    assert_error(seen.error, CID_OK);
    assert_int_equal(seen.count, 3);
    assert_true(seen.same_root && seen.same_cid[0] && seen.same_cid[1] && seen.same_cid[2]);
}

static void expect_before(const struct seen *seen, size_t k)
{
    assert_true(seen->count >= k);
    for (size_t i = 0; i < k; i++) {
        assert_int_equal(seen->verdict[i], CID_GOOD);
        assert_int_equal(seen->offset[i], parts[i].section);
        assert_true(seen->same_cid[i]);
    }
}

/* A bit of section k at that offset has been flipped. */
static void expect_flip(const struct seen *seen, size_t k, size_t at)
{
    const struct part *part = &parts[k];
    bool codec = at >= part->codec && at < part->codec + part->codec_len;

    assert_error(seen->open, CID_OK);
    assert_true(seen->same_root);
    expect_before(seen, k);
    if (at >= part->digest) {
        assert_true(seen->count > k);
        assert_int_equal(seen->verdict[k], CID_MISMATCH);
        assert_int_equal(seen->offset[k], part->section);
        assert_int_equal(seen->count, 3);
        return;
    }
    if (seen->count == k) { /* reading ended here */
        assert_true(seen->error != CID_OK && seen->error != CID_E_MISMATCH &&
                    seen->error != CID_E_UNVERIFIABLE);
        assert_in_range(seen->fault.offset, part->section, part->end);
    } else if (seen->verdict[k] == CID_GOOD) {
        assert_true(codec && !seen->same_cid[k]);
    } else {
        assert_true(seen->verdict[k] == CID_MISMATCH || seen->verdict[k] == CID_UNVERIFIABLE);
        assert_int_equal(seen->offset[k], part->section);
    }
}

static void every_bit_counts(void **state)
{
    (void)state;
    need_hashes();

    for (size_t bit = 0; bit < 8 * len; bit++) {
        size_t at = bit / 8, k = 0;
        struct seen seen;
        bytes[at] ^= (uint8_t)(1u << bit % 8);
        seen = look_twice(len);
        bytes[at] ^= (uint8_t)(1u << bit % 8);
        if (at < header_len) {
            assert_true(seen.open != CID_OK || !seen.same_root);
            continue;
        }
        while (at >= parts[k].end)
            k++;
        expect_flip(&seen, k, at);
    }
}

static void every_cut_is_told(void **state)
{
    (void)state;
    need_hashes();

    for (size_t cut = 0; cut < len; cut++) {
        struct seen seen = look_twice(cut);
        size_t k = 0;
        if (cut < header_len) {
            assert_error(seen.open, cut == 0 ? CID_E_CAR_EMPTY : CID_E_TRUNCATED);
            assert_int_equal(seen.fault.offset, 0);
            continue;
        }
        while (cut >= parts[k].end)
            k++;
        assert_error(seen.open, CID_OK);
        assert_int_equal(seen.count, k);
        expect_before(&seen, k);
        assert_error(seen.error, cut == parts[k].section ? CID_OK : CID_E_TRUNCATED);
        if (cut != parts[k].section)
            assert_int_equal(seen.fault.offset, parts[k].section);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_wrong_with_it),
        cmocka_unit_test(every_bit_counts),
        cmocka_unit_test(every_cut_is_told),
    };
    return cmocka_run_group_tests_name("car_flips", tests, make, NULL);
}
