#include "hash/lanes.h"

#include <string.h>

/* Messages are taken in windows of so many, and the longest of a window first. */
#define WINDOW 128
/*
 * Below this number of blocks the order is exact; from there on, a power of two has four buckets.
 * That makes at most 32 + 4 * 55 + 4 of them, since a block has 64 bytes or more.
 */
#define EXACT   32u
#define BUCKETS 256u

struct window {
    struct cid__job jobs[WINDOW];
    uint8_t order[WINDOW];
    size_t next, count;
    bool dry; /* the feed has no more */
};

struct run {
    const struct cid__lane_kind *kind;
    const struct cid__lane_io *io;
    struct cid__lanes set;
    struct cid__job job[CID__LANES_MAX];
    uint32_t all;    /* bit l: there is a lane l */
    uint32_t busy;   /* bit l: it has a message */
    uint32_t ending; /* bit l: and is at the end of it */
    struct window window;
};

/* ---- the window ------------------------------------------------------------------------------ */

static unsigned bucket_of(size_t len, size_t block)
{
    uint64_t n = len / block;
    unsigned shift = 0;

    if (n < EXACT)
        return (unsigned)n;
    for (; n >= 8; n >>= 1)
        shift++;
    return EXACT + 4 * shift + (unsigned)(n & 3);
}

/* The bucket of each message; false if all are in the same. */
static bool classify(const struct window *window, size_t block, uint8_t *bucket)
{
    unsigned differ = 0;

    for (size_t i = 0; i < window->count; i++) {
        bucket[i] = (uint8_t)bucket_of(window->jobs[i].len, block);
        differ |= bucket[i] ^ (unsigned)bucket[0];
    }
    return differ != 0;
}

/* Counting sort, the longest messages first. */
static void sort(struct window *window, size_t block)
{
    uint8_t start[BUCKETS] = {0}, bucket[WINDOW];
    unsigned at = 0;

    if (!classify(window, block, bucket)) {
        for (size_t i = 0; i < window->count; i++)
            window->order[i] = (uint8_t)i;
        return;
    }
    for (size_t i = 0; i < window->count; i++)
        start[bucket[i]]++;
    for (unsigned b = BUCKETS; b-- > 0;) {
        unsigned size = start[b];
        start[b] = (uint8_t)at;
        at += size;
    }
    for (size_t i = 0; i < window->count; i++)
        window->order[start[bucket[i]]++] = (uint8_t)i;
}

static bool refill(struct run *run)
{
    struct window *window = &run->window;

    if (window->dry)
        return false;
    window->next = 0;
    window->count = run->io->feed(run->io->ctx, window->jobs, WINDOW);
    window->dry = window->count < WINDOW;
    sort(window, run->kind->block);
    return window->count != 0;
}

/* ---- lanes ------------------------------------------------------------------------------------
 */

static void enter_end(struct run *run, unsigned lane)
{
    run->ending |= 1u << lane;
    run->set.left[lane] = run->kind->end(&run->set, lane, &run->job[lane]);
}

/* Gives the lane the next message, if there is one. */
static void take_next(struct run *run, unsigned lane)
{
    struct window *window = &run->window;

    run->ending &= ~(1u << lane);
    if (window->next == window->count && !refill(run)) {
        run->busy &= ~(1u << lane);
        return;
    }
    run->job[lane] = window->jobs[window->order[window->next++]];
    run->busy |= 1u << lane;
    run->set.left[lane] = run->kind->begin(&run->set, lane, &run->job[lane]);
    if (run->set.left[lane] == 0)
        enter_end(run, lane);
}

/* The lane has no blocks left: its message comes to its end, or is done and the next begins. */
static void turn(struct run *run, unsigned lane)
{
    uint8_t digest[64];

    if (!(run->ending >> lane & 1)) {
        enter_end(run, lane);
        return;
    }
    run->kind->digest(&run->set, lane, digest);
    run->io->sink(run->io->ctx, &run->job[lane], digest);
    take_next(run, lane);
}

static unsigned lowest(uint32_t bits)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctz(bits);
#else
    unsigned n = 0;
    for (; !(bits & 1); bits >>= 1)
        n++;
    return n;
#endif
}

static unsigned count_bits(uint32_t bits)
{
    unsigned n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

/* An idle lane has to read something: what a busy one does. */
static void park(struct run *run)
{
    const uint8_t *somewhere;
    unsigned least = lowest(run->busy);

    for (uint32_t bits = run->busy; bits; bits &= bits - 1)
        if (run->set.left[lowest(bits)] < run->set.left[least])
            least = lowest(bits);
    somewhere = run->set.at[least];
    for (unsigned l = 0; l < run->kind->lanes; l++)
        if (!(run->busy >> l & 1)) {
            run->set.at[l] = somewhere;
            run->set.left[l] = CID__LANE_IDLE;
        }
}

static void step_wide(struct run *run)
{
    uint32_t done;

    if (run->busy != run->all)
        park(run);
    done = run->kind->wide(&run->set);
    for (; done; done &= done - 1)
        turn(run, lowest(done));
}

static void move_on(struct run *run, unsigned lane, size_t blocks)
{
    run->set.at[lane] += blocks * run->kind->block;
    run->set.left[lane] -= blocks;
    if (run->set.left[lane] == 0)
        turn(run, lane);
}

/* Two lanes, or one. */
static void step_narrow(struct run *run)
{
    struct cid__lanes *set = &run->set;
    unsigned a = lowest(run->busy), b;
    uint32_t others = run->busy & (run->busy - 1);
    uint64_t blocks = set->left[a];

    if (!others || !run->kind->pair) {
        run->kind->one(set, a, (size_t)blocks);
        move_on(run, a, (size_t)blocks);
        return;
    }
    b = lowest(others);
    blocks = set->left[b] < blocks ? set->left[b] : blocks;
    run->kind->pair(set, a, b, (size_t)blocks);
    move_on(run, a, (size_t)blocks);
    move_on(run, b, (size_t)blocks);
}

void cid__lanes_run(const struct cid__lane_kind *kind, const struct cid__lane_io *io)
{
    struct run run;

    memset(&run.set.state, 0, sizeof run.set.state); /* idle lanes are computed too */
    memset(run.set.count, 0, sizeof run.set.count);
    memset(run.set.last, 0, sizeof run.set.last);
    run.kind = kind;
    run.io = io;
    run.all = (1u << kind->lanes) - 1;
    run.busy = run.ending = 0;
    run.window.next = run.window.count = 0;
    run.window.dry = false;
    for (unsigned l = 0; l < kind->lanes; l++)
        take_next(&run, l);
    while (run.busy) {
        if (kind->wide && count_bits(run.busy) >= kind->worth)
            step_wide(&run);
        else
            step_narrow(&run);
    }
}
