/*
 * cid.h - content identifiers, version 0 and 1: reading, building, text, comparison, conversion,
 * checking, and saying what is wrong with bad ones. Specification: multiformats/cid, and
 * ipfs/specs for paths.
 *
 * A struct cid_view is a CID in somebody else's bytes: it costs nothing and dies with them. Only
 * the library makes views, and functions trust their fields to agree. A struct cid owns its bytes;
 * a CID of up to CID_SMALL bytes, which is any of a registered function with a digest of 64 bytes
 * or less, never allocates. All-zero is the undefined CID. Assignment moves a struct cid, cid_copy
 * copies it. Every `struct cid *out` is write-only, and undefined after a failure, so that cid_free
 * is always legal.
 *
 * Threads: all functions are reentrant.
 */
#ifndef CID_CID_H
#define CID_CID_H

#include <cid/common.h>
#include <cid/hash.h>
#include <cid/multibase.h>
#include <cid/multicodec.h>
#include <cid/multihash.h>
#include <cid/varint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A CID in somebody else's bytes. */
struct cid_view {
    const uint8_t *bytes; /* the whole CID */
    size_t len;
    uint64_t codec; /* dag-pb for version 0 */
    struct cid_multihash_view hash;
    uint8_t version; /* 0 or 1; of no meaning when len is 0 */
};

/* A CID that owns its bytes. */
struct cid {
    struct cid_bytes raw;
};

/* What a CID says besides its digest. */
struct cid_prefix {
    uint64_t codec;
    uint64_t hash_code;
    size_t digest_len; /* CID_DIGEST_DEFAULT where a CID is to be made */
    uint8_t version;
};

/* The longest text accepted by default, in bytes. */
#define CID_TEXT_LIMIT 4096

/* ---- binary form ------------------------------------------------------------------------- */

/*
 * Reads the CID at the start of in. *used (may be NULL) is how many bytes it took. Nothing is
 * copied. On failure out and used are untouched; cid_diagnose_bytes tells where the fault is.
 *
 * CID_E_TRUNCATED, CID_E_VARINT_NOT_MINIMAL, CID_E_VARINT_OVERFLOW.
 * CID_E_CID_EXPLICIT_V0: version 0 written out. CID_E_CID_RESERVED: version 2 or 3.
 * CID_E_CID_VERSION: any other version; also 12 hex with another length than 20 hex, which is no
 * CIDv0.
 */
CID_API CID_MUST_USE enum cid_error cid_read(struct cid_view *out, size_t *used, const uint8_t *in,
                                             size_t in_len);

/* cid_read of the whole input. CID_E_TRAILING: bytes are left behind the CID. */
CID_API CID_MUST_USE enum cid_error cid_read_exact(struct cid_view *out, const uint8_t *in,
                                                   size_t in_len);

/*
 * How many bytes the CID at the start of in takes, from its first bytes only (28 always suffice).
 * CID_OK: *need is the size of the CID, however much of it is there. CID_E_TRUNCATED: not known
 * yet; *need is how many bytes must be seen at least. Other errors as cid_read.
 */
CID_API CID_MUST_USE enum cid_error cid_peek(uint64_t *need, const uint8_t *in, size_t in_len);

/*
 * Makes a CIDv0, of dag-pb and a sha2-256 digest. Never allocates.
 * CID_E_V0_HASH: digest_len is not 32.
 */
CID_API CID_MUST_USE enum cid_error cid_make_v0(struct cid *out, const uint8_t *digest,
                                                size_t digest_len,
                                                const struct cid_allocator *alloc);

/*
 * Makes a CIDv1: no allocation up to CID_SMALL bytes in all, exactly one of the final size above.
 * digest may be NULL when digest_len is 0.
 *
 * CID_E_VARINT_OVERFLOW: a number over 63 bits. CID_E_TOO_LARGE. CID_E_NOMEM.
 */
CID_API CID_MUST_USE enum cid_error cid_make_v1(struct cid *out, uint64_t codec, uint64_t hash_code,
                                                const uint8_t *digest, size_t digest_len,
                                                const struct cid_allocator *alloc);

/*
 * Writes a CIDv1 to out, which may be NULL when cap is 0. *written (may be NULL) is its size; with
 * CID_E_NOSPACE the size needed. CID_E_VARINT_OVERFLOW, CID_E_TOO_LARGE.
 */
