/*
 * multihash.h - the framing of multihashes: a varint that names the hash function, a varint for the
 * length of the digest, and the digest. Any code is read and written; whether the length suits the
 * function is a question for hash.h. Specification: multiformats/multihash.
 *
 * Threads: all functions are reentrant.
 */
#ifndef CID_MULTIHASH_H
#define CID_MULTIHASH_H

#include <cid/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A multihash in somebody else's bytes. Made by the library; the bytes must outlive it. */
struct cid_multihash_view {
    uint64_t code;
    const uint8_t *digest;
    size_t digest_len;
};

/*
 * Reads a multihash at the start of in. *used (may be NULL) is how many bytes it took. Nothing is
 * copied: out->digest points into in. On failure out and used are untouched.
 *
 * CID_E_TRUNCATED: in ends inside a varint or holds fewer digest bytes than declared.
 * CID_E_VARINT_NOT_MINIMAL, CID_E_VARINT_OVERFLOW: one of the two varints.
 */
CID_API CID_MUST_USE enum cid_error cid_multihash_read(struct cid_multihash_view *out, size_t *used,
                                                       const uint8_t *in, size_t in_len);

/* cid_multihash_read of the whole input. CID_E_TRAILING: bytes are left behind the digest. */
CID_API CID_MUST_USE enum cid_error cid_multihash_read_exact(struct cid_multihash_view *out,
                                                             const uint8_t *in, size_t in_len);

/*
 * Writes a multihash to out, which may be NULL when cap is 0. *written (may be NULL) is its size;
 * with CID_E_NOSPACE the size needed. digest may be NULL when digest_len is 0.
 *
 * CID_E_NOSPACE: cap is too small. CID_E_VARINT_OVERFLOW: code or length over 63 bits.
 * CID_E_TOO_LARGE: the whole does not fit a size_t.
 */
CID_API CID_MUST_USE enum cid_error cid_multihash_write(uint8_t *out, size_t cap, size_t *written,
                                                        uint64_t code, const uint8_t *digest,
                                                        size_t digest_len);

/*
 * Makes an owner that holds the multihash: no allocation up to CID_SMALL bytes in all, exactly one
 * of the final size above. Free it with cid_bytes_free. On failure out is empty.
 *
 * CID_E_VARINT_OVERFLOW, CID_E_TOO_LARGE: as cid_multihash_write. CID_E_NOMEM.
 */
CID_API CID_MUST_USE enum cid_error cid_multihash_make(struct cid_bytes *out, uint64_t code,
                                                       const uint8_t *digest, size_t digest_len,
                                                       const struct cid_allocator *alloc);

#ifdef __cplusplus
}
#endif

#endif
