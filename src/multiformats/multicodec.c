#include <cid/multicodec.h>

#include "multiformats/multicodec_table.h"

#include <string.h>

static struct cid_multicodec row(size_t i)
{
    const struct cid__codec *codec = &cid__codecs[i];

    return (struct cid_multicodec){codec->code, cid__codec_names + codec->name,
                                   cid__codec_tags[codec->tag], cid__codec_states[codec->state]};
}

enum cid_error cid_multicodec_by_code(struct cid_multicodec *out, uint64_t code)
{
    size_t low = 0, high = CID__CODEC_COUNT;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (cid__codecs[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == CID__CODEC_COUNT || cid__codecs[low].code != code)
        return CID_E_NOT_FOUND;
    *out = row(low);
    return CID_OK;
}

/* Bytewise, a prefix first: the order that the index is in. */
static int compare(const struct cid__codec *codec, const char *name, size_t name_len)
{
    size_t len = codec->name_len < name_len ? codec->name_len : name_len;
    int order = memcmp(cid__codec_names + codec->name, name, len);

    return order != 0 ? order : (codec->name_len > name_len) - (codec->name_len < name_len);
}

enum cid_error cid_multicodec_by_name(struct cid_multicodec *out, const char *name, size_t name_len)
{
    size_t low = 0, high = CID__CODEC_COUNT;

    if (name_len == 0)
        return CID_E_NOT_FOUND;
    while (low < high) {
        size_t middle = (low + high) / 2;
        size_t i = cid__codecs_by_name[middle];
        int order = compare(&cid__codecs[i], name, name_len);
        if (order == 0) {
            *out = row(i);
            return CID_OK;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return CID_E_NOT_FOUND;
}

size_t cid_multicodec_count(void)
{
    return CID__CODEC_COUNT;
}

enum cid_error cid_multicodec_at(struct cid_multicodec *out, size_t i)
{
    if (i >= CID__CODEC_COUNT)
        return CID_E_NOT_FOUND;
    *out = row(i);
    return CID_OK;
}

bool cid_multicodec_is_private(uint64_t code)
{
    return code >= 0x300000 && code <= 0x3fffff;
}
