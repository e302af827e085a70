/*
 * wide.h - products of 128 bits, on machines that have them and on those that do not.
 */
#ifndef CID_BASE_WIDE_H
#define CID_BASE_WIDE_H

#include <stdint.h>

/* a * b + c, which always fits: the low half is returned, *high is the high half. */
static inline uint64_t cid__mul_add_plain(uint64_t *high, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t mask = UINT32_MAX;
    uint64_t low = (a & mask) * (b & mask);
    uint64_t mid1 = (a >> 32) * (b & mask) + (low >> 32);
    uint64_t mid2 = (a & mask) * (b >> 32) + (mid1 & mask);
    uint64_t product = mid2 << 32 | (low & mask);
    uint64_t sum = product + c;

    *high = (a >> 32) * (b >> 32) + (mid1 >> 32) + (mid2 >> 32) + (sum < c);
    return sum;
}

/* The same, by the machine's own product where there is one. */
static inline uint64_t cid__mul_add(uint64_t *high, uint64_t a, uint64_t b, uint64_t c)
{
#if defined(__SIZEOF_INT128__)
    __extension__ unsigned __int128 wide = (unsigned __int128)a * b + c;
    *high = (uint64_t)(wide >> 64);
    return (uint64_t)wide;
#else
    return cid__mul_add_plain(high, a, b, c);
#endif
}

/*
 * (high * 2^64 + low) / divisor, and the remainder, by the reciprocal of Moeller and Granlund
 * ("Improved division by invariant integers", algorithm 4): two products and no division.
 * high < divisor; the highest bit of divisor is set; inverse = (2^128 - 1) / divisor - 2^64.
 */
static inline uint64_t cid__divide(uint64_t *remainder, uint64_t high, uint64_t low,
                                   uint64_t divisor, uint64_t inverse)
{
    uint64_t quotient;
    uint64_t fraction = cid__mul_add(&quotient, high, inverse, low);
    uint64_t rest;

    quotient += high + 1; /* wraps only where the estimate is one too large, mended below */
    rest = low - quotient * divisor;
    if (rest > fraction) {
        quotient--;
        rest += divisor;
    }
    if (rest >= divisor) {
        quotient++;
        rest -= divisor;
    }
    *remainder = rest;
    return quotient;
}

#endif
