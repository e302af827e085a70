/*
 * car_dag.h - what the blocks of an archive link to, gathered in one pass over them in any order,
 * and what of it can be reached from the roots.
 *
 * Each CID, of a block or of a link, has a number: its number in a set. For a number 8 bytes are
 * kept, 8 more if sizes are wanted, and for a link 4, which is the number of its target. Two CIDs
 * are the same if their bytes are; where a CIDv0 or its twin of version 1 is missing, the other one
 * will do.
 */
#ifndef CID_CLI_CAR_DAG_H
#define CID_CLI_CAR_DAG_H

#include "car_file.h"

#include <cid/dag.h>
#include <cid/set.h>

/* What is known of a CID. */
enum dag_state {
    DAG_ABSENT,     /* there is no such block, or it does not match its CID */
    DAG_READ,       /* its links were read, if there are any */
    DAG_UNREAD,     /* a block whose codec is not known */
    DAG_UNREADABLE, /* a block that is not what its codec says */
};

/* A CID that is missing, and the block that names it. */
struct dag_missing {
    uint32_t name;
    uint32_t from; /* DAG_NO_NAME: it is a root */
};
#define DAG_NO_NAME UINT32_MAX

/* A block that cannot be read for its links. */
struct dag_unreadable {
    uint32_t name;
    enum cid_error error;
    uint64_t offset; /* in the block */
};

/* A growing array of 4-byte numbers; all-zero is empty. */
struct dag_list {
    uint32_t *items;
    size_t len;
    size_t cap;
};

/* A block that waits for its number and those of its links. */
struct dag_waiting {
    size_t first;    /* in the batch: its CID, then its links up to the next block */
    uint32_t number; /* DAG_NO_NAME until it has one */
    bool in_section;
    enum dag_state state; /* DAG_ABSENT unless it is good */
    enum cid_error error; /* why it cannot be read, and where in it */
    uint64_t offset;
    size_t len;          /* of its data */
    size_t links, inner; /* how long the lists were before it, once it has a number */
};

/*
 * Blocks that wait, whole but for the last one, which is the one being read. Their CIDs and those
 * that they link to are numbered together, since a set fetches side by side what it needs for
 * them; one after the other, each would wait for memory by itself. A block is gone when the next
 * one comes, so the bytes of CIDs are copied.
 */
#define DAG_BATCH       256
#define DAG_BATCH_BYTES (DAG_BATCH * 40)
struct dag_batch {
    struct cid_view views[DAG_BATCH];
    uint64_t numbers[DAG_BATCH];
    size_t len;
    size_t used;                              /* of bytes */
    struct dag_waiting blocks[DAG_BATCH + 1]; /* the first may have given its CIDs already */
    size_t block_count;
    bool has_inner; /* an identity CID is linked to, which is read before the next block */
    uint8_t bytes[DAG_BATCH_BYTES];
};

/* All-zero is off. The results are there to be read, the rest through the functions below. */
struct car_dag {
    bool on;
    bool with_sizes;
    struct cid_set *names;
    uint64_t *rows; /* by number: what is known, and where the links start */
    uint64_t *sizes;
    size_t row_cap, size_cap;
    struct dag_list links;
    struct dag_list inner;   /* identity CIDs that are yet to be read */
    struct dag_batch *batch; /* NULL until there is a block */
    uint32_t own;            /* the block that got its number last */
    struct cid_links iteration;
    /* results */
    uint64_t blocks; /* distinct CIDs of sections */
    struct dag_list roots;
    struct dag_list order; /* what is present and was reached, nearest first */
    uint8_t *reached;      /* a bit a number */
    uint64_t reachable;    /* of the blocks */
    uint64_t unread;       /* of those, blocks whose codec is not known */
    struct dag_missing *missing;
    size_t missing_len, missing_cap;
    struct dag_unreadable *unreadable; /* once finished: only those reached */
    size_t unreadable_len, unreadable_cap;
};

/* The roots that were asked for. */
struct dag_roots {
    struct cid *cids;
    size_t len;
};

/* Tells that blocks are read, and the set that their CIDs and links go to, which must outlive it.
 * dag is all-zero. */
void dag_begin(struct car_dag *dag, struct cid_set *names, bool with_sizes);

/*
 * Takes note of a block, whose links are not read unless it is good. Results may lack this and
 * other blocks until dag_settle. CID_E_NOMEM, CID_E_TOO_LARGE: some 2^31 CIDs; blocks that wait are
 * lost then.
 */
enum cid_error dag_block(struct car_dag *dag, const struct cid_car_block *block, bool good);

/* Gives numbers to the blocks that wait, so that all is known of the blocks so far. Errors as
 * dag_block. */
enum cid_error dag_settle(struct car_dag *dag);

/*
 * Settles, and finds what can be reached from the roots: those asked for, or else those of the
 * archive. Errors as dag_block.
 */
enum cid_error dag_finish(struct car_dag *dag, const struct cid_car_reader *reader,
                          const struct dag_roots *asked);

/* Whether the archive has a section with this CID, good or bad; asked once settled. */
bool dag_has(const struct car_dag *dag, const struct cid_view *view);

/* Of a number: what is known, whether there is a section, the CID, and the length of the data. */
enum dag_state dag_state(const struct car_dag *dag, uint32_t name);
bool dag_has_section(const struct car_dag *dag, uint32_t name);
struct cid_view dag_cid(const struct car_dag *dag, uint32_t name);
uint64_t dag_size(const struct car_dag *dag, uint32_t name);

/* The number of the block that stands for an absent CID: its twin of the other version, if that is
 * there; else the number itself. */
uint32_t dag_twin(const struct car_dag *dag, uint32_t name);

/* The links of a block: at is where they start, or DAG_NO_LINK; dag_next gives the one there and
 * moves on. */
#define DAG_NO_LINK UINT64_MAX
uint64_t dag_first(const struct car_dag *dag, uint32_t name);
uint32_t dag_next(const struct car_dag *dag, uint64_t *at);

bool dag_reached(const struct car_dag *dag, uint32_t name);

/* The status that the finished graph stands for. */
enum status dag_status(const struct car_dag *dag);

void dag_free(struct car_dag *dag);

/* The CIDs of --root. False after a usage error, which has been told. Free them in any case. */
bool dag_roots_parse(struct cli *cli, struct dag_roots *out, const struct arguments *args);
void dag_roots_free(struct dag_roots *roots);

/* The key "dag" and its object. */
void dag_json(struct cid_json *json, const struct car_dag *dag);

/* A few words for the line that sums up. */
void dag_words(struct output *out, const struct car_dag *dag);

/* Tells what is missing and what is unreadable, a message each. */
void dag_complain(struct cli *cli, const char *file, const struct car_dag *dag);

/* The text of a CID, shortened to its first and last characters, which differ. */
#define DAG_SHORT 40
const char *dag_short(char out[DAG_SHORT], const struct cid_view *view);

/* An archive that was read for its graph alone; nothing was hashed. */
struct dag_file {
    struct car_file file;
    struct cid_set *names;
    struct car_dag dag;
    bool whole; /* what is wrong has been told if not */
};

/* Reads the archive. False if not even its header could be read. Free it in any case. */
bool dag_file_read(struct cli *cli, struct dag_file *read, const char *name,
                   const struct cid_car_options *options);
void dag_file_free(struct dag_file *read);

#endif
