#include "harness.h"

#include "stats.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define GROUP_SECONDS 30.0 /* what the turns of a group may take in all, by default */

/* What is kept of an engine while its group runs. */
struct contender {
    struct bench_row *row;
    struct bench_engine *engine;
    size_t at;     /* the next input */
    size_t ops;    /* a slice */
    size_t slices; /* a turn */
    size_t more;   /* in so many of the first turns, one slice more */
    bool warm;     /* whether a turn starts with a slice that does not count */
    double *samples;
    size_t sample_count;
    double *values;
    size_t value_count;
    double allocs;
    double alloc_bytes;
};

/* ---- answers ------------------------------------------------------------------------------ */

void bench_answer_add(struct bench_answer *answer, const void *bytes, size_t len)
{
    const uint8_t *p = bytes;
    uint64_t hash = answer->hash;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    answer->hash = (hash ^ len) * UINT64_C(0x100000001b3);
    answer->len += len;
}

void bench_answer_add_number(struct bench_answer *answer, uint64_t number)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
    bench_answer_add(answer, bytes, sizeof bytes);
}

void bench_fail(const char *what, const char *why)
{
    fflush(stdout);
    fprintf(stderr, "cid-bench: %s: %s\n", what, why);
    exit(1);
}

void bench_fail_error(const char *what, enum cid_error error)
{
    bench_fail(what, cid_error_text(error));
}

/* ---- rows --------------------------------------------------------------------------------- */

void bench_add(struct bench_row *row, struct bench_engine engine)
{
    if (row->engine_count == BENCH_ENGINES_MAX)
        bench_fail(row->name, "too many engines");
    row->engines[row->engine_count++] = engine;
}

static void add_with(struct bench_row *row, struct bench_engine engine,
                     const struct bench_tier *tiers, size_t count)
{
    bench_add(row, engine);
    for (size_t i = 0; i < count; i++) {
        engine.name = tiers[i].engine;
        engine.tier = &tiers[i];
        bench_add(row, engine);
    }
}

void bench_add_tiered(struct bench_row *row, struct bench_engine engine)
{
    size_t count = 0;
    const struct bench_tier *tiers = bench_tiers(&count);

    add_with(row, engine, tiers, count);
}

void bench_add_hash_tiered(struct bench_row *row, struct bench_engine engine)
{
    size_t count = 0;
    const struct bench_tier *tiers = bench_hash_tiers(&count);

    add_with(row, engine, tiers, count);
}

/* Does every input once, counting, and compares what comes out with what the first engine gave. */
static void check(struct contender *c, uint64_t *expected)
{
    size_t answers = c->row->answers ? c->row->answers : c->row->inputs;
    size_t ops = answers * (c->row->ops_answer ? c->row->ops_answer : 1);
    bool first = c->engine == &c->row->engines[0];

    bench_tier_enter(c->engine->tier);
    bench_count_begin();
    for (size_t i = 0; i < answers; i++) {
        struct bench_answer answer = {UINT64_C(0xcbf29ce484222325), 0};
        c->engine->answer(c->engine->ctx, i, &answer);
        if (first)
            expected[i] = answer.hash;
        else if (expected[i] != answer.hash) {
            fflush(stdout);
            fprintf(stderr, "cid-bench: %s: input %zu: %s and %s disagree\n", c->row->name, i,
                    c->row->engines[0].name, c->engine->name);
            exit(1);
        }
    }
    bench_count_end();
    bench_tier_enter(NULL);
    c->allocs = (double)bench_count.calls / (double)ops;
    c->alloc_bytes = (double)bench_count.bytes / (double)ops;
}

static void check_row(struct contender *contenders, struct bench_row *row)
{
    size_t answers = row->answers ? row->answers : row->inputs;
    uint64_t *expected = bench_buffer(answers * sizeof *expected);

    for (size_t i = 0; i < row->engine_count; i++)
        check(&contenders[i], expected);
    free(expected);
}

