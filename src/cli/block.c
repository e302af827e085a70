#include "buffer.h"
#include "commands.h"
#include "file.h"
#include "names.h"
#include "node.h"
#include "subject.h"
#include "text.h"

#include <cid/dag.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The options that both commands have, first in their tables. */
enum {
    OPTION_CODEC,
    OPTION_CID,
    OPTION_LENIENT,
    OPTION_STRICT,
    OPTION_TO
};
#define BLOCK_OPTIONS                                                                              \
    [OPTION_CODEC] = {"codec", 0, "NAME", "the codec of the block"},                               \
    [OPTION_CID] = {"cid", 0, "CID", "check the block against it, and take its codec"},            \
    [OPTION_LENIENT] = {"lenient", 0, NULL, "accept what old encoders wrote"},                     \
    [OPTION_STRICT] = {"strict", 0, NULL, "accept DAG-JSON in canonical form only"}

static const struct option block_options[] = {
    BLOCK_OPTIONS,
    [OPTION_TO] = {"to", 0, "NAME", "write the block in this codec, and its CID as a message"},
    {NULL, 0, NULL, NULL},
};

static const struct option links_options[] = {
    BLOCK_OPTIONS,
    {NULL, 0, NULL, NULL},
};

/* Room for what is wrong with a block. */
#define REASON_SIZE 160

struct block {
    const char *name; /* of the file */
    struct buffer data;
    uint64_t codec;
    uint64_t to;     /* of --to; 0: none */
    uint64_t target; /* what the node is written in; 0: links are looked for */
    struct cid cid;
    struct cid_dag_options options;
    bool strict;
    bool typed;            /* DAG-JSON, and nothing says that the bytes are a block */
    struct cid_fault note; /* where what was typed is not canonical; CID_OK: it is */
};

/* ---- the block ----------------------------------------------------------------------------- */

/* Why the node cannot be written in that codec; CID_OK: it can. */
static enum cid_error cannot_write(const struct block *block, uint64_t codec,
                                   const struct cid_dag_options *options)
{
    enum cid_error error = cid_dag_write(NULL, 0, NULL, NULL, codec, block->codec, block->data.data,
                                         block->data.len, options, NULL);

    return error == CID_E_NOSPACE ? CID_OK : error;
}

/* Whether --lenient would accept what was refused, and nobody has decided about that. */
static bool lenient_helps(const struct block *block)
{
    const struct cid_dag_options all = {.allow = CID_DAG_ALLOW_ALL};

    if (block->strict || block->options.allow == all.allow)
        return false;
    if (block->target == 0)
        return !cid_dag_check(NULL, block->codec, block->data.data, block->data.len, &all);
    return !cannot_write(block, block->target, &all);
}

/* What is wrong with a block, without the place, and what can be done. */
static const char *reason(char buf[REASON_SIZE], const struct block *block, enum cid_error error)
{
    bool writing = block->target != 0 && !cid_dag_check(NULL, block->codec, block->data.data,
                                                        block->data.len, &block->options);
    char name[NAME_SIZE];

    if (writing)
        snprintf(buf, REASON_SIZE, "%s; it can be read, but not be written as %s",
                 cid_error_text(error), codec_name(name, block->target));
    else
        snprintf(buf, REASON_SIZE, "%s%s", cid_error_text(error),
                 lenient_helps(block) ? "; --lenient accepts it" : "");
    return buf;
}

/* Tells what is wrong with the block and where, in words or as a JSON line. */
static void block_fail(struct cli *cli, const struct block *block, const struct cid_fault *fault)
{
    bool ours = fault->code == CID_E_NOMEM || fault->code == CID_E_TOO_LARGE;
    bool mismatch = fault->code == CID_E_MISMATCH;
    char buf[REASON_SIZE];
    const char *why =
        ours || mismatch ? cid_error_text(fault->code) : reason(buf, block, fault->code);
    struct output *err;

    cli_status(cli, ours ? STATUS_IO : STATUS_BAD);
    if (cli->as_json) {
        cid_json_object_begin(&cli->json);
        cid_json_key(&cli->json, "file");
        cid_json_text(&cli->json, block->name);
        cid_json_key(&cli->json, "ok");
        cid_json_bool(&cli->json, false);
        json_error(&cli->json, fault, why);
        cid_json_object_end(&cli->json);
        cli_json_line(cli);
        return;
    }
    err = cli_message(cli);
    text_put(err, block->name, strlen(block->name));
    if (mismatch)
        out_text(err, ": the block does not match the CID\n");
    else
        out_print(err, ": at byte %" PRIu64 ": %s\n", fault->offset, why);
    cli_message_end(cli);
}

