#include "hash/blocks.h"

#include <string.h>

#include "base/endian.h"

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

static void put_length(uint8_t *end, uint64_t bytes, enum cid__length_form form)
{
    switch (form) {
    case CID__LENGTH_64LE:
        cid__store64le(end - 8, bytes << 3);
        break;
    case CID__LENGTH_128BE:
        cid__store64be(end - 16, bytes >> 61);
        cid__store64be(end - 8, bytes << 3);
        break;
    case CID__LENGTH_64BE:
        cid__store64be(end - 8, bytes << 3);
        break;
    }
}

void cid__blocks_pad(struct cid__blocks *blocks, size_t size, enum cid__length_form form,
                     cid__compress *compress, void *h)
{
    size_t held = cid__blocks_held(blocks, size);
    size_t tail = form == CID__LENGTH_128BE ? 16 : 8;

    blocks->held[held++] = 0x80;
    if (size - held < tail) {
        memset(blocks->held + held, 0, size - held);
        compress(h, blocks->held, 1);
        held = 0;
    }
    memset(blocks->held + held, 0, size - held);
    put_length(blocks->held + size, blocks->total, form);
    compress(h, blocks->held, 1);
}
