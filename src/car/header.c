#include "car/header.h"

#include "dag/cbor.h"

/*
 * The specifications leave open what else may be in a header, so a value that is no concern of ours
 * may be anything that is well-formed.
 */
#define PASS                                                                                       \
    (CID__CBOR_LONG_HEADS | CID__CBOR_KEY_ORDER | CID__CBOR_FLOATS | CID__CBOR_SIMPLES |           \
     CID__CBOR_TAGS)

struct parse {
    struct cid__cbor cbor;
    struct cid__car_header *out;
    uint64_t file_offset;
    struct cid_fault *fault;
    bool has_version;
};

static enum cid_error fail(struct parse *parse, enum cid_error error, enum cid_field field,
                           size_t offset)
{
    return cid__car_fault(parse->fault, error, field, parse->file_offset + offset, 0, 0);
}

static enum cid_error next(struct parse *parse, struct cid__cbor_item *item)
{
    enum cid_error error = cid__cbor_next(&parse->cbor, item);

    if (error && error != CID_END)
        return fail(parse, error, CID_FIELD_HEADER, parse->cbor.fault);
    return error;
}

static enum cid_error read_version(struct parse *parse)
{
    struct cid__cbor_item item;
    enum cid_error error = next(parse, &item);

    if (error)
        return error;
    if (item.kind != CID__CBOR_UINT)
        return fail(parse, CID_E_HEADER_TYPE, CID_FIELD_VERSION, item.offset);
    parse->has_version = true;
    parse->out->version = item.number;
    return CID_OK;
}

static enum cid_error read_root(struct parse *parse, struct cid__cbor_item *item)
{
    enum cid_error error = next(parse, item);

    if (error && (parse->cbor.bad_link || error == CID_E_CBOR_TAG))
        return fail(parse, CID_E_HEADER_ROOT, CID_FIELD_ROOT, parse->cbor.fault);
    if (!error && item->kind != CID__CBOR_LINK)
        return fail(parse, CID_E_HEADER_ROOT, CID_FIELD_ROOT, item->offset);
    return error;
}

static enum cid_error read_roots(struct parse *parse)
{
    struct cid__cbor_item item;
    enum cid_error error = next(parse, &item);
    uint64_t count = item.number;

    if (error)
        return error;
    if (item.kind != CID__CBOR_ARRAY)
        return fail(parse, CID_E_HEADER_TYPE, CID_FIELD_ROOT, item.offset);
    for (uint64_t i = 0; i < count; i++) {
        error = read_root(parse, &item);
        if (error)
            return error;
        if (i == 0)
            parse->out->roots_at = item.offset;
    }
    parse->out->has_roots = true;
    parse->out->root_count = (size_t)count;
    return CID_OK;
}

static enum cid_error skip_value(struct parse *parse)
{
    struct cid__cbor_item item;
    enum cid_error error = next(parse, &item);

    if (error)
        return error;
    parse->out->notes |= CID_CAR_NOTE_EXTRA_KEYS;
    error = cid__cbor_skip(&parse->cbor, &item);
    return error ? fail(parse, error, CID_FIELD_HEADER, parse->cbor.fault) : CID_OK;
}

static enum cid_error read_pairs(struct parse *parse)
{
    struct cid__cbor_item key;
    enum cid_error error;

    while ((error = next(parse, &key)) == CID_OK) {
        if (cid__cbor_is_text(&key, "version"))
            error = read_version(parse);
        else if (cid__cbor_is_text(&key, "roots"))
            error = read_roots(parse);
        else
            error = skip_value(parse);
        if (error)
            return error;
    }
    return error == CID_END ? CID_OK : error;
}

/* What is to be said of the header as a whole. */
static enum cid_error conclude(struct parse *parse)
{
    struct cid__car_header *out = parse->out;

    if (parse->cbor.in.at != parse->cbor.in.end)
        return fail(parse, CID_E_TRAILING, CID_FIELD_HEADER,
                    (size_t)(parse->cbor.in.at - parse->cbor.start));
    if (!parse->has_version)
        return fail(parse, CID_E_HEADER_NO_VERSION, CID_FIELD_HEADER, 0);
    if (parse->cbor.notes & CID__CBOR_LONG_HEADS)
        out->notes |= CID_CAR_NOTE_NOT_MINIMAL;
    if (parse->cbor.notes & CID__CBOR_KEY_ORDER)
        out->notes |= CID_CAR_NOTE_KEY_ORDER;
    if (out->has_roots && out->root_count == 0)
        out->notes |= CID_CAR_NOTE_NO_ROOTS;
    return CID_OK;
}

enum cid_error cid__car_header_read(struct cid__car_header *out, const uint8_t *bytes, size_t len,
                                    uint64_t file_offset, struct cid_fault *fault)
{
    struct cid__cbor_level levels[CID__CBOR_DEPTH];
    struct parse parse = {.out = out, .file_offset = file_offset, .fault = fault};
    struct cid__cbor_item item;
    enum cid_error error;

    *out = (struct cid__car_header){0};
    cid__cbor_init(&parse.cbor, bytes, len, PASS, levels, CID__CBOR_DEPTH);
    error = next(&parse, &item);
    if (error)
        return error;
    if (item.kind != CID__CBOR_MAP)
        return fail(&parse, CID_E_HEADER_TYPE, CID_FIELD_HEADER, 0);
    error = read_pairs(&parse);
    return error ? error : conclude(&parse);
}

/* Reads the link at an offset, and returns the offset behind it. It has been read before. */
static size_t read_known(struct cid_view *out, const uint8_t *bytes, size_t len, size_t offset)
{
    struct cid__cbor cbor;
    struct cid__cbor_item item;

    cid__cbor_init(&cbor, bytes + offset, len - offset, PASS, NULL, 0);
    if (cid__cbor_next(&cbor, &item) == CID_OK)
        *out = item.link;
    return (size_t)(cbor.in.at - bytes);
}

void cid__car_header_list(size_t *offsets, const struct cid__car_header *header,
                          const uint8_t *bytes, size_t len)
{
    size_t offset = header->roots_at;
    struct cid_view view;

    for (size_t i = 0; i < header->root_count; i++) {
        offsets[i] = offset;
        offset = read_known(&view, bytes, len, offset);
    }
}

struct cid_view cid__car_header_root(const uint8_t *bytes, size_t len, size_t offset)
{
    struct cid_view view = {0};

    read_known(&view, bytes, len, offset);
    return view;
}
