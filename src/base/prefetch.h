/*
 * prefetch.h - asking the processor for memory that will be read soon.
 */
#ifndef CID_BASE_PREFETCH_H
#define CID_BASE_PREFETCH_H

/* The unit that memory arrives in, on the machines that matter. */
#define CID__LINE 64

/* A hint and nothing more: p may point anywhere, even behind the end of what there is. */
#if defined(__GNUC__)
#define cid__prefetch(p) __builtin_prefetch(p)
#else
#define cid__prefetch(p) ((void)(p))
#endif

#endif
