/*
 * likely.h - what a text that is no CID probably is.
 */
#ifndef CID_CID_LIKELY_H
#define CID_CID_LIKELY_H

#include <cid/cid.h>

/* The guess for a text in which this fault was found. */
enum cid_likely cid__likely(const struct cid_fault *fault, const char *text, size_t text_len);

#endif
