#include <cid/dag.h>

#include "base/bytes.h"
#include "base/endian.h"
#include "cid/binary.h"
#include "dag/source.h"

#include <string.h>

/* What struct cid_links has room for. */
struct state {
    uint64_t codec;
    struct cid_fault fault;
    size_t max_depth;
    bool ended;
    union {
        struct cid__cbor cbor;
        struct cid__dag_json json;
        struct cid__pb pb;
    } as;
};

_Static_assert(sizeof(struct state) <= sizeof(((struct cid_links *)0)->state),
               "the state fits its place");

/*
 * The members of struct cid_links are memory for this and nothing else: they are never read as what
 * they are declared to be.
 */
static struct state *state_of(struct cid_links *links)
{
    return (struct state *)(void *)links;
}

const struct cid_fault *cid_links_fault(const struct cid_links *links)
{
    static const struct cid_fault none = {0};
    const struct state *state = (const struct state *)(const void *)links;

    return state->fault.code ? &state->fault : &none;
}

enum cid_error cid_links_begin(struct cid_links *links, uint64_t codec, const void *data,
                               size_t len, const struct cid_dag_options *options)
{
    struct state *state = state_of(links);
    struct cid__cbor_level *levels = (struct cid__cbor_level *)(void *)&links->levels;
    uint32_t allow = options ? options->allow : 0;
    enum cid_error error;

    cid__assert_apart(links, sizeof *links, data, len);
    state->fault.code = CID_OK; /* the rest is not looked at then, and not worth the clearing */
    state->codec = codec;
    state->ended = codec == CID_CODEC_RAW;
    error = cid__dag_levels(&levels, &state->max_depth, codec, options);
    if (!cid_dag_known(codec))
        error = CID_E_DAG_CODEC;
    if (error) {
        cid__dag_fault(&state->fault, error, codec, 0, state->max_depth);
        return error;
    }
    if (codec == CID_CODEC_DAG_CBOR)
        cid__cbor_init(&state->as.cbor, data, len, allow, levels, state->max_depth);
    else if (codec == CID_CODEC_DAG_JSON)
        cid__dag_json_init(&state->as.json, data, len, allow, levels, state->max_depth);
    else if (codec == CID_CODEC_DAG_PB)
        cid__pb_init(&state->as.pb, data, len, allow);
    return CID_OK;
}

/* The common view is made once more: to copy what has just been written in pieces takes longer. */
static inline void put_link(struct cid_view *out, const struct cid__cbor_item *item)
{
    if (item->len == 37 && cid__is_common(cid__load32le(item->bytes + 1)))
        cid__view_common(out, item->bytes + 1);
    else
        *out = item->link;
}

/* Each gives the next link, CID_END, or a failure and its place. */

static enum cid_error next_of_cbor(struct state *state, struct cid_view *out, size_t *fault)
{
    struct cid__cbor *cbor = &state->as.cbor;
    struct cid__cbor_item item;
    enum cid_error error;

    do {
        error = cid__cbor_next(cbor, &item);
    } while (!error && item.kind != CID__CBOR_LINK);
    if (!error)
        put_link(out, &item);
    if (error != CID_END) {
        *fault = cbor->fault;
        return error;
    }
    *fault = (size_t)(cbor->in.at - cbor->start);
    return cbor->in.at == cbor->in.end ? CID_END : CID_E_TRAILING;
}

static enum cid_error next_of_json(struct state *state, struct cid_view *out, size_t *fault)
{
    struct cid__cbor_item item;
    enum cid_error error;

    do {
        error = cid__dag_json_next(&state->as.json, &item);
    } while (!error && item.kind != CID__CBOR_LINK);
    if (!error)
        *out = item.link;
    *fault = state->as.json.fault;
    return error;
}

static enum cid_error next_of_pb(struct state *state, struct cid_view *out, size_t *fault)
{
    struct cid__pb_part part;
    enum cid_error error;

    do {
        error = cid__pb_next(&state->as.pb, &part);
    } while (!error && !part.is_link);
    if (!error)
        *out = part.link;
    *fault = state->as.pb.fault;
    return error;
}

enum cid_error cid_links_next(struct cid_links *links, struct cid_view *out)
{
    struct state *state = state_of(links);
    enum cid_error error = state->fault.code;
    size_t fault = 0;

    if (error || state->ended)
        return error ? error : CID_END;
    if (state->codec == CID_CODEC_DAG_CBOR)
        error = next_of_cbor(state, out, &fault);
    else if (state->codec == CID_CODEC_DAG_JSON)
        error = next_of_json(state, out, &fault);
    else
        error = next_of_pb(state, out, &fault);
    if (error == CID_END)
        state->ended = true;
    else if (error)
        cid__dag_fault(&state->fault, error, state->codec, fault, state->max_depth);
    return error;
}

enum cid_error cid_dag_check(struct cid_fault *fault, uint64_t codec, const void *data, size_t len,
                             const struct cid_dag_options *options)
{
    struct cid_links links;
    struct cid_view view;
    enum cid_error error = cid_links_begin(&links, codec, data, len, options);

    while (!error)
        error = cid_links_next(&links, &view);
    if (fault)
        *fault = *cid_links_fault(&links);
    return error == CID_END ? CID_OK : error;
}
