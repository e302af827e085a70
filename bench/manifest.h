/*
 * manifest.h - a manifest of 20 groups of 600 files, each with name, path, checksum and CID: some
 * 4.7 MB of JSON, seeded; and what other libraries make of it.
 *
 * Threads: all functions are reentrant.
 */
#ifndef CID_BENCH_MANIFEST_H
#define CID_BENCH_MANIFEST_H

#include <cid/cid.h>

#define MANIFEST_GROUPS 20
#define MANIFEST_FILES  600 /* a group */
#define MANIFEST_ALL    (MANIFEST_GROUPS * MANIFEST_FILES)

struct manifest_file {
    char name[40];
    char path[256];
    char checksum[65]; /* SHA-256 in hexadecimal */
    uint8_t cid[36];
    struct cid_view view; /* into cid */
};

struct manifest {
    struct manifest_file file[MANIFEST_ALL];
    char group[MANIFEST_GROUPS][16];
    char *text; /* the JSON, as the writer of the library writes it */
    size_t len;
    char *out; /* where engines write; room for cap */
    size_t cap;
};

/* Makes a manifest; it never fails. manifest_free frees it. */
struct manifest *manifest_make(uint64_t seed);
void manifest_free(struct manifest *manifest);

/* Writes the manifest to manifest->out; returns the length. */
size_t manifest_write(struct manifest *manifest);

/* What a decoder does with each CID, given as text: parses it and calls this. */
typedef void manifest_use(void *ctx, const struct cid *cid);

/* The text of a CID, parsed and used. */
void manifest_cid(manifest_use *use, void *ctx, const char *text, size_t len);

/*
 * Other libraries. decode gives the CID of every file in order to use, whose number is returned;
 * encode writes the same text to manifest->out and returns its length. They are NULL where the
 * library is absent.
 */
struct manifest_codec {
    size_t (*decode)(const struct manifest *manifest, manifest_use *use, void *ctx);
    size_t (*encode)(struct manifest *manifest);
};
extern const struct manifest_codec manifest_yajl;
extern const struct manifest_codec manifest_jansson;

#endif
