/*
 * archive.h - an open archive. Nothing in it changes once it is open.
 */
#ifndef CID_CAR_ARCHIVE_H
#define CID_CAR_ARCHIVE_H

#include "car/index.h"
#include "car/reader.h"

/* Where a file is being read while the archive is opened. */
struct cid__stream {
    const struct cid_file *file;
    uint64_t at;
    size_t piece; /* the most that is read at once */
};

struct cid_car {
    struct cid__place place;   /* the file */
    struct cid__place payload; /* the CARv1 in it */
    struct cid_car_options options;
    bool by_multihash;
    const struct cid_car_index *index; /* what is looked into; NULL for none */
    struct cid_car_index *own_index;   /* the same, if it is the archive's to close */
    struct cid_car_reader *reader;     /* of the head; has no buffer any more */
    struct cid__stream stream;
    const struct cid_allocator *alloc; /* NULL, or the copy below */
    struct cid_allocator alloc_copy;
};

#endif
