#include "hash/blocks.h"

#include <string.h>

void cid__blocks_update(struct cid__blocks *blocks, size_t size, const uint8_t *data, size_t len,
                        cid__compress *compress, void *h)
{
    size_t held = cid__blocks_held(blocks, size);
    size_t fill = size - held;

    blocks->total += len;
    if (held != 0 && len >= fill) {
        memcpy(blocks->held + held, data, fill);
        compress(h, blocks->held, 1);
        data += fill;
        len -= fill;
        held = 0;
    }
    if (held == 0 && len >= size) {
        size_t whole = len & ~(size - 1);
        compress(h, data, whole / size);
        data += whole;
        len -= whole;
    }
    if (len != 0)
        memcpy(blocks->held + held, data, len);
}
