/*
 * The bases whose digits stand for whole bits: 2, 8, 16, 32 and 64. In all of them 8 digits of b
 * bits are b bytes, so one loop, made for each b, does them all.
 */
#include "multiformats/base.h"

#include "base/arith.h"
#include "base/cpu.h"
#include "multiformats/bits.h"

/* A loop of a constant, small number of rounds. gcc leaves it a loop at -O2 unless told. */
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL _Pragma("GCC unroll 8")
#else
#define UNROLL
#endif

/* ---- encoding ----------------------------------------------------------------------------- */

/* The digits in a group that is filled up with '='. */
static size_t group_of(const struct cid__base *base)
{
    return base->bits == 6 ? 4 : 8;
}

/* The digits of n bytes; SIZE_MAX if that does not fit. */
static size_t digits_for(size_t n, unsigned bits)
{
    /* 2^40 / bits, rounded up: exact for products below 2^64 */
    static const uint64_t inverses[7] = {
        [1] = UINT64_C(1) << 40,           [3] = (UINT64_C(1) << 40) / 3 + 1,
        [4] = UINT64_C(1) << 38,           [5] = (UINT64_C(1) << 40) / 5 + 1,
        [6] = (UINT64_C(1) << 40) / 6 + 1,
    };

    if (n < 1 << 20)
        return (size_t)((n * 8 + bits - 1) * inverses[bits] >> 40);
    return cid__base_scale(n, 8, bits);
}

/* Digits, filled up if the base is; SIZE_MAX if that does not fit. */
static size_t padded(size_t digits, const struct cid__base *base)
{
    size_t over;

    if (base->padding != CID__PADDING_FILLED || digits == SIZE_MAX)
        return digits;
    over = digits % group_of(base);
    if (over == 0)
        return digits;
    return cid__add_size(&digits, digits, group_of(base) - over) ? digits : SIZE_MAX;
}

static size_t encoded_bound(size_t n, const struct cid__base *base)
{
    return padded(digits_for(n, base->bits), base);
}

/* Up to 8 digits from the highest bits of a group of `bits` bytes. */
CID__INLINE void put_group(char *out, uint64_t group, unsigned count, unsigned bits,
                           const char *digits)
{
    UNROLL
    for (unsigned i = 0; i < count; i++)
        out[i] = digits[group >> (bits * (7 - i)) & ((1u << bits) - 1)];
}

/* Returns the number of digits, padding left out. */
CID__INLINE size_t encode_bits(char *out, const uint8_t *in, size_t n, unsigned bits,
                               const char *digits)
{
    char *at = out;
    uint64_t group = 0;
    size_t rest = n % bits;
    unsigned count = (unsigned)(rest * 8 + bits - 1) / bits;

    for (const uint8_t *end = in + (n - rest); in != end; in += bits, at += 8) {
        group = 0;
        UNROLL
        for (unsigned i = 0; i < bits; i++)
            group = group << 8 | in[i];
        put_group(at, group, 8, bits, digits);
    }
    group = 0;
    for (size_t i = 0; i < rest; i++)
        group |= (uint64_t)in[i] << (8 * (bits - 1 - i));
    put_group(at, group, count, bits, digits);
    return (size_t)(at - out) + count;
}

static size_t encode_portable(char *out, const uint8_t *in, size_t n, const struct cid__base *base)
{
    switch (base->bits) {
    case 1:
        return encode_bits(out, in, n, 1, base->digits);
    case 3:
        return encode_bits(out, in, n, 3, base->digits);
    case 4:
        return encode_bits(out, in, n, 4, base->digits);
    case 5:
        return encode_bits(out, in, n, 5, base->digits);
    default:
        return encode_bits(out, in, n, 6, base->digits);
    }
}

/* The digits of n bytes, n > 0, by the best tier there is. */
static void encode_digits(char *out, size_t room, size_t digits, const uint8_t *in, size_t n,
                          const struct cid__base *base)
{
#if CID__BITS_X86
    uint32_t cpu = cid__cpu();

    if (cpu & CID__CPU_VBMI) {
        cid__bits_encode_vbmi(out, room, digits, in, n, base);
        return;
    }
    if (cpu & CID__CPU_AVX2 && n >= CID__BITS_AVX2_MIN && base->bits >= 4) {
        cid__bits_encode_avx2(out, room, digits, in, n, base);
        return;
    }
#endif
    (void)room;
    (void)digits;
    encode_portable(out, in, n, base);
}

