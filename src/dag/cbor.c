#include "dag/cbor.h"

#include "base/endian.h"
#include "base/utf8.h"
#include "cid/binary.h"

#include <string.h>

/* How many items the search for duplicate keys may look at in all: some 20 ms. */
#define SEARCHES (UINT32_C(1) << 22)

/* The head of a data item: major type, what the initial byte says, and the argument. */
struct head {
    unsigned major;
    unsigned info;
    uint64_t argument;
};

void cid__cbor_init(struct cid__cbor *cbor, const void *bytes, size_t len, uint32_t pass,
                    struct cid__cbor_level *levels, size_t max_depth)
{
    *cbor = (struct cid__cbor){
        .in = cid__span_of(bytes, len),
        .start = bytes,
        .levels = levels,
        .max_depth = max_depth,
        .pass = pass,
        .searches = SEARCHES,
    };
}

static size_t offset_of(const struct cid__cbor *cbor, const uint8_t *at)
{
    return (size_t)(at - cbor->start);
}

static enum cid_error fail(struct cid__cbor *cbor, enum cid_error error, const uint8_t *at)
{
    cbor->fault = offset_of(cbor, at);
    return error;
}

/* The input ends before what stands at its end is complete. */
static enum cid_error cut(struct cid__cbor *cbor)
{
    return fail(cbor, CID_E_TRUNCATED, cbor->in.end);
}

/* Lets pass and notes, or refuses, what is wrong at that place. */
static enum cid_error unless(struct cid__cbor *cbor, uint32_t flag, enum cid_error error,
                             const uint8_t *at)
{
    if (!(cbor->pass & flag))
        return fail(cbor, error, at);
    cbor->notes |= flag;
    return CID_OK;
}

/* ---- heads -------------------------------------------------------------------------------- */

/* Reads n bytes, big-endian. */
static uint64_t load(const uint8_t *at, size_t n)
{
    uint64_t value = 0;

    if (n == 8)
        return cid__load64be(at);
    if (n == 4)
        return cid__load32be(at);
    for (size_t i = 0; i < n; i++)
        value = value << 8 | at[i];
    return value;
}

/* Reads a head without any check but that it is there and of definite length. */
static enum cid_error take_long_head(struct head *head, struct cid__span *in)
{
    size_t n;

    if (!cid__span_has(in, 1))
        return CID_E_TRUNCATED;
    head->major = in->at[0] >> 5;
    head->info = in->at[0] & 0x1f;
    if (head->info > 27)
        return CID_E_CBOR_HEAD;
    n = head->info < 24 ? 0 : (size_t)1 << (head->info - 24);
    if (!cid__span_has(in, 1 + n))
        return CID_E_TRUNCATED;
    head->argument = n == 0 ? head->info : load(in->at + 1, n);
    in->at += 1 + n;
    return CID_OK;
}

/* The same, quick where the argument lies in the initial byte, as that of nearly all does. */
static inline enum cid_error take_head(struct head *head, struct cid__span *in)
{
    if (in->at == in->end || (in->at[0] & 0x1f) > 23)
        return take_long_head(head, in);
    head->major = in->at[0] >> 5;
    head->info = in->at[0] & 0x1f;
    head->argument = head->info;
    in->at++;
    return CID_OK;
}

static bool is_long(const struct head *head)
{
    switch (head->info) {
    case 24:
        return head->argument < 24;
    case 25:
        return head->argument <= UINT8_MAX;
    case 26:
        return head->argument <= UINT16_MAX;
    case 27:
        return head->argument <= UINT32_MAX;
    default:
        return false;
    }
}

/* Reads a head and holds it against the rules. */
static inline enum cid_error read_head(struct cid__cbor *cbor, struct head *head)
{
    const uint8_t *at = cbor->in.at;
    enum cid_error error = take_head(head, &cbor->in);

    if (!error && head->info < 24)
        return CID_OK;
    if (error == CID_E_TRUNCATED)
        return cut(cbor);
    if (error)
        return fail(cbor, error, at);
    if (head->major != 7 && is_long(head))
        return unless(cbor, CID__CBOR_LONG_HEADS, CID_E_CBOR_NOT_MINIMAL, at);
    return CID_OK;
}

