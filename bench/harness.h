/*
 * harness.h - rows, their engines, and how they are timed.
 *
 * A row is a piece of work with a name, such as "cid/parse/base32"; its engines do that same work
 * on the same inputs. What comes before the first '/' of the name is its group. The rows of a
 * group, and small groups together, are measured in common rounds: a round gives each engine of
 * each row one turn, so that whatever the machine does meanwhile meets all of them, and the rounds
 * of a row are spread over as long as all of it takes. A turn is one slice to warm up and up to ten
 * slices that count. Slices take at least 100 us of the thread's CPU clock, whose reading costs 1.5
 * us.
 *
 * Threads: one.
 */
#ifndef CID_BENCH_HARNESS_H
#define CID_BENCH_HARNESS_H

#include "count.h"
#include "random.h"
#include "results.h"
#include "tiers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_ENGINES_MAX 20
#define BENCH_SLICES      10 /* a turn, at most */
#define BENCH_SLICE_NS    100e3

/* The shortest code is the most telling one only if nothing is optimised away. */
static inline void bench_keep(const void *ptr)
{
    __asm__ volatile("" : : "r"(ptr) : "memory");
}

static inline void bench_keep_value(uint64_t value)
{
#if UINTPTR_MAX > UINT32_MAX
    __asm__ volatile("" : : "r"(value));
#else
    bench_keep(&value);
#endif
}

/* What an engine found out, so that engines can be compared before they are timed. */
struct bench_answer {
    uint64_t hash;
    uint64_t len;
};

/* Adds bytes to an answer. */
void bench_answer_add(struct bench_answer *answer, const void *bytes, size_t len);
void bench_answer_add_number(struct bench_answer *answer, uint64_t number);

/* Ends the program: an engine failed on an input that it should take. */
_Noreturn void bench_fail(const char *what, const char *why);
_Noreturn void bench_fail_error(const char *what, enum cid_error error);

/*
 * One contender of a row. run does ops operations from input number `at` on, going round, and
 * returns where it stopped. answer does the operation once on input i and says what came out.
 */
struct bench_engine {
    const char *name;
    size_t (*run)(void *ctx, size_t at, size_t ops);
    void (*answer)(void *ctx, size_t i, struct bench_answer *answer);
    void *ctx;
    const struct bench_tier *tier; /* NULL: what the library picks by itself */
};

/* A row. The first part is the provider's, the second is set by open. */
struct bench_row {
    char name[BENCH_NAME_SIZE];
    const char *op; /* what is counted: "op", "block" */
    void (*open)(struct bench_row *row, uint64_t seed);
    void (*close)(struct bench_row *row);
    const void *param; /* static; means what the provider wants */
    size_t size;       /* likewise */

    void *input;
    size_t inputs;       /* how many; once through them all is a pass */
    size_t answers;      /* how many answers to compare; 0 stands for inputs */
    bool whole;          /* only whole passes can be run */
    bool wall;           /* several threads: by the clock on the wall, not the thread's CPU clock */
    size_t ops_answer;   /* operations behind one answer; 0 stands for 1 */
    double bytes_per_op; /* for MB/s */
    struct bench_engine engines[BENCH_ENGINES_MAX];
    size_t engine_count;
};

/* Adds an engine to a row that is being opened. */
void bench_add(struct bench_row *row, struct bench_engine engine);

/* Adds the library under its own name, and once more for each tier it can be held to. */
void bench_add_tiered(struct bench_row *row, struct bench_engine engine);
/* The same for the tiers of hashing. */
void bench_add_hash_tiered(struct bench_row *row, struct bench_engine engine);

/*
 * The calls of an engine made from pass, a function of its input that goes over all there is and
 * returns what came out of it. Each pass counts as so many operations; slices are of whole passes.
 */
#define BENCH_PASSES(pass, input, operations)                                                      \
    static size_t pass##_run(void *ctx, size_t at, size_t ops)                                     \
    {                                                                                              \
        input *in = ctx;                                                                           \
        for (; ops >= (operations); ops -= (operations))                                           \
            bench_keep_value(pass(in));                                                            \
        return at;                                                                                 \
    }                                                                                              \
    static void pass##_answer(void *ctx, size_t i, struct bench_answer *answer)                    \
    {                                                                                              \
        (void)i;                                                                                   \
        bench_answer_add_number(answer, pass(ctx));                                                \
    }

/*
 * From an inline function `op(type *in, size_t i, struct bench_answer *answer)`, whose answer is
 * NULL while timing, and a member in->count: the functions run and answer of an engine.
 */
#define BENCH_INLINE static inline __attribute__((always_inline))
#define BENCH_OP(op, type)                                                                         \
    static size_t op##_run(void *ctx, size_t at, size_t ops)                                       \
    {                                                                                              \
        type *in = ctx;                                                                            \
        size_t count = in->count;                                                                  \
        for (; ops != 0; ops--) {                                                                  \
            op(in, at, NULL);                                                                      \
            at = at + 1 == count ? 0 : at + 1;                                                     \
        }                                                                                          \
        return at;                                                                                 \
    }                                                                                              \
    static void op##_answer(void *ctx, size_t i, struct bench_answer *answer)                      \
    {                                                                                              \
        op((type *)ctx, i, answer);                                                                \
    }
#define BENCH_ENGINE(engine_name, op, context)                                                     \
    ((struct bench_engine){                                                                        \
        .name = (engine_name), .run = op##_run, .answer = op##_answer, .ctx = (context)})

/* How to measure. */
struct bench_plan {
    unsigned rounds;
    double seconds; /* CPU time a row and engine; 0 is the default of the group */
    /* Operations a slice; of rows that are whole, passes in all, a slice each. 0: to calibrate. */
    uint64_t iterations;
    uint64_t seed;
};

/*
 * Opens, checks and measures rows in common rounds and gives each result to done. All rows of a
 * group must be among them, or none. Ends the program if two engines of a row disagree.
 */
void bench_run(struct bench_row *const *rows, size_t count, const struct bench_plan *plan,
               void (*done)(void *ctx, const struct bench_result *result), void *ctx);

#endif
