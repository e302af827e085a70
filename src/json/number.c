#include "json/number.h"

#include "base/endian.h"
#include "json/digits.h"
#include "json/double.h"
#include "json/eight.h"
#include "json/nearest.h"

/* ---- printing --------------------------------------------------------------------------- */

static size_t count_digits(uint64_t value)
{
    static const uint64_t powers[] = {
        0, /* for 0 has a digit too */
        UINT64_C(10),
        UINT64_C(100),
        UINT64_C(1000),
        UINT64_C(10000),
        UINT64_C(100000),
        UINT64_C(1000000),
        UINT64_C(10000000),
        UINT64_C(100000000),
        UINT64_C(1000000000),
        UINT64_C(10000000000),
        UINT64_C(100000000000),
        UINT64_C(1000000000000),
        UINT64_C(10000000000000),
        UINT64_C(100000000000000),
        UINT64_C(1000000000000000),
        UINT64_C(10000000000000000),
        UINT64_C(100000000000000000),
        UINT64_C(1000000000000000000),
        UINT64_C(10000000000000000000),
    };
    /* log10(2) is about 1233 / 4096 */
    size_t count = (64 - (unsigned)__builtin_clzll(value | 1)) * 1233U >> 12;

    return count + (value >= powers[count]);
}

/* Writes the digits of a number, of which there are count; up to seven bytes behind are touched. */
static void put_digits(char *out, size_t count, uint64_t value)
{
    uint64_t eights[3];
    size_t n = 0, first = (count - 1) % 8 + 1;

    for (; n * 8 < count; value /= 100000000)
        eights[n++] = cid__eight_digits((uint32_t)(value % 100000000));
    cid__store64le((uint8_t *)out, eights[--n] >> (64 - 8 * first));
    for (out += first; n > 0; out += 8)
        cid__store64le((uint8_t *)out, eights[--n]);
}

size_t cid__number_print(char *out, bool negative, uint64_t magnitude)
{
    size_t count = count_digits(magnitude);

    if (negative)
        *out++ = '-';
    put_digits(out, count, magnitude);
    return count + negative;
}

/* Digits, of which so many stand before the point. */
static size_t print_plain(char *out, uint64_t digits, size_t count, int whole)
{
    size_t before = (size_t)whole;

    if (whole <= 0) {
        size_t zeros = (size_t)-whole + 2;
        memset(out, '0', zeros);
        out[1] = '.';
        put_digits(out + zeros, count, digits);
        return zeros + count;
    }
    if (before < count) {
        put_digits(out + 1, count, digits);
        memmove(out, out + 1, before);
        out[before] = '.';
        return count + 1;
    }
    put_digits(out, count, digits);
    memset(out + count, '0', before - count + 2);
    out[before] = '.';
    return before + 2;
}

static size_t print_exponent(char *out, uint64_t digits, size_t count, int whole)
{
    size_t at = count > 1 ? count + 1 : 1;
    unsigned exponent = (unsigned)(whole > 0 ? whole - 1 : 1 - whole); /* 7 to 324 */

    put_digits(out + 1, count, digits);
    out[0] = out[1];
    out[1] = '.';
    out[at++] = 'e';
    out[at++] = whole > 0 ? '+' : '-';
    if (exponent >= 100)
        out[at++] = (char)('0' + exponent / 100);
    if (exponent >= 10)
        out[at++] = (char)('0' + exponent / 10 % 10);
    out[at++] = (char)('0' + exponent % 10);
    return at;
}

size_t cid__decimal_print(char *out, bool negative, uint64_t digits, int power)
{
    size_t count = count_digits(digits);
    int whole = (int)count + power;

    if (negative)
        *out++ = '-';
    return negative + (whole > -6 && whole <= 21 ? print_plain(out, digits, count, whole)
                                                 : print_exponent(out, digits, count, whole));
}

size_t cid__double_print(char *out, double value)
{
    uint64_t bits = cid__bits_of(value), magnitude = bits & (UINT64_MAX >> 1);
    int power = 0;
    uint64_t digits = magnitude == 0 ? 0 : cid__digits(&power, magnitude);

    return cid__decimal_print(out, bits >> 63, digits, power);
}

/* ---- reading ---------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t digits_from(const char *text, size_t i, size_t len)
{
    while (len - i >= 8 && cid__eight_are_digits(cid__load64le((const uint8_t *)text + i)))
        i += 8;
    while (i < len && is_digit(text[i]))
        i++;
    return i;
}

size_t cid__number_span(const char *text, size_t len)
{
    size_t i = len > 0 && text[0] == '-', from = i;

    i = digits_from(text, i, len);
    if (i == from || (text[from] == '0' && i > from + 1))
        return 0;
    if (i < len && text[i] == '.') {
        from = ++i;
        i = digits_from(text, i, len);
        if (i == from)
            return 0;
    }
    if (i == len || (text[i] | 0x20) != 'e')
        return i;
    i++;
    if (i < len && (text[i] == '+' || text[i] == '-'))
        i++;
    from = i;
    i = digits_from(text, i, len);
    return i == from ? 0 : i;
}

enum cid__number_kind cid__number_read(bool *negative, uint64_t *magnitude, const char *text,
                                       size_t len)
{
    size_t i = len > 0 && text[0] == '-';

    *negative = i != 0;
    *magnitude = 0;
    for (; i < len; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (!is_digit(text[i]))
            return CID__NUMBER_REAL;
        if (*magnitude > (UINT64_MAX - digit) / 10)
            break;
        *magnitude = *magnitude * 10 + digit;
    }
    return i == len                           ? CID__NUMBER_INTEGER
           : digits_from(text, i, len) == len ? CID__NUMBER_LARGE
                                              : CID__NUMBER_REAL;
}

bool cid__double_read(double *out, const char *text, size_t len)
{
    struct cid__decimal d;
    uint64_t bits;

    cid__decimal_take(&d, text, len);
    bits = cid__nearest(&d);
    if (bits == CID__INFINITY)
        return false;
    *out = cid__double_of(bits | (uint64_t)d.negative << 63);
    return true;
}
