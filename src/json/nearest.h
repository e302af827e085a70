/*
 * nearest.h - the double nearest to a decimal number.
 */
#ifndef CID_JSON_NEAREST_H
#define CID_JSON_NEAREST_H

#include "json/decimal.h"

/* Its bits without the sign, ties to even; those of infinity beyond the largest double. */
uint64_t cid__nearest(const struct cid__decimal *d);

#endif
