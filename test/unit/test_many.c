/* Many messages at once: the same digests and verdicts as one by one, on every tier. */
#include "hash_tiers.h"
#include "support.h"

#include "base/cpu.h"
#include "hash/lanes.h"
#include "hash/sha256.h"

#include <cid/cid.h>

#ifdef CID_WITH_SODIUM
#include <sodium.h>
#endif

#define LONGEST 1024
#define DIGEST  64

static struct test_random random_numbers = {1};

/* LONGEST bytes that end where a page without access begins; messages are its ends. */
static const uint8_t *noise;

static int set_up(void **state)
{
    uint8_t bytes[LONGEST];
    (void)state;
    test_random_fill(&random_numbers, bytes, sizeof bytes);
    noise = test_guard(bytes, sizeof bytes);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cid__cpu_mask(CID__CPU_ALL);
    test_guard_release();
    return 0;
}

static struct cid_data ending(size_t len)
{
    return (struct cid_data){noise + LONGEST - len, len};
}

static size_t pick(size_t below)
{
    return (size_t)(test_random_next(&random_numbers) % below);
}

/* What another implementation, or at least another piece of code, says. */
static void expect(uint8_t *out, uint64_t code, size_t len, struct cid_data data)
{
#ifdef CID_WITH_SODIUM
    if (code == CID_HASH_SHA2_256 || code == 0x56 || code == 0x1012) {
        assert_int_equal(crypto_hash_sha256(out, data.data, data.len), 0);
        if (code == 0x56)
            assert_int_equal(crypto_hash_sha256(out, out, 32), 0);
        if (code == 0x1012)
            out[31] &= 0x3f;
        return;
    }
    if (code >= 0xb210 && code <= 0xb240) {
        assert_int_equal(crypto_generichash_blake2b(out, len, data.data, data.len, NULL, 0), 0);
        return;
    }
#endif
    cid__cpu_mask(CID__CPU_TIER_PORTABLE);
    assert_error(cid_hash_sum(out, len, NULL, code, CID_DIGEST_DEFAULT, data.data, data.len, NULL),
                 CID_OK);
}

static void compare(uint64_t code, size_t len, const struct cid_data *data, size_t n,
                    const uint8_t *expected)
{
    uint8_t *out = malloc(n * len + 1);
    size_t written = 0;

    assert_non_null(out);
    for (size_t t = 0; t < COUNT(tiers); t++) {
        cid__cpu_mask(tiers[t]);
        memset(out, 0xa5, n * len + 1);
        assert_error(cid_hash_many(out, n * len, &written, code, CID_DIGEST_DEFAULT, data, n, NULL),
                     CID_OK);
        assert_int_equal(written, n * len);
        assert_memory_equal(out, expected, n * len);
        assert_int_equal(out[n * len], 0xa5);
        for (size_t i = 0; i < n; i += n / 64 + 1) {
            assert_error(cid_hash_sum(out, len, NULL, code, CID_DIGEST_DEFAULT, data[i].data,
                                      data[i].len, NULL),
                         CID_OK);
            assert_memory_equal(out, expected + i * len, len);
        }
    }
    free(out);
}

/* The messages in this order, on every tier. */
static void check(uint64_t code, const struct cid_data *data, size_t n)
{
    struct cid_hash_info info;
    uint8_t *expected;

    assert_error(cid_hash_by_code(&info, code), CID_OK);
    expected = malloc(n * info.default_len + 1);
    assert_non_null(expected);
    for (size_t i = 0; i < n; i++)
        expect(expected + i * info.default_len, code, info.default_len, data[i]);
    compare(code, info.default_len, data, n, expected);
    free(expected);
}

static const uint64_t codes[] = {
    CID_HASH_SHA2_256, 0x56, 0x1012, CID_HASH_BLAKE2B_256, 0xb201, 0xb214, 0xb240};

static void every_length(void **state)
{
    struct cid_data data[LONGEST + 1];
    (void)state;

    for (size_t c = 0; c < COUNT(codes); c++) {
        for (size_t len = 0; len <= LONGEST; len++)
            data[len] = ending(len);
        check(codes[c], data, LONGEST + 1);
    }
}

static void every_number_of_messages(void **state)
{
    struct cid_data data[100];
    (void)state;

    for (size_t c = 0; c < COUNT(codes); c++)
        for (size_t n = 1; n <= (c == 0 ? COUNT(data) : 40); n++) {
            for (size_t i = 0; i < n; i++)
                data[i] = ending(c == 0 && n % 2 ? 300 : pick(LONGEST + 1));
            check(codes[c], data, n);
        }
}

