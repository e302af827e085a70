#include "cid/text.h"

enum cid_error cid_dasl_check_view(const struct cid_view *view)
{
    if (view->len == 0)
        return CID_E_ARGUMENT;
    if (view->version != 1)
        return CID_E_PROFILE_VERSION;
    if (view->codec != CID_CODEC_RAW && view->codec != CID_CODEC_DAG_CBOR)
        return CID_E_PROFILE_CODEC;
    if (view->hash.code != CID_HASH_SHA2_256)
        return CID_E_PROFILE_HASH;
    return view->hash.digest_len == 32 ? CID_OK : CID_E_PROFILE_LENGTH;
}

enum cid_error cid_dasl_check(const char *text, size_t text_len)
{
    struct cid__scratch scratch;
    enum cid_error error = cid__text_to_scratch(&scratch, text, text_len);

    if (error)
        return error;
    if (scratch.decoded.base != CID_BASE32)
        return CID_E_PROFILE_BASE;
    for (size_t i = 0; i < text_len; i++)
        if (text[i] >= 'A' && text[i] <= 'Z')
            return CID_E_PROFILE_BASE;
    return cid_dasl_check_view(&scratch.view);
}
