/*
 * pages.h - memory for what may grow large and is touched all over: in huge pages where the system
 * has them. To touch a page for the first time costs a microsecond or more, most of it whatever
 * the size of the page.
 *
 * Threads: any.
 */
#ifndef CID_CLI_PAGES_H
#define CID_CLI_PAGES_H

#include <cid/common.h>

/* For sets that may hold very many CIDs. */
extern const struct cid_allocator pages_allocator;

/*
 * An array of `was` bytes becomes one of `size` bytes, which are more; the new ones are zero. Large
 * arrays move without being copied, where the system can do that. NULL: no memory, and the array is
 * as it was. NULL and 0 are an empty array.
 */
void *pages_grow(void *array, size_t was, size_t size);

void pages_free(void *array, size_t size);

#endif
