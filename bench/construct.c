#include "construct.h"

#include "count.h"

#include <string.h>

#define VARINT_MAX 9
#define STACK_SIZE 128

/* The writing code of all shapes. */

static inline size_t varint_size(uint64_t value)
{
    size_t size = 1;
    while (value >= 0x80) {
        value >>= 7;
        size++;
    }
    return size;
}

static inline uint8_t *put_varint(uint8_t *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

static inline size_t measure(uint64_t codec, uint64_t hash_code, size_t digest_len)
{
    return 1 + varint_size(codec) + varint_size(hash_code) + varint_size(digest_len) + digest_len;
}

/* Returns the place behind what was written. */
static inline uint8_t *put(uint8_t *at, uint64_t codec, uint64_t hash_code, const uint8_t *digest,
                           size_t digest_len)
{
    *at++ = 1;
    at = put_varint(put_varint(put_varint(at, codec), hash_code), digest_len);
    if (digest_len == 32) { /* a constant size needs no call */
        memcpy(at, digest, 32);
        return at + 32;
    }
    memcpy(at, digest, digest_len);
    return at + digest_len;
}

/* ---- the shapes --------------------------------------------------------------------------- */

void construct_two_alloc(struct construct_heap *out, uint64_t codec, uint64_t hash_code,
                         const uint8_t *digest, size_t digest_len)
{
    uint8_t *largest = bench_malloc(1 + 3 * VARINT_MAX + digest_len);

    out->len = (size_t)(put(largest, codec, hash_code, digest, digest_len) - largest);
    out->heap = bench_malloc(out->len);
    memcpy(out->heap, largest, out->len);
    free(largest);
}

void construct_sized(struct construct_heap *out, uint64_t codec, uint64_t hash_code,
                     const uint8_t *digest, size_t digest_len)
{
    out->len = measure(codec, hash_code, digest_len);
    out->heap = bench_malloc(out->len);
    put(out->heap, codec, hash_code, digest, digest_len);
}

void construct_stack(struct construct_heap *out, uint64_t codec, uint64_t hash_code,
                     const uint8_t *digest, size_t digest_len)
{
    uint8_t buffer[STACK_SIZE];

    if (digest_len > STACK_SIZE - 1 - 3 * VARINT_MAX) {
        construct_sized(out, codec, hash_code, digest, digest_len);
        return;
    }
    out->len = (size_t)(put(buffer, codec, hash_code, digest, digest_len) - buffer);
    out->heap = bench_malloc(out->len);
    memcpy(out->heap, buffer, out->len);
}

#define DEFINE_INLINE(N)                                                                           \
    void construct_inline_##N(struct construct_inline_##N *out, uint64_t codec,                    \
                              uint64_t hash_code, const uint8_t *digest, size_t digest_len)        \
    {                                                                                              \
        size_t len = measure(codec, hash_code, digest_len);                                        \
        uint8_t *at = out->u.small;                                                                \
                                                                                                   \
        if (len > (N))                                                                             \
            at = out->u.heap = bench_malloc(len);                                                  \
        put(at, codec, hash_code, digest, digest_len);                                             \
        out->len = len;                                                                            \
    }

DEFINE_INLINE(40)
DEFINE_INLINE(56)
DEFINE_INLINE(72)
DEFINE_INLINE(80)
DEFINE_INLINE(88)
