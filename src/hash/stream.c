#include "hash/stream.h"

/* Of those that have a function the first is asked; else the most usual come first. */
static cid__stream_family *const families[] = {
#ifdef CID_WITH_SODIUM
    cid__stream_sodium,
#endif
    cid__stream_sha256, cid__stream_blake2b, cid__stream_blake3,
    cid__stream_keccak, cid__stream_blake2s, cid__stream_murmur3,
#ifdef CID_WITH_GCRYPT
    cid__stream_gcrypt,
#endif
};

const struct cid__stream *cid__stream_find(uint64_t code)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const struct cid__stream *stream = families[i](code);
        if (stream)
            return stream;
    }
    return NULL;
}

bool cid__stream_sum(const struct cid__stream *stream, uint8_t *out, size_t out_len,
                     const uint8_t *data, size_t len)
{
    union cid__stream_state state;

    if (stream->sum) {
        stream->sum(out, out_len, data, len);
        return true;
    }
    if (!cid__stream_open(stream, &state, out_len))
        return false;
    stream->update(&state, data, len);
    stream->final(&state, out, out_len);
    cid__stream_close(stream, &state);
    return true;
}
