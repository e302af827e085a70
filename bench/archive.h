/*
 * archive.h - the archives that the car/ rows read: CARv1 in memory, seeded, every CID distinct; or
 * a file.
 *
 * Threads: one; archives are shared between rows.
 */
#ifndef CID_BENCH_ARCHIVE_H
#define CID_BENCH_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum archive_kind {
    ARCHIVE_SMALL,   /* 100,000 blocks of 100 to 500 bytes, sha2-256 */
    ARCHIVE_LARGE,   /* 256 blocks of 256 KiB, sha2-256 */
    ARCHIVE_BLAKE2B, /* 50,000 blocks of 100 to 740 bytes, blake2b-256 */
    ARCHIVE_EQUAL,   /* 100,000 blocks of 300 bytes, sha2-256 */
    ARCHIVE_MANY,    /* as small, but 200,000 blocks */
    ARCHIVE_LONG,    /* as small, but one CID in 100 is an identity CID of 200 bytes */
    ARCHIVE_FILE     /* somebody's */
};
#define ARCHIVE_KINDS 7

struct archive {
    uint8_t *data; /* the whole file */
    size_t len;
    size_t payload_at; /* where the CARv1 begins: not at 0 in a CARv2 */
    size_t payload_len;
    size_t sections_at; /* where its first section begins */
    size_t blocks;
    bool verifiable; /* whether its digests are right: this build can hash */
    bool is_file;
    unsigned users;
};

/* The archive of that kind, made or read when it is first wanted. path is of the file, else NULL.
 * Ends the program if a file cannot be read or is no archive. */
const struct archive *archive_get(enum archive_kind kind, uint64_t seed, const char *path);

/* Gives it back; the last one frees it. */
void archive_put(enum archive_kind kind);

#endif
