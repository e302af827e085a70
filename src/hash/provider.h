/*
 * provider.h - the table of hash functions and who computes them.
 */
#ifndef CID_HASH_PROVIDER_H
#define CID_HASH_PROVIDER_H

#include <cid/hash.h>

/* What is known of the function, whether this build has it or not; NULL is CID_E_NOT_FOUND. */
struct cid__hash_row {
    uint64_t first; /* codes first … last; each further code makes one byte more */
    uint64_t last;
    uint8_t len;   /* digest length of first, in bytes; the default where any length goes */
    uint8_t flags; /* CID__HASH_… */
};

#define CID__HASH_ANY_LENGTH 0x01u /* digests of 1 byte and up */
#define CID__HASH_NO_PROOF   0x02u /* not cryptographic */
#define CID__HASH_IDENTITY   0x04u /* the digest is the data */

/* The row of a code, or NULL. */
const struct cid__hash_row *cid__hash_row(uint64_t code);

/*
 * Fills out->sum and out->ctx if this build computes the function of out->code, whose lengths are
 * set already; false if it does not. All but identity are families of stream.h.
 */
bool cid__provide(struct cid_hash_function *out);

#endif
