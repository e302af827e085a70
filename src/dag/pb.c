#include "dag/pb.h"

#include "base/utf8.h"

#include <string.h>

/* Field number and wire type. */
#define NODE_DATA  0x0a
#define NODE_LINKS 0x12
#define LINK_HASH  0x0a
#define LINK_NAME  0x12
#define LINK_TSIZE 0x18

void cid__pb_init(struct cid__pb *pb, const void *bytes, size_t len, uint32_t allow)
{
    *pb = (struct cid__pb){.in = cid__span_of(bytes, len), .start = bytes, .allow = allow};
}

static enum cid_error fail(struct cid__pb *pb, enum cid_error error, const uint8_t *at)
{
    pb->fault = pb->start ? (size_t)(at - pb->start) : 0;
    return error;
}

/* A varint of protobuf: of ten bytes at most, which hold 64 bits. */
static enum cid_error take_varint(struct cid__pb *pb, struct cid__span *in, uint64_t *value)
{
    const uint8_t *start = in->at;
    unsigned shift = 0;

    for (*value = 0;; shift += 7) {
        uint8_t byte;
        if (!cid__span_has(in, 1))
            return fail(pb, CID_E_TRUNCATED, in->at);
        byte = *cid__span_take(in, 1);
        if (shift == 63 && byte > 1)
            return fail(pb, CID_E_VARINT_OVERFLOW, start);
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte >= 0x80)
            continue;
        if (byte == 0 && shift != 0 && !(pb->allow & CID_DAG_ALLOW_LONG_HEADS))
            return fail(pb, CID_E_VARINT_NOT_MINIMAL, start);
        return CID_OK;
    }
}

/* A field of that many bytes. */
static enum cid_error take_field(struct cid__pb *pb, struct cid__span *in, struct cid__span *field)
{
    uint64_t len;
    enum cid_error error = take_varint(pb, in, &len);

    if (error)
        return error;
    if (!cid__span_has(in, len))
        return fail(pb, CID_E_TRUNCATED, in->end);
    field->at = cid__span_take(in, (size_t)len);
    field->end = in->at;
    return CID_OK;
}

static enum cid_error read_hash(struct cid__pb *pb, struct cid__span *in, struct cid__pb_part *part)
{
    struct cid__span hash;
    enum cid_error error = take_field(pb, in, &hash);

    if (error)
        return error;
    error = cid_read_exact(&part->link, hash.at, cid__span_left(&hash));
    return error ? fail(pb, error, hash.at) : CID_OK;
}

static enum cid_error read_name(struct cid__pb *pb, struct cid__span *in, struct cid__pb_part *part)
{
    struct cid__span name;
    size_t right;
    enum cid_error error = take_field(pb, in, &name);

    if (error)
        return error;
    part->has_name = true;
    part->bytes = name.at;
    part->len = cid__span_left(&name);
    if (pb->allow & CID_DAG_ALLOW_NAMES)
        return CID_OK;
    right = cid__utf8_span(part->bytes, part->len);
    return right == part->len ? CID_OK : fail(pb, CID_E_PB_UTF8, part->bytes + right);
}

static enum cid_error read_link(struct cid__pb *pb, struct cid__span *in, struct cid__pb_part *part)
{
    const uint8_t *start = in->at;
    uint64_t last = 0;

    while (in->at < in->end) {
        const uint8_t *at = in->at;
        uint64_t tag;
        enum cid_error error = take_varint(pb, in, &tag);
        if (error)
            return error;
        if (tag != LINK_HASH && tag != LINK_NAME && tag != LINK_TSIZE)
            return fail(pb, CID_E_PB_FIELD, at);
        if (tag <= last)
            return fail(pb, CID_E_PB_ORDER, at);
        last = tag;
        if (tag == LINK_HASH)
            error = read_hash(pb, in, part);
        else if (tag == LINK_NAME)
            error = read_name(pb, in, part);
        else
            error = take_varint(pb, in, &part->tsize);
        if (error)
            return error;
        part->has_tsize = tag == LINK_TSIZE;
    }
    return part->link.len != 0 ? CID_OK : fail(pb, CID_E_PB_NO_HASH, start);
}

