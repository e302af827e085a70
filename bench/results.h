/*
 * results.h - results: what a row and engine gave, written as a table, JSON lines or CSV, and read
 * back from JSON lines.
 *
 * Threads: a list of results belongs to one thread at a time.
 */
#ifndef CID_BENCH_RESULTS_H
#define CID_BENCH_RESULTS_H

#include "stats.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define BENCH_NAME_SIZE 64

/* One row and engine. Times are in the unit, which is ns an operation. */
struct bench_result {
    char bench[BENCH_NAME_SIZE];
    char engine[BENCH_NAME_SIZE];
    char unit[BENCH_NAME_SIZE]; /* "ns/op", "ns/block" */
    size_t samples;             /* how many the six numbers are of */
    struct bench_six six;
    double bytes_per_s;
    double alloc_bytes_per_op; /* NAN where it was not counted */
    double allocs_per_op;
    double *values; /* the medians of the rounds */
    size_t value_count;
};

/* Results in the order of their first appearance; `values` belong to the list. */
struct bench_results {
    struct bench_result *at;
    size_t count;
    size_t room;
};

/* Adds a copy. A second result of a row and engine adds its values to the first. */
void bench_results_add(struct bench_results *results, const struct bench_result *result);

/* The result of a row and engine; NULL if there is none. */
const struct bench_result *bench_results_find(const struct bench_results *results,
                                              const char *bench, const char *engine);

/* Whether results of that row are in the list. */
bool bench_results_has_bench(const struct bench_results *results, const char *bench);

/*
 * Adds the results whose row the expression matches, those of a row together, so that engines from
 * several files stand side by side.
 */
void bench_results_gather(struct bench_results *out, const struct bench_results *all,
                          const regex_t *filter);

/* The figure that stands for a result, in its unit: the median of the rounds' medians. */
double bench_headline(const struct bench_result *result);

void bench_results_free(struct bench_results *results);

/*
 * Adds the results of a file of JSON lines; "-" is stdin. Members it does not know are passed over.
 * Returns 0; or 1 for text that is no such file and 3 if it cannot be read, with a line on stderr.
 */
int bench_results_read(struct bench_results *results, const char *path);

/* One line of JSON, and one of CSV, with the line of headings that goes before. */
void bench_write_json(FILE *out, const struct bench_result *result);
void bench_write_csv(FILE *out, const struct bench_result *result);
void bench_write_csv_head(FILE *out);

/* The aligned table, with headings for each group and a column that compares with naive. */
void bench_write_table(FILE *out, const struct bench_results *results);

/* A time with three significant digits or more, such as "4.31" or "1083". */
void bench_format_time(char *out, size_t size, double ns);

#endif
