/*
 * car_scan.h - one pass over an archive: what 'car inspect' and 'car verify' count, and how errors
 * in archives are told.
 */
#ifndef CID_CLI_CAR_SCAN_H
#define CID_CLI_CAR_SCAN_H

#include "cli.h"
#include "options.h"
#include "tally.h"

#include <cid/car.h>
#include <cid/set.h>

/* The options that all car commands have, first in their tables. */
enum {
    CAR_ALLOW_PADDING,
    CAR_MAX_SECTION,
    CAR_MAX_HEADER,
    CAR_OWN_OPTIONS
};
#define CAR_OPTIONS                                                                                \
    [CAR_ALLOW_PADDING] = {"allow-padding", 0, NULL, "zero bytes at the end are no error"},        \
    [CAR_MAX_SECTION] = {"max-section", 0, "SIZE", "the longest section accepted; 8M"},            \
    [CAR_MAX_HEADER] = {"max-header", 0, "SIZE", "the longest header accepted; 32M"}

/* Fills the options of a reader. False after a usage error, which has been told. */
bool car_options(struct cli *cli, struct cid_car_options *out, const struct arguments *args);

/* ---- the file ------------------------------------------------------------------------------ */

/* An archive being read through a descriptor, which may be a pipe. */
struct car_file {
    const char *name;
    int fd;
    int error;      /* errno of a failure */
    bool has_size;  /* size is known from the start: a regular file */
    uint64_t size;  /* from the place where reading starts */
    uint64_t total; /* bytes read */
    size_t head_len;
    uint8_t head[512]; /* the first bytes */
    struct cid_car_reader *reader;
    struct cid_fault fault; /* of opening or reading */
};

/*
 * Opens the file and the archive in it. On failure file->fault says why. Close it in any case.
 */
enum cid_error car_file_open(struct car_file *file, const char *name,
                             const struct cid_car_options *options);
void car_file_close(struct car_file *file);

/* Remembers why reading ended. */
void car_file_failed(struct car_file *file, enum cid_error error);

/* The status that a failure stands for. */
enum status car_status(enum cid_error error);

/* The last block that was good. */
struct car_last {
    struct cid cid;
    uint64_t offset;
};
void car_last_set(struct car_last *last, const struct cid_car_block *block);

/* Tells the failure in words; last may be NULL. */
void car_complain(struct cli *cli, const struct car_file *file, const struct car_last *last);

/* One sentence on the failure, for JSON. */
void car_message(char *out, size_t cap, const struct car_file *file, const struct cid_fault *fault);

/* ---- the pass ------------------------------------------------------------------------------ */

struct scan {
    struct car_file file;
    struct cid_fault first; /* the first thing wrong; code is CID_OK if there is none */
    struct cid_set *seen;
    uint64_t roots_absent;
    uint64_t good, mismatches, unverifiable;
    struct sizes blocks; /* of the data */
    struct sizes cids;
    struct tally codecs;
    struct tally hashes;
    struct car_last last;
    bool index_unknown; /* there is an index of a kind that is not known */
    enum status status;
};

/*
 * Reads a whole archive, checks every block, and tells bad blocks in words unless as_json. jobs is
 * the number of threads that hash; 0: one, and for large files as many as there are processors.
 */
void scan_run(struct cli *cli, struct scan *scan, const char *name,
              const struct cid_car_options *options, unsigned jobs);
void scan_free(struct scan *scan);

/* Whether root number i is a block of the archive or holds its block itself. */
bool scan_has_root(const struct scan *scan, const struct cid_view *root);

/* How long the file is, as far as is known. */
uint64_t scan_size(const struct scan *scan);

/* The one JSON object of an archive. */
void scan_json(struct cli *cli, const struct scan *scan);

#endif
