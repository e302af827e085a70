/*
 * The construction recipe: no allocation while the whole fits the owner, exactly one of the final
 * size when it does not, never two, never a realloc; and no byte lost or leaked when there is no
 * memory.
 */
#include "support.h"

#include <cid/cid.h>

/* One way of building a byte string of total bytes, and the bytes it must give. */
struct way {
    const char *name;
    size_t overhead; /* bytes besides the digest */
    enum cid_error (*make)(struct cid_bytes *out, const uint8_t *digest, size_t len,
                           const struct cid_allocator *alloc);
    const char *head;
};

static enum cid_error make_multihash(struct cid_bytes *out, const uint8_t *digest, size_t len,
                                     const struct cid_allocator *alloc)
{
    return cid_multihash_make(out, 0x12, digest, len, alloc);
}

static enum cid_error make_v1(struct cid_bytes *out, const uint8_t *digest, size_t len,
                              const struct cid_allocator *alloc)
{
    struct cid cid;
    enum cid_error error = cid_make_v1(&cid, CID_CODEC_RAW, 0x12, digest, len, alloc);
    *out = cid.raw;
    return error;
}

static enum cid_error make_copy(struct cid_bytes *out, const uint8_t *digest, size_t len,
                                const struct cid_allocator *alloc)
{
    struct cid from, cid;
    enum cid_error error;

    assert_error(cid_make_v1(&from, CID_CODEC_RAW, 0x12, digest, len, NULL), CID_OK);
    error = cid_copy(&cid, &from, alloc);
    cid_free(&from, NULL);
    *out = cid.raw;
    return error;
}

/* Writes a CIDv1 and hands its view to the call that is to be seen. */
static enum cid_error of_view(struct cid_bytes *out, const uint8_t *digest, size_t len,
                              const struct cid_allocator *alloc,
                              enum cid_error (*call)(struct cid *, const struct cid_view *,
                                                     const struct cid_allocator *))
{
    uint8_t bytes[512];
    size_t written = 0;
    struct cid_view view;
    struct cid cid;
    enum cid_error error =
        cid_write_v1(bytes, sizeof bytes, &written, CID_CODEC_RAW, 0x12, digest, len);

    assert_error(error, CID_OK);
    assert_error(cid_read_exact(&view, bytes, written), CID_OK);
    error = call(&cid, &view, alloc);
    *out = cid.raw;
    return error;
}

static enum cid_error make_own(struct cid_bytes *out, const uint8_t *digest, size_t len,
                               const struct cid_allocator *alloc)
{
    return of_view(out, digest, len, alloc, cid_own);
}

static enum cid_error make_to_v1(struct cid_bytes *out, const uint8_t *digest, size_t len,
                                 const struct cid_allocator *alloc)
{
    return of_view(out, digest, len, alloc, cid_to_v1);
}

static enum cid_error make_multihash_sum(struct cid_bytes *out, const uint8_t *digest, size_t len,
                                         const struct cid_allocator *alloc)
{
    return cid_multihash_sum(out, CID_HASH_IDENTITY, CID_DIGEST_DEFAULT, digest, len, NULL, alloc);
}

static enum cid_error make_sum_v1(struct cid_bytes *out, const uint8_t *digest, size_t len,
                                  const struct cid_allocator *alloc)
{
    struct cid cid;
    enum cid_error error =
        cid_sum_v1(&cid, CID_CODEC_RAW, CID_HASH_IDENTITY, CID_DIGEST_DEFAULT, digest, len, alloc);
    *out = cid.raw;
    return error;
}

static enum cid_error make_prefix_sum(struct cid_bytes *out, const uint8_t *digest, size_t len,
                                      const struct cid_allocator *alloc)
{
    static const struct cid_prefix prefix = {CID_CODEC_RAW, CID_HASH_IDENTITY, 32, 1};
    struct cid cid;
    enum cid_error error = cid_prefix_sum(&cid, &prefix, digest, len, NULL, alloc);
    *out = cid.raw;
    return error;
}

/* Writes "/ipfs/" and the text of a CIDv1, and hands what is behind skip to the call. */
static enum cid_error of_text(struct cid_bytes *out, const uint8_t *digest, size_t len,
                              const struct cid_allocator *alloc, size_t skip,
                              enum cid_error (*call)(struct cid *, const char *, size_t,
                                                     const struct cid_allocator *))
{
    char text[1100] = "/ipfs/";
    uint8_t bytes[512];
    size_t written = 0, text_len = 0;
    struct cid cid;
    enum cid_error error =
        cid_write_v1(bytes, sizeof bytes, &written, CID_CODEC_RAW, 0x12, digest, len);

    assert_error(error, CID_OK);
    assert_error(
        cid_multibase_encode(text + 6, sizeof text - 6, &text_len, bytes, written, CID_BASE32),
        CID_OK);
    error = call(&cid, text + skip, text_len + 6 - skip, alloc);
    *out = cid.raw;
    return error;
}

static enum cid_error make_parse(struct cid_bytes *out, const uint8_t *digest, size_t len,
                                 const struct cid_allocator *alloc)
{
    return of_text(out, digest, len, alloc, 6, cid_parse);
}

static enum cid_error find(struct cid *out, const char *text, size_t len,
                           const struct cid_allocator *alloc)
{
    return cid_find(out, NULL, text, len, alloc);
}

static enum cid_error make_find(struct cid_bytes *out, const uint8_t *digest, size_t len,
                                const struct cid_allocator *alloc)
{
    return of_text(out, digest, len, alloc, 0, find);
}

static enum cid_error make_suggest(struct cid_bytes *out, const uint8_t *digest, size_t len,
                                   const struct cid_allocator *alloc)
{
    return of_text(out, digest, len, alloc, 0, cid_suggest);
}

