/*
 * fault.h - saying what is wrong with an archive, and where.
 */
#ifndef CID_CAR_FAULT_H
#define CID_CAR_FAULT_H

#include <cid/common.h>

/* Fills the fault, its size apart, and returns the code. */
static inline enum cid_error cid__car_fault(struct cid_fault *fault, enum cid_error code,
                                            enum cid_field field, uint64_t offset, uint64_t need,
                                            uint64_t have)
{
    *fault = (struct cid_fault){
        .size = fault->size,
        .code = code,
        .field = field,
        .where = CID_WHERE_FILE,
        .offset = offset,
        .need = need,
        .have = have,
    };
    return code;
}

#endif
