#include "json/number.h"

#include "base/endian.h"
#include "base/wide.h"
#include "json/big.h"

#include <float.h>

#define MANTISSA_BITS 52
#define EXPONENT_MASK 0x7ff
#define EXPONENT_BIAS 1075 /* of the mantissa taken as an integer */

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The bits of a double without its sign are mantissa * 2^exponent. */
static void split(uint64_t bits, uint64_t *mantissa, int *exponent)
{
    int biased = (int)(bits >> MANTISSA_BITS) & EXPONENT_MASK;

    *mantissa = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1);
    if (biased != 0)
        *mantissa |= UINT64_C(1) << MANTISSA_BITS;
    *exponent = (biased != 0 ? biased : 1) - EXPONENT_BIAS;
}

/* ---- printing --------------------------------------------------------------------------- */

size_t cid__number_print(char *out, bool negative, uint64_t magnitude)
{
    char text[20];
    size_t at = sizeof text, len = 0;

    do {
        text[--at] = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude != 0);
    if (negative)
        out[len++] = '-';
    memcpy(out + len, text + at, sizeof text - at);
    return len + sizeof text - at;
}

/*
 * The digits of a value r / s, and how far up and down the values lie that read as the same double:
 * up / s and down / s (R. G. Burger, R. K. Dybvig, "Printing floating-point numbers quickly and
 * accurately", 1996). An even mantissa owns the ends of its interval.
 */
struct digits {
    struct cid__big r, s, up, down;
    bool even;
};

/* The whole part of log10(2^p). */
static int log10_of_pow2(int p)
{
    int64_t scaled = (int64_t)p * 1292913986; /* log10(2) * 2^32, rounded down */
    return (int)(scaled >= 0 ? scaled >> 32 : -((-scaled + (INT64_C(1) << 32) - 1) >> 32));
}

static void digits_begin(struct digits *d, uint64_t mantissa, int exponent)
{
    /* Below a power of two the doubles lie twice as close. */
    unsigned closer = mantissa == UINT64_C(1) << MANTISSA_BITS && exponent > 1 - EXPONENT_BIAS;
    unsigned shift = exponent > 0 ? (unsigned)exponent : 0;

    d->even = mantissa % 2 == 0;
    cid__big_set(&d->r, mantissa);
    cid__big_shift(&d->r, shift + 1 + closer);
    cid__big_set(&d->s, 1);
    cid__big_shift(&d->s, (exponent < 0 ? (unsigned)-exponent : 0) + 1 + closer);
    cid__big_set(&d->down, 1);
    cid__big_shift(&d->down, shift);
    cid__big_set(&d->up, 1);
    cid__big_shift(&d->up, shift + closer);
}

static void times_ten(struct digits *d)
{
    cid__big_mul(&d->r, 10, 0);
    cid__big_mul(&d->up, 10, 0);
    cid__big_mul(&d->down, 10, 0);
}

static bool reaches(const struct digits *d)
{
    int order = cid__big_compare_sum(&d->r, &d->up, &d->s);
    return d->even ? order >= 0 : order > 0;
}

/* Scales so that the digits stand behind the point; returns where the point was. */
static int digits_scale(struct digits *d, uint64_t mantissa, int exponent)
{
    int high = exponent, point;
    unsigned n;

    for (uint64_t m = mantissa; m > 1; m >>= 1)
        high++;
    point = log10_of_pow2(high) + 1; /* right, or one too small */
    n = (unsigned)(point < 0 ? -point : point);
    if (point >= 0) {
        cid__big_mul_pow5(&d->s, n);
        cid__big_shift(&d->s, n);
    } else {
        cid__big_mul_pow5(&d->r, n);
        cid__big_shift(&d->r, n);
        cid__big_mul_pow5(&d->up, n);
        cid__big_shift(&d->up, n);
        cid__big_mul_pow5(&d->down, n);
        cid__big_shift(&d->down, n);
    }
    if (reaches(d)) {
        cid__big_mul(&d->s, 10, 0);
        point++;
    }
    return point;
}

/* The next digit: of the whole part of r / s, which is below ten. */
static int take_digit(struct digits *d)
{
    int digit = 0;

    times_ten(d);
    for (; cid__big_compare(&d->r, &d->s) >= 0; digit++)
        cid__big_sub(&d->r, &d->s);
    return digit;
}

