/* Messages so long that their length in bytes takes more than 32 bits. */
#include "support.h"

#include <cid/hash.h>

#include "hash/stream.h"

#define PIECE ((size_t)1 << 20)

/* Digests of 2^32 + 1 bytes of zero, as Python's hashlib gives them: one function for each form in
 * which a length is counted. */
static const struct {
    uint64_t code;
    const char *digest;
} rows[] = {
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

        stream->init(&hash, want.len);
        for (size_t n = 0; n < 4096; n++)
            stream->update(&hash, zeros, PIECE);
        stream->update(&hash, zeros, 1);
        stream->final(&hash, got, want.len);
        if (memcmp(got, want.data, want.len) != 0)
            fail_msg("code 0x%x is wrong", (unsigned)rows[i].code);
        test_bytes_free(&want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_beyond_32_bits),
    };
    return cmocka_run_group_tests_name("hash long", tests, NULL, NULL);
}
