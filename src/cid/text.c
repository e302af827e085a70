#include "cid/text.h"

#include "cid/binary.h"

enum cid_error cid__text_shape(bool *is_v0, const char *text, size_t text_len, size_t limit)
{
    *is_v0 = false;
    if (text_len == 0)
        return CID_E_TEXT_EMPTY;
    if (text_len > limit)
        return CID_E_TEXT_LIMIT;
    if (text_len < 2 || text[0] != 'Q' || text[1] != 'm')
        return CID_OK;
    *is_v0 = true;
    return text_len == CID__V0_CHARS ? CID_OK : CID_E_V0_LENGTH;
}

enum cid_error cid__text_decode(struct cid__multibase_result *result, uint8_t *out, size_t cap,
                                const char *text, size_t text_len, bool is_v0, uint32_t allow)
{
    if (is_v0)
        return cid__base_decode(result, out, cap, text, text_len, CID_BASE58_BTC, allow);
    return cid__multibase_decode(result, out, cap, text, text_len, allow);
}

enum cid_error cid__text_read(struct cid_view *out, const uint8_t *bytes, size_t len, bool is_v0)
{
    if (!is_v0 && len != 0 && bytes[0] == 0x12)
        return CID_E_V0_IN_BASE;
    if (is_v0 && (len != CID__V0_SIZE || bytes[0] != 0x12 || bytes[1] != 0x20))
        return CID_E_V0_HASH;
    return cid_read_exact(out, bytes, len);
}

enum cid_error cid__text_to_scratch(struct cid__scratch *out, const char *text, size_t text_len)
{
    enum cid_error error = cid__text_shape(&out->is_v0, text, text_len, sizeof out->bytes);

    out->step = CID__STEP_SHAPE;
    if (error)
        return error;
    out->step = CID__STEP_DIGITS;
    error = cid__text_decode(&out->decoded, out->bytes, sizeof out->bytes, text, text_len,
                             out->is_v0, 0);
    if (error)
        return error;
    out->step = CID__STEP_BYTES;
    return cid__text_read(&out->view, out->bytes, out->decoded.written, out->is_v0);
}

/* The text of a CIDv1 of the common shape in base32, which is nearly every text there is. */
static inline bool parse_usual(struct cid *out, const char *text, size_t text_len)
{
    uint8_t *bytes = out->raw.u.small;

    _Static_assert(sizeof out->raw.u.small >= 64, "room for what decoding writes");
    if (text_len != CID__USUAL_CHARS || !cid__multibase_decode_usual(bytes, text) ||
        !cid__is_common(cid__load32le(bytes)))
        return false;
    out->raw.len = CID__USUAL_SIZE;
    return true;
}

/*
 * Texts that are right, in inline bytes: nearly all there are. false says nothing, and leaves the
 * judgement, and the description of what is wrong, to the steps above.
 */
static bool parse_quick(struct cid *out, bool *is_v0, const char *text, size_t text_len)
{
    uint8_t *bytes = out->raw.u.small;
    struct cid_view view;
    size_t len = 0;

    if (cid__text_shape(is_v0, text, text_len, CID_TEXT_LIMIT))
        return false;
    if (*is_v0 ? !cid__base_decode_quick(bytes, CID_SMALL, &len, text, text_len, CID_BASE58_BTC)
               : !cid__multibase_decode_quick(bytes, CID_SMALL, &len, text, text_len))
        return false;
    out->raw.len = len;
    if (*is_v0) /* 12 and 20 in front, and then any 32 bytes will do */
        return len == CID__V0_SIZE && bytes[0] == 0x12 && bytes[1] == 0x20;
    return (len == 36 && cid__is_common(cid__load32le(bytes))) ||
           cid__text_read(&view, bytes, len, false) == CID_OK;
}

enum cid_error cid_parse_with(struct cid *out, enum cid_base *base, const char *text,
                              size_t text_len, const struct cid_parse_options *options,
                              const struct cid_allocator *alloc)
{
    struct cid__build to = cid__build_owner(&out->raw, alloc);
    uint32_t allow = options ? options->allow : 0;
    size_t limit = options && options->text_limit ? options->text_limit : CID_TEXT_LIMIT;
    struct cid__multibase_result result;
    uint8_t *at = out->raw.u.small;
    struct cid_view view;
    bool is_v0;
    enum cid_error error = cid__text_shape(&is_v0, text, text_len, limit);

    cid__build_assert_apart(&to, text, text_len);
    if (error)
        return cid__build_fail(&to, error);
    error = cid__text_decode(&result, at, CID_SMALL, text, text_len, is_v0, allow);
    if (error && error != CID_E_NOSPACE)
        return cid__build_fail(&to, error);
    to.total = result.written;
    if (error) { /* too long for the owner: now the size is known, one block of it, and again */
        error = cid__build_reserve(&to, result.written, &at);
        if (error)
            return error;
        error = cid__text_decode(&result, at, to.total, text, text_len, is_v0, allow);
    }
    if (!error)
        error = cid__text_read(&view, at, to.total, is_v0);
    if (!error && options && cid__over_identity_limit(&view, options->identity_limit))
        error = CID_E_IDENTITY_LIMIT;
    if (error)
        return cid__build_undo(&to, error);
    if (base)
        *base = result.base;
    return cid__build_commit(&to);
}

enum cid_error cid_parse(struct cid *out, const char *text, size_t text_len,
                         const struct cid_allocator *alloc)
{
    bool is_v0;

    cid__assert_apart(out, sizeof *out, text, text_len);
    if (parse_usual(out, text, text_len) || parse_quick(out, &is_v0, text, text_len))
        return CID_OK;
    return cid_parse_with(out, NULL, text, text_len, NULL, alloc);
}

/* The base that the view prints in, or CID_E_V0_BASE. */
static enum cid_error choose_base(enum cid_base *base, const struct cid_view *view)
{
    if (view->len == 0)
        return CID_E_ARGUMENT;
    if (*base == CID_BASE_DEFAULT)
        *base = view->version == 0 ? CID_BASE58_BTC : CID_BASE32;
    return view->version == 0 && *base != CID_BASE58_BTC ? CID_E_V0_BASE : CID_OK;
}

enum cid_error cid_format(char *out, size_t cap, size_t *written, const struct cid_view *view,
                          enum cid_base base)
{
    enum cid_error error = choose_base(&base, view);
    if (error)
        return error;
    if (view->version == 0)
        return cid_base_encode(out, cap, written, view->bytes, view->len, base);
    return cid_multibase_encode(out, cap, written, view->bytes, view->len, base);
}

enum cid_error cid_text_size(size_t *size, const struct cid_view *view, enum cid_base base)
{
    enum cid_error error = cid_format(NULL, 0, size, view, base);
    return error == CID_E_NOSPACE ? CID_OK : error;
}
