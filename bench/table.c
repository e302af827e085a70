/* table: files of results as one table, rows in the order of their first appearance. */
#include "commands.h"

#include "options.h"
#include "results.h"

#include <stdlib.h>
#include <string.h>

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
        bench_results_gather(&table, &all, &filter);
        bench_write_table(stdout, &table);
    }
    regfree(&filter);
    bench_results_free(&table);
    bench_results_free(&all);
    return status != 0 ? status : ferror(stdout) ? 3 : 0;
}
