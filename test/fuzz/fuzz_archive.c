/* Indexes and open archives, over memory and over a file: both say the same of the same bytes. */
#include "fuzz.h"

#include <cid/car.h>

#define DIGEST1                                                                                    \
    "\xca\x97\x81\x12\xca\x1b\xbd\xca\xfa\xc2\x31\xb3\x9a\x23\xdc\x4d"                             \
    "\xa7\x86\xef\xf8\x14\x7c\x4e\x72\xb9\x80\x77\x85\xaf\xee\x48\xbb"
#define DIGEST2                                                                                    \
    "\x1e\x0b\xbd\x6c\x68\x6b\xa0\x50\xb8\xeb\x03\xff\xee\xdc\x64\xfd"                             \
    "\xc9\xd8\x09\x47\xfc\xe8\x21\xab\xbe\x5d\x6d\xc8\xd2\x52\xc5\xac"
#define HEADER1                                                                                    \
    "\x3a\xa2\x65roots\x81\xd8\x2a\x58\x25\x00\x01\x55\x12\x20" DIGEST1 "\x67version\x01"
#define SECTION1 "\x25\x01\x55\x12\x20" DIGEST1 "\x61"
#define SECTION2 "\x26\x01\x55\x12\x20" DIGEST2 "\x62\x63"
#define ZERO3    "\0\0\0"
#define ZERO7    "\0\0\0\0\0\0\0"
#define BUCKET   "\x01" ZERO3 "\x28" ZERO3 "\x50" ZERO7 DIGEST2 "\x61" ZERO7 DIGEST1 "\x3b" ZERO7
#define INDEX1   "\x81\x08\x01" ZERO3 "\x12" ZERO7 BUCKET
#define INDEX0   "\x80\x08" BUCKET
#define HEAD2                                                                                      \
    "\x0a\xa1\x67version\x02"                                                                      \
    "\0" ZERO7 "\0" ZERO7 "\x33" ZERO7 "\x88" ZERO7

const struct fuzz_seed fuzz_seeds[] = {
    SEED(INDEX1),
    SEED(INDEX0),
    SEED("\x81\x08\x01" ZERO3 "\0" ZERO7 "\x01" ZERO3 "\x08" ZERO3 "\x08" ZERO7 "\x3b" ZERO7),
    SEED("\x81\x08\0" ZERO3),
    SEED(HEADER1 SECTION1 SECTION2),
    SEED(HEAD2 "\xbb" ZERO7 HEADER1 SECTION1 SECTION2 INDEX1),
    SEED(HEAD2 "\xbb" ZERO7 HEADER1 SECTION1 SECTION2 INDEX0),
    SEED(HEAD2 "\0" ZERO7 HEADER1 SECTION1 SECTION2),
    SEED_END,
};

struct bytes {
    const uint8_t *at;
    size_t len;
};

static enum cid_error read_at(void *ctx, void *buf, size_t len, uint64_t offset)
{
    const struct bytes *bytes = ctx;

    FUZZ_CHECK(len > 0 && offset <= bytes->len && len <= bytes->len - offset);
    memcpy(buf, bytes->at + offset, len);
    return CID_OK;
}

/* ---- indexes ------------------------------------------------------------------------------ */

/* Compares entry number i of both, and what is found by its digest. */
static void compare_entry(const struct cid_car_index *a, const struct cid_car_index *b, uint64_t i)
{
    struct cid_car_entry x, y;
    struct cid_car_range range = {0, 0}, other = {0, 0};
    struct cid_multihash_view hash;
    uint8_t buf[4096];
    enum cid_error error;

    FUZZ_CHECK(cid_car_index_at(&x, NULL, 0, a, i) == CID_OK);
    if (cid_car_index_at(&y, buf, sizeof buf, b, i) != CID_OK)
        return;
    FUZZ_CHECK(x.hash_code == y.hash_code && x.digest_len == y.digest_len);
    FUZZ_CHECK(x.section_in_payload == y.section_in_payload);
    FUZZ_CHECK(memcmp(x.digest, y.digest, x.digest_len) == 0);
    hash.code = x.hash_code;
    hash.digest = x.digest;
    hash.digest_len = x.digest_len;
    error = cid_car_index_find(&range, a, &hash);
    FUZZ_CHECK(cid_car_index_find(&other, b, &hash) == error);
    FUZZ_CHECK(range.first == other.first && range.count == other.count);
    if (error)
        FUZZ_CHECK(error == CID_E_NOT_FOUND && cid_car_index_check(a, NULL) == CID_E_INDEX_ORDER);
}

