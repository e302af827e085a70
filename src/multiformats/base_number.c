/*
 * The bases whose digits are one big number: 10, 36 and 58. Leading zero bytes are leading zero
 * digits, one for one; the rest is converted limb by limb, a limb holding 10 to 18 digits on one
 * side and 8 bytes on the other. That still takes the square of the length, in steps of some 80
 * pairs of digit and byte each, which is why the length is limited.
 */
#include "multiformats/base.h"

#include "base/cpu.h"
#include "base/endian.h"
#include "base/wide.h"
#include "multiformats/numbers.h"

/* A loop of a constant, small number of rounds. gcc leaves it a loop at -O2 unless told. */
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL _Pragma("GCC unroll 18")
#else
#define UNROLL
#endif

/* Limbs for the longest text, on either side, and for texts of ordinary length. */
#define LIMBS       (CID_MULTIBASE_NUMBER_LIMIT / 10 + 8)
#define LIMBS_SHORT 64
#define BYTES_SHORT 400
#define TEXT_SHORT  512

static size_t encoded_bound(size_t n, const struct cid__base *base)
{
    return cid__base_scale(n, base->number->grow, 10000);
}

/* All digits may be zeros. */
static size_t decoded_bound(size_t n, const struct cid__base *base)
{
    (void)base;
    return n;
}

/* ---- encoding ----------------------------------------------------------------------------- */

/* limbs * 2^64 + word; returns the new number of limbs, the last of which is not zero. */
static size_t push_word(uint64_t *limbs, size_t count, uint64_t word,
                        const struct cid__number *number)
{
    const unsigned shift = number->shift;
    const uint64_t divisor = number->power << shift;

    for (size_t i = 0; i < count; i++) {
        uint64_t high = limbs[i] << shift | word >> (64 - shift);
        word = cid__divide(&limbs[i], high, word << shift, divisor, number->inverse);
        limbs[i] >>= shift;
    }
    while (word != 0) {
        uint64_t next = cid__divide(&limbs[count], word >> (64 - shift), word << shift, divisor,
                                    number->inverse);
        limbs[count++] >>= shift;
        word = next;
    }
    return count;
}

/* The limbs, lowest first, of n bytes. */
static size_t to_limbs(uint64_t *limbs, const uint8_t *in, size_t n,
                       const struct cid__number *number)
{
    uint64_t word = 0;
    size_t count = 0;
    size_t head = n % 8;

    for (size_t i = 0; i < head; i++)
        word = word << 8 | in[i];
    count = push_word(limbs, count, word, number);
    for (size_t i = head; i < n; i += 8)
        count = push_word(limbs, count, cid__load64be(in + i), number);
    return count;
}

/* power is above every limb, so the product does not overflow. */
static unsigned digits_in(uint64_t limb, unsigned radix)
{
    unsigned count = 0;
    for (uint64_t power = 1; power <= limb; power *= radix)
        count++;
    return count;
}

/* The last `count` digits of a limb, ending before `end`; returns where they start. */
CID__INLINE char *put_limb(char *end, uint64_t limb, unsigned count, unsigned radix,
                           const char *digits)
{
    for (; count > 0; count--, limb /= radix)
        *--end = digits[limb % radix];
    return end;
}

/* The same for a radix that the compiler knows: no division is left. */
static char *put_digits(char *end, uint64_t limb, unsigned count, const struct cid__base *base)
{
    switch (base->number->radix) {
    case 10:
        return put_limb(end, limb, count, 10, base->digits);
    case 36:
        return put_limb(end, limb, count, 36, base->digits);
    default:
        return put_limb(end, limb, count, 58, base->digits);
    }
}

