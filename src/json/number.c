#include "json/number.h"

#include "base/endian.h"
#include "json/digits.h"
#include "json/double.h"
#include "json/nearest.h"

/* ---- printing --------------------------------------------------------------------------- */

static size_t count_digits(uint64_t value)
{
    size_t count = 1;

    for (; value >= 10000; value /= 10000)
        count += 4;
    return count + (value >= 10) + (value >= 100) + (value >= 1000);
}

/*
 * Eight digits of a number below 10^8, the first in the lowest byte: split into fours, pairs and
 * digits side by side, dividing by products that are exact for so few bits.
 */
static uint64_t eight_digits(uint32_t value)
{
    uint64_t parts = value / 10000 | (uint64_t)(value % 10000) << 32;
    uint64_t tens = (parts * 10486 >> 20) & UINT64_C(0x0000007f0000007f);

    parts = tens | (parts - tens * 100) << 16;
    tens = (parts * 103 >> 10) & UINT64_C(0x000f000f000f000f);
    return (tens | (parts - tens * 10) << 8) + UINT64_C(0x3030303030303030);
}

/* Writes the digits of a number, of which there are count. */
static void put_digits(char *out, size_t count, uint64_t value)
{
    for (; count >= 8; value /= 100000000) {
        count -= 8;
        cid__store64le((uint8_t *)out + count, eight_digits((uint32_t)(value % 100000000)));
    }
    for (uint32_t rest = (uint32_t)value; count > 0; rest /= 10)
        out[--count] = (char)('0' + rest % 10);
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

    put_digits(out + 1, count, digits);
    out[0] = out[1];
    out[1] = '.';
    out[at++] = 'e';
    if (whole > 0)
        out[at++] = '+';
    return at +
           cid__number_print(out + at, whole <= 0, (uint64_t)(whole > 0 ? whole - 1 : 1 - whole));
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
