/*
 * varint.h - unsigned varints: 7 bits a byte, least significant group first, the top bit set on all
 * bytes but the last. At most 9 bytes and 63 bits, and the shortest encoding only.
 * Specification: multiformats/unsigned-varint.
 *
 * Threads: all functions are reentrant.
 */
#ifndef CID_VARINT_H
#define CID_VARINT_H

#include <cid/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The longest varint, in bytes. */
#define CID_VARINT_MAX_SIZE 9
/* The largest value. */
#define CID_VARINT_MAX UINT64_C(0x7fffffffffffffff)

/* How many bytes the value takes, 1 to 9; 0 if it is over CID_VARINT_MAX. */
CID_API size_t cid_varint_size(uint64_t value);

/*
 * Reads a varint at the start of in. *used (may be NULL) is how many bytes it took; what follows is
 * not looked at. On failure value and used are untouched.
 *
 * CID_E_TRUNCATED: in ends before the varint does, or is empty.
 * CID_E_VARINT_NOT_MINIMAL: the last of several bytes is 00.
 * CID_E_VARINT_OVERFLOW: the ninth byte has its top bit set.
 */
CID_API CID_MUST_USE enum cid_error cid_varint_read(uint64_t *value, size_t *used,
                                                    const uint8_t *in, size_t in_len);

/*
 * Writes a varint to out. *written (may be NULL) is its size; with CID_E_NOSPACE the size needed.
 * out may be NULL when cap is 0, to measure.
 *
 * CID_E_NOSPACE: cap is too small. CID_E_VARINT_OVERFLOW: value is over CID_VARINT_MAX.
 */
CID_API CID_MUST_USE enum cid_error cid_varint_write(uint8_t *out, size_t cap, size_t *written,
                                                     uint64_t value);

/*
 * Makes an owner that holds the varint; never allocates, since 9 bytes always fit.
 *
 * CID_E_VARINT_OVERFLOW: value is over CID_VARINT_MAX.
 */
CID_API CID_MUST_USE enum cid_error cid_varint_make(struct cid_bytes *out, uint64_t value,
                                                    const struct cid_allocator *alloc);

#ifdef __cplusplus
}
#endif

#endif