static enum cid_error encode(char *out, size_t cap, size_t *written, const uint8_t *in, size_t n,
                             const struct cid__base *base)
{
    size_t digits = digits_for(n, base->bits);
    size_t total = padded(digits, base);

    if (total == SIZE_MAX)
        return CID_E_TOO_LARGE;
    *written = total;
    if (total > cap)
        return CID_E_NOSPACE;
    if (n == 0)
        return CID_OK;
    encode_digits(out, cap, digits, in, n, base);
    for (; digits < total; digits++)
        out[digits] = '=';
    return CID_OK;
}

/* ---- decoding ----------------------------------------------------------------------------- */

static size_t decoded_bound(size_t n, const struct cid__base *base)
{
    /* the rest may count for a byte more in base2, see CID_ALLOW_SHORT */
    return n / 8 * base->bits + (n % 8 * base->bits + (base->bits == 1 ? 7 : 0)) / 8;
}

/* Whether that many digits are just enough for some number of bytes. */
static bool possible(size_t digits, unsigned bits)
{
    return digits % 8 * bits % 8 < bits;
}

/* Strict, padding left out. Everything is decoded before it is known whether all was right. */
CID__INLINE bool decode_bits(uint8_t *out, const uint8_t *text, size_t n, unsigned bits,
                             const uint8_t *values)
{
    size_t rest = n % 8;
    unsigned spare = (unsigned)(rest * bits % 8);
    unsigned seen = 0; /* has the highest bit once there was something that is no digit */
    uint64_t group;

    for (const uint8_t *end = text + (n - rest); text != end; text += 8, out += bits) {
        group = 0;
        UNROLL
        for (unsigned i = 0; i < 8; i++) {
            seen |= values[text[i]];
            group = group << bits | values[text[i]];
        }
        UNROLL
        for (unsigned i = 0; i < bits; i++)
            out[i] = (uint8_t)(group >> (8 * (bits - 1 - i)));
    }
    group = 0;
    for (size_t i = 0; i < rest; i++) {
        seen |= values[text[i]];
        group = group << bits | values[text[i]];
    }
    if (seen & 0x80 || group & ((1u << spare) - 1))
        return false;
    group >>= spare;
    for (size_t i = rest * bits / 8; i-- > 0; group >>= 8)
        out[i] = (uint8_t)group;
    return true;
}

static bool decode_portable(uint8_t *out, const char *text, size_t n, const struct cid__base *base)
{
    const uint8_t *in = (const uint8_t *)text;

    switch (base->bits) {
    case 1:
        return decode_bits(out, in, n, 1, base->values);
    case 3:
        return decode_bits(out, in, n, 3, base->values);
    case 4:
        return decode_bits(out, in, n, 4, base->values);
    case 5:
        return decode_bits(out, in, n, 5, base->values);
    default:
        return decode_bits(out, in, n, 6, base->values);
    }
}

/* The same by the best tier there is; n > 0, and size is the number of whole bytes. */
static bool decode_strict(uint8_t *out, size_t room, size_t size, const char *text, size_t n,
                          const struct cid__base *base)
{
#if CID__BITS_X86
    uint32_t cpu = cid__cpu();

    if (cpu & CID__CPU_VBMI)
        return cid__bits_decode_vbmi(out, room, size, text, n, base);
    if (cpu & CID__CPU_AVX2 && n >= CID__BITS_AVX2_MIN && base->bits >= 4)
        return cid__bits_decode_avx2(out, room, size, text, n, base);
#endif
    (void)room;
    (void)size;
    return decode_portable(out, text, n, base);
}

/* The number of digits before the padding, if the padding is as it must be; else SIZE_MAX. */
static size_t without_padding(const char *text, size_t n, const struct cid__base *base)
{
    size_t digits = n;

    if (base->padding != CID__PADDING_FILLED)
        return n;
    if (n % group_of(base) != 0)
        return SIZE_MAX;
    while (digits > 0 && text[digits - 1] == '=' && n - digits < group_of(base))
        digits--;
    return n - digits == group_of(base) ? SIZE_MAX : digits;
}

/* ---- the slow twin: every leniency, and every fault with its place ------------------------ */

/* A text as check has read it. */
struct reading {
    size_t digits; /* how many there are */
    size_t last;   /* where the last one stands */
    size_t end;    /* where they end: at the padding or at the end of the text */
    uint8_t value; /* of the last one */
};

