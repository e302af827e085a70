/*
 * double.h - the parts of a double: IEEE 754 binary64, whatever the machine computes with.
 */
#ifndef CID_JSON_DOUBLE_H
#define CID_JSON_DOUBLE_H

#include <stdint.h>
#include <string.h>

#define CID__MANTISSA_BITS 52
#define CID__EXPONENT_MASK 0x7ff
#define CID__EXPONENT_BIAS 1075 /* of the mantissa taken as an integer */
#define CID__HIDDEN_BIT    (UINT64_C(1) << CID__MANTISSA_BITS)
#define CID__INFINITY      ((uint64_t)CID__EXPONENT_MASK << CID__MANTISSA_BITS)

static inline uint64_t cid__bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double cid__double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The bits of a double without its sign are mantissa * 2^exponent. */
static inline void cid__split(uint64_t bits, uint64_t *mantissa, int *exponent)
{
    int biased = (int)(bits >> CID__MANTISSA_BITS) & CID__EXPONENT_MASK;

    *mantissa = bits & (CID__HIDDEN_BIT - 1);
    if (biased != 0)
        *mantissa |= CID__HIDDEN_BIT;
    *exponent = (biased != 0 ? biased : 1) - CID__EXPONENT_BIAS;
}

#endif