/* The shortest digits of a double that is not 0; returns their number, at most 17. */
static size_t shortest(char *out, int *point, uint64_t mantissa, int exponent)
{
    struct digits d;
    size_t len = 0;

    digits_begin(&d, mantissa, exponent);
    *point = digits_scale(&d, mantissa, exponent);
    for (;;) {
        int digit = take_digit(&d);
        int order = cid__big_compare(&d.r, &d.down);
        bool low = d.even ? order <= 0 : order < 0, high = reaches(&d);
        if (low && high) { /* either ends it: the nearer one */
            order = cid__big_compare_sum(&d.r, &d.r, &d.s);
            high = order > 0 || (order == 0 && digit % 2 == 1);
        }
        if (low || high) {
            out[len++] = (char)('0' + digit + high);
            return len;
        }
        out[len++] = (char)('0' + digit);
    }
}

/* Shifts the digits up and fills the places before `from` and behind. */
static size_t print_plain(char *out, const char *digits, size_t len, int point)
{
    size_t whole = point > 0 ? (size_t)point : 0, at = 0;

    if (whole == 0) {
        out[at++] = '0';
        out[at++] = '.';
        for (int i = point; i < 0; i++)
            out[at++] = '0';
    }
    for (size_t i = 0; i < len || i < whole; i++) {
        if (i == whole && whole != 0)
            out[at++] = '.';
        out[at++] = i < len ? digits[i] : '0';
    }
    if (whole >= len) {
        out[at++] = '.';
        out[at++] = '0';
    }
    return at;
}

static size_t print_exponent(char *out, const char *digits, size_t len, int point)
{
    size_t at = 0;

    out[at++] = digits[0];
    if (len > 1) {
        out[at++] = '.';
        memcpy(out + at, digits + 1, len - 1);
        at += len - 1;
    }
    out[at++] = 'e';
    if (point > 0)
        out[at++] = '+';
    return at +
           cid__number_print(out + at, point <= 0, (uint64_t)(point > 0 ? point - 1 : 1 - point));
}