/* Waves of messages that all end at the same step, empty ones too. */
static void every_length_by_itself(void **state)
{
    struct cid_data data[33];
    (void)state;

    for (size_t len = 0; len <= 280; len++) {
        for (size_t i = 0; i < COUNT(data); i++)
            data[i] = ending(len);
        check(CID_HASH_SHA2_256, data, COUNT(data));
        check(CID_HASH_BLAKE2B_256, data, 17);
    }
}

/* One message is longer, or shorter, than the others: at each place, at each step. */
static void one_that_ends_elsewhere(void **state)
{
    struct cid_data data[32];
    (void)state;

    for (size_t n = 16; n <= COUNT(data); n += 16)
        for (size_t place = 0; place < n; place++)
            for (size_t len = 0; len <= LONGEST; len += 60) {
                for (size_t i = 0; i < n; i++)
                    data[i] = ending(i == place ? len : 400);
                check(CID_HASH_SHA2_256, data, n);
                if (n == 16)
                    check(CID_HASH_BLAKE2B_256, data, n);
            }
}

static void many_windows(void **state)
{
    static const size_t counts[] = {127, 128, 129, 255, 256, 257, 511, 513, 1000};
    struct cid_data data[1000];
    (void)state;

    for (size_t k = 0; k < COUNT(counts); k++) {
        for (size_t i = 0; i < counts[k]; i++)
            data[i] = ending(pick(10) ? pick(150) : pick(LONGEST + 1));
        check(CID_HASH_SHA2_256, data, counts[k]);
        check(CID_HASH_BLAKE2B_256, data, counts[k]);
    }
}

static void long_ones_among_short_ones(void **state)
{
    size_t longest = 200000;
    uint8_t *bytes = malloc(longest);
    struct cid_data data[50];
    (void)state;

    assert_non_null(bytes);
    test_random_fill(&random_numbers, bytes, longest);
    for (size_t i = 0; i < COUNT(data); i++)
        data[i] = (struct cid_data){bytes + i, i % 7 == 3 ? longest - 1000 * i : 31 * i};
    check(CID_HASH_SHA2_256, data, COUNT(data));
    check(CID_HASH_BLAKE2B_256, data, COUNT(data));
    free(bytes);
}

/* Short messages go side by side, long ones through lanes; each has to be right at the border. */
static void lengths_around_short(void **state)
{
    static const size_t borders[] = {CID__SHORT * 64, CID__SHORT * 128};
    size_t longest = CID__SHORT * 128 + 70;
    uint8_t *bytes = malloc(longest);
    struct cid_data data[3 * 140];
    (void)state;

    assert_non_null(bytes);
    test_random_fill(&random_numbers, bytes, longest);
    for (size_t b = 0; b < COUNT(borders); b++) {
        for (size_t i = 0; i < 140; i++) {
            size_t len = borders[b] - 70 + i;
            data[3 * i] = (struct cid_data){bytes + longest - len, len};
            data[3 * i + 1] = ending(pick(LONGEST + 1));
            data[3 * i + 2] = ending(i);
        }
        for (size_t n = 1; n <= COUNT(data); n += n < 40 ? 3 : 95) {
            check(CID_HASH_SHA2_256, data, n);
            check(CID_HASH_BLAKE2B_256, data, n);
        }
    }
    free(bytes);
}

/* Long messages go on from window to window; short ones come in between, many or a few. */
static void long_and_short_over_many_windows(void **state)
{
    static const struct {
        size_t long_every, n;
    } mixes[] = {{1, 600}, {2, 700}, {16, 1000}, {100, 1000}, {255, 769}, {256, 1024}, {257, 600}};
    size_t longest = 20000;
    uint8_t *bytes = malloc(longest);
    struct cid_data data[1024];
    (void)state;

    assert_non_null(bytes);
    test_random_fill(&random_numbers, bytes, longest);
    for (size_t m = 0; m < COUNT(mixes); m++) {
        for (size_t i = 0; i < mixes[m].n; i++)
            data[i] = i % mixes[m].long_every == 0
                          ? (struct cid_data){bytes + i, 4200 + pick(longest - 4200 - 1024)}
                          : ending(pick(400));
        check(CID_HASH_SHA2_256, data, mixes[m].n);
        check(CID_HASH_BLAKE2B_256, data, mixes[m].n);
    }
    free(bytes);
}

static void every_length_of_blake2b(void **state)
{
    struct cid_data data[20];
    (void)state;

    for (uint64_t code = 0xb201; code <= 0xb240; code++) {
        for (size_t i = 0; i < COUNT(data); i++)
            data[i] = ending(pick(600));
        check(code, data, COUNT(data));
    }
}

