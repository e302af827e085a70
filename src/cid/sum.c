#include "cid/verify.h"

#include "cid/binary.h"
#include "hash/sum.h"

/* Builds a CID of which all is known but the digest, which is computed in its final place. */
static enum cid_error build_sum(struct cid *out, const struct cid_prefix *prefix, const void *data,
                                size_t data_len, const struct cid_hash_options *options,
                                const struct cid_allocator *alloc)
{
    struct cid__build to = cid__build_owner(&out->raw, alloc);
    struct cid_hash_function function;
    size_t digest_len = prefix->digest_len;
    size_t total = prefix->version == 0 ? 0 : 1;
    uint8_t *at = NULL;
    enum cid_error error;

    cid__build_assert_apart(&to, data, data_len);
    if (!cid__varint_fits(prefix->codec))
        return cid__build_fail(&to, CID_E_VARINT_OVERFLOW);
    if (prefix->version != 0)
        total += cid__varint_size(prefix->codec);
    error = cid__hash_resolve(&function, &digest_len, prefix->hash_code, data_len, options);
    if (!error)
        error = cid__multihash_measure(&total, prefix->hash_code, digest_len);
    if (error)
        return cid__build_fail(&to, error);
    error = cid__build_reserve(&to, total, &at);
    if (error)
        return error;
    if (prefix->version != 0) {
        *at++ = 1;
        at = cid__varint_put(at, prefix->codec);
    }
    at = cid__multihash_put_head(at, prefix->hash_code, digest_len);
    error = cid__hash_into(&function, at, digest_len, data, data_len);
    return error ? cid__build_undo(&to, error) : cid__build_commit(&to);
}

enum cid_error cid_sum_v1(struct cid *out, uint64_t codec, uint64_t hash_code, size_t digest_len,
                          const void *data, size_t data_len, const struct cid_allocator *alloc)
{
    struct cid_prefix prefix = {codec, hash_code, digest_len, 1};
    return build_sum(out, &prefix, data, data_len, NULL, alloc);
}

enum cid_error cid_sum_v0(struct cid *out, const void *data, size_t data_len,
                          const struct cid_allocator *alloc)
{
    struct cid_prefix prefix = {CID_CODEC_DAG_PB, CID_HASH_SHA2_256, 32, 0};
    return build_sum(out, &prefix, data, data_len, NULL, alloc);
}

enum cid_error cid_prefix_sum(struct cid *out, const struct cid_prefix *prefix, const void *data,
                              size_t data_len, const struct cid_hash_options *options,
                              const struct cid_allocator *alloc)
{
    struct cid__build to = cid__build_owner(&out->raw, alloc);
    struct cid_prefix p = *prefix;

    if (p.version > 1)
        return cid__build_fail(&to, CID_E_CID_VERSION);
    if (p.hash_code == CID_HASH_IDENTITY)
        p.digest_len = CID_DIGEST_DEFAULT; /* the length of a template is not that of the data */
    if (p.version == 0 && p.codec != CID_CODEC_DAG_PB)
        return cid__build_fail(&to, CID_E_V0_CODEC);
    if (p.version == 0 && (p.hash_code != CID_HASH_SHA2_256 ||
                           (p.digest_len != 32 && p.digest_len != CID_DIGEST_DEFAULT)))
        return cid__build_fail(&to, CID_E_V0_HASH);
    return build_sum(out, &p, data, data_len, options, alloc);
}

/* A Filecoin commitment is the root of a tree over padded data, whatever its hash code says. */
static bool is_commitment(const struct cid_view *view)
{
    return view->codec == CID_CODEC_FIL_COMMITMENT_UNSEALED ||
           view->codec == CID_CODEC_FIL_COMMITMENT_SEALED;
}

enum cid_error cid_can_verify(const struct cid_view *view, const struct cid_hash_options *options)
{
    if (view->len == 0)
        return CID_E_ARGUMENT;
    if (is_commitment(view))
        return CID_E_UNVERIFIABLE;
    return cid_hash_check(view->hash.code, view->hash.digest_len, options);
}

enum cid_error cid_verify(const struct cid_view *view, const void *data, size_t data_len,
                          const struct cid_hash_options *options)
{
    if (view->len == 0)
        return CID_E_ARGUMENT;
    if (is_commitment(view))
        return CID_E_UNVERIFIABLE;
    return cid_multihash_verify(&view->hash, data, data_len, options);
}

void cid__verify_many_ahead(enum cid_verdict *verdicts, const struct cid_view *views,
                            const struct cid_data *data, size_t n,
                            const struct cid_hash_options *options, struct cid__ahead *ahead)
{
    struct cid__verify_batch batch = {verdicts, NULL, sizeof *views, data, n, options, ahead};

    if (n == 0)
        return;
    batch.hashes = &views->hash;
    cid__verify_many(&batch);
    for (size_t i = 0; i < n; i++)
        if (views[i].len == 0 || is_commitment(&views[i]))
            verdicts[i] = CID_UNVERIFIABLE;
}

void cid_verify_many(enum cid_verdict *verdicts, const struct cid_view *views,
                     const struct cid_data *data, size_t n, const struct cid_hash_options *options)
{
    struct cid__ahead nothing = {0, 0};

    cid__verify_many_ahead(verdicts, views, data, n, options, &nothing);
}
