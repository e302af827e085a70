/*
 * span.h - a bounded cursor over bytes: the one way in which input is walked. Bounds are tested by
 * subtraction, and a length from input is compared as a uint64_t before it becomes a size_t.
 */
#ifndef CID_BASE_SPAN_H
#define CID_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cid__span {
    const uint8_t *at;
    const uint8_t *end;
};

static inline struct cid__span cid__span_of(const void *bytes, size_t len)
{
    struct cid__span span = {bytes, bytes};
    /* NULL with length 0 is a legal empty span, and NULL + 0 is not legal arithmetic before C23. */
    if (len != 0)
        span.end += len;
    return span;
}

static inline size_t cid__span_left(const struct cid__span *span)
{
    return (size_t)(span->end - span->at);
}

static inline bool cid__span_has(const struct cid__span *span, uint64_t n)
{
    return n <= (uint64_t)cid__span_left(span);
}

/* Takes n bytes, which must be there: cid__span_has comes first. */
static inline const uint8_t *cid__span_take(struct cid__span *span, size_t n)
{
    const uint8_t *at = span->at;
    span->at += n;
    return at;
}

#endif
