/*
 * sum.h - hashing into a place that is given, for this layer and those above.
 */
#ifndef CID_HASH_SUM_H
#define CID_HASH_SUM_H

#include "base/prefetch.h"

#include <cid/hash.h>

/* The caller's own function of that code, or NULL. */
const struct cid_hash_function *cid__hash_supplied(uint64_t code,
                                                   const struct cid_hash_options *options);

/*
 * Finds the function of that code: the caller's, or this build's. *digest_len becomes a length
 * where it was CID_DIGEST_DEFAULT, and is checked: CID_E_HASH_UNKNOWN, CID_E_HASH_ABSENT,
 * CID_E_DIGEST_LENGTH.
 */
enum cid_error cid__hash_resolve(struct cid_hash_function *out, size_t *digest_len, uint64_t code,
                                 size_t data_len, const struct cid_hash_options *options);

/* Writes digest_len bytes, a length that cid__hash_resolve has passed. */
enum cid_error cid__hash_into(const struct cid_hash_function *function, uint8_t *out,
                              size_t digest_len, const void *data, size_t data_len);

/*
 * Many checks: verdicts[i] of data[i] by the multihash i, which lies i * stride bytes behind
 * hashes, so that it can be a member of something larger. See cid_multihash_verify_many.
 */
struct cid__verify_batch {
    enum cid_verdict *verdicts;
    const struct cid_multihash_view *hashes;
    size_t stride;
    const struct cid_data *data;
    size_t n;
    const struct cid_hash_options *options;
    struct cid__ahead *ahead; /* what will be read after this, and can be fetched meanwhile */
};
void cid__verify_many(const struct cid__verify_batch *batch);

#endif