/* ---- map keys ----------------------------------------------------------------------------- */

/* The key at an offset that has been read before. */
static struct cid__span key_at(const struct cid__cbor *cbor, size_t offset)
{
    struct cid__span in = {cbor->start + offset, cbor->in.end};
    struct head head = {0};

    (void)!take_head(&head, &in);
    in.end = in.at + head.argument;
    return in;
}

/* DAG-CBOR order: the shorter first, then bytewise. */
static int compare_keys(const struct cid__span *a, const struct cid__span *b)
{
    size_t a_len = cid__span_left(a);
    size_t b_len = cid__span_left(b);

    if (a_len != b_len)
        return a_len < b_len ? -1 : 1;
    if (a_len == 0)
        return 0;
    return a->at[0] != b->at[0] ? a->at[0] - b->at[0] : memcmp(a->at, b->at, a_len);
}

/* Skips an item that has been read before; returns how many heads that took. */
static uint32_t skip_known(struct cid__span *in)
{
    uint64_t pending = 1;
    uint32_t heads = 0;

    for (; pending > 0; pending--, heads++) {
        struct head head = {0};
        (void)!take_head(&head, in);
        if (head.major == 2 || head.major == 3)
            in->at += head.argument;
        else if (head.major == 4)
            pending += head.argument;
        else if (head.major == 5)
            pending += 2 * head.argument;
        else if (head.major == 6)
            pending += 1;
    }
    return heads;
}

/* Looks for the key among those before it in its map. Needed only where keys are not sorted. */
static enum cid_error search_key(struct cid__cbor *cbor, const struct cid__cbor_level *map,
                                 const struct cid__span *key, const uint8_t *at)
{
    struct cid__span in = {cbor->start + map->first_key, at};

    while (in.at < at) {
        struct cid__span other = key_at(cbor, offset_of(cbor, in.at));
        uint32_t heads = 1;
        if (compare_keys(key, &other) == 0)
            return fail(cbor, CID_E_CBOR_KEY_TWICE, at);
        in.at = other.end;
        heads += skip_known(&in);
        if (heads > cbor->searches)
            return fail(cbor, CID_E_CBOR_KEY_ORDER, at);
        cbor->searches -= heads;
    }
    return CID_OK;
}

/* Checks a key that has been read: order, and whether it is new. */
static enum cid_error check_key(struct cid__cbor *cbor, struct cid__cbor_level *map,
                                const struct cid__cbor_item *item)
{
    const uint8_t *at = cbor->start + item->offset;
    struct cid__span key = cid__span_of(item->bytes, item->len);
    struct cid__span highest;
    enum cid_error error;
    int order;

    if (map->first_key == 0) { /* a map's head stands before its first key, so 0 is none */
        map->first_key = map->max_key = item->offset;
        return CID_OK;
    }
    highest = key_at(cbor, map->max_key);
    order = compare_keys(&key, &highest);
    if (order > 0) {
        map->max_key = item->offset;
        return CID_OK;
    }
    if (order == 0)
        return fail(cbor, CID_E_CBOR_KEY_TWICE, at);
    error = unless(cbor, CID__CBOR_KEY_ORDER, CID_E_CBOR_KEY_ORDER, at);
    return error || cbor->pass & CID__CBOR_NO_SEARCH ? error : search_key(cbor, map, &key, at);
}

/* ---- items -------------------------------------------------------------------------------- */

/* Opens a container of count items, which are there as far as their first bytes go. */
static enum cid_error open_level(struct cid__cbor *cbor, const struct cid__cbor_item *item,
                                 size_t count)
{
    if (cbor->depth == cbor->max_depth)
        return fail(cbor, CID_E_DEPTH_LIMIT, cbor->start + item->offset);
    cbor->levels[cbor->depth++] =
        (struct cid__cbor_level){.left = count, .kind = (uint8_t)item->kind};
    return CID_OK;
}

