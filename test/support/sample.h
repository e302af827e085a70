/*
 * sample.h - the sample archives of car.h, and the options with which a writer makes each of them
 * out of the same two blocks.
 */
#ifndef CID_TEST_SAMPLE_H
#define CID_TEST_SAMPLE_H

#include "archive.h"

/* A block. */
struct car_sample {
    const char *cid;
    const char *data;
};

extern const struct car_sample car_d1, car_d2;

/* A way to write a sample archive. */
struct car_way {
    const char *name;
    const char *expected;
    struct cid_car_writer_options options; /* without the root, which is D1 unless reserved */
};

#define CAR_WAYS 10
extern const struct car_way car_ways[CAR_WAYS];

/* The options of a way, with the root filled in; *bytes are to be freed. */
struct cid_car_writer_options car_way_options(const struct car_way *way, struct cid_view *root,
                                              struct test_bytes *bytes);

/* Whether a sink must be able to go back for that. */
bool car_needs_patch(const struct cid_car_writer_options *options);

/* Puts a block. offset may be NULL. */
enum cid_error car_put(struct cid_car_writer *writer, const struct car_sample *block,
                       uint64_t *offset);

/* Sets the root D1, for which options.reserve is 59. */
enum cid_error car_set_root(struct cid_car_writer *writer);

/* Writes D1 and D2, sets the root if room was reserved for it, and finishes. */
enum cid_error car_write_sample(struct cid_car_writer *writer, bool reserved, uint64_t *len);

#endif
