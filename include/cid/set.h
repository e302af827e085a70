/*
 * set.h - a set of CIDs, in memory. Two CIDs are the same if their bytes are.
 *
 * The set holds copies of the CIDs. It finds them by a keyed hash of all their bytes, with a key
 * drawn for each set. The digest's own bytes would not do, for sha2-256 any more than for identity:
 * whoever writes an archive can put any digest into it, and the set is asked before a block is
 * checked. The order of the numbers never depends on the key.
 *
 * Threads: a set belongs to one thread at a time; while nobody adds, any number may look.
 */
#ifndef CID_SET_H
#define CID_SET_H

#include <cid/cid.h>
#include <cid/common.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cid_set;

/*
 * Options of a set; all-zero is the default. seed is for those who have a better source of
 * randomness than plain C, and for those who want the same run twice. Without one (0) the key is
 * drawn from the time, the processor time and the addresses that the system happened to give:
 * enough against somebody who only supplies input, not against code in the same process.
 */
struct cid_set_options {
    size_t size;   /* 0 or sizeof(struct cid_set_options) */
    uint64_t seed; /* the key is made from it; 0: the set draws its own */
};

/* Opens an empty set. *out is NULL on failure. CID_E_NOMEM. The allocator must outlive the set. */
CID_API CID_MUST_USE enum cid_error cid_set_open(struct cid_set **out,
                                                 const struct cid_allocator *alloc);

/* cid_set_open with options, which may be NULL. */
CID_API CID_MUST_USE enum cid_error cid_set_open_with(struct cid_set **out,
                                                      const struct cid_set_options *options,
                                                      const struct cid_allocator *alloc);

/*
 * Adds a CID unless it is there. *added (may be NULL) says whether it was new. CID_E_NOMEM: the set
 * is as it was. CID_E_ARGUMENT: the view is undefined. CID_E_TOO_LARGE: the set is full
 * with 2^32 - 32 CIDs, or the CID has 4 GiB or more.
 */
CID_API CID_MUST_USE enum cid_error cid_set_add(struct cid_set *set, bool *added,
                                                const struct cid_view *view);

/* Whether the CID is in the set; the undefined CID never is. */
CID_API bool cid_set_has(const struct cid_set *set, const struct cid_view *view);

/*
 * The number of a CID, from 0 in the order of adding. CID_E_NOT_FOUND: it is not in the set.
 */
CID_API CID_MUST_USE enum cid_error cid_set_find(uint64_t *number, const struct cid_set *set,
                                                 const struct cid_view *view);

/*
 * Adds n CIDs unless they are there, and gives the number of each: numbers[i] is that of views[i].
 * Memory is asked for ahead, so that in a large set this is quicker than one at a time. On failure
 * the CIDs before the one at fault have been added, and numbers is unspecified. Errors as
 * cid_set_add.
 */
CID_API CID_MUST_USE enum cid_error cid_set_number(struct cid_set *set, uint64_t *numbers,
                                                   const struct cid_view *views, size_t n);

/* How many CIDs the set holds. */
CID_API uint64_t cid_set_count(const struct cid_set *set);

/*
 * The CID with that number; the view lives as long as the set, however much is added.
 * CID_E_NOT_FOUND: number is not below
 * the count.
 */
CID_API CID_MUST_USE enum cid_error cid_set_at(struct cid_view *out, const struct cid_set *set,
                                               uint64_t number);

/* Frees the set. NULL is allowed. */
CID_API void cid_set_close(struct cid_set *set);

#ifdef __cplusplus
}
#endif

#endif
