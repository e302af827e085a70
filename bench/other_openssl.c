#include "others.h"

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

#else

const struct other_base *other_openssl(uint32_t base)
{
    (void)base;
    return NULL;
}

#endif
