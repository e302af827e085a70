/*
 * compare: what changed between two files of results.
 *
 * A row and engine is said to have changed when two things hold: the two-sided Mann-Whitney U test
 * on the medians of the rounds gives p below ALPHA, and the medians differ by THRESHOLD percent or
 * more. The test alone would not do: within a run the rounds agree closely, while two runs of one
 * program differ by a few percent for reasons that are none of the program's (where the loader put
 * its code and data), and with enough rounds any difference is significant. ALPHA is 1 % since
 * hundreds of rows are tested at once.
 *
 * The machine may be slower in one run than in the other. The engines that are not the library
 * (naive, other libraries) are the same code in both files, so what they have moved by, the machine
 * has moved by. Where DRIFT_ENGINES or more of them in a group have moved by DRIFT percent or more
 * in the median, a line says so, and a row of the group has changed only if both things hold as
 * measured and also with that movement taken out, and in the same direction. What is printed is as
 * measured.
 */
#include "commands.h"

#include "count.h"
#include "options.h"
#include "results.h"

#include <math.h>
#include <string.h>

#define ALPHA         0.01
#define THRESHOLD     5.0 /* percent */
#define DRIFT         2.0 /* percent */
#define DRIFT_ENGINES 5

/* A row and engine that stands in both files. */
struct change {
    const struct bench_result *old;
    const struct bench_result *new;
    double ratio; /* of the medians, new to old */
    double p;
    bool significant;
};

/* How to compare, and what is compared. */
struct comparison {
    double alpha;
    double threshold;
    bool raw; /* do not look at the drift */
    bool json;
    struct bench_results old;
    struct bench_results new;
    struct change *at;
    size_t count;
};

static bool is_library(const char *engine)
{
    return strncmp(engine, "libcid", 6) == 0;
}

static bool same_group(const char *a, const char *b)
{
    size_t len = strcspn(a, "/");
    return len == strcspn(b, "/") && memcmp(a, b, len) == 0;
}

/* What the opponents in the group of a row have moved by; 1 where that cannot be told, or is small.
 */
static double drift_of(const struct comparison *c, const char *bench)
{
    double *ratios = bench_buffer(c->count * sizeof *ratios);
    size_t count = 0;
    double drift;

    for (size_t i = 0; i < c->count; i++)
        if (same_group(c->at[i].old->bench, bench) && !is_library(c->at[i].old->engine))
            ratios[count++] = c->at[i].ratio;
    drift = count < DRIFT_ENGINES ? 1 : bench_median(ratios, count);
    free(ratios);
    return !c->raw && fabs(drift - 1) * 100 >= DRIFT ? drift : 1;
}

/* p once the new values are divided by the drift. */
static double p_without(const struct change *change, double drift)
{
    size_t count = change->new->value_count;
    double *values = bench_buffer(count * sizeof *values);
    double p;

    for (size_t i = 0; i < count; i++)
        values[i] = change->new->values[i] / drift;
    p = bench_mann_whitney(change->old->values, change->old->value_count, values, count).p;
    free(values);
    return p;
}

static bool counts(const struct comparison *c, double p, double ratio)
{
    return p < c->alpha && fabs(ratio - 1) * 100 >= c->threshold * (1 - 1e-9);
}

static void judge(const struct comparison *c, struct change *change, double drift)
{
    double relative = change->ratio / drift;

    change->p = p_without(change, 1);
    change->significant = counts(c, change->p, change->ratio) &&
                          counts(c, p_without(change, drift), relative) &&
                          (change->ratio < 1) == (relative < 1);
}

/* Pairs what stands in both files and says on stderr what does not. */
static void pair(struct comparison *c)
{
    size_t lost = 0;

    c->at = bench_buffer(c->old.count * sizeof *c->at);
    for (size_t i = 0; i < c->old.count; i++) {
        const struct bench_result *old = &c->old.at[i];
        const struct bench_result *new = bench_results_find(&c->new, old->bench, old->engine);
        if (new &&bench_headline(old) > 0 && bench_headline(new) > 0)
            c->at[c->count++] =
                (struct change){old, new, bench_headline(new) / bench_headline(old), 1, false};
        else
            lost++;
    }
    if (lost != 0)
        fprintf(stderr, "cid-bench: %zu results stand in the first file only\n", lost);
    if (c->new.count > c->count)
        fprintf(stderr, "cid-bench: %zu results stand in the second file only\n",
                c->new.count - c->count);
}

/* ---- output ------------------------------------------------------------------------------- */

/* "p=0.034", "p=2.8e-6" */
static void format_p(char *out, size_t size, double p)
{
    int exponent;

    if (p >= 0.0005) {
        snprintf(out, size, "p=%.3f", p);
        return;
    }
    exponent = p > 0 ? (int)floor(log10(p)) : -99;
    snprintf(out, size, "p=%.1fe%d", p > 0 ? p / pow(10, exponent) : 1, exponent);
}

static void widths(const struct comparison *c, int *bench, int *engine)
{
    *bench = 7;
    *engine = 6;
    for (size_t i = 0; i < c->count; i++) {
        int b = (int)strlen(c->at[i].old->bench);
        int e = (int)strlen(c->at[i].old->engine);
        *bench = b > *bench ? b : *bench;
        *engine = e > *engine ? e : *engine;
    }
}

static void print_line(const struct change *change, int bench, int engine)
{
    char old[32], new[32], delta[32] = "~", p[32];

    bench_format_time(old, sizeof old, bench_headline(change->old));
    bench_format_time(new, sizeof new, bench_headline(change->new));
    format_p(p, sizeof p, change->p);
    if (change->significant)
        snprintf(delta, sizeof delta, "%+.2f%%", (change->ratio - 1) * 100);
    printf("%-*s  %-*s %10s %10s %10s  %-9s n=%zu+%zu\n", bench, change->old->bench, engine,
           change->old->engine, old, new, delta, p, change->old->value_count,
           change->new->value_count);
}

