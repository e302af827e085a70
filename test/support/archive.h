/*
 * archive.h - files and sinks in memory for the tests of archives and indexes: they hold the
 * library to what it promises, count, and fail when they are told to.
 */
#ifndef CID_TEST_ARCHIVE_H
#define CID_TEST_ARCHIVE_H

#include "car.h"

/* A file over memory. It fails the test if it is asked for nothing, or for what is not there. */
struct car_file {
    const uint8_t *bytes;
    size_t len;
    size_t calls;
    size_t grace; /* how many calls succeed; the rest is CID_E_IO */
};
struct car_file car_file_of(const void *bytes, size_t len);
struct cid_file car_file_use(struct car_file *file);

/* A sink to memory. After a failure nothing may be written any more. */
struct car_sink {
    struct test_bytes out;
    bool seekable;
    bool failed;
    size_t calls;
    size_t grace; /* how many calls succeed; the rest is CID_E_IO */
};
struct car_sink car_sink_new(bool seekable);
struct cid_sink car_sink_use(struct car_sink *sink);
void car_sink_free(struct car_sink *sink);

/* "code field@offset", and " need/have" unless both are 0. A static buffer. */
const char *car_fault_text(const struct cid_fault *fault);

/* The CID that hexadecimal stands for; free with test_bytes_free(bytes). */
struct cid_view car_cid(const char *hex, struct test_bytes *bytes);

/* Fails the test unless the bytes are those of the hexadecimal. */
void car_expect_bytes(const void *bytes, size_t len, const char *hex);

#endif
