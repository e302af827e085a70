#include "car/guess.h"

#include "base/utf8.h"
#include "dag/cbor.h"

#include <string.h>

/* Kinds of files that tell by fixed bytes. None of these starts a CARv1 that can be read. */
static const struct {
    const char *magic;
    size_t len;
    size_t offset;
    const char *kind;
} magics[] = {
    {"\x1f\x8b", 2, 0, "gzip"},
    {"\x28\xb5\x2f\xfd", 4, 0, "zstd"},
    {"\xfd\x37zXZ\x00", 6, 0, "xz"},
    {"BZh", 3, 0, "bzip2"},
    {"PK\x03\x04", 4, 0, "zip"},
    {"\x89PNG", 4, 0, "PNG"},
    {"%PDF", 4, 0, "PDF"},
    {"\x7f\x45LF", 4, 0, "an ELF program"},
    {"ustar", 5, 257, "tar"},
    {"\xff\xfe", 2, 0, "UTF-16 text (a shell redirection?)"},
    {"\xfe\xff", 2, 0, "UTF-16 text (a shell redirection?)"},
    {"\x80\x08\x01\x00\x00\x00", 6, 0, "a CARv2 index without its CAR"},
    {"\x81\x08\x01\x00\x00\x00", 6, 0, "a CARv2 index without its CAR"},
};

static const char *by_magic(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++)
        if (len >= magics[i].offset + magics[i].len &&
            memcmp(bytes + magics[i].offset, magics[i].magic, magics[i].len) == 0)
            return magics[i].kind;
    return NULL;
}

/* A CAR that was read as text and written again: what is no UTF-8 has become EF BF BD. */
static bool is_mangled(const uint8_t *bytes, size_t len)
{
    const uint8_t *end = bytes + (len < 32 ? len : 32);

    for (const uint8_t *p = bytes; end - p >= 9; p++)
        if (memcmp(p, "\xef\xbf\xbd\x65roots", 9) == 0)
            return true;
    return false;
}

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_blanks(struct cid__span *in)
{
    while (in->at < in->end && is_blank(*in->at))
        in->at++;
}

static uint8_t lower(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? (uint8_t)(c - 'A' + 'a') : c;
}

static bool starts(const struct cid__span *in, const char *text)
{
    size_t len = strlen(text);

    if (!cid__span_has(in, len))
        return false;
    for (size_t i = 0; i < len; i++)
        if (lower(in->at[i]) != (uint8_t)text[i])
            return false;
    return true;
}

static bool is_json(struct cid__span in)
{
    uint8_t first = *in.at++;

    skip_blanks(&in);
    if (in.at == in.end)
        return false;
    if (first == '{')
        return *in.at == '"' || *in.at == '}';
    return first == '[' && strchr("{[\"]-0123456789tfn", *in.at) && *in.at != 0;
}

static const char *by_markup(const uint8_t *bytes, size_t len)
{
    struct cid__span in = cid__span_of(bytes, len);

    if (starts(&in, "\xef\xbb\xbf"))
        in.at += 3;
    skip_blanks(&in);
    if (in.at == in.end)
        return NULL;
    if (is_json(in))
        return "JSON";
    if (starts(&in, "<!doctype html") || starts(&in, "<html") || starts(&in, "<head"))
        return "HTML";
    return starts(&in, "<?xml") ? "XML" : NULL;
}

static bool is_hex(uint8_t c)
{
    return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'f');
}

/* Text that goes on for a while: the first few bytes of a CAR may look like it. */
static const char *by_text(const uint8_t *bytes, size_t len)
{
    bool hex = true;

    /* A sequence of UTF-8 may be cut at the end of what is looked at. */
    if (len < 16 || len - cid__utf8_span(bytes, len) > 3)
        return NULL;
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] == 0x7f || (bytes[i] < 0x20 && !is_blank(bytes[i])))
            return NULL;
        hex = hex && (is_hex(bytes[i]) || is_blank(bytes[i]));
    }
    return hex ? "hexadecimal text" : "text";
}

/* A map, an array or a link with nothing behind it; of a longer map the start is enough. */
static bool is_cbor(const uint8_t *bytes, size_t len)
{
    const uint32_t pass = CID__CBOR_LONG_HEADS | CID__CBOR_KEY_ORDER | CID__CBOR_FLOATS |
                          CID__CBOR_SIMPLES | CID__CBOR_TAGS;
    struct cid__cbor_level levels[64];
    struct cid__cbor cbor;
    struct cid__cbor_item item = {0};
    size_t keys = 0;
    enum cid_error error;

    cid__cbor_init(&cbor, bytes, len, pass, levels, 64);
    error = cid__cbor_next(&cbor, &item);
    if (error ||
        (item.kind != CID__CBOR_MAP && item.kind != CID__CBOR_ARRAY && item.kind != CID__CBOR_LINK))
        return false;
    while ((error = cid__cbor_next(&cbor, &item)) == CID_OK)
        keys += item.key;
    if (error == CID_END)
        return cbor.in.at == cbor.in.end && len > 1;
    return error == CID_E_TRUNCATED && len >= CID__GUESS_SIZE && keys > 0;
}

const char *cid_car_guess(const uint8_t *bytes, size_t len)
{
    const char *kind;

    if (len == 0)
        return NULL;
    kind = by_magic(bytes, len);
    if (!kind && is_mangled(bytes, len))
        kind = "a CAR spoilt by being written as text";
    if (!kind)
        kind = by_markup(bytes, len);
    if (!kind)
        kind = by_text(bytes, len);
    return kind || !is_cbor(bytes, len) ? kind : "a CBOR block";
}
