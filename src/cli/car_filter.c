#include "car_out.h"
#include "commands.h"
#include "file.h"
#include "lines.h"
#include "pages.h"

#include <cid/set.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_CIDS = OUT_OWN_OPTIONS,
    OPTION_INVERT,
    OPTION_DEDUPE,
    OPTION_VERSION
};

static const struct option options[] = {
    OUT_OPTIONS,
    [OPTION_CIDS] = {"cids", 0, "LIST", "a file with the CIDs to keep, one a line"},
    [OPTION_INVERT] = {"invert", 0, NULL, "keep the blocks that are not in the list"},
    [OPTION_DEDUPE] = {"dedupe", 0, NULL, "write a block that is there twice only once"},
    [OPTION_VERSION] = {"car-version", 0, "N", "write a CARv1 or CARv2; as the input is"},
    {NULL, 0, NULL, NULL},
};

struct filter {
    struct cid_set *wanted; /* as CIDv1, so that a CIDv0 is as its CIDv1 */
    struct cid_set *met;    /* of those wanted */
    bool lost_count;        /* there was no memory for met */
    bool invert;
};

/* The CIDv1 of a CID, which keep owns if it is another one. */
static struct cid_view as_v1(const struct cid_view *view, struct cid *keep)
{
    memset(keep, 0, sizeof *keep);
    if (view->version == 1 || cid_to_v1(keep, view, NULL))
        return *view;
    return cid_as_view(keep);
}

static bool add(struct cid_set *set, const struct cid_view *view)
{
    struct cid keep;
    struct cid_view one = as_v1(view, &keep);
    enum cid_error error = cid_set_add(set, NULL, &one);

    cid_free(&keep, NULL);
    return !error;
}

static bool is_wanted(void *ctx, const struct cid_car_block *block)
{
    struct filter *filter = ctx;
    struct cid keep;
    struct cid_view one = as_v1(&block->cid, &keep);
    bool listed = cid_set_has(filter->wanted, &one);

    if (listed && cid_set_add(filter->met, NULL, &one))
        filter->lost_count = true;
    cid_free(&keep, NULL);
    return listed != filter->invert;
}

/* Reads the list; a line that is no CID stops the run, since it would change what is written. */
static bool read_list(struct cli *cli, struct filter *filter, const char *name)
{
    struct lines lines;
    struct subject subject;
    const char *rest;
    size_t rest_len;
    bool good = lines_open(cli, &lines, name);

    while (good && lines_next(&lines, &subject, &rest, &rest_len)) {
        if (subject.error) {
            subject_complain(cli, &subject);
            good = false;
        } else if (!add(filter->wanted, &subject.view)) {
            file_complain(cli, name, CID_E_NOMEM, NULL);
            good = false;
        }
        subject_release(&subject);
    }
    lines_free(&lines);
    return good;
}

/* The roots that stay: those whose blocks are kept, and those that are blocks themselves. */
static size_t keep_roots(struct filter *filter, const struct car_file *file, struct cid_view *roots)
{
    size_t count = 0;
    struct cid_view root;

    for (size_t i = 0; !cid_car_reader_root(&root, file->reader, i); i++) {
        struct cid keep;
        struct cid_view one = as_v1(&root, &keep);
        if (root.hash.code == CID_HASH_IDENTITY ||
            cid_set_has(filter->wanted, &one) != filter->invert)
            roots[count++] = root;
        cid_free(&keep, NULL);
    }
    return count;
}

static void tell_absent(struct cli *cli, const struct filter *filter, const char *list)
{
    uint64_t absent = cid_set_count(filter->wanted) - cid_set_count(filter->met);

    if (absent == 0 || cli->as_json || filter->lost_count)
        return;
    out_print(cli_message(cli), "%s: %" PRIu64 " of the CIDs %s not in the archive\n",
              strcmp(list, "-") == 0 ? "standard input" : "the list", absent,
              absent == 1 ? "is" : "are");
    cli_message_end(cli);
}

static void filter_blocks(struct cli *cli, struct filter *filter, struct car_file *file,
                          const struct arguments *args, struct cid_car_writer_options *made)
{
    const struct cid_car_info *info = cid_car_reader_info(file->reader);
    struct cid_view *roots = cli_alloc((info->root_count + 1) * sizeof *roots);
    struct car_out out;

    made->version = (uint32_t)info->version;
    made->root_count = keep_roots(filter, file, roots);
    made->roots = roots;
    if (made->root_count == info->root_count) { /* the header can stay, whatever else is in it */
        made->root_count = 0;
        made->header = cid_car_reader_header(file->reader, &made->header_len);
    }
    if (car_out_version(cli, &made->version, args->values[OPTION_VERSION]) &&
        car_out_open(cli, &out, args->values[OUT_OUTPUT])) {
        if (car_out_write(cli, &out, made) && car_out_copy(cli, &out, file, is_wanted, filter)) {
            tell_absent(cli, filter, args->values[OPTION_CIDS]);
            car_out_finish(cli, &out);
        }
        car_out_close(&out);
    }
    free(roots);
}

static enum status run(struct cli *cli, const struct arguments *args)
{
    struct filter filter = {.invert = args->values[OPTION_INVERT] != NULL};
    struct cid_car_writer_options made = {.dedupe = args->values[OPTION_DEDUPE] != NULL};
    const char *list = args->values[OPTION_CIDS];
    struct cid_car_options limits;
    struct car_file *file;
    uint32_t version = 0;

    if (!list)
        return cli_usage(cli, "which blocks? --cids names a file with their CIDs");
    if (strcmp(list, "-") == 0 && strcmp(car_out_file_of(args), "-") == 0)
        return cli_usage(cli, "the list and the archive cannot both be standard input");
    if (!car_out_one_file(cli, args) || !car_out_options(cli, &limits, args, 0) ||
        !car_out_version(cli, &version, args->values[OPTION_VERSION]))
        return STATUS_USAGE;
    if (car_out_clashes(cli, args->values[OUT_OUTPUT], list))
        return STATUS_USAGE;
    made.section_limit = limits.section_limit;
    file = cli_alloc(sizeof *file);
    file->fd = -1;
    if (cid_set_open(&filter.wanted, &pages_allocator) ||
        cid_set_open(&filter.met, &pages_allocator))
        file_complain(cli, list, CID_E_NOMEM, NULL);
    else if (read_list(cli, &filter, list) &&
             car_file_open(file, car_out_file_of(args), &limits) == CID_OK)
        filter_blocks(cli, &filter, file, args, &made);
    else if (file->fault.code)
        car_fail(cli, file, NULL);
    cid_set_close(filter.wanted);
    cid_set_close(filter.met);
    car_file_close(file);
    free(file);
    return cli->status;
}

const struct command car_filter_command = {
    "car filter",
    "FILE",
    "copy the blocks that a list names",
    "Writes an archive with those blocks of another whose CIDs are in a list, or, with --invert,\n"
    "with all others, in their order. A CIDv0 in the list is as its CIDv1. Roots whose blocks are\n"
    "not kept are left out of the header. Every block is checked on the way. '-' is standard\n"
    "input, for the list or for the archive; without -o the archive goes to standard output.\n"
    "CIDs of the list that are not in the archive are told and change nothing.\n"
    "\n"
    "Exit status: 0 it is written; 1 the archive or the list is broken, or a block does not\n"
    "match, and nothing is written; 4 it is written, but blocks cannot be checked; 2 wrong usage;\n"
    "3 reading or writing failed.\n",
    options,
    run,
};
