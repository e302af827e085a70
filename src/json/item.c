#include <cid/json.h>

#include "json/escape.h"
#include "json/number.h"

#include <string.h>

static bool is_text(const struct cid_json_item *item)
{
    return item->kind == CID_JSON_KEY || item->kind == CID_JSON_STRING;
}

enum cid_error cid_json_unescape(char *out, size_t cap, size_t *written,
                                 const struct cid_json_item *item)
{
    const char *at = item->text, *end = at + item->len;
    size_t len;

    if (!is_text(item))
        return CID_E_ARGUMENT;
    len = item->escaped ? cid__escape_length(at, item->len) : item->len;
    if (written)
        *written = len;
    if (len > cap)
        return CID_E_NOSPACE;
    while (at < end) {
        const char *escape = item->escaped ? memchr(at, '\\', (size_t)(end - at)) : NULL;
        size_t n = (size_t)((escape ? escape : end) - at);
        memcpy(out, at, n);
        out += n;
        at += n;
        if (escape)
            out += cid__escape_take(out, &at);
    }
    return CID_OK;
}

bool cid_json_is_string(const struct cid_json_item *item, const char *text, size_t len)
{
    const char *at = item->text, *end = at + item->len;
    char unit[4];

    if (!is_text(item))
        return false;
    if (!item->escaped)
        return item->len == len && (len == 0 || memcmp(at, text, len) == 0);
    while (at < end) {
        size_t n = 1;
        unit[0] = *at;
        if (*at == '\\')
            n = cid__escape_take(unit, &at);
        else
            at++;
        if (n > len || memcmp(unit, text, n) != 0)
            return false;
        text += n;
        len -= n;
    }
    return len == 0;
}

static enum cid_error read_integer(bool *negative, uint64_t *magnitude,
                                   const struct cid_json_item *item)
{
    if (item->kind != CID_JSON_NUMBER)
        return CID_E_ARGUMENT;
    switch (cid__number_read(negative, magnitude, item->text, item->len)) {
    case CID__NUMBER_INTEGER:
        return CID_OK;
    case CID__NUMBER_LARGE:
        return CID_E_JSON_RANGE;
    case CID__NUMBER_REAL:
        break;
    }
    return CID_E_ARGUMENT;
}

enum cid_error cid_json_read_u64(uint64_t *out, const struct cid_json_item *item)
{
    uint64_t magnitude = 0;
    bool negative = false;
    enum cid_error error = read_integer(&negative, &magnitude, item);

    if (error)
        return error;
    if (negative && magnitude != 0)
        return CID_E_JSON_RANGE;
    *out = magnitude;
    return CID_OK;
}

enum cid_error cid_json_read_i64(int64_t *out, const struct cid_json_item *item)
{
    uint64_t magnitude = 0;
    bool negative = false;
    enum cid_error error = read_integer(&negative, &magnitude, item);

    if (error)
        return error;
    if (magnitude > (uint64_t)INT64_MAX + negative)
        return CID_E_JSON_RANGE;
    if (negative && magnitude != 0)
        *out = -(int64_t)(magnitude - 1) - 1;
    else
        *out = (int64_t)magnitude;
    return CID_OK;
}

enum cid_error cid_json_read_double(double *out, const struct cid_json_item *item)
{
    if (item->kind != CID_JSON_NUMBER)
        return CID_E_ARGUMENT;
    return cid__double_read(out, item->text, item->len) ? CID_OK : CID_E_JSON_RANGE;
}
