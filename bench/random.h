/*
 * random.h - a seeded generator (splitmix64): the same numbers on every machine and in every
 * language, so that the peers' scripts work on the same inputs.
 */
#ifndef CID_BENCH_RANDOM_H
#define CID_BENCH_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct bench_random {
    uint64_t state;
};

static inline uint64_t bench_random_next(struct bench_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A number from 0 to below - 1; the bias is below 2^-32 for the small ranges used here. */
static inline uint64_t bench_random_below(struct bench_random *random, uint64_t below)
{
    return bench_random_next(random) % below;
}

/* Fills out, the lowest byte of each number first. */
static inline void bench_random_fill(struct bench_random *random, uint8_t *out, size_t len)
{
    uint64_t word = 0;
    for (size_t i = 0; i < len; i++) {
        if (i % 8 == 0)
            word = bench_random_next(random);
        out[i] = (uint8_t)(word >> (8 * (i % 8)));
    }
}

#endif
