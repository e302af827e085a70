/*
 * support.h - what the tests share: cmocka, bytes from hexadecimal, input that ends at the end of a
 * page, and allocators that count, fail and refuse.
 */
#ifndef CID_TEST_SUPPORT_H
#define CID_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <cid/common.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Bytes on the heap. */
struct test_bytes {
    uint8_t *data;
    size_t len;
};

/* Decodes hexadecimal, blanks skipped; fails the test on anything else. Free with test_bytes_free.
 */
struct test_bytes test_hex(const char *hex);
void test_bytes_free(struct test_bytes *bytes);

/*
 * A copy of the bytes that ends where a page without access begins, so that reading one byte too
 * far faults. Freed all at once by test_guard_release.
 */
const uint8_t *test_guard(const void *bytes, size_t len);

/* Room for len bytes or more, right behind a page without access and right before one. */
struct test_room {
    uint8_t *start, *end;
};
struct test_room test_guard_room(size_t len);

void test_guard_release(void);

/* Fails the test unless the error is the one expected; names both. */
#define assert_error(got, expected)                                                                \
    assert_string_equal(cid_error_name(got), cid_error_name(expected))

/* An allocator that counts. The first `grace` allocations succeed, the rest give NULL. */
struct test_alloc {
    struct cid_allocator allocator; /* what to hand to the library */
    size_t calls;                   /* of alloc */
    size_t live;                    /* blocks not yet freed */
    size_t bytes;                   /* in all, ever asked for */
    size_t held, peak;              /* bytes not yet freed, now and at most */
    size_t last_size;
    size_t grace;
};

/* SIZE_MAX: never refuse. free fails the test if its size is not the one alloc was asked for. */
void test_alloc_init(struct test_alloc *alloc, size_t grace);

/*
 * Whether this build must be able to compute that hash function, as the options of the build say.
 * Any other answer of cid_hash_by_code is a fault.
 */
bool test_has_hash(uint64_t code);

/* A seeded generator; the same numbers on every machine. */
struct test_random {
    uint64_t state;
};
uint64_t test_random_next(struct test_random *random);
void test_random_fill(struct test_random *random, uint8_t *out, size_t len);

#endif