static enum cid_error encode_with(uint64_t *limbs, char *out, size_t cap, size_t *written,
                                  const uint8_t *in, size_t zeros, size_t n,
                                  const struct cid__base *base)
{
    const struct cid__number *number = base->number;
    size_t count = to_limbs(limbs, in + zeros, n - zeros, number);
    unsigned top = count == 0 ? 0 : digits_in(limbs[count - 1], number->radix);
    size_t total = zeros + top + (count == 0 ? 0 : (count - 1) * number->digits);
    char *end;

    if (total + base->lead_len > CID_MULTIBASE_NUMBER_LIMIT)
        return CID_E_TEXT_LIMIT;
    *written = total;
    if (total > cap)
        return CID_E_NOSPACE;
    end = out + total;
    for (size_t i = 0; i + 1 < count; i++)
        end = put_digits(end, limbs[i], number->digits, base);
    if (count > 0)
        end = put_digits(end, limbs[count - 1], top, base);
    while (end != out)
        *--end = base->digits[0];
    return CID_OK;
}

/* Apart, so that only long texts pay for the frame: 52 KiB. */
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static enum cid_error
encode_long(char *out, size_t cap, size_t *written, const uint8_t *in, size_t zeros, size_t n,
            const struct cid__base *base)
{
    uint64_t limbs[LIMBS];
    return encode_with(limbs, out, cap, written, in, zeros, n, base);
}

/* Words of 32 bits, lowest first; returns how many. */
CID__INLINE unsigned to_short_words(uint32_t *words, const uint8_t *in, size_t n)
{
    unsigned count = 0;
    uint32_t head = 0;

    for (size_t end = n; end >= 4; end -= 4)
        words[count++] = cid__load32be(in + end - 4);
    for (size_t i = 0; i < n % 4; i++)
        head = head << 8 | in[i];
    words[count] = head;
    return count + (n % 4 != 0);
}

/*
 * Short numbers: see numbers.h. Each column of the words times the rows of the matrix is five
 * digits, once what is above them has been carried on. Returns the number of columns, the last of
 * which is not zero. The compiler knows radix and its fifth power, which is 2^log or more.
 */
CID__INLINE unsigned to_columns(uint32_t *columns, const uint8_t *in, size_t n, unsigned log,
                                uint32_t power, const uint32_t (*rows)[16])
{
    uint32_t words[CID__NUMBER_BYTES / 4 + 1];
    unsigned count = to_short_words(words, in, n), used = 0;
    uint64_t column = 0;

    for (unsigned j = 0; j <= 32 * count / log; j++) {
        /* the lower rows have no digit there */
        for (unsigned i = (j * log + 31) / 32; i < count; i++)
            column += (uint64_t)words[i] * rows[i][j];
        columns[j] = (uint32_t)(column % power);
        used = columns[j] != 0 ? j + 1 : used;
        column /= power;
    }
    return used;
}

/* Five digits, ending before `end`. */
CID__INLINE void put_five(char *end, uint32_t column, unsigned radix, const char *digits)
{
    uint32_t four = column / radix, two = four / (radix * radix);
    uint32_t low = four - two * (radix * radix);

    end[-1] = digits[column - four * radix];
    end[-2] = digits[low % radix];
    end[-3] = digits[low / radix];
    end[-4] = digits[two % radix];
    end[-5] = digits[two / radix];
}

CID__INLINE size_t encode_short(char *out, size_t cap, const uint8_t *in, size_t zeros, size_t n,
                                unsigned radix, unsigned log, const struct cid__base *base)
{
    const uint32_t power = radix * radix * radix * radix * radix;
    const char *digits = base->digits;
    uint32_t columns[16];
    unsigned count = to_columns(columns, in + zeros, n - zeros, log, power, base->number->rows);
    unsigned top = count == 0 ? 0 : digits_in(columns[count - 1], radix);
    size_t total;
    char *end;

    total = zeros + top + (count == 0 ? 0 : 5 * (count - 1));
    if (total > cap)
        return total;
    end = out + total;
    for (unsigned j = 0; j + 1 < count; j++, end -= 5)
        put_five(end, columns[j], radix, digits);
    if (count > 0)
        end = put_limb(end, columns[count - 1], top, radix, digits);
    while (end != out)
        *--end = digits[0];
    return total;
}