/* Whether text is ASCII that lies in eight bytes, as keys do; false: to be looked at otherwise. */
static bool is_short_ascii(const struct cid__cbor *cbor, const struct cid__cbor_item *item)
{
    return item->len <= 8 && cbor->in.end - item->bytes >= 8 &&
           (cid__load64le(item->bytes) & UINT64_C(0x8080808080808080) &
            (item->len == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * item->len) - 1)) == 0;
}

static enum cid_error read_string(struct cid__cbor *cbor, struct cid__cbor_item *item, uint64_t len)
{
    size_t right;

    if (!cid__span_has(&cbor->in, len))
        return cut(cbor);
    item->len = (size_t)len;
    item->bytes = cid__span_take(&cbor->in, item->len);
    if (item->kind == CID__CBOR_BYTES || is_short_ascii(cbor, item))
        return CID_OK;
    if (cbor->pass & CID__CBOR_TEXTS)
        return CID_OK;
    right = cid__utf8_span(item->bytes, item->len);
    return right == item->len ? CID_OK : fail(cbor, CID_E_CBOR_UTF8, item->bytes + right);
}

/* Every item takes a byte at least, so a count above what is left need not be tried. */
static enum cid_error read_container(struct cid__cbor *cbor, struct cid__cbor_item *item)
{
    unsigned is_map = item->kind == CID__CBOR_MAP; /* of pairs */

    if (item->number > cid__span_left(&cbor->in) >> is_map)
        return cut(cbor);
    return open_level(cbor, item, (size_t)item->number << is_map);
}

/* The common link: 37 bytes, of which 00 and a CIDv1 with a sha2-256 digest. */
static bool read_common_link(struct cid__cbor *cbor, struct cid__cbor_item *item)
{
    const uint8_t *at = cbor->in.at;

    if (cid__span_left(&cbor->in) < 39 || at[0] != 0x58 || at[1] != 37 || at[2] != 0 ||
        !cid__is_common(cid__load32le(at + 3)))
        return false;
    item->kind = CID__CBOR_LINK;
    item->bytes = at + 2;
    item->len = 37;
    cid__view_common(&item->link, at + 3);
    cbor->in.at += 39;
    return true;
}

static enum cid_error read_link(struct cid__cbor *cbor, struct cid__cbor_item *item)
{
    const uint8_t *at = cbor->in.at;
    struct head head;
    enum cid_error error;

    if (read_common_link(cbor, item))
        return CID_OK;
    error = read_head(cbor, &head);
    if (error)
        return error;
    if (head.major != 2)
        return fail(cbor, CID_E_CBOR_TAG, at);
    item->kind = CID__CBOR_BYTES;
    error = read_string(cbor, item, head.argument);
    if (error)
        return error;
    item->kind = CID__CBOR_LINK;
    error = cid_link_read(&item->link, item->bytes, item->len);
    if (!error)
        return CID_OK;
    cbor->bad_link = true;
    return fail(cbor, error, item->bytes);
}

static enum cid_error read_tag(struct cid__cbor *cbor, struct cid__cbor_item *item)
{
    enum cid_error error;

    if (item->number == 42)
        return read_link(cbor, item);
    item->kind = CID__CBOR_TAG;
    error = unless(cbor, CID__CBOR_TAGS, CID_E_CBOR_TAG, cbor->start + item->offset);
    if (error)
        return error;
    return cid__span_has(&cbor->in, 1) ? open_level(cbor, item, 1) : cut(cbor);
}

static enum cid_error read_float(struct cid__cbor *cbor, struct cid__cbor_item *item, unsigned info)
{
    const uint64_t exponent = UINT64_C(0x7ff0000000000000);

    item->kind = CID__CBOR_FLOAT;
    item->len = (size_t)1 << (info - 24);
    if (info == 27 && (item->number & exponent) != exponent)
        return CID_OK;
    return unless(cbor, CID__CBOR_FLOATS, CID_E_CBOR_FLOAT, cbor->start + item->offset);
}