static enum cid_error read_digits(struct reading *out, size_t *bad, const char *text, size_t n,
                                  const struct cid__base *base, uint32_t allow)
{
    size_t at = cid__base_skip(text, 0, n, allow);

    *out = (struct reading){0};
    for (; at < n; at = cid__base_skip(text, at + 1, n, allow)) {
        uint8_t value = cid__base_value(base, text[at]);
        if (text[at] == '=' && base->padding != CID__PADDING_NEVER)
            break;
        if (value == CID__NOT_A_DIGIT) {
            *bad = at;
            return CID_E_BASE_CHAR;
        }
        out->digits++;
        out->last = at;
        out->value = value;
    }
    out->end = at;
    return CID_OK;
}

static enum cid_error check_end(size_t *bad, const struct reading *read,
                                const struct cid__base *base, uint32_t allow)
{
    unsigned spare = (unsigned)(read->digits % 8 * base->bits % 8);

    if (base->bits == 1 && allow & CID_ALLOW_SHORT)
        return CID_OK;
    if (!possible(read->digits, base->bits)) {
        *bad = read->end;
        return CID_E_BASE_LENGTH;
    }
    if (read->value & ((1u << spare) - 1) && !(allow & CID_ALLOW_SPARE_BITS)) {
        *bad = read->last;
        return CID_E_BASE_BITS;
    }
    return CID_OK;
}

static enum cid_error check_padding(size_t *bad, const struct reading *read, const char *text,
                                    size_t n, const struct cid__base *base, uint32_t allow)
{
    size_t over = read->digits % group_of(base);
    size_t room = over == 0 ? 0 : group_of(base) - over; /* what fills up the group */
    size_t must = base->padding == CID__PADDING_FILLED ? room : 0;
    size_t may = must;
    size_t count = 0;
    size_t at = read->end;

    if (allow & CID_ALLOW_PADDING) {
        must = 0;
        may = base->padding == CID__PADDING_NEVER ? 0 : room;
    }
    for (; at < n; at = cid__base_skip(text, at + 1, n, allow), count++)
        if (text[at] != '=' || count == may)
            break;
    *bad = at;
    return at == n && count >= must ? CID_OK : CID_E_BASE_PADDING;
}

static size_t size_of(const struct reading *read, const struct cid__base *base)
{
    if (base->bits == 1)
        return read->digits / 8 + (read->digits % 8 != 0);
    return read->digits / 8 * base->bits + read->digits % 8 * base->bits / 8;
}

static enum cid_error check_reading(struct reading *read, size_t *bad, const char *text, size_t n,
                                    const struct cid__base *base, uint32_t allow)
{
    enum cid_error error = read_digits(read, bad, text, n, base, allow);
    if (!error)
        error = check_end(bad, read, base, allow);
    if (!error)
        error = check_padding(bad, read, text, n, base, allow);
    return error;
}

static enum cid_error check(size_t *size, size_t *bad, const char *text, size_t n,
                            const struct cid__base *base, uint32_t allow)
{
    struct reading read;
    enum cid_error error = check_reading(&read, bad, text, n, base, allow);

    if (!error)
        *size = size_of(&read, base);
    return error;
}

static bool decode_lenient(uint8_t *out, size_t cap, size_t *written, const char *text, size_t n,
                           const struct cid__base *base, uint32_t allow)
{
    struct reading read;
    size_t bad;
    uint32_t group = 0;
    unsigned have = 0;

    if (check_reading(&read, &bad, text, n, base, allow) || size_of(&read, base) > cap)
        return false;
    if (base->bits == 1 && read.digits % 8 != 0)
        have = (unsigned)(8 - read.digits % 8); /* zeros on the left */
    for (size_t at = cid__base_skip(text, 0, n, allow); at < read.end;
         at = cid__base_skip(text, at + 1, n, allow)) {
        group = group << base->bits | cid__base_value(base, text[at]);
        have += base->bits;
        if (have < 8)
            continue;
        have -= 8;
        *out++ = (uint8_t)(group >> have);
    }
    *written = size_of(&read, base);
    return true;
}

static bool decode(uint8_t *out, size_t cap, size_t *written, const char *text, size_t n,
                   const struct cid__base *base, uint32_t allow)
{
    size_t digits;

    if (allow)
        return decode_lenient(out, cap, written, text, n, base, allow);
    digits = without_padding(text, n, base);
    if (digits == SIZE_MAX || !possible(digits, base->bits))
        return false;
    *written = digits / 8 * base->bits + digits % 8 * base->bits / 8;
    if (*written > cap)
        return false;
    return digits == 0 || decode_strict(out, cap, *written, text, digits, base);
}

const struct cid__base_family cid__base_bits = {encoded_bound, decoded_bound, encode, decode,
                                                check};
