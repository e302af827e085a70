/*
 * base256emoji: a byte is one of 256 characters, which take three or four bytes of UTF-8. They are
 * handled as those bytes, as one number, so nothing here needs to know UTF-8 beyond that.
 */
#include "multiformats/base.h"

#include "base/endian.h"

#define SHORTEST 3 /* bytes of a character */
#define LONGEST  4

static size_t length_of(uint32_t key)
{
    return key >> 24 == 0 ? SHORTEST : LONGEST;
}

static size_t encoded_bound(size_t n, const struct cid__base *base)
{
    (void)base;
    return cid__base_scale(n, LONGEST, 1);
}

static size_t decoded_bound(size_t n, const struct cid__base *base)
{
    (void)base;
    return n / SHORTEST;
}

static enum cid_error encode(char *out, size_t cap, size_t *written, const uint8_t *in, size_t n,
                             const struct cid__base *base)
{
    size_t total = 0;

    if (encoded_bound(n, base) == SIZE_MAX)
        return CID_E_TOO_LARGE;
    for (size_t i = 0; i < n; i++)
        total += length_of(cid__emoji[in[i]]);
    *written = total;
    if (total > cap)
        return CID_E_NOSPACE;
    for (size_t i = 0; i < n; i++) {
        uint32_t key = cid__emoji[in[i]];
        size_t len = length_of(key);
        uint8_t bytes[LONGEST];
        cid__store32be(bytes, key);
        memcpy(out, bytes + (LONGEST - len), len);
        out += len;
    }
    return CID_OK;
}

/* The value of a character; -1 if it is none of the 256. */
static int find(uint32_t key)
{
    unsigned low = 0, high = 256;

    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (cid__emoji_sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < 256 && cid__emoji_sorted[low] == key ? cid__emoji_values[low] : -1;
}

/* Reads the character at *at and steps over it; -1, and *at untouched, if there is none. */
static int take(const char *text, size_t *at, size_t n)
{
    size_t len = (uint8_t)text[*at] >= 0xf0 ? LONGEST : SHORTEST;
    uint32_t key = 0;
    int value;

    if (n - *at < len)
        return -1;
    for (size_t i = 0; i < len; i++)
        key = key << 8 | (uint8_t)text[*at + i];
    value = find(key);
    if (value >= 0)
        *at += len;
    return value;
}

/* Reads all of it, and writes at most cap bytes. */
static enum cid_error walk(uint8_t *out, size_t cap, size_t *size, size_t *bad, const char *text,
                           size_t n, uint32_t allow)
{
    size_t count = 0;

    for (size_t at = cid__base_skip(text, 0, n, allow); at < n;
         at = cid__base_skip(text, at, n, allow)) {
        int value = take(text, &at, n);
        if (value < 0) {
            *bad = at;
            return CID_E_BASE_CHAR;
        }
        if (count < cap)
            out[count] = (uint8_t)value;
        count++;
    }
    *size = count;
    return CID_OK;
}

static enum cid_error check(size_t *size, size_t *bad, const char *text, size_t n,
                            const struct cid__base *base, uint32_t allow)
{
    (void)base;
    return walk(NULL, 0, size, bad, text, n, allow);
}

static bool decode(uint8_t *out, size_t cap, size_t *written, const char *text, size_t n,
                   const struct cid__base *base, uint32_t allow)
{
    size_t bad;
    (void)base;
    return walk(out, cap, written, &bad, text, n, allow) == CID_OK && *written <= cap;
}

const struct cid__base_family cid__base_emojis = {encoded_bound, decoded_bound, encode, decode,
                                                  check};
