/*
 * siphash.h - SipHash-2-4 of Aumasson and Bernstein: a keyed hash of 64 bits which somebody without
 * the key can neither predict nor steer.
 */
#ifndef CID_CID_SIPHASH_H
#define CID_CID_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

/*
 * The hash of len bytes under the key whose two halves, each read little-endian, are k0 and k1.
 * bytes may be NULL when len is 0. The same on every machine.
 */
uint64_t cid__siphash24(uint64_t k0, uint64_t k1, const uint8_t *bytes, size_t len);

#endif
