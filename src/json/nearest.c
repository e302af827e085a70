/*
 * After M. Eisel and D. Lemire ("Number parsing at a gigabyte per second", 2021): the first digits
 * times the power of ten of the table. The product of 192 bits is below the true one by less than
 * the factor of 64 bits, so that it shows which way to round, unless the middle of two doubles lies
 * in that little gap. What tools/gen-powers --check finds is that it only does where the number is
 * such a middle, like 9007199254740993.0.
 *
 * A number of more than 19 digits lies between what its first ones make and one more in the last of
 * them; most often both round to the same double. What is left is compared with the middle by
 * integers of any size.
 */
#include "json/nearest.h"

#include "base/wide.h"
#include "json/double.h"
#include "json/powers.h"

/* Powers of ten of which 128 bits are all. */
static bool is_exact(int n)
{
    return n >= 0 && n <= 55;
}

/* A number times 10^n: high, middle and low one behind the other, or more by less than gap. */
struct product {
    uint64_t high, middle, low;
    uint64_t gap; /* in units of low; 0: the product is exact, else it is more by something */
    int exponent; /* of the lowest bit of high */
};

static struct product multiply(uint64_t number, int n)
{
    const struct cid__power *power = &cid__powers[n - CID__POWER_FIRST];
    unsigned zeros = (unsigned)__builtin_clzll(number);
    struct product p = {.exponent = cid__log2_of_pow10(n) + 1 - (int)zeros};

    number <<= zeros;
    p.gap = is_exact(n) ? 0 : number;
    p.low = cid__mul_add(&p.middle, number, power->low, 0);
    p.middle = cid__mul_add(&p.high, number, power->high, p.middle);
    return p;
}

/* What is cut off behind the last bit of a double, against the half that decides. */
enum cut {
    CUT_LESS,
    CUT_HALF,
    CUT_MORE,
    CUT_UNDECIDED
};

static enum cut judge(const struct product *p, unsigned drop)
{
    uint64_t half = UINT64_C(1) << (drop - 1), tail = p->high & (half | (half - 1));

    if (tail >= half)
        return tail > half || (p->middle | p->low | p->gap) != 0 ? CUT_MORE : CUT_HALF;
    if (tail == half - 1 && p->middle == UINT64_MAX && p->low > UINT64_MAX - p->gap)
        return CUT_UNDECIDED;
    return CUT_LESS;
}

/* The bits of the double at or below number * 10^n; those of infinity and more if it is so large.
 */
static enum cut round_down(uint64_t *bits, uint64_t number, int n)
{
    struct product p = multiply(number, n);
    unsigned drop = 10 + (unsigned)(p.high >> 63);
    int biased = p.exponent + (int)drop + CID__EXPONENT_BIAS;

    if (biased <= 0) { /* subnormal */
        drop += 1 + (unsigned)-biased;
        biased = 1;
    }
    if (drop > 64) { /* under half of the least double */
        *bits = 0;
        return p.high == UINT64_MAX ? CUT_UNDECIDED : CUT_LESS;
    }
    /* The highest bit of a normal mantissa counts as one more of the exponent. */
    *bits = ((uint64_t)(biased - 1) << CID__MANTISSA_BITS) + (drop < 64 ? p.high >> drop : 0);
    return judge(&p, drop);
}

/* Rounds to the nearest, or to where it is sure to be below that or at it; whether it was sure. */
static bool round_near(uint64_t *bits, uint64_t number, int n)
{
    enum cut cut = round_down(bits, number, n);

    *bits += cut == CUT_MORE || (cut == CUT_HALF && *bits % 2 == 1);
    return cut != CUT_UNDECIDED;
}

/* The same, where the number is less than one more than top. */
static bool round_between(uint64_t *bits, const struct cid__decimal *d)
{
    uint64_t next;

    return round_near(bits, d->top, d->exponent) &&
           (!d->more || (round_near(&next, d->top + 1, d->exponent) && next == *bits));
}

uint64_t cid__nearest(const struct cid__decimal *d)
{
    uint64_t bits;

    if (d->top == 0 || d->exponent < CID__DECIMAL_LEAST)
        return 0;
    if (d->exponent > CID__DECIMAL_LARGEST)
        return CID__INFINITY;
    if (!round_between(&bits, d) && bits < CID__INFINITY) {
        struct cid__big whole;
        int exponent;
        cid__decimal_whole(&whole, &exponent, d);
        bits += cid__decimal_above(&whole, exponent, bits);
    }
    return bits < CID__INFINITY ? bits : CID__INFINITY;
}
