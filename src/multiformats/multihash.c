#include "multiformats/multihash.h"

enum cid_error cid_multihash_read(struct cid_multihash_view *out, size_t *used, const uint8_t *in,
                                  size_t in_len)
{
    struct cid__span span = cid__span_of(in, in_len);
    enum cid_error error = cid__multihash_take(out, &span);
    if (error)
        return error;
    if (used)
        *used = (size_t)(span.at - in);
    return CID_OK;
}

enum cid_error cid_multihash_read_exact(struct cid_multihash_view *out, const uint8_t *in,
                                        size_t in_len)
{
    struct cid_multihash_view view;
    size_t used = 0;
    enum cid_error error = cid_multihash_read(&view, &used, in, in_len);
    if (error)
        return error;
    if (used != in_len)
        return CID_E_TRAILING;
    *out = view;
    return CID_OK;
}

static inline enum cid_error build(struct cid__build *to, uint64_t code, const uint8_t *digest,
                                   size_t digest_len)
{
    size_t total = 0;
    uint8_t *at = NULL;
    enum cid_error error = cid__multihash_measure(&total, code, digest_len);

    cid__build_assert_apart(to, digest, digest_len);
    if (error)
        return cid__build_fail(to, error);
    error = cid__build_reserve(to, total, &at);
    if (error)
        return error;
    cid__put(cid__multihash_put_head(at, code, digest_len), digest, digest_len);
    return cid__build_commit(to);
}

enum cid_error cid_multihash_write(uint8_t *out, size_t cap, size_t *written, uint64_t code,
                                   const uint8_t *digest, size_t digest_len)
{
    struct cid__build to = cid__build_buffer(out, cap, written);
    return build(&to, code, digest, digest_len);
}

enum cid_error cid_multihash_make(struct cid_bytes *out, uint64_t code, const uint8_t *digest,
                                  size_t digest_len, const struct cid_allocator *alloc)
{
    struct cid__build to = cid__build_owner(out, alloc);
    return build(&to, code, digest, digest_len);
}