/* The plain twin is the oracle where there is no libsodium; it has to be right by itself. */
static void the_plain_twin_agrees(void **state)
{
    (void)state;
    for (size_t blocks = 0; blocks <= LONGEST / 64; blocks++)
        for (size_t t = 0; t < COUNT(tiers); t++) {
            uint32_t plain[8], other[8];
            memcpy(plain, cid__sha256_start, sizeof plain);
            memcpy(other, cid__sha256_start, sizeof other);
            cid__cpu_mask(tiers[t]);
            cid__sha256_blocks_portable(plain, ending(blocks * 64).data, blocks);
            cid__sha256_blocks(other, ending(blocks * 64).data, blocks);
            assert_memory_equal(plain, other, sizeof plain);
        }
}

static void published_digests(void **state)
{
    static const struct {
        uint64_t code;
        const char *text;
        const char *hex;
    } rows[] = {
        /* FIPS 180-4 examples, RFC 7693 appendix A */
        {CID_HASH_SHA2_256, "abc",
         "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {CID_HASH_SHA2_256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {CID_HASH_SHA2_256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {CID_HASH_SHA2_256,
         "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
         "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
        {0x1013, "abc", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"},
        {0x56, "hello", "9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50"},
        {0x1012, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f200152d"},
        {0xb240, "abc",
         "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
         "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"},
        /* the short ones, which few implementations have */
        {0xb201, "", "2e"},
        {0xb201, "abc", "6b"},
        {0xb202, "abc", "ae1e"},
        {0xb205, "", "7d64c5272e"},
        {0xb20f, "abc", "cb322ea749b92c9a46ca598e516025"},
        {0xb210, "abc", "cf4ab791c62b8d2b2109c90275287816"},
        {0xb214, "", "3345524abf6bbe1809449224b5972c41790b6cf2"},
        {0xb221, "abc", "f7bb660ec10c1b537a53ff432791f8a34c09e9ecfca84288bba1ee39afec290d63"},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct test_bytes digest = test_hex(rows[i].hex);
        struct cid_data data[17];

        for (size_t k = 0; k < COUNT(data); k++)
            data[k] = (struct cid_data){rows[i].text, strlen(rows[i].text)};
        for (size_t t = 0; t < COUNT(tiers); t++)
            for (size_t n = 1; n <= COUNT(data); n += 4) {
                uint8_t out[17 * DIGEST];
                cid__cpu_mask(tiers[t]);
                assert_error(cid_hash_many(out, sizeof out, NULL, rows[i].code, CID_DIGEST_DEFAULT,
                                           data, n, NULL),
                             CID_OK);
                for (size_t k = 0; k < n; k++)
                    assert_memory_equal(out + k * digest.len, digest.data, digest.len);
            }
        test_bytes_free(&digest);
    }
}

static void cuts_and_refuses_like_the_single_one(void **state)
{
    struct cid_data data[3] = {{"abc", 3}, {"abc", 3}, {NULL, 0}};
    uint8_t out[96], whole[96];
    size_t written = 0;
    (void)state;

    assert_error(cid_hash_many(whole, sizeof whole, &written, CID_HASH_SHA2_256, 32, data, 3, NULL),
                 CID_OK);
    assert_error(cid_hash_many(out, 60, &written, CID_HASH_SHA2_256, 20, data, 3, NULL), CID_OK);
    assert_int_equal(written, 60);
    for (size_t i = 0; i < 3; i++)
        assert_memory_equal(out + 20 * i, whole + 32 * i, 20);
    assert_error(cid_hash_many(out, 59, &written, CID_HASH_SHA2_256, 20, data, 3, NULL),
                 CID_E_NOSPACE);
    assert_int_equal(written, 60);
    assert_error(
        cid_hash_many(NULL, 0, &written, CID_HASH_SHA2_256, CID_DIGEST_DEFAULT, data, 3, NULL),
        CID_E_NOSPACE);
    assert_int_equal(written, 96);
    assert_error(cid_hash_many(NULL, 0, &written, CID_HASH_SHA2_256, 32, NULL, 0, NULL), CID_OK);
    assert_int_equal(written, 0);
    written = 4711;
    assert_error(cid_hash_many(out, sizeof out, &written, CID_HASH_SHA2_256, 33, data, 3, NULL),
                 CID_E_DIGEST_LENGTH);
    assert_error(cid_hash_many(out, sizeof out, &written, 0x300002, 32, data, 3, NULL),
                 CID_E_HASH_UNKNOWN);
    assert_error(cid_hash_many(out, SIZE_MAX, &written, CID_HASH_SHA2_256, 32, data,
                               SIZE_MAX / 32 + 1, NULL),
                 CID_E_TOO_LARGE);
    assert_int_equal(written, 4711);
    /* Identity: digests of one length only. */
    assert_error(cid_hash_many(out, sizeof out, &written, CID_HASH_IDENTITY, CID_DIGEST_DEFAULT,
                               data, 2, NULL),
                 CID_OK);
    assert_int_equal(written, 6);
    assert_memory_equal(out, "abcabc", 6);
    assert_error(cid_hash_many(out, sizeof out, &written, CID_HASH_IDENTITY, CID_DIGEST_DEFAULT,
                               data, 3, NULL),
                 CID_E_DIGEST_LENGTH);
}

static enum cid_error constant_sum(void *ctx, uint8_t *out, size_t out_len, const void *data,
                                   size_t data_len)
{
    (void)data, (void)data_len;
    memset(out, *(const uint8_t *)ctx, out_len);
    return *(const uint8_t *)ctx == 0 ? CID_E_IO : CID_OK;
}

static void a_callers_function_replaces_the_lanes(void **state)
{
    uint8_t fill = 0x77, nothing = 0, out[64];
    struct cid_hash_function functions[] = {
        {CID_HASH_SHA2_256, 32, 32, 32, constant_sum, &fill},
        {CID_HASH_BLAKE2B_256, 32, 32, 32, constant_sum, &nothing},
    };
    struct cid_hash_options options = {.functions = functions, .function_count = 2};
    struct cid_data data[2] = {{"abc", 3}, {"x", 1}};
    struct cid_multihash_view hashes[2];
    enum cid_verdict verdicts[2];
    (void)state;

    assert_error(cid_hash_many(out, 64, NULL, CID_HASH_SHA2_256, 32, data, 2, &options), CID_OK);
    assert_int_equal(out[0], 0x77);
    assert_int_equal(out[63], 0x77);
    assert_error(cid_hash_many(out, 64, NULL, CID_HASH_BLAKE2B_256, 32, data, 2, &options),
                 CID_E_IO);
    memset(out, 0x77, sizeof out);
    hashes[0] = (struct cid_multihash_view){CID_HASH_SHA2_256, out, 32};
    hashes[1] = (struct cid_multihash_view){CID_HASH_BLAKE2B_256, out, 32};
    cid_multihash_verify_many(verdicts, hashes, data, 2, &options);
    assert_int_equal(verdicts[0], CID_GOOD);
    assert_int_equal(verdicts[1], CID_UNVERIFIABLE);
    cid_multihash_verify_many(verdicts, hashes, data, 2, NULL);
    assert_int_equal(verdicts[0], CID_MISMATCH);
    assert_int_equal(verdicts[1], CID_MISMATCH);
}

/* ---- verdicts ------------------------------------------------------------------------------ */

#define BLOCKS 300

struct block {
    uint8_t digest[LONGEST];
    struct cid cid;
};

static const struct {
    uint64_t code;
    size_t len;
} kinds[] = {
    {CID_HASH_SHA2_256, 32},
    {CID_HASH_SHA2_256, 32},
    {CID_HASH_SHA2_256, 20},
    {CID_HASH_SHA2_256, 19},
    {CID_HASH_SHA2_256, 33},
    {CID_HASH_BLAKE2B_256, 32},
    {0xb240, 64},
    {0xb240, 20},
    {0xb214, 20},
    {0xb214, 21},
    {0xb201, 1},
    {0xb201, 20},
    {0x13, 64},
    {0x300002, 32},
    {0x22, 8},
    {CID_HASH_IDENTITY, 0},
    {0x55, 32},
    {0x56, 32},
    {0x56, 20},
    {0x1012, 32},
    {0x1012, 31},
    {0x1012, 33},
};

/* A CID of that kind for the data, right or with a flipped bit somewhere. */
static void make_block(struct block *block, size_t kind, struct cid_data data, bool wrong)
{
    uint64_t code = kinds[kind].code, codec = pick(20) ? CID_CODEC_RAW : 0xf101;
    size_t len = code == CID_HASH_IDENTITY ? data.len : kinds[kind].len;

    test_random_fill(&random_numbers, block->digest, 64);
    (void)!cid_hash_sum(block->digest, len, NULL, code, len, data.data, data.len, NULL);
    if (wrong && len != 0)
        block->digest[pick(len)] ^= (uint8_t)(1u << pick(8));
    assert_error(cid_make_v1(&block->cid, codec, code, block->digest, len, NULL), CID_OK);
}

static enum cid_verdict single(enum cid_error error)
{
    if (error == CID_OK)
        return CID_GOOD;
    return error == CID_E_MISMATCH ? CID_MISMATCH : CID_UNVERIFIABLE;
}

static void judge_mix(struct block *blocks, struct cid_view *views,
                      struct cid_multihash_view *hashes, struct cid_data *data, size_t n)
{
    enum cid_verdict verdicts[BLOCKS], of_hash[BLOCKS];

    for (size_t i = 0; i < n; i++) {
        data[i] = ending(pick(LONGEST + 1));
        make_block(&blocks[i], pick(COUNT(kinds)), data[i], pick(4) == 0);
        views[i] = pick(50) ? cid_as_view(&blocks[i].cid) : (struct cid_view){0};
        hashes[i] = views[i].hash;
    }
    for (size_t t = 0; t < COUNT(tiers); t++) {
        cid__cpu_mask(tiers[t]);
        memset(verdicts, 0x55, sizeof verdicts);
        cid_verify_many(verdicts, views, data, n, NULL);
        cid_multihash_verify_many(of_hash, hashes, data, n, NULL);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(verdicts[i],
                             single(cid_verify(&views[i], data[i].data, data[i].len, NULL)));
            assert_int_equal(of_hash[i], single(cid_multihash_verify(&hashes[i], data[i].data,
                                                                     data[i].len, NULL)));
        }
    }
    for (size_t i = 0; i < n; i++)
        cid_free(&blocks[i].cid, NULL);
}

static void verdicts_are_those_of_one_by_one(void **state)
{
    struct block *blocks = calloc(BLOCKS, sizeof *blocks);
    struct cid_view *views = calloc(BLOCKS, sizeof *views);
    struct cid_multihash_view *hashes = calloc(BLOCKS, sizeof *hashes);
    struct cid_data *data = calloc(BLOCKS, sizeof *data);
    (void)state;

    assert_true(blocks && views && hashes && data);
    for (size_t n = 0; n <= BLOCKS; n += n < 40 ? 3 : 87)
        judge_mix(blocks, views, hashes, data, n);
    free(blocks);
    free(views);
    free(hashes);
    free(data);
}

/* One wrong block, at each place of a batch: it is a mismatch, and nothing else is. */
static void the_wrong_one_is_found_wherever_it_is(void **state)
{
    struct cid_multihash_view hashes[40];
    struct cid_data data[40];
    uint8_t digests[40][32];
    (void)state;

    for (size_t i = 0; i < 40; i++) {
        data[i] = ending(7 * i + 20);
        hashes[i] = (struct cid_multihash_view){i % 3 ? CID_HASH_SHA2_256 : CID_HASH_BLAKE2B_256,
                                                digests[i], 32};
        assert_error(
            cid_hash_sum(digests[i], 32, NULL, hashes[i].code, 32, data[i].data, data[i].len, NULL),
            CID_OK);
    }
    for (size_t t = 0; t < COUNT(tiers); t++)
        for (size_t wrong = 0; wrong < 40; wrong++) {
            enum cid_verdict verdicts[40];
            cid__cpu_mask(tiers[t]);
            digests[wrong][wrong % 32] ^= 0x10;
            cid_multihash_verify_many(verdicts, hashes, data, 40, NULL);
            for (size_t i = 0; i < 40; i++)
                assert_int_equal(verdicts[i], i == wrong ? CID_MISMATCH : CID_GOOD);
            digests[wrong][wrong % 32] ^= 0x10;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length),
        cmocka_unit_test(every_number_of_messages),
        cmocka_unit_test(every_length_by_itself),
        cmocka_unit_test(one_that_ends_elsewhere),
        cmocka_unit_test(many_windows),
        cmocka_unit_test(long_ones_among_short_ones),
        cmocka_unit_test(lengths_around_short),
        cmocka_unit_test(long_and_short_over_many_windows),
        cmocka_unit_test(every_length_of_blake2b),
        cmocka_unit_test(the_plain_twin_agrees),
        cmocka_unit_test(published_digests),
        cmocka_unit_test(cuts_and_refuses_like_the_single_one),
        cmocka_unit_test(a_callers_function_replaces_the_lanes),
        cmocka_unit_test(verdicts_are_those_of_one_by_one),
        cmocka_unit_test(the_wrong_one_is_found_wherever_it_is),
    };
    return cmocka_run_group_tests_name("many", tests, set_up, tear_down);
}
