#include "commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    OPTION_TAG
};

static const struct option no_options[] = {{NULL, 0, NULL, NULL}};
static const struct option codec_options[] = {
    [OPTION_TAG] = {"tag", 0, "TAG", "only those of this tag: ipld, multihash, multiaddr, ..."},
    {NULL, 0, NULL, NULL},
};

static bool check_operands(struct cli *cli, const struct arguments *args)
{
    if (args->count == 0)
        return true;
    cli_usage(cli, "this command takes no arguments");
    return false;
}

static void put_code(struct cid_json *json, uint64_t code)
{
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, code);
    cid_json_key(json, "code");
    cid_json_u64(json, code);
    cid_json_key(json, "hex");
    cid_json_text(json, text);
}

static void put_pair(struct cid_json *json, const char *key, const char *value)
{
    cid_json_key(json, key);
    cid_json_text(json, value);
}

/* ---- bases --------------------------------------------------------------------------------- */

static void base_json(struct cli *cli, const struct cid_base_info *info)
{
    cid_json_object_begin(&cli->json);
    put_pair(&cli->json, "name", info->name);
    put_pair(&cli->json, "prefix", info->prefix);
    put_code(&cli->json, (uint64_t)info->base);
    put_pair(&cli->json, "status", info->status);
    cid_json_key(&cli->json, "case_insensitive");
    cid_json_bool(&cli->json, info->case_insensitive);
    cid_json_object_end(&cli->json);
    cli_json_line(cli);
}

static enum status run_bases(struct cli *cli, const struct arguments *args)
{
    struct cid_base_info info;

    if (!check_operands(cli, args))
        return STATUS_USAGE;
    if (!cli->as_json)
        out_print(&cli->out, "%-18s  %-8s  %-12s  %s\n", "NAME", "CODE", "STATUS", "PREFIX");
    for (size_t i = 0; cid_base_at(&info, i) == CID_OK; i++) {
        if (cli->as_json)
            base_json(cli, &info);
        else
            out_print(&cli->out, "%-18s  0x%-6x  %-12s  %s\n", info.name, (unsigned)info.base,
                      info.status, info.prefix);
    }
    return cli->status;
}

const struct command bases_command = {
    "bases",
    "",
    "list the multibase encodings",
    "Lists the bases that CIDs are read and written in.\n",
    no_options,
    run_bases,
};

/* ---- codecs -------------------------------------------------------------------------------- */

static void codec_json(struct cli *cli, const struct cid_multicodec *row)
{
    cid_json_object_begin(&cli->json);
    put_pair(&cli->json, "name", row->name);
    put_code(&cli->json, row->code);
    put_pair(&cli->json, "tag", row->tag);
    put_pair(&cli->json, "status", row->status);
    cid_json_object_end(&cli->json);
    cli_json_line(cli);
}

static bool has_tag(const struct cid_multicodec *row, const char *tag)
{
    return !tag || strcmp(row->tag, tag) == 0;
}

/* The widths of the first and third column. */
static void measure_codecs(int *name, int *tag, const char *wanted)
{
    struct cid_multicodec row;

    *name = 4;
    *tag = 3;
    for (size_t i = 0; cid_multicodec_at(&row, i) == CID_OK; i++) {
        if (!has_tag(&row, wanted))
            continue;
        *name = (int)strlen(row.name) > *name ? (int)strlen(row.name) : *name;
        *tag = (int)strlen(row.tag) > *tag ? (int)strlen(row.tag) : *tag;
    }
}

static enum status run_codecs(struct cli *cli, const struct arguments *args)
{
    const char *tag = args->values[OPTION_TAG];
    struct cid_multicodec row;
    size_t found = 0;
    int name, kind;

    if (!check_operands(cli, args))
        return STATUS_USAGE;
    measure_codecs(&name, &kind, tag);
    for (size_t i = 0; cid_multicodec_at(&row, i) == CID_OK; i++) {
        if (!has_tag(&row, tag))
            continue;
        if (found++ == 0 && !cli->as_json)
            out_print(&cli->out, "%-*s  %-10s  %-*s  %s\n", name, "NAME", "CODE", kind, "TAG",
                      "STATUS");
        if (cli->as_json)
            codec_json(cli, &row);
        else
            out_print(&cli->out, "%-*s  0x%-8" PRIx64 "  %-*s  %s\n", name, row.name, row.code,
                      kind, row.tag, row.status);
    }
    if (found == 0 && tag)
        return cli_usage(cli, "no codec has that tag");
    return cli->status;
}

const struct command codecs_command = {
    "codecs",
    "",
    "list the multicodec table",
    "Lists the multicodec table: codecs, hash functions, address parts and more.\n",
    codec_options,
    run_codecs,
};

/* ---- hashes -------------------------------------------------------------------------------- */

static void put_length(struct cid_json *json, const char *key, size_t len)
{
    cid_json_key(json, key);
    if (len == SIZE_MAX)
        cid_json_null(json);
    else
        cid_json_u64(json, len);
}

static void hash_json(struct cli *cli, const struct cid_hash_info *info)
{
    struct cid_json *json = &cli->json;

    cid_json_object_begin(json);
    put_pair(json, "name", info->name);
    put_code(json, info->code);
    put_length(json, "min", info->min_len);
    put_length(json, "max", info->max_len);
    put_length(json, "default", info->default_len);
    cid_json_key(json, "available");
    cid_json_bool(json, info->available);
    cid_json_key(json, "cryptographic");
    cid_json_bool(json, info->cryptographic);
    cid_json_object_end(json);
    cli_json_line(cli);
}

static const char *length_text(char buf[24], size_t len)
{
    if (len == SIZE_MAX)
        return "-";
    snprintf(buf, 24, "%zu", len);
    return buf;
}

static void hash_row(struct output *out, const struct cid_hash_info *info)
{
    char min[24], max[24], usual[24];

    out_print(out, "%-26s  0x%-6" PRIx64 "  %5s  %5s  %7s  %s\n", info->name, info->code,
              length_text(min, info->min_len), length_text(max, info->max_len),
              length_text(usual, info->default_len), info->available ? "yes" : "no");
}

static enum status run_hashes(struct cli *cli, const struct arguments *args)
{
    struct cid_hash_info info;

    if (!check_operands(cli, args))
        return STATUS_USAGE;
    if (!cli->as_json)
        out_print(&cli->out, "%-26s  %-8s  %5s  %5s  %7s  %s\n", "NAME", "CODE", "MIN", "MAX",
                  "DEFAULT", "AVAILABLE");
    for (size_t i = 0; cid_hash_at(&info, i) == CID_OK; i++) {
        if (cli->as_json)
            hash_json(cli, &info);
        else
            hash_row(&cli->out, &info);
    }
    return cli->status;
}

const struct command hashes_command = {
    "hashes",
    "",
    "list the hash functions, their lengths, and which this build has",
    "Lists the hash functions with the lengths of their digests in bytes ('-': none, or no\n"
    "limit), and whether this build can compute them.\n",
    no_options,
    run_hashes,
};
