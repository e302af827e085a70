/*
 * find.h - where in a path or URL a CID should stand, whether it is one or not.
 */
#ifndef CID_CID_FIND_H
#define CID_CID_FIND_H

#include <cid/cid.h>

/* Fills all of out but the base, which only parsing tells. CID_E_NO_CID: no such path or URL. */
enum cid_error cid__locate(struct cid_found *out, const char *text, size_t text_len);

#endif
