/*
 * digits.h - the shortest digits of a double.
 */
#ifndef CID_JSON_DIGITS_H
#define CID_JSON_DIGITS_H

#include <stdint.h>

/*
 * The fewest digits that read back as the double of these bits, and of those the nearest to it, the
 * even ones where two are as near: a number below 10^17 times 10^*power, not a multiple of ten. The
 * bits are those of a finite value above 0.
 */
uint64_t cid__digits(int *power, uint64_t bits);

#endif
