/*
 * prefetch.h - asking the processor for memory that will be read soon.
 */
#ifndef CID_BASE_PREFETCH_H
#define CID_BASE_PREFETCH_H

#include <stddef.h>
#include <stdint.h>

/* The unit that memory arrives in, on the machines that matter. */
#define CID__LINE 64

/* A hint and nothing more: p may point anywhere, even behind the end of what there is. */
#if defined(__GNUC__)
#define cid__prefetch(p)     __builtin_prefetch(p)
#define cid__prefetch_far(p) __builtin_prefetch(p, 0, 2)
#else
#define cid__prefetch(p)     ((void)(p))
#define cid__prefetch_far(p) ((void)(p))
#endif

/* Memory that will be read when the work at hand is done, so that it can be fetched meanwhile. */
struct cid__ahead {
    uintptr_t at, end; /* addresses; the same: nothing */
};

/* Counts the next so many bytes as asked for; returns how many of them there are. */
static inline size_t cid__ahead_pass(struct cid__ahead *ahead, size_t bytes)
{
    uintptr_t left = ahead->end - ahead->at;

    bytes = bytes < left ? bytes : (size_t)left;
    ahead->at += bytes;
    return bytes;
}

/*
 * Asks for the next so many bytes, for the second cache: the first is the work's. Called with each
 * piece of work for about as many bytes as the piece has.
 */
static inline void cid__ahead_fetch(struct cid__ahead *ahead, size_t bytes)
{
    uintptr_t line = ahead->at, end = line + cid__ahead_pass(ahead, bytes);

    for (; line < end; line += CID__LINE)
        cid__prefetch_far((const void *)line);
}

/* Lines to be asked for one by one. */
struct cid__lines {
    uintptr_t at; /* the next one */
    size_t step;  /* to the one behind it; 0: there are none, and at is of no use */
};

/*
 * For work that asks for the next so many bytes itself, a line now and then: many lines at once
 * would hold it up. here is memory at hand, in case that there are none.
 */
static inline struct cid__lines cid__ahead_take(struct cid__ahead *ahead, size_t bytes,
                                                const void *here)
{
    uintptr_t at = ahead->at;

    if (cid__ahead_pass(ahead, bytes) != 0)
        return (struct cid__lines){at, CID__LINE};
    return (struct cid__lines){(uintptr_t)here, 0};
}

/* Asks for the next line. Nobody looks how many there are: those behind the last, as many as the
 * work has steps left, do no harm. */
static inline void cid__lines_next(struct cid__lines *lines)
{
    cid__prefetch_far((const void *)lines->at);
    lines->at += lines->step;
}

#endif
