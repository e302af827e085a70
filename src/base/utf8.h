/*
 * utf8.h - whether bytes are UTF-8 (RFC 3629): no surrogates, nothing above U+10FFFF, no over-long
 * forms.
 */
#ifndef CID_BASE_UTF8_H
#define CID_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* How many of the first len bytes are whole, right UTF-8 sequences: len if all of them are. */
size_t cid__utf8_span(const uint8_t *bytes, size_t len);

#endif
