/*
 * header.h - the header of a CARv1: a map in DAG-CBOR with "version" and "roots".
 */
#ifndef CID_CAR_HEADER_H
#define CID_CAR_HEADER_H

#include "car/fault.h"

#include <cid/car.h>

/* What a header says. */
struct cid__car_header {
    uint64_t version;
    bool has_roots;
    size_t root_count;
    size_t roots_at; /* offset in the header of the first root */
    uint32_t notes;  /* CID_CAR_NOTE_... */
};

/*
 * Reads a header of len bytes, its length prefix not among them. file_offset is where it stands,
 * for the fault. Nothing is allocated. Which version it must be, and whether there must be roots,
 * is not asked here.
 *
 * CID_E_HEADER_TYPE, CID_E_HEADER_NO_VERSION, CID_E_HEADER_ROOT, CID_E_TRUNCATED, CID_E_TRAILING,
 * CID_E_CBOR_..., CID_E_DEPTH_LIMIT.
 */
enum cid_error cid__car_header_read(struct cid__car_header *out, const uint8_t *bytes, size_t len,
                                    uint64_t file_offset, struct cid_fault *fault);

/* Fills offsets with the places of the roots, of which there are root_count, in the header. */
void cid__car_header_list(size_t *offsets, const struct cid__car_header *header,
                          const uint8_t *bytes, size_t len);

/* The root at an offset that cid__car_header_list gave. */
struct cid_view cid__car_header_root(const uint8_t *bytes, size_t len, size_t offset);

#endif
