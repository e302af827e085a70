/*
 * pb.h - a pull reader for DAG-PB: the parts of a PBNode in the order of the block, or the items
 * that DAG-CBOR would have for the same node. Specification: the DAG-PB codec of IPLD.
 *
 * Links and data may come in either order, but links must stand together. The fields of a link come
 * in the order hash, name, size.
 */
#ifndef CID_DAG_PB_H
#define CID_DAG_PB_H

#include "dag/cbor.h"

#include <cid/dag.h>

/* A part of a node. It points into the block. */
struct cid__pb_part {
    bool is_link; /* else data */
    bool has_name, has_tsize;
    size_t offset;        /* of its first byte */
    const uint8_t *bytes; /* the data, or the name of the link */
    size_t len;
    struct cid_view link;
    uint64_t tsize;
};

/* A reader. Set up by cid__pb_init; the members are read-only from then on. */
struct cid__pb {
    struct cid__span in;
    const uint8_t *start;
    uint32_t allow;
    bool had_data, had_links, links_done;
    size_t fault; /* after a failure: the offset of what is wrong */
};

void cid__pb_init(struct cid__pb *pb, const void *bytes, size_t len, uint32_t allow);

/*
 * Gives the next part. CID_END; or CID_E_PB_FIELD, CID_E_PB_ORDER, CID_E_PB_NO_HASH, CID_E_PB_UTF8,
 * CID_E_TRUNCATED, CID_E_VARINT_..., and the errors of cid_read_exact for a hash. A failure is
 * final.
 */
enum cid_error cid__pb_next(struct cid__pb *pb, struct cid__pb_part *part);

/* A node as items. */
struct cid__pb_items {
    struct cid__pb pb;
    struct cid__cbor_item queue[7];
    unsigned at, count;
};

/* Looks through the node for its data and the number of its links. */
enum cid_error cid__pb_items_init(struct cid__pb_items *items, const void *bytes, size_t len,
                                  uint32_t allow);

/* The next item, as cid__cbor_next would give it. Offsets are those of the parts. */
enum cid_error cid__pb_items_next(struct cid__pb_items *items, struct cid__cbor_item *item);

#endif
