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

/*
 * Asks for the next so many bytes of it, for the second cache: the first is the work's. Called with
 * each piece of work for about as many bytes as the piece has.
 */
static inline void cid__ahead_fetch(struct cid__ahead *ahead, size_t bytes)
{
    uintptr_t left = ahead->end - ahead->at;

    bytes = bytes < left ? bytes : (size_t)left;
    for (size_t i = 0; i < bytes; i += CID__LINE)
        cid__prefetch_far((const void *)(ahead->at + i));
    ahead->at += bytes;
}

#endif
