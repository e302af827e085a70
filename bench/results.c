#include "results.h"

#include "count.h"

#include <math.h>
#include <string.h>

const struct bench_result *bench_results_find(const struct bench_results *results,
                                              const char *bench, const char *engine)
{
    for (size_t i = 0; i < results->count; i++)
        if (strcmp(results->at[i].bench, bench) == 0 && strcmp(results->at[i].engine, engine) == 0)
            return &results->at[i];
    return NULL;
}

bool bench_results_has_bench(const struct bench_results *results, const char *bench)
{
    for (size_t i = 0; i < results->count; i++)
        if (strcmp(results->at[i].bench, bench) == 0)
            return true;
    return false;
}

static void append_values(struct bench_result *to, const struct bench_result *from)
{
    size_t count = to->value_count + from->value_count;
    double *values = bench_buffer(count * sizeof *values);

    if (to->value_count != 0)
        memcpy(values, to->values, to->value_count * sizeof *values);
    if (from->value_count != 0)
        memcpy(values + to->value_count, from->values, from->value_count * sizeof *values);
    free(to->values);
    to->values = values;
    to->value_count = count;
}

void bench_results_add(struct bench_results *results, const struct bench_result *result)
{
    struct bench_result *at;

    for (size_t i = 0; i < results->count; i++) {
        at = &results->at[i];
        if (strcmp(at->bench, result->bench) == 0 && strcmp(at->engine, result->engine) == 0) {
            append_values(at, result);
            return;
        }
    }
    if (results->count == results->room) {
        size_t room = results->room == 0 ? 64 : results->room * 2;
        at = realloc(results->at, room * sizeof *at);
        if (!at)
            bench_out_of_memory();
        results->at = at;
        results->room = room;
    }
    at = &results->at[results->count++];
    *at = *result;
    at->values = NULL;
    at->value_count = 0;
    append_values(at, result);
}

void bench_results_gather(struct bench_results *out, const struct bench_results *all,
                          const regex_t *filter)
{
    for (size_t i = 0; i < all->count; i++) {
        const char *bench = all->at[i].bench;
        if (regexec(filter, bench, 0, NULL, 0) != 0 || bench_results_has_bench(out, bench))
            continue;
        for (size_t j = i; j < all->count; j++)
            if (strcmp(all->at[j].bench, bench) == 0)
                bench_results_add(out, &all->at[j]);
    }
}

void bench_results_free(struct bench_results *results)
{
    for (size_t i = 0; i < results->count; i++)
        free(results->at[i].values);
    free(results->at);
    *results = (struct bench_results){0};
}

double bench_headline(const struct bench_result *r)
{
    double median;
    double *values;

    if (r->value_count == 0)
        return r->six.median;
    values = bench_buffer(r->value_count * sizeof *values);
    memcpy(values, r->values, r->value_count * sizeof *values);
    median = bench_median(values, r->value_count);
    free(values);
    return median;
}

/* ---- JSON and CSV ------------------------------------------------------------------------- */

/* JSON has no NaN. */
static void write_number(FILE *out, double number)
{
    if (isfinite(number))
        fprintf(out, "%.6g", number);
    else
        fputs("null", out);
}

static void write_member(FILE *out, const char *name, double number)
{
    fprintf(out, ",\"%s\":", name);
    write_number(out, number);
}

void bench_write_json(FILE *out, const struct bench_result *r)
{
    /* Names are the program's own and hold nothing that needs an escape. */
    fprintf(out, "{\"bench\":\"%s\",\"engine\":\"%s\",\"unit\":\"%s\",\"samples\":%zu", r->bench,
            r->engine, r->unit, r->samples);
    write_member(out, "min", r->six.min);
    write_member(out, "q1", r->six.q1);
    write_member(out, "median", r->six.median);
    write_member(out, "mean", r->six.mean);
    write_member(out, "q3", r->six.q3);
    write_member(out, "max", r->six.max);
    write_member(out, "bytes_per_s", r->bytes_per_s);
    write_member(out, "alloc_bytes_per_op", r->alloc_bytes_per_op);
    write_member(out, "allocs_per_op", r->allocs_per_op);
    fputs(",\"values\":[", out);
    for (size_t i = 0; i < r->value_count; i++) {
        fputs(i == 0 ? "" : ",", out);
        write_number(out, r->values[i]);
    }
    fputs("]}\n", out);
}