/* The geometric mean of the changes, of the library's engines or of all. */
static void print_mean(const struct comparison *c, bool library, int bench, int engine)
{
    double old = 0, new = 0;
    size_t count = 0;
    char text[2][32];

    for (size_t i = 0; i < c->count; i++) {
        if (library && !is_library(c->at[i].old->engine))
            continue;
        old += log(bench_headline(c->at[i].old));
        new += log(bench_headline(c->at[i].new));
        count++;
    }
    if (count == 0)
        return;
    bench_format_time(text[0], sizeof text[0], exp(old / (double)count));
    bench_format_time(text[1], sizeof text[1], exp(new / (double)count));
    printf("%-*s  %-*s %10s %10s %+9.2f%%\n", bench, "geomean", engine, library ? "libcid" : "all",
           text[0], text[1], (exp((new - old) / (double)count) - 1) * 100);
}

static void print_json(const struct change *change)
{
    printf("{\"bench\":\"%s\",\"engine\":\"%s\",\"unit\":\"%s\",\"old\":%.6g,\"new\":%.6g,"
           "\"delta_percent\":%.4f,\"p\":%.6g,\"n_old\":%zu,\"n_new\":%zu,\"significant\":%s}\n",
           change->old->bench, change->old->engine, change->old->unit, bench_headline(change->old),
           bench_headline(change->new), (change->ratio - 1) * 100, change->p,
           change->old->value_count, change->new->value_count,
           change->significant ? "true" : "false");
}

static void print_drift(const char *bench, double drift)
{
    fprintf(stderr,
            "cid-bench: %.*s/: the opponents moved by %+.1f%%, so changes like that do not count\n",
            (int)strcspn(bench, "/"), bench, (drift - 1) * 100);
}

static void compare(struct comparison *c)
{
    int bench = 0, engine = 0;
    size_t changed = 0;
    double drift = 1;

    pair(c);
    widths(c, &bench, &engine);
    if (!c->json)
        printf("%-*s  %-*s %10s %10s %10s  %-9s n\n", bench, "bench", engine, "engine", "old ns",
               "new ns", "delta", "p");
    for (size_t i = 0; i < c->count; i++) {
        const char *name = c->at[i].old->bench;
        if (i == 0 || !same_group(c->at[i - 1].old->bench, name)) {
            drift = drift_of(c, name);
            if (drift < 1 || drift > 1)
                print_drift(name, drift);
        }
        judge(c, &c->at[i], drift);
        changed += c->at[i].significant;
        if (c->json)
            print_json(&c->at[i]);
        else
            print_line(&c->at[i], bench, engine);
    }
    if (c->json)
        return;
    print_mean(c, true, bench, engine);
    print_mean(c, false, bench, engine);
    printf("%zu of %zu changed (p < %g and by %g%% or more)\n", changed, c->count, c->alpha,
           c->threshold);
}

/* ---- the command line --------------------------------------------------------------------- */

static double fraction_of(const struct bench_arg *arg, double most)
{
    char *end = NULL;
    double number = strtod(arg->value, &end);

    if (end == arg->value || *end != '\0' || !(number >= 0 && number <= most))
        bench_usage("not a number in range", arg->value);
    return number;
}

/* Reads a file, of which only the rows that the expression matches are kept. */
static int read_some(struct bench_results *out, const char *path, const regex_t *filter)
{
    struct bench_results all = {0};
    int status = bench_results_read(&all, path);

    bench_results_gather(out, &all, filter);
    bench_results_free(&all);
    return status;
}

static const char *take_arguments(struct comparison *c, struct bench_args *args,
                                  const char *paths[2])
{
    static const char *const with_value[] = {"--filter", "--alpha", "--threshold", NULL};
    const char *pattern = "";
    size_t count = 0;
    struct bench_arg arg;

    while (bench_next_arg(args, &arg, with_value)) {
        if (!arg.option && count < 2)
            paths[count++] = arg.value;
        else if (!arg.option)
            bench_usage("two files are enough", arg.value);
        else if (strcmp(arg.option, "--filter") == 0)
            pattern = arg.value;
        else if (strcmp(arg.option, "--alpha") == 0)
            c->alpha = fraction_of(&arg, 1);
        else if (strcmp(arg.option, "--threshold") == 0)
            c->threshold = fraction_of(&arg, 1000);
        else if (strcmp(arg.option, "--raw") == 0)
            c->raw = true;
        else if (strcmp(arg.option, "--json") == 0)
            c->json = true;
        else
            bench_usage("unknown option", arg.option);
    }
    if (count != 2)
        bench_usage("needs two files of results", "compare");
    return pattern;
}

int bench_compare(int argc, char **argv)
{
    struct comparison c = {.alpha = ALPHA, .threshold = THRESHOLD};
    struct bench_args args = {argc, argv, false};
    const char *paths[2] = {NULL, NULL};
    const char *pattern = take_arguments(&c, &args, paths);
    regex_t filter;
    int status;

    bench_filter_compile(&filter, pattern);
    status = read_some(&c.old, paths[0], &filter);
    if (status == 0)
        status = read_some(&c.new, paths[1], &filter);
    regfree(&filter);
    if (status == 0)
        compare(&c);
    if (status == 0 && c.count == 0) {
        fputs("cid-bench: the files have no results in common\n", stderr);
        status = 1;
    }
    free(c.at);
    bench_results_free(&c.old);
    bench_results_free(&c.new);
    return status != 0 ? status : fflush(stdout) == 0 && !ferror(stdout) ? 0 : 3;
}
