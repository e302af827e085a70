/*
 * binary.h - the binary forms of CIDs, as the layers above read them.
 */
#ifndef CID_CID_BINARY_H
#define CID_CID_BINARY_H

#include "base/endian.h"
#include "multiformats/multihash.h"

#include <cid/cid.h>

#define CID__V0_SIZE 34 /* 12 20 and the digest */

/* Reads any CID; *in is behind it. On failure *in may stand anywhere and *out is untouched. */
enum cid_error cid__take_any(struct cid_view *out, struct cid__span *in);

/* Fills the view of a CIDv1 with a codec below 0x80, and its digest of 32 bytes after head bytes.
 */
static inline void cid__view_short(struct cid_view *out, const uint8_t *p, size_t head,
                                   uint64_t hash_code)
{
    out->bytes = p;
    out->len = head + 32;
    out->codec = p[1];
    out->hash.code = hash_code;
    out->hash.digest = p + head;
    out->hash.digest_len = 32;
    out->version = 1;
}

/* The same for the common shape: version 1, a codec below 0x80, sha2-256, 32 bytes. */
static inline void cid__view_common(struct cid_view *out, const uint8_t *p)
{
    cid__view_short(out, p, 4, CID_HASH_SHA2_256);
}

/* Whether the four bytes, loaded little-endian, start a CID of the common shape. */
static inline bool cid__is_common(uint32_t head)
{
    return (head & UINT32_C(0xffff80ff)) == UINT32_C(0x20120001);
}

/*
 * The same for blake2b-256, of which whole archives consist: p has the first six bytes, which are
 * version, codec, the three of the hash code, and the length.
 */
static inline bool cid__is_blake2b(const uint8_t *p)
{
    return cid__load32le(p + 2) == UINT32_C(0x2002e4a0) && p[0] == 1 && p[1] < 0x80;
}

/* Reads a CID, the common shapes first. */
static inline enum cid_error cid__take(struct cid_view *out, struct cid__span *in)
{
    const uint8_t *p = in->at;

    if (cid__span_left(in) >= 36 && cid__is_common(cid__load32le(p))) {
        cid__view_common(out, p);
        in->at = p + 36;
        return CID_OK;
    }
    if (cid__span_left(in) >= 38 && cid__is_blake2b(p)) {
        cid__view_short(out, p, 6, CID_HASH_BLAKE2B_256);
        in->at = p + 38;
        return CID_OK;
    }
    return cid__take_any(out, in);
}

/* Whether it is an identity CID with a digest over the limit; 0 is no limit. */
static inline bool cid__over_identity_limit(const struct cid_view *view, uint64_t limit)
{
    return limit != 0 && view->hash.code == CID_HASH_IDENTITY && view->hash.digest_len > limit;
}

/* The view of bytes that are known to be a whole CID. */
struct cid_view cid__view_trusted(const uint8_t *bytes, size_t len);

#endif
