#include "hash/provider.h"

#include "hash/stream.h"

#include <string.h>

static enum cid_error sum_identity(void *ctx, uint8_t *out, size_t out_len, const void *data,
                                   size_t data_len)
{
    (void)ctx;
    if (out_len != data_len)
        return CID_E_DIGEST_LENGTH;
    if (data_len != 0)
        memcpy(out, data, data_len);
    return CID_OK;
}

static bool provide_identity(struct cid_hash_function *out)
{
    if (out->code != CID_HASH_IDENTITY)
        return false;
    out->sum = sum_identity;
    return true;
}

/* ctx is the struct cid__stream, which is static and never written to. */
static enum cid_error sum_stream(void *ctx, uint8_t *out, size_t out_len, const void *data,
                                 size_t data_len)
{
    return cid__stream_sum(ctx, out, out_len, data, data_len) ? CID_OK : CID_E_NOMEM;
}

static bool provide_stream(struct cid_hash_function *out)
{
    const struct cid__stream *stream = cid__stream_find(out->code);
    if (!stream)
        return false;
    out->sum = sum_stream;
    out->ctx = (void *)(uintptr_t)stream;
    return true;
}

bool cid__provide(struct cid_hash_function *out)
{
    return provide_identity(out) || provide_stream(out);
}
