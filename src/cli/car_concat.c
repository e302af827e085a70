#include "car_out.h"
#include "commands.h"
#include "file.h"

#include <cid/set.h>

#include <stdlib.h>
#include <string.h>

enum {
    OPTION_DEDUPE = OUT_OWN_OPTIONS,
    OPTION_VERSION
};

static const struct option options[] = {
    OUT_OPTIONS,
    [OPTION_DEDUPE] = {"dedupe", 0, NULL, "write a block that is there twice only once"},
    [OPTION_VERSION] = {"car-version", 0, "N", "write a CARv1 (the default) or a CARv2"},
    {NULL, 0, NULL, NULL},
};

/* Adds the roots of an archive that is open. */
static enum cid_error add_roots(struct cid_set *roots, const struct car_file *file)
{
    struct cid_view root;
    enum cid_error error = CID_OK;

    for (size_t i = 0; !error && !cid_car_reader_root(&root, file->reader, i); i++)
        error = cid_set_add(roots, NULL, &root);
    return error;
}

/*
 * Opens every archive once for its roots, since they go to the front. Standard input stays open in
 * *in for the second time.
 */
static bool gather_roots(struct cli *cli, struct cid_set *roots, struct car_file *in,
                         const struct arguments *args, const struct cid_car_options *limits)
{
    bool good = true;

    for (size_t i = 0; i < args->count && good; i++) {
        bool is_stdin = strcmp(args->operands[i], "-") == 0;
        struct car_file *file = is_stdin ? in : cli_alloc(sizeof *file);
        enum cid_error error = car_file_open(file, args->operands[i], limits);
        if (error) {
            car_fail(cli, file, NULL);
        } else {
            error = add_roots(roots, file);
            if (error)
                file_complain(cli, file->name, error, NULL);
        }
        good = !error;
        if (!is_stdin) {
            car_file_close(file);
            free(file);
        }
    }
    return good;
}

static bool copy(struct cli *cli, struct car_out *out, struct car_file *in, const char *name,
                 const struct cid_car_options *limits)
{
    struct car_file *file;
    bool good = false;

    if (strcmp(name, "-") == 0)
        return car_out_copy(cli, out, in, NULL, NULL);
    file = cli_alloc(sizeof *file);
    if (car_file_open(file, name, limits))
        car_fail(cli, file, NULL);
    else
        good = car_out_copy(cli, out, file, NULL, NULL);
    car_file_close(file);
    free(file);
    return good;
}

static void concat(struct cli *cli, struct car_file *in, const struct arguments *args,
                   const struct cid_car_options *limits, struct cid_car_writer_options *made)
{
    struct car_out out;
    bool good = car_out_open(cli, &out, args->values[OUT_OUTPUT]);

    if (!good)
        return;
    good = car_out_write(cli, &out, made);
    for (size_t i = 0; i < args->count && good; i++)
        good = copy(cli, &out, in, args->operands[i], limits);
    if (good)
        car_out_finish(cli, &out);
    car_out_close(&out);
}

static bool check_operands(struct cli *cli, const struct arguments *args)
{
    size_t dashes = 0;

    for (size_t i = 0; i < args->count; i++)
        dashes += strcmp(args->operands[i], "-") == 0;
    if (args->count == 0)
        cli_usage(cli, "no archives given");
    else if (dashes > 1)
        cli_usage(cli, "standard input can be read only once");
    return args->count != 0 && dashes <= 1;
}

static enum status run(struct cli *cli, const struct arguments *args)
{
    struct cid_car_writer_options made = {.dedupe = args->values[OPTION_DEDUPE] != NULL};
    struct cid_car_options limits;
    struct cid_set *roots = NULL;
    struct cid_view *list;
    struct car_file *in;

    if (!check_operands(cli, args) || !car_out_options(cli, &limits, args, 0) ||
        !car_out_version(cli, &made.version, args->values[OPTION_VERSION]))
        return STATUS_USAGE;
    made.section_limit = limits.section_limit;
    if (cid_set_open(&roots, NULL)) {
        file_complain(cli, args->operands[0], CID_E_NOMEM, NULL);
        return cli->status;
    }
    in = cli_alloc(sizeof *in);
    in->fd = -1;
    if (gather_roots(cli, roots, in, args, &limits)) {
        list = cli_alloc((size_t)(cid_set_count(roots) + 1) * sizeof *list);
        while (!cid_set_at(&list[made.root_count], roots, made.root_count))
            made.root_count++;
        made.roots = list;
        concat(cli, in, args, &limits, &made);
        free(list);
    }
    car_file_close(in);
    free(in);
    cid_set_close(roots);
    return cli->status;
}

const struct command car_concat_command = {
    "car concat",
    "FILE...",
    "join archives",
    "Writes an archive with the blocks of all archives, one after the other. Its roots are those\n"
    "of all, in their order, each once. Every block is checked on the way. One of the files may\n"
    "be '-', standard input; without -o the archive goes to standard output. The file appears\n"
    "when it is whole.\n"
    "\n"
    "Exit status: 0 it is written; 1 an archive is broken or does not match, and nothing is\n"
    "written; 4 it is written, but blocks cannot be checked; 2 wrong usage; 3 reading or writing\n"
    "failed.\n",
    options,
    run,
};
