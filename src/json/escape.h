/*
 * escape.h - the escapes of JSON strings: RFC 8259, section 7.
 */
#ifndef CID_JSON_ESCAPE_H
#define CID_JSON_ESCAPE_H

#include <cid/common.h>

/*
 * Checks the escape at the start of at, which is a backslash; a pair of surrogates is one. *used is
 * its length; on failure, how many bytes of it are right. CID_E_TRUNCATED, CID_E_JSON_STRING,
 * CID_E_JSON_SURROGATE.
 */
enum cid_error cid__escape_check(size_t *used, const char *at, size_t left);

/*
 * Writes what a right escape stands for, in UTF-8, 1 to 4 bytes, to out and returns their number;
 * *at is behind the escape.
 */
size_t cid__escape_take(char *out, const char **at);

/* The length of a right string without its escapes. */
size_t cid__escape_length(const char *text, size_t len);

/* Compares two right strings as the bytes they stand for: less than, equal to, greater than 0. */
int cid__escape_compare(const char *a, size_t a_len, const char *b, size_t b_len);

#endif
