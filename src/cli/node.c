#include "node.h"

#include <stdlib.h>
#include <unistd.h>

/* How far a node is indented for a terminal. */
#define INDENT 2

static enum cid_error json_flush(void *ctx, const char *text, size_t len)
{
    struct output *out = ctx;

    out_write(out, text, len);
    return out->error ? CID_E_IO : CID_OK;
}

/* Prints DAG-JSON, whose control characters become escapes. */
static void put_json(struct cli *cli, const char *text, size_t len)
{
    struct cid_json_reader *reader = cli_alloc(sizeof *reader);
    struct cid_json *json = cli_alloc(sizeof *json);
    struct cid_json_item item;
    char buf[4096];

    if (isatty(STDOUT_FILENO))
        cid_json_begin_pretty(json, buf, sizeof buf, json_flush, &cli->out, INDENT);
    else
        cid_json_begin(json, buf, sizeof buf, json_flush, &cli->out);
    cid_json_reader_begin(reader, text, len, 0);
    while (!cid_json_next(reader, &item))
        cid_json_copy(json, &item);
    if (cid_json_finish(json, NULL, true) && !cli->out.error)
        cli_status(cli, STATUS_IO);
    free(json);
    free(reader);
}

enum cid_error node_put(struct cli *cli, struct cid_fault *fault, uint64_t codec, const void *data,
                        size_t len, const struct cid_dag_options *options)
{
    struct cid_bytes node = {0};
    enum cid_error error =
        cid_dag_make(&node, fault, CID_CODEC_DAG_JSON, codec, data, len, options, NULL);

    fault->code = error;
    if (error)
        return error;
    put_json(cli, (const char *)cid_bytes_of(&node), node.len);
    cid_bytes_free(&node, NULL);
    return CID_OK;
}
