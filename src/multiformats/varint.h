/*
 * varint.h - varints as the layers above read and write them: inline for the sizes that occur.
 */
#ifndef CID_MULTIFORMATS_VARINT_H
#define CID_MULTIFORMATS_VARINT_H

#include "base/span.h"

#include <cid/varint.h>

/* Reads a varint of any size; *in is behind it. On failure *in and *value are untouched. */
enum cid_error cid__varint_take_long(uint64_t *value, struct cid__span *in);

/* The same, quick for one to three bytes: below 2^21 lie nearly all codes and section lengths. */
static inline enum cid_error cid__varint_take(uint64_t *value, struct cid__span *in)
{
    const uint8_t *p = in->at;
    size_t left = cid__span_left(in);

    if (left >= 1 && p[0] < 0x80) {
        *value = p[0];
        in->at = p + 1;
        return CID_OK;
    }
    if (left >= 2 && p[1] < 0x80 && p[1] != 0) {
        *value = (uint64_t)(p[0] & 0x7f) | (uint64_t)p[1] << 7;
        in->at = p + 2;
        return CID_OK;
    }
    if (left >= 3 && p[1] >= 0x80 && p[2] < 0x80 && p[2] != 0) {
        *value = (uint64_t)(p[0] & 0x7f) | (uint64_t)(p[1] & 0x7f) << 7 | (uint64_t)p[2] << 14;
        in->at = p + 3;
        return CID_OK;
    }
    return cid__varint_take_long(value, in);
}

/* Whether a varint can hold the value; as a function, since a size_t of 32 bits always fits. */
static inline bool cid__varint_fits(uint64_t value)
{
    return value <= CID_VARINT_MAX;
}

/* The size of a varint whose value is known to be in range. */
static inline size_t cid__varint_size(uint64_t value)
{
#if defined(__GNUC__)
    unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1);
    return (bits * 9 + 64) >> 6; /* bits / 7, rounded up, for up to 63 */
#else
    size_t size = 1;
    while (value >= 0x80) {
        value >>= 7;
        size++;
    }
    return size;
#endif
}

/* Writes a varint whose value is known to be in range, and returns the place behind it. */
static inline uint8_t *cid__varint_put(uint8_t *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

/* Reads a varint that is known to be whole and right, and returns the place behind it. */
static inline const uint8_t *cid__varint_trusted(uint64_t *value, const uint8_t *at)
{
    uint64_t v = *at & 0x7f;
    for (unsigned shift = 7; *at >= 0x80; shift += 7)
        v |= (uint64_t)(*++at & 0x7f) << shift;
    *value = v;
    return at + 1;
}

#endif
