/*
 * output.h - bytes written one after the other to a caller's buffer, or only counted once they do
 * not fit.
 */
#ifndef CID_DAG_OUTPUT_H
#define CID_DAG_OUTPUT_H

#include <cid/common.h>

#include <string.h>

struct cid__output {
    uint8_t *buf;
    size_t cap;
    size_t len; /* of all that was written; over cap: it is only counted */
};

/* The place of the next len bytes, which are counted; NULL: they are not to be written. */
static inline uint8_t *cid__output_take(struct cid__output *out, size_t len)
{
    size_t at = out->len;

    out->len = len <= SIZE_MAX - at ? at + len : SIZE_MAX;
    return at <= out->cap && len <= out->cap - at && out->buf ? out->buf + at : NULL;
}

static inline void cid__output_put(struct cid__output *out, const void *bytes, size_t len)
{
    uint8_t *at = cid__output_take(out, len);

    if (at && len != 0)
        memcpy(at, bytes, len);
}

static inline void cid__output_byte(struct cid__output *out, uint8_t byte)
{
    uint8_t *at = cid__output_take(out, 1);

    if (at)
        *at = byte;
}

/* Whether what has been written stands in the buffer, all of it. */
static inline bool cid__output_is_whole(const struct cid__output *out)
{
    return out->buf && out->len <= out->cap;
}

#endif
