/*
 * car.h - for the tests of archives: small sample archives, sources that give their bytes in odd
 * ways, and a run over an archive written down as text.
 */
#ifndef CID_TEST_CAR_H
#define CID_TEST_CAR_H

#include "support.h"

#include <cid/car.h>

/* Blocks "a" and "bc" and what is made of them, in hexadecimal. */
#define CAR_D1 "01551220ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
#define CAR_D2 "015512201e0bbd6c686ba050b8eb03ffeedc64fdc9d80947fce821abbe5d6dc8d252c5ac"
#define CAR_E0 "11a265726f6f7473806776657273696f6e01"                     /* 18 bytes: no roots */
#define CAR_S1 "25" CAR_D1 "61"                                           /* 38 bytes */
#define CAR_S2 "26" CAR_D2 "6263"                                         /* 39 bytes */
#define CAR_H1 "3aa265726f6f747381d82a582500" CAR_D1 "6776657273696f6e01" /* 59 bytes: root D1 */
#define CAR_V1 CAR_H1 CAR_S1 CAR_S2                                       /* 136 bytes */
#define CAR_IDX                                                                                    \
    "8108 01000000 1200000000000000 01000000 28000000 5000000000000000"                            \
    "1e0bbd6c686ba050b8eb03ffeedc64fdc9d80947fce821abbe5d6dc8d252c5ac 6100000000000000"            \
    "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb 3b00000000000000"
#define CAR_PRAGMA   "0aa16776657273696f6e02"
#define CAR_NO_CHARS "00000000000000000000000000000000"
/* The head of a CARv2: characteristics, data offset, data size, index offset, little-endian. */
#define CAR_V2_HEAD(offset, size, index) CAR_PRAGMA CAR_NO_CHARS offset size index
#define CAR_V2                                                                                     \
    CAR_V2_HEAD("3300000000000000", "8800000000000000", "0000000000000000") CAR_V1 /* 187 bytes */
#define CAR_V2I                                                                                    \
    CAR_V2_HEAD("3300000000000000", "8800000000000000", "bb00000000000000")                        \
    CAR_V1 CAR_IDX /* 297 bytes */
#define CAR_V2P                                                                                    \
    CAR_V2_HEAD("3a00000000000000", "8800000000000000", "c200000000000000")                        \
    "00000000000000" CAR_V1 CAR_IDX /* 304 bytes, 7 of padding */

/* A source over memory. */
struct car_source {
    const uint8_t *bytes;
    size_t len;
    size_t at;
    size_t chunk;         /* the most that it gives at once; 0: all that is asked for */
    unsigned empties;     /* how often it gives nothing before it gives something */
    unsigned empty;       /* its state */
    size_t fail_at;       /* where it fails; SIZE_MAX: nowhere */
    enum cid_error error; /* with what */
    size_t calls;         /* of read */
    size_t given;         /* bytes that read gave */
    size_t skip_most;     /* the most that is skipped at once; 0: the source cannot skip */
    size_t skips;         /* how often something was skipped */
};

struct car_source car_source_of(const void *bytes, size_t len, size_t chunk, unsigned empties);
struct cid_source car_source_use(struct car_source *source);

/*
 * The options, NULL being the default, with a stand-in for SHA-256 where this build has none: it
 * knows the sums of the sample blocks.
 */
struct cid_car_options car_options(const struct cid_car_options *options);

/* A run over an archive, as text. Free with car_run_free. */
struct car_run {
    /*
     * In short. A block is "offset+length", both of the section in the file, with "!" behind it for
     * a mismatch, "?" for unverifiable and "-" for unchecked. The end is "end"; a failure is its
     * code, field and offset, and need/have unless both are 0; "open:" comes first if it is the
     * opening that failed.
     */
    char *text;
    /* All that is told: every member of blocks, info, roots, fault. */
    char *full;
    size_t blocks;
};

struct car_run car_run_memory(const void *bytes, size_t len, const struct cid_car_options *options);
struct car_run car_run_source(struct car_source *source, const struct cid_car_options *options);
/* Reads to the end with an open reader and closes it; fault: of the opening, if that failed. */
struct car_run car_run_reader(struct cid_car_reader *reader, const struct cid_fault *fault);
void car_run_free(struct car_run *run);

/*
 * Runs over the bytes in memory, at the end of a page, and as a source in pieces of 1, 7 and 64
 * bytes and whole, with and without empty reads, and checks that all say the same. Gives the run
 * over memory.
 */
struct car_run car_run_every_way(const void *bytes, size_t len,
                                 const struct cid_car_options *options);

/* car_run_every_way of hexadecimal, held against the text expected. */
void car_expect(const char *name, const char *hex, const struct cid_car_options *options,
                const char *expected);

#endif