static void compare_indexes(const struct cid_car_index *a, const struct cid_car_index *b)
{
    struct cid_fault fault, other;
    uint64_t count = cid_car_index_count(a);

    memset(&fault, 0, sizeof fault);
    memset(&other, 0, sizeof other);
    FUZZ_CHECK(cid_car_index_count(b) == count && cid_car_index_size(a) == cid_car_index_size(b));
    FUZZ_CHECK(cid_car_index_check(a, &fault) == cid_car_index_check(b, &other));
    FUZZ_CHECK(fault.offset == other.offset);
    for (uint64_t i = 0; i < count && i < 100; i++)
        compare_entry(a, b, i);
}

static void try_index(const uint8_t *data, size_t len)
{
    struct bytes bytes = {data, len};
    struct cid_file file = {read_at, &bytes, len};
    struct cid_car_index *a, *b;
    struct cid_fault fault, other;
    enum cid_error error;

    memset(&fault, 0, sizeof fault);
    memset(&other, 0, sizeof other);
    error = cid_car_index_open(&a, data, len, &fault, NULL);
    FUZZ_CHECK(cid_car_index_open_file(&b, &file, &other, NULL) == error);
    FUZZ_CHECK(fault.code == error && other.code == error && fault.offset == other.offset);
    FUZZ_CHECK((error == CID_OK) == (a != NULL) && (a != NULL) == (b != NULL));
    if (a)
        compare_indexes(a, b);
    cid_car_index_close(a);
    cid_car_index_close(b);
}

/* ---- archives ----------------------------------------------------------------------------- */

static void compare_block(const struct cid_car *a, const struct cid_car *b, uint64_t offset,
                          size_t len)
{
    struct cid_car_block x, y, again;
    struct cid_fault fault, other;
    static uint8_t buf[8192];
    enum cid_error error;

    memset(&fault, 0, sizeof fault);
    memset(&other, 0, sizeof other);
    error = cid_car_get_at(&x, NULL, 0, NULL, a, offset, &fault);
    FUZZ_CHECK(cid_car_get_at(&y, buf, sizeof buf, NULL, b, offset, &other) == error);
    FUZZ_CHECK(fault.offset == other.offset);
    if (error)
        return;
    FUZZ_CHECK(cid_equal(&x.cid, &y.cid) && x.data_len == y.data_len);
    FUZZ_CHECK(x.data_len == 0 || memcmp(x.data, y.data, x.data_len) == 0);
    FUZZ_CHECK(x.section_in_file <= len && x.section_len <= len - x.section_in_file);
    FUZZ_CHECK(x.verdict == CID_GOOD || x.verdict == CID_UNVERIFIABLE);
    if (cid_car_get(&again, NULL, 0, NULL, a, &x.cid, NULL) == CID_OK)
        FUZZ_CHECK(cid_equal(&again.cid, &x.cid));
}

static void compare_archives(const struct cid_car *a, const struct cid_car *b, size_t len)
{
    const struct cid_car_index *index = cid_car_index_of(a);
    struct cid_car_entry entry;
    uint8_t digest[4096];

    for (uint64_t i = 0; i < 50 && i < cid_car_index_count(index); i++)
        if (cid_car_index_at(&entry, digest, sizeof digest, index, i) == CID_OK)
            compare_block(a, b, entry.section_in_payload, len);
}

static void try_archive(const uint8_t *data, size_t len, const struct cid_car_open_options *options)
{
    struct bytes bytes = {data, len};
    struct cid_file file = {read_at, &bytes, len};
    struct cid_car *a, *b;
    struct cid_fault fault, other;
    enum cid_error error;

    memset(&fault, 0, sizeof fault);
    memset(&other, 0, sizeof other);
    error = cid_car_open(&a, data, len, options, &fault, NULL);
    FUZZ_CHECK(cid_car_open_file(&b, &file, options, &other, NULL) == error);
    FUZZ_CHECK(fault.code == error && other.code == error && fault.offset == other.offset);
    if (a)
        compare_archives(a, b, len);
    cid_car_close(a);
    cid_car_close(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const struct cid_car_open_options options[] = {
        {.read = {.pass_unverifiable = true}},
        {.read = {.pass_unverifiable = true, .allow_padding = true}, .rebuild_index = true},
    };
    try_index(data, len);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        try_archive(data, len, &options[i]);
    return 0;
}
