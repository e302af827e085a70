#include "cid/binary.h"

/* The error for a version number that is not 1. */
static enum cid_error version_error(uint64_t version)
{
    if (version == 0)
        return CID_E_CID_EXPLICIT_V0;
    return version == 2 || version == 3 ? CID_E_CID_RESERVED : CID_E_CID_VERSION;
}

static enum cid_error take_v0(struct cid_view *out, struct cid__span *in)
{
    if (!cid__span_has(in, CID__V0_SIZE))
        return CID_E_TRUNCATED;
    out->bytes = cid__span_take(in, CID__V0_SIZE);
    out->len = CID__V0_SIZE;
    out->codec = CID_CODEC_DAG_PB;
    out->hash = (struct cid_multihash_view){CID_HASH_SHA2_256, out->bytes + 2, 32};
    out->version = 0;
    return CID_OK;
}

static enum cid_error take_v1(struct cid_view *out, struct cid__span *in)
{
    const uint8_t *start = in->at;
    uint64_t version = 0;
    uint64_t codec = 0;
    struct cid_multihash_view hash;
    enum cid_error error = cid__varint_take(&version, in);

    if (error)
        return error;
    if (version != 1)
        return version_error(version);
    error = cid__varint_take(&codec, in);
    if (!error)
        error = cid__multihash_take(&hash, in);
    if (error)
        return error;
    out->bytes = start;
    out->len = (size_t)(in->at - start);
    out->codec = codec;
    out->hash = hash;
    out->version = 1;
    return CID_OK;
}

enum cid_error cid__take_any(struct cid_view *out, struct cid__span *in)
{
    size_t left = cid__span_left(in);

    if (left == 0)
        return CID_E_TRUNCATED;
    if (in->at[0] == 0x12 && (left == 1 || in->at[1] == 0x20))
        return take_v0(out, in);
    return take_v1(out, in);
}

struct cid_view cid__view_trusted(const uint8_t *bytes, size_t len)
{
    struct cid_view view = {0};
    struct cid__span span = cid__span_of(bytes, len);

    if (len != 0)
        (void)!cid__take(&view, &span);
    return view;
}

enum cid_error cid_read(struct cid_view *out, size_t *used, const uint8_t *in, size_t in_len)
{
    struct cid__span span = cid__span_of(in, in_len);
    enum cid_error error = cid__take(out, &span);
    if (error)
        return error;
    if (used)
        *used = (size_t)(span.at - in);
    return CID_OK;
}

enum cid_error cid_read_exact(struct cid_view *out, const uint8_t *in, size_t in_len)
{
    struct cid_view view;
    size_t used = 0;
    enum cid_error error = cid_read(&view, &used, in, in_len);
    if (error)
        return error;
    if (used != in_len)
        return CID_E_TRAILING;
    *out = view;
    return CID_OK;
}

enum cid_error cid_peek(uint64_t *need, const uint8_t *in, size_t in_len)
{
    struct cid__span span = cid__span_of(in, in_len);
    uint64_t version = 0;
    uint64_t skipped = 0;
    uint64_t digest_len = 0;
    enum cid_error error;

    if (in_len >= 2 && in[0] == 0x12 && in[1] == 0x20) {
        *need = CID__V0_SIZE;
        return CID_OK;
    }
    error = in_len == 1 && in[0] == 0x12 ? CID_E_TRUNCATED : cid__varint_take(&version, &span);
    if (!error && version != 1)
        return version_error(version);
    if (!error)
        error = cid__varint_take(&skipped, &span);
    if (!error)
        error = cid__varint_take(&skipped, &span);
    if (!error)
        error = cid__varint_take(&digest_len, &span);
    if (error == CID_E_TRUNCATED)
        *need = (uint64_t)in_len + 1;
    if (error)
        return error;
    *need = (uint64_t)(span.at - in) + digest_len; /* at most 28 + 2^63 - 1 */
    return CID_OK;
}

/* ---- construction ------------------------------------------------------------------------- */

