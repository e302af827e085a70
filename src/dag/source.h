/*
 * source.h - a block of any codec as items, and what the options say about reading it.
 */
#ifndef CID_DAG_SOURCE_H
#define CID_DAG_SOURCE_H

#include "dag/json.h"
#include "dag/pb.h"

struct cid__dag_source {
    uint64_t codec;
    const void *data;
    size_t len;
    uint32_t allow;
    bool raw_done;
    union {
        struct cid__cbor cbor;
        struct cid__dag_json json;
        struct cid__pb_items items;
    } as;
    size_t max_depth;
    struct cid_fault fault; /* of the last failure */
};

/*
 * Sets up a source. levels has CID_DAG_DEPTH entries and is used unless the options bring a stack.
 * The options need not outlive the call. CID_E_DAG_CODEC, CID_E_ARGUMENT; for DAG-PB all errors of
 * the block.
 */
enum cid_error cid__dag_source_init(struct cid__dag_source *source, uint64_t codec,
                                    const void *data, size_t len,
                                    const struct cid_dag_options *options,
                                    struct cid__cbor_level *levels);

/* The next item; CID_END only if the block ends there too. A failure fills source->fault. */
enum cid_error cid__dag_source_next(struct cid__dag_source *source, struct cid__cbor_item *item);

/* The limit of nesting, and the levels to be used; CID_E_ARGUMENT. */
enum cid_error cid__dag_levels(struct cid__cbor_level **levels, size_t *max_depth, uint64_t codec,
                               const struct cid_dag_options *options);

/* Says where something is wrong; text: in DAG-JSON. */
void cid__dag_fault(struct cid_fault *fault, enum cid_error error, uint64_t codec, size_t offset,
                    size_t max_depth);

#endif
