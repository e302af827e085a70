#include "dag/json.h"

#include "cid/text.h"
#include "json/escape.h"
#include "json/number.h"
#include "multiformats/multibase.h"

#include <string.h>

/* How many bytes the search for duplicate keys may look at in all: some 20 ms. */
#define SEARCHES (UINT64_C(1) << 26)

void cid__dag_json_init(struct cid__dag_json *json, const void *text, size_t len, uint32_t allow,
                        struct cid__cbor_level *levels, size_t max_depth)
{
    cid_json_reader_begin(&json->reader, text, len, 0);
    /* Bytes are two levels of JSON and a link is one, which are none of the node. */
    json->reader.max_depth = max_depth + 2;
    json->levels = levels;
    json->max_depth = max_depth;
    json->searches = SEARCHES;
    json->allow = allow;
    json->fault = 0;
}

static enum cid_error fail(struct cid__dag_json *json, enum cid_error error, const char *at)
{
    json->fault = (size_t)(at - json->reader.start);
    return error;
}

/* What the one spelling of DAG-JSON is not. */
static enum cid_error misspelt(struct cid__dag_json *json, const char *at)
{
    return json->allow & CID_DAG_ALLOW_SPELLING ? CID_OK : fail(json, CID_E_JSON_SPELLING, at);
}

/* The next item of JSON, without white space unless that may be. */
static enum cid_error next(struct cid__dag_json *json, struct cid_json_item *item)
{
    enum cid_error error = cid_json_next(&json->reader, item);

    if (json->reader.space && !(json->allow & CID_DAG_ALLOW_SPELLING))
        return misspelt(json, json->reader.space);
    if (error && error != CID_END)
        json->fault = (size_t)cid_json_reader_fault(&json->reader)->offset;
    return error;
}

/* ---- strings ---------------------------------------------------------------------------- */

/* Whether an escape is the one that DAG-JSON writes for that character; *used is its length. */
static bool is_canonical(const char *at, size_t *used)
{
    char unit[4];
    const char *end = at;
    size_t n = cid__escape_take(unit, &end);
    uint8_t c = (uint8_t)unit[0];

    *used = (size_t)(end - at);
    if (at[1] != 'u')
        return at[1] != '/';
    if (n != 1 || c >= 0x20 || c == '\b' || c == '\t' || c == '\n' || c == '\f' || c == '\r')
        return false;
    return (at[5] < 'A' || at[5] > 'F');
}

static enum cid_error check_spelling(struct cid__dag_json *json, const struct cid_json_item *item)
{
    const char *at = item->text, *end = at + item->len;

    if (!item->escaped || json->allow & CID_DAG_ALLOW_SPELLING)
        return CID_OK;
    while ((at = memchr(at, '\\', (size_t)(end - at))) != NULL) {
        size_t used;
        if (!is_canonical(at, &used))
            return misspelt(json, at);
        at += used;
    }
    return CID_OK;
}

/* Text as an item. */
static enum cid_error take_text(struct cid__dag_json *json, struct cid__cbor_item *out,
                                const struct cid_json_item *item)
{
    out->kind = CID__CBOR_TEXT;
    out->bytes = (const uint8_t *)item->text;
    out->json = item->escaped;
    out->number = item->len;
    out->len = item->escaped ? cid__escape_length(item->text, item->len) : item->len;
    return check_spelling(json, item);
}

/* ---- keys ------------------------------------------------------------------------------- */

static int compare(const char *a, size_t a_len, const char *b, size_t b_len, bool escaped)
{
    size_t common = a_len < b_len ? a_len : b_len;
    int order;

    if (escaped)
        return cid__escape_compare(a, a_len, b, b_len);
    order = common == 0 ? 0 : memcmp(a, b, common);
    return order != 0 ? order : (a_len > b_len) - (a_len < b_len);
}

