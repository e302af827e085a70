/*
 * write.h - single items as DAG-CBOR and as DAG-JSON write them; what stands between them is
 * convert.c's.
 */
#ifndef CID_DAG_WRITE_H
#define CID_DAG_WRITE_H

#include "dag/json.h"
#include "dag/output.h"

/* The head of a CBOR item, shortest. */
void cid__cbor_put_head(struct cid__output *out, unsigned major, uint64_t argument);

/* The number of bytes that the head for that argument takes. */
size_t cid__cbor_head_size(uint64_t argument);

/*
 * Anything but maps, lists and tags. allow: as the item was read. CID_E_DAG_VALUE: the codec has no
 * such value.
 */
enum cid_error cid__cbor_put_item(struct cid__output *out, const struct cid__cbor_item *item,
                                  uint32_t allow);
enum cid_error cid__dag_json_put_item(struct cid__output *out, const struct cid__cbor_item *item);

#endif
