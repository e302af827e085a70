/*
 * construct.h - the four shapes in which a CIDv1 can be built from its codec and multihash, written
 * small and with the same writing code, so that what differs is where the bytes go:
 *
 *   two_alloc  a block of the largest size is written, then copied to one of the exact size
 *   sized      measured first; one block of the exact size is written
 *   stack      written in a buffer on the stack, then copied to one block of the exact size;
 *              measured and written to the block where the buffer is too small
 *   inline_N   measured first; written into the owner, which holds N bytes, or else into one block
 *
 * An owner that is all zero owns nothing. What an owner held before is not looked at.
 *
 * Threads: all functions are reentrant.
 */
#ifndef CID_BENCH_CONSTRUCT_H
#define CID_BENCH_CONSTRUCT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* An owner whose bytes are always on the heap. */
struct construct_heap {
    size_t len;
    uint8_t *heap;
};

void construct_two_alloc(struct construct_heap *out, uint64_t codec, uint64_t hash_code,
                         const uint8_t *digest, size_t digest_len);
void construct_sized(struct construct_heap *out, uint64_t codec, uint64_t hash_code,
                     const uint8_t *digest, size_t digest_len);
void construct_stack(struct construct_heap *out, uint64_t codec, uint64_t hash_code,
                     const uint8_t *digest, size_t digest_len);

static inline const uint8_t *construct_heap_bytes(const struct construct_heap *owner)
{
    return owner->heap;
}

static inline void construct_heap_drop(struct construct_heap *owner)
{
    free(owner->heap);
}

/* The owners that hold up to N bytes in themselves, and what goes with them. */
#define CONSTRUCT_INLINE(N)                                                                        \
    struct construct_inline_##N {                                                                  \
        size_t len;                                                                                \
        union {                                                                                    \
            uint8_t small[N];                                                                      \
            uint8_t *heap;                                                                         \
        } u;                                                                                       \
    };                                                                                             \
    void construct_inline_##N(struct construct_inline_##N *out, uint64_t codec,                    \
                              uint64_t hash_code, const uint8_t *digest, size_t digest_len);       \
    static inline const uint8_t *construct_inline_##N##_bytes(                                     \
        const struct construct_inline_##N *owner)                                                  \
    {                                                                                              \
        return owner->len <= (N) ? owner->u.small : owner->u.heap;                                 \
    }                                                                                              \
    static inline void construct_inline_##N##_drop(struct construct_inline_##N *owner)             \
    {                                                                                              \
        if (owner->len > (N))                                                                      \
            free(owner->u.heap);                                                                   \
    }

CONSTRUCT_INLINE(40)
CONSTRUCT_INLINE(56)
CONSTRUCT_INLINE(72)
CONSTRUCT_INLINE(80)
CONSTRUCT_INLINE(88)

#endif
