/*
 * tiers.h - the library picks its code by what the CPU has. Where it can be held to a lower tier,
 * each such tier is an engine of its own ("libcid-portable", "libcid-sha-ni").
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

/* The tiers that text has on this machine, and those that hashing has; 0 where there are none. */
const struct bench_tier *bench_tiers(size_t *count);
const struct bench_tier *bench_hash_tiers(size_t *count);

/* Holds the library to a tier; NULL lets it pick again. */
void bench_tier_enter(const struct bench_tier *tier);

#endif
