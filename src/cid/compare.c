#include "cid/binary.h"
#include "cid/siphash.h"

bool cid_equal(const struct cid_view *a, const struct cid_view *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->bytes, b->bytes, a->len) == 0);
}

int cid_compare(const struct cid_view *a, const struct cid_view *b)
{
    size_t common = a->len < b->len ? a->len : b->len;
    int order = common == 0 ? 0 : memcmp(a->bytes, b->bytes, common);
    if (order != 0)
        return order < 0 ? -1 : 1;
    return (a->len > b->len) - (a->len < b->len);
}

uint64_t cid_hash64(const struct cid_view *view, uint64_t seed)
{
    return cid__siphash24(seed, 0, view->bytes, view->len);
}

bool cid_same_multihash(const struct cid_view *a, const struct cid_view *b)
{
    if ((a->len == 0) != (b->len == 0))
        return false;
    return a->hash.code == b->hash.code && a->hash.digest_len == b->hash.digest_len &&
           (a->hash.digest_len == 0 ||
            memcmp(a->hash.digest, b->hash.digest, a->hash.digest_len) == 0);
}

bool cid_same_content(const struct cid_view *a, const struct cid_view *b)
{
    return a->codec == b->codec && cid_same_multihash(a, b);
}
