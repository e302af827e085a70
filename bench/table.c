/* table: files of results as one table, rows in the order of their first appearance. */
#include "commands.h"

#include "options.h"
#include "results.h"

#include <stdlib.h>
#include <string.h>

/* Moves the results of a row together, so that engines of several files stand side by side. */
static void gather(struct bench_results *out, const struct bench_results *all,
                   const regex_t *filter)
{
    for (size_t i = 0; i < all->count; i++) {
        const char *bench = all->at[i].bench;
        if (!bench_filter_match(filter, bench) || bench_results_has_bench(out, bench))
            continue;
        for (size_t j = i; j < all->count; j++)
            if (strcmp(all->at[j].bench, bench) == 0)
                bench_results_add(out, &all->at[j]);
    }
}

int bench_table(int argc, char **argv)
{
    static const char *const with_value[] = {"--filter", NULL};
    struct bench_args args = {argc, argv, false};
    struct bench_arg arg;
    struct bench_results all = {0};
    struct bench_results table = {0};
    const char *pattern = "";
    regex_t filter;
    bool any = false;
    int status = 0;

    while (status == 0 && bench_next_arg(&args, &arg, with_value)) {
        if (!arg.option) {
            status = bench_results_read(&all, arg.value);
            any = true;
        } else if (strcmp(arg.option, "--filter") == 0) {
            pattern = arg.value;
        } else {
            bench_usage("unknown option", arg.option);
        }
    }
    if (!any)
        bench_usage("needs a file of results", "table");
    bench_filter_compile(&filter, pattern);
    if (status == 0) {
        gather(&table, &all, &filter);
        bench_write_table(stdout, &table);
    }
    regfree(&filter);
    bench_results_free(&table);
    bench_results_free(&all);
    return status != 0 ? status : ferror(stdout) ? 3 : 0;
}
