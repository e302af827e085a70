/*
 * rows.h - the rows there are. Each rows_….c provides those of a group or two; a new group is a new
 * file and a line in rows.c.
 *
 * Threads: one.
 */
#ifndef CID_BENCH_ROWS_H
#define CID_BENCH_ROWS_H

#include "harness.h"

#include <cid/cid.h>

/* A list of rows, in the order in which they are shown. */
struct bench_rows {
    struct bench_row *at;
    size_t count;
    size_t room;
};

/* Adds a row named by a printf format; returns it, to be filled, until the next one is added. */
struct bench_row *bench_rows_add(struct bench_rows *rows, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds all rows. car_path is an archive to add rows over, or NULL. */
void bench_rows_all(struct bench_rows *rows, const char *car_path);

void bench_rows_free(struct bench_rows *rows);

/* The providers. */
void bench_rows_varint(struct bench_rows *rows);
void bench_rows_binary(struct bench_rows *rows);
void bench_rows_text(struct bench_rows *rows);
void bench_rows_multibase(struct bench_rows *rows);
void bench_rows_set(struct bench_rows *rows);
void bench_rows_construct(struct bench_rows *rows);
void bench_rows_graph(struct bench_rows *rows);
void bench_rows_index(struct bench_rows *rows);
void bench_rows_archive(struct bench_rows *rows);
void bench_rows_hash(struct bench_rows *rows);
void bench_rows_json(struct bench_rows *rows);
void bench_rows_floats(struct bench_rows *rows);
void bench_rows_dag(struct bench_rows *rows);
void bench_rows_threads(struct bench_rows *rows);
void bench_rows_car(struct bench_rows *rows, const char *path);

/* The number of different inputs of a short row: too many for a branch predictor to learn. */
#define BENCH_INPUTS 512

/* The digests that all rows of CIDs are made of: 32 bytes each, the same for one seed. */
void bench_digests(uint8_t (*out)[32], size_t count, uint64_t seed);

/* The codec of CID number i: raw and dag-cbor in turn, which all libraries take. */
uint64_t bench_codec(size_t i);

/* Frees a CID. One that lies in its owner owns nothing, and a program may know that too. */
static inline void bench_drop(struct cid *cid)
{
    if (cid->raw.len > CID_SMALL)
        cid_free(cid, bench_count.allocator);
}

/* Frees row->input, for rows that need nothing else. */
void bench_close_input(struct bench_row *row);

#endif
