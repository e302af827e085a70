/*
 * hash.h - hash functions by their multicodec codes: what is known of each, hashing, and checking
 * data against a multihash. Specification: multiformats/multihash, and each function's own.
 *
 * What cannot be checked is never good: an unknown function, one that this build does not have, a
 * digest of fewer than 20 bytes (identity aside), one longer than the function can make, and one of
 * more than 128 bytes are CID_E_UNVERIFIABLE. A digest that was cut to 20 bytes or more is compared
 * by its prefix.
 *
 * Threads: all functions are reentrant; so must be the functions that a caller supplies.
 */
#ifndef CID_HASH_H
#define CID_HASH_H

#include <cid/common.h>
#include <cid/multihash.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Codes that programs write by name. */
#define CID_HASH_IDENTITY    UINT64_C(0x00)
#define CID_HASH_SHA2_256    UINT64_C(0x12)
#define CID_HASH_SHA2_512    UINT64_C(0x13)
#define CID_HASH_BLAKE2B_256 UINT64_C(0xb220)

/* As a digest length: the function's own default; for identity the length of the data. */
#define CID_DIGEST_DEFAULT SIZE_MAX
/* The shortest digest that is accepted as proof, identity aside. */
#define CID_DIGEST_MIN 20

/* What was found out about a block. */
enum cid_verdict {
    CID_UNCHECKED = 0,
    CID_GOOD,
    CID_MISMATCH,
    CID_UNVERIFIABLE
};

/* "unchecked", "ok", "mismatch", "unverifiable". A static string. */
CID_API const char *cid_verdict_name(enum cid_verdict verdict);

/* What is known of a hash function. Lengths in bytes. */
struct cid_hash_info {
    uint64_t code;
    const char *name;
    size_t min_len;     /* the shortest digest the function is defined for */
    size_t max_len;     /* the longest; SIZE_MAX where there is no limit */
    size_t default_len; /* what CID_DIGEST_DEFAULT stands for */
    bool available;     /* whether it can be computed here and now */
    bool cryptographic; /* whether a digest proves anything; not so for murmur3 */
};

/*
 * Finds a function by its code. CID_E_NOT_FOUND: libcid knows no hash function of that code.
 *
 * What is computed by libgcrypt (sha1, sha2-384, sha2-512/t, ripemd-160, md5, sm3) is available
 * where that is installed and allows it. It is opened, once a process, when one of these functions
 * is asked for first, here or when hashing.
 */
CID_API CID_MUST_USE enum cid_error cid_hash_by_code(struct cid_hash_info *out, uint64_t code);

/* Finds a function by its multicodec name. CID_E_NOT_FOUND. */
CID_API CID_MUST_USE enum cid_error cid_hash_by_name(struct cid_hash_info *out, const char *name,
                                                     size_t name_len);

/* The number of functions known. */
CID_API size_t cid_hash_count(void);

/* Function number i in the order of codes. CID_E_NOT_FOUND. */
CID_API CID_MUST_USE enum cid_error cid_hash_at(struct cid_hash_info *out, size_t i);

/*
 * A hash function of the caller's. sum writes exactly out_len bytes, min_len <= out_len <= max_len;
 * shorter digests are cut by the library from one of min_len bytes, which is at most
 * CID_HASH_CUT_MAX. A failure of sum is handed on. The library trusts the function: its digests are
 * taken as proof.
 */
#define CID_HASH_CUT_MAX 128

struct cid_hash_function {
    uint64_t code;
    size_t min_len;
    size_t max_len;
    size_t default_len;
    enum cid_error (*sum)(void *ctx, uint8_t *out, size_t out_len, const void *data,
                          size_t data_len);
    void *ctx;
};

/* Options of hashing; all-zero is the library's own functions. */
struct cid_hash_options {
    size_t size;                               /* 0 or sizeof(struct cid_hash_options) */
    const struct cid_hash_function *functions; /* asked before the library's own */
    size_t function_count;
};

/*
 * Hashes data to out, digest_len bytes of it: the default length, or any that the function makes,
 * or fewer, down to 1, of a longer digest. For identity digest_len is data_len or
 * CID_DIGEST_DEFAULT. *written (may be NULL) is the length.
 *
 * CID_E_HASH_UNKNOWN, CID_E_HASH_ABSENT: the function. CID_E_DIGEST_LENGTH: it makes no such
 * digest. CID_E_NOSPACE: cap is too small, *written is the length needed. CID_E_NOMEM: a function
 * of libgcrypt, which may need memory of its own; others need none.
 */
CID_API CID_MUST_USE enum cid_error cid_hash_sum(uint8_t *out, size_t cap, size_t *written,
                                                 uint64_t code, size_t digest_len, const void *data,
                                                 size_t data_len,
                                                 const struct cid_hash_options *options);

/*
 * Hashes data and makes the multihash of it, the digest computed in its final place. Allocates as
 * cid_multihash_make does. Errors: those of cid_hash_sum and cid_multihash_make.
 */
CID_API CID_MUST_USE enum cid_error cid_multihash_sum(struct cid_bytes *out, uint64_t code,
                                                      size_t digest_len, const void *data,
                                                      size_t data_len,
                                                      const struct cid_hash_options *options,
                                                      const struct cid_allocator *alloc);

