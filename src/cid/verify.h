/*
 * verify.h - checking many blocks, for the layers above.
 */
#ifndef CID_CID_VERIFY_H
#define CID_CID_VERIFY_H

#include "base/prefetch.h"

#include <cid/cid.h>

/* cid_verify_many, which meanwhile fetches what its caller will read next: up to ahead->at. */
void cid__verify_many_ahead(enum cid_verdict *verdicts, const struct cid_view *views,
                            const struct cid_data *data, size_t n,
                            const struct cid_hash_options *options, struct cid__ahead *ahead);

#endif
