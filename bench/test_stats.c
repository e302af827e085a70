/*
 * The statistics of the benchmark against published figures: quartiles as R's summary() gives them,
 * and U and p of Mann-Whitney against printed tables and worked examples.
 */
#include "support.h"

#include "stats.h"

#include <math.h>

static void assert_close(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("got %.9g, expected %.9g", got, expected);
}

static void six_numbers(void **state)
{
    /* Hand-worked with type 7: position 1 + q (n - 1). */
    static const struct {
        double values[10];
        size_t n;
        struct bench_six six;
    } rows[] = {
        {{5}, 1, {5, 5, 5, 5, 5, 5}},
        {{2, 1}, 2, {1, 1.25, 1.5, 1.5, 1.75, 2}},
        {{3, 1, 2}, 3, {1, 1.5, 2, 2, 2.5, 3}},
        {{4, 1, 3, 2}, 4, {1, 1.75, 2.5, 2.5, 3.25, 4}},
        {{5, 4, 3, 2, 1}, 5, {1, 2, 3, 3, 4, 5}},
        {{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 10, {1, 3.25, 5.5, 5.5, 7.75, 10}},
        {{1, 1, 1, 1, 96}, 5, {1, 1, 1, 20, 1, 96}},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        double values[10];
        struct bench_six six;
        memcpy(values, rows[i].values, sizeof values);
        bench_summarise(&six, values, rows[i].n);
        assert_close(six.min, rows[i].six.min, 1e-12);
        assert_close(six.q1, rows[i].six.q1, 1e-12);
        assert_close(six.median, rows[i].six.median, 1e-12);
        assert_close(six.mean, rows[i].six.mean, 1e-12);
        assert_close(six.q3, rows[i].six.q3, 1e-12);
        assert_close(six.max, rows[i].six.max, 1e-12);
        assert_close(bench_median(values, rows[i].n), rows[i].six.median, 1e-12);
    }
}

/* Two samples without ties, of sizes m and n, that have exactly that U. */
static struct bench_u_test test_of_u(size_t m, size_t n, size_t u)
{
    double a[40], b[40];

    /* a[i] is larger than as many of 1, 2, ... n as it is given. */
    for (size_t j = 0; j < n; j++)
        b[j] = (double)(j + 1);
    for (size_t i = 0; i < m; i++) {
        size_t larger = u < n ? u : n;
        a[i] = (double)larger + 0.5 + (double)i * 1e-4;
        u -= larger;
    }
    return bench_mann_whitney(a, m, b, n);
}

static void exact_p_of_u(void **state)
{
    /* One-sided probabilities of the printed tables (Mann and Whitney 1947), twice. */
    static const struct {
        size_t m, n, u;
        double p;
    } rows[] = {
        {3, 3, 0, 0.100}, {3, 3, 1, 0.200}, {3, 3, 2, 0.400}, {3, 3, 3, 0.700}, {4, 4, 0, 0.028},
        {4, 4, 1, 0.058}, {4, 4, 2, 0.114}, {4, 4, 3, 0.200}, {5, 5, 0, 0.008}, {5, 5, 1, 0.016},
        {5, 5, 2, 0.032}, {5, 5, 3, 0.056}, {5, 5, 4, 0.096}, {3, 5, 0, 0.036}, {3, 5, 1, 0.072},
        {4, 5, 0, 0.016}, {4, 5, 1, 0.032}, {4, 5, 2, 0.064}, {4, 6, 2, 0.038}, {4, 6, 3, 0.066},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench_u_test test = test_of_u(rows[i].m, rows[i].n, rows[i].u);
        assert_close(test.u, (double)rows[i].u, 0);
        /* The tables give three places of the one-sided figure. */
        assert_close(test.p, rows[i].p, 0.0011);
    }
}

static void critical_values_at_5_percent(void **state)
{
    /* Of the printed table for two-sided 0.05: the largest U that is significant. */
    static const struct {
        size_t m, n, u;
    } rows[] = {
        {4, 4, 0},    {5, 5, 2},    {6, 6, 5},    {7, 7, 8},    {8, 8, 13},
        {9, 9, 17},   {10, 10, 23}, {11, 11, 30}, {5, 8, 6},    {7, 12, 18},
        {12, 12, 37}, {15, 15, 64}, {10, 20, 55}, {18, 18, 99}, {20, 20, 127},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_true(test_of_u(rows[i].m, rows[i].n, rows[i].u).p <= 0.05);
        assert_true(test_of_u(rows[i].m, rows[i].n, rows[i].u + 1).p > 0.05);
        /* and the same from the other side */
        assert_true(test_of_u(rows[i].m, rows[i].n, rows[i].m * rows[i].n - rows[i].u).p <= 0.05);
    }
}

static void full_separation(void **state)
{
    /* 2 / C(22, 11) and 2 / C(40, 20) */
    (void)state;
    assert_close(test_of_u(11, 11, 0).p, 2.0 / 705432, 1e-15);
    assert_close(test_of_u(11, 11, 121).p, 2.0 / 705432, 1e-15);
    assert_close(test_of_u(20, 20, 0).p, 2.0 / 137846528820.0, 1e-20);
    assert_close(test_of_u(1, 1, 0).p, 1, 0);
}

static void worked_example(void **state)
{
    /* Hollander and Wolfe (1973), p. 69: permeability of the chorioamnion; W = 35, p = 0.1272
     * one-sided. */
    static const double at_term[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    static const double early[] = {1.15, 0.88, 0.90, 0.74, 1.21};
    struct bench_u_test test = bench_mann_whitney(at_term, 10, early, 5);
    (void)state;

    assert_close(test.u, 35, 0);
    assert_close(test.p, 2 * 0.1272, 0.0001);
}

static void ties(void **state)
{
    /* Worked by hand: of C(4, 2) = 6 deals of the mean ranks 1, 2.5, 2.5, 4 the sums are 3.5, 3.5,
     * 5, 5, 6.5, 6.5; {1, 2} has 3.5, and four of six lie as far from 5. */
    static const double a[] = {1, 2};
    static const double b[] = {2, 3};
    static const double same[] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    struct bench_u_test test = bench_mann_whitney(a, 2, b, 2);
    (void)state;

    assert_close(test.u, 0.5, 0);
    assert_close(test.p, 4.0 / 6, 1e-12);
    assert_close(bench_mann_whitney(same, 11, same, 11).p, 1, 0);
    assert_close(bench_mann_whitney(same, 11, same, 0).p, 1, 0);
    assert_close(bench_mann_whitney(a, 0, b, 2).p, 1, 0);
}

static void identical_samples(void **state)
{
    double a[30];
    (void)state;

    for (size_t i = 0; i < COUNT(a); i++)
        a[i] = (double)(i * i % 17);
    assert_close(bench_mann_whitney(a, 11, a, 11).p, 1, 0);
    assert_close(bench_mann_whitney(a, COUNT(a), a, COUNT(a)).p, 1, 0);
}

static void normal_above_twenty(void **state)
{
    /* Without ties, m = n = 21: mean 220.5, variance 21 * 21 * 43 / 12 = 1580.25, sd 39.752.
     * U = 142: z = (78.5 - 0.5) / 39.752 = 1.96216; p = 0.04975. */
    (void)state;
    assert_close(test_of_u(21, 21, 142).p, 0.04975, 0.00002);
    /* The approximation meets the exact figure closely at the border. */
    for (size_t u = 60; u <= 200; u += 20)
        assert_close(test_of_u(21, 20, u).p, test_of_u(20, 20, u * 20 / 21).p, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(six_numbers),
        cmocka_unit_test(exact_p_of_u),
        cmocka_unit_test(critical_values_at_5_percent),
        cmocka_unit_test(full_separation),
        cmocka_unit_test(worked_example),
        cmocka_unit_test(ties),
        cmocka_unit_test(identical_samples),
        cmocka_unit_test(normal_above_twenty),
    };
    return cmocka_run_group_tests_name("bench_stats", tests, NULL, NULL);
}
