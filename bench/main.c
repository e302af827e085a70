/* cid-bench: measures, and hands over to the commands that work on results. */
#include "commands.h"
#include "naive.h"
#include "options.h"
#include "others.h"
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

static const char help[] =
    "usage: cid-bench [options] [FILE.car]\n"
    "       cid-bench compare [--filter ERE] [--alpha P] [--threshold PERCENT] [--raw]\n"
    "                         [--json] OLD.json NEW.json\n"
    "       cid-bench plot [--filter ERE] [--title TEXT] RESULTS.json OUT.svg\n"
    "       cid-bench table [--filter ERE] RESULTS.json...\n"
    "       cid-bench strings [--engine NAME] [--count N] [--seed N]\n"
    "       cid-bench manifest [--seed N]\n"
    "\n"
    "Measures the library beside fixed opponents and prints, a row and engine a line,\n"
    "the six numbers of its time (ns of the thread's CPU clock an operation), the\n"
    "median of its rounds, throughput, and allocations an operation.\n"
    "\n"
    "  --filter ERE     only rows in whose name the POSIX extended expression matches\n"
    "  --list           print the names of the rows and do nothing else\n"
    "  --json           one JSON object a line, for compare, plot and table\n"
    "  --csv            comma-separated values\n"
    "  --rounds N       rounds in which the engines take turns (11)\n"
    "  --time SECONDS   CPU time a row and engine (0.25; car/ and json/ 1; less where a\n"
    "                   group would take longer than 30 s)\n"
    "  --iterations N   operations a slice (as many as take 100 us or more); of documents\n"
    "                   and batches, which go by whole passes: N passes in all, a sample each\n"
    "  --seed N         seed of all inputs (1)\n"
    "  --car FILE       the same as FILE: adds rows over that archive; without --filter\n"
    "                   nothing else is measured\n"
    "  --help           print this\n"
    "  --version        print the version\n"
    "\n"
    "compare tells two files of results apart: old, new, the change in percent, and\n"
    "the p-value of a two-sided Mann-Whitney U test on the medians of the rounds. A\n"
    "change counts, and is not shown as ~, if p is below 0.01 (--alpha) and it is 5 %\n"
    "(--threshold) or more. Where the engines that are not libcid have moved by 2 % or\n"
    "more in a group, it must count relative to theirs too, unless --raw is given.\n"
    "plot draws box plots. table prints files of results as one table.\n"
    "\n"
    "strings writes N (1) strings of 256 characters as JSON and does nothing else, to be\n"
    "timed from outside: see bench/commands. Engines: libcid, per-character. manifest\n"
    "writes the document that json/manifest reads.\n";

#define TOGETHER 16 /* rows that are measured in common rounds, at least */

enum format {
    FORMAT_TABLE,
    FORMAT_JSON,
    FORMAT_CSV
};

struct options {
    struct bench_plan plan;
    enum format format;
    const char *filter;
    const char *car;
    bool list;
};

static const char *const with_value[] = {"--filter", "--rounds", "--time", "--iterations",
                                         "--seed",   "--car",    NULL};

static double seconds_of(const struct bench_arg *arg)
{
    char *end = NULL;
    double seconds = strtod(arg->value, &end);

    if (end == arg->value || *end != '\0' || !(seconds > 0) || seconds > 3600)
        bench_usage("not a time in seconds", arg->value);
    return seconds;
}

static void print_and_exit(const char *text)
{
    fputs(text, stdout);
    exit(fflush(stdout) == 0 ? 0 : 3);
}

static void take_option(struct options *o, const struct bench_arg *arg)
{
    const char *name = arg->option;

    if (strcmp(name, "--filter") == 0)
        o->filter = arg->value;
    else if (strcmp(name, "--car") == 0)
        o->car = arg->value;
    else if (strcmp(name, "--rounds") == 0)
        o->plan.rounds = (unsigned)bench_number(arg, 1, 10000);
    else if (strcmp(name, "--time") == 0)
        o->plan.seconds = seconds_of(arg);
    else if (strcmp(name, "--iterations") == 0)
        o->plan.iterations = bench_number(arg, 1, UINT32_MAX);
    else if (strcmp(name, "--seed") == 0)
        o->plan.seed = bench_number(arg, 0, UINT64_MAX);
    else if (strcmp(name, "--list") == 0)
        o->list = true;
    else if (strcmp(name, "--json") == 0)
        o->format = FORMAT_JSON;
    else if (strcmp(name, "--csv") == 0)
        o->format = FORMAT_CSV;
    else if (strcmp(name, "--help") == 0)
        print_and_exit(help);
    else if (strcmp(name, "--version") == 0)
        print_and_exit("cid-bench " BENCH_VERSION "\n");
    else
        bench_usage("unknown option", name);
}

static struct options options_of(int argc, char **argv)
{
    struct options o = {.plan = {.rounds = 11, .seed = 1}};
    struct bench_args args = {argc, argv, false};
    struct bench_arg arg;

