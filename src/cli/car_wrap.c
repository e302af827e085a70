#include "buffer.h"
#include "car_out.h"
#include "commands.h"
#include "file.h"
#include "progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- wrap ---------------------------------------------------------------------------------- */

enum {
    WRAP_CODEC = OUT_OWN_OPTIONS,
    WRAP_IDENTITY,
    WRAP_DATA_PADDING,
    WRAP_INDEX_PADDING
};

static const struct option wrap_options[] = {
    OUT_OPTIONS,
    [WRAP_CODEC] = {"codec", 0, "CODE", "the kind of index, 0x0400 or 0x0401 (the default)"},
    [WRAP_IDENTITY] = {"identity", 0, NULL, "put identity CIDs into the index too"},
    [WRAP_DATA_PADDING] = {"data-padding", 0, "SIZE", "zero bytes before the payload"},
    [WRAP_INDEX_PADDING] = {"index-padding", 0, "SIZE", "zero bytes before the index"},
    {NULL, 0, NULL, NULL},
};

/* How long the payload will be, where that is known: an output that cannot go back needs it. */
static uint64_t payload_size(const struct car_file *file)
{
    const struct cid_car_info *info = cid_car_reader_info(file->reader);

    return info->version == 2 ? info->data_size : file->has_size ? file->size : 0;
}

static void wrap(struct cli *cli, struct car_file *file, struct car_out *out,
                 struct cid_car_writer_options *options, const char *output, bool may_be_padded)
{
    uint64_t padding;

    options->header = cid_car_reader_header(file->reader, &options->header_len);
    if (!car_out_open(cli, out, output))
        return;
    if (!out->sink.patch && !may_be_padded)
        options->data_size = payload_size(file);
    if (!car_out_write(cli, out, options) || !car_out_copy(cli, out, file, NULL, NULL))
        return;
    padding = cid_car_reader_info(file->reader)->padding_len;
    if (padding != 0 && !cli->as_json) {
        out_print(cli_message(cli), "the padding at the end is left out\n");
        cli_message_end(cli);
    }
    car_out_finish(cli, out);
}

static enum status run_wrap(struct cli *cli, const struct arguments *args)
{
    struct cid_car_writer_options options = {.version = 2};
    struct cid_car_options limits;
    struct car_file *file;
    struct car_out out = {0};

    options.index.identity = args->values[WRAP_IDENTITY] != NULL;
    if (!car_out_one_file(cli, args) || !car_out_options(cli, &limits, args, 0) ||
        !car_out_codec(cli, &options.index.codec, args->values[WRAP_CODEC]) ||
        !options_size(cli, &options.data_padding, "data-padding",
                      args->values[WRAP_DATA_PADDING]) ||
        !options_size(cli, &options.index_padding, "index-padding",
                      args->values[WRAP_INDEX_PADDING]))
        return STATUS_USAGE;
    options.section_limit = limits.section_limit;
    file = cli_alloc(sizeof *file);
    if (car_file_open(file, car_out_file_of(args), &limits))
        car_fail(cli, file, NULL);
    else
        wrap(cli, file, &out, &options, args->values[OUT_OUTPUT], limits.allow_padding);
    car_out_close(&out);
    car_file_close(file);
    free(file);
    return cli->status;
}

/* ---- unwrap -------------------------------------------------------------------------------- */

