/*
 * pool.h - a few threads that work on numbered jobs, begun in order, each done exactly once. The
 * slots of the jobs are a ring that the owner of the pool has.
 *
 * Threads: one thread owns the pool and calls these functions.
 */
#ifndef CID_CAR_POOL_H
#define CID_CAR_POOL_H

#include <cid/car.h>

/* Of a thread, in bytes: hashing takes some 20 KiB. */
#define CID__POOL_STACK ((size_t)256 << 10)

struct cid__pool;

/* How jobs are done. work may be called by all threads at once, for different slots. */
struct cid__pool_plan {
    unsigned threads; /* besides the owner's */
    size_t slots;
    void (*work)(void *ctx, size_t slot);
    void *ctx;
};

/*
 * Starts the threads, or as many as can be had. NULL: not one, or there is no memory. The allocator
 * must outlive the pool, which calls it from the owner's thread only.
 */
struct cid__pool *cid__pool_open(const struct cid__pool_plan *plan,
                                 const struct cid_allocator *alloc);

/* Posts the next job, which is number n when n were posted before; its slot is n % slots. */
void cid__pool_post(struct cid__pool *pool);

/* Waits until job n is done, and works on jobs that nobody has begun meanwhile. */
void cid__pool_wait(struct cid__pool *pool, uint64_t n);

/* Waits for what has been begun, drops the rest, and ends the threads. NULL is allowed. */
void cid__pool_close(struct cid__pool *pool);

#endif
