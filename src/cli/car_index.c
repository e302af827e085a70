#include "car_out.h"
#include "commands.h"
#include "file.h"
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_CODEC = OUT_OWN_OPTIONS,
    OPTION_IDENTITY
};

static const struct option options[] = {
    OUT_OPTIONS,
    [OPTION_CODEC] = {"codec", 0, "CODE", "the kind of index, 0x0400 or 0x0401 (the default)"},
    [OPTION_IDENTITY] = {"identity", 0, NULL, "put identity CIDs into the index too"},
    {NULL, 0, NULL, NULL},
};

/* Reads all blocks. False after a failure that was told. */
static bool gather(struct cli *cli, struct car_file *file, struct cid_car_indexer *indexer,
                   uint64_t *unverifiable)
{
    struct car_last last = {0};
    struct progress progress;
    struct cid_car_block block;
    enum cid_error error, failed = CID_OK;

    progress_begin(cli, &progress, file->has_size ? file->size : 0);
    while (!failed && !(error = cid_car_reader_next(file->reader, &block))) {
        progress_step(&progress, block.section_in_file + block.section_len);
        failed = cid_car_indexer_add(indexer, &block.cid, block.section_in_payload);
        *unverifiable += block.verdict == CID_UNVERIFIABLE;
        car_last_set(&last, &block);
    }
    progress_end(cli, &progress);
    if (failed) {
        file_complain(cli, file->name, failed, NULL);
    } else if (error != CID_END) {
        car_file_failed(file, error);
        car_fail(cli, file, &last);
        failed = error;
    }
    cid_free(&last.cid, NULL);
    return !failed;
}

static void tell(struct cli *cli, const struct car_out *out, const struct cid_car_index *index)
{
    struct cid_json *json = &cli->json;
    char codec[24];

    if (!cli->as_json || out->to_stdout)
        return;
    snprintf(codec, sizeof codec, "0x%04" PRIx64, cid_car_index_codec(index));
    cid_json_object_begin(json);
    cid_json_key(json, "file");
    cid_json_text(json, out->name);
    cid_json_key(json, "ok");
    cid_json_bool(json, true);
    cid_json_key(json, "codec");
    cid_json_text(json, codec);
    cid_json_key(json, "size");
    cid_json_u64(json, cid_car_index_size(index));
    cid_json_key(json, "entries");
    cid_json_u64(json, cid_car_index_count(index));
    cid_json_object_end(json);
    cli_json_line(cli);
}

static void write_index(struct cli *cli, const struct cid_car_index *index, const char *output,
                        uint64_t unverifiable)
{
    struct car_out out;
    enum cid_error error;

    if (car_out_open(cli, &out, output)) {
        error = cid_car_index_write(index, &out.sink);
        if (!error)
            error = cid_output_commit(out.output);
        if (error) {
            car_out_fail(cli, &out, error);
        } else {
            tell(cli, &out, index);
            car_out_unverifiable(cli, out.name, unverifiable);
        }
    }
    car_out_close(&out);
}

static void make_index(struct cli *cli, struct car_file *file, struct cid_car_indexer *indexer,
                       const char *output)
{
    struct cid_car_index *index = NULL;
    uint64_t unverifiable = 0;
    enum cid_error error;

    if (!gather(cli, file, indexer, &unverifiable))
        return;
    error = cid_car_indexer_finish(&index, indexer);
    if (error)
        file_complain(cli, file->name, error, NULL);
    else
        write_index(cli, index, output, unverifiable);
    cid_car_index_close(index);
}

static enum status run(struct cli *cli, const struct arguments *args)
{
    struct cid_car_index_options made = {.identity = args->values[OPTION_IDENTITY] != NULL};
    struct cid_car_indexer *indexer = NULL;
    struct cid_car_options limits;
    struct car_file *file;
    enum cid_error error;

    if (!car_out_one_file(cli, args) || !car_out_options(cli, &limits, args, 0) ||
        !car_out_codec(cli, &made.codec, args->values[OPTION_CODEC]))
        return STATUS_USAGE;
    limits.skip_data = limits.skip_verify;
    error = cid_car_indexer_open(&indexer, &made, NULL);
    if (error) {
        file_complain(cli, car_out_file_of(args), error, NULL);
        return cli->status;
    }
    file = cli_alloc(sizeof *file);
    if (car_file_open(file, car_out_file_of(args), &limits))
        car_fail(cli, file, NULL);
    else
        make_index(cli, file, indexer, args->values[OUT_OUTPUT]);
    cid_car_indexer_close(indexer);
    car_file_close(file);
    free(file);
    return cli->status;
}

const struct command car_index_command = {
    "car index",
    "FILE",
    "write an index of an archive to a file of its own",
    "Writes an index of the blocks of a CAR archive: for each multihash the offset of the section\n"
    "in the CARv1 payload, in the layout that go-car's programs read and write. Every block is\n"
    "checked on the way. An index that the archive has is not looked at; 'car index-list' shows\n"
    "it. Identity CIDs hold their blocks themselves and are left out, unless --identity is given.\n"
    "'-' is standard input; without -o the index goes to standard output. The file appears when\n"
    "it is whole.\n"
    "\n"
    "Exit status: 0 it is written; 1 the archive is broken or does not match, and nothing is\n"
    "written; 4 it is written, but blocks cannot be checked; 2 wrong usage; 3 reading or writing\n"
    "failed.\n",
    options,
    run,
};
