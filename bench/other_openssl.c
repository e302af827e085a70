#include "others.h"

#include "harness.h"

#if defined(BENCH_WITH_OPENSSL)
#include <openssl/evp.h>

static size_t encode(const struct other_base *base, char *out, size_t cap, const uint8_t *data,
                     size_t len)
{
    (void)base;
    (void)cap;
    return (size_t)EVP_EncodeBlock((unsigned char *)out, data, (int)len);
}

/* EVP_DecodeBlock counts the zero bytes that padding stands for. */
static size_t decode(const struct other_base *base, uint8_t *out, size_t cap, const char *text,
                     size_t len)
{
    int written = EVP_DecodeBlock(out, (const unsigned char *)text, (int)len);
    size_t padding = 0;

    (void)base;
    (void)cap;
    if (written < 0)
        return SIZE_MAX;
    while (padding < 2 && padding < len && text[len - 1 - padding] == '=')
        padding++;
    return (size_t)written - padding;
}

const struct other_base *other_openssl(uint32_t base)
{
    static const struct other_base padded = {'M', 0, encode, decode};
    return base == 'M' ? &padded : NULL;
}

static EVP_MD *sha2_256_md;
static EVP_MD_CTX *sha2_256_context;

static void sha2_256(uint8_t out[32], const uint8_t *data, size_t len)
{
    if (EVP_DigestInit_ex(sha2_256_context, sha2_256_md, NULL) != 1 ||
        EVP_DigestUpdate(sha2_256_context, data, len) != 1 ||
        EVP_DigestFinal_ex(sha2_256_context, out, NULL) != 1)
        bench_fail("OpenSSL", "EVP_Digest failed");
}

other_hash *other_openssl_sha2_256(void)
{
    if (!sha2_256_md) {
        sha2_256_md = EVP_MD_fetch(NULL, "SHA256", NULL);
        sha2_256_context = EVP_MD_CTX_new();
    }
    return sha2_256_md && sha2_256_context ? sha2_256 : NULL;
}

#else

other_hash *other_openssl_sha2_256(void)
{
    return NULL;
}

const struct other_base *other_openssl(uint32_t base)
{
    (void)base;
    return NULL;
}

#endif
