#include "dag/pb_write.h"

#include "dag/cbor.h"
#include "multiformats/varint.h"

#define DEPTH 3 /* the node, its links, a link */

struct writer {
    struct cid__cbor cbor;
    struct cid__cbor_level levels[DEPTH];
    struct cid__output *out;
    size_t offset; /* of the last item */
};

/* A link, as far as it is known. */
struct link {
    struct cid_view hash;
    bool has_name, has_tsize;
    const uint8_t *name;
    size_t name_len;
    uint64_t tsize;
};

static enum cid_error next(struct writer *w, struct cid__cbor_item *item)
{
    enum cid_error error = cid__cbor_next(&w->cbor, item);

    if (error) /* it is right DAG-CBOR, so that only the depth can be at fault */
        return CID_E_PB_SHAPE;
    w->offset = item->offset;
    return CID_OK;
}

/* The next item, which must be of that kind. */
static enum cid_error expect(struct writer *w, struct cid__cbor_item *item,
                             enum cid__cbor_kind kind)
{
    enum cid_error error = next(w, item);

    return !error && item->kind != kind ? CID_E_PB_SHAPE : error;
}

/* A varint of 64 bits: ten bytes, where a value needs them. */
static size_t put_varint(uint8_t *at, uint64_t value)
{
    size_t n = 0;

    for (; value >= 0x80; value >>= 7)
        at[n++] = (uint8_t)(value | 0x80);
    at[n++] = (uint8_t)value;
    return n;
}

static void put_number(struct cid__output *out, uint8_t tag, uint64_t value)
{
    uint8_t bytes[11] = {tag};

    cid__output_put(out, bytes, 1 + put_varint(bytes + 1, value));
}

static size_t size_of(uint64_t value)
{
    uint8_t bytes[10];

    return put_varint(bytes, value);
}

static void put_bytes(struct cid__output *out, uint8_t tag, const void *bytes, size_t len)
{
    put_number(out, tag, len);
    cid__output_put(out, bytes, len);
}

static void put_link(struct cid__output *out, const struct link *link)
{
    uint64_t len = 1 + size_of(link->hash.len) + link->hash.len;

    if (link->has_name)
        len += 1 + size_of(link->name_len) + link->name_len;
    if (link->has_tsize)
        len += 1 + size_of(link->tsize);
    put_number(out, 0x12, len);
    put_bytes(out, 0x0a, link->hash.bytes, link->hash.len);
    if (link->has_name)
        put_bytes(out, 0x12, link->name, link->name_len);
    if (link->has_tsize)
        put_number(out, 0x18, link->tsize);
}

static enum cid_error read_field(struct writer *w, struct link *link)
{
    struct cid__cbor_item key, item;
    enum cid_error error = expect(w, &key, CID__CBOR_TEXT);

    if (error)
        return error;
    if (cid__cbor_is_text(&key, "Hash")) {
        error = expect(w, &item, CID__CBOR_LINK);
        if (!error)
            link->hash = item.link;
    } else if (cid__cbor_is_text(&key, "Name")) {
        error = expect(w, &item, CID__CBOR_TEXT);
        link->has_name = true;
        link->name = item.bytes;
        link->name_len = item.len;
    } else if (cid__cbor_is_text(&key, "Tsize")) {
        error = expect(w, &item, CID__CBOR_UINT);
        link->has_tsize = true;
        link->tsize = item.number;
    } else {
        error = CID_E_PB_SHAPE;
    }
    return error;
}

/* Less than, equal to or greater than 0; no name is the empty one. */
static int compare_names(const struct link *a, const struct link *b)
{
    size_t common = a->name_len < b->name_len ? a->name_len : b->name_len;
    int order = common == 0 ? 0 : memcmp(a->name, b->name, common);

    return order != 0 ? order : (a->name_len > b->name_len) - (a->name_len < b->name_len);
}

static enum cid_error write_links(struct writer *w)
{
    struct cid__cbor_item list, map;
    struct link last = {0};
    enum cid_error error = expect(w, &list, CID__CBOR_ARRAY);

    for (uint64_t i = 0; !error && i < list.number; i++) {
        struct link link = {0};
        error = expect(w, &map, CID__CBOR_MAP);
        for (uint64_t k = 0; !error && k < map.number; k++)
            error = read_field(w, &link);
        if (error)
            return error;
        w->offset = map.offset;
        if (link.hash.len == 0)
            return CID_E_PB_SHAPE;
        if (i != 0 && compare_names(&last, &link) > 0)
            return CID_E_PB_LINK_ORDER;
        put_link(w->out, &link);
        last = link;
    }
    return error;
}

/* Of the two keys "Data", which may be missing, is the first. */
static enum cid_error write_node(struct writer *w)
{
    struct cid__cbor_item map, key, data = {0};
    enum cid_error error = expect(w, &map, CID__CBOR_MAP);
    bool has_data;

    if (!error && (map.number < 1 || map.number > 2))
        error = CID_E_PB_SHAPE;
    if (!error)
        error = next(w, &key);
    if (error)
        return error;
    has_data = cid__cbor_is_text(&key, "Data");
    if (has_data != (map.number == 2))
        return CID_E_PB_SHAPE;
    if (has_data)
        error = expect(w, &data, CID__CBOR_BYTES);
    if (!error && has_data)
        error = next(w, &key);
    if (!error && !cid__cbor_is_text(&key, "Links"))
        error = CID_E_PB_SHAPE;
    if (!error)
        error = write_links(w);
    if (!error && has_data)
        put_bytes(w->out, 0x0a, data.bytes, data.len);
    return error;
}

enum cid_error cid__pb_write(struct cid__output *out, size_t *offset, const uint8_t *cbor,
                             size_t len)
{
    struct writer w = {.out = out};
    enum cid_error error;

    cid__cbor_init(&w.cbor, cbor, len, 0, w.levels, DEPTH);
    error = write_node(&w);
    *offset = w.offset;
    return error;
}
