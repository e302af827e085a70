/*
 * After R. Giulietti, "The Schubfach way to render doubles", 2020.
 *
 * The decimals that read as the double v = c * 2^q make up an interval about it: halfway to its
 * neighbours, ends included where c is even. Let 10^k be the largest power of ten that is not wider
 * than the interval. Then a multiple of 10^k lies in it, and at most one multiple of 10^(k+1) does,
 * which then is the shortest; else the shortest is the multiple of 10^k next below or above v. So
 * four candidates are enough, and one power of ten.
 *
 * Everything is taken times 4 / 10^k, so that v and both ends become products of an integer with
 * that power. They are only ever compared with even numbers, and for that it is enough to have
 * their whole part and, in its lowest bit, whether there is more. That 128 bits of the power tell
 * this for every double is what tools/gen-powers --check goes through.
 */
#include "json/digits.h"

#include "base/wide.h"
#include "json/double.h"
#include "json/powers.h"

#include <stdbool.h>

/*
 * The whole part of factor * 10^n * 2^b, made odd if there is more. The power is taken a little
 * above what it is, where the table's lies below, so that whole products are not missed.
 */
static uint64_t times(const struct cid__power *power, uint64_t factor)
{
    uint64_t carry, whole, fraction;

    (void)cid__mul_add(&carry, factor, power->low + 1, 0);
    fraction = cid__mul_add(&whole, factor, power->high, carry);
    return whole | (fraction != 0);
}

/* Takes away 15 zeros at most. */
static uint64_t without_zeros(uint64_t digits, int *power)
{
    static const struct {
        uint32_t unit;
        int zeros;
    } steps[] = {{100000000, 8}, {10000, 4}, {100, 2}, {10, 1}};

    if (digits % 10 != 0) /* most often */
        return digits;
    for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (digits % steps[i].unit == 0) {
            digits /= steps[i].unit;
            *power += steps[i].zeros;
        }
    return digits;
}

/* Of the interval [low, high] and what is in it, all four times as large. */
static uint64_t pick(uint64_t low, uint64_t value, uint64_t high, int *power)
{
    uint64_t digits = value / 4, tens = digits / 10;
    bool below = low <= tens * 40, above = tens * 40 + 40 <= high;

    if (below != above) { /* below 10^16 */
        *power += 1;
        return without_zeros(tens + above, power);
    }
    below = low <= digits * 4;
    above = digits * 4 + 4 <= high;
    if (below == above) /* both are in: the nearer one */
        above = value > digits * 4 + 2 || (value == digits * 4 + 2 && digits % 2 == 1);
    return digits + above;
}

uint64_t cid__digits(int *power, uint64_t bits)
{
    uint64_t mantissa;
    int exponent;

    cid__split(bits, &mantissa, &exponent);
    /* Below a power of two the doubles lie twice as close. */
    bool closer = mantissa == CID__HIDDEN_BIT && exponent > 1 - CID__EXPONENT_BIAS;
    bool odd = mantissa % 2 == 1;
    int k = closer ? cid__log10_of_pow2_less(exponent) : cid__log10_of_pow2(exponent);
    int shift = exponent + cid__log2_of_pow10(-k) + 1; /* 1 to 4 */
    const struct cid__power *scale = &cid__powers[-k - CID__POWER_FIRST];
    uint64_t low = times(scale, (mantissa * 4 - 2 + closer) << shift);
    uint64_t value = times(scale, mantissa * 4 << shift);
    uint64_t high = times(scale, (mantissa * 4 + 2) << shift);

    *power = k;
    return pick(low + odd, value, high - odd, power);
}
