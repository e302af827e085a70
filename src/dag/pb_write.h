/*
 * pb_write.h - DAG-PB written from the same node in DAG-CBOR.
 */
#ifndef CID_DAG_PB_WRITE_H
#define CID_DAG_PB_WRITE_H

#include "dag/output.h"

/*
 * Writes the node that stands in len bytes of DAG-CBOR, strict, as DAG-PB: links first. On failure
 * *offset is the place in the DAG-CBOR. CID_E_PB_SHAPE, CID_E_PB_LINK_ORDER.
 */
enum cid_error cid__pb_write(struct cid__output *out, size_t *offset, const uint8_t *cbor,
                             size_t len);

#endif
