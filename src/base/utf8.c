#include "base/utf8.h"

#include "base/endian.h"

/* The length of a sequence by its first byte; 0 for a byte that starts none. */
static size_t sequence_len(uint8_t first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xc2)
        return 0;
    if (first < 0xe0)
        return 2;
    if (first < 0xf0)
        return 3;
    return first < 0xf5 ? 4 : 0;
}

/* The bounds of a second byte, which keep out over-long forms, surrogates and what is too large. */
static int second_is_right(uint8_t first, uint8_t second)
{
    uint8_t low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    uint8_t high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;

    return second >= low && second <= high;
}

#define HIGH UINT64_C(0x8080808080808080)

/* How many bytes from i on are ASCII, as far as they are seen at once. */
static size_t skip_ascii(const uint8_t *bytes, size_t i, size_t len)
{
    for (; len - i >= 32; i += 32)
        if ((cid__load64le(bytes + i) | cid__load64le(bytes + i + 8) |
             cid__load64le(bytes + i + 16) | cid__load64le(bytes + i + 24)) &
            HIGH)
            break;
    for (; len - i >= 8; i += 8)
        if (cid__load64le(bytes + i) & HIGH)
            break;
    /* What is left of a longer text is looked at once more together with what is before it. */
    if (len >= 8 && len - i < 8 && !(cid__load64le(bytes + len - 8) & HIGH))
        return len;
    while (i < len && bytes[i] < 0x80)
        i++;
    return i;
}

size_t cid__utf8_span(const uint8_t *bytes, size_t len)
{
    size_t i = skip_ascii(bytes, 0, len);

    while (i < len) {
        size_t n = sequence_len(bytes[i]);
        if (n == 0 || len - i < n || (n > 1 && !second_is_right(bytes[i], bytes[i + 1])))
            return i;
        for (size_t k = 2; k < n; k++)
            if ((bytes[i + k] & 0xc0) != 0x80)
                return i;
        i += n;
        if (i < len && bytes[i] < 0x80)
            i = skip_ascii(bytes, i, len);
    }
    return i;
}