enum cid_error cid__pb_next(struct cid__pb *pb, struct cid__pb_part *part)
{
    const uint8_t *at = pb->in.at;
    struct cid__span field;
    uint64_t tag;
    enum cid_error error;

    if (at == pb->in.end)
        return CID_END;
    memset(part, 0, sizeof *part);
    part->offset = (size_t)(at - pb->start);
    error = take_varint(pb, &pb->in, &tag);
    if (error)
        return error;
    if (tag != NODE_DATA && tag != NODE_LINKS)
        return fail(pb, CID_E_PB_FIELD, at);
    part->is_link = tag == NODE_LINKS;
    if (part->is_link ? pb->links_done : pb->had_data)
        return fail(pb, CID_E_PB_ORDER, at);
    pb->had_links = pb->had_links || part->is_link;
    pb->had_data = pb->had_data || !part->is_link;
    pb->links_done = !part->is_link && pb->had_links;
    error = take_field(pb, &pb->in, &field);
    if (error || part->is_link)
        return error ? error : read_link(pb, &field, part);
    part->bytes = field.at;
    part->len = cid__span_left(&field);
    return CID_OK;
}

/* ---- items ------------------------------------------------------------------------------ */

static struct cid__cbor_item *push(struct cid__pb_items *items, enum cid__cbor_kind kind,
                                   size_t depth, size_t offset)
{
    struct cid__cbor_item *item = &items->queue[items->count++];

    memset(item, 0, sizeof *item);
    item->kind = kind;
    item->depth = depth;
    item->offset = offset;
    return item;
}

static void push_bytes(struct cid__pb_items *items, enum cid__cbor_kind kind, size_t depth,
                       size_t offset, const void *bytes, size_t len)
{
    struct cid__cbor_item *item = push(items, kind, depth, offset);

    item->bytes = bytes;
    item->len = len;
    item->number = len;
}

static void push_key(struct cid__pb_items *items, size_t depth, size_t offset, const char *key)
{
    push_bytes(items, CID__CBOR_TEXT, depth, offset, key, strlen(key));
    items->queue[items->count - 1].key = true;
}

enum cid_error cid__pb_items_init(struct cid__pb_items *items, const void *bytes, size_t len,
                                  uint32_t allow)
{
    struct cid__pb_part part, data = {0};
    uint64_t links = 0;
    enum cid_error error;

    cid__pb_init(&items->pb, bytes, len, allow);
    while (!(error = cid__pb_next(&items->pb, &part))) {
        links += part.is_link;
        if (!part.is_link)
            data = part;
    }
    if (error != CID_END)
        return error;
    items->at = items->count = 0;
    push(items, CID__CBOR_MAP, 0, 0)->number = 1 + items->pb.had_data;
    if (items->pb.had_data) {
        push_key(items, 1, data.offset, "Data");
        push_bytes(items, CID__CBOR_BYTES, 1, data.offset, data.bytes, data.len);
    }
    push_key(items, 1, 0, "Links");
    push(items, CID__CBOR_ARRAY, 1, 0)->number = links;
    cid__pb_init(&items->pb, bytes, len, allow);
    return CID_OK;
}

static void push_link(struct cid__pb_items *items, const struct cid__pb_part *part)
{
    items->at = items->count = 0;
    push(items, CID__CBOR_MAP, 2, part->offset)->number = 1u + part->has_name + part->has_tsize;
    push_key(items, 3, part->offset, "Hash");
    push(items, CID__CBOR_LINK, 3, part->offset)->link = part->link;
    if (part->has_name) {
        push_key(items, 3, part->offset, "Name");
        push_bytes(items, CID__CBOR_TEXT, 3, part->offset, part->bytes, part->len);
    }
    if (part->has_tsize) {
        push_key(items, 3, part->offset, "Tsize");
        push(items, CID__CBOR_UINT, 3, part->offset)->number = part->tsize;
    }
}

enum cid_error cid__pb_items_next(struct cid__pb_items *items, struct cid__cbor_item *item)
{
    struct cid__pb_part part;

    while (items->at == items->count) {
        enum cid_error error = cid__pb_next(&items->pb, &part);
        if (error)
            return error;
        if (part.is_link)
            push_link(items, &part);
    }
    *item = items->queue[items->at++];
    return CID_OK;
}
