/*
 * multihash.h - the measure and write steps of multihashes, for this layer and those above.
 */
#ifndef CID_MULTIFORMATS_MULTIHASH_H
#define CID_MULTIFORMATS_MULTIHASH_H

#include "base/arith.h"
#include "base/bytes.h"
#include "multiformats/varint.h"

#include <cid/multihash.h>

/* Reads a multihash; *in is behind it. On failure *in may stand anywhere and *out is untouched. */
static inline enum cid_error cid__multihash_take(struct cid_multihash_view *out,
                                                 struct cid__span *in)
{
    uint64_t code = 0;
    uint64_t len = 0;
    enum cid_error error = cid__varint_take(&code, in);

    if (!error)
        error = cid__varint_take(&len, in);
    if (error)
        return error;
    if (!cid__span_has(in, len))
        return CID_E_TRUNCATED;
    out->code = code;
    out->digest_len = (size_t)len;
    out->digest = cid__span_take(in, (size_t)len);
    return CID_OK;
}

/* Adds the size of a multihash to *total; fails where a number or the total is too large. */
static inline enum cid_error cid__multihash_measure(size_t *total, uint64_t code, size_t digest_len)
{
    if (!cid__varint_fits(code) || !cid__varint_fits(digest_len))
        return CID_E_VARINT_OVERFLOW;
    *total += cid__varint_size(code) + cid__varint_size(digest_len);
    return cid__add_size(total, *total, digest_len) ? CID_OK : CID_E_TOO_LARGE;
}

/* Writes all of a multihash but its digest, and returns the place of the digest. */
static inline uint8_t *cid__multihash_put_head(uint8_t *at, uint64_t code, size_t digest_len)
{
    return cid__varint_put(cid__varint_put(at, code), digest_len);
}

#endif
