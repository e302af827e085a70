#include "dag/write.h"

#include "base/endian.h"
#include "json/escape.h"
#include "json/number.h"
#include "json/scan.h"

/* The value of a float item as a double; 16 and 32 bits are read where they may be. */
static uint64_t double_bits(const struct cid__cbor_item *item)
{
    unsigned mantissa_bits = item->len == 2 ? 10 : 23, exponent_bits = item->len == 2 ? 5 : 8;
    uint64_t bits = item->number, mantissa, sign, exponent;

    if (item->len == 8)
        return bits;
    mantissa = bits & ((UINT64_C(1) << mantissa_bits) - 1);
    exponent = bits >> mantissa_bits & ((UINT64_C(1) << exponent_bits) - 1);
    sign = bits >> (mantissa_bits + exponent_bits);
    mantissa <<= 52 - mantissa_bits;
    if (exponent == (UINT64_C(1) << exponent_bits) - 1) {
        exponent = 0x7ff;
    } else if (exponent != 0 || mantissa != 0) {
        exponent += 1024 - (UINT64_C(1) << (exponent_bits - 1));       /* the biases' difference */
        if (exponent == 1024 - (UINT64_C(1) << (exponent_bits - 1))) { /* subnormal no more */
            for (exponent++; !(mantissa >> 52); exponent--)
                mantissa <<= 1;
            mantissa &= (UINT64_C(1) << 52) - 1;
        }
    }
    return sign << 63 | exponent << 52 | mantissa;
}

static bool is_finite(uint64_t bits)
{
    return (bits >> 52 & 0x7ff) != 0x7ff;
}

/* ---- DAG-CBOR --------------------------------------------------------------------------- */

size_t cid__cbor_head_size(uint64_t argument)
{
    if (argument < 24)
        return 1;
    if (argument <= UINT8_MAX)
        return 2;
    if (argument <= UINT16_MAX)
        return 3;
    return argument <= UINT32_MAX ? 5 : 9;
}

void cid__cbor_put_head(struct cid__output *out, unsigned major, uint64_t argument)
{
    static const uint8_t infos[10] = {0, 0, 24, 25, 0, 26, 0, 0, 0, 27};
    size_t size = cid__cbor_head_size(argument);
    uint8_t *at = cid__output_take(out, size), bytes[8];

    if (!at)
        return;
    at[0] = (uint8_t)(major << 5 | (size == 1 ? (unsigned)argument : infos[size]));
    cid__store64be(bytes, argument);
    memcpy(at + 1, bytes + 9 - size, size - 1);
}

/* Text with escapes, without them. */
static void put_unescaped(struct cid__output *out, const char *text, size_t len)
{
    const char *end = text + len;

    while (text < end) {
        const char *escape = memchr(text, '\\', (size_t)(end - text));
        char unit[4];
        cid__output_put(out, text, (size_t)((escape ? escape : end) - text));
        text = escape ? escape : end;
        if (escape)
            cid__output_put(out, unit, cid__escape_take(unit, &text));
    }
}

static void put_link(struct cid__output *out, const struct cid_view *link)
{
    uint8_t *at;

    cid__cbor_put_head(out, 6, 42);
    cid__cbor_put_head(out, 2, (uint64_t)link->len + 1);
    at = cid__output_take(out, link->len + 1);
    if (at)
        (void)!cid_link_write(at, link->len + 1, NULL, link);
}

static enum cid_error put_float(struct cid__output *out, uint64_t bits)
{
    uint8_t *at;

    if (!is_finite(bits))
        return CID_E_DAG_VALUE;
    at = cid__output_take(out, 9);
    if (at) {
        at[0] = 0xfb;
        cid__store64be(at + 1, bits);
    }
    return CID_OK;
}

static void put_cbor_bytes(struct cid__output *out, const struct cid__cbor_item *item,
                           uint32_t allow)
{
    const char *text = (const char *)item->bytes;
    size_t n = (size_t)item->number, bad;
    uint8_t *at;

    cid__cbor_put_head(out, 2, item->len);
    if (!item->json) {
        cid__output_put(out, item->bytes, item->len);
        return;
    }
    at = cid__output_take(out, item->len);
    if (at) /* the reader has seen that it is right */
        (void)!cid__dag_json_bytes(at, item->len, &n, &bad, text, n, memchr(text, '\\', n) != NULL,
                                   allow);
}

enum cid_error cid__cbor_put_item(struct cid__output *out, const struct cid__cbor_item *item,
                                  uint32_t allow)
{
    switch (item->kind) {
    case CID__CBOR_UINT:
        cid__cbor_put_head(out, 0, item->number);
        return CID_OK;
    case CID__CBOR_NINT:
        cid__cbor_put_head(out, 1, item->number);
        return CID_OK;
    case CID__CBOR_BYTES:
        put_cbor_bytes(out, item, allow);
        return CID_OK;
    case CID__CBOR_TEXT:
        cid__cbor_put_head(out, 3, item->len);
        if (item->json)
            put_unescaped(out, (const char *)item->bytes, (size_t)item->number);
        else
            cid__output_put(out, item->bytes, item->len);
        return CID_OK;
    case CID__CBOR_LINK:
        put_link(out, &item->link);
        return CID_OK;
    case CID__CBOR_FLOAT:
        return put_float(out, double_bits(item));
    case CID__CBOR_BOOL:
        cid__output_byte(out, item->number ? 0xf5 : 0xf4);
        return CID_OK;
    case CID__CBOR_NULL:
        cid__output_byte(out, 0xf6);
        return CID_OK;
    case CID__CBOR_ARRAY:
    case CID__CBOR_MAP:
    case CID__CBOR_TAG:
    case CID__CBOR_SIMPLE:
        break;
    }
    return CID_E_DAG_VALUE;
}

