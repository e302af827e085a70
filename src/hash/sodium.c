/*
 * sodium.c - what libsodium computes: sha2-512, and the blocks of SHA-256 on processors without
 * anything for it. sodium_init is not called, since this needs no random numbers and libsodium has
 * one implementation of each only.
 */
#include "hash/sha256.h"
#include "hash/stream.h"

#ifdef CID_WITH_SODIUM

#include <sodium.h>
#include <string.h>

void cid__sha256_blocks_sodium(uint32_t h[8], const uint8_t *data, size_t blocks)
{
    crypto_hash_sha256_state state = {.count = 0}; /* nothing is held: whole blocks only */

    memcpy(state.state, h, sizeof state.state);
    crypto_hash_sha256_update(&state, data, (unsigned long long)blocks * CID__SHA256_BLOCK);
    memcpy(h, state.state, sizeof state.state);
}

static void init(void *state, size_t out_len)
{
    (void)out_len;
    crypto_hash_sha512_init(state);
}

static void update(void *state, const uint8_t *data, size_t len)
{
    crypto_hash_sha512_update(state, data, len);
}

static void final(void *state, uint8_t *out, size_t out_len)
{
    (void)out_len;
    crypto_hash_sha512_final(state, out);
}

static void sum(uint8_t *out, size_t out_len, const uint8_t *data, size_t len)
{
    (void)out_len;
    crypto_hash_sha512(out, data, len);
}

static const struct cid__stream sha512 = {
    sizeof(crypto_hash_sha512_state), init, update, final, sum, NULL,
};

const struct cid__stream *cid__stream_sodium(uint64_t code)
{
    return code == CID_HASH_SHA2_512 ? &sha512 : NULL;
}

#endif