/* Looks for the key among those before it in its map. Needed only where keys are not sorted. */
static enum cid_error search_key(struct cid__dag_json *json, const struct cid__cbor_level *map,
                                 const struct cid_json_item *key)
{
    struct cid_json_reader again;
    struct cid_json_item other;
    size_t len = key->offset - map->first_key;

    if (len > json->searches)
        return fail(json, CID_E_JSON_KEY_ORDER, json->reader.start + key->offset);
    json->searches -= len;
    cid_json_reader_begin(&again, json->reader.start + map->first_key, len, 0);
    again.max_depth = json->reader.max_depth;
    if (cid_json_next(&again, &other))
        return CID_OK;
    while (cid_json_next(&again, &other) == CID_OK) {
        if (compare(key->text, key->len, other.text, other.len, key->escaped || other.escaped) == 0)
            return fail(json, CID_E_JSON_KEY_TWICE, json->reader.start + key->offset);
        if (cid_json_skip(&again, &other))
            break;
    }
    return CID_OK;
}

static enum cid_error check_key(struct cid__dag_json *json, const struct cid_json_item *key)
{
    struct cid__cbor_level *map = &json->levels[key->depth - 1];
    const char *highest = json->reader.start + map->max_key;
    int order = 1;

    if (map->max_key != 0) /* a text starts behind a quote, so 0 is none */
        order = compare(key->text, key->len, highest, map->left, key->escaped || map->value_next);
    if (order > 0) {
        map->max_key = (size_t)(key->text - json->reader.start);
        map->left = key->len;
        map->value_next = key->escaped;
        return CID_OK;
    }
    if (order == 0)
        return fail(json, CID_E_JSON_KEY_TWICE, json->reader.start + key->offset);
    if (!(json->allow & CID_DAG_ALLOW_SPELLING))
        return fail(json, CID_E_JSON_KEY_ORDER, json->reader.start + key->offset);
    return json->allow & CID__DAG_NO_SEARCH ? CID_OK : search_key(json, map, key);
}

/* ---- numbers ---------------------------------------------------------------------------- */

static enum cid_error take_real(struct cid__dag_json *json, struct cid__cbor_item *out,
                                const struct cid_json_item *item)
{
    char text[CID__NUMBER_SIZE];
    double value;
    size_t len;

    if (!cid__double_read(&value, item->text, item->len))
        return fail(json, CID_E_JSON_RANGE, item->text);
    out->kind = CID__CBOR_FLOAT;
    out->len = sizeof value;
    memcpy(&out->number, &value, sizeof value);
    if (json->allow & CID_DAG_ALLOW_SPELLING)
        return CID_OK;
    len = cid__double_print(text, value);
    return len == item->len && memcmp(text, item->text, len) == 0 ? CID_OK
                                                                  : misspelt(json, item->text);
}

static enum cid_error take_number(struct cid__dag_json *json, struct cid__cbor_item *out,
                                  const struct cid_json_item *item)
{
    static const char lowest[] = "-18446744073709551616";
    bool negative = false;

    switch (cid__number_read(&negative, &out->number, item->text, item->len)) {
    case CID__NUMBER_INTEGER:
        out->kind = negative && out->number != 0 ? CID__CBOR_NINT : CID__CBOR_UINT;
        if (negative && out->number == 0)
            return misspelt(json, item->text);
        out->number -= negative;
        return CID_OK;
    case CID__NUMBER_LARGE:
        out->kind = CID__CBOR_NINT;
        out->number = UINT64_MAX;
        if (item->len == sizeof lowest - 1 && memcmp(item->text, lowest, item->len) == 0)
            return CID_OK;
        return fail(json, CID_E_JSON_RANGE, item->text);
    case CID__NUMBER_REAL:
        break;
    }
    return take_real(json, out, item);
}

/* ---- links and bytes -------------------------------------------------------------------- */

static bool is_lower(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (text[i] >= 'A' && text[i] <= 'Z')
            return false;
    return true;
}

