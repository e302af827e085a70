/*
 * v2.h - what a CARv2 has around its CARv1 payload: pragma, header, and the place of an index.
 */
#ifndef CID_CAR_V2_H
#define CID_CAR_V2_H

#include "car/source.h"

#include <cid/car.h>

#define CID__V2_PRAGMA_SIZE 11
#define CID__V2_HEADER_SIZE 40
/* The lowest data offset there can be. */
#define CID__V2_HEAD_SIZE (CID__V2_PRAGMA_SIZE + CID__V2_HEADER_SIZE)
/* Where the header says where the index is. */
#define CID__V2_INDEX_OFFSET (CID__V2_HEAD_SIZE - 8)

/* Whether a header of len bytes is that of the pragma, to the byte. */
bool cid__v2_is_pragma(const uint8_t *header, size_t len);

/*
 * Reads the CARv2 header behind the pragma into info, and goes to the start of the payload, whose
 * end becomes the feed's limit. What the fields say of each other is checked before anything is
 * skipped; where the file is too short for the payload to start at all, that is the data offset's
 * fault.
 *
 * CID_E_TRUNCATED, CID_E_V2_DATA_OFFSET, CID_E_V2_DATA_SIZE, CID_E_V2_INDEX_OFFSET, and those of
 * cid__feed_more.
 */
enum cid_error cid__v2_open(struct cid_car_info *info, struct cid__feed *feed,
                            struct cid_fault *fault);

/*
 * Writes pragma and header, CID__V2_HEAD_SIZE bytes. Offsets are from the start of the file;
 * index_offset is 0 where there is no index.
 */
void cid__v2_put_head(uint8_t *out, bool fully_indexed, uint64_t data_offset, uint64_t data_size,
                      uint64_t index_offset);

/*
 * At the end of the payload: whether it is whole, and what kind of index follows. Goes on to the
 * end of the file, the only way to know a pipe's length.
 *
 * CID_E_TRUNCATED: the file ends before the payload does, or inside the index's codec.
 * CID_E_V2_INDEX_OFFSET: it ends before the index starts. CID_E_VARINT_...: the index's codec.
 */
enum cid_error cid__v2_finish(struct cid_car_info *info, struct cid__feed *feed,
                              struct cid_fault *fault);

#endif