static enum cid_error read_simple(struct cid__cbor *cbor, struct cid__cbor_item *item,
                                  unsigned info)
{
    const uint8_t *at = cbor->start + item->offset;

    if (info >= 25)
        return read_float(cbor, item, info);
    if (info == 20 || info == 21) {
        item->kind = CID__CBOR_BOOL;
        item->number = info - 20;
        return CID_OK;
    }
    if (info == 22) {
        item->kind = CID__CBOR_NULL;
        return CID_OK;
    }
    item->kind = CID__CBOR_SIMPLE;
    if (info == 24 && item->number < 32) /* not well-formed, RFC 8949 section 3.3 */
        return fail(cbor, CID_E_CBOR_SIMPLE, at);
    return unless(cbor, CID__CBOR_SIMPLES, CID_E_CBOR_SIMPLE, at);
}

static enum cid_error read_body(struct cid__cbor *cbor, struct cid__cbor_item *item,
                                const struct head *head)
{
    static const enum cid__cbor_kind kinds[6] = {CID__CBOR_UINT, CID__CBOR_NINT,  CID__CBOR_BYTES,
                                                 CID__CBOR_TEXT, CID__CBOR_ARRAY, CID__CBOR_MAP};

    item->number = head->argument;
    if (head->major < 6)
        item->kind = kinds[head->major];
    if (head->major < 2)
        return CID_OK;
    if (head->major < 4)
        return read_string(cbor, item, head->argument);
    if (head->major < 6)
        return read_container(cbor, item);
    return head->major == 6 ? read_tag(cbor, item) : read_simple(cbor, item, head->info);
}

/* Steps to the place of the next item: out of containers that are full, and on in the one open. */
static struct cid__cbor_level *step(struct cid__cbor *cbor)
{
    struct cid__cbor_level *level;

    while (cbor->depth > 0 && cbor->levels[cbor->depth - 1].left == 0)
        cbor->depth--;
    if (cbor->depth == 0)
        return NULL;
    level = &cbor->levels[cbor->depth - 1];
    level->left--;
    return level;
}

enum cid_error cid__cbor_next(struct cid__cbor *cbor, struct cid__cbor_item *item)
{
    struct cid__cbor_level *level = step(cbor);
    bool in_map = level && level->kind == CID__CBOR_MAP;
    struct head head;
    enum cid_error error;

    if (!level && cbor->started)
        return CID_END;
    cbor->started = true;
    item->json = false;
    item->bytes = NULL;
    item->len = 0;
    item->depth = cbor->depth;
    item->offset = offset_of(cbor, cbor->in.at);
    item->key = in_map && !level->value_next;
    if (in_map)
        level->value_next = !level->value_next;
    error = read_head(cbor, &head);
    if (error)
        return error;
    if (item->key && head.major != 3)
        return fail(cbor, CID_E_CBOR_KEY_TYPE, cbor->start + item->offset);
    error = read_body(cbor, item, &head);
    return error || !item->key ? error : check_key(cbor, level, item);
}

enum cid_error cid__cbor_skip(struct cid__cbor *cbor, const struct cid__cbor_item *item)
{
    size_t depth = item->depth;

    /* Containers of this item are open while the depth is above its own and any has items left. */
    for (;;) {
        struct cid__cbor_item inner;
        enum cid_error error;
        while (cbor->depth > depth && cbor->levels[cbor->depth - 1].left == 0)
            cbor->depth--;
        if (cbor->depth <= depth)
            return CID_OK;
        error = cid__cbor_next(cbor, &inner);
        if (error)
            return error;
    }
}

bool cid__cbor_is_text(const struct cid__cbor_item *item, const char *text)
{
    size_t len = strlen(text);

    return item->kind == CID__CBOR_TEXT && item->len == len && memcmp(item->bytes, text, len) == 0;
}
