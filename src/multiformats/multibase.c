#include "multiformats/multibase.h"

#include "base/arith.h"
#include "base/bytes.h"
#include "multiformats/base.h"

#include <string.h>

/* ---- helpers of the families -------------------------------------------------------------- */

size_t cid__base_line_ends(const char *text, size_t n, uint32_t allow)
{
    size_t count = 0;

    if (allow & CID_ALLOW_LINE_ENDS)
        for (size_t i = 0; i < n; i++)
            count += text[i] == '\r' || text[i] == '\n';
    return count;
}

/* ---- the table ---------------------------------------------------------------------------- */

/* The row of a base; NULL if there is no such base. */
static const struct cid__base *find(uint32_t code)
{
    const struct cid__base *last = &cid__bases[CID__BASE_COUNT - 1];

    if (code < 128) {
        uint8_t i = cid__base_of_prefix[code];
        return i < CID__BASE_COUNT ? &cid__bases[i] : NULL;
    }
    return code == last->code ? last : NULL; /* the only one beyond ASCII */
}

static struct cid_base_info info_of(const struct cid__base *base)
{
    return (struct cid_base_info){(enum cid_base)base->code, base->name, base->prefix, base->status,
                                  base->either_case};
}

enum cid_error cid_base_by_code(struct cid_base_info *out, uint32_t code)
{
    const struct cid__base *base = find(code);

    if (!base)
        return CID_E_NOT_FOUND;
    *out = info_of(base);
    return CID_OK;
}

static bool same(const char *wanted, const char *name, size_t name_len)
{
    return strlen(wanted) == name_len && memcmp(wanted, name, name_len) == 0;
}

enum cid_error cid_base_by_name(struct cid_base_info *out, const char *name, size_t name_len)
{
    if (name_len == 0)
        return CID_E_NOT_FOUND;
    for (size_t i = 0; i < CID__BASE_COUNT; i++) {
        const struct cid__base *base = &cid__bases[i];
        if (same(base->name, name, name_len) || same(base->prefix, name, name_len)) {
            *out = info_of(base);
            return CID_OK;
        }
    }
    return CID_E_NOT_FOUND;
}

size_t cid_base_count(void)
{
    return CID__BASE_COUNT;
}

enum cid_error cid_base_at(struct cid_base_info *out, size_t i)
{
    if (i >= CID__BASE_COUNT)
        return CID_E_NOT_FOUND;
    *out = info_of(&cid__bases[i]);
    return CID_OK;
}

/* ---- bounds ------------------------------------------------------------------------------- */

size_t cid_multibase_encoded_bound(enum cid_base code, size_t data_len)
{
    const struct cid__base *base = find((uint32_t)code);
    size_t bound;

    if (!base)
        return SIZE_MAX;
    bound = base->family->encoded_bound(data_len, base);
    return cid__add_size(&bound, bound, base->lead_len) ? bound : SIZE_MAX;
}

size_t cid_multibase_decoded_bound(enum cid_base code, size_t text_len)
{
    const struct cid__base *base = find((uint32_t)code);

    if (!base)
        return SIZE_MAX;
    if (text_len < base->lead_len)
        return 0;
    return base->family->decoded_bound(text_len - base->lead_len, base);
}

/* ---- encoding ----------------------------------------------------------------------------- */

/* Encodes behind a lead of lead_len characters, and ends the text in NUL. */
static enum cid_error encode(char *out, size_t cap, size_t *written, const void *data,
                             size_t data_len, enum cid_base code, bool with_lead)
{
    const struct cid__base *base = find((uint32_t)code);
    size_t lead_len, room, total = 0;
    enum cid_error error;

    if (!base)
        return CID_E_ARGUMENT;
    lead_len = with_lead ? base->lead_len : 0;
    room = cap > lead_len ? cap - lead_len - 1 : 0;
    error = base->family->encode(cap > lead_len ? out + lead_len : NULL, room, &total, data,
                                 data_len, base);
    if (error && error != CID_E_NOSPACE)
        return error;
    if (!cid__add_size(&total, total, lead_len) || total == SIZE_MAX)
        return CID_E_TOO_LARGE;
    if (written)
        *written = total;
    if (error || cap <= total)
        return CID_E_NOSPACE;
    memcpy(out, base->lead, lead_len);
    out[total] = '\0';
    return CID_OK;
}