CID_API CID_MUST_USE enum cid_error cid_write_v1(uint8_t *out, size_t cap, size_t *written,
                                                 uint64_t codec, uint64_t hash_code,
                                                 const uint8_t *digest, size_t digest_len);

/* Copies the bytes of a CID to out. CID_E_NOSPACE. CID_E_ARGUMENT: the view is undefined. */
CID_API CID_MUST_USE enum cid_error cid_write(uint8_t *out, size_t cap, size_t *written,
                                              const struct cid_view *view);

/* Hashes data and makes the CIDv1 of it. Errors: cid_hash_sum and cid_make_v1. */
CID_API CID_MUST_USE enum cid_error cid_sum_v1(struct cid *out, uint64_t codec, uint64_t hash_code,
                                               size_t digest_len, const void *data, size_t data_len,
                                               const struct cid_allocator *alloc);

/* Hashes data with sha2-256 and makes the CIDv0 of it. CID_E_HASH_ABSENT. */
CID_API CID_MUST_USE enum cid_error cid_sum_v0(struct cid *out, const void *data, size_t data_len,
                                               const struct cid_allocator *alloc);

/* ---- owners ------------------------------------------------------------------------------- */

/* An owner of a copy of the view's bytes. CID_E_NOMEM. CID_E_ARGUMENT: the view is undefined. */
CID_API CID_MUST_USE enum cid_error cid_own(struct cid *out, const struct cid_view *view,
                                            const struct cid_allocator *alloc);

/* A copy of an owner; the undefined CID copies to itself. CID_E_NOMEM. */
CID_API CID_MUST_USE enum cid_error cid_copy(struct cid *out, const struct cid *from,
                                             const struct cid_allocator *alloc);

/* The view of an owner, all-zero if undefined. It dies when the owner is moved or freed. */
CID_API struct cid_view cid_as_view(const struct cid *cid);

/* Whether the owner holds a CID. */
CID_API bool cid_is_defined(const struct cid *cid);

/* Releases what the owner holds and leaves it undefined. NULL and undefined are allowed. */
CID_API void cid_free(struct cid *cid, const struct cid_allocator *alloc);

/* ---- comparison --------------------------------------------------------------------------- */

/* Whether two CIDs are the same bytes. A CIDv0 never equals a CIDv1. Two undefined are equal. */
CID_API bool cid_equal(const struct cid_view *a, const struct cid_view *b);

/*
 * The total order of CIDs: bytewise, the shorter first where one starts the other. Less than,
 * equal to or greater than 0. Not the order of their texts.
 */
CID_API int cid_compare(const struct cid_view *a, const struct cid_view *b);

/*
 * A 64-bit hash of the bytes under a seed, for hash tables: equal CIDs have equal hashes. With a
 * seed that an attacker does not know it withstands chosen CIDs. It is SipHash-2-4 of all bytes,
 * its key the seed as eight bytes little-endian and eight zero bytes behind: the same on every
 * machine. Of the undefined CID it is the hash of no bytes.
 */
CID_API uint64_t cid_hash64(const struct cid_view *view, uint64_t seed);

/* Whether the multihashes are the same, whatever versions and codecs. */
CID_API bool cid_same_multihash(const struct cid_view *a, const struct cid_view *b);

/* Whether codec and multihash are the same, so that a CIDv0 is as its CIDv1. */
CID_API bool cid_same_content(const struct cid_view *a, const struct cid_view *b);

/* ---- conversion --------------------------------------------------------------------------- */

/*
 * The CIDv0 of a CID. CID_E_V0_CODEC: not dag-pb. CID_E_V0_HASH: not sha2-256 of 32 bytes.
 * CID_E_ARGUMENT: the view is undefined.
 */
CID_API CID_MUST_USE enum cid_error cid_to_v0(struct cid *out, const struct cid_view *view,
                                              const struct cid_allocator *alloc);

/* The CIDv1 of a CID. CID_E_NOMEM. CID_E_ARGUMENT: the view is undefined. */
CID_API CID_MUST_USE enum cid_error cid_to_v1(struct cid *out, const struct cid_view *view,
                                              const struct cid_allocator *alloc);

/* The prefix of a CID: all but its digest. */
CID_API struct cid_prefix cid_prefix_of(const struct cid_view *view);

/*
 * Reads a prefix in binary form: version, codec, hash code and digest length as varints. As go-cid
 * has it, version 0 is read here too, with dag-pb, sha2-256 and 32 only.
 * CID_E_TRUNCATED, CID_E_VARINT_…, CID_E_CID_RESERVED, CID_E_CID_VERSION, CID_E_V0_CODEC,
 * CID_E_V0_HASH, CID_E_TOO_LARGE.
 */
