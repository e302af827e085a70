/*
 * arith.h - arithmetic on sizes that says when it overflows.
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

#endif
