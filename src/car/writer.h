/*
 * writer.h - a writer: what goes out passes through a stretch of memory, which is all there is, or
 * a buffer in front of a sink.
 */
#ifndef CID_CAR_WRITER_H
#define CID_CAR_WRITER_H

#include <cid/car.h>
#include <cid/set.h>

struct cid_car_writer {
    uint8_t *start; /* the stretch */
    uint8_t *at;
    uint8_t *end;
    uint64_t flushed; /* bytes that have gone to the sink */
    struct cid_sink sink;
    bool has_sink; /* the stretch is a buffer of the writer's own */
    bool finished;
    bool roots_set;
    uint64_t needed;     /* the length of the archive, if the memory was too small for it */
    enum cid_error over; /* what every further call returns, once it is not CID_OK */

    uint32_t version;
    bool no_index;
    bool identity;
    uint64_t data_offset;   /* of the payload, in the output */
    uint64_t data_size;     /* as announced; 0: not */
    uint64_t index_padding; /* zero bytes in front of the index */
    uint64_t reserve;       /* the room for roots that are still to come */
    uint64_t section_limit;
    const struct cid_hash_options *hash;

    struct cid_set *set;               /* NULL: blocks may come twice */
    struct cid_car_indexer *indexer;   /* NULL: no index */
    struct cid_output *output;         /* NULL: the sink is the caller's */
    const struct cid_allocator *alloc; /* NULL, or the copy below */
    struct cid_allocator alloc_copy;
};

#endif
