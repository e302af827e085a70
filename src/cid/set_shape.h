/*
 * set_shape.h - how evenly a set's table is filled, for tests and benchmarks.
 */
#ifndef CID_CID_SET_SHAPE_H
#define CID_CID_SET_SHAPE_H

#include <cid/set.h>

struct cid__set_shape {
    uint64_t buckets;
    uint64_t longest; /* the number of CIDs in the fullest bucket */
    uint64_t probes;  /* how many CIDs are looked at when each one of the set is found once */
};

struct cid__set_shape cid__set_shape(const struct cid_set *set);

#endif
