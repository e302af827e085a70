/*
 * car_index_check.h - holds the index of a CARv2 against the sections that one pass over its
 * payload meets: the order of the entries, each entry against the section it points at, and the
 * sections that the index does not have.
 *
 * Memory: a digest and eight bytes for each section, twice that while they are sorted, and nothing
 * where there is no index. The index of a regular file is read where it lies; that of a pipe is
 * kept until the sections are known, up to INDEX_KEPT bytes.
 */
#ifndef CID_CLI_CAR_INDEX_CHECK_H
#define CID_CLI_CAR_INDEX_CHECK_H

#include "buffer.h"
#include "car_file.h"

/* The longest index of a pipe that is kept. */
#define INDEX_KEPT ((size_t)64 << 20)

/* Entries that are wrong, and remembered one by one. */
#define INDEX_WRONG_KEPT 8

/* What could be said of the index. */
enum index_state {
    INDEX_NONE,      /* there is none */
    INDEX_GOOD,      /* all of it is true */
    INDEX_BAD,       /* malformed, or an entry is wrong, or sections are missing */
    INDEX_UNKNOWN,   /* of a kind that is not known */
    INDEX_UNCHECKED, /* it came through a pipe and was too long to be kept */
    INDEX_UNREACHED  /* the payload is broken, so that there was nothing to hold it against */
};

struct index_check {
    enum index_state state;
    bool has_index;       /* the archive says so */
    bool fully_indexed;   /* identity CIDs too, it says */
    uint64_t data_offset; /* of the payload, in the file */
    uint64_t offset;      /* of the index */
    uint64_t codec;       /* 0 as long as it is not known */
    uint64_t entries;
    uint64_t wrong;         /* entries that point at no section, or at another one */
    uint64_t missing;       /* sections whose multihash is not in the index */
    uint64_t left_out;      /* sections not in the index whose multihash is, for another section */
    struct cid_fault fault; /* the first thing that is wrong; CID_OK if there is none */
    /* what follows is its own */
    bool opening, too_long;
    struct buffer kept; /* the index of a pipe; while opening all that was read */
    struct cid_file part;
    struct index_part {
        int fd;
        uint64_t base;
    } part_ctx;
    struct cid_car_index *theirs;
    struct cid_car_indexer *sections, *by_digest;
    uint64_t wrong_at[INDEX_WRONG_KEPT]; /* offsets in the payload */
};

/* What the file that is to be checked is opened with: sees the index go by on a pipe. */
struct car_tap index_check_tap(struct index_check *check);

/* Begins when the archive is open; check was all-zero before the file was opened. */
void index_check_begin(struct index_check *check, const struct car_file *file);

/* Takes note of a section: to be called for each block, good or bad, in any order. */
void index_check_block(struct index_check *check, const struct cid_view *cid,
                       uint64_t section_in_payload);

/* Comes to a verdict, after the last block; whole says that the payload was read to its end. */
void index_check_finish(struct index_check *check, const struct car_file *file, bool whole);

void index_check_free(struct index_check *check);

/* "good", "bad", … as they stand in JSON. */
const char *index_state_name(enum index_state state);

/* The key "index" and its object, or null. */
void index_check_json(struct cid_json *json, const struct index_check *check);

/* A few words on the index: what is wrong with it, or what was checked. */
void index_check_words(struct output *out, const struct index_check *check);

/* Tells what is wrong with the index, or why it was not checked, as a message. */
void index_check_complain(struct cli *cli, const struct car_file *file,
                          const struct index_check *check);

#endif