/* Reads the text of a CID into json->link. *bad: where in the text a failure is. */
static enum cid_error read_link(struct cid__dag_json *json, struct cid_view *link, size_t *bad,
                                const char *text, size_t len)
{
    struct cid__multibase_result result = {0};
    bool is_v0;
    enum cid_error error = cid__text_shape(&is_v0, text, len, CID_TEXT_LIMIT);

    *bad = 0;
    if (error)
        return error;
    error = cid__text_decode(&result, json->link, sizeof json->link, text, len, is_v0, 0);
    if (error) {
        *bad = result.bad;
        return error;
    }
    error = cid__text_read(link, json->link, result.written, is_v0);
    if (error || json->allow & CID_DAG_ALLOW_BASES || is_v0)
        return error;
    return result.base == CID_BASE32 && is_lower(text, len) ? CID_OK : CID_E_JSON_LINK_BASE;
}

static enum cid_error take_link(struct cid__dag_json *json, struct cid__cbor_item *out,
                                const struct cid_json_item *item)
{
    char text[CID_TEXT_LIMIT];
    size_t len = item->len, bad = 0;
    enum cid_error error = check_spelling(json, item);

    if (error)
        return error;
    out->kind = CID__CBOR_LINK;
    if (!item->escaped) {
        error = read_link(json, &out->link, &bad, item->text, len);
    } else {
        error = cid_json_unescape(text, sizeof text, &len, item);
        error = error ? CID_E_TEXT_LIMIT : read_link(json, &out->link, &bad, text, len);
        bad = 0; /* escapes make it unsure what it would count */
    }
    return error ? fail(json, error, item->text + bad) : CID_OK;
}

enum cid_error cid__dag_json_bytes(uint8_t *out, size_t cap, size_t *written, size_t *bad,
                                   const char *text, size_t len, bool escaped, uint32_t allow)
{
    uint32_t padding = allow & CID_DAG_ALLOW_PADDING ? CID_ALLOW_PADDING : 0;
    const char *at = text, *end = text + len;
    struct cid__multibase_result result = {0};
    enum cid_error error = CID_OK;

    *written = 0;
    if (!escaped) {
        error = cid__base_decode(&result, out, cap, text, len, CID_BASE64, padding);
        *bad = result.bad;
        *written = result.written;
        return error == CID_E_NOSPACE ? CID_OK : error;
    }
    while (at < end && !error) { /* whole groups of four characters, each three bytes */
        char chunk[1024];
        const char *start = at;
        size_t n = 0;
        while (at < end && n < sizeof chunk) {
            char unit[4] = {*at};
            size_t len_of_unit = 1;
            if (*at == '\\')
                len_of_unit = cid__escape_take(unit, &at);
            else
                at++;
            if (len_of_unit != 1) /* beyond ASCII, so no digit */
                unit[0] = ' ';
            chunk[n++] = unit[0];
        }
        error = cid__base_decode(&result, out, cap, chunk, n, CID_BASE64, at < end ? 0 : padding);
        error = error == CID_E_NOSPACE ? CID_OK : error;
        *bad = (size_t)(start - text);
        *written += result.written;
        if (out) {
            out += result.written;
            cap -= result.written;
        }
    }
    return error;
}

static enum cid_error take_bytes(struct cid__dag_json *json, struct cid__cbor_item *out,
                                 const struct cid_json_item *item)
{
    size_t bad = 0;
    enum cid_error error = check_spelling(json, item);

    if (error)
        return error;
    out->kind = CID__CBOR_BYTES;
    out->json = true;
    out->bytes = (const uint8_t *)item->text;
    out->number = item->len;
    error = cid__dag_json_bytes(NULL, 0, &out->len, &bad, item->text, item->len, item->escaped,
                                json->allow);
    return error ? fail(json, error, item->text + bad) : CID_OK;
}

/* Where a reader was, so that it can go back. What it remembers of levels is read again. */
struct place {
    const char *at;
    size_t depth;
    uint8_t state;
    bool in_object;
};

static struct place place_of(const struct cid_json_reader *reader)
{
    return (struct place){reader->at, reader->depth, reader->state, reader->in_object};
}

static void go_back(struct cid_json_reader *reader, const struct place *place)
{
    reader->at = place->at;
    reader->depth = place->depth;
    reader->state = place->state;
    reader->in_object = place->in_object;
}

/* The ends of the objects of a reserved form, n of them, with nothing before. */
static enum cid_error close_reserved(struct cid__dag_json *json, int n)
{
    struct cid_json_item item;

