#include "others.h"

#include <stdio.h>

#if defined(CID_WITH_SODIUM)
#include <sodium.h>

static size_t hex_encode(const struct other_base *base, char *out, size_t cap, const uint8_t *data,
                         size_t len)
{
    (void)base;
    sodium_bin2hex(out, cap, data, len);
    return 2 * len;
}

static size_t hex_decode(const struct other_base *base, uint8_t *out, size_t cap, const char *text,
                         size_t len)
{
    size_t written = 0;
    (void)base;
    return sodium_hex2bin(out, cap, text, len, NULL, &written, NULL) == 0 ? written : SIZE_MAX;
}

static size_t base64_encode(const struct other_base *base, char *out, size_t cap,
                            const uint8_t *data, size_t len)
{
    /* The function fills up to the size it is given with NUL, so the size is to be exact. */
    size_t size = sodium_base64_encoded_len(len, base->variant);

    sodium_bin2base64(out, size < cap ? size : cap, data, len, base->variant);
    return size - 1;
}

static size_t base64_decode(const struct other_base *base, uint8_t *out, size_t cap,
                            const char *text, size_t len)
{
    size_t written = 0;
    int failed = sodium_base642bin(out, cap, text, len, NULL, &written, NULL, base->variant);
    return failed ? SIZE_MAX : written;
}

const struct other_base *other_sodium(uint32_t base)
{
    static const struct other_base bases[] = {
        {'f', 0, hex_encode, hex_decode},
        {'m', sodium_base64_VARIANT_ORIGINAL_NO_PADDING, base64_encode, base64_decode},
        {'M', sodium_base64_VARIANT_ORIGINAL, base64_encode, base64_decode},
        {'u', sodium_base64_VARIANT_URLSAFE_NO_PADDING, base64_encode, base64_decode},
        {'U', sodium_base64_VARIANT_URLSAFE, base64_encode, base64_decode},
    };

    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
        if ((uint32_t)bases[i].prefix == base)
            return &bases[i];
    return NULL;
}

static void sha2_256(uint8_t out[32], const uint8_t *data, size_t len)
{
    crypto_hash_sha256(out, data, len);
}

static void blake2b_256(uint8_t out[32], const uint8_t *data, size_t len)
{
    crypto_generichash_blake2b(out, 32, data, len, NULL, 0);
}

other_hash *other_sha2_256(void)
{
    return sodium_init() < 0 ? NULL : sha2_256;
}

other_hash *other_blake2b_256(void)
{
    return sodium_init() < 0 ? NULL : blake2b_256;
}

#else

const struct other_base *other_sodium(uint32_t base)
{
    (void)base;
    return NULL;
}

other_hash *other_sha2_256(void)
{
    return NULL;
}

other_hash *other_blake2b_256(void)
{
    return NULL;
}

#endif

void other_announce(void)
{
#if !defined(CID_WITH_SODIUM)
    fputs("cid-bench: built without libsodium: its engines are left out\n", stderr);
#endif
#if !defined(BENCH_WITH_OPENSSL)
    fputs("cid-bench: built without OpenSSL: its engines are left out\n", stderr);
#endif
}
