#include "conformance.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SKIPPED      77
#define MOST_SHOWN   25 /* failures a file */
#define MOST_DECIDED 512

static const char *file_now;
static size_t failures;      /* in this file */
static size_t failed_rows;   /* in this file */
static size_t last_bad_line; /* so that a row counts once */
static bool asked[MOST_DECIDED];

void row_fail(struct tsv *tsv, const char *format, ...)
{
    va_list args;

    failures++;
    if (tsv_line(tsv) != last_bad_line)
        failed_rows++;
    last_bad_line = tsv_line(tsv);
    if (failures > MOST_SHOWN)
        return;
    printf("%s:%zu: ", file_now, tsv_line(tsv));
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

const char *conformance_path(const char *file)
{
    static char path[4096];
    const char *folder = getenv("CID_VECTORS");

    if (snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", file) >= (int)sizeof path)
        exit(1);
    return path;
}

static const struct decision *decision_at(const void *decisions, size_t i, size_t stride)
{
    return (const struct decision *)(const void *)((const char *)decisions + i * stride);
}

size_t conformance_decision(struct tsv *tsv, const void *decisions, size_t count, size_t stride)
{
    for (size_t i = 0; i < count && i < MOST_DECIDED; i++) {
        if (tsv_is(tsv, "id", decision_at(decisions, i, stride)->id)) {
            asked[i] = true;
            return i;
        }
    }
    return SIZE_MAX;
}

void conformance_decided(struct tsv *tsv, const void *decisions, size_t count, size_t stride)
{
    if (count > MOST_DECIDED)
        row_fail(tsv, "more than %d decisions", MOST_DECIDED);
    for (size_t i = 0; i < count && i < MOST_DECIDED; i++)
        if (!asked[i])
            row_fail(tsv, "decision %s is for no row", decision_at(decisions, i, stride)->id);
    printf("%s: %zu rows decided by us\n", file_now, count);
}

static bool required(void)
{
    const char *value = getenv("CID_REQUIRE_VECTORS");
    return value && strcmp(value, "1") == 0;
}

/* Runs a whole file; false if it failed. */
static bool run(const struct conformance *file, struct tsv *tsv)
{
    size_t ran = 0;

    file_now = file->file;
    failures = failed_rows = last_bad_line = 0;
    memset(asked, 0, sizeof asked);
    for (; tsv_next(tsv); ran++)
        file->row(tsv);
    if (file->end)
        file->end(tsv);
    printf("%s: %zu of %zu rows run, %zu failed\n", file->file, ran, tsv_rows(tsv), failed_rows);
    return failures == 0 && ran == tsv_rows(tsv) && ran > 0;
}

int conformance_run(const struct conformance *files, size_t count)
{
    const char *folder = getenv("CID_VECTORS");
    bool good = true, skipped = false;

    for (size_t i = 0; i < count; i++) {
        struct tsv *tsv = folder && *folder ? tsv_open(conformance_path(files[i].file)) : NULL;
        if (!tsv) {
            printf("%s: %s, the conformance data is not there\n", files[i].file,
                   required() ? "FAILED" : "SKIPPED");
            skipped = true;
            continue;
        }
        good = run(&files[i], tsv) && good;
        tsv_close(tsv);
    }
    if (!good || (skipped && required()))
        return EXIT_FAILURE;
    return skipped ? SKIPPED : EXIT_SUCCESS;
}