enum cid_error cid_multibase_encode(char *out, size_t cap, size_t *written, const void *data,
                                    size_t data_len, enum cid_base code)
{
    const struct cid__base *base = find((uint32_t)code);
    size_t len;

    cid__assert_apart(out, cap, data, data_len);
    /* nearly always: one character in front, and room for all */
    if (base && base->lead_len == 1 && cap > 1 &&
        base->family->encode(out + 1, cap - 2, &len, data, data_len, base) == CID_OK) {
        out[0] = base->lead[0];
        out[1 + len] = '\0';
        if (written)
            *written = 1 + len;
        return CID_OK;
    }
    return encode(out, cap, written, data, data_len, code, true);
}

enum cid_error cid_base_encode(char *out, size_t cap, size_t *written, const void *data,
                               size_t data_len, enum cid_base base)
{
    cid__assert_apart(out, cap, data, data_len);
    return encode(out, cap, written, data, data_len, base, false);
}

/* ---- decoding ----------------------------------------------------------------------------- */

/* Decodes the digits from text[from] on. */
static enum cid_error decode(struct cid__multibase_result *result, uint8_t *out, size_t cap,
                             const char *text, size_t from, size_t text_len,
                             const struct cid__base *base, uint32_t allow)
{
    const struct cid__base_family *family = base->family;
    enum cid_error error;

    result->base = (enum cid_base)base->code;
    if (from == text_len)
        return CID_OK;
    text += from;
    text_len -= from;
    if (family->decode(out, cap, &result->written, text, text_len, base, allow))
        return CID_OK;
    result->written = 0;
    error = family->check(&result->written, &result->bad, text, text_len, base, allow);
    result->bad += from;
    return error ? error : CID_E_NOSPACE;
}

/* Finds the base that a text is in, and the length of what leads up to the digits. */
static enum cid_error read_lead(const struct cid__base **base, size_t *bad, const char *text,
                                size_t text_len)
{
    const struct cid__base *emoji = &cid__bases[CID__BASE_COUNT - 1];
    uint8_t first;
    size_t same_len = 1;

    if (text_len == 0)
        return CID_E_TEXT_EMPTY;
    first = (uint8_t)text[0];
    if (first >= 128) {
        if (text_len < emoji->lead_len || memcmp(text, emoji->lead, emoji->lead_len) != 0)
            return CID_E_BASE_UNKNOWN;
        *base = emoji;
        return CID_OK;
    }
    if (cid__base_of_prefix[first] == CID__PREFIX_RESERVED)
        return CID_E_BASE_RESERVED;
    *base = find(first);
    if (!*base)
        return CID_E_BASE_UNKNOWN;
    while (same_len < (*base)->lead_len && same_len < text_len &&
           text[same_len] == (*base)->lead[same_len])
        same_len++;
    if (same_len == (*base)->lead_len)
        return CID_OK;
    *bad = same_len;
    return same_len == text_len ? CID_E_BASE_LENGTH : CID_E_BASE_CHAR;
}

enum cid_error cid__multibase_decode(struct cid__multibase_result *result, uint8_t *out, size_t cap,
                                     const char *text, size_t text_len, uint32_t allow)
{
    const struct cid__base *base = NULL;
    enum cid_error error;

    *result = (struct cid__multibase_result){0, 0, CID_BASE_DEFAULT};
    error = read_lead(&base, &result->bad, text, text_len);
    if (base)
        result->base = (enum cid_base)base->code;
    if (error)
        return error;
    return decode(result, out, cap, text, base->lead_len, text_len, base, allow);
}