    for (; n > 0; n--) {
        enum cid_error error = next(json, &item);
        if (error)
            return error;
        if (item.kind != CID_JSON_OBJECT_END)
            return fail(json, CID_E_JSON_RESERVED, json->reader.start + item.offset);
    }
    return CID_OK;
}

/* Reads a key and what stands behind it; *is: the key is that text. */
static enum cid_error read_pair(struct cid__dag_json *json, const char *text, bool *is,
                                struct cid_json_item *key, struct cid_json_item *value)
{
    enum cid_error error = next(json, key);

    *is = false;
    if (error || key->kind != CID_JSON_KEY || !cid_json_is(key, text))
        return error;
    *is = true;
    error = check_spelling(json, key);
    return error ? error : next(json, value);
}

/*
 * Behind the '{' of a map: whether it is a link or bytes. If so *out is it; if not the reader
 * stands where it was.
 */
static enum cid_error try_reserved(struct cid__dag_json *json, bool *found,
                                   struct cid__cbor_item *out)
{
    struct place place = place_of(&json->reader);
    struct cid_json_item key, value;
    bool is = false;
    enum cid_error error = read_pair(json, "/", &is, &key, &value);
    bool link = !error && is && value.kind == CID_JSON_STRING;

    *found = false;
    if (!error && is && value.kind == CID_JSON_OBJECT)
        error = read_pair(json, "bytes", &is, &key, &value);
    else if (!link)
        is = false;
    if (error)
        return error;
    if (!is || value.kind != CID_JSON_STRING) {
        go_back(&json->reader, &place);
        return CID_OK;
    }
    *found = true;
    error = close_reserved(json, link ? 1 : 2);
    if (error)
        return error;
    return link ? take_link(json, out, &value) : take_bytes(json, out, &value);
}

/* ---- items ------------------------------------------------------------------------------ */

static enum cid_error open_level(struct cid__dag_json *json, struct cid__cbor_item *out)
{
    if (out->depth == json->max_depth)
        return fail(json, CID_E_DEPTH_LIMIT, json->reader.start + out->offset);
    json->levels[out->depth] = (struct cid__cbor_level){.first_key = out->offset};
    out->number = CID__DAG_UNKNOWN;
    return CID_OK;
}

static enum cid_error take_map(struct cid__dag_json *json, struct cid__cbor_item *out)
{
    const char *at = json->reader.at;
    bool found = false;
    enum cid_error error = CID_OK;

    out->kind = CID__CBOR_MAP;
    /* An ordinary key tells by its first character that there is nothing to be looked into. */
    if (json->reader.end - at < 2 || at[0] != '"' || at[1] == '/' || at[1] == '\\')
        error = try_reserved(json, &found, out);
    if (error || found)
        return error;
    return open_level(json, out);
}

enum cid_error cid__dag_json_next(struct cid__dag_json *json, struct cid__cbor_item *out)
{
    struct cid_json_item item;
    enum cid_error error;

    do {
        error = next(json, &item);
        if (error)
            return error;
    } while (item.kind == CID_JSON_OBJECT_END || item.kind == CID_JSON_ARRAY_END);
    memset(out, 0, sizeof *out);
    out->depth = item.depth;
    out->offset = item.offset;
    switch (item.kind) {
    case CID_JSON_OBJECT:
        return take_map(json, out);
    case CID_JSON_ARRAY:
        out->kind = CID__CBOR_ARRAY;
        return open_level(json, out);
    case CID_JSON_KEY:
        out->key = true;
        error = check_key(json, &item);
        return error ? error : take_text(json, out, &item);
    case CID_JSON_STRING:
        return take_text(json, out, &item);
    case CID_JSON_NUMBER:
        return take_number(json, out, &item);
    case CID_JSON_TRUE:
    case CID_JSON_FALSE:
        out->kind = CID__CBOR_BOOL;
        out->number = item.kind == CID_JSON_TRUE;
        return CID_OK;
    case CID_JSON_NULL:
    case CID_JSON_OBJECT_END:
    case CID_JSON_ARRAY_END:
        break;
    }
    out->kind = CID__CBOR_NULL;
    return CID_OK;
}
