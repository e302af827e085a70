#include "hash/stream.h"

#include "base/bytes.h"
#include "hash/sum.h"

struct cid_hasher {
    const struct cid_allocator *alloc;
    const struct cid__stream *stream; /* NULL: identity, and state.bytes has the data */
    size_t digest_len;
    size_t out_len; /* what the function makes: at least digest_len */
    size_t held;    /* identity: how much data there is, or too much */
    union cid__stream_state state;
};

/* Sets all but alloc and the state. */
static enum cid_error choose(struct cid_hasher *hasher, uint64_t code, size_t digest_len,
                             const struct cid_hash_options *options)
{
    struct cid_hash_function function;
    enum cid_error error;

    if (cid__hash_supplied(code, options))
        return CID_E_HASH_ABSENT;
    if (code == CID_HASH_IDENTITY) {
        hasher->stream = NULL;
        return digest_len == CID_DIGEST_DEFAULT ? CID_OK : CID_E_DIGEST_LENGTH;
    }
    error = cid__hash_resolve(&function, &digest_len, code, 0, NULL);
    if (error)
        return error;
    hasher->stream = cid__stream_find(code);
    hasher->digest_len = digest_len;
    hasher->out_len = digest_len < function.min_len ? function.min_len : digest_len;
    return CID_OK;
}

enum cid_error cid_hasher_open(struct cid_hasher **out, uint64_t code, size_t digest_len,
                               const struct cid_hash_options *options,
                               const struct cid_allocator *alloc)
{
    struct cid_hasher chosen = {.alloc = alloc};
    enum cid_error error = choose(&chosen, code, digest_len, options);

    *out = NULL;
    if (error)
        return error;
    *out = cid__alloc(alloc, sizeof **out);
    if (!*out)
        return CID_E_NOMEM;
    **out = chosen;
    if (chosen.stream && !cid__stream_open(chosen.stream, &(*out)->state, chosen.out_len)) {
        cid__release(alloc, *out, sizeof **out);
        *out = NULL;
        return CID_E_NOMEM;
    }
    return CID_OK;
}

void cid_hasher_reset(struct cid_hasher *hasher)
{
    hasher->held = 0;
    if (hasher->stream)
        hasher->stream->init(&hasher->state, hasher->out_len);
}

static enum cid_error hold(struct cid_hasher *hasher, const uint8_t *data, size_t len)
{
    if (hasher->held > CID_HASHER_IDENTITY_MAX || len > CID_HASHER_IDENTITY_MAX - hasher->held) {
        hasher->held = CID_HASHER_IDENTITY_MAX + 1;
        return CID_E_DIGEST_LENGTH;
    }
    if (len != 0)
        memcpy(hasher->state.bytes + hasher->held, data, len);
    hasher->held += len;
    return CID_OK;
}

enum cid_error cid_hasher_update(struct cid_hasher *hasher, const void *data, size_t len)
{
    if (!hasher->stream)
        return hold(hasher, data, len);
    hasher->stream->update(&hasher->state, data, len);
    return CID_OK;
}

/* A copy of the state is brought to its end. */
static enum cid_error finish(uint8_t *out, const struct cid_hasher *hasher)
{
    bool cut = hasher->digest_len != hasher->out_len;
    uint8_t whole[CID_HASH_CUT_MAX];
    union cid__stream_state state;

    if (!cid__stream_copy(hasher->stream, &state, &hasher->state))
        return CID_E_NOMEM;
    hasher->stream->final(&state, cut ? whole : out, hasher->out_len);
    cid__stream_close(hasher->stream, &state);
    if (cut)
        memcpy(out, whole, hasher->digest_len);
    return CID_OK;
}

enum cid_error cid_hasher_finish(uint8_t *out, size_t cap, size_t *written,
                                 const struct cid_hasher *hasher)
{
    size_t len = hasher->stream ? hasher->digest_len : hasher->held;

    if (!hasher->stream && len > CID_HASHER_IDENTITY_MAX)
        return CID_E_DIGEST_LENGTH;
    if (written)
        *written = len;
    if (len > cap)
        return CID_E_NOSPACE;
    if (hasher->stream)
        return finish(out, hasher);
    if (len != 0)
        memcpy(out, hasher->state.bytes, len);
    return CID_OK;
}

void cid_hasher_close(struct cid_hasher *hasher)
{
    if (!hasher)
        return;
    if (hasher->stream)
        cid__stream_close(hasher->stream, &hasher->state);
    cid__release(hasher->alloc, hasher, sizeof *hasher);
}
