/*
 * blocks.h - the blocks of an archive as an array of pointers and lengths, with their digests: what
 * other libraries are given to verify, with no archive to read.
 *
 * Threads: one.
 */
#ifndef CID_BENCH_BLOCKS_H
#define CID_BENCH_BLOCKS_H

#include "archive.h"
#include "harness.h"
#include "others.h"

#include <cid/car.h>

struct block_list {
    size_t count;
    struct cid_car_block *at;
};

/* Lists the blocks of an archive that lasts as long as the list. Free it with blocks_free. */
struct block_list blocks_of(const struct archive *archive);
void blocks_free(struct block_list *list);

/* An engine that hashes each block and compares. Its list must last; the hash must suit it. */
struct block_check {
    const struct block_list *list;
    other_hash *hash;
};
struct bench_engine blocks_engine(const char *name, struct block_check *check);

#endif
