/*
 * sum.h - hashing into a place that is given, for this layer and those above.
 */
#ifndef CID_HASH_SUM_H
#define CID_HASH_SUM_H

#include <cid/hash.h>

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

#endif
