/* Text the usual way: a bit buffer for bases of whole bits, a byte loop for one number. */
#include "naive.h"

#include "count.h"

#include <string.h>

#define BAD 0xff

struct naive_base {
    char prefix;
    unsigned radix;
    unsigned bits;  /* a digit; 0 where the whole text is one number */
    unsigned group; /* text is padded to a multiple of that many characters; 0 is not at all */
    bool either_case;
    const char *alphabet;
};

#define HEX_32   "0123456789abcdefghijklmnopqrstuv"
#define HEX_32_U "0123456789ABCDEFGHIJKLMNOPQRSTUV"
#define RFC_32   "abcdefghijklmnopqrstuvwxyz234567"
#define RFC_32_U "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
#define LETTERS  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

static const struct naive_base bases[] = {
    {'0', 2, 1, 0, false, "01"},
    {'7', 8, 3, 0, false, "01234567"},
    {'9', 10, 0, 0, false, "0123456789"},
    {'f', 16, 4, 0, true, "0123456789abcdef"},
    {'F', 16, 4, 0, true, "0123456789ABCDEF"},
    {'v', 32, 5, 0, true, HEX_32},
    {'V', 32, 5, 0, true, HEX_32_U},
    {'t', 32, 5, 8, true, HEX_32},
    {'T', 32, 5, 8, true, HEX_32_U},
    {'b', 32, 5, 0, true, RFC_32},
    {'B', 32, 5, 0, true, RFC_32_U},
    {'c', 32, 5, 8, true, RFC_32},
    {'C', 32, 5, 8, true, RFC_32_U},
    {'h', 32, 5, 0, false, "ybndrfg8ejkmcpqxot1uwisza345h769"},
    {'k', 36, 0, 0, true, "0123456789abcdefghijklmnopqrstuvwxyz"},
    {'K', 36, 0, 0, true, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
    {'z', 58, 0, 0, false, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"},
    {'Z', 58, 0, 0, false, "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"},
    {'m', 64, 6, 0, false, LETTERS "+/"},
    {'M', 64, 6, 4, false, LETTERS "+/"},
    {'u', 64, 6, 0, false, LETTERS "-_"},
    {'U', 64, 6, 4, false, LETTERS "-_"},
};
#define BASES (sizeof bases / sizeof bases[0])

static uint8_t values[BASES][256]; /* character to digit, BAD for none */
static uint8_t by_prefix[256];     /* prefix to base, BAD for none */

static char other_case(char c)
{
    if (c >= 'a' && c <= 'z')
        return (char)(c - 'a' + 'A');
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

void naive_begin(void)
{
    memset(values, BAD, sizeof values);
    memset(by_prefix, BAD, sizeof by_prefix);
    for (size_t b = 0; b < BASES; b++) {
        by_prefix[(uint8_t)bases[b].prefix] = (uint8_t)b;
        for (unsigned d = 0; d < bases[b].radix; d++) {
            char c = bases[b].alphabet[d];
            values[b][(uint8_t)c] = (uint8_t)d;
            if (bases[b].either_case)
                values[b][(uint8_t)other_case(c)] = (uint8_t)d;
        }
    }
}

const struct naive_base *naive_base(uint32_t code)
{
    return code < 256 && by_prefix[code] != BAD ? &bases[by_prefix[code]] : NULL;
}

/* ---- bit buffer --------------------------------------------------------------------------- */

/* bits is a constant wherever these are called, so that shifts are by constants. */
#define INLINE static inline __attribute__((always_inline))

/* The bits not yet written stand at the top of the buffer. */
INLINE size_t encode_bits(char *out, const char *table, const uint8_t *data, size_t len,
                          unsigned bits)
{
    char *start = out;
    uint32_t buffer = 0;
    unsigned held = 0;

    for (size_t i = 0; i < len; i++) {
        buffer |= (uint32_t)data[i] << (24 - held);
        held += 8;
        do {
            *out++ = table[buffer >> (32 - bits)];
            buffer <<= bits;
            held -= bits;
        } while (held >= bits);
    }
    if (held > 0)
        *out++ = table[buffer >> (32 - bits)];
    return (size_t)(out - start);
}

/* Nobody needs a bit buffer for hex. */
static size_t encode_hex(char *out, const char *table, const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        out[2 * i] = table[data[i] >> 4];
        out[2 * i + 1] = table[data[i] & 15];
    }
    return 2 * len;
}

static size_t encode_any_bits(char *out, size_t b, const uint8_t *data, size_t len)
{
    switch (bases[b].bits) {
    case 1:
        return encode_bits(out, bases[b].alphabet, data, len, 1);
    case 3:
        return encode_bits(out, bases[b].alphabet, data, len, 3);
    case 4:
        return encode_hex(out, bases[b].alphabet, data, len);
    case 5:
        return encode_bits(out, bases[b].alphabet, data, len, 5);
    default:
        return encode_bits(out, bases[b].alphabet, data, len, 6);
    }
}

/*
 * Returns the number of bytes, or SIZE_MAX for bad digits or spare bits. Digits have no top bit.
 * Room for one byte more is needed.
 */
INLINE size_t decode_bits(uint8_t *out, const uint8_t *table, const char *text, size_t len,
                          unsigned bits)
{
    uint8_t *start = out;
    const char *end = text + len;
    uint32_t buffer = 0;
    unsigned held = 0;
    unsigned bad = 0;

    while (text != end) {
        unsigned value = table[(uint8_t)*text++];
        bad |= value;
        buffer = buffer << bits | value;
        held += bits;
        *out = (uint8_t)(buffer >> (held & 7)); /* kept only if it is whole */
        out += held >> 3;
        held &= 7;
    }
    if ((bad & 0x80) != 0 || held >= bits || (buffer & ((1u << held) - 1)) != 0)
        return SIZE_MAX;
    return (size_t)(out - start);
}

static size_t decode_hex(uint8_t *out, const uint8_t *table, const char *text, size_t len)
{
    unsigned bad = 0;

    if (len % 2 != 0)
        return SIZE_MAX;
    for (size_t i = 0; i < len / 2; i++) {
        unsigned high = table[(uint8_t)text[2 * i]];
        unsigned low = table[(uint8_t)text[2 * i + 1]];
        bad |= high | low;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return (bad & 0x80) != 0 ? SIZE_MAX : len / 2;
}

static size_t decode_any_bits(uint8_t *out, size_t b, const char *text, size_t len)
{
    switch (bases[b].bits) {
    case 1:
        return decode_bits(out, values[b], text, len, 1);
    case 3:
        return decode_bits(out, values[b], text, len, 3);
    case 4:
        return decode_hex(out, values[b], text, len);
    case 5:
        return decode_bits(out, values[b], text, len, 5);
    default:
        return decode_bits(out, values[b], text, len, 6);
    }
}

/* ---- byte loop ---------------------------------------------------------------------------- */

/* More digits than len bytes can take: log(256) / log(radix), rounded up. */
static size_t digits_of(unsigned radix, size_t len)
{
    size_t thousandths = radix == 10 ? 2409 : radix == 36 ? 1548 : 1366;
    return len * thousandths / 1000 + 1;
}

/* More bytes than len digits can take. */
static size_t bytes_of(unsigned radix, size_t len)
{
    size_t thousandths = radix == 10 ? 416 : radix == 36 ? 647 : 733;
    return len * thousandths / 1000 + 1;
}

/*
 * Multiplies a number by from and adds carry. Its digits stand at the end of out, which has room
 * for size; the number of them is returned.
 */
INLINE size_t multiply_in(uint8_t *out, size_t size, size_t used, unsigned from, unsigned carry,
                          unsigned to)
{
    uint8_t *at = out + size;
    uint8_t *end = at - used;

    while (at != end) {
        carry += from * *--at;
        *at = (uint8_t)(carry % to);
        carry /= to;
    }
    for (; carry != 0; carry /= to)
        *--at = (uint8_t)(carry % to);
    return (size_t)(out + size - at);
}

INLINE size_t encode_number(char *out, size_t size, const char *table, const uint8_t *data,
                            size_t len, unsigned radix)
{
    uint8_t *number = (uint8_t *)out;
    size_t zeros = 0;
    size_t used = 0;

    while (zeros < len && data[zeros] == 0)
        zeros++;
    memset(number, 0, size);
    for (size_t i = zeros; i < len; i++)
        used = multiply_in(number, size, used, 256, data[i], radix);
    memmove(number + zeros, number + size - used, used);
    memset(number, 0, zeros);
    for (size_t i = 0; i < zeros + used; i++)
        out[i] = table[number[i]];
    return zeros + used;
}

static size_t encode_any_number(char *out, size_t size, size_t b, const uint8_t *data, size_t len)
{
    switch (bases[b].radix) {
    case 10:
        return encode_number(out, size, bases[b].alphabet, data, len, 10);
    case 36:
        return encode_number(out, size, bases[b].alphabet, data, len, 36);
    default:
        return encode_number(out, size, bases[b].alphabet, data, len, 58);
    }
}

/* The first digits are zeros; size is room for the bytes of the rest. */
INLINE size_t decode_number(uint8_t *out, size_t size, const uint8_t *table, const char *text,
                            size_t zeros, size_t len, unsigned radix)
{
    size_t used = 0;

    memset(out, 0, zeros + size);
    for (size_t i = zeros; i < len; i++) {
        uint8_t value = table[(uint8_t)text[i]];
        if (value == BAD)
            return SIZE_MAX;
        used = multiply_in(out + zeros, size, used, radix, value, 256);
    }
    memmove(out + zeros, out + zeros + size - used, used);
    return zeros + used;
}

static size_t leading_zeros(size_t b, const char *text, size_t len)
{
    size_t zeros = 0;
    while (zeros < len && values[b][(uint8_t)text[zeros]] == 0)
        zeros++;
    return zeros;
}

static struct naive_bytes decode_any_number(size_t b, const char *text, size_t len)
{
    size_t zeros = leading_zeros(b, text, len);
    size_t size = bytes_of(bases[b].radix, len - zeros);
    struct naive_bytes out = {bench_malloc(zeros + size), 0};

    switch (bases[b].radix) {
    case 10:
        out.len = decode_number(out.data, size, values[b], text, zeros, len, 10);
        break;
    case 36:
        out.len = decode_number(out.data, size, values[b], text, zeros, len, 36);
        break;
    default:
        out.len = decode_number(out.data, size, values[b], text, zeros, len, 58);
    }
    return out;
}

/* ---- text --------------------------------------------------------------------------------- */

/* Digits without a prefix; room for them, padding and NUL is at out. */
static size_t encode_digits(char *out, size_t room, size_t b, const uint8_t *data, size_t len)
{
    size_t n;

    if (bases[b].bits == 0)
        return encode_any_number(out, room, b, data, len);
    n = encode_any_bits(out, b, data, len);
    while (bases[b].group != 0 && n % bases[b].group != 0)
        out[n++] = '=';
    return n;
}

static size_t room_for(size_t b, size_t len)
{
    if (bases[b].bits == 0)
        return digits_of(bases[b].radix, len);
    return (len * 8 + bases[b].bits - 1) / bases[b].bits + bases[b].group;
}

char *naive_encode(const struct naive_base *base, size_t *len, const uint8_t *data, size_t data_len)
{
    size_t b = (size_t)(base - bases);
    size_t room = room_for(b, data_len);
    char *text = bench_malloc(1 + room + 1);

    text[0] = base->prefix;
    *len = 1 + encode_digits(text + 1, room, b, data, data_len);
    text[*len] = '\0';
    return text;
}

static struct naive_bytes decode_digits(size_t b, const char *text, size_t len)
{
    struct naive_bytes out;

    if (bases[b].group != 0 && len % bases[b].group != 0)
        return (struct naive_bytes){NULL, 0};
    while (bases[b].group != 0 && len > 0 && text[len - 1] == '=')
        len--;
    if (bases[b].bits == 0) {
        out = decode_any_number(b, text, len);
    } else {
        out.data = bench_malloc(len * bases[b].bits / 8 + 1);
        out.len = decode_any_bits(out.data, b, text, len);
    }
    if (out.len != SIZE_MAX)
        return out;
    free(out.data);
    return (struct naive_bytes){NULL, 0};
}

struct naive_bytes naive_decode(const char *text, size_t len)
{
    if (len == 0 || by_prefix[(uint8_t)text[0]] == BAD)
        return (struct naive_bytes){NULL, 0};
    return decode_digits(by_prefix[(uint8_t)text[0]], text + 1, len - 1);
}

struct naive_bytes naive_cid_parse(const char *text, size_t len)
{
    struct naive_bytes decoded;
    struct naive_bytes out = {NULL, 0};
    struct naive_cid cid;

    if (len == 46 && text[0] == 'Q' && text[1] == 'm')
        decoded = decode_digits(by_prefix['z'], text, len);
    else
        decoded = naive_decode(text, len);
    if (!decoded.data)
        return out;
    if (naive_cid_read(&cid, decoded.data, decoded.len) == decoded.len) {
        out.data = bench_malloc(decoded.len);
        out.len = decoded.len;
        memcpy(out.data, decoded.data, decoded.len);
    }
    free(decoded.data);
    return out;
}

char *naive_cid_format(const struct naive_base *base, size_t *len, const uint8_t *cid,
                       size_t cid_len)
{
    size_t b = by_prefix['z'];
    size_t room = room_for(b, cid_len);
    char *text;

    if (cid[0] != 0x12)
        return naive_encode(base, len, cid, cid_len);
    text = bench_malloc(room + 1);
    *len = encode_digits(text, room, b, cid, cid_len);
    text[*len] = '\0';
    return text;
}
