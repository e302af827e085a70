#include "car_out.h"
#include "commands.h"
#include "file.h"
#include "names.h"
#include "subject.h"

#include <stdlib.h>
#include <string.h>

enum {
    OPTION_SET = OUT_OWN_OPTIONS,
    OPTION_VERSION
};

static const struct option options[] = {
    OUT_OPTIONS,
    [OPTION_SET] = {"set", 0, NULL, "copy the archive, with the CIDs behind FILE as its roots"},
    [OPTION_VERSION] = {"car-version", 0, "N", "write a CARv1 or CARv2; as the input is"},
    {NULL, 0, NULL, NULL},
};

/* ---- showing ------------------------------------------------------------------------------- */

static void show(struct cli *cli, const struct car_file *file)
{
    struct cid_view root;

    if (cli->as_json) {
        cid_json_object_begin(&cli->json);
        cid_json_key(&cli->json, "file");
        cid_json_text(&cli->json, file->name);
        cid_json_key(&cli->json, "ok");
        cid_json_bool(&cli->json, true);
        cid_json_key(&cli->json, "roots");
        cid_json_array_begin(&cli->json);
    }
    for (size_t i = 0; !cid_car_reader_root(&root, file->reader, i); i++) {
        char *text = cid_text(&root, CID_BASE_DEFAULT);
        if (cli->as_json) {
            cid_json_text(&cli->json, text);
        } else {
            out_text(&cli->out, text ? text : "?");
            out_char(&cli->out, '\n');
        }
        free(text);
    }
    if (cli->as_json) {
        cid_json_array_end(&cli->json);
        cid_json_object_end(&cli->json);
        cli_json_line(cli);
    }
}

static void show_roots(struct cli *cli, const char *name, const struct cid_car_options *limits)
{
    struct car_file *file = cli_alloc(sizeof *file);

    if (car_file_open(file, name, limits))
        car_fail(cli, file, NULL);
    else
        show(cli, file);
    car_file_close(file);
    free(file);
}

static enum status run_show(struct cli *cli, const struct arguments *args)
{
    struct cid_car_options limits;

    if (args->values[OUT_OUTPUT])
        return cli_usage(cli, "-o is for --set");
    if (!car_options(cli, &limits, args))
        return STATUS_USAGE;
    if (args->count == 0)
        show_roots(cli, "-", &limits);
    for (size_t i = 0; i < args->count && cli_going(cli); i++)
        show_roots(cli, args->operands[i], &limits);
    return cli->status;
}

/* ---- setting ------------------------------------------------------------------------------- */

/* Reads the CIDs behind the file. False after a failure that was told. */
static bool read_roots(struct cli *cli, struct subject *subjects, const struct arguments *args)
{
    bool good = true;

    for (size_t i = 1; i < args->count; i++) {
        struct item item = {.text = args->operands[i], .len = strlen(args->operands[i])};
        subject_read(&subjects[i], &item, ACCEPT_BARE);
        if (subjects[i].error)
            subject_complain(cli, &subjects[i]);
        good = good && !subjects[i].error;
    }
    return good;
}

static void tell_lost(struct cli *cli, const struct car_file *file)
{
    if (!(cid_car_reader_info(file->reader)->notes & CID_CAR_NOTE_EXTRA_KEYS) || cli->as_json)
        return;
    out_text(cli_message(cli), "the header's keys besides version and roots are left out\n");
    cli_message_end(cli);
}

static void copy(struct cli *cli, struct car_file *file, const struct arguments *args,
                 struct cid_car_writer_options *made)
{
    const struct cid_car_info *info = cid_car_reader_info(file->reader);
    struct car_out out;

    if (made->version == 0)
        made->version = (uint32_t)info->version;
    if (!car_out_open(cli, &out, args->values[OUT_OUTPUT]))
        return;
    if (car_out_write(cli, &out, made) && car_out_copy(cli, &out, file, NULL, NULL)) {
        tell_lost(cli, file);
        car_out_finish(cli, &out);
    }
    car_out_close(&out);
}

static enum status run_set(struct cli *cli, const struct arguments *args)
{
    struct arguments first = *args;
    struct cid_car_writer_options made = {0};
    struct cid_car_options limits;
    struct subject *subjects;
    struct cid_view *roots;
    struct car_file *file;

    if (args->count == 0)
        return cli_usage(cli, "whose roots? FILE comes first, then the CIDs");
    first.count = 1;
    if (!car_out_options(cli, &limits, &first, 0) ||
        !car_out_version(cli, &made.version, args->values[OPTION_VERSION]))
        return STATUS_USAGE;
    made.section_limit = limits.section_limit;
    subjects = cli_alloc(args->count * sizeof *subjects);
    roots = cli_alloc(args->count * sizeof *roots);
    file = cli_alloc(sizeof *file);
    file->fd = -1;
    if (read_roots(cli, subjects, args)) {
        for (size_t i = 1; i < args->count; i++)
            roots[i - 1] = subjects[i].view;
        made.roots = roots;
        made.root_count = args->count - 1;
        if (car_file_open(file, args->operands[0], &limits))
            car_fail(cli, file, NULL);
        else
            copy(cli, file, args, &made);
    }
    for (size_t i = 1; i < args->count; i++)
        subject_release(&subjects[i]);
    car_file_close(file);
    free(file);
    free(roots);
    free(subjects);
    return cli->status;
}

static enum status run(struct cli *cli, const struct arguments *args)
{
    return args->values[OPTION_SET] ? run_set(cli, args) : run_show(cli, args);
}

const struct command car_roots_command = {
    "car roots",
    "FILE... | --set FILE CID...",
    "print the roots of an archive, or copy it with others",
    "Prints the roots of archives, one a line; only the header is read. With --set, writes a copy\n"
    "of one archive whose roots are the CIDs given, which may be none: every block is checked on\n"
    "the way, and the file appears when it is whole. '-' is standard input; without -o the copy\n"
    "goes to standard output.\n"
    "\n"
    "Exit status: 0 all is good; 1 an archive or a CID is broken, or a block does not match, and\n"
    "nothing is written; 4 it is written, but blocks cannot be checked; 2 wrong usage; 3 reading\n"
    "or writing failed.\n",
    options,
    run,
};
