/* Every function: published answers, every length against other implementations, pieces, cuts. */
#include "support.h"

#include <cid/hash.h>

#include "base/cpu.h"
#include "hash/sha256.h"
#include "hash/stream.h"

#include "hash_sums.h"

#ifdef TEST_WITH_LIBCRYPTO
#include <openssl/evp.h>
#endif
#ifdef CID_WITH_SODIUM
#include <sodium.h>
#endif

#define OUT_MAX 500

static void fill(uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)(i % 251);
}

static size_t next(struct test_random *random)
{
    return (size_t)test_random_next(random);
}

static void sum(uint8_t *out, size_t out_len, uint64_t code, const void *data, size_t len)
{
    size_t written = 0;
    assert_error(cid_hash_sum(out, out_len, &written, code, out_len, data, len, NULL), CID_OK);
    assert_int_equal(written, out_len);
}

/* ---- answers ------------------------------------------------------------------------------- */

/* From the standards, RFCs and papers that define the functions, and the BLAKE3 and Keccak teams'
 * published vectors. */
static const struct {
    const char *name;
    const char *message;
    const char *digest;
} answers[] = {
    {"sha1", "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"},
    {"sha1", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
    {"sha2-224", "abc", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"},
    {"sha2-256", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"sha2-384", "abc",
     "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
     "8086072ba1e7cc2358baeca134c825a7"},
    {"sha2-512", "abc",
     "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
     "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
    {"sha2-512-224", "abc", "4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa"},
    {"sha2-512-256", "abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"},
    {"dbl-sha2-256", "hello", "9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50"},
    {"sha3-224", "", "6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7"},
    {"sha3-256", "", "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"},
    {"sha3-384", "",
     "0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2a"
     "c3713831264adb47fb6bd1e058d5f004"},
    {"sha3-512", "",
     "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a6"
     "15b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26"},
    {"keccak-224", "", "f71837502ba8e10837bdd8d365adb85591895602fc552b48b7390abd"},
    {"keccak-256", "", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"},
    {"keccak-384", "",
     "2c23146a63a29acf99e73b88f8c24eaa7dc60aa771780ccc006afbfa8fe2479b"
     "2dd2b21362337441ac12b515911957ff"},
    {"keccak-512", "",
     "0eab42de4c3ceb9235fc91acffe746b29c29a8c366b7c60e4e67c466f36a4304"
     "c00fa9caf9d87976ba469bcbe06713b435f091ef2769fb160cdab33d3670680e"},
    {"shake-128", "", "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26"},
    {"shake-256", "",
     "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"
     "d75dc4ddd8c0f200cb05019d67b592f6fc821c49479ab48640292eacb3b7c4be"},
    {"blake2b-512", "abc",
     "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
     "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"},
    {"blake2s-256", "abc", "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"},
    {"blake3", "", "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"},
    {"blake3", "abc", "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"},
    {"md5", "", "d41d8cd98f00b204e9800998ecf8427e"},
    {"md5", "message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
    {"sm3-256", "abc", "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"},
    {"sm3-256", "abcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcd",
     "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732"},
    {"ripemd-160", "abc", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"},
    {"murmur3-32", "", "00000000"},
    {"murmur3-32", "test", "ba6bd213"},
    {"murmur3-x64-128", "hello", "cbd8a7b341bd9b025b1e906a48ae1d19"},
    {"murmur3-x64-64", "hello", "cbd8a7b341bd9b02"},
};

static void gives_the_published_answers(void **state)
{
    (void)state;

    for (size_t i = 0; i < COUNT(answers); i++) {
        struct test_bytes want = test_hex(answers[i].digest);
        struct cid_hash_info info;
        uint8_t got[64];

        assert_error(cid_hash_by_name(&info, answers[i].name, strlen(answers[i].name)), CID_OK);
        assert_int_equal(info.default_len, want.len);
        if (test_has_hash(info.code)) {
            sum(got, want.len, info.code, answers[i].message, strlen(answers[i].message));
            if (memcmp(got, want.data, want.len) != 0)
                fail_msg("%s of \"%s\" is wrong", answers[i].name, answers[i].message);
        }
        test_bytes_free(&want);
    }
}

/* ---- every length -------------------------------------------------------------------------- */

/* The sum of a row, as tools/gen-hash-sums says. */
static uint64_t sum_of(size_t row, const uint8_t *message)
{
    const struct cid__stream *sha256 = cid__stream_find(CID_HASH_SHA2_256);
    size_t count = hash_sums[row].tree ? COUNT(tree_lengths) : 1025;
    size_t out_len = hash_sums[row].out_len;
    union cid__stream_state total;
    uint8_t digest[OUT_MAX];
    uint64_t result = 0;

    assert_true(cid__stream_open(sha256, &total, 32));
    for (size_t i = 0; i < count; i++) {
        size_t len = hash_sums[row].tree ? tree_lengths[i] : i;
        sum(digest, out_len, hash_sums[row].code, message, len);
        sha256->update(&total, digest, out_len);
    }
    sha256->final(&total, digest, 32);
    cid__stream_close(sha256, &total);
    for (size_t i = 0; i < 8; i++)
        result = result << 8 | digest[i];
    return result;
}

static void agrees_with_others_at_every_length(void **state)
{
    size_t last = tree_lengths[COUNT(tree_lengths) - 1];
    uint8_t *message = malloc(last);
    (void)state;

    assert_non_null(message);
    fill(message, last);
    for (size_t row = 0; row < COUNT(hash_sums); row++)
        if (test_has_hash(hash_sums[row].code) && sum_of(row, message) != hash_sums[row].sum)
            fail_msg("code 0x%x, %zu bytes: some digest is wrong", (unsigned)hash_sums[row].code,
                     hash_sums[row].out_len);
    free(message);
}

/* Nobody adds a function and forgets its row. */
static void every_function_has_a_row(void **state)
{
    (void)state;

    for (size_t i = 0; i < cid_hash_count(); i++) {
        struct cid_hash_info info;
        bool found = false;

        assert_error(cid_hash_at(&info, i), CID_OK);
        if (!info.available || info.code == CID_HASH_IDENTITY)
            continue;
        for (size_t row = 0; row < COUNT(hash_sums) && !found; row++)
            found = hash_sums[row].code == info.code && hash_sums[row].out_len == info.default_len;
        if (!found)
            fail_msg("%s has no row in hash_sums", info.name);
    }
}

static void absence_is_an_error(const struct cid_hash_info *info)
{
    const struct cid_data data = {"abc", 3};
    uint8_t digest[64] = {0};
    struct cid_multihash_view hash = {info->code, digest, info->default_len};
    struct cid_hasher *hasher = NULL;
    enum cid_verdict verdict;

    assert_error(cid_hash_sum(digest, 64, NULL, info->code, CID_DIGEST_DEFAULT, "abc", 3, NULL),
                 CID_E_HASH_ABSENT);
    assert_error(cid_hash_many(digest, 64, NULL, info->code, CID_DIGEST_DEFAULT, &data, 1, NULL),
                 CID_E_HASH_ABSENT);
    assert_error(cid_hasher_open(&hasher, info->code, CID_DIGEST_DEFAULT, NULL, NULL),
                 CID_E_HASH_ABSENT);
    assert_null(hasher);
    assert_error(cid_hash_check(info->code, info->default_len, NULL), CID_E_HASH_ABSENT);
    assert_error(cid_multihash_verify(&hash, "abc", 3, NULL), CID_E_UNVERIFIABLE);
    cid_multihash_verify_many(&verdict, &hash, &data, 1, NULL);
    assert_int_equal(verdict, CID_UNVERIFIABLE);
}

static void the_build_has_what_its_options_say(void **state)
{
    (void)state;

    for (size_t i = 0; i < cid_hash_count(); i++) {
        struct cid_hash_info info;
        assert_error(cid_hash_at(&info, i), CID_OK);
        if (info.available != test_has_hash(info.code))
            fail_msg("%s is %savailable", info.name, info.available ? "" : "not ");
        if (!info.available)
            absence_is_an_error(&info);
    }
}

#ifdef TEST_WITH_LIBCRYPTO
static const struct {
    uint64_t code;
    size_t out_len;
    const char *name;
} by_libcrypto[] = {
    {0x11, 20, "SHA1"},        {0x12, 32, "SHA256"},       {0x13, 64, "SHA512"},
    {0x14, 64, "SHA3-512"},    {0x15, 48, "SHA3-384"},     {0x16, 32, "SHA3-256"},
    {0x17, 28, "SHA3-224"},    {0x18, 200, "SHAKE128"},    {0x19, 300, "SHAKE256"},
    {0x20, 48, "SHA384"},      {0xd5, 16, "MD5"},          {0x1013, 28, "SHA224"},
    {0x1053, 20, "RIPEMD160"}, {0x1014, 28, "SHA512-224"}, {0x1015, 32, "SHA512-256"},
    {0x534d, 32, "SM3"},       {0xb240, 64, "BLAKE2b512"}, {0xb260, 32, "BLAKE2s256"},
};

/* false if this libcrypto has no such function. */
static bool libcrypto_sum(uint8_t *out, size_t i, const uint8_t *data, size_t len)
{
    const EVP_MD *md = EVP_get_digestbyname(by_libcrypto[i].name);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool good = md && context && EVP_DigestInit_ex(context, md, NULL) == 1;

    if (good) {
        assert_int_equal(EVP_DigestUpdate(context, data, len), 1);
        if (EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF)
            assert_int_equal(EVP_DigestFinalXOF(context, out, by_libcrypto[i].out_len), 1);
        else
            assert_int_equal(EVP_DigestFinal_ex(context, out, NULL), 1);
    }
    EVP_MD_CTX_free(context);
    return good;
}

static void agrees_with_libcrypto(void **state)
{
    struct test_random random = {20};
    uint8_t data[3000], want[OUT_MAX], got[OUT_MAX];
    size_t seen = 0;
    (void)state;

    for (size_t i = 0; i < COUNT(by_libcrypto); i++) {
        if (!test_has_hash(by_libcrypto[i].code))
            continue;
        for (size_t n = 0; n < 50; n++) {
            size_t len = next(&random) % sizeof data;
            test_random_fill(&random, data, len);
            if (!libcrypto_sum(want, i, data, len))
                break;
            sum(got, by_libcrypto[i].out_len, by_libcrypto[i].code, data, len);
            if (memcmp(got, want, by_libcrypto[i].out_len) != 0)
                fail_msg("%s of %zu bytes is wrong", by_libcrypto[i].name, len);
            seen++;
        }
    }
    assert_true(seen >= 50); /* a libcrypto in FIPS mode has fewer functions */
}
#endif

/* sha2-256 by the plain twin alone, which a build with libsodium never uses by itself. */
static void plain_sha256(uint8_t out[32], const uint8_t *data, size_t len)
{
    size_t whole = len / CID__SHA256_BLOCK, rest = len % CID__SHA256_BLOCK;
    uint8_t tail[2 * CID__SHA256_BLOCK];
    uint32_t h[8];

    memcpy(h, cid__sha256_start, sizeof h);
    cid__sha256_blocks_portable(h, data, whole);
    cid__sha256_blocks_portable(h, tail, cid__sha256_tail(tail, data + len - rest, rest, len));
    for (size_t i = 0; i < 32; i++)
        out[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
}

/* On the portable tier the blocks go to libsodium, if the build has it. */
static void the_portable_tier_agrees_with_the_plain_twin(void **state)
{
    uint8_t data[1024], want[32], got[32];
    struct test_random random = {23};
    (void)state;

    test_random_fill(&random, data, sizeof data);
    cid__cpu_mask(CID__CPU_TIER_PORTABLE);
    for (size_t len = 0; len <= sizeof data; len++) {
        plain_sha256(want, data, len);
        sum(got, 32, CID_HASH_SHA2_256, data, len);
        assert_memory_equal(got, want, 32);
    }
    cid__cpu_mask(CID__CPU_ALL);
}

#ifdef CID_WITH_SODIUM
static void agrees_with_libsodium(void **state)
{
    struct test_random random = {21};
    uint8_t data[3000], want[64], got[64];
    (void)state;

    for (size_t n = 0; n < 200; n++) {
        size_t len = next(&random) % sizeof data;
        size_t out_len = 16 + next(&random) % 49;

        test_random_fill(&random, data, len);
        assert_int_equal(crypto_hash_sha256(want, data, len), 0);
        sum(got, 32, CID_HASH_SHA2_256, data, len);
        assert_memory_equal(got, want, 32);
        assert_int_equal(crypto_generichash_blake2b(want, out_len, data, len, NULL, 0), 0);
        sum(got, out_len, 0xb200 + out_len, data, len);
        assert_memory_equal(got, want, out_len);
    }
}
#endif

/* ---- pieces -------------------------------------------------------------------------------- */

/* Hashes in random pieces, and goes on from a copy of the state after each. */
static void sum_in_pieces(uint8_t *out, size_t out_len, const struct cid__stream *stream,
                          const uint8_t *data, size_t len, struct test_random *random)
{
    static const size_t most[] = {1, 3, 17, 64, 128, 200, 1024, 2500};
    size_t limit = most[next(random) % COUNT(most)];
    union cid__stream_state states[2];
    size_t turn = 0;

    memset(states, 0xa5, sizeof states);
    assert_true(cid__stream_open(stream, &states[0], out_len));
    stream->update(&states[0], NULL, 0);
    for (size_t at = 0; at < len;) {
        size_t part = next(random) % (limit + 1);
        part = part < len - at ? part : len - at;
        stream->update(&states[turn], data + at, part);
        at += part;
        assert_true(cid__stream_copy(stream, &states[1 - turn], &states[turn]));
        cid__stream_close(stream, &states[turn]);
        memset(&states[turn], 0x5a, sizeof states[turn]);
        turn = 1 - turn;
    }
    stream->final(&states[turn], out, out_len);
    cid__stream_close(stream, &states[turn]);
}

static void pieces_make_no_difference(void **state)
{
    static const size_t lens[] = {0, 1, 64, 127, 128, 129, 1024, 1025, 5000};
    struct test_random random = {22};
    uint8_t data[5000];
    (void)state;

    test_random_fill(&random, data, sizeof data);
    for (size_t row = 0; row < COUNT(hash_sums); row++) {
        const struct cid__stream *stream = cid__stream_find(hash_sums[row].code);
        size_t out_len = hash_sums[row].out_len;

        if (!test_has_hash(hash_sums[row].code))
            continue;
        assert_non_null(stream);
        assert_true(stream->state_size <= CID__STREAM_STATE);
        for (size_t i = 0; i < COUNT(lens); i++) {
            const uint8_t *message = data + sizeof data - lens[i];
            uint8_t want[OUT_MAX], got[OUT_MAX];

            sum(want, out_len, hash_sums[row].code, message, lens[i]);
            sum_in_pieces(got, out_len, stream, message, lens[i], &random);
            if (memcmp(got, want, out_len) != 0)
                fail_msg("code 0x%x: pieces of %zu bytes give another digest",
                         (unsigned)hash_sums[row].code, lens[i]);
        }
    }
}

static void reads_and_writes_no_byte_too_many(void **state)
{
    static const size_t lens[] = {0, 1, 3, 55, 63, 64, 65, 111, 127, 128, 129, 135, 1024, 1025};
    uint8_t data[1025];
    (void)state;

    fill(data, sizeof data);
    for (size_t i = 0; i < COUNT(lens); i++) {
        const uint8_t *message = test_guard(data, lens[i]);
        for (size_t row = 0; row < COUNT(hash_sums); row++) {
            size_t out_len = hash_sums[row].out_len;
            uint8_t want[OUT_MAX];
            uint8_t *got;

            if (!test_has_hash(hash_sums[row].code))
                continue;
            got = malloc(out_len); /* the sanitizer watches its end */
            assert_non_null(got);
            sum(want, out_len, hash_sums[row].code, data, lens[i]);
            sum(got, out_len, hash_sums[row].code, message, lens[i]);
            assert_memory_equal(got, want, out_len);
            free(got);
        }
        test_guard_release();
    }
}

/* ---- lengths of digests -------------------------------------------------------------------- */

static void digests_are_cut_and_never_stretched(void **state)
{
    (void)state;

    for (size_t i = 0; i < cid_hash_count(); i++) {
        struct cid_hash_info info;
        uint8_t whole[64], cut[65];

        assert_error(cid_hash_at(&info, i), CID_OK);
        if (info.max_len == SIZE_MAX || !test_has_hash(info.code))
            continue;
        assert_int_equal(info.min_len, info.max_len);
        sum(whole, info.max_len, info.code, "abc", 3);
        for (size_t len = 1; len < info.max_len; len++) {
            sum(cut, len, info.code, "abc", 3);
            assert_memory_equal(cut, whole, len);
        }
        assert_error(cid_hash_sum(cut, 65, NULL, info.code, 0, "abc", 3, NULL),
                     CID_E_DIGEST_LENGTH);
        assert_error(cid_hash_sum(cut, 65, NULL, info.code, info.max_len + 1, "abc", 3, NULL),
                     CID_E_DIGEST_LENGTH);
    }
}

static void endless_functions_give_any_length(void **state)
{
    static const uint64_t codes[] = {0x18, 0x19, 0x1e};
    static const size_t lens[] = {0, 1, 1024, 1025, 4000};
    uint8_t data[4000], whole[OUT_MAX], part[OUT_MAX];
    (void)state;

    fill(data, sizeof data);
    for (size_t c = 0; c < COUNT(codes); c++) {
        for (size_t i = 0; i < COUNT(lens); i++) {
            sum(whole, OUT_MAX, codes[c], data, lens[i]);
            for (size_t len = 1; len < OUT_MAX; len++) {
                sum(part, len, codes[c], data, lens[i]);
                assert_memory_equal(part, whole, len);
            }
        }
        assert_error(cid_hash_sum(part, OUT_MAX, NULL, codes[c], 0, data, 1, NULL),
                     CID_E_DIGEST_LENGTH);
    }
}

/* A blake2 of another length is another function, not a cut. */
static void lengths_of_blake2_are_functions(void **state)
{
    static const uint64_t first[] = {0xb201, 0xb241};
    uint8_t digest[64], longer[64];
    (void)state;

    for (size_t family = 0; family < COUNT(first); family++) {
        for (size_t len = 8; len < (family == 0 ? 64 : 32); len++) {
            sum(digest, len, first[family] + len - 1, "abc", 3);
            sum(longer, len, first[family] + len, "abc", 3);
            assert_memory_not_equal(digest, longer, len);
        }
    }
}

/* Multihashes with digests of 64 and 32 bytes; of 8 bytes, which is no proof; one byte off. */
static void blake3_verifies_at_any_length(void **state)
{
    uint8_t digest[64];
    struct cid_multihash_view hash = {0x1e, digest, 64};
    (void)state;

    sum(digest, 64, 0x1e, "", 0);
    assert_error(cid_multihash_verify(&hash, "", 0, NULL), CID_OK);
    hash.digest_len = 32;
    assert_error(cid_multihash_verify(&hash, "", 0, NULL), CID_OK);
    assert_error(cid_multihash_verify(&hash, "a", 1, NULL), CID_E_MISMATCH);
    hash.digest_len = 20;
    assert_error(cid_multihash_verify(&hash, "", 0, NULL), CID_OK);
    hash.digest_len = 8;
    assert_error(cid_multihash_verify(&hash, "", 0, NULL), CID_E_UNVERIFIABLE);
    hash.digest_len = 64;
    digest[63] ^= 1;
    assert_error(cid_multihash_verify(&hash, "", 0, NULL), CID_E_MISMATCH);
}

/* A checksum that anybody can meet proves nothing, whatever its length. */
static void murmur3_is_no_proof(void **state)
{
    static const struct {
        uint64_t code;
        size_t len;
    } rows[] = {{0x22, 8}, {0x23, 4}, {0x1022, 16}};
    uint8_t digest[16];
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cid_multihash_view hash = {rows[i].code, digest, rows[i].len};
        struct cid_hash_info info;

        assert_error(cid_hash_by_code(&info, rows[i].code), CID_OK);
        assert_false(info.cryptographic);
        sum(digest, rows[i].len, rows[i].code, "abc", 3);
        assert_error(cid_multihash_verify(&hash, "abc", 3, NULL), CID_E_UNVERIFIABLE);
        assert_error(cid_hash_check(rows[i].code, rows[i].len, NULL), CID_E_UNVERIFIABLE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_published_answers),
        cmocka_unit_test(agrees_with_others_at_every_length),
        cmocka_unit_test(every_function_has_a_row),
        cmocka_unit_test(the_build_has_what_its_options_say),
#ifdef TEST_WITH_LIBCRYPTO
        cmocka_unit_test(agrees_with_libcrypto),
#endif
        cmocka_unit_test(the_portable_tier_agrees_with_the_plain_twin),
#ifdef CID_WITH_SODIUM
        cmocka_unit_test(agrees_with_libsodium),
#endif
        cmocka_unit_test(pieces_make_no_difference),
        cmocka_unit_test(reads_and_writes_no_byte_too_many),
        cmocka_unit_test(digests_are_cut_and_never_stretched),
        cmocka_unit_test(endless_functions_give_any_length),
        cmocka_unit_test(lengths_of_blake2_are_functions),
        cmocka_unit_test(blake3_verifies_at_any_length),
        cmocka_unit_test(murmur3_is_no_proof),
    };
    return cmocka_run_group_tests_name("hash functions", tests, NULL, NULL);
}
