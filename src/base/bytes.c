#include "base/bytes.h"

#include <stdlib.h>

void *cid__alloc(const struct cid_allocator *alloc, size_t size)
{
    return alloc ? alloc->alloc(alloc->ctx, size) : malloc(size);
}

void cid__release(const struct cid_allocator *alloc, void *ptr, size_t size)
{
    if (alloc)
        alloc->free(alloc->ctx, ptr, size);
    else
        free(ptr);
}

const uint8_t *cid_bytes_data(const struct cid_bytes *bytes)
{
    return cid_bytes_of(bytes);
}

void cid_bytes_free(struct cid_bytes *bytes, const struct cid_allocator *alloc)
{
    if (!bytes)
        return;
    if (bytes->len > CID_SMALL)
        cid__release(alloc, bytes->u.heap, bytes->len);
    memset(bytes, 0, sizeof *bytes);
}
