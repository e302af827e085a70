/*
 * reader.h - the cursor over an archive, as its opening and its going on see it.
 */
#ifndef CID_CAR_READER_H
#define CID_CAR_READER_H

#include "car/source.h"

#include <cid/car.h>

struct cid_car_reader {
    struct cid__feed feed;
    uint64_t section_limit;
    uint64_t number;           /* of the next block */
    const uint8_t *prefetched; /* memory up to here has been asked for */
    enum cid_error over;       /* what every further call returns, once it is not CID_OK */
    struct cid_car_options options;
    struct cid_car_info info;
    struct cid_fault fault;
    const uint8_t *header; /* without its length prefix */
    size_t header_len;
    uint8_t *own_header;               /* the header, if it had to be copied */
    size_t *roots;                     /* offsets in the header */
    const struct cid_allocator *alloc; /* NULL, or the copy below */
    struct cid_allocator alloc_copy;
};

#endif