static enum cid_error encode_few(char *out, size_t cap, size_t *written, const uint8_t *in,
                                 size_t zeros, size_t n, const struct cid__base *base)
{
    if (base->number->radix == 58)
        *written = encode_short(out, cap, in, zeros, n, 58, 29, base);
    else
        *written = encode_short(out, cap, in, zeros, n, 36, 25, base);
    return *written > cap ? CID_E_NOSPACE : CID_OK;
}

static enum cid_error encode(char *out, size_t cap, size_t *written, const uint8_t *in, size_t n,
                             const struct cid__base *base)
{
    uint64_t limbs[LIMBS_SHORT];
    size_t zeros = 0;

    if (n > CID_MULTIBASE_NUMBER_LIMIT)
        return CID_E_TEXT_LIMIT;
    if (n == 0) {
        *written = 0;
        return CID_OK;
    }
#if CID__BITS_X86
    if (n <= CID__NUMBER_VBMI_BYTES && base->number->rows && cid__cpu() & CID__CPU_VBMI) {
        *written = cid__number_encode_vbmi(out, cap, in, n, base);
        return *written > cap ? CID_E_NOSPACE : CID_OK;
    }
#endif
    while (zeros < n && in[zeros] == 0)
        zeros++;
    if (base->number->rows && n <= CID__NUMBER_BYTES)
        return encode_few(out, cap, written, in, zeros, n, base);
    if (n <= BYTES_SHORT)
        return encode_with(limbs, out, cap, written, in, zeros, n, base);
    /* so many bytes have more digits than the limit, and than there are limbs for */
    if (n - zeros > cid__base_scale(CID_MULTIBASE_NUMBER_LIMIT, base->number->shrink, 10000))
        return CID_E_TEXT_LIMIT;
    return encode_long(out, cap, written, in, zeros, n, base);
}

/* ---- decoding ----------------------------------------------------------------------------- */

/* words * power + chunk; returns the new number of words, the last of which is not zero. */
static size_t push_chunk(uint64_t *words, size_t count, uint64_t power, uint64_t chunk)
{
    for (size_t i = 0; i < count; i++)
        words[i] = cid__mul_add(&chunk, words[i], power, chunk);
    if (chunk != 0)
        words[count++] = chunk;
    return count;
}

/* The words, lowest first, of so many digits from text[at] on; SIZE_MAX: one is no digit. */
static size_t to_words_lenient(uint64_t *words, const char *text, size_t at, size_t n,
                               size_t digits, const struct cid__base *base, uint32_t allow)
{
    const struct cid__number *number = base->number;
    size_t count = 0;
    unsigned in_chunk = (unsigned)(digits % number->digits);

    for (; digits > 0; digits -= in_chunk, in_chunk = number->digits) {
        uint64_t chunk = 0;
        unsigned seen = 0; /* has the highest bit once there was something that is no digit */
        if (in_chunk == 0)
            in_chunk = number->digits;
        for (unsigned i = 0; i < in_chunk; i++, at++) {
            at = cid__base_skip(text, at, n, allow);
            seen |= cid__base_value(base, text[at]);
            chunk = chunk * number->radix + cid__base_value(base, text[at]);
        }
        if (seen & 0x80)
            return SIZE_MAX;
        count = push_chunk(words, count, number->power, chunk);
    }
    return count;
}

/*
 * The same, strictly, and n > 0: for a number of digits in a chunk and a radix that the compiler
 * knows, so that the digits of a chunk need no loop.
 */
CID__INLINE size_t to_words_strict(uint64_t *words, const char *text, size_t n, unsigned digits,
                                   unsigned radix, const struct cid__base *base)
{
    const uint8_t *values = base->values;
    const uint8_t *at = (const uint8_t *)text, *end = at + n;
    const uint64_t power = base->number->power;
    uint64_t chunk = 0;
    unsigned seen = 0; /* has the highest bit once there was something that is no digit */
    size_t count = 0;

    for (size_t head = n % digits; head > 0; head--, at++) {
        seen |= values[*at];
        chunk = chunk * radix + values[*at];
    }
    count = push_chunk(words, 0, power, chunk);
    for (; at != end; at += digits) {
        chunk = 0;
        UNROLL
        for (unsigned i = 0; i < digits; i++) {
            seen |= values[at[i]];
            chunk = chunk * radix + values[at[i]];
        }
        count = push_chunk(words, count, power, chunk);
    }
    return seen & 0x80 ? SIZE_MAX : count;
}

