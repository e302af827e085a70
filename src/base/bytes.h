/*
 * bytes.h - memory, and the one recipe by which all byte strings are built:
 *
 *   measure: work out the total size, by arithmetic alone;
 *   reserve: the place for it, which is in the owner itself if it fits, else one block of exactly
 *     that size; or in a caller's buffer, whose capacity is checked;
 *   write: forward into that place, which is the final one;
 *   commit: the length, last.
 *
 * The inline bytes of the owner are the stack buffer (they lie in the caller's struct), the block
 * is the heap fallback. There is never a second allocation, a realloc or a copy of what was
 * written.
 */
#ifndef CID_BASE_BYTES_H
#define CID_BASE_BYTES_H

#include <cid/common.h>

#include <assert.h>
#include <string.h>

/* Memory from the caller's allocator, or from malloc if alloc is NULL. */
void *cid__alloc(const struct cid_allocator *alloc, size_t size);
void cid__release(const struct cid_allocator *alloc, void *ptr, size_t size);

/* Whether two stretches of memory have a byte in common. */
static inline bool cid__overlap(const void *a, size_t a_len, const void *b, size_t b_len)
{
    uintptr_t x = (uintptr_t)a;
    uintptr_t y = (uintptr_t)b;
    return a_len != 0 && b_len != 0 && (x < y ? y - x < a_len : x - y < b_len);
}

/* Outputs never overlap inputs: debug builds stop where a caller forgets it. */
#define cid__assert_apart(out, out_len, in, in_len)                                                \
    assert(!cid__overlap(out, out_len, in, in_len) && "an output overlaps an input")

/* A construction under way: either owner is set or buf with cap and written is. */
struct cid__build {
    struct cid_bytes *owner;
    const struct cid_allocator *alloc;
    uint8_t *buf;
    size_t cap;
    size_t *written;
    size_t total;
};

/* Begins a construction in an owner. Whatever the owner held is not looked at. */
static inline struct cid__build cid__build_owner(struct cid_bytes *owner,
                                                 const struct cid_allocator *alloc)
{
    return (struct cid__build){.owner = owner, .alloc = alloc};
}

/* Begins a construction in a buffer of the caller's. written may be NULL. */
static inline struct cid__build cid__build_buffer(uint8_t *buf, size_t cap, size_t *written)
{
    return (struct cid__build){.buf = buf, .cap = cap, .written = written};
}

/* cid__assert_apart for a construction, which may fill the owner, or the buffer up to cap. */
static inline void cid__build_assert_apart(const struct cid__build *build, const void *in,
                                           size_t in_len)
{
    (void)build, (void)in, (void)in_len;
    if (build->owner)
        cid__assert_apart(build->owner, sizeof *build->owner, in, in_len);
    else
        cid__assert_apart(build->buf, build->cap, in, in_len);
}

/* Ends a construction that failed: an owner becomes empty. Returns the error it is given. */
static inline enum cid_error cid__build_fail(struct cid__build *build, enum cid_error error)
{
    if (build->owner)
        memset(build->owner, 0, sizeof *build->owner);
    return error;
}

/* Reserves total bytes; *place is where they go. */
static inline enum cid_error cid__build_reserve(struct cid__build *build, size_t total,
                                                uint8_t **place)
{
    build->total = total;
    if (!build->owner) {
        if (total > build->cap) {
            if (build->written)
                *build->written = total;
            return CID_E_NOSPACE;
        }
        *place = build->buf;
        return CID_OK;
    }
    if (total <= CID_SMALL) {
        *place = build->owner->u.small;
        return CID_OK;
    }
    *place = cid__alloc(build->alloc, total);
    if (!*place)
        return cid__build_fail(build, CID_E_NOMEM);
    build->owner->u.heap = *place;
    return CID_OK;
}

/* Commits what was written: from now on the owner, or *written, has its length. */
static inline enum cid_error cid__build_commit(struct cid__build *build)
{
    if (build->owner)
        build->owner->len = build->total;
    else if (build->written)
        *build->written = build->total;
    return CID_OK;
}

/* Undoes a reserve whose writing failed. Returns the error it is given. */
static inline enum cid_error cid__build_undo(struct cid__build *build, enum cid_error error)
{
    if (build->owner && build->total > CID_SMALL)
        cid__release(build->alloc, build->owner->u.heap, build->total);
    return cid__build_fail(build, error);
}

/*
 * memcpy that allows NULL when there is nothing to copy. 32 to 64 bytes, which is any usual digest
 * and any usual CID, are two copies of a constant size: those need no call.
 */
static inline uint8_t *cid__put(uint8_t *at, const uint8_t *from, size_t len)
{
    if (len >= 32 && len <= 64) {
        memcpy(at, from, 32);
        memcpy(at + len - 32, from + len - 32, 32);
        return at + len;
    }
    if (len != 0)
        memcpy(at, from, len);
    return at + len;
}

#endif
