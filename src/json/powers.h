/*
 * powers.h - the powers of ten by which doubles are printed and read, and how large they are.
 */
#ifndef CID_JSON_POWERS_H
#define CID_JSON_POWERS_H

#include <stdint.h>

#define CID__POWER_FIRST (-342)
#define CID__POWER_LAST  324

/* floor(10^n * 2^b), of exactly 128 bits; nothing is cut off where n is 0 to 55. */
struct cid__power {
    uint64_t high, low; /* low is never UINT64_MAX */
};

/* Those of n = CID__POWER_FIRST to CID__POWER_LAST. */
extern const struct cid__power cid__powers[CID__POWER_LAST - CID__POWER_FIRST + 1];

/* The whole part of product / 2^32, below it where that is negative; the product above -2^60. */
static inline int cid__floor32(int64_t product)
{
    return (int)((uint64_t)(product + (INT64_C(1) << 60)) >> 32) - (1 << 28);
}

/*
 * The whole parts of log10(2^n), log10(2^n * 3 / 4) and log2(10^n): by the logarithms of 2, 4/3 and
 * 10 times 2^32, which is exact for all n between -1200 and 1200, and -400 and 400.
 */
static inline int cid__log10_of_pow2(int n)
{
    return cid__floor32(INT64_C(1292913986) * n);
}

static inline int cid__log10_of_pow2_less(int n)
{
    return cid__floor32(INT64_C(1292913986) * n - 536607788);
}

static inline int cid__log2_of_pow10(int n)
{
    return cid__floor32(INT64_C(14267572527) * n);
}

#endif
