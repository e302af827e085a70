/* Messages so long that their length in bytes takes more than 32 bits. */
#define _DEFAULT_SOURCE
#include "support.h"

#include <cid/hash.h>

#include "hash/stream.h"

#include <sys/mman.h>

#define PIECE ((size_t)1 << 20)

/* Digests of 2^32 + 1 bytes of zero, as Python's hashlib gives them: one function for each form in
 * which a length is counted. */
static const struct {
    uint64_t code;
    const char *digest;
} rows[] = {
    {0x12, "fbb82f7b353676bb562eb82157fcf0ea42c36492ca13ee56dbf82c08b6802c5c"},
    {0xb220, "f6011badf5b7d2e70be804d44b80d0da5589bf2e609632730935395176a78bd0"},
    {0x11, "e7d747b75f76e0e41e83b75bce4642816136304f"},
    {0x13, "89fdc1f5c95f86d177144bc417b3513a669dae7f60c9e57fc2b39e0bfcd6dbb9"
           "efdf6b339d1762fe3f5e7914f1b64abb6a97a2ceec1bbb2a381e3eb0d3c43781"},
    {0x1053, "f4a8e4bb0314bca9b1ff5d1246653ce8621ae218"},
    {0xb260, "bad88cce259c1bfc72612bd1968d14a9fe7766e36e1fcafc0aed77e08b8cc9e0"},
};

static void counts_beyond_32_bits(void **state)
{
    static const uint8_t zeros[PIECE];
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct cid__stream *stream = cid__stream_find(rows[i].code);
        struct test_bytes want = test_hex(rows[i].digest);
        union cid__stream_state hash;
        uint8_t got[64];

        if (!test_has_hash(rows[i].code)) {
            test_bytes_free(&want);
            continue;
        }
        assert_non_null(stream);
        assert_true(cid__stream_open(stream, &hash, want.len));
        for (size_t n = 0; n < 4096; n++)
            stream->update(&hash, zeros, PIECE);
        stream->update(&hash, zeros, 1);
        stream->final(&hash, got, want.len);
        cid__stream_close(stream, &hash);
        if (memcmp(got, want.data, want.len) != 0)
            fail_msg("code 0x%x is wrong", (unsigned)rows[i].code);
        test_bytes_free(&want);
    }
}

#if SIZE_MAX > UINT32_MAX
/* Two of them side by side with short ones, in memory that is there by address only. */
static void counts_beyond_32_bits_side_by_side(void **state)
{
    static const uint64_t codes[] = {0x12, 0xb220};
    static const char *const digests[] = {
        "fbb82f7b353676bb562eb82157fcf0ea42c36492ca13ee56dbf82c08b6802c5c",
        "194872a183930e4669598cebf2d87899deae55f94658c2191b1e6be738e71710",
        "f6011badf5b7d2e70be804d44b80d0da5589bf2e609632730935395176a78bd0",
        "3b1b95d421f92915a82bbe60b7318e8647532f366afbe50d215a6b934c251168",
    };
    size_t longest = ((size_t)4160 << 20) + 77;
    void *zeros =
        mmap(NULL, longest, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct cid_data data[] = {{zeros, ((size_t)1 << 32) + 1}, {zeros, 5}, {zeros, longest}};
    (void)state;

    assert_true(zeros != MAP_FAILED);
    for (size_t c = 0; c < COUNT(codes); c++) {
        uint8_t got[3][32];
        assert_error(cid_hash_many(got[0], sizeof got, NULL, codes[c], 32, data, 3, NULL), CID_OK);
        for (size_t i = 0; i < 2; i++) {
            struct test_bytes want = test_hex(digests[2 * c + i]);
            assert_memory_equal(got[2 * i], want.data, 32);
            test_bytes_free(&want);
        }
    }
    munmap(zeros, longest);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_beyond_32_bits),
#if SIZE_MAX > UINT32_MAX
        cmocka_unit_test(counts_beyond_32_bits_side_by_side),
#endif
    };
    return cmocka_run_group_tests_name("hash long", tests, NULL, NULL);
}