    while (bench_next_arg(&args, &arg, with_value)) {
        if (arg.option)
            take_option(&o, &arg);
        else if (o.car)
            bench_usage("one archive is enough", arg.value);
        else
            o.car = arg.value;
    }
    return o;
}

/* ---- measuring ---------------------------------------------------------------------------- */

/* Where results go: straight out, or into a list that becomes the table of a group. */
struct output {
    enum format format;
    struct bench_results results;
};

static void take_result(void *ctx, const struct bench_result *result)
{
    struct output *out = ctx;

    switch (out->format) {
    case FORMAT_JSON:
        bench_write_json(stdout, result);
        break;
    case FORMAT_CSV:
        bench_write_csv(stdout, result);
        break;
    case FORMAT_TABLE:
        bench_results_add(&out->results, result);
        break;
    }
}

static size_t group_length(const char *name)
{
    return strcspn(name, "/");
}

/* The rows from number i on that belong to its group. */
static size_t group_count(struct bench_row *const *rows, size_t count, size_t i)
{
    size_t len = group_length(rows[i]->name);
    size_t n = 1;

    while (i + n < count && group_length(rows[i + n]->name) == len &&
           memcmp(rows[i + n]->name, rows[i]->name, len) == 0)
        n++;
    return n;
}

/* The rows from number i on that are measured in common rounds: whole groups, and enough rows that
 * a noisy second does not meet all rounds of one. */
static size_t together(struct bench_row *const *rows, size_t count, size_t i)
{
    size_t n = 0;

    while (n < TOGETHER && i + n < count)
        n += group_count(rows, count, i + n);
    return n;
}

static void run(struct bench_row *const *rows, size_t count, const struct options *o)
{
    struct output out = {.format = o->format};
    size_t n;

    if (o->format == FORMAT_CSV)
        bench_write_csv_head(stdout);
    for (size_t i = 0; i < count; i += n) {
        n = together(rows, count, i);
        bench_run(rows + i, n, &o->plan, take_result, &out);
        if (o->format == FORMAT_TABLE && out.results.count != 0) {
            fputs(i == 0 ? "" : "\n", stdout);
            bench_write_table(stdout, &out.results);
        }
        bench_results_free(&out.results);
        fflush(stdout);
    }
}

/* What the figures were measured on goes above the table. */
static void print_context(const struct options *o)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");

    printf("# libcid %s, seed %llu, %u rounds", BENCH_VERSION, (unsigned long long)o->plan.seed,
           o->plan.rounds);
#if defined(__clang__)
    printf(", clang %d.%d", __clang_major__, __clang_minor__);
#elif defined(__GNUC__)
    printf(", gcc %d.%d", __GNUC__, __GNUC_MINOR__);
#endif
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            line[strcspn(line, "\n")] = '\0';
            printf(",%s", strchr(line, ':') + 1);
            break;
        }
    if (file)
        fclose(file);
    printf("\n\n");
}

/* Figures of such a build say nothing about the library. */
static void warn_of_build(void)
{
#if !defined(__OPTIMIZE__)
    fputs("cid-bench: built without optimisation: the figures mean little\n", stderr);
#endif
#if defined(__SANITIZE_ADDRESS__)
    fputs("cid-bench: built with a sanitizer: the figures mean little\n", stderr);
#endif
}

static int measure(const struct options *o)
{
    struct bench_rows all = {0};
    struct bench_row **chosen;
    size_t count = 0;
    regex_t filter;
    const char *pattern = o->filter ? o->filter : o->car ? "^car/[a-z]+/file$" : "";

    bench_filter_compile(&filter, pattern);
    naive_begin();
    bench_rows_all(&all, o->car);
    chosen = bench_buffer((all.count + 1) * sizeof *chosen);
    for (size_t i = 0; i < all.count; i++)
        if (bench_filter_match(&filter, all.at[i].name))
            chosen[count++] = &all.at[i];
    regfree(&filter);
    if (count == 0)
        bench_usage("no row has such a name", pattern);
    if (!o->list) {
        warn_of_build();
        other_announce();
        if (o->format == FORMAT_TABLE)
            print_context(o);
        run(chosen, count, o);
    }
    for (size_t i = 0; o->list && i < count; i++)
        puts(chosen[i]->name);
    free(chosen);
    bench_rows_free(&all);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 3;
}

/* Memory that is freed stays with the process: a page fault costs more than what is measured. */
static void keep_memory(void)
{
#if defined(__GLIBC__)
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT32_MAX);
#endif
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } commands[] = {{"compare", bench_compare},
                    {"manifest", bench_manifest},
                    {"plot", bench_plot},
                    {"strings", bench_strings},
                    {"table", bench_table}};
    struct options options;

    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 2, argv + 2);
    options = options_of(argc - 1, argv + 1);
    keep_memory();
    return measure(&options);
}
