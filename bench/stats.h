/*
 * stats.h - the statistics of the benchmark: the six numbers of a sample, and the test whether two
 * samples come from one distribution.
 *
 * Threads: all functions are reentrant.
 */
#ifndef CID_BENCH_STATS_H
#define CID_BENCH_STATS_H

#include <stddef.h>

/* Min, 1st Qu., Median, Mean, 3rd Qu., Max, as R's summary() prints them. */
struct bench_six {
    double min, q1, median, mean, q3, max;
};

/* The quantile q (0 to 1) of n > 0 sorted values, interpolated linearly: R's type 7. */
double bench_quantile(const double *sorted, size_t n, double q);

/* The median of n > 0 values in any order. The values are sorted in place. */
double bench_median(double *values, size_t n);

/* The six numbers of n > 0 values. The values are sorted in place. */
void bench_summarise(struct bench_six *out, double *values, size_t n);

/* The largest sample that is tested exactly. */
#define BENCH_EXACT_MAX 20

/* What the Mann-Whitney U test says of two samples. */
struct bench_u_test {
    double u; /* of the first sample: pairs in which it is larger, ties count one half */
    double p; /* two-sided */
};

/*
 * The two-sided Mann-Whitney U test of two samples in any order. With at most BENCH_EXACT_MAX
 * values a side, p is exact, ties or not: of all ways to deal the pooled values (equal ones share
 * their mean rank) to two samples of these sizes, the share whose rank sum lies at least as far
 * from its expectation as the one seen. Above that, p is the normal approximation, corrected for
 * ties and for continuity. An empty sample, or a pool of equal values, gives p = 1.
 */
struct bench_u_test bench_mann_whitney(const double *a, size_t a_count, const double *b,
                                       size_t b_count);

#endif
