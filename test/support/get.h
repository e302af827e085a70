/*
 * get.h - getting blocks from archives in every way there is: from memory that ends at the end of a
 * page and from a file, into a buffer and into memory of their own.
 */
#ifndef CID_TEST_GET_H
#define CID_TEST_GET_H

#include "archive.h"

/* What is wanted of an archive, got in every way there is. */
struct car_wanted {
    const char *cid;     /* what is asked for */
    const char *data;    /* what comes, in hexadecimal */
    uint64_t in_payload; /* where its section is */
    uint64_t in_file;
    uint64_t section_len; /* 0: it comes from the CID itself */
    enum cid_verdict verdict;
};

/* Opens an archive over memory, or over *file if that is not NULL; with a stand-in for SHA-256 if
 * this build has none. */
enum cid_error car_open(struct cid_car **out, const uint8_t *bytes, size_t len,
                        struct car_file *file, const struct cid_car_open_options *options,
                        struct cid_fault *fault, const struct cid_allocator *alloc);

/* Holds a block against what is wanted. */
void car_check_block(const struct cid_car_block *block, const struct car_wanted *wanted);

/* Gets all that is wanted of an archive in hexadecimal. */
void car_get_every_way(const char *hex, const struct cid_car_open_options *options,
                       const struct car_wanted *wanted, size_t count);

/* Asks for a block that is not to come, and checks that nothing of it is seen. expected is as
 * car_fault_text has it. */
void car_expect_no_block(const char *hex, const struct cid_car_open_options *options,
                         const char *cid_hex, const char *expected);

/* Opens what cannot be opened. */
void car_expect_closed(const char *hex, const struct cid_car_open_options *options,
                       const char *expected);

#endif
