/*
 * arith.h - arithmetic on sizes that says when it overflows, and on bits.
 */
#ifndef CID_BASE_ARITH_H
#define CID_BASE_ARITH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* *sum = a + b; false, and *sum untouched, if that does not fit. */
static inline bool cid__add_size(size_t *sum, size_t a, size_t b)
{
    if (b > SIZE_MAX - a)
        return false;
    *sum = a + b;
    return true;
}

/* *product = a * b; false, and *product untouched, if that does not fit. */
static inline bool cid__mul_size(size_t *product, size_t a, size_t b)
{
    if (a != 0 && b > SIZE_MAX / a)
        return false;
    *product = a * b;
    return true;
}

/* The number of the lowest bit of bits, which is not 0. */
static inline unsigned cid__lowest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(bits);
#else
    unsigned i = 0;
    for (; !(bits & 1); bits >>= 1)
        i++;
    return i;
#endif
}

#endif
