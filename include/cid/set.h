/*
 * set.h - a set of CIDs, in memory. Two CIDs are the same if their bytes are.
 *
 * The set holds copies of the CIDs. Real digests are their own hash; CIDs whose digest may be
 * chosen freely (identity, unknown functions) are hashed with a key drawn for each set, so that
 * nobody can choose CIDs that collide.
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

/* Opens an empty set. *out is NULL on failure. CID_E_NOMEM. The allocator must outlive the set. */
CID_API CID_MUST_USE enum cid_error cid_set_open(struct cid_set **out,
                                                 const struct cid_allocator *alloc);

/*
 * Adds a CID unless it is there. *added (may be NULL) says whether it was new. CID_E_NOMEM: the set
 * is as it was. CID_E_ARGUMENT: the view is undefined.
 */
CID_API CID_MUST_USE enum cid_error cid_set_add(struct cid_set *set, bool *added,
                                                const struct cid_view *view);

/* Whether the CID is in the set. */
CID_API bool cid_set_has(const struct cid_set *set, const struct cid_view *view);

/*
 * The number of a CID, from 0 in the order of adding. CID_E_NOT_FOUND: it is not in the set.
 */
CID_API CID_MUST_USE enum cid_error cid_set_find(uint64_t *number, const struct cid_set *set,
                                                 const struct cid_view *view);

/* How many CIDs the set holds. */
CID_API uint64_t cid_set_count(const struct cid_set *set);

/*
 * The CID with that number; the view lives as long as the set. CID_E_NOT_FOUND: number is not below
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
