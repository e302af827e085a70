/*
 * tiers.h - the library picks its code by what the CPU has. Where it can be held to a lower tier,
 * each such tier is an engine of its own ("libcid-portable", "libcid-avx2").
 *
 * Threads: one.
 */
#ifndef CID_BENCH_TIERS_H
#define CID_BENCH_TIERS_H

#include <stddef.h>

struct bench_tier {
    const char *engine; /* the engine's name */
    int limit;          /* what it may use of the processor */
};

/* The tiers that the library can be held to on this machine; NULL and 0 where it has none. */
const struct bench_tier *bench_tiers(size_t *count);

/* Holds the library to a tier; NULL lets it pick again. */
void bench_tier_enter(const struct bench_tier *tier);

#endif