void bench_write_csv_head(FILE *out)
{
    fputs("bench,engine,unit,samples,min,q1,median,mean,q3,max,bytes_per_s,alloc_bytes_per_op,"
          "allocs_per_op\n",
          out);
}

void bench_write_csv(FILE *out, const struct bench_result *r)
{
    const double numbers[] = {r->six.min,      r->six.q1,  r->six.median,  r->six.mean,
                              r->six.q3,       r->six.max, r->bytes_per_s, r->alloc_bytes_per_op,
                              r->allocs_per_op};

    fprintf(out, "%s,%s,%s,%zu", r->bench, r->engine, r->unit, r->samples);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        fprintf(out, isfinite(numbers[i]) ? ",%.6g" : ",", numbers[i]);
    fputc('\n', out);
}

/* ---- the table ---------------------------------------------------------------------------- */

void bench_format_time(char *out, size_t size, double ns)
{
    int decimals = ns < 10 ? 2 : ns < 100 ? 1 : 0;
    snprintf(out, size, "%.*f", decimals, ns);
}

static size_t group_length(const char *bench)
{
    return strcspn(bench, "/");
}

static bool same_group(const char *a, const char *b)
{
    size_t len = group_length(a);
    return len == group_length(b) && memcmp(a, b, len) == 0;
}

static void widths(const struct bench_results *results, int *bench, int *engine)
{
    *bench = 5;
    *engine = 6;
    for (size_t i = 0; i < results->count; i++) {
        int b = (int)strlen(results->at[i].bench);
        int e = (int)strlen(results->at[i].engine);
        *bench = b > *bench ? b : *bench;
        *engine = e > *engine ? e : *engine;
    }
}

static void write_head(FILE *out, const char *unit, int bench, int engine)
{
    const char *op = strncmp(unit, "ns/", 3) == 0 ? unit + 3 : unit;
    char bytes[BENCH_NAME_SIZE + 8];
    char allocs[BENCH_NAME_SIZE + 8];

    snprintf(bytes, sizeof bytes, "B/%s", op);
    snprintf(allocs, sizeof allocs, "allocs/%s", op);
    fprintf(out, "%-*s  %-*s %8s %8s %8s %8s %8s %8s %9s %8s %8s %12s %8s\n", bench, "bench",
            engine, "engine", "Min", "1st Qu.", "Median", "Mean", "3rd Qu.", "Max", unit, "MB/s",
            bytes, allocs, "vs naive");
}

static void write_count(FILE *out, int width, int decimals, double count)
{
    if (isfinite(count))
        fprintf(out, " %*.*f", width, decimals, count);
    else
        fprintf(out, " %*s", width, "-");
}

static void write_line(FILE *out, const struct bench_results *results, const struct bench_result *r,
                       int bench, int engine)
{
    const struct bench_result *naive = bench_results_find(results, r->bench, "naive");
    const double times[] = {r->six.min,  r->six.q1, r->six.median,
                            r->six.mean, r->six.q3, r->six.max};
    char text[32];

    fprintf(out, "%-*s  %-*s", bench, r->bench, engine, r->engine);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        bench_format_time(text, sizeof text, times[i]);
        fprintf(out, " %8s", text);
    }
    bench_format_time(text, sizeof text, bench_headline(r));
    fprintf(out, " %9s", text);
    write_count(out, 8, r->bytes_per_s < 99.95e6 ? 1 : 0, r->bytes_per_s / 1e6);
    write_count(out, 8, 1, r->alloc_bytes_per_op);
    write_count(out, 12, 2, r->allocs_per_op);
    if (naive && naive != r)
        fprintf(out, " %7.2fx", bench_headline(naive) / bench_headline(r));
    fputc('\n', out);
}

void bench_write_table(FILE *out, const struct bench_results *results)
{
    int bench = 0;
    int engine = 0;
    const struct bench_result *last = NULL;

    widths(results, &bench, &engine);
    for (size_t i = 0; i < results->count; i++) {
        const struct bench_result *r = &results->at[i];
        bool first = !last || !same_group(last->bench, r->bench) || strcmp(last->unit, r->unit);
        if (first)
            fputs(last ? "\n" : "", out);
        if (first)
            write_head(out, r->unit, bench, engine);
        write_line(out, results, r, bench, engine);
        last = r;
    }
    fflush(out);
}