/*
 * Checks data against a multihash. CID_OK: the digest is right.
 *
 * CID_E_MISMATCH: it is wrong. CID_E_UNVERIFIABLE: nothing can be said; cid_hash_check tells why.
 */
CID_API CID_MUST_USE enum cid_error cid_multihash_verify(const struct cid_multihash_view *hash,
                                                         const void *data, size_t data_len,
                                                         const struct cid_hash_options *options);

/*
 * Whether a digest of that function and length can be checked at all, without any data. CID_OK, or
 * the reason: CID_E_HASH_UNKNOWN, CID_E_HASH_ABSENT, CID_E_DIGEST_LENGTH (under 20 or over 128
 * bytes, or longer than the function makes), CID_E_UNVERIFIABLE (not a cryptographic function).
 */
CID_API CID_MUST_USE enum cid_error cid_hash_check(uint64_t code, size_t digest_len,
                                                   const struct cid_hash_options *options);

/* ---- many at once ------------------------------------------------------------------------- */

/*
 * Some bytes: one of the messages that are hashed together. Not NULL unless len is 0. Messages may
 * overlap, or be the same.
 */
struct cid_data {
    const void *data;
    size_t len;
};

/*
 * Hashes n messages by one function, to digests of one length that follow each other in out:
 * digest i at out + i * digest_len. Gives what n calls of cid_hash_sum give, but several times as
 * fast: the messages are worked on side by side, whatever their lengths (sha2-256, what is made of
 * it, and blake2b, on processors that can). The more there are the better; from some 128 on it
 * makes no difference. Never allocates, what libgcrypt does aside. With CID_DIGEST_DEFAULT all
 * digests of identity must come out the same length. *written (may be NULL) is n times the length.
 *
 * Errors: those of cid_hash_sum; CID_E_NOSPACE: *written is the size needed; CID_E_TOO_LARGE.
 */
CID_API CID_MUST_USE enum cid_error cid_hash_many(uint8_t *out, size_t cap, size_t *written,
                                                  uint64_t code, size_t digest_len,
                                                  const struct cid_data *data, size_t n,
                                                  const struct cid_hash_options *options);

/*
 * Checks n messages against n multihashes, of any functions and lengths: verdicts[i] is what
 * cid_multihash_verify says of data[i] and hashes[i] - CID_GOOD for CID_OK, CID_MISMATCH, or
 * CID_UNVERIFIABLE. As fast as cid_hash_many, for any mix. Never allocates, what libgcrypt does
 * aside, and cannot fail.
 */
CID_API void cid_multihash_verify_many(enum cid_verdict *verdicts,
                                       const struct cid_multihash_view *hashes,
                                       const struct cid_data *data, size_t n,
                                       const struct cid_hash_options *options);

/* ---- in pieces ------------------------------------------------------------------------------ */

/*
 * A hasher takes its data in pieces, in constant memory. It belongs to one thread at a time.
 */
struct cid_hasher;

/* As much data as a hasher of identity holds, in bytes. */
#define CID_HASHER_IDENTITY_MAX 128

/*
 * Opens a hasher of that function, for digests of that length, as in cid_hash_sum. *out is NULL on
 * failure. The allocator must outlive the hasher; libgcrypt allocates by itself. For identity only
 * CID_DIGEST_DEFAULT is allowed.
 *
 * CID_E_HASH_UNKNOWN, CID_E_DIGEST_LENGTH: as cid_hash_sum. CID_E_HASH_ABSENT: also when options
 * has a function of that code, since those cannot take pieces. CID_E_NOMEM.
 */
CID_API CID_MUST_USE enum cid_error cid_hasher_open(struct cid_hasher **out, uint64_t code,
                                                    size_t digest_len,
                                                    const struct cid_hash_options *options,
                                                    const struct cid_allocator *alloc);

/*
 * Takes the next len bytes; data may be NULL when len is 0.
 *
 * CID_E_DIGEST_LENGTH: identity, and more than CID_HASHER_IDENTITY_MAX bytes in all. Other
 * functions never fail.
 */
CID_API CID_MUST_USE enum cid_error cid_hasher_update(struct cid_hasher *hasher, const void *data,
                                                      size_t len);

/*
 * The digest of all data so far. It does not disturb the hasher, which can take more data and be
 * asked again. *written (may be NULL) is the length.
 *
 * CID_E_NOSPACE: cap is too small, *written is the length needed. CID_E_DIGEST_LENGTH: update has
 * said so before. CID_E_NOMEM: a function of libgcrypt; it may be asked again.
 */
CID_API CID_MUST_USE enum cid_error cid_hasher_finish(uint8_t *out, size_t cap, size_t *written,
                                                      const struct cid_hasher *hasher);

/* Forgets all data: the hasher is as it was when opened. */
CID_API void cid_hasher_reset(struct cid_hasher *hasher);

/* Frees the hasher. NULL is allowed. */
CID_API void cid_hasher_close(struct cid_hasher *hasher);

#ifdef __cplusplus
}
#endif

#endif
