/*
 * decimal.h - a decimal number as it is written, and what is exact about it.
 */
#ifndef CID_JSON_DECIMAL_H
#define CID_JSON_DECIMAL_H

#include "json/big.h"

/* A decimal number: its digits as they stand, times ten to the exponent. */
struct cid__decimal {
    const char *digits; /* from the first that is not 0; there may be a point among them */
    size_t len;         /* 0: all that matter are in top */
    uint64_t top;       /* the first 19 digits at most */
    int exponent;       /* of the last digit in top */
    bool more;          /* digits beyond those of top that are not all 0 */
    bool negative;
};

/* Beyond these exponents of the last of 19 digits, a number is infinite, or 0. */
#define CID__DECIMAL_LARGEST 308
#define CID__DECIMAL_LEAST   (-342)

/* Takes a JSON number apart. The decimal borrows the text. */
void cid__decimal_take(struct cid__decimal *d, const char *text, size_t len);

/* All digits that matter, as a number; *exponent is of its last digit. */
void cid__decimal_whole(struct cid__big *big, int *exponent, const struct cid__decimal *d);

/*
 * Whether whole * 10^exponent rounds to a double above that of these bits, ties to even: it is
 * compared with the middle between it and the next one, exactly.
 */
bool cid__decimal_above(const struct cid__big *whole, int exponent, uint64_t bits);

#endif