/* ---- DAG-JSON --------------------------------------------------------------------------- */

#define PUT(out, literal) cid__output_put(out, literal, sizeof(literal) - 1)

/* Copies characters up to the first that needs an escape; returns their number. */
static size_t put_run(struct cid__output *out, const uint8_t *at, size_t len)
{
    size_t n;

    if (cid__output_is_whole(out) && out->cap - out->len >= len)
        n = cid__json_copy(out->buf + out->len, at, len);
    else
        n = cid__json_scan(at, len);
    (void)cid__output_take(out, n);
    return n;
}

/* The one escape that DAG-JSON has for a quote, a backslash or a control character. */
static void put_escape(struct cid__output *out, uint8_t c)
{
    static const char known[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt",
                      hex[] = "0123456789abcdef";
    const char *at = c != 0 ? strchr(known, c) : NULL;
    char text[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};

    if (at)
        text[1] = letters[at - known];
    cid__output_put(out, text, at ? 2 : sizeof text);
}

static void put_characters(struct cid__output *out, const void *text, size_t len)
{
    const uint8_t *at = text, *end = at + len;

    while (at < end) {
        at += put_run(out, at, (size_t)(end - at));
        if (at < end)
            put_escape(out, *at++);
    }
}

static void put_text(struct cid__output *out, const struct cid__cbor_item *item)
{
    const char *at = (const char *)item->bytes, *end = at + (size_t)item->number;

    cid__output_byte(out, '"');
    if (!item->json && item->len != 0)
        put_characters(out, item->bytes, item->len);
    while (item->json && at < end) {
        const char *escape = memchr(at, '\\', (size_t)(end - at));
        char unit[4];
        put_characters(out, at, (size_t)((escape ? escape : end) - at));
        at = escape ? escape : end;
        if (escape)
            put_characters(out, unit, cid__escape_take(unit, &at));
    }
    cid__output_byte(out, '"');
}

/* base64 that has been read: the same digits, without padding and escapes. */
static void put_digits(struct cid__output *out, const char *text, size_t len)
{
    size_t digits = len;

    if (len != 0 && memchr(text, '\\', len)) {
        put_unescaped(out, text, len);
        return;
    }
    while (digits > 0 && text[digits - 1] == '=')
        digits--;
    cid__output_put(out, text, digits);
}

/* Takes back padding that was written from escaped text. */
static void drop_padding(struct cid__output *out, size_t from, size_t bytes)
{
    size_t len = bytes / 3 * 4 + (bytes % 3 ? bytes % 3 + 1 : 0);

    if (out->len > from + len)
        out->len = from + len;
}

static void put_json_bytes(struct cid__output *out, const struct cid__cbor_item *item)
{
    size_t digits = item->len / 3 * 4 + (item->len % 3 ? item->len % 3 + 1 : 0), from;
    uint8_t *at;

    PUT(out, "{\"/\":{\"bytes\":\"");
    from = out->len;
    if (item->json) {
        put_digits(out, (const char *)item->bytes, (size_t)item->number);
        drop_padding(out, from, item->len);
    } else { /* a text ends in NUL, for which there is room as long as what follows fits too */
        at = cid__output_take(out, digits + 1);
        if (at)
            (void)!cid_base_encode((char *)at, digits + 1, NULL, item->bytes, item->len,
                                   CID_BASE64);
        out->len--;
    }
    PUT(out, "\"}}");
}

static void put_json_link(struct cid__output *out, const struct cid_view *link)
{
    size_t len = link->version == 0 ? 46 : 1 + (link->len * 8 + 4) / 5;
    uint8_t *at;

    PUT(out, "{\"/\":\"");
    at = cid__output_take(out, len + 1);
    if (at)
        (void)!cid_format((char *)at, len + 1, NULL, link, CID_BASE_DEFAULT);
    out->len--;
    PUT(out, "\"}");
}

static enum cid_error put_json_float(struct cid__output *out, uint64_t bits)
{
    char text[CID__NUMBER_SIZE];
    double value;

    if (!is_finite(bits))
        return CID_E_DAG_VALUE;
    memcpy(&value, &bits, sizeof value);
    cid__output_put(out, text, cid__double_print(text, value));
    return CID_OK;
}

static void put_json_integer(struct cid__output *out, const struct cid__cbor_item *item)
{
    bool negative = item->kind == CID__CBOR_NINT;
    char text[CID__NUMBER_SIZE];

    if (negative && item->number == UINT64_MAX)
        PUT(out, "-18446744073709551616");
    else
        cid__output_put(out, text, cid__number_print(text, negative, item->number + negative));
}

enum cid_error cid__dag_json_put_item(struct cid__output *out, const struct cid__cbor_item *item)
{
    switch (item->kind) {
    case CID__CBOR_UINT:
    case CID__CBOR_NINT:
        put_json_integer(out, item);
        return CID_OK;
    case CID__CBOR_BYTES:
        put_json_bytes(out, item);
        return CID_OK;
    case CID__CBOR_TEXT:
        put_text(out, item);
        return CID_OK;
    case CID__CBOR_LINK:
        put_json_link(out, &item->link);
        return CID_OK;
    case CID__CBOR_FLOAT:
        return put_json_float(out, double_bits(item));
    case CID__CBOR_BOOL:
        if (item->number)
            PUT(out, "true");
        else
            PUT(out, "false");
        return CID_OK;
    case CID__CBOR_NULL:
        PUT(out, "null");
        return CID_OK;
    case CID__CBOR_ARRAY:
    case CID__CBOR_MAP:
    case CID__CBOR_TAG:
    case CID__CBOR_SIMPLE:
        break;
    }
    return CID_E_DAG_VALUE;
}
