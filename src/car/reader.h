/*
 * reader.h - the cursor over an archive, as its opening and its going on see it.
 */
#ifndef CID_CAR_READER_H
#define CID_CAR_READER_H

#include "car/source.h"

#include <cid/car.h>

/* The most blocks that are verified at once: twice as many bring 1 or 2 % and take twice the room.
 */
#define CID__QUEUE_MAX 256
/* The first batch has so many; each one after it twice as many as the one before. */
#define CID__QUEUE_FIRST 16
/* The window of a source holds so many blocks and half of the next, if they are large. */
#define CID__WINDOW_BLOCKS 16
/* A batch ends when it has so many bytes: 16 blocks of the size that files are cut into at most. */
#define CID__QUEUE_BYTES ((size_t)16 << 20)

/* The longest CID that outlives a hop, in bytes; sections with a longer one are read. */
#define CID__HOP_CID 128

/* Blocks that have been found and verified, and not been handed out. */
struct cid__queue {
    size_t next, count;
    size_t room;          /* how many the next batch may have */
    size_t len;           /* of its sections, in bytes */
    const uint8_t *start; /* where the first section is ... */
    uint64_t offset;      /* ... and its offset in the file */
    struct cid_view cid[CID__QUEUE_MAX];
    struct cid_data data[CID__QUEUE_MAX];
    const uint8_t *section[CID__QUEUE_MAX]; /* where it starts, with its length prefix */
    enum cid_verdict verdict[CID__QUEUE_MAX];
};

struct cid_car_reader {
    struct cid__feed feed;
    uint64_t section_limit;
    uint64_t number;                     /* of the next block to be handed out */
    uint64_t aimed_number, aimed_offset; /* where the window was last made to suit the blocks */
    uintptr_t prefetched;                /* memory up to this address has been asked for */
    enum cid_error over; /* what every further call returns, once it is not CID_OK */
    struct cid_car_options options;
    struct cid_car_info info;
    struct cid_fault fault;
    struct cid__queue *queue;      /* behind the reader; NULL: nothing is verified */
    uint8_t hop_cid[CID__HOP_CID]; /* of the block, when its section is not at hand */
    const uint8_t *header;         /* without its length prefix */
    size_t header_len;
    uint8_t *own_header;               /* the header, if it had to be copied */
    size_t *roots;                     /* offsets in the header */
    const struct cid_allocator *alloc; /* NULL, or the copy below */
    struct cid_allocator alloc_copy;
};

/*
 * Takes the sections that are at hand into the queue, whose blocks have all been handed out. True:
 * there may be more of them; false: cid__reader_resolve must see what comes next.
 */
bool cid__reader_take(struct cid_car_reader *reader, struct cid__queue *queue);

/*
 * Verifies the blocks of a queue. Any thread may do it. Meanwhile it fetches what its caller will
 * read next, if that is so little that it stays in the cache till then, and says up to which
 * address it did.
 */
uintptr_t cid__queue_verify(struct cid__queue *queue, const struct cid_hash_options *hash,
                            struct cid_data behind);

/* Hands out the next block of a queue, which has one; the result is that of cid_car_reader_next. */
enum cid_error cid__reader_pop(struct cid_car_reader *reader, struct cid__queue *queue,
                               struct cid_car_block *out);

/*
 * Sees to what cid__reader_take has stopped at. CID_OK: take again. CID_END, or what is wrong.
 * Places among the bytes at hand are void afterwards.
 */
enum cid_error cid__reader_resolve(struct cid_car_reader *reader);

/*
 * Takes the next section without its data, if it is large and not all at hand, and the source can
 * go over it. *taken: it has been, and all of the block is filled in; else nothing is
 * changed, but that there may be more bytes at hand. Failures are those of cid__reader_resolve.
 */
enum cid_error cid__reader_hop(struct cid_car_reader *reader, struct cid_car_block *out,
                               bool *taken);

/* There are no further blocks, for that reason, which is returned. */
enum cid_error cid__reader_end(struct cid_car_reader *reader, enum cid_error error);

#endif
