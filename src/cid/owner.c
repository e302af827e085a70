#include "cid/binary.h"

enum cid_error cid_copy(struct cid *out, const struct cid *from, const struct cid_allocator *alloc)
{
    struct cid_view view;

    cid__assert_apart(out, sizeof *out, from, sizeof *from);
    if (from->raw.len <= CID_SMALL) {
        *out = *from;
        return CID_OK;
    }
    view = cid_as_view(from);
    return cid_own(out, &view, alloc);
}

struct cid_view cid_as_view(const struct cid *cid)
{
    return cid__view_trusted(cid_bytes_of(&cid->raw), cid->raw.len);
}

bool cid_is_defined(const struct cid *cid)
{
    return cid->raw.len != 0;
}

void cid_free(struct cid *cid, const struct cid_allocator *alloc)
{
    if (cid)
        cid_bytes_free(&cid->raw, alloc);
}
