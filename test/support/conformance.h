/*
 * conformance.h - runs our library over the rows of conformance files.
 *
 * A program of test/conformance is a list of files, each with a function that is called for every
 * row, and `int main(void) { return conformance_run(files, COUNT); }`. The folder is named by the
 * environment variable CID_VECTORS, which meson sets from the option `vectors`. Without it the
 * program says SKIPPED and exits 77; with CID_REQUIRE_VECTORS=1 it fails instead. It also fails if
 * a file has no rows, or if not every row of it was run.
 */
#ifndef CID_TEST_CONFORMANCE_H
#define CID_TEST_CONFORMANCE_H

#include "tsv.h"

/* What we decided for a row on which the specifications or the implementations disagree. */
struct decision {
    const char *id;
    const char *reason;
};

struct conformance {
    const char *file;
    void (*row)(struct tsv *tsv);
    void (*end)(struct tsv *tsv); /* after the last row; may be NULL */
};

/* Returns the exit status. */
int conformance_run(const struct conformance *files, size_t count);

/* Records that the current row fails, and why. A row may fail more than once. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void row_fail(struct tsv *tsv, const char *format, ...);

/* The path of a file of the data; a static buffer, overwritten by the next call. */
const char *conformance_path(const char *file);

/*
 * The number of the decision with the id of the current row, or SIZE_MAX. stride is the size of an
 * element whose first member is a struct decision. conformance_decided says at the end whether
 * each of them was asked for, and fails the file if one was not.
 */
size_t conformance_decision(struct tsv *tsv, const void *decisions, size_t count, size_t stride);
void conformance_decided(struct tsv *tsv, const void *decisions, size_t count, size_t stride);

#endif
