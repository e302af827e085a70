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

/* What has been marked: so many bytes, with so many marks; whether one of them is above 0x7f. */
struct cid__marked {
    size_t len;
    size_t count;
    bool high;
};

/* As many marks as may be put down for the 64 bytes that are looked at together. */
#define CID__JSON_BLOCK 64

/*
 * Marks what cid__json_scan stops at: marks[n] is the place of the one that n others come before,
 * counted from at. All of the len bytes, at most UINT16_MAX of them, are looked at unless the marks
 * become too many: there is room for `room` of them, at least CID__JSON_BLOCK, and it ends where
 * fewer than CID__JSON_BLOCK are left. What is behind the last mark may be overwritten.
 */
struct cid__marked cid__json_mark(uint16_t *marks, size_t room, const uint8_t *at, size_t len);

/* Which blocks of 64 bytes have bytes above 0x7f, a bit each; at most 64 blocks. */
uint64_t cid__json_high(const uint8_t *at, size_t len);

#endif
