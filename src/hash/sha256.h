/*
 * sha256.h - the compression function of SHA-256 in all its forms. Specification: FIPS 180-4.
 */
#ifndef CID_HASH_SHA256_H
#define CID_HASH_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CID__SHA256_BLOCK 64

extern const uint32_t cid__sha256_start[8];
extern const uint32_t cid__sha256_k[64];

/* Compresses so many blocks into state, by the quickest form for a single message. */
void cid__sha256_blocks(uint32_t state[8], const uint8_t *data, size_t blocks);

/* The plain twin of all the others. */
void cid__sha256_blocks_portable(uint32_t state[8], const uint8_t *data, size_t blocks);

#ifdef CID_WITH_SODIUM
/* The same by libsodium, whose plain C is somewhat quicker. */
void cid__sha256_blocks_sodium(uint32_t state[8], const uint8_t *data, size_t blocks);
#endif

/*
 * The end of a message of len bytes, of which the last rest = len % 64 are at data: writes the one
 * or two blocks that are left to out, and returns how many.
 */
size_t cid__sha256_tail(uint8_t out[128], const uint8_t *data, size_t rest, uint64_t len);

/* Functions that are SHA-256 with something done to the digest at the end. */
#define CID__SHA256_TWICE    0x56   /* dbl-sha2-256: the digest of the digest */
#define CID__SHA256_TRUNC254 0x1012 /* sha2-256-trunc254-padded: without the two highest bits */

static inline bool cid__sha256_is_basis(uint64_t code)
{
    return code == CID__SHA256_TWICE || code == CID__SHA256_TRUNC254;
}

/* Makes the digest of SHA-256 that of such a function. */
void cid__sha256_finish(uint64_t code, uint8_t digest[32]);

#endif
