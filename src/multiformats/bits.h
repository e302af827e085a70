/*
 * bits.h - the bases of whole bits in the vector units of x86-64. Each tier does what the portable
 * loops of base_pow2.c do, byte for byte, and is chosen there, once a string. Nothing is read
 * beyond the input. What is promised is written, and perhaps more, but nothing beyond out + room.
 *
 * A tier is called only where cid__cpu() has its bit.
 */
#ifndef CID_MULTIFORMATS_BITS_H
#define CID_MULTIFORMATS_BITS_H

#include "multiformats/base.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define CID__BITS_X86 1
#else
#define CID__BITS_X86 0
#endif

#if CID__BITS_X86

/* Writes the `digits` digits, padding left out, of n bytes. n > 0, room >= digits. */
void cid__bits_encode_vbmi(char *out, size_t room, size_t digits, const uint8_t *in, size_t n,
                           const struct cid__base *base);

/*
 * Writes the `size` whole bytes of n digits, n > 0, padding left out; room >= size, not one digit
 * is superfluous. false: something is no digit, or the spare bits are not zero; out is unspecified
 * then.
 */
bool cid__bits_decode_vbmi(uint8_t *out, size_t room, size_t size, const char *text, size_t n,
                           const struct cid__base *base);

/* The same for base32 and the 58 digits of 36 bytes; out has room for 64. */
bool cid__bits_decode_usual_vbmi(uint8_t *out, const char *text);

/* The same for bases 16, 32 and 64, and n >= CID__BITS_AVX2_MIN. */
#define CID__BITS_AVX2_MIN 16
void cid__bits_encode_avx2(char *out, size_t room, size_t digits, const uint8_t *in, size_t n,
                           const struct cid__base *base);
bool cid__bits_decode_avx2(uint8_t *out, size_t room, size_t size, const char *text, size_t n,
                           const struct cid__base *base);

#endif

#endif
