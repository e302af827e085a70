/*
 * naive_car.h - the fixed opponent's way through the sections of a CARv1: varints a byte at a time,
 * no reading ahead.
 *
 * Threads: a walk belongs to one thread.
 */
#ifndef CID_BENCH_NAIVE_CAR_H
#define CID_BENCH_NAIVE_CAR_H

#include "naive.h"

struct naive_car {
    const uint8_t *at;
    const uint8_t *end;
};

struct naive_block {
    const uint8_t *bytes; /* of the CID */
    struct naive_cid cid;
    const uint8_t *data;
    size_t data_len;
};

/* The next block; false at the end, and at anything malformed. */
bool naive_car_next(struct naive_car *car, struct naive_block *out);

#endif
