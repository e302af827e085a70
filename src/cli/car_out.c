#include "car_out.h"
#include "file.h"
#include "progress.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- options ------------------------------------------------------------------------------- */

static bool is_stdio(const char *name)
{
    return !name || strcmp(name, "-") == 0;
}

bool car_out_clashes(struct cli *cli, const char *output, const char *input)
{
    struct stat out, in;
    int failed = is_stdio(output) ? fstat(STDOUT_FILENO, &out) : stat(output, &out);

    if (failed || (is_stdio(input) ? fstat(STDIN_FILENO, &in) : stat(input, &in)))
        return false;
    if (!S_ISREG(out.st_mode) || out.st_dev != in.st_dev || out.st_ino != in.st_ino)
        return false;
    cli_usage(cli, "the output is the input");
    return true;
}

/* Whether standard output is one that the archive cannot go to. */
static bool is_unfit(struct cli *cli, const char *output)
{
    if (cli->as_json && is_stdio(output))
        cli_usage(cli, "--json needs -o FILE, since the output goes to standard output otherwise");
    else if (!output && isatty(STDOUT_FILENO))
        cli_usage(cli, "standard output is a terminal; name a file with -o");
    else
        return false;
    return true;
}

bool car_out_options(struct cli *cli, struct cid_car_options *out, const struct arguments *args,
                     size_t first)
{
    const char *output = args->values[OUT_OUTPUT];

    if (!car_options(cli, out, args) || is_unfit(cli, output))
        return false;
    out->skip_verify = args->values[OUT_NO_VERIFY] != NULL;
    out->pass_unverifiable = true;
    if (first == 0 && args->count == 0 && car_out_clashes(cli, output, "-"))
        return false;
    for (size_t i = first; i < args->count; i++)
        if (car_out_clashes(cli, output, args->operands[i]))
            return false;
    return true;
}

bool car_out_one_file(struct cli *cli, const struct arguments *args)
{
    if (args->count <= 1)
        return true;
    cli_usage(cli, "one file only");
    return false;
}

const char *car_out_file_of(const struct arguments *args)
{
    return args->count != 0 ? args->operands[0] : "-";
}

bool car_out_version(struct cli *cli, uint32_t *version, const char *text)
{
    if (!text)
        return true;
    if (strcmp(text, "1") != 0 && strcmp(text, "2") != 0) {
        cli_usage(cli, "--car-version wants 1 or 2");
        return false;
    }
    *version = text[0] == '1' ? 1 : 2;
    return true;
}

bool car_out_codec(struct cli *cli, uint64_t *codec, const char *text)
{
    static const struct {
        const char *text;
        uint64_t codec;
    } known[] = {
        {"0x0400", CID_CAR_INDEX_SORTED},
        {"0x400", CID_CAR_INDEX_SORTED},
        {"car-index-sorted", CID_CAR_INDEX_SORTED},
        {"0x0401", CID_CAR_INDEX_MULTIHASH_SORTED},
        {"0x401", CID_CAR_INDEX_MULTIHASH_SORTED},
        {"car-multihash-index-sorted", CID_CAR_INDEX_MULTIHASH_SORTED},
    };

    for (size_t i = 0; text && i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].text, text) == 0) {
            *codec = known[i].codec;
            return true;
        }
    if (text)
        cli_usage(cli, "--codec wants 0x0400 (by digest) or 0x0401 (by function and digest)");
    return !text;
}

/* ---- opening and closing ------------------------------------------------------------------- */

void car_out_fail(struct cli *cli, const struct car_out *out, enum cid_error error)
{
    int why = errno;

    if (error == CID_E_IO && out->to_stdout && why == EPIPE)
        cli_status(cli, STATUS_IO); /* a reader that has seen enough is no news */
    else if (error == CID_E_SEEK)
        file_complain(cli, out->name, error, "the output cannot go back; name a file with -o");
    else
        file_complain(cli, out->name, error, error == CID_E_IO ? strerror(why) : NULL);
    if (error == CID_E_OUTPUT_KIND || error == CID_E_SEEK)
        cli_status(cli, STATUS_IO);
}