static bool parse_codecs(struct cli *cli, struct block *block, const struct arguments *args)
{
    const char *text = args->values[OPTION_CID], *to = args->values[OPTION_TO];
    char name[NAME_SIZE];

    if (!args->values[OPTION_CODEC] && !text) {
        cli_usage(cli, "--codec=NAME or --cid=CID must say what the block is");
        return false;
    }
    if (text && cid_parse(&block->cid, text, strlen(text), NULL)) {
        cli_usage(cli, "--cid wants a CID; 'cid-inspect inspect' tells what is wrong with it");
        return false;
    }
    if (text)
        block->codec = cid_as_view(&block->cid).codec;
    if (!parse_codec(cli, &block->codec, args->values[OPTION_CODEC]) ||
        !parse_codec(cli, &block->to, to))
        return false;
    if (!cid_dag_known(block->codec) || (to && !cid_dag_known(block->to)) ||
        (to && block->to == CID_CODEC_RAW)) {
        cli_usage(cli, "blocks of %s cannot be %s here, only dag-cbor, dag-json and dag-pb%s",
                  codec_name(name, cid_dag_known(block->codec) ? block->to : block->codec),
                  cid_dag_known(block->codec) ? "written" : "read",
                  cid_dag_known(block->codec) ? "" : ", and raw");
        return false;
    }
    return true;
}

static bool block_begin(struct cli *cli, struct block *block, const struct arguments *args)
{
    bool lenient = args->values[OPTION_LENIENT] != NULL;

    memset(block, 0, sizeof *block);
    block->name = args->count != 0 ? args->operands[0] : "-";
    block->strict = args->values[OPTION_STRICT] != NULL;
    if (args->count > 1) {
        cli_usage(cli, "one file at a time");
        return false;
    }
    if (block->strict && lenient) {
        cli_usage(cli, "--strict and --lenient exclude each other");
        return false;
    }
    if (!parse_codecs(cli, block, args) || !file_check_operands(cli, args))
        return false;
    block->typed = block->codec == CID_CODEC_DAG_JSON && !cid_is_defined(&block->cid) &&
                   !block->strict && !lenient;
    if (lenient)
        block->options.allow = CID_DAG_ALLOW_ALL;
    else if (block->typed)
        block->options.allow = CID_DAG_ALLOW_SPELLING;
    return true;
}

/* What the CID says of the block. False after a failure that was told. */
static bool check(struct cli *cli, const struct block *block)
{
    struct cid_fault fault = {.field = CID_FIELD_DIGEST};
    struct cid_view view = cid_as_view(&block->cid);
    struct output *err;

    if (!cid_is_defined(&block->cid))
        return true;
    fault.code = cid_verify(&view, block->data.data, block->data.len, NULL);
    if (!fault.code)
        return true;
    if (fault.code == CID_E_MISMATCH) {
        block_fail(cli, block, &fault);
        return false;
    }
    cli_status(cli, STATUS_OPEN);
    if (!cli->as_json) {
        err = cli_message(cli);
        text_put(err, block->name, strlen(block->name));
        out_print(err, ": the block cannot be checked: %s\n", cid_error_text(fault.code));
        cli_message_end(cli);
    }
    return true;
}

/* Reads and checks the block. False after a failure that was told. */
static bool block_read(struct cli *cli, struct block *block)
{
    int fd = -1, failure = file_open(&fd, block->name);

    if (!failure)
        failure = file_read_all(&block->data, fd, UINT64_MAX);
    file_close(fd);
    if (!failure && block->typed)
        block->note.code =
            cid_dag_check(&block->note, block->codec, block->data.data, block->data.len, NULL);
    if (!failure)
        return check(cli, block);
    file_complain(cli, block->name, CID_E_IO, strerror(failure));
    return false;
}

/* Says of what was typed and read that it is not canonical, and so not the block that it means. */
static void tell_note(struct cli *cli, const struct block *block)
{
    enum cid_error error;
    struct output *err;

    if (block->note.code == CID_OK || cli->as_json)
        return;
    error = cannot_write(block, CID_CODEC_DAG_JSON, &block->options);
    err = cli_message(cli);
    text_put(err, block->name, strlen(block->name));
    out_print(err, ": note: not canonical DAG-JSON, at byte %" PRIu64 ": %s; ", block->note.offset,
              cid_error_text(block->note.code));
    if (error) /* links are read of some nodes that no block can have */
        out_print(err, "and no DAG-JSON says the same: %s\n", cid_error_text(error));
    else
        out_text(err, "the block, which has another CID than these bytes, is what 'block "
                      "--to=dag-json' writes\n");
    cli_message_end(cli);
}

static void block_free(struct block *block)
{
    cid_free(&block->cid, NULL);
    buffer_free(&block->data);
}

/* ---- block --------------------------------------------------------------------------------- */

/* The bytes as they are, and then their CID on standard error. */
static void put_converted(struct cli *cli, const struct block *block, const void *data, size_t len)
{
    struct cid cid = {0};
    struct cid_view view;
    char *text = NULL;

    out_write(&cli->out, data, len);
    if (!out_flush(&cli->out) ||
        cid_sum_v1(&cid, block->to, CID_HASH_SHA2_256, CID_DIGEST_DEFAULT, data, len, NULL))
        return;
    view = cid_as_view(&cid);
    text = cid_text(&view, CID_BASE_DEFAULT);
    out_print(&cli->err, "%s\n", text ? text : "?");
    out_flush(&cli->err);
    free(text);
    cid_free(&cid, NULL);
}

