/*
 * index.h - an open index: where its buckets are. Layout, all numbers little-endian:
 *
 *   codec       varint
 *   codes       int32, in a MULTIHASH_SORTED only; then for each:
 *     code      uint64
 *     buckets   int32; then for each:
 *       width   uint32, of an entry
 *       length  uint64, of all entries, in bytes
 *       entries digest and uint64 offset, by digest
 *
 * A SORTED has the buckets without the codes.
 */
#ifndef CID_CAR_INDEX_H
#define CID_CAR_INDEX_H

#include "car/place.h"

#define CID__INDEX_OFFSET_SIZE 8  /* what an entry has besides its digest */
#define CID__INDEX_HEAD_SIZE   12 /* a bucket's width and length; also a code and its count */

/* Entries of one code and one width. */
struct cid__bucket {
    uint64_t code;
    uint64_t at;    /* of the first entry, in the index */
    uint64_t first; /* its number */
    uint64_t count; /* never 0 */
    uint32_t width;
};

struct cid_car_index {
    struct cid__place place;
    uint64_t codec;
    uint64_t count;
    struct cid__bucket *buckets; /* by code and width, those without entries left out */
    size_t bucket_count;
    size_t bucket_room;
    uint8_t *own;                      /* the bytes, if they are the index's */
    const struct cid_allocator *alloc; /* NULL, or the copy below */
    struct cid_allocator alloc_copy;
};

/* Opens an index that is a stretch of something; *fault is filled on failure. */
enum cid_error cid__index_open(struct cid_car_index **out, const struct cid__place *place,
                               struct cid_fault *fault, const struct cid_allocator *alloc);

/*
 * The offset that entry number i, which must be below the count, gives. What a file's failure is,
 * is handed on.
 */
enum cid_error cid__index_offset(uint64_t *section_in_payload, const struct cid_car_index *index,
                                 uint64_t number);

static inline size_t cid__bucket_digest_len(const struct cid__bucket *bucket)
{
    return bucket->width - CID__INDEX_OFFSET_SIZE;
}

#endif