static inline enum cid_error build_v1(struct cid__build *to, uint64_t codec, uint64_t hash_code,
                                      const uint8_t *digest, size_t digest_len)
{
    size_t total = 1;
    uint8_t *at = NULL;
    enum cid_error error;

    cid__build_assert_apart(to, digest, digest_len);
    if (!cid__varint_fits(codec))
        return cid__build_fail(to, CID_E_VARINT_OVERFLOW);
    total += cid__varint_size(codec);
    error = cid__multihash_measure(&total, hash_code, digest_len);
    if (error)
        return cid__build_fail(to, error);
    error = cid__build_reserve(to, total, &at);
    if (error)
        return error;
    *at++ = 1;
    at = cid__varint_put(at, codec);
    cid__put(cid__multihash_put_head(at, hash_code, digest_len), digest, digest_len);
    return cid__build_commit(to);
}

enum cid_error cid_make_v1(struct cid *out, uint64_t codec, uint64_t hash_code,
                           const uint8_t *digest, size_t digest_len,
                           const struct cid_allocator *alloc)
{
    struct cid__build to = cid__build_owner(&out->raw, alloc);

    if ((codec | hash_code) < 0x80 && digest_len == 32) { /* nearly always: all of known size */
        uint8_t *at = out->raw.u.small;
        cid__build_assert_apart(&to, digest, digest_len);
        cid__store32le(at, 1 | (uint32_t)codec << 8 | (uint32_t)hash_code << 16 | 32u << 24);
        memcpy(at + 4, digest, 32);
        out->raw.len = 36;
        return CID_OK;
    }
    return build_v1(&to, codec, hash_code, digest, digest_len);
}

enum cid_error cid_write_v1(uint8_t *out, size_t cap, size_t *written, uint64_t codec,
                            uint64_t hash_code, const uint8_t *digest, size_t digest_len)
{
    struct cid__build to = cid__build_buffer(out, cap, written);
    return build_v1(&to, codec, hash_code, digest, digest_len);
}

enum cid_error cid_make_v0(struct cid *out, const uint8_t *digest, size_t digest_len,
                           const struct cid_allocator *alloc)
{
    struct cid__build to = cid__build_owner(&out->raw, alloc);
    if (digest_len != 32)
        return cid__build_fail(&to, CID_E_V0_HASH);
    return cid_multihash_make(&out->raw, CID_HASH_SHA2_256, digest, digest_len, alloc);
}

/* A copy of the view's bytes, with the byte 00 in front if it is to be a link. */
static enum cid_error build_copy(struct cid__build *to, const struct cid_view *view, bool link)
{
    uint8_t *at = NULL;
    size_t total = view->len;
    enum cid_error error;

    cid__build_assert_apart(to, view->bytes, view->len);
    if (view->len == 0)
        return cid__build_fail(to, CID_E_ARGUMENT);
    if (link && !cid__add_size(&total, total, 1))
        return cid__build_fail(to, CID_E_TOO_LARGE);
    error = cid__build_reserve(to, total, &at);
    if (error)
        return error;
    if (link)
        *at++ = 0;
    cid__put(at, view->bytes, view->len);
    return cid__build_commit(to);
}

enum cid_error cid_write(uint8_t *out, size_t cap, size_t *written, const struct cid_view *view)
{
    struct cid__build to = cid__build_buffer(out, cap, written);
    return build_copy(&to, view, false);
}

enum cid_error cid_own(struct cid *out, const struct cid_view *view,
                       const struct cid_allocator *alloc)
{
    struct cid__build to = cid__build_owner(&out->raw, alloc);
    return build_copy(&to, view, false);
}

enum cid_error cid_link_write(uint8_t *out, size_t cap, size_t *written,
                              const struct cid_view *view)
{
    struct cid__build to = cid__build_buffer(out, cap, written);
    return build_copy(&to, view, true);
}

enum cid_error cid_link_read(struct cid_view *out, const uint8_t *in, size_t in_len)
{
    if (in_len == 0)
        return CID_E_TRUNCATED;
    if (in[0] != 0)
        return CID_E_LINK_PREFIX;
    return cid_read_exact(out, in + 1, in_len - 1);
}
