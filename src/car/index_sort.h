/*
 * index_sort.h - putting the entries of a bucket in order: by digest, and entries of one digest by
 * offset.
 */
#ifndef CID_CAR_INDEX_SORT_H
#define CID_CAR_INDEX_SORT_H

#include <cid/car.h>

/* Entries of one width that lie together. */
struct cid__entries {
    const uint8_t *at;
    size_t count;
};

/*
 * Writes the entries of all parts, of which there are total and which are width bytes wide, to out,
 * in order. CID_E_NOMEM: for the counters, 4 bytes an entry or fewer.
 */
enum cid_error cid__entries_sort(uint8_t *out, const struct cid__entries *parts, size_t part_count,
                                 size_t total, size_t width, const struct cid_allocator *alloc);

#endif
