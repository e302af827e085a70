/*
 * blake3.c - BLAKE3, unkeyed, with digests of any length.
 *
 * A message is cut into chunks of 1,024 bytes, which are the leaves of a binary tree. The left side
 * of each node is a full tree of the most chunks that leave at least one for the right side. So,
 * when chunk number n is done, as many trees of equal size are joined as n + 1 has zero bits at its
 * end, and the stack of trees that wait for their right side holds one for each one bit of n + 1:
 * 54 at most. The last chunk is not joined before the end is known, since the root, whatever node
 * that is, is hashed in another way.
 */
#include "hash/stream.h"

#include <string.h>

#include "base/endian.h"
#include "hash/blake_round.h"

#define BLOCK        64
#define CHUNK_BLOCKS 16
#define DEPTH        54

#define CHUNK_START  0x01u
#define CHUNK_END    0x02u
#define PARENT       0x04u
#define ROOT         0x08u

struct blake3 {
    uint32_t trees[DEPTH][8]; /* their chaining values, the largest tree first */
    uint32_t cv[8];           /* of the chunk at hand */
    uint64_t chunk;           /* its number */
    uint8_t block[BLOCK];
    uint8_t held;   /* bytes in block; the last block is never taken before the end is known */
    uint8_t blocks; /* of the chunk that have gone into cv */
    uint8_t tree_count;
};

/* What a compression takes. */
struct node {
    uint32_t cv[8];
    uint32_t words[16];
    uint64_t counter;
    uint32_t len;
    uint32_t flags;
};

/* The order in which the words of a block are used: each row is the one before, permuted. */
static const uint8_t order[7][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8},
    {3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1},
    {10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6},
    {12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4},
    {9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7},
    {11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13},
};

/* The first half of out is the chaining value of the node; the root gives both halves. */
static void compress(uint32_t out[16], const struct node *node)
{
    const uint32_t *m = node->words;
    uint32_t v[16];

    memcpy(v, node->cv, 32);
    memcpy(v + 8, cid__blake_start, 16);
    v[12] = (uint32_t)node->counter;
    v[13] = (uint32_t)(node->counter >> 32);
    v[14] = node->len;
    v[15] = node->flags;
    CID__BLAKE_ROUND(0);
    CID__BLAKE_ROUND(1);
    CID__BLAKE_ROUND(2);
    CID__BLAKE_ROUND(3);
    CID__BLAKE_ROUND(4);
    CID__BLAKE_ROUND(5);
    CID__BLAKE_ROUND(6);
    for (size_t i = 0; i < 8; i++) {
        out[i] = v[i] ^ v[i + 8];
        out[i + 8] = v[i + 8] ^ node->cv[i];
    }
}

static void node_cv(uint32_t cv[8], const struct node *node)
{
    uint32_t out[16];

    compress(out, node);
    memcpy(cv, out, 32);
}

/* A block of the chunk at hand. */
static struct node chunk_node(const struct blake3 *blake3, const uint8_t *block, uint32_t len,
                              uint32_t flags)
{
    struct node node = {.counter = blake3->chunk, .len = len, .flags = flags};

    memcpy(node.cv, blake3->cv, 32);
    for (size_t i = 0; i < 16; i++)
        node.words[i] = cid__load32le(block + 4 * i);
    if (blake3->blocks == 0)
        node.flags |= CHUNK_START;
    return node;
}

static struct node parent_node(const uint32_t left[8], const uint32_t right[8])
{
    struct node node = {.len = BLOCK, .flags = PARENT};

    memcpy(node.cv, cid__blake_start, 32);
    memcpy(node.words, left, 32);
    memcpy(node.words + 8, right, 32);
    return node;
}

/* Puts the tree that is the chunk just done on the stack, joined with those of its size. */
static void push_chunk(struct blake3 *blake3, uint32_t cv[8])
{
    for (uint64_t done = blake3->chunk + 1; done % 2 == 0; done /= 2) {
        struct node node = parent_node(blake3->trees[--blake3->tree_count], cv);
        node_cv(cv, &node);
    }
    memcpy(blake3->trees[blake3->tree_count++], cv, 32);
}

/* Takes a whole block that is not the last of the message. */
static void take_block(struct blake3 *blake3, const uint8_t *block)
{
    bool last = blake3->blocks == CHUNK_BLOCKS - 1;
    struct node node = chunk_node(blake3, block, BLOCK, last ? CHUNK_END : 0);

    node_cv(blake3->cv, &node);
    blake3->blocks++;
    if (!last)
        return;
    push_chunk(blake3, blake3->cv);
    memcpy(blake3->cv, cid__blake_start, 32);
    blake3->blocks = 0;
    blake3->chunk++;
}

static void init(void *state, size_t out_len)
{
    struct blake3 *blake3 = state;
    (void)out_len;

    blake3->chunk = 0;
    blake3->held = blake3->blocks = blake3->tree_count = 0;
    memcpy(blake3->cv, cid__blake_start, 32);
}

static void update(void *state, const uint8_t *data, size_t len)
{
    struct blake3 *blake3 = state;

    while (len != 0) {
        size_t part;

        if (blake3->held == BLOCK) {
            take_block(blake3, blake3->block);
            blake3->held = 0;
        }
        for (; blake3->held == 0 && len > BLOCK; data += BLOCK, len -= BLOCK)
            take_block(blake3, data);
        part = len < (size_t)BLOCK - blake3->held ? len : (size_t)BLOCK - blake3->held;
        memcpy(blake3->block + blake3->held, data, part);
        blake3->held = (uint8_t)(blake3->held + part);
        data += part;
        len -= part;
    }
}

/* The root: the last block of the last chunk, with every tree on the stack at its left. */
static struct node root(struct blake3 *blake3)
{
    struct node node;

    memset(blake3->block + blake3->held, 0, BLOCK - (size_t)blake3->held);
    node = chunk_node(blake3, blake3->block, blake3->held, CHUNK_END);
    for (size_t i = blake3->tree_count; i > 0; i--) {
        uint32_t right[8];
        node_cv(right, &node);
        node = parent_node(blake3->trees[i - 1], right);
    }
    node.flags |= ROOT;
    return node;
}

static void final(void *state, uint8_t *out, size_t out_len)
{
    struct node node = root(state);

    node.counter = 0;
    for (; out_len != 0; node.counter++) {
        size_t part = out_len < BLOCK ? out_len : BLOCK;
        uint32_t words[16];
        uint8_t bytes[BLOCK];

        compress(words, &node);
        for (size_t i = 0; i < 16; i++)
            cid__store32le(bytes + 4 * i, words[i]);
        memcpy(out, bytes, part);
        out += part;
        out_len -= part;
    }
}

const struct cid__stream *cid__stream_blake3(uint64_t code)
{
    static const struct cid__stream blake3 = {
        sizeof(struct blake3), init, update, final, NULL, NULL};
    return code == 0x1e ? &blake3 : NULL;
}
