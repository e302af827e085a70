#define _POSIX_C_SOURCE 200809L
#include "car/pool.h"

#include "base/bytes.h"

#include <pthread.h>
#include <signal.h>

struct cid__pool {
    struct cid__pool_plan plan;
    const struct cid_allocator *alloc;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t posted, finished;
    uint64_t begun, jobs; /* the next to be begun, and to be posted */
    bool over;
    bool done[CID_CAR_WORKERS_MAX * 4];
    unsigned count;
    pthread_t threads[CID_CAR_WORKERS_MAX];
};

/* Begins the oldest job and does it. The lock is held but for the work. */
static void do_one(struct cid__pool *pool)
{
    size_t slot = (size_t)(pool->begun++ % pool->plan.slots);

    pthread_mutex_unlock(&pool->lock);
    pool->plan.work(pool->plan.ctx, slot);
    pthread_mutex_lock(&pool->lock);
    pool->done[slot] = true;
}

static void *serve(void *ctx)
{
    struct cid__pool *pool = ctx;

    pthread_mutex_lock(&pool->lock);
    while (!pool->over) {
        if (pool->begun == pool->jobs) {
            pthread_cond_wait(&pool->posted, &pool->lock);
            continue;
        }
        do_one(pool);
        pthread_cond_signal(&pool->finished);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Signals are for the threads that the program has made itself. */
static void start_threads(struct cid__pool *pool)
{
    pthread_attr_t attributes;
    sigset_t all, before;

    if (pthread_attr_init(&attributes) != 0)
        return;
    (void)pthread_attr_setstacksize(&attributes, CID__POOL_STACK);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->count < pool->plan.threads &&
           pthread_create(&pool->threads[pool->count], &attributes, serve, pool) == 0)
        pool->count++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

struct cid__pool *cid__pool_open(const struct cid__pool_plan *plan,
                                 const struct cid_allocator *alloc)
{
    struct cid__pool *pool = cid__alloc(alloc, sizeof *pool);

    if (!pool)
        return NULL;
    *pool = (struct cid__pool){.plan = *plan, .alloc = alloc};
    if (pthread_mutex_init(&pool->lock, NULL) != 0)
        goto no_lock;
    if (pthread_cond_init(&pool->posted, NULL) != 0)
        goto no_posted;
    if (pthread_cond_init(&pool->finished, NULL) != 0)
        goto no_finished;
    start_threads(pool);
    if (pool->count != 0)
        return pool;
    pthread_cond_destroy(&pool->finished);
no_finished:
    pthread_cond_destroy(&pool->posted);
no_posted:
    pthread_mutex_destroy(&pool->lock);
no_lock:
    cid__release(alloc, pool, sizeof *pool);
    return NULL;
}

void cid__pool_post(struct cid__pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->done[pool->jobs++ % pool->plan.slots] = false;
    pthread_cond_signal(&pool->posted);
    pthread_mutex_unlock(&pool->lock);
}

void cid__pool_wait(struct cid__pool *pool, uint64_t n)
{
    pthread_mutex_lock(&pool->lock);
    while (!pool->done[n % pool->plan.slots]) {
        if (pool->begun == pool->jobs)
            pthread_cond_wait(&pool->finished, &pool->lock);
        else
            do_one(pool);
    }
    pthread_mutex_unlock(&pool->lock);
}

void cid__pool_close(struct cid__pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->over = true;
    pthread_cond_broadcast(&pool->posted);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->count; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->finished);
    pthread_cond_destroy(&pool->posted);
    pthread_mutex_destroy(&pool->lock);
    cid__release(pool->alloc, pool, sizeof *pool);
}
