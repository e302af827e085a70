#include "car_file.h"
#include "commands.h"
#include "names.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum {
    OPTION_QUIET = CAR_OWN_OPTIONS
};

static const struct option options[] = {
    CAR_OPTIONS,
    [OPTION_QUIET] = {"quiet", 'q', NULL, "print the CIDs only"},
    {NULL, 0, NULL, NULL},
};

static void put_u64(struct cid_json *json, const char *key, uint64_t value)
{
    cid_json_key(json, key);
    cid_json_u64(json, value);
}

static void block_json(struct cli *cli, const struct cid_car_block *block, const char *text)
{
    struct cid_json *json = &cli->json;
    char name[NAME_SIZE];

    cid_json_object_begin(json);
    cid_json_key(json, "cid");
    cid_json_text(json, text);
    put_u64(json, "offset", block->section_in_file);
    put_u64(json, "length", block->section_len);
    put_u64(json, "data_offset", block->section_in_file + block->section_len - block->data_len);
    put_u64(json, "data_length", block->data_len);
    cid_json_key(json, "codec");
    cid_json_text(json, codec_name(name, block->cid.codec));
    cid_json_key(json, "hash");
    cid_json_text(json, hash_name(name, block->cid.hash.code));
    cid_json_object_end(json);
    cli_json_line(cli);
}

static void block_row(struct output *out, const struct cid_car_block *block, const char *text)
{
    char codec[NAME_SIZE], hash[NAME_SIZE];

    /* There may be millions of them, and printf would take most of the time. */
    out_number(out, block->section_in_file, 12);
    out_text(out, "  ");
    out_number(out, block->section_len, 10);
    out_text(out, "  ");
    out_number(out, block->data_len, 10);
    out_text(out, "  ");
    out_column(out, codec_name(codec, block->cid.codec), 10);
    out_text(out, "  ");
    out_column(out, hash_name(hash, block->cid.hash.code), 12);
    out_text(out, "  ");
    out_text(out, text);
    out_char(out, '\n');
}

static void put_block(struct cli *cli, const struct cid_car_block *block, bool quiet)
{
    char *text = cid_text(&block->cid, CID_BASE_DEFAULT);

    if (cli->as_json) {
        block_json(cli, block, text);
    } else if (quiet) {
        out_text(&cli->out, text ? text : "?");
        out_char(&cli->out, '\n');
    } else {
        block_row(&cli->out, block, text ? text : "?");
    }
    free(text);
}

static void list(struct cli *cli, const char *name, const struct cid_car_options *limits,
                 bool quiet)
{
    struct car_file *file = cli_alloc(sizeof *file);
    enum cid_error error = car_file_open(file, name, limits);
    struct cid_car_block block;

    if (!error && !cli->as_json && !quiet)
        out_print(&cli->out, "%12s  %10s  %10s  %-10s  %-12s  %s\n", "OFFSET", "LENGTH", "DATA",
                  "CODEC", "HASH", "CID");
    while (!error && cli_going(cli)) {
        error = cid_car_reader_next(file->reader, &block);
        if (!error)
            put_block(cli, &block, quiet);
        else if (error != CID_END)
            car_file_failed(file, error);
    }
    if (error && error != CID_END)
        car_fail(cli, file, NULL);
    car_file_close(file);
    free(file);
}

static void put_title(struct cli *cli, const char *name, bool first)
{
    out_text(&cli->out, first ? "" : "\n");
    out_text(&cli->out, "==> ");
    text_put(&cli->out, name, strlen(name));
    out_text(&cli->out, " <==\n");
}

static enum status run(struct cli *cli, const struct arguments *args)
{
    bool quiet = args->values[OPTION_QUIET] != NULL;
    struct cid_car_options limits;

    if (!car_options(cli, &limits, args))
        return STATUS_USAGE;
    limits.skip_data = true;
    if (args->count == 0)
        list(cli, "-", &limits, quiet);
    for (size_t i = 0; i < args->count && cli_going(cli); i++) {
        if (args->count > 1 && !quiet && !cli->as_json)
            put_title(cli, args->operands[i], i == 0);
        list(cli, args->operands[i], &limits, quiet);
    }
    return cli->status;
}

const struct command car_list_command = {
    "car list",
    "FILE...",
    "list the blocks of an archive",
    "Lists the blocks of CAR archives in the order of the file: the offset and length of the\n"
    "section in the file, the length of the data, codec, hash function and CID. Nothing is\n"
    "hashed; 'car verify' does that. Of a regular file, the data of large blocks is not even "
    "read.\n"
    "'-' is standard input. Sizes are bytes, or end in K, M, G or T.\n"
    "\n"
    "Exit status: 0 the whole archive was listed, 1 it is broken or cut short, 2 wrong usage,\n"
    "3 a file could not be read.\n",
    options,
    run,
};
