#include "stats.h"

#include "count.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_quantile(const double *sorted, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t below = (size_t)at;
    double part = at - (double)below;

    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

double bench_median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_value);
    return bench_quantile(values, n, 0.5);
}

void bench_summarise(struct bench_six *out, double *values, size_t n)
{
    double sum = 0;

    qsort(values, n, sizeof *values, by_value);
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    out->min = values[0];
    out->q1 = bench_quantile(values, n, 0.25);
    out->median = bench_quantile(values, n, 0.5);
    out->mean = sum / (double)n;
    out->q3 = bench_quantile(values, n, 0.75);
    out->max = values[n - 1];
}

/* ---- Mann-Whitney U ----------------------------------------------------------------------- */

/* A value of the pool, the sample it is from, and its rank times two, which is a whole number. */
struct ranked {
    double value;
    size_t rank2;
    bool in_a;
};

static int by_ranked_value(const void *a, const void *b)
{
    double x = ((const struct ranked *)a)->value;
    double y = ((const struct ranked *)b)->value;
    return (x > y) - (x < y);
}

/* Ranks the pool; returns the sum of t^3 - t over its groups of t equal values. */
static double rank(struct ranked *pool, size_t n)
{
    double ties = 0;

    qsort(pool, n, sizeof *pool, by_ranked_value);
    for (size_t i = 0, j = 0; i < n; i = j) {
        while (j < n && !(pool[j].value > pool[i].value))
            j++;
        for (size_t k = i; k < j; k++)
            pool[k].rank2 = i + 1 + j; /* the mean of ranks i + 1 to j, times two */
        ties += (double)(j - i) * ((double)(j - i) * (double)(j - i) - 1);
    }
    return ties;
}

static size_t distance(size_t a, size_t b)
{
    return a > b ? a - b : b - a;
}

/*
 * Counts the subsets of each size of the pool by the sum of their ranks, a value at a time. With 20
 * values a side there are 1.4e11 subsets and no sum of doubled ranks is above 40 * 41.
 */
static double exact_p(const struct ranked *pool, size_t n, size_t a_count, size_t sum2)
{
    enum {
        SUMS = 2 * BENCH_EXACT_MAX * (2 * BENCH_EXACT_MAX + 1) + 1
    };
    double(*ways)[SUMS] = bench_buffer((a_count + 1) * sizeof *ways);
    size_t expected2 = a_count * (n + 1);
    double far = 0;
    double all = 0;

    memset(ways, 0, (a_count + 1) * sizeof *ways);
    ways[0][0] = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t k = a_count; k > 0; k--)
            for (size_t s = SUMS - 1; s >= pool[i].rank2; s--)
                ways[k][s] += ways[k - 1][s - pool[i].rank2];
    for (size_t s = 0; s < SUMS; s++) {
        all += ways[a_count][s];
        if (distance(s, expected2) >= distance(sum2, expected2))
            far += ways[a_count][s];
    }
    free(ways);
    return far / all;
}

static double normal_p(size_t a_count, size_t b_count, double u, double ties)
{
    double m = (double)a_count;
    double n = (double)b_count;
    double all = m + n;
    double variance = m * n / 12 * (all + 1 - ties / (all * (all - 1)));
    double off = fabs(u - m * n / 2) - 0.5;

    if (variance <= 0 || off <= 0)
        return 1;
    return erfc(off / sqrt(variance) / sqrt(2));
}

struct bench_u_test bench_mann_whitney(const double *a, size_t a_count, const double *b,
                                       size_t b_count)
{
    struct bench_u_test test = {(double)a_count * (double)b_count / 2, 1};
    size_t n = a_count + b_count;
    struct ranked *pool;
    size_t sum2 = 0;
    double ties;

    if (a_count == 0 || b_count == 0)
        return test;
    pool = bench_buffer(n * sizeof *pool);
    for (size_t i = 0; i < n; i++)
        pool[i] = (struct ranked){i < a_count ? a[i] : b[i - a_count], 0, i < a_count};
    ties = rank(pool, n);
    for (size_t i = 0; i < n; i++)
        sum2 += pool[i].in_a ? pool[i].rank2 : 0;
    test.u = ((double)sum2 - (double)(a_count * (a_count + 1))) / 2;
    if (a_count <= BENCH_EXACT_MAX && b_count <= BENCH_EXACT_MAX)
        test.p = exact_p(pool, n, a_count, sum2);
    else
        test.p = normal_p(a_count, b_count, test.u, ties);
    free(pool);
    return test;
}
