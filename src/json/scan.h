/*
 * scan.h - the one loop that JSON spends its time in: up to the next character of a string that
 * needs looking at. In vectors where the processor has them, else eight bytes at a time.
 */
#ifndef CID_JSON_SCAN_H
#define CID_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How many of the first len bytes come before the first quote, backslash or control character below
 * U+0020; len if there is none.
 */
size_t cid__json_scan(const uint8_t *at, size_t len);

/*
 * The same, and copies them to out, which has room for len bytes; those behind the ones copied may
 * be overwritten.
 */
size_t cid__json_copy(uint8_t *out, const uint8_t *at, size_t len);

/* The same, but it stops at 0x7f and above too. */
size_t cid__json_copy_ascii(uint8_t *out, const uint8_t *at, size_t len);

/* For a function that is out of the usual way: in line it would cost the usual one registers. */
#if defined(__GNUC__)
#define CID__ASIDE static __attribute__((noinline))
#else
#define CID__ASIDE static
#endif

/* How long the marks of len bytes are, in bytes. */
#define CID__JSON_MARKS(len) (((len) + 63) / 64 * 8 + 8)

/*
 * Marks what cid__json_scan stops at in all of the len bytes: bit i % 8 of stops[i / 8] for byte i.
 * stops has room for CID__JSON_MARKS(len) bytes; bits behind the last byte are 0. Returns whether
 * there is a byte of 0x80 or more.
 */
bool cid__json_mark(uint8_t *stops, const uint8_t *at, size_t len);

#endif
