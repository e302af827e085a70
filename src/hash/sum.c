#include "hash/sum.h"

#include "hash/provider.h"
#include "multiformats/multihash.h"

const struct cid_hash_function *cid__hash_supplied(uint64_t code,
                                                   const struct cid_hash_options *options)
{
    for (size_t i = 0; options && i < options->function_count; i++)
        if (options->functions[i].code == code)
            return &options->functions[i];
    return NULL;
}

/* The library's own function of that code. */
static enum cid_error provided(struct cid_hash_function *out, uint64_t code)
{
    const struct cid__hash_row *row = cid__hash_row(code);
    size_t len;

    if (!row)
        return CID_E_HASH_UNKNOWN;
    len = (size_t)row->len + (size_t)(code - row->first);
    *out = (struct cid_hash_function){
        .code = code,
        .min_len = row->flags & CID__HASH_ANY_LENGTH ? 1 : len,
        .max_len = row->flags & (CID__HASH_ANY_LENGTH | CID__HASH_IDENTITY) ? SIZE_MAX : len,
        .default_len = len,
    };
    return cid__provide(out) ? CID_OK : CID_E_HASH_ABSENT;
}

static enum cid_error find(struct cid_hash_function *out, uint64_t code,
                           const struct cid_hash_options *options)
{
    const struct cid_hash_function *own = cid__hash_supplied(code, options);
    if (!own)
        return provided(out, code);
    *out = *own;
    return CID_OK;
}

enum cid_error cid__hash_resolve(struct cid_hash_function *out, size_t *digest_len, uint64_t code,
                                 size_t data_len, const struct cid_hash_options *options)
{
    enum cid_error error = find(out, code, options);

    if (error)
        return error;
    if (code == CID_HASH_IDENTITY) {
        if (*digest_len != CID_DIGEST_DEFAULT && *digest_len != data_len)
            return CID_E_DIGEST_LENGTH;
        *digest_len = data_len;
        return CID_OK;
    }
    if (*digest_len == CID_DIGEST_DEFAULT)
        *digest_len = out->default_len;
    if (*digest_len == 0 || *digest_len > out->max_len)
        return CID_E_DIGEST_LENGTH;
    if (*digest_len < out->min_len && out->min_len > CID_HASH_CUT_MAX)
        return CID_E_DIGEST_LENGTH;
    return CID_OK;
}

enum cid_error cid__hash_into(const struct cid_hash_function *function, uint8_t *out,
                              size_t digest_len, const void *data, size_t data_len)
{
    uint8_t whole[CID_HASH_CUT_MAX];
    enum cid_error error;

    if (function->code == CID_HASH_IDENTITY || digest_len >= function->min_len)
        return function->sum(function->ctx, out, digest_len, data, data_len);
    error = function->sum(function->ctx, whole, function->min_len, data, data_len);
    if (!error)
        memcpy(out, whole, digest_len);
    return error;
}

enum cid_error cid_hash_sum(uint8_t *out, size_t cap, size_t *written, uint64_t code,
                            size_t digest_len, const void *data, size_t data_len,
                            const struct cid_hash_options *options)
{
    struct cid_hash_function function;
    enum cid_error error = cid__hash_resolve(&function, &digest_len, code, data_len, options);

    cid__assert_apart(out, cap, data, data_len);
    if (!error && digest_len > cap)
        error = CID_E_NOSPACE;
    if (!error)
        error = cid__hash_into(&function, out, digest_len, data, data_len);
    if (written && (!error || error == CID_E_NOSPACE))
        *written = digest_len;
    return error;
}

enum cid_error cid_multihash_sum(struct cid_bytes *out, uint64_t code, size_t digest_len,
                                 const void *data, size_t data_len,
                                 const struct cid_hash_options *options,
                                 const struct cid_allocator *alloc)
{
    struct cid__build to = cid__build_owner(out, alloc);
    struct cid_hash_function function;
    size_t total = 0;
    uint8_t *at = NULL;
    enum cid_error error = cid__hash_resolve(&function, &digest_len, code, data_len, options);

    cid__build_assert_apart(&to, data, data_len);
    if (!error)
        error = cid__multihash_measure(&total, code, digest_len);
    if (error)
        return cid__build_fail(&to, error);
    error = cid__build_reserve(&to, total, &at);
    if (error)
        return error;
    at = cid__multihash_put_head(at, code, digest_len);
    error = cid__hash_into(&function, at, digest_len, data, data_len);
    return error ? cid__build_undo(&to, error) : cid__build_commit(&to);
}

/* The function of that code, if a digest of that length from it proves anything. */
static enum cid_error find_proof(struct cid_hash_function *out, uint64_t code, size_t digest_len,
                                 const struct cid_hash_options *options)
{
    const struct cid__hash_row *row =
        cid__hash_supplied(code, options) ? NULL : cid__hash_row(code);
    enum cid_error error = find(out, code, options);

    if (error || code == CID_HASH_IDENTITY)
        return error;
    if (row && row->flags & CID__HASH_NO_PROOF)
        return CID_E_UNVERIFIABLE;
    if (digest_len < CID_DIGEST_MIN || digest_len > CID_HASH_CUT_MAX)
        return CID_E_DIGEST_LENGTH;
    return cid__hash_resolve(out, &digest_len, code, 0, options);
}

enum cid_error cid_hash_check(uint64_t code, size_t digest_len,
                              const struct cid_hash_options *options)
{
    struct cid_hash_function function;
    return find_proof(&function, code, digest_len, options);
}

enum cid_error cid_multihash_verify(const struct cid_multihash_view *hash, const void *data,
                                    size_t data_len, const struct cid_hash_options *options)
{
    uint8_t digest[CID_HASH_CUT_MAX];
    struct cid_hash_function function;
    size_t len = hash->digest_len;

    if (find_proof(&function, hash->code, len, options) != CID_OK)
        return CID_E_UNVERIFIABLE;
    if (hash->code == CID_HASH_IDENTITY)
        return len == data_len && (len == 0 || memcmp(hash->digest, data, len) == 0)
                   ? CID_OK
                   : CID_E_MISMATCH;
    if (cid__hash_into(&function, digest, len, data, data_len) != CID_OK)
        return CID_E_UNVERIFIABLE;
    return memcmp(hash->digest, digest, len) == 0 ? CID_OK : CID_E_MISMATCH;
}
