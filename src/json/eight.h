/*
 * eight.h - eight decimal digits at once, as the bytes of a 64-bit number of which the lowest is
 * the first digit (cid__load64le, cid__store64le).
 */
#ifndef CID_JSON_EIGHT_H
#define CID_JSON_EIGHT_H

#include <stdbool.h>
#include <stdint.h>

#define CID__EIGHT(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Whether all are digits: the upper half of each byte is 3, and with 6 more too. */
static inline bool cid__eight_are_digits(uint64_t eight)
{
    return (eight & CID__EIGHT(0xf0)) == CID__EIGHT(0x30) &&
           ((eight + CID__EIGHT(6)) & CID__EIGHT(0xf0)) == CID__EIGHT(0x30);
}

/* The number that they make: first in pairs, then in fours. */
static inline uint64_t cid__eight_value(uint64_t eight)
{
    eight -= CID__EIGHT('0');
    eight = (eight * 10 + (eight >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    eight = (eight * 100 + (eight >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (eight * 10000 + (eight >> 32)) & UINT32_MAX;
}

/*
 * The digits of a number below 10^8, zeros in front included: split into fours, pairs and digits
 * side by side, with products in place of divisions, exact for numbers so small.
 */
static inline uint64_t cid__eight_digits(uint32_t value)
{
    uint64_t parts = value / 10000 | (uint64_t)(value % 10000) << 32;
    uint64_t tens = (parts * 10486 >> 20) & UINT64_C(0x0000007f0000007f);

    parts = tens | (parts - tens * 100) << 16;
    tens = (parts * 103 >> 10) & UINT64_C(0x000f000f000f000f);
    return (tens | (parts - tens * 10) << 8) | CID__EIGHT('0');
}

#endif
