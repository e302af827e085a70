#include "cid/binary.h"

enum cid_error cid_to_v0(struct cid *out, const struct cid_view *view,
                         const struct cid_allocator *alloc)
{
    struct cid__build to = cid__build_owner(&out->raw, alloc);

    if (view->len == 0)
        return cid__build_fail(&to, CID_E_ARGUMENT);
    if (view->codec != CID_CODEC_DAG_PB)
        return cid__build_fail(&to, CID_E_V0_CODEC);
    if (view->hash.code != CID_HASH_SHA2_256 || view->hash.digest_len != 32)
        return cid__build_fail(&to, CID_E_V0_HASH);
    return cid_make_v0(out, view->hash.digest, view->hash.digest_len, alloc);
}

enum cid_error cid_to_v1(struct cid *out, const struct cid_view *view,
                         const struct cid_allocator *alloc)
{
    struct cid__build to = cid__build_owner(&out->raw, alloc);

    if (view->len == 0)
        return cid__build_fail(&to, CID_E_ARGUMENT);
    return cid_make_v1(out, view->codec, view->hash.code, view->hash.digest, view->hash.digest_len,
                       alloc);
}

struct cid_prefix cid_prefix_of(const struct cid_view *view)
{
    return (struct cid_prefix){view->codec, view->hash.code, view->hash.digest_len, view->version};
}

/* Whether there can be a CID of that prefix. */
static enum cid_error check_prefix(uint64_t version, uint64_t codec, uint64_t hash, uint64_t len)
{
    if (version == 2 || version == 3)
        return CID_E_CID_RESERVED;
    if (version > 1)
        return CID_E_CID_VERSION;
    if (version == 0 && codec != CID_CODEC_DAG_PB)
        return CID_E_V0_CODEC;
    if (version == 0 && (hash != CID_HASH_SHA2_256 || len != 32))
        return CID_E_V0_HASH;
    /* SIZE_MAX itself stands for CID_DIGEST_DEFAULT. */
    return len >= SIZE_MAX ? CID_E_TOO_LARGE : CID_OK;
}

enum cid_error cid_prefix_read(struct cid_prefix *out, size_t *used, const uint8_t *in,
                               size_t in_len)
{
    struct cid__span span = cid__span_of(in, in_len);
    uint64_t numbers[4] = {0}; /* version, codec, hash code, digest length */
    enum cid_error error = CID_OK;

    for (size_t i = 0; i < 4 && !error; i++)
        error = cid__varint_take(&numbers[i], &span);
    if (!error)
        error = check_prefix(numbers[0], numbers[1], numbers[2], numbers[3]);
    if (error)
        return error;
    *out = (struct cid_prefix){numbers[1], numbers[2], (size_t)numbers[3], (uint8_t)numbers[0]};
    if (used)
        *used = (size_t)(span.at - in);
    return CID_OK;
}

enum cid_error cid_prefix_write(uint8_t *out, size_t cap, size_t *written,
                                const struct cid_prefix *prefix)
{
    struct cid__build to = cid__build_buffer(out, cap, written);
    uint8_t *at = NULL;
    enum cid_error error;

    cid__build_assert_apart(&to, prefix, sizeof *prefix);
    if (!cid__varint_fits(prefix->codec) || !cid__varint_fits(prefix->hash_code) ||
        !cid__varint_fits(prefix->digest_len))
        return CID_E_VARINT_OVERFLOW;
    error = check_prefix(prefix->version, prefix->codec, prefix->hash_code, prefix->digest_len);
    if (error)
        return error;
    error = cid__build_reserve(&to,
                               1 + cid__varint_size(prefix->codec) +
                                   cid__varint_size(prefix->hash_code) +
                                   cid__varint_size(prefix->digest_len),
                               &at);
    if (error)
        return error;
    *at++ = prefix->version;
    at = cid__varint_put(at, prefix->codec);
    cid__multihash_put_head(at, prefix->hash_code, prefix->digest_len);
    return cid__build_commit(&to);
}