static size_t to_words(uint64_t *words, const char *text, size_t at, size_t n, size_t digits,
                       const struct cid__base *base, uint32_t allow)
{
    if (allow)
        return to_words_lenient(words, text, at, n, digits, base, allow);
    switch (base->number->radix) {
    case 10:
        return to_words_strict(words, text + at, digits, 18, 10, base);
    case 36:
        return to_words_strict(words, text + at, digits, 12, 36, base);
    default:
        return to_words_strict(words, text + at, digits, 10, 58, base);
    }
}

static bool decode_with(uint64_t *words, uint8_t *out, size_t cap, size_t *written,
                        const char *text, size_t n, const struct cid__base *base, uint32_t allow)
{
    size_t digits = n - cid__base_line_ends(text, n, allow);
    size_t zeros = 0;
    size_t at = cid__base_skip(text, 0, n, allow);
    size_t count, size;

    for (; at < n && text[at] == base->digits[0]; zeros++)
        at = cid__base_skip(text, at + 1, n, allow);
    count = to_words(words, text, at, n, digits - zeros, base, allow);
    if (count == SIZE_MAX)
        return false;
    size = count == 0 ? 0 : (count - 1) * 8 + cid__bytes_in(words[count - 1]);
    *written = zeros + size;
    if (zeros + size > cap)
        return false;
    if (zeros > 0)
        memset(out, 0, zeros);
    if (size > 0)
        cid__put_words(out + zeros, size, words);
    return true;
}

#if defined(__GNUC__)
__attribute__((noinline))
#endif
static bool
decode_long(uint8_t *out, size_t cap, size_t *written, const char *text, size_t n,
            const struct cid__base *base, uint32_t allow)
{
    uint64_t words[LIMBS];
    return decode_with(words, out, cap, written, text, n, base, allow);
}

static bool decode(uint8_t *out, size_t cap, size_t *written, const char *text, size_t n,
                   const struct cid__base *base, uint32_t allow)
{
    uint64_t words[LIMBS_SHORT];

    if (n + base->lead_len > CID_MULTIBASE_NUMBER_LIMIT)
        return false;
#if CID__BITS_X86
    if (!allow && n >= CID__NUMBER_VBMI_DIGITS && base->number->rows &&
        n <= cid__number_digits(base->number) && cid__cpu() & CID__CPU_VBMI)
        return cid__number_decode_vbmi(out, cap, written, text, n, base);
#endif
    if (n > TEXT_SHORT)
        return decode_long(out, cap, written, text, n, base, allow);
    return decode_with(words, out, cap, written, text, n, base, allow);
}

static enum cid_error check(size_t *size, size_t *bad, const char *text, size_t n,
                            const struct cid__base *base, uint32_t allow)
{
    if (n + base->lead_len > CID_MULTIBASE_NUMBER_LIMIT) {
        *bad = CID_MULTIBASE_NUMBER_LIMIT - base->lead_len;
        return CID_E_TEXT_LIMIT;
    }
    for (size_t at = cid__base_skip(text, 0, n, allow); at < n;
         at = cid__base_skip(text, at + 1, n, allow)) {
        if (cid__base_value(base, text[at]) == CID__NOT_A_DIGIT) {
            *bad = at;
            return CID_E_BASE_CHAR;
        }
    }
    /* how long a number is shows only once it is there; that it does not fit is no matter */
    (void)decode(NULL, 0, size, text, n, base, allow);
    return CID_OK;
}

const struct cid__base_family cid__base_numbers = {encoded_bound, decoded_bound, encode, decode,
                                                   check};
