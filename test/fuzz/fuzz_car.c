/* CAR archives, over memory and over a source that gives a few bytes at a time. */
#include "fuzz.h"

#include <cid/car.h>

#define DIGEST1                                                                                    \
    "\xca\x97\x81\x12\xca\x1b\xbd\xca\xfa\xc2\x31\xb3\x9a\x23\xdc\x4d"                             \
    "\xa7\x86\xef\xf8\x14\x7c\x4e\x72\xb9\x80\x77\x85\xaf\xee\x48\xbb"
#define DIGEST2                                                                                    \
    "\x1e\x0b\xbd\x6c\x68\x6b\xa0\x50\xb8\xeb\x03\xff\xee\xdc\x64\xfd"                             \
    "\xc9\xd8\x09\x47\xfc\xe8\x21\xab\xbe\x5d\x6d\xc8\xd2\x52\xc5\xac"
#define HEADER0 "\x11\xa2\x65roots\x80\x67version\x01"
#define HEADER1                                                                                    \
    "\x3a\xa2\x65roots\x81\xd8\x2a\x58\x25\x00\x01\x55\x12\x20" DIGEST1 "\x67version\x01"
#define SECTION1 "\x25\x01\x55\x12\x20" DIGEST1 "\x61"
#define SECTION2 "\x26\x01\x55\x12\x20" DIGEST2 "\x62\x63"
#define IDENTITY "\x0e\x01\x55\x00\x05hellohello"
#define PRAGMA   "\x0a\xa1\x67version\x02"
#define ZERO8    "\0\0\0\0\0\0\0\0"

const struct fuzz_seed fuzz_seeds[] = {
    SEED(""),
    SEED(HEADER0),
    SEED(HEADER1 SECTION1 SECTION2),
    SEED(HEADER0 IDENTITY IDENTITY SECTION2),
    SEED(HEADER1 SECTION1 "\x27\x01\x55\x12\x20" DIGEST2 "\x62\x63\x64"),
    SEED(HEADER1 SECTION1 SECTION2 ZERO8),
    SEED(PRAGMA ZERO8 ZERO8 "\x33\0\0\0\0\0\0\0\x88\0\0\0\0\0\0\0" ZERO8 HEADER1 SECTION1 SECTION2),
    SEED(PRAGMA ZERO8 ZERO8 "\x3a\0\0\0\0\0\0\0\x88\0\0\0\0\0\0\0" ZERO8
                            "\0\0\0\0\0\0\0" HEADER1 SECTION1 SECTION2),
    SEED("{\"roots\":[]}"),
    SEED_END,
};

struct trickle {
    const uint8_t *at;
    size_t left;
    size_t turn;
};

static enum cid_error read_some(void *ctx, void *buf, size_t cap, size_t *got)
{
    static const size_t sizes[] = {1, 7, 0, 64, 3};
    struct trickle *in = ctx;
    size_t n = sizes[in->turn++ % (sizeof sizes / sizeof sizes[0])];
    if (in->left == 0)
        return CID_END;
    n = n < cap ? n : cap;
    n = n < in->left ? n : in->left;
    memcpy(buf, in->at, n);
    in->at += n;
    in->left -= n;
    *got = n;
    return CID_OK;
}

/* Skips less than it is asked for, and nothing now and then. */
static enum cid_error skip_some(void *ctx, uint64_t n, uint64_t *skipped)
{
    struct trickle *in = ctx;
    size_t most = in->turn++ % 5 * (in->left / 3);
    n = n < most ? n : most;
    n = n < in->left ? n : in->left;
    in->at += n;
    in->left -= (size_t)n;
    *skipped = n;
    return CID_OK;
}

/* An error after which the block is filled and reading goes on. */
static int has_block(enum cid_error error)
{
    return error == CID_OK || error == CID_E_MISMATCH || error == CID_E_UNVERIFIABLE;
}

static void look_at(const struct cid_car_block *block, size_t len)
{
    FUZZ_CHECK(block->section_in_file <= len && block->section_len <= len - block->section_in_file);
    FUZZ_CHECK(block->cid.len + block->data_len < block->section_len);
    FUZZ_CHECK(block->number <= len);
}

static void compare(const struct cid_car_block *a, const struct cid_car_block *b)
{
    FUZZ_CHECK(cid_equal(&a->cid, &b->cid));
    FUZZ_CHECK(a->data_len == b->data_len);
    FUZZ_CHECK(!a->data == !b->data);
    FUZZ_CHECK(a->data_len == 0 || !a->data || memcmp(a->data, b->data, a->data_len) == 0);
    FUZZ_CHECK(a->number == b->number && a->verdict == b->verdict);
    FUZZ_CHECK(a->section_in_payload == b->section_in_payload);
    FUZZ_CHECK(a->section_in_file == b->section_in_file && a->section_len == b->section_len);
}

/* Goes through both; over memory and over a source the same blocks and the same end are met. */
static void walk(struct cid_car_reader *memory, struct cid_car_reader *source, size_t len)
{
    for (;;) {
        struct cid_car_block a, b;
        enum cid_error error = cid_car_reader_next(memory, &a);
        enum cid_error other = cid_car_reader_next(source, &b);
        FUZZ_CHECK(error == other);
        if (!has_block(error)) {
            FUZZ_CHECK(cid_car_reader_next(memory, &a) == error);
            FUZZ_CHECK(cid_car_reader_next(source, &b) == error);
            break;
        }
        look_at(&a, len);
        compare(&a, &b);
    }
    FUZZ_CHECK(cid_car_reader_fault(memory)->code == cid_car_reader_fault(source)->code);
}

static void read_all(const uint8_t *data, size_t len, const struct cid_car_options *options)
{
    struct trickle in = {data, len, 0};
    struct cid_source from = {read_some, &in, skip_some};
    struct cid_car_reader *memory, *source;
    struct cid_fault fault;
    enum cid_error error, other;

    memset(&fault, 0, sizeof fault);
    error = cid_car_reader_open(&memory, data, len, options, &fault, NULL);
    other = cid_car_reader_open_source(&source, &from, options, NULL, NULL);
    FUZZ_CHECK((error == CID_OK) == (memory != NULL) && (other == CID_OK) == (source != NULL));
    FUZZ_CHECK(fault.code == error);
    if (memory && source)
        walk(memory, source, len);
    cid_car_reader_close(memory);
    cid_car_reader_close(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const struct cid_car_options options[] = {
        {0},
        {.skip_verify = true, .allow_padding = true},
        {.skip_data = true, .identity_limit = 64},
        {.strict = true, .pass_unverifiable = true, .section_limit = 64},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        read_all(data, len, &options[i]);
    (void)cid_car_guess(data, len);
    return 0;
}
