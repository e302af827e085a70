#include "json/decimal.h"

#include "base/endian.h"
#include "json/double.h"
#include "json/eight.h"

#define TOP_DIGITS     19     /* always below 2^64 */
#define EXPONENT_LIMIT 100000 /* far beyond what any double has */
#define MOST_DIGITS    800 /* more than the middle of two doubles has: what is behind breaks ties */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- taking apart ----------------------------------------------------------------------- */

/* The exponent as written, however many digits it must make up for: up to 10^17 it is exact. */
static int64_t read_exponent(const char *text, size_t i, size_t len)
{
    bool negative = i < len && text[i] == '-';
    int64_t value = 0;

    if (i < len && !is_digit(text[i]))
        i++;
    for (; i < len; i++)
        if (value < INT64_C(100000000000000000))
            value = value * 10 + (text[i] - '0');
    return negative ? -value : value;
}

static void set_exponent(struct cid__decimal *d, int64_t exponent)
{
    if (exponent > EXPONENT_LIMIT)
        exponent = EXPONENT_LIMIT;
    d->exponent = (int)(exponent < -EXPONENT_LIMIT ? -EXPONENT_LIMIT : exponent);
}

/* A number of more than 19 digits, digit by digit. */
static void take_long(struct cid__decimal *d, const char *text, size_t len)
{
    size_t i = d->negative, before = 0, count = 0;
    bool point = false;
    int64_t exponent = 0;

    d->top = 0;
    for (; i < len && (text[i] | 0x20) != 'e'; i++) {
        if (text[i] == '.') {
            point = true;
            continue;
        }
        if (count == 0 && text[i] == '0') { /* a zero in front */
            exponent -= point;
            continue;
        }
        if (count == 0)
            before = i;
        d->len = i + 1 - before;
        if (count < TOP_DIGITS) {
            count++;
            d->top = d->top * 10 + (uint64_t)(text[i] - '0');
            exponent -= point;
        } else {
            d->more = d->more || text[i] != '0';
            exponent += !point;
        }
    }
    d->digits = text + before;
    if (i < len)
        exponent += read_exponent(text, i + 1, len);
    set_exponent(d, exponent);
}

/* Puts digits behind those of *top, which wraps if they are too many; returns where they end. */
static size_t take_digits(uint64_t *top, const char *text, size_t i, size_t len)
{
    uint64_t value = *top;

    for (; len - i >= 8; i += 8) {
        uint64_t eight = cid__load64le((const uint8_t *)text + i);
        if (!cid__eight_are_digits(eight))
            break;
        value = value * 100000000 + cid__eight_value(eight);
    }
    for (; i < len && is_digit(text[i]); i++)
        value = value * 10 + (uint64_t)(text[i] - '0');
    *top = value;
    return i;
}

static size_t pass_zeros(const char *text, size_t i, size_t len)
{
    while (i < len && text[i] == '0')
        i++;
    return i;
}

void cid__decimal_take(struct cid__decimal *d, const char *text, size_t len)
{
    size_t i = len > 0 && text[0] == '-', from, count;
    int64_t exponent = 0;

    *d = (struct cid__decimal){.negative = i != 0};
    from = pass_zeros(text, i, len);
    i = take_digits(&d->top, text, from, len);
    count = i - from;
    if (i < len && text[i] == '.') {
        size_t point = ++i;
        if (count == 0)
            i = pass_zeros(text, i, len);
        from = i;
        i = take_digits(&d->top, text, from, len);
        count += i - from;
        exponent = -(int64_t)(i - point);
    }
    if (count > TOP_DIGITS) {
        take_long(d, text, len);
        return;
    }
    if (i < len)
        exponent += read_exponent(text, i + 1, len);
    set_exponent(d, exponent);
}

/* ---- exactly ---------------------------------------------------------------------------- */

void cid__decimal_whole(struct cid__big *big, int *exponent, const struct cid__decimal *d)
{
    size_t count = TOP_DIGITS;
    bool rest = false;

    cid__big_set(big, d->top);
    *exponent = d->exponent;
    if (!d->more)
        return;
    for (size_t i = 0, seen = 0; i < d->len; i++) {
        if (d->digits[i] == '.' || seen++ < TOP_DIGITS)
            continue;
        if (count < MOST_DIGITS) {
            cid__big_mul(big, 10, (uint32_t)(d->digits[i] - '0'));
            (*exponent)--;
            count++;
        } else {
            rest = rest || d->digits[i] != '0';
        }
    }
    if (rest) {
        cid__big_mul(big, 10, 1);
        (*exponent)--;
    }
}

/* The decimal against the middle between a double and the next one: less, equal, greater. */
static int against_middle(const struct cid__big *whole, int exponent10, uint64_t bits)
{
    struct cid__big a = *whole, b;
    uint64_t mantissa;
    int exponent2;

    cid__split(bits, &mantissa, &exponent2);
    cid__big_set(&b, mantissa * 2 + 1);
    exponent2--;
    if (exponent10 >= 0)
        cid__big_mul_pow5(&a, (unsigned)exponent10);
    else
        cid__big_mul_pow5(&b, (unsigned)-exponent10);
    exponent2 -= exponent10; /* 10^n = 5^n * 2^n */
    if (exponent2 >= 0)
        cid__big_shift(&b, (unsigned)exponent2);
    else
        cid__big_shift(&a, (unsigned)-exponent2);
    return cid__big_compare(&a, &b);
}

bool cid__decimal_above(const struct cid__big *whole, int exponent, uint64_t bits)
{
    int order = against_middle(whole, exponent, bits);
    return order > 0 || (order == 0 && bits % 2 == 1);
}