static void show(struct cli *cli, const struct block *block)
{
    struct cid_fault fault = {0};

    if (node_put(cli, &fault, block->codec, block->data.data, block->data.len, &block->options))
        block_fail(cli, block, &fault);
    else
        tell_note(cli, block);
}

/* What is written must be read again; DAG-JSON is with links of no more than CID_TEXT_LIMIT. */
static enum cid_error check_converted(const struct block *block, const struct cid_bytes *node)
{
    struct cid_dag_options options = block->options;

    if (block->to != CID_CODEC_DAG_JSON)
        return CID_OK;
    options.allow = 0;
    return cid_dag_check(NULL, block->to, cid_bytes_of(node), node->len, &options);
}

static void convert(struct cli *cli, const struct block *block)
{
    struct cid_bytes node = {0};
    struct cid_fault fault = {0};
    enum cid_error error = cid_dag_make(&node, &fault, block->to, block->codec, block->data.data,
                                        block->data.len, &block->options, NULL);

    if (!error && (error = check_converted(block, &node)))
        cid_bytes_free(&node, NULL);
    if (error) {
        fault.code = error;
        block_fail(cli, block, &fault);
        return;
    }
    put_converted(cli, block, cid_bytes_of(&node), node.len);
    cid_bytes_free(&node, NULL);
}

static enum status run_block(struct cli *cli, const struct arguments *args)
{
    struct block block;

    if (cli->as_json && args->values[OPTION_TO])
        return cli_usage(cli, "--to writes the block as it is; --json does not go with it");
    if (block_begin(cli, &block, args) && block_read(cli, &block)) {
        block.target = block.to != 0 ? block.to : CID_CODEC_DAG_JSON;
        (block.to != 0 ? convert : show)(cli, &block);
    }
    block_free(&block);
    return cli->status;
}

/* ---- links --------------------------------------------------------------------------------- */

static void put_link(struct cli *cli, const struct block *block, const struct cid_view *view)
{
    char *text = cid_text(view, CID_BASE_DEFAULT), name[NAME_SIZE];

    if (cli->as_json) {
        cid_json_object_begin(&cli->json);
        cid_json_key(&cli->json, "cid");
        cid_json_text(&cli->json, text);
        cid_json_key(&cli->json, "codec");
        cid_json_text(&cli->json, codec_name(name, view->codec));
        if (block->note.code != CID_OK) {
            cid_json_key(&cli->json, "canonical");
            cid_json_bool(&cli->json, false);
        }
        cid_json_object_end(&cli->json);
        cli_json_line(cli);
    } else {
        out_text(&cli->out, text ? text : "?");
        out_char(&cli->out, '\n');
    }
    free(text);
}

static void put_links(struct cli *cli, const struct block *block)
{
    struct cid_links *links = cli_alloc(sizeof *links);
    enum cid_error error =
        cid_links_begin(links, block->codec, block->data.data, block->data.len, &block->options);
    struct cid_view view;

    while (!error && cli_going(cli)) {
        error = cid_links_next(links, &view);
        if (!error)
            put_link(cli, block, &view);
    }
    if (error == CID_END)
        tell_note(cli, block);
    else if (error)
        block_fail(cli, block, cid_links_fault(links));
    free(links);
}

static enum status run_links(struct cli *cli, const struct arguments *args)
{
    struct block block;

    if (block_begin(cli, &block, args) && block_read(cli, &block))
        put_links(cli, &block);
    block_free(&block);
    return cli->status;
}

#define BLOCK_HELP                                                                                 \
    "FILE holds the bytes of a block and nothing else; '-' is standard input. The codec is raw,\n" \
    "dag-pb, dag-cbor or dag-json. A block must be in the one form that its codec has for a\n"     \
    "node; --lenient also takes long numbers, unordered keys and the like. With --cid the block\n" \
    "must match that CID. DAG-JSON without --cid may have white space, keys in any order and\n"    \
    "other spellings of strings and numbers, which is noted, and refused with --strict.\n"         \
    "\n"                                                                                           \
    "Exit status: 0 all good; 1 not a block of that codec, or not that of the CID; 4 the CID\n"    \
    "cannot be checked; 2 wrong usage; 3 the file could not be read.\n"

const struct command block_command = {
    "block",
    "FILE",
    "print a block as DAG-JSON, or write it in another codec",
    "Prints the node of a block as DAG-JSON: indented on a terminal or else on one line.\n"
    "With --to writes it in another codec instead, byte by byte and with nothing added, and its\n"
    "CID to standard error. --to the same codec checks the block, and puts it in canonical form.\n"
    "\n" BLOCK_HELP,
    block_options,
    run_block,
};

const struct command links_command = {
    "links",
    "FILE",
    "print the CIDs that a block links to",
    "Prints the links of a block, a CID a line, in the order of the block.\n"
    "\n" BLOCK_HELP,
    links_options,
    run_links,
};
