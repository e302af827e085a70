#include "hash/stream.h"

/* The most usual first. */
static cid__stream_family *const families[] = {
    cid__stream_sha256, cid__stream_blake2b,
#ifdef CID_WITH_SODIUM
    cid__stream_sodium,
#endif
    cid__stream_sha512, cid__stream_blake3,  cid__stream_keccak,
    cid__stream_sha1,   cid__stream_blake2s, cid__stream_md5,
    cid__stream_sm3,    cid__stream_ripemd,  cid__stream_murmur3,
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

void cid__stream_sum(const struct cid__stream *stream, uint8_t *out, size_t out_len,
                     const uint8_t *data, size_t len)
{
    union cid__stream_state state;

    if (stream->sum) {
        stream->sum(out, out_len, data, len);
        return;
    }
    stream->init(&state, out_len);
    stream->update(&state, data, len);
    stream->final(&state, out, out_len);
}
