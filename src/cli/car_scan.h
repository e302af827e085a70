/*
 * car_scan.h - one pass over an archive: what 'car inspect' and 'car verify' count.
 */
#ifndef CID_CLI_CAR_SCAN_H
#define CID_CLI_CAR_SCAN_H

#include "car_dag.h"
#include "car_file.h"
#include "car_index_check.h"
#include "tally.h"

#include <cid/set.h>

/* CIDs that wait to be added to a set together, which is quicker than one by one. */
#define SCAN_BATCH    32
#define SCAN_CID_MOST 48 /* longer ones do not wait */
struct scan_batch {
    uint8_t bytes[SCAN_BATCH][SCAN_CID_MOST];
    struct cid_view views[SCAN_BATCH];
    size_t len;
};

struct scan {
    bool only_roots; /* set before: distinct blocks need not be counted, which takes no memory then
                      */
    struct car_file file;
    struct cid_fault first; /* the first thing wrong; code is CID_OK if there is none */
    struct cid_set *seen;   /* the CIDs of blocks, or those of them that are roots */
    struct cid_set *roots;  /* with only_roots: those of the archive */
    uint64_t root_ends;     /* with only_roots: bit n: the last byte of a root is n, modulo 64 */
    struct scan_batch batch;
    bool unsure;           /* memory ran out: which CIDs there are is not known */
    uint64_t roots_absent; /* 0 if unsure */
    uint64_t good, mismatches, unverifiable;
    struct sizes blocks; /* of the data */
    struct sizes cids;
    struct tally codecs;
    struct tally hashes;
    struct car_last last;
    struct index_check index;
    struct car_dag dag; /* seen then has the links too */
    uint64_t trailing;  /* bytes behind the payload of a CARv2 that are no index */
    enum status status;
};

/*
 * Reads a whole archive, checks every block, and tells bad blocks in words unless as_json. jobs is
 * the number of threads that hash; 0: one, and for large files as many as there are processors.
 * With roots it also finds out what can be reached from them, or from those of the archive if there
 * are none among them. scan is all-zero, but for only_roots.
 */
void scan_run(struct cli *cli, struct scan *scan, const char *name,
              const struct cid_car_options *options, unsigned jobs, const struct dag_roots *roots);
void scan_free(struct scan *scan);

/* The verdict in one word: good, unchecked, failed, broken, mismatch, index, trailing,
 * unreadable or incomplete. */
const char *scan_verdict(const struct scan *scan);

/* Whether a root is a block of the archive or holds its block itself; not to be asked if unsure. */
bool scan_has_root(const struct scan *scan, const struct cid_view *root);

/* How many different CIDs the blocks have; not to be asked with only_roots or if unsure. */
uint64_t scan_unique(const struct scan *scan);

/* How long the file is, as far as is known. */
uint64_t scan_size(const struct scan *scan);

/* The one JSON object of an archive. */
void scan_json(struct cli *cli, const struct scan *scan);

#endif