bool car_out_open(struct cli *cli, struct car_out *out, const char *name)
{
    enum cid_error error;

    memset(out, 0, sizeof *out);
    out->to_stdout = is_stdio(name);
    out->name = out->to_stdout ? "standard output" : name;
    out_flush(&cli->out);
    if (out->to_stdout)
        error = cid_output_open_fd(&out->output, STDOUT_FILENO, NULL);
    else
        error = cid_output_open(&out->output, name, NULL);
    if (error) {
        car_out_fail(cli, out, error);
        return false;
    }
    out->sink = cid_output_sink(out->output);
    return true;
}

void car_out_close(struct car_out *out)
{
    cid_car_writer_close(out->writer);
    cid_output_close(out->output);
    out->writer = NULL;
    out->output = NULL;
}

/* ---- archives ------------------------------------------------------------------------------ */

bool car_out_write(struct cli *cli, struct car_out *out,
                   const struct cid_car_writer_options *options)
{
    enum cid_error error = cid_car_writer_open_sink(&out->writer, &out->sink, options, NULL);

    out->version = options->version == 2 ? 2 : 1;
    if (error)
        car_out_fail(cli, out, error);
    return !error;
}

bool car_out_put(struct cli *cli, struct car_out *out, const struct cid_car_block *block)
{
    uint64_t offset = 0;
    enum cid_error error =
        cid_car_writer_put(out->writer, &offset, &block->cid, block->data, block->data_len);

    if (error) {
        car_out_fail(cli, out, error);
        return false;
    }
    if (offset == UINT64_MAX) {
        out->left_out++;
        return true;
    }
    out->blocks++;
    out->unverifiable += block->verdict == CID_UNVERIFIABLE;
    return true;
}

bool car_out_copy(struct cli *cli, struct car_out *out, struct car_file *file,
                  bool (*wanted)(void *ctx, const struct cid_car_block *block), void *ctx)
{
    struct car_last last = {0};
    struct progress progress;
    struct cid_car_block block;
    enum cid_error error;
    bool good = true;

    progress_begin(cli, &progress, file->has_size ? file->size : 0);
    while (good && !(error = cid_car_reader_next(file->reader, &block))) {
        progress_step(&progress, block.section_in_file + block.section_len);
        if (wanted && !wanted(ctx, &block))
            out->left_out++;
        else
            good = car_out_put(cli, out, &block);
        car_last_set(&last, &block);
    }
    progress_end(cli, &progress);
    if (good && error != CID_END) {
        car_file_failed(file, error);
        car_fail(cli, file, &last);
        good = false;
    }
    cid_free(&last.cid, NULL);
    return good;
}

/* ---- the end ------------------------------------------------------------------------------- */

static void tell(struct cli *cli, const struct car_out *out, uint64_t size)
{
    struct cid_json *json = &cli->json;

    if (!cli->as_json || out->to_stdout)
        return;
    cid_json_object_begin(json);
    cid_json_key(json, "file");
    cid_json_text(json, out->name);
    cid_json_key(json, "ok");
    cid_json_bool(json, true);
    cid_json_key(json, "version");
    cid_json_u64(json, out->version);
    cid_json_key(json, "size");
    cid_json_u64(json, size);
    cid_json_key(json, "blocks");
    cid_json_u64(json, out->blocks);
    cid_json_key(json, "left_out");
    cid_json_u64(json, out->left_out);
    cid_json_key(json, "unverifiable");
    cid_json_u64(json, out->unverifiable);
    cid_json_object_end(json);
    cli_json_line(cli);
}

void car_out_unverifiable(struct cli *cli, const char *name, uint64_t count)
{
    struct output *err;

    if (count == 0)
        return;
    cli_status(cli, STATUS_OPEN);
    if (cli->as_json)
        return;
    err = cli_message(cli);
    text_put(err, name, strlen(name));
    out_print(err, ": written, but %" PRIu64 " %s be checked\n", count,
              count == 1 ? "block cannot" : "blocks cannot");
    cli_message_end(cli);
}

void car_out_finish(struct cli *cli, struct car_out *out)
{
    uint64_t size = 0;
    enum cid_error error = CID_OK;

    if (out->writer)
        error = cid_car_writer_finish(out->writer, &size);
    if (!error)
        error = cid_output_commit(out->output);
    if (error) {
        car_out_fail(cli, out, error);
        return;
    }
    if (out->writer)
        tell(cli, out, size);
    car_out_unverifiable(cli, out->name, out->unverifiable);
}
