#include "json/plain.h"

#include "base/wide.h"
#include "json/double.h"
#include "json/number.h"
#include "json/powers.h"

/* ---- printing --------------------------------------------------------------------------- */

/*
 * The digits of a value r / s, and how far up and down the values lie that read as the same double:
 * up / s and down / s (R. G. Burger, R. K. Dybvig, "Printing floating-point numbers quickly and
 * accurately", 1996). An even mantissa owns the ends of its interval.
 */
struct digits {
    struct cid__big r, s, up, down;
    bool even;
};

static void digits_begin(struct digits *d, uint64_t mantissa, int exponent)
{
    /* Below a power of two the doubles lie twice as close. */
    unsigned closer = mantissa == CID__HIDDEN_BIT && exponent > 1 - CID__EXPONENT_BIAS;
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
    point = cid__log10_of_pow2(high) + 1; /* right, or one too small */
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
static unsigned take_digit(struct digits *d)
{
    unsigned digit = 0;

    times_ten(d);
    for (; cid__big_compare(&d->r, &d->s) >= 0; digit++)
        cid__big_sub(&d->r, &d->s);
    return digit;
}

uint64_t cid__digits_plain(int *power, uint64_t bits)
{
    struct digits d;
    uint64_t mantissa, digits = 0;
    int exponent;

    cid__split(bits, &mantissa, &exponent);
    digits_begin(&d, mantissa, exponent);
    *power = digits_scale(&d, mantissa, exponent);
    for (;;) {
        unsigned digit = take_digit(&d);
        int order = cid__big_compare(&d.r, &d.down);
        bool low = d.even ? order <= 0 : order < 0, high = reaches(&d);
        if (low && high) { /* either ends it: the nearer one */
            order = cid__big_compare_sum(&d.r, &d.r, &d.s);
            high = order > 0 || (order == 0 && digit % 2 == 1);
        }
        digits = digits * 10 + digit + high;
        (*power)--;
        if (low || high)
            return digits;
    }
}

size_t cid__double_print_plain(char *out, double value)
{
    uint64_t bits = cid__bits_of(value), magnitude = bits & (UINT64_MAX >> 1);
    int power = 0;
    uint64_t digits = magnitude == 0 ? 0 : cid__digits_plain(&power, magnitude);

    return cid__decimal_print(out, bits >> 63, digits, power);
}

/* ---- reading ---------------------------------------------------------------------------- */

/* The double of mantissa * 2^exponent, mantissa with its highest bit set, rounded down or near. */
static uint64_t assemble(uint64_t mantissa, int exponent)
{
    int biased = exponent + 11 + CID__EXPONENT_BIAS; /* 11 bits are too many */
    unsigned drop = 11;

    if (biased <= 0) { /* subnormal */
        drop = 12 - (unsigned)biased;
        biased = 0;
    }
    if (drop >= 64)
        return 0;
    mantissa >>= drop;
    if (biased >= CID__EXPONENT_MASK)
        return CID__INFINITY;
    return biased == 0
               ? mantissa
               : (uint64_t)biased << CID__MANTISSA_BITS | (mantissa & (CID__HIDDEN_BIT - 1));
}

/* Within one double of top * 10^exponent: a product of 64 bits a step, off by under 2^-54. */
static uint64_t guess(const struct cid__decimal *d)
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

uint64_t cid__nearest_plain(const struct cid__decimal *d)
{
    struct cid__big whole;
    uint64_t bits;
    int exponent;

    if (d->top == 0 || d->exponent < CID__DECIMAL_LEAST)
        return 0;
    if (d->exponent > CID__DECIMAL_LARGEST)
        return CID__INFINITY;
    bits = guess(d);
    if (bits > CID__INFINITY - 1)
        bits = CID__INFINITY - 1;
    cid__decimal_whole(&whole, &exponent, d);
    while (bits < CID__INFINITY && cid__decimal_above(&whole, exponent, bits))
        bits++;
    while (bits > 0 && !cid__decimal_above(&whole, exponent, bits - 1))
        bits--;
    return bits;
}

bool cid__double_read_plain(double *out, const char *text, size_t len)
{
    struct cid__decimal d;
    uint64_t bits;

    cid__decimal_take(&d, text, len);
    bits = cid__nearest_plain(&d);
    if (bits == CID__INFINITY)
        return false;
    *out = cid__double_of(bits | (uint64_t)d.negative << 63);
    return true;
}

/* ---- passing over ----------------------------------------------------------------------- */

enum cid_error cid__json_skip_plain(struct cid_json_reader *reader,
                                    const struct cid_json_item *item)
{
    size_t depth = item->depth;
    bool whole = item->kind != CID_JSON_KEY;
    struct cid_json_item inner;

    while (!whole || reader->depth > depth) {
        enum cid_error error = cid_json_next(reader, &inner);
        if (error)
            return error;
        whole = true;
    }
    return CID_OK;
}

enum cid_error cid__json_find_plain(struct cid_json_reader *reader, struct cid_json_item *item,
                                    const char *key, size_t len)
{
    enum cid_error error;

    if (!cid_json_reader_fault(reader)->code && !reader->in_object)
        return CID_E_ARGUMENT;
    for (;;) {
        error = cid_json_next(reader, item);
        if (error || item->kind == CID_JSON_OBJECT_END)
            return error;
        if (item->kind == CID_JSON_KEY && cid_json_is_string(item, key, len))
            return cid_json_next(reader, item);
        error = cid__json_skip_plain(reader, item);
        if (error)
            return error;
    }
}