CID_API CID_MUST_USE enum cid_error cid_prefix_read(struct cid_prefix *out, size_t *used,
                                                    const uint8_t *in, size_t in_len);

/*
 * Writes a prefix in binary form to out, which may be NULL when cap is 0. *written (may be NULL) is
 * its size; with CID_E_NOSPACE the size needed. digest_len must be a length, not
 * CID_DIGEST_DEFAULT, which is CID_E_VARINT_OVERFLOW or CID_E_TOO_LARGE.
 * CID_E_VARINT_OVERFLOW: a number over 63 bits. CID_E_CID_RESERVED, CID_E_CID_VERSION,
 * CID_E_V0_CODEC, CID_E_V0_HASH: no CID has such a prefix.
 */
CID_API CID_MUST_USE enum cid_error cid_prefix_write(uint8_t *out, size_t cap, size_t *written,
                                                     const struct cid_prefix *prefix);

/*
 * Hashes data and makes a CID as the prefix says. Identity takes the length of the data, whatever
 * digest_len says. Errors: cid_hash_sum and cid_make_v1; for version 0 CID_E_V0_CODEC and
 * CID_E_V0_HASH; CID_E_CID_VERSION.
 */
CID_API CID_MUST_USE enum cid_error cid_prefix_sum(struct cid *out, const struct cid_prefix *prefix,
                                                   const void *data, size_t data_len,
                                                   const struct cid_hash_options *options,
                                                   const struct cid_allocator *alloc);

/*
 * Reads a link as DAG-CBOR's tag 42 holds it: the byte 00 and the CID, nothing behind.
 * CID_E_LINK_PREFIX, and the errors of cid_read_exact.
 */
CID_API CID_MUST_USE enum cid_error cid_link_read(struct cid_view *out, const uint8_t *in,
                                                  size_t in_len);

/* Writes a link: the byte 00 and the CID. CID_E_NOSPACE. CID_E_ARGUMENT: the view is undefined. */
CID_API CID_MUST_USE enum cid_error cid_link_write(uint8_t *out, size_t cap, size_t *written,
                                                   const struct cid_view *view);

/* ---- checking ----------------------------------------------------------------------------- */

/*
 * Checks data against a CID. CID_OK: it is the block. CID_E_MISMATCH: it is not.
 * CID_E_UNVERIFIABLE: nothing can be said; cid_can_verify tells why. CID_E_ARGUMENT: undefined.
 */
CID_API CID_MUST_USE enum cid_error cid_verify(const struct cid_view *view, const void *data,
                                               size_t data_len,
                                               const struct cid_hash_options *options);

/*
 * Checks n blocks against n CIDs, of any functions and lengths: verdicts[i] is what cid_verify says
 * of views[i] and data[i], with CID_GOOD for CID_OK; CID_UNVERIFIABLE also where the view is
 * undefined. Several times as fast as n calls: see cid_hash_many. Never allocates, cannot fail.
 */
CID_API void cid_verify_many(enum cid_verdict *verdicts, const struct cid_view *views,
                             const struct cid_data *data, size_t n,
                             const struct cid_hash_options *options);

/*
 * Whether blocks of this CID can be checked at all: CID_OK, or the reason as cid_hash_check gives
 * it, or CID_E_UNVERIFIABLE for Filecoin commitments, which are no hashes of the block.
 */
CID_API CID_MUST_USE enum cid_error cid_can_verify(const struct cid_view *view,
                                                   const struct cid_hash_options *options);

/* ---- text --------------------------------------------------------------------------------- */

/* Options of parsing; all-zero is strict with a limit of CID_TEXT_LIMIT. */
struct cid_parse_options {
    size_t size;           /* 0 or sizeof(struct cid_parse_options) */
    size_t text_limit;     /* in bytes; 0 is CID_TEXT_LIMIT */
    uint32_t allow;        /* CID_ALLOW_… of multibase.h */
    size_t identity_limit; /* the longest digest of an identity CID; 0 is no limit of its own */
};

