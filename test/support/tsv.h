/*
 * tsv.h - the tab-separated files of the conformance data. Lines that start with "# " are remarks;
 * the line that starts with "#" and no space names the columns; a lone "." is an empty value, a
 * lone "-" is not applicable.
 */
#ifndef CID_TEST_TSV_H
#define CID_TEST_TSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tsv;

/* Reads a whole file; NULL: it is not there. The program ends on a file that is not a table. */
struct tsv *tsv_open(const char *path);
void tsv_close(struct tsv *tsv);

/* The number of rows in the file, counted when it was opened. */
size_t tsv_rows(const struct tsv *tsv);

/* Steps to the next row; false at the end. */
bool tsv_next(struct tsv *tsv);

/* The line number of the current row, from 1. */
size_t tsv_line(const struct tsv *tsv);

/*
 * A cell of the current row, by the name of its column: "" for ".", NULL for "-". It lives until
 * tsv_close. The program ends if there is no such column.
 */
const char *tsv_get(const struct tsv *tsv, const char *column);

/* The same as it stands in the file: "." and "-" are themselves. */
const char *tsv_raw(const struct tsv *tsv, const char *column);

/* Whether a cell is equal to a string; false for "-". */
bool tsv_is(const struct tsv *tsv, const char *column, const char *value);

/*
 * The bytes of a cell in lower-case hexadecimal, on the heap: free(*out). They end at the end of
 * the block, so that a sanitizer sees a read beyond. false: the cell is "-", or no hexadecimal.
 */
bool tsv_hex(const struct tsv *tsv, const char *column, uint8_t **out, size_t *len);

/* A cell as a number: decimal, or 0x and hexadecimal. false: it is none, or exceeds 64 bits. */
bool tsv_number(const struct tsv *tsv, const char *column, uint64_t *out);

#endif
