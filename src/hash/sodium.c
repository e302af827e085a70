/*
 * sodium.c - what libsodium computes: sha2-256, sha2-512, and blake2b from 16 bytes on.
 *
 * sodium_init is not called: these functions need no random numbers, and without it libsodium keeps
 * to its portable code, which for BLAKE2b is the quicker one on current processors.
 */
#include "hash/provider.h"

#ifdef CID_WITH_SODIUM

#include <sodium.h>

#define BLAKE2B_FIRST UINT64_C(0xb201)
#define BLAKE2B_LAST  UINT64_C(0xb240)

static enum cid_error sum_sha256(void *ctx, uint8_t *out, size_t out_len, const void *data,
                                 size_t data_len)
{
    (void)ctx;
    (void)out_len;
    return crypto_hash_sha256(out, data, data_len) == 0 ? CID_OK : CID_E_IO;
}

static enum cid_error sum_sha512(void *ctx, uint8_t *out, size_t out_len, const void *data,
                                 size_t data_len)
{
    (void)ctx;
    (void)out_len;
    return crypto_hash_sha512(out, data, data_len) == 0 ? CID_OK : CID_E_IO;
}

static enum cid_error sum_blake2b(void *ctx, uint8_t *out, size_t out_len, const void *data,
                                  size_t data_len)
{
    (void)ctx;
    return crypto_generichash_blake2b(out, out_len, data, data_len, NULL, 0) == 0 ? CID_OK
                                                                                  : CID_E_IO;
}

bool cid__provide_sodium(struct cid_hash_function *out)
{
    if (out->code == CID_HASH_SHA2_256)
        out->sum = sum_sha256;
    else if (out->code == CID_HASH_SHA2_512)
        out->sum = sum_sha512;
    else if (out->code >= BLAKE2B_FIRST && out->code <= BLAKE2B_LAST &&
             out->max_len >= crypto_generichash_blake2b_BYTES_MIN)
        out->sum = sum_blake2b;
    else
        return false;
    return true;
}

#endif