size_t cid__double_print(char *out, double value)
{
    uint64_t bits = bits_of(value), mantissa;
    char digits[20];
    int exponent, point = 1;
    size_t len = 1, at = 0;

    if (bits >> 63)
        out[at++] = '-';
    split(bits & (UINT64_MAX >> 1), &mantissa, &exponent);
    digits[0] = '0';
    if (mantissa != 0)
        len = shortest(digits, &point, mantissa, exponent);
    if (point > -6 && point <= 21)
        return at + print_plain(out + at, digits, len, point);
    return at + print_exponent(out + at, digits, len, point);
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

/* A decimal number: its digits as they stand, times ten to the exponent. */
struct decimal {
    const char *digits; /* from the first that is not 0; there may be a point among them */
    size_t len;
    size_t count; /* significant digits that were taken into top */
    uint64_t top; /* the first 19 digits at most */
    int exponent; /* of the last digit in top */
    bool more;    /* digits beyond those of top that are not all 0 */
    bool negative;
};

#define EXPONENT_LIMIT 100000 /* far beyond what any double has */

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

static void take_decimal(struct decimal *d, const char *text, size_t len)
{
    size_t i = text[0] == '-', before = 0;
    bool point = false;
    int64_t exponent = 0;

    *d = (struct decimal){.negative = i != 0};
    for (; i < len && (text[i] | 0x20) != 'e'; i++) {
        if (text[i] == '.') {
            point = true;
            continue;
        }
        if (d->count == 0 && text[i] == '0') { /* a zero in front */
            exponent -= point;
            continue;
        }
        if (d->count == 0)
            before = i;
        d->len = i + 1 - before;
        if (d->count < 19) {
            d->count++;
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
    if (exponent > EXPONENT_LIMIT)
        exponent = EXPONENT_LIMIT;
    d->exponent = (int)(exponent < -EXPONENT_LIMIT ? -EXPONENT_LIMIT : exponent);
}

/* The double of mantissa * 2^exponent, mantissa with its highest bit set, rounded down or near. */
static uint64_t assemble(uint64_t mantissa, int exponent)
{
    int biased = exponent + 11 + EXPONENT_BIAS; /* 11 bits are too many */
    unsigned drop = 11;

    if (biased <= 0) { /* subnormal */
        drop = 12 - (unsigned)biased;
        biased = 0;
    }
    if (drop >= 64)
        return 0;
    mantissa >>= drop;
    if (biased >= EXPONENT_MASK)
        return (uint64_t)EXPONENT_MASK << MANTISSA_BITS;
    return biased == 0 ? mantissa
                       : (uint64_t)biased << MANTISSA_BITS |
                             (mantissa & ((UINT64_C(1) << MANTISSA_BITS) - 1));
}

/* Within one double of top * 10^exponent: a product of 64 bits a step, off by under 2^-54. */
static uint64_t guess(const struct decimal *d)
{
    uint64_t mantissa = d->top;
    int exponent = 0;
    int n = d->exponent;

    for (; !(mantissa >> 63); exponent--)
        mantissa <<= 1;
    for (; n > 0; n--) { /* 10 = 0xa * 2^0 = (0xa << 60) / 2^60 */
        uint64_t high;
        (void)cid__mul_add(&high, mantissa, UINT64_C(0xa000000000000000), 0);
        exponent += 4;
        for (mantissa = high; !(mantissa >> 63); exponent--)
            mantissa <<= 1;
    }
    for (; n < 0; n++) { /* 0.1 = 0xcccc... / 2^67 */
        uint64_t high;
        (void)cid__mul_add(&high, mantissa, UINT64_C(0xcccccccccccccccd), 0);
        exponent -= 3;
        for (mantissa = high; !(mantissa >> 63); exponent--)
            mantissa <<= 1;
    }
    return assemble(mantissa, exponent);
}

#define MOST_DIGITS                                                                                \
    800 /* more than lie between any two doubles: what is behind only breaks ties                  \
         */

/* All digits that matter, as a number; *exponent is of its last digit. */
static void take_big(struct cid__big *big, int *exponent, const struct decimal *d)
{
    size_t count = d->count;
    bool rest = false;

    cid__big_set(big, d->top);
    *exponent = d->exponent;
    if (!d->more)
        return;
    for (size_t i = 0, seen = 0; i < d->len; i++) {
        if (d->digits[i] == '.' || seen++ < d->count)
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
static int against_middle(const struct cid__big *decimal, int exponent10, uint64_t bits)
{
    struct cid__big a = *decimal, b;
    uint64_t mantissa;
    int exponent2;

    split(bits, &mantissa, &exponent2);
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

/* Whether the decimal rounds to something above that double. */
static bool rounds_above(const struct cid__big *decimal, int exponent10, uint64_t bits)
{
    int order = against_middle(decimal, exponent10, bits);
    return order > 0 || (order == 0 && bits % 2 == 1);
}

static uint64_t exactly(const struct decimal *d)
{
    const uint64_t infinity = (uint64_t)EXPONENT_MASK << MANTISSA_BITS;
    struct cid__big decimal;
    uint64_t bits = guess(d);
    int exponent;

    if (bits > infinity - 1)
        bits = infinity - 1;
    take_big(&decimal, &exponent, d);
    while (bits < infinity && rounds_above(&decimal, exponent, bits))
        bits++;
    while (bits > 0 && !rounds_above(&decimal, exponent, bits - 1))
        bits--;
    return bits;
}

/* Small numbers, whose product or quotient the machine rounds once (W. D. Clinger, 1990). */
static bool read_small(uint64_t *bits, const struct decimal *d)
{
#if FLT_EVAL_METHOD == 0
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (d->more || d->top >> 53 || d->exponent < -22 || d->exponent > 22)
        return false;
    *bits = bits_of(d->exponent < 0 ? (double)d->top / powers[-d->exponent]
                                    : (double)d->top * powers[d->exponent]);
    return true;
#else
    (void)bits;
    (void)d;
    return false;
#endif
}

bool cid__double_read(double *out, const char *text, size_t len)
{
    struct decimal d;
    uint64_t bits = 0;

    take_decimal(&d, text, len);
    if (d.top != 0 && d.exponent > 310) /* beyond 1.8e308 whatever the digits */
        return false;
    /* Under 19 + 1 digits times 10^-345 there is nothing that rounds to more than 0. */
    if (d.top != 0 && d.exponent >= -345 && !read_small(&bits, &d))
        bits = exactly(&d);
    if (bits >> MANTISSA_BITS == EXPONENT_MASK)
        return false;
    *out = double_of(bits | (uint64_t)d.negative << 63);
    return true;
}