/*
 * Parses bare CID text, the whole of it: 46 characters of base58btc that start with "Qm", or a
 * multibase text of a CIDv1. No blanks, no path. Allocates as cid_make_v1 does.
 * cid_diagnose says where the fault is.
 *
 * CID_E_TEXT_EMPTY, CID_E_TEXT_LIMIT, CID_E_BASE_…: as cid_multibase_decode. CID_E_V0_LENGTH.
 * CID_E_V0_IN_BASE: what is inside the multibase starts with 12 hex. Errors of cid_read_exact.
 * CID_E_NOMEM.
 */
CID_API CID_MUST_USE enum cid_error cid_parse(struct cid *out, const char *text, size_t text_len,
                                              const struct cid_allocator *alloc);

/*
 * cid_parse with options (may be NULL), and *base (may be NULL) the base that the text is in.
 * CID_E_IDENTITY_LIMIT: over options->identity_limit.
 */
CID_API CID_MUST_USE enum cid_error cid_parse_with(struct cid *out, enum cid_base *base,
                                                   const char *text, size_t text_len,
                                                   const struct cid_parse_options *options,
                                                   const struct cid_allocator *alloc);

/* Where cid_find found a CID: offsets and lengths in bytes of the text. */
struct cid_found {
    enum cid_base base;
    size_t cid_at; /* the CID's text */
    size_t cid_len;
    size_t rest_at; /* what follows the CID: "", or from the '/', '?' or '#' on */
    size_t rest_len;
};

/*
 * Finds the CID in a path or URL: "/ipfs/CID…", "/ipld/CID…", "/ipns/CID…", "dweb:/ipfs/CID…",
 * "ipfs://CID…" and likewise ipld and ipns, "http(s)://host/ipfs/CID…", "http(s)://CID.ipfs.host…",
 * or bare CID text. The CID ends at the first '/', '?' or '#'. found may be NULL.
 *
 * CID_E_NO_CID: no such path or URL. Errors of cid_parse for what stands in the CID's place.
 */
CID_API CID_MUST_USE enum cid_error cid_find(struct cid *out, struct cid_found *found,
                                             const char *text, size_t text_len,
                                             const struct cid_allocator *alloc);

/* How many characters, NUL not counted, cid_format will write. Errors as cid_format. */
CID_API CID_MUST_USE enum cid_error cid_text_size(size_t *size, const struct cid_view *view,
                                                  enum cid_base base);

/*
 * Formats a CID and ends it in NUL. *written (may be NULL) is the length without NUL; cap must hold
 * *written + 1. out may be NULL when cap is 0. The same CID and base always give the same text.
 *
 * CID_E_NOSPACE: *written is the length needed, NUL not counted. CID_E_V0_BASE: a CIDv0 has
 * base58btc only; convert first. CID_E_ARGUMENT: no such base, or the view is undefined.
 */
CID_API CID_MUST_USE enum cid_error cid_format(char *out, size_t cap, size_t *written,
                                               const struct cid_view *view, enum cid_base base);

/*
 * Says what is wrong with a text that cid_parse refuses: code and field, the offset in the text or
 * in the decoded bytes, what could be decoded before, and what the text probably is. The code is
 * that of cid_parse; CID_OK when nothing is wrong. Never allocates.
 */
CID_API void cid_diagnose(struct cid_fault *fault, const char *text, size_t text_len);

/* The same for bytes that cid_read_exact refuses. */
CID_API void cid_diagnose_bytes(struct cid_fault *fault, const uint8_t *bytes, size_t len);

/*
 * The CID that a bad text probably means, if there is one: the dag-pb CID of a bare multihash, the
 * libp2p-key CID of a PeerID, the raw CID of a SHA-256 in hex, the CID in a path or between blanks.
 * CID_E_NOT_FOUND: no idea. CID_E_NOMEM.
 */
CID_API CID_MUST_USE enum cid_error cid_suggest(struct cid *out, const char *text, size_t text_len,
                                                const struct cid_allocator *alloc);

/*
 * Whether a text is a CID of the DASL / AT Protocol profile: 'b' and lower-case base32, version 1,
 * raw or dag-cbor, sha2-256 with 32 bytes. CID_OK, the rule it breaks as CID_E_PROFILE_…, or, for
 * text that is no CID, the error of cid_parse.
 */
CID_API CID_MUST_USE enum cid_error cid_dasl_check(const char *text, size_t text_len);

/* cid_dasl_check for a CID in binary form: all rules but that of the base. */
CID_API CID_MUST_USE enum cid_error cid_dasl_check_view(const struct cid_view *view);

#ifdef __cplusplus
}
#endif

#endif
