/*
 * lanes.h - many messages at once. A kernel compresses a block of each of several messages (its
 * lanes) in hardly more time than one message alone would take; the scheduler keeps the lanes busy,
 * whatever the lengths of the messages.
 */
#ifndef CID_HASH_LANES_H
#define CID_HASH_LANES_H

#include "base/prefetch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CID__LANES_MAX 32

/* A message to be hashed. */
struct cid__job {
    const uint8_t *data;
    size_t len;
    size_t index;   /* whatever the feed likes */
    size_t out_len; /* of the digest, for functions that want to know */
};

/* What left is for a lane without a message. */
#define CID__LANE_IDLE UINT64_MAX

/* The lanes, as the kernels see them. Idle ones are computed too, and point to something. */
struct cid__lanes {
    /* word i of lane l at [i][l], or as the kind likes */
    _Alignas(64) union {
        uint32_t w32[8][CID__LANES_MAX];
        uint64_t w64[8][8];
    } state;
    _Alignas(64) uint64_t count[8]; /* BLAKE2b: bytes before the block at hand */
    _Alignas(64) uint64_t last[8];  /* BLAKE2b: all ones in the last block, else 0 */
    _Alignas(64) uint8_t tail[CID__LANES_MAX][128]; /* the end of each message */
    _Alignas(64) const uint8_t *at[CID__LANES_MAX]; /* the next block */
    _Alignas(64) uint64_t left[CID__LANES_MAX];     /* how many blocks from there on */
    struct cid__ahead *ahead;                       /* as in a wave */
};

/* Messages of less than so many blocks are short. */
#define CID__SHORT 32

/*
 * Short messages that are hashed side by side, each from its first block to its last. Sorted ones
 * have about as many blocks each, and then this is quicker than lanes, which are given messages one
 * at a time.
 */
struct cid__wave {
    _Alignas(64) uint8_t digest[CID__LANES_MAX][64];
    const struct cid__job *job[CID__LANES_MAX];
    unsigned count;           /* at least one */
    struct cid__ahead *ahead; /* as many bytes as are hashed are asked for meanwhile */
};

/* How a function uses the lanes, on a given processor. */
struct cid__lane_kind {
    unsigned lanes; /* how many there are, at most CID__LANES_MAX */
    unsigned worth; /* with fewer messages than this, wide and wave are not the quickest way */
    size_t block;   /* in bytes */
    size_t padding; /* what is added to each message, in bytes */
    /*
     * Compresses as many blocks of all lanes as every one has left, at least one; moves all lanes
     * on; returns the lanes, as bits, that have none left. NULL: there is no such thing.
     */
    uint32_t (*wide)(struct cid__lanes *set);
    /* Compresses so many blocks of two lanes. NULL: no quicker than one after the other. */
    void (*pair)(struct cid__lanes *set, unsigned a, unsigned b, size_t blocks);
    void (*one)(struct cid__lanes *set, unsigned lane, size_t blocks);
    /* Begins a message; returns how many of its blocks can be compressed where they lie. */
    size_t (*begin)(struct cid__lanes *set, unsigned lane, const struct cid__job *job);
    /* Makes the rest of it in tail; returns how many blocks that is, at least one. */
    size_t (*end)(struct cid__lanes *set, unsigned lane, const struct cid__job *job);
    void (*digest)(const struct cid__lanes *set, unsigned lane, uint8_t out[64]);
    /* Makes the digests of at most so many messages as there are lanes. NULL: lanes for all. */
    void (*wave)(struct cid__wave *wave);
    /*
     * The kind for fewer messages than worth: one that has half of the lanes, and finds in them
     * what this kind has left there. NULL: there is none.
     */
    const struct cid__lane_kind *half;
    /* Copies the state of a message to another lane. NULL where half is. */
    void (*move)(struct cid__lanes *set, unsigned to, unsigned from);
};

/* Where messages come from and digests go to. */
struct cid__lane_io {
    /* Puts up to cap messages into jobs and says how many; fewer than cap only at the end. */
    size_t (*feed)(void *ctx, struct cid__job *jobs, size_t cap);
    /* Gets each message and its digest once, in any order; only the digest's own bytes count. */
    void (*sink)(void *ctx, const struct cid__job *const *jobs, const uint8_t (*digests)[64],
                 size_t count);
    void *ctx;
    struct cid__ahead *ahead; /* what will be read next, and can be fetched meanwhile */
};

/*
 * Hashes all that the feed gives. Never allocates; takes some 24 KiB of stack, the kernel's share
 * included, and 32 KiB where there are 32 lanes.
 */
void cid__lanes_run(const struct cid__lane_kind *kind, const struct cid__lane_io *io);

/* The best kind for this processor, or NULL if one message after the other is best. */
const struct cid__lane_kind *cid__lanes_sha256(void);
const struct cid__lane_kind *cid__lanes_blake2b(void);

#endif