/* ---- timing ------------------------------------------------------------------------------- */

static double now_ns(bool wall)
{
    struct timespec t;
    if (clock_gettime(wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t) != 0)
        bench_fail("clock_gettime", "no CPU clock for threads");
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The time of one slice, in ns. */
static double slice(struct contender *c, size_t ops)
{
    double start = now_ns(c->row->wall);
    c->at = c->engine->run(c->engine->ctx, c->at, ops);
    return now_ns(c->row->wall) - start;
}

/* Whole passes where they are short enough, so that all engines work on the same inputs. */
static size_t whole_passes(const struct bench_row *row, double ops)
{
    double passes = ops / (double)row->inputs;
    if (passes < 1 && !row->whole)
        return ops < 1 ? 1 : (size_t)(ops + 0.5);
    return row->inputs * (passes < 1 ? 1 : (size_t)(passes + 0.5));
}

/* How long one operation takes, from a slice that is long enough to tell. */
static double calibrate(struct contender *c)
{
    size_t ops = c->row->whole ? c->row->inputs : 1;
    double ns = slice(c, ops);

    while (ns < 2 * BENCH_SLICE_NS) {
        ops *= ns < BENCH_SLICE_NS / 8 ? 8 : 2;
        ns = slice(c, ops);
    }
    return ns / (double)ops;
}

/* Whether the iterations that are asked for are passes, each of which is a slice. */
static bool counts_passes(const struct bench_row *row, const struct bench_plan *plan)
{
    return row->whole && plan->iterations != 0;
}

/* Settles how many operations make a slice and how many slices a turn of turn_ns. */
static void settle(struct contender *c, const struct bench_plan *plan, double turn_ns)
{
    double target = turn_ns / (BENCH_SLICES + 1);
    double ns_op, slice_ns, room;

    if (counts_passes(c->row, plan)) {
        c->ops = c->row->inputs;
        c->slices = (size_t)(plan->iterations / plan->rounds);
        c->more = (size_t)(plan->iterations % plan->rounds);
        c->warm = true;
        return;
    }
    bench_tier_enter(c->engine->tier);
    ns_op = calibrate(c);
    bench_tier_enter(NULL);
    if (target < 1.2 * BENCH_SLICE_NS)
        target = 1.2 * BENCH_SLICE_NS;
    c->ops = whole_passes(c->row, plan->iterations ? (double)plan->iterations : target / ns_op);
    slice_ns = ns_op * (double)c->ops;
    room = turn_ns / slice_ns;
    c->warm = room >= 2;
    c->slices = room >= BENCH_SLICES + 1 ? BENCH_SLICES : room >= 2 ? (size_t)room - 1 : 1;
}

/* One turn: the samples, in ns an operation, and their median as the value of the round. */
static void turn(struct contender *c, unsigned round)
{
    double *samples = c->samples + c->sample_count;
    size_t slices = c->slices + (round < c->more);

    if (slices == 0)
        return;
    bench_tier_enter(c->engine->tier);
    if (c->warm)
        slice(c, c->ops);
    for (size_t i = 0; i < slices; i++)
        samples[i] = slice(c, c->ops) / (double)c->ops;
    bench_tier_enter(NULL);
    c->sample_count += slices;
    c->values[c->value_count++] = bench_median(samples, slices);
}

/* All engines of a row; who comes first changes from round to round. */
static void turns(struct contender *contenders, const struct bench_row *row, unsigned round)
{
    for (size_t i = 0; i < row->engine_count; i++)
        turn(&contenders[(i + round) % row->engine_count], round);
}

/* ---- groups ------------------------------------------------------------------------------- */

/* Archives and documents are long; everything else is short. */
static double default_seconds(const char *name)
{
    return strncmp(name, "car/", 4) == 0 || strncmp(name, "json/", 5) == 0 ? 1.0 : 0.25;
}

/* What a row and engine may take: no more than the plan says, and than the group has time for. */
static double turn_ns(const struct bench_plan *plan, const char *name, size_t contenders)
{
    double seconds = default_seconds(name);

    if (plan->seconds > 0)
        return plan->seconds / plan->rounds * 1e9;
    if (seconds > GROUP_SECONDS / (double)contenders)
        seconds = GROUP_SECONDS / (double)contenders;
    return 0.9 * seconds / plan->rounds * 1e9; /* calibration and the checks take the rest */
}

static void prepare(struct contender *c, struct bench_row *row, struct bench_engine *engine,
                    const struct bench_plan *plan)
{
    size_t slices =
        counts_passes(row, plan) ? (size_t)plan->iterations / plan->rounds + 1 : BENCH_SLICES;

    *c = (struct contender){.row = row, .engine = engine};
    c->samples = bench_buffer(plan->rounds * slices * sizeof *c->samples);
    c->values = bench_buffer(plan->rounds * sizeof *c->values);
}

static void report(struct contender *c, void (*done)(void *, const struct bench_result *),
                   void *ctx)
{
    struct bench_result result = {.samples = c->sample_count};

    snprintf(result.bench, sizeof result.bench, "%s", c->row->name);
    snprintf(result.engine, sizeof result.engine, "%s", c->engine->name);
    snprintf(result.unit, sizeof result.unit, "ns/%s", c->row->op);
    bench_summarise(&result.six, c->samples, c->sample_count);
    result.allocs_per_op = c->allocs;
    result.alloc_bytes_per_op = c->alloc_bytes;
    result.values = c->values;
    result.value_count = c->value_count;
    result.bytes_per_s = c->row->bytes_per_op * 1e9 / bench_headline(&result);
    done(ctx, &result);
    free(c->samples);
    free(c->values);
}

static size_t open_rows(struct bench_row *const *rows, size_t count, uint64_t seed)
{
    size_t contenders = 0;
    for (size_t i = 0; i < count; i++) {
        rows[i]->engine_count = 0;
        rows[i]->open(rows[i], seed);
        contenders += rows[i]->engine_count;
    }
    return contenders;
}

/* How many engines there are in the group of a row. */
static size_t group_engines(struct bench_row *const *rows, size_t count, const char *name)
{
    size_t len = strcspn(name, "/");
    size_t engines = 0;

    for (size_t i = 0; i < count; i++)
        if (strcspn(rows[i]->name, "/") == len && memcmp(rows[i]->name, name, len) == 0)
            engines += rows[i]->engine_count;
    return engines;
}

static struct contender *prepare_rows(struct bench_row *const *rows, size_t count, size_t total,
                                      const struct bench_plan *plan)
{
    struct contender *contenders = bench_buffer(total * sizeof *contenders);
    struct contender *c = contenders;

    for (size_t i = 0; i < count; i++) {
        struct contender *first = c;
        double ns = turn_ns(plan, rows[i]->name, group_engines(rows, count, rows[i]->name));
        for (size_t e = 0; e < rows[i]->engine_count; e++)
            prepare(c++, rows[i], &rows[i]->engines[e], plan);
        check_row(first, rows[i]);
        for (; first != c; first++)
            settle(first, plan, ns);
    }
    return contenders;
}

void bench_run(struct bench_row *const *rows, size_t count, const struct bench_plan *plan,
               void (*done)(void *ctx, const struct bench_result *result), void *ctx)
{
    size_t total = open_rows(rows, count, plan->seed);
    struct contender *contenders = prepare_rows(rows, count, total, plan);

    for (unsigned round = 0; round < plan->rounds; round++) {
        struct contender *c = contenders;
        for (size_t i = 0; i < count; c += rows[i++]->engine_count)
            turns(c, rows[i], round);
    }
    for (size_t i = 0; i < total; i++)
        report(&contenders[i], done, ctx);
    for (size_t i = 0; i < count; i++)
        rows[i]->close(rows[i]);
    free(contenders);
}
