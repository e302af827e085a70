#include "hash/lanes.h"

#include "base/arith.h"

#include <string.h>

/* Messages are taken in windows of so many, and the longest of a window first. */
#define WINDOW 256
/*
 * The order of short messages, by their blocks, is exact; above, a power of two has four buckets.
 * That makes at most 32 + 4 * 55 + 4 of them, since a block has 64 bytes or more.
 */
#define EXACT   CID__SHORT
#define BUCKETS 256

struct window {
    struct cid__job jobs[WINDOW];
    uint8_t order[WINDOW];
    size_t next, count;
    size_t long_count; /* of messages that are not short; they come first */
    bool dry;          /* the feed has no more */
};

struct run {
    const struct cid__lane_kind *kind;
    const struct cid__lane_io *io;
    struct cid__lanes set;
    struct cid__job job[CID__LANES_MAX];
    uint32_t busy;   /* bit l: it has a message */
    uint32_t ending; /* bit l: and is at the end of it */
    uint32_t longs;  /* bit l: which is not short */
    bool few;        /* the short ones left in the window are too few for a wave */
    struct window window;
};

/* ---- the window ------------------------------------------------------------------------------ */

static unsigned bucket_of(uint64_t blocks)
{
    unsigned shift = 0;

    if (blocks < EXACT)
        return (unsigned)blocks;
    for (; blocks >= 8; blocks >>= 1)
        shift++;
    return EXACT + 4 * shift + (unsigned)(blocks & 3);
}

/*
 * The bucket of each message, and how many there are in each. Returns the highest; *same: there is
 * no other.
 */
static unsigned classify(const struct run *run, uint8_t *bucket, uint16_t *size, bool *same)
{
    const struct window *window = &run->window;
    const unsigned shift = cid__lowest_bit(run->kind->block); /* a power of two */
    const size_t padding = run->kind->padding, count = window->count;
    unsigned most = 0;

    for (size_t i = 0; i < count; i++) {
        unsigned b = bucket_of(((uint64_t)window->jobs[i].len + padding) >> shift);
        bucket[i] = (uint8_t)b;
        size[b]++;
        most = b > most ? b : most;
    }
    *same = size[most] == count;
    return most;
}