enum cid_error cid__base_decode(struct cid__multibase_result *result, uint8_t *out, size_t cap,
                                const char *text, size_t text_len, enum cid_base code,
                                uint32_t allow)
{
    const struct cid__base *base = find((uint32_t)code);

    *result = (struct cid__multibase_result){0, 0, CID_BASE_DEFAULT};
    if (!base)
        return CID_E_ARGUMENT;
    return decode(result, out, cap, text, 0, text_len, base, allow);
}

bool cid__multibase_decode_quick(uint8_t *out, size_t cap, size_t *written, const char *text,
                                 size_t text_len)
{
    const struct cid__base *base = text_len == 0 ? NULL : find((uint8_t)text[0]);

    if (!base || base->lead_len != 1 || text_len == 1)
        return false;
    return base->family->decode(out, cap, written, text + 1, text_len - 1, base, 0);
}

bool cid__base_decode_quick(uint8_t *out, size_t cap, size_t *written, const char *text,
                            size_t text_len, enum cid_base code)
{
    const struct cid__base *base = find((uint32_t)code);
    return text_len > 0 && base->family->decode(out, cap, written, text, text_len, base, 0);
}

static uint32_t allowed(const struct cid_multibase_options *options)
{
    return options ? options->allow : 0;
}

static bool over_limit(size_t text_len, const struct cid_multibase_options *options)
{
    return options && options->text_limit != 0 && text_len > options->text_limit;
}

/* Hands a result out: *written on success and on CID_E_NOSPACE, *base on success. */
static enum cid_error deliver(size_t *written, enum cid_base *base,
                              const struct cid__multibase_result *result, enum cid_error error)
{
    if (written && (!error || error == CID_E_NOSPACE))
        *written = result->written;
    if (base && !error)
        *base = result->base;
    return error;
}

enum cid_error cid_multibase_decode(uint8_t *out, size_t cap, size_t *written, enum cid_base *base,
                                    const char *text, size_t text_len,
                                    const struct cid_multibase_options *options)
{
    struct cid__multibase_result result;
    enum cid_error error;

    cid__assert_apart(out, cap, text, text_len);
    if (over_limit(text_len, options))
        return CID_E_TEXT_LIMIT;
    error = cid__multibase_decode(&result, out, cap, text, text_len, allowed(options));
    return deliver(written, base, &result, error);
}

enum cid_error cid_base_decode(uint8_t *out, size_t cap, size_t *written, const char *text,
                               size_t text_len, enum cid_base base,
                               const struct cid_multibase_options *options)
{
    struct cid__multibase_result result;
    enum cid_error error;

    cid__assert_apart(out, cap, text, text_len);
    if (over_limit(text_len, options))
        return CID_E_TEXT_LIMIT;
    error = cid__base_decode(&result, out, cap, text, text_len, base, allowed(options));
    return deliver(written, NULL, &result, error);
}

void cid_multibase_diagnose(struct cid_fault *fault, const char *text, size_t text_len,
                            const struct cid_multibase_options *options)
{
    struct cid__multibase_result result = {0, 0, CID_BASE_DEFAULT};
    size_t size = fault->size;
    size_t limit = CID_MULTIBASE_NUMBER_LIMIT;
    enum cid_error error = CID_E_TEXT_LIMIT;

    if (over_limit(text_len, options))
        result.bad = limit = options->text_limit;
    else
        error = cid__multibase_decode(&result, NULL, 0, text, text_len, allowed(options));
    if (error == CID_E_NOSPACE)
        error = CID_OK;
    *fault = (struct cid_fault){.size = size, .code = error};
    if (result.base != CID_BASE_DEFAULT) {
        fault->decoded = CID_DECODED_BASE;
        fault->base = (uint32_t)result.base;
    }
    if (!error)
        return;
    fault->field = CID_FIELD_BASE;
    fault->where = CID_WHERE_TEXT;
    fault->offset = result.bad;
    if (error == CID_E_TEXT_LIMIT) {
        fault->need = limit;
        fault->have = text_len;
    }
}
