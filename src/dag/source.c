#include "dag/source.h"

#include <string.h>

_Static_assert(sizeof(struct cid__cbor_level) <= CID_DAG_LEVEL_SIZE, "a level fits its place");
_Static_assert(CID_DAG_ALLOW_LONG_HEADS == CID__CBOR_LONG_HEADS &&
                   CID_DAG_ALLOW_KEY_ORDER == CID__CBOR_KEY_ORDER &&
                   CID_DAG_ALLOW_FLOATS == CID__CBOR_FLOATS &&
                   CID_DAG_ALLOW_SIMPLES == CID__CBOR_SIMPLES &&
                   CID_DAG_ALLOW_TAGS == CID__CBOR_TAGS,
               "the flags of the reader are those of the options");

bool cid_dag_known(uint64_t codec)
{
    return codec == CID_CODEC_RAW || codec == CID_CODEC_DAG_PB || codec == CID_CODEC_DAG_CBOR ||
           codec == CID_CODEC_DAG_JSON;
}

void cid__dag_fault(struct cid_fault *fault, enum cid_error error, uint64_t codec, size_t offset,
                    size_t max_depth)
{
    memset(fault, 0, sizeof *fault);
    fault->size = sizeof *fault;
    fault->code = error;
    fault->field = CID_FIELD_DATA;
    fault->where = codec == CID_CODEC_DAG_JSON ? CID_WHERE_TEXT : CID_WHERE_BYTES;
    fault->offset = offset;
    fault->need = error == CID_E_DEPTH_LIMIT ? max_depth : 0;
}

enum cid_error cid__dag_levels(struct cid__cbor_level **levels, size_t *max_depth, uint64_t codec,
                               const struct cid_dag_options *options)
{
    *max_depth = options && options->max_depth ? options->max_depth : CID_DAG_DEPTH;
    if (options && options->stack)
        *levels = options->stack;
    else if (*max_depth > CID_DAG_DEPTH)
        return CID_E_ARGUMENT;
    if (codec == CID_CODEC_DAG_JSON && *max_depth > CID_DAG_DEPTH)
        *max_depth = CID_DAG_DEPTH;
    return options && options->allow & ~(CID_DAG_ALLOW_ALL | CID__DAG_NO_SEARCH) ? CID_E_ARGUMENT
                                                                                 : CID_OK;
}

static enum cid_error failed(struct cid__dag_source *source, enum cid_error error, size_t offset)
{
    cid__dag_fault(&source->fault, error, source->codec, offset, source->max_depth);
    return error;
}

enum cid_error cid__dag_source_init(struct cid__dag_source *source, uint64_t codec,
                                    const void *data, size_t len,
                                    const struct cid_dag_options *options,
                                    struct cid__cbor_level *levels)
{
    enum cid_error error;

    source->codec = codec;
    source->data = data;
    source->len = len;
    source->allow = options ? options->allow : 0;
    source->raw_done = false;
    memset(&source->fault, 0, sizeof source->fault);
    error = cid__dag_levels(&levels, &source->max_depth, codec, options);
    if (!cid_dag_known(codec))
        error = CID_E_DAG_CODEC;
    if (error)
        return failed(source, error, 0);
    if (codec == CID_CODEC_DAG_CBOR) {
        cid__cbor_init(&source->as.cbor, data, len, source->allow, levels, source->max_depth);
    } else if (codec == CID_CODEC_DAG_JSON) {
        cid__dag_json_init(&source->as.json, data, len, source->allow, levels, source->max_depth);
    } else if (codec == CID_CODEC_DAG_PB) {
        error = cid__pb_items_init(&source->as.items, data, len, source->allow);
        if (error)
            return failed(source, error, source->as.items.pb.fault);
    }
    return CID_OK;
}

/* The whole block, as one byte string. */
static enum cid_error raw_next(struct cid__dag_source *source, struct cid__cbor_item *item)
{
    if (source->raw_done)
        return CID_END;
    source->raw_done = true;
    memset(item, 0, sizeof *item);
    item->kind = CID__CBOR_BYTES;
    item->bytes = source->data;
    item->len = source->len;
    item->number = source->len;
    return CID_OK;
}

static enum cid_error cbor_next(struct cid__dag_source *source, struct cid__cbor_item *item)
{
    struct cid__cbor *cbor = &source->as.cbor;
    enum cid_error error = cid__cbor_next(cbor, item);

    if (!error)
        return CID_OK;
    if (error != CID_END)
        return failed(source, error, cbor->fault);
    if (cbor->in.at == cbor->in.end)
        return CID_END;
    return failed(source, CID_E_TRAILING, (size_t)(cbor->in.at - cbor->start));
}

enum cid_error cid__dag_source_next(struct cid__dag_source *source, struct cid__cbor_item *item)
{
    enum cid_error error;

    if (source->codec == CID_CODEC_DAG_CBOR)
        return cbor_next(source, item);
    if (source->codec == CID_CODEC_RAW)
        return raw_next(source, item);
    if (source->codec == CID_CODEC_DAG_PB) {
        error = cid__pb_items_next(&source->as.items, item);
        return error && error != CID_END ? failed(source, error, source->as.items.pb.fault) : error;
    }
    error = cid__dag_json_next(&source->as.json, item);
    return error && error != CID_END ? failed(source, error, source->as.json.fault) : error;
}