static const struct way ways[] = {
    {"multihash", 2, make_multihash, "\x12"},       {"v1", 4, make_v1, "\x01\x55\x12"},
    {"own", 4, make_own, "\x01\x55\x12"},           {"copy", 4, make_copy, "\x01\x55\x12"},
    {"to_v1", 4, make_to_v1, "\x01\x55\x12"},       {"parse", 4, make_parse, "\x01\x55\x12"},
    {"find", 4, make_find, "\x01\x55\x12"},         {"suggest", 4, make_suggest, "\x01\x55\x12"},
    {"multihash_sum", 2, make_multihash_sum, ""},   {"sum_v1", 4, make_sum_v1, "\x01\x55"},
    {"prefix_sum", 4, make_prefix_sum, "\x01\x55"},
};

static void check(const struct way *way, size_t total)
{
    /* The length takes two bytes from 128 on. */
    size_t overhead = way->overhead + (total - way->overhead > 127 ? 1 : 0);
    size_t len = total - overhead;
    size_t expected = total > CID_SMALL ? 1 : 0;
    uint8_t digest[512];
    struct test_alloc counting;
    struct test_random random = {total};
    struct cid_bytes out;

    test_random_fill(&random, digest, len);
    memset(&out, 0xaa, sizeof out); /* what it held must not matter */
    test_alloc_init(&counting, SIZE_MAX);
    assert_error(way->make(&out, digest, len, &counting.allocator), CID_OK);
    assert_int_equal(out.len, total);
    assert_int_equal(counting.calls, expected);
    assert_int_equal(counting.live, expected);
    assert_int_equal(counting.bytes, expected ? total : 0);
    assert_memory_equal(cid_bytes_of(&out), way->head, strlen(way->head));
    assert_memory_equal(cid_bytes_of(&out) + overhead, digest, len);
    assert_ptr_equal(cid_bytes_of(&out), cid_bytes_data(&out));
    cid_bytes_free(&out, &counting.allocator);
    assert_int_equal(counting.live, 0);
    assert_int_equal(out.len, 0);

    /* The same without any memory. */
    memset(&out, 0xaa, sizeof out);
    test_alloc_init(&counting, 0);
    assert_error(way->make(&out, digest, len, &counting.allocator),
                 expected ? CID_E_NOMEM : CID_OK);
    assert_int_equal(counting.calls, expected);
    assert_int_equal(counting.live, 0);
    if (expected) {
        static const struct cid_bytes empty;
        assert_memory_equal(&out, &empty, sizeof out);
    }
    cid_bytes_free(&out, &counting.allocator);
}

static void allocates_none_or_one(void **state)
{
    static const size_t totals[] = {4, 36, 79, 80, 81, 127, 128, 133, 204, 300};
    (void)state;
    for (size_t w = 0; w < COUNT(ways); w++)
        for (size_t t = 0; t < COUNT(totals); t++)
            check(&ways[w], totals[t]);
}

static void a_varint_never_allocates(void **state)
{
    struct test_alloc refusing;
    struct cid_bytes out;
    (void)state;

    test_alloc_init(&refusing, 0);
    assert_error(cid_varint_make(&out, CID_VARINT_MAX, &refusing.allocator), CID_OK);
    assert_int_equal(out.len, 9);
    assert_int_equal(refusing.calls, 0);
}

static void every_registered_digest_fits_the_owner(void **state)
{
    /* 1 version + 9 codec + 3 hash code + 1 length + 64 digest = 78 */
    uint8_t digest[64] = {1};
    struct test_alloc refusing;
    struct cid cid;
    (void)state;

    test_alloc_init(&refusing, 0);
    assert_error(cid_make_v1(&cid, CID_VARINT_MAX, 0xb240, digest, 64, &refusing.allocator),
                 CID_OK);
    assert_int_equal(cid.raw.len, 78);
    assert_int_equal(refusing.calls, 0);
}

static void an_owner_may_be_moved(void **state)
{
    uint8_t digest[100] = {1, 2, 3};
    struct cid a, b;
    struct cid_view view;
    (void)state;

    for (size_t len = 32; len <= 100; len += 68) {
        assert_error(cid_make_v1(&a, CID_CODEC_RAW, 0x12, digest, len, NULL), CID_OK);
        memcpy(&b, &a, sizeof b);
        memset(&a, 0xee, sizeof a);
        view = cid_as_view(&b);
        assert_int_equal(view.hash.digest_len, len);
        assert_memory_equal(view.hash.digest, digest, len);
        cid_free(&b, NULL);
        assert_false(cid_is_defined(&b));
    }
}

static void the_undefined_cid(void **state)
{
    struct cid none = {0}, copy;
    struct cid_view view;
    uint8_t out[1];
    (void)state;

    assert_false(cid_is_defined(&none));
    view = cid_as_view(&none);
    assert_int_equal(view.len, 0);
    assert_null(view.bytes);
    memset(&copy, 0xaa, sizeof copy);
    assert_error(cid_copy(&copy, &none, NULL), CID_OK);
    assert_false(cid_is_defined(&copy));
    assert_error(cid_own(&copy, &view, NULL), CID_E_ARGUMENT);
    assert_error(cid_write(out, sizeof out, NULL, &view), CID_E_ARGUMENT);
    assert_true(cid_equal(&view, &view));
    cid_free(&none, NULL);
    cid_free(NULL, NULL);
    cid_bytes_free(NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocates_none_or_one),
        cmocka_unit_test(a_varint_never_allocates),
        cmocka_unit_test(every_registered_digest_fits_the_owner),
        cmocka_unit_test(an_owner_may_be_moved),
        cmocka_unit_test(the_undefined_cid),
    };
    return cmocka_run_group_tests_name("construct", tests, NULL, NULL);
}