/* Counting sort, the longest messages first. */
static void sort(struct run *run)
{
    struct window *window = &run->window;
    uint16_t start[BUCKETS] = {0};
    uint8_t bucket[WINDOW];
    unsigned at = 0, most;
    bool same;

    most = classify(run, bucket, start, &same);
    window->long_count = same && most >= EXACT ? window->count : 0;
    if (same) {
        for (size_t i = 0; i < window->count; i++)
            window->order[i] = (uint8_t)i;
        return;
    }
    for (unsigned b = most + 1; b-- > 0;) {
        unsigned size = start[b];
        start[b] = (uint16_t)at;
        at += size;
        if (b == EXACT)
            window->long_count = at;
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
    sort(run);
    return window->count != 0;
}

/* ---- lanes ------------------------------------------------------------------------------------
 */

static void enter_end(struct run *run, unsigned lane)
{
    run->ending |= 1u << lane;
    run->set.left[lane] = run->kind->end(&run->set, lane, &run->job[lane]);
}

/*
 * Whether there is a message for a lane. Where there are waves, short ones are for them, but for a
 * few; and as long as any lane is busy with a long one, short ones keep the others busy.
 */
static bool any_for_lanes(struct run *run)
{
    struct window *window = &run->window;
    bool all = !run->kind->wave || run->longs != 0;

    if (window->next == window->count)
        return all && refill(run);
    return all || run->few || window->next < window->long_count;
}

/* Gives the lane the next message; says whether there is one. */
static bool take_next(struct run *run, unsigned lane)
{
    struct window *window = &run->window;
    uint32_t bit = 1u << lane;

    run->ending &= ~bit;
    run->longs &= ~bit;
    run->busy &= ~bit;
    if (!any_for_lanes(run))
        return false;
    run->busy |= bit;
    if (window->next < window->long_count)
        run->longs |= bit;
    run->job[lane] = window->jobs[window->order[window->next++]];
    run->set.left[lane] = run->kind->begin(&run->set, lane, &run->job[lane]);
    if (run->set.left[lane] == 0)
        enter_end(run, lane);
    return true;
}

/* The lane has no blocks left: its message comes to its end, or is done and the next begins. */
static void turn(struct run *run, unsigned lane)
{
    const struct cid__job *job = &run->job[lane];
    uint8_t digest[1][64];

    if (!(run->ending >> lane & 1)) {
        enter_end(run, lane);
        return;
    }
    run->kind->digest(&run->set, lane, digest[0]);
    run->io->sink(run->io->ctx, &job, (const uint8_t(*)[64])digest, 1);
    take_next(run, lane);
}

static unsigned count_bits(uint32_t bits)
{
    unsigned n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

static uint32_t move_bit(uint32_t bits, unsigned to, unsigned from)
{
    uint32_t bit = bits >> from & 1;
    return (bits & ~(1u << from)) | bit << to;
}

/* To a lane that has no message. If it is at its end, that stays in the tail of the lane before. */
static void move(struct run *run, unsigned to, unsigned from)
{
    struct cid__lanes *set = &run->set;

    run->job[to] = run->job[from];
    run->kind->move(set, to, from);
    set->left[to] = set->left[from];
    set->at[to] = set->at[from];
    run->busy = move_bit(run->busy, to, from);
    run->ending = move_bit(run->ending, to, from);
    run->longs = move_bit(run->longs, to, from);
}

/*
 * Brings all messages into the first lanes, of which there are enough. The others stay idle until
 * all messages at hand are done: lanes are without one only if there is none for them.
 */
static void gather(struct run *run, unsigned lanes)
{
    while (run->busy >> lanes)
        move(run, cid__lowest_bit(~run->busy), lanes + cid__lowest_bit(run->busy >> lanes));
}

/* An idle lane has to read something: what a busy one does. */
static void park(struct run *run, unsigned lanes)
{
    const uint8_t *somewhere;
    unsigned least = cid__lowest_bit(run->busy);

    for (uint32_t bits = run->busy; bits; bits &= bits - 1)
        if (run->set.left[cid__lowest_bit(bits)] < run->set.left[least])
            least = cid__lowest_bit(bits);
    somewhere = run->set.at[least];
    for (unsigned l = 0; l < lanes; l++)
        if (!(run->busy >> l & 1)) {
            run->set.at[l] = somewhere;
            run->set.left[l] = CID__LANE_IDLE;
        }
}

static void step_wide(struct run *run, const struct cid__lane_kind *kind)
{
    uint32_t done;

    if (run->busy != UINT32_MAX >> (32 - kind->lanes))
        park(run, kind->lanes);
    for (done = kind->wide(&run->set); done; done &= done - 1)
        turn(run, cid__lowest_bit(done));
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
    unsigned a = cid__lowest_bit(run->busy), b;
    uint32_t others = run->busy & (run->busy - 1);
    uint64_t blocks = set->left[a];

    if (!others || !run->kind->pair) {
        run->kind->one(set, a, (size_t)blocks);
        move_on(run, a, (size_t)blocks);
        return;
    }
    b = cid__lowest_bit(others);
    blocks = set->left[b] < blocks ? set->left[b] : blocks;
    run->kind->pair(set, a, b, (size_t)blocks);
    move_on(run, a, (size_t)blocks);
    move_on(run, b, (size_t)blocks);
}

static void step(struct run *run)
{
    const unsigned count = count_bits(run->busy);
    const struct cid__lane_kind *kind = run->kind;

    if (kind->half && count < kind->worth) {
        kind = kind->half;
        gather(run, kind->lanes);
    }
    if (kind->wide && count >= kind->worth)
        step_wide(run, kind);
    else
        step_narrow(run);
}

/* Gives messages to the lanes until there are none for them. */
static void run_lanes(struct run *run)
{
    for (unsigned l = 0; l < run->kind->lanes && take_next(run, l); l++)
        continue;
    while (run->busy)
        step(run);
}

/* ---- waves ----------------------------------------------------------------------------------- */

static void run_wave(struct run *run, const struct cid__lane_kind *kind, struct cid__wave *wave)
{
    struct window *window = &run->window;
    const size_t left = window->count - window->next;
    const unsigned count = left < kind->lanes ? (unsigned)left : kind->lanes;
    const uint8_t *order = window->order + window->next;

    for (unsigned i = 0; i < count; i++)
        wave->job[i] = &window->jobs[order[i]];
    window->next += count;
    wave->count = count;
    kind->wave(wave);
    run->io->sink(run->io->ctx, wave->job, (const uint8_t(*)[64])wave->digest, count);
}

/* As long as there are messages enough. */
static void run_waves(struct run *run, struct cid__wave *wave)
{
    for (const struct cid__lane_kind *kind = run->kind; kind; kind = kind->half)
        while (run->window.count - run->window.next >= kind->worth && kind->wave)
            run_wave(run, kind, wave);
}

void cid__lanes_run(const struct cid__lane_kind *kind, const struct cid__lane_io *io)
{
    struct run run;
    struct cid__wave wave;

    memset(&run.set.state, 0, sizeof run.set.state); /* idle lanes are computed too */
    memset(run.set.count, 0, sizeof run.set.count);
    memset(run.set.last, 0, sizeof run.set.last);
    run.kind = kind;
    run.io = io;
    run.busy = run.ending = run.longs = 0;
    run.window.next = run.window.count = run.window.long_count = 0;
    run.window.dry = false;
    wave.ahead = run.set.ahead = io->ahead;
    while (run.window.next < run.window.count || refill(&run)) {
        run.few = false;
        run_lanes(&run);
        run_waves(&run, &wave);
        run.few = true;
        run_lanes(&run);
    }
}