static const struct option unwrap_options[] = {
    OUT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

/* The payload goes out as it comes in, while the reader checks it. */
struct unwrap {
    struct car_out out;
    bool opening;
    struct buffer kept;   /* the last that was read while the archive was being opened */
    uint64_t kept_offset; /* of the first byte kept */
    size_t enough;        /* more than the head of the payload can take */
    uint64_t start, end;  /* of the payload */
    uint64_t written;
    enum cid_error error;
    int why; /* errno */
};

/* Writes what of these bytes belongs to the payload. */
static void put(struct unwrap *job, const char *bytes, size_t len, uint64_t offset)
{
    uint64_t from = offset < job->start ? job->start - offset : 0;
    uint64_t to = offset < job->end ? job->end - offset : 0;

    if (to > len)
        to = len;
    if (job->error || from >= to)
        return;
    job->error = job->out.sink.write(job->out.sink.ctx, bytes + from, (size_t)(to - from));
    job->why = errno;
    job->written += to - from;
}

/* Before the payload there may be any amount of padding, which is passed over here. */
static void keep(struct unwrap *job, const void *bytes, size_t len)
{
    struct buffer *kept = &job->kept;
    size_t drop;

    buffer_put(kept, bytes, len);
    if (kept->len / 2 < job->enough)
        return;
    drop = kept->len - job->enough;
    memmove(kept->data, kept->data + drop, job->enough);
    kept->len = job->enough;
    job->kept_offset += drop;
}

static void see(void *ctx, const void *bytes, size_t len, uint64_t offset)
{
    struct unwrap *job = ctx;

    if (job->opening)
        keep(job, bytes, len);
    else
        put(job, bytes, len, offset);
}

static void begin(struct unwrap *job, const struct cid_car_info *info)
{
    job->opening = false;
    job->start = info->data_offset;
    job->end = info->data_offset + info->data_size;
    put(job, job->kept.data, job->kept.len, job->kept_offset);
    buffer_free(&job->kept);
}

/* Reads all blocks, to check them; what is read goes out by the way. */
static bool pass(struct cli *cli, struct unwrap *job, struct car_file *file)
{
    struct car_last last = {0};
    struct progress progress;
    struct cid_car_block block;
    enum cid_error error = CID_OK;

    progress_begin(cli, &progress, file->has_size ? file->size : 0);
    while (!job->error && !(error = cid_car_reader_next(file->reader, &block))) {
        progress_step(&progress, block.section_in_file + block.section_len);
        job->out.blocks++;
        job->out.unverifiable += block.verdict == CID_UNVERIFIABLE;
        car_last_set(&last, &block);
    }
    progress_end(cli, &progress);
    if (job->error) {
        errno = job->why;
        car_out_fail(cli, &job->out, job->error);
    } else if (error != CID_END) {
        car_file_failed(file, error);
        car_fail(cli, file, &last);
    }
    cid_free(&last.cid, NULL);
    return !job->error && error == CID_END;
}

static void unwrap(struct cli *cli, struct unwrap *job, struct car_file *file, const char *output)
{
    const struct cid_car_info *info = cid_car_reader_info(file->reader);

    if (info->version != 2) {
        file_complain(cli, file->name, CID_E_CAR_VERSION, "this is a CARv1 already");
        return;
    }
    if (!car_out_open(cli, &job->out, output))
        return;
    job->out.version = 1;
    begin(job, info);
    if (pass(cli, job, file))
        car_out_finish(cli, &job->out);
}

static enum status run_unwrap(struct cli *cli, const struct arguments *args)
{
    struct cid_car_options limits;
    struct car_tap tap;
    struct unwrap job = {.opening = true};
    struct car_file *file;

    if (!car_out_one_file(cli, args) || !car_out_options(cli, &limits, args, 0))
        return STATUS_USAGE;
    job.enough = (size_t)(limits.header_limit ? limits.header_limit : CID_CAR_HEADER_LIMIT);
    job.enough += (size_t)4 << 20; /* the reader reads ahead */
    tap = (struct car_tap){see, &job};
    file = cli_alloc(sizeof *file);
    if (car_file_open_tapped(file, car_out_file_of(args), &limits, &tap))
        car_fail(cli, file, NULL);
    else
        unwrap(cli, &job, file, args->values[OUT_OUTPUT]);
    buffer_free(&job.kept);
    car_out_close(&job.out);
    car_file_close(file);
    free(file);
    return cli->status;
}

const struct command car_wrap_command = {
    "car wrap",
    "FILE",
    "make an indexed CARv2 of an archive",
    "Writes a CARv2 that holds the CARv1 as it is, and an index of its blocks. Every block is\n"
    "checked on the way. A CARv2 gets a new index. '-' is standard input; without -o the archive\n"
    "goes to standard output. The file appears when it is whole, and is never the input.\n"
    "'car unwrap' gives the CARv1 back, byte for byte. Only zero padding at the end, which\n"
    "--allow-padding accepts, is left out.\n"
    "\n"
    "Exit status: 0 it is written; 1 the input is broken or does not match, and nothing is\n"
    "written; 4 it is written, but blocks cannot be checked; 2 wrong usage; 3 reading or writing\n"
    "failed.\n",
    wrap_options,
    run_wrap,
};

const struct command car_unwrap_command = {
    "car unwrap",
    "FILE",
    "take the CARv1 out of a CARv2",
    "Writes the payload of a CARv2, byte for byte. Every block is checked on the way. '-' is\n"
    "standard input; without -o the archive goes to standard output. The file appears when it is\n"
    "whole, and is never the input.\n"
    "\n"
    "Exit status: 0 it is written; 1 the input is broken, does not match, or is no CARv2, and\n"
    "nothing is written; 4 it is written, but blocks cannot be checked; 2 wrong usage; 3 reading\n"
    "or writing failed.\n",
    unwrap_options,
    run_unwrap,
};
