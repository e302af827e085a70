#include "car_scan.h"
#include "commands.h"
#include "names.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_JOBS = CAR_OWN_OPTIONS,
    OPTION_STRICT,
    OPTION_DAG,
    OPTION_ROOT
};

static const struct option options[] = {
    CAR_OPTIONS,
    [OPTION_JOBS] = {"jobs", 'j', "N", "hash with N threads; the default is the machine's"},
    [OPTION_STRICT] = {"strict", 0, NULL, "refuse what the specifications only discourage"},
    {NULL, 0, NULL, NULL},
};

static const struct option verify_options[] = {
    CAR_OPTIONS,
    [OPTION_JOBS] = {"jobs", 'j', "N", "hash with N threads; the default is the machine's"},
    [OPTION_STRICT] = {"strict", 0, NULL, "refuse what the specifications only discourage"},
    [OPTION_DAG] = {"dag", 0, NULL, "find what the blocks link to, and what of it is missing"},
    [OPTION_ROOT] = {"root", 0, "CID...", "start there, not at the roots; may be repeated"},
    {NULL, 0, NULL, NULL},
};

/* How many roots are shown. */
#define ROOTS_SHOWN 16

/* ---- inspect ------------------------------------------------------------------------------- */

static void row(struct output *out, const char *label)
{
    out_print(out, "%s%-10s%s  ", style_on(out, STYLE_LABEL), label, style_off(out));
}

static void put_head(struct output *out, const struct scan *scan, const struct cid_car_info *info)
{
    row(out, "file");
    text_put(out, scan->file.name, strlen(scan->file.name));
    out_char(out, '\n');
    row(out, "kind");
    if (info)
        out_print(out, "CARv%" PRIu64 ", ", info->version);
    out_print(out, "%" PRIu64 " bytes\n", scan_size(scan));
}

static void put_v2(struct output *out, const struct scan *scan, const struct cid_car_info *info)
{
    if (info->version != 2)
        return;
    row(out, "payload");
    out_print(out, "%" PRIu64 " bytes at byte %" PRIu64 "\n", info->data_size, info->data_offset);
    row(out, "index");
    if (info->index_offset != 0)
        out_print(out, "at byte %" PRIu64 ", codec 0x%04" PRIx64 ", ", info->index_offset,
                  scan->index.codec);
    index_check_words(out, &scan->index);
    out_char(out, '\n');
    if (scan->trailing != 0) {
        row(out, "trailing");
        out_print(out, "%" PRIu64 " bytes behind the payload that are no index\n", scan->trailing);
    }
}

static void put_note(struct output *out, uint32_t notes, uint32_t note, const char *text)
{
    if (!(notes & note))
        return;
    row(out, "note");
    style_text(out, STYLE_NOTE, text);
    out_char(out, '\n');
}

static void put_header(struct output *out, const struct cid_car_info *info)
{
    row(out, "header");
    out_print(out, "%" PRIu64 " bytes at byte %" PRIu64 "\n", info->header_len,
              info->header_offset);
    put_note(out, info->notes, CID_CAR_NOTE_KEY_ORDER, "the header's keys are not in order");
    put_note(out, info->notes, CID_CAR_NOTE_EXTRA_KEYS,
             "the header has keys besides version and roots");
    put_note(out, info->notes, CID_CAR_NOTE_NOT_MINIMAL, "the header's CBOR is longer than needed");
    put_note(out, info->notes, CID_CAR_NOTE_NO_ROOTS,
             "there are no roots; the specification wants at least one");
    put_note(out, info->notes, CID_CAR_NOTE_V2_BITS, "unknown characteristics bits are set");
    put_note(out, info->notes, CID_CAR_NOTE_V2_NO_INDEX,
             "it says that it is fully indexed, yet has no index");
}

static void put_roots(struct output *out, const struct scan *scan, const struct cid_car_info *info)
{
    row(out, "roots");
    out_print(out, "%zu", info->root_count);
    if (info->root_count != 0 && scan->roots_absent == 0 && !scan->unsure)
        out_text(out, info->root_count == 1 ? ", present" : ", all present");
    else if (scan->roots_absent != 0)
        out_print(out, ", %" PRIu64 " absent", scan->roots_absent);
    out_char(out, '\n');
    for (size_t i = 0; i < info->root_count && i < ROOTS_SHOWN; i++) {
        struct cid_view root;
        char *text;
        if (cid_car_reader_root(&root, scan->file.reader, i))
            break;
        text = cid_text(&root, CID_BASE_DEFAULT);
        row(out, "");
        style_text(out, STYLE_STRONG, text ? text : "?");
        out_text(out, scan->unsure || scan_has_root(scan, &root) ? "\n" : "  absent\n");
        free(text);
    }
    if (info->root_count > ROOTS_SHOWN) {
        row(out, "");
        out_print(out, "... and %zu more\n", info->root_count - ROOTS_SHOWN);
    }
}

static void put_sizes(struct output *out, const char *label, const struct sizes *sizes)
{
    row(out, label);
    out_print(out, "%" PRIu64 " to %" PRIu64 " bytes, %" PRIu64 " on average\n", sizes->min,
              sizes->max, sizes_mean(sizes));
}

static void put_tally(struct output *out, const char *label, const struct tally *tally,
                      const char *(*name_of)(char buf[NAME_SIZE], uint64_t code))
{
    char name[NAME_SIZE];

    row(out, label);
    for (size_t i = 0; i < tally->len; i++)
        out_print(out, "%s%s %" PRIu64, i != 0 ? ", " : "", name_of(name, tally->rows[i].code),
                  tally->rows[i].count);
    out_char(out, '\n');
}

static void put_blocks(struct output *out, const struct scan *scan)
{
    uint64_t unique = scan->unsure ? scan->blocks.count : scan_unique(scan);

    row(out, "blocks");
    out_print(out, "%" PRIu64, scan->blocks.count);
    if (unique < scan->blocks.count)
        out_print(out, " (%" PRIu64 " unique)", unique);
    out_print(out, ", %" PRIu64 " bytes of data\n", scan->blocks.sum);
    if (scan->blocks.count == 0)
        return;
    put_sizes(out, "data", &scan->blocks);
    put_sizes(out, "CIDs", &scan->cids);
    put_tally(out, "codecs", &scan->codecs, codec_name);
    put_tally(out, "hashes", &scan->hashes, hash_name);
}

static void put_verdict(struct output *out, const struct scan *scan)
{
    row(out, "verified");
    out_print(out, "%" PRIu64 " ok, %" PRIu64 " do not match, %" PRIu64 " cannot be checked\n",
              scan->good, scan->mismatches, scan->unverifiable);
    row(out, "result");
    if (scan->file.fault.code != CID_OK)
        style_text(out, STYLE_BAD, "broken: only what comes before the fault was counted");
    else if (scan->mismatches != 0)
        style_text(out, STYLE_BAD, "whole, but blocks do not match their CIDs");
    else if (scan->index.state == INDEX_BAD)
        style_text(out, STYLE_BAD, "whole, and every block good, but the index is not");
    else if (scan->status == STATUS_BAD)
        style_text(out, STYLE_BAD, "whole, and every block good, but not strictly so");
    else if (scan->status == STATUS_OPEN)
        style_text(out, STYLE_NOTE, "whole, but not all of it can be checked");
    else
        style_text(out, STYLE_GOOD, "whole, and every block matches its CID");
    out_char(out, '\n');
}

static void report(struct cli *cli, const struct scan *scan)
{
    const struct cid_car_info *info;
    struct output *out = &cli->out;

    if (!scan->file.reader)
        return; /* what is no archive has been told on standard error */
    info = cid_car_reader_info(scan->file.reader);
    put_head(out, scan, info);
    put_v2(out, scan, info);
    put_header(out, info);
    put_roots(out, scan, info);
    put_blocks(out, scan);
    if (info->padding_len != 0) {
        row(out, "padding");
        out_print(out, "%" PRIu64 " zero bytes at the end\n", info->padding_len);
    }
    put_verdict(out, scan);
}

/* ---- verify -------------------------------------------------------------------------------- */

static void put_count(struct output *out, uint64_t count, const char *what)
{
    out_print(out, "%" PRIu64 " %s%s", count, what, count == 1 ? "" : "s");
}

/* "FILE: ok, …" on standard output; anything else is an error and has its line there. */
static void summary(struct cli *cli, const struct scan *scan)
{
    const struct cid_car_info *info;
    bool good = scan->status == STATUS_GOOD;
    bool unknown = scan->only_roots || scan->unsure;
    uint64_t unique = unknown ? scan->blocks.count : scan_unique(scan);
    struct output *to;

    if (!scan->file.reader)
        return;
    info = cid_car_reader_info(scan->file.reader);
    to = good ? &cli->out : cli_message(cli);
    text_put(to, scan->file.name, strlen(scan->file.name));
    out_text(to, ": ");
    if (good)
        style_text(to, STYLE_GOOD, "ok");
    else if (scan->status == STATUS_OPEN)
        style_text(to, STYLE_NOTE, "not all checked");
    else
        style_text(to, STYLE_BAD, "BAD");
    out_print(to, ", CARv%" PRIu64 ", ", info->version);
    put_count(to, scan->blocks.count, "block");
    out_print(to, ", %" PRIu64 " bytes", scan_size(scan));
    if (!good)
        out_print(to, "; %" PRIu64 " ok, %" PRIu64 " do not match, %" PRIu64 " cannot be checked",
                  scan->good, scan->mismatches, scan->unverifiable);
    if (unique < scan->blocks.count)
        out_print(to, ", %" PRIu64 " of them more than once", scan->blocks.count - unique);
    if (scan->index.has_index) {
        out_text(to, "; index: ");
        index_check_words(to, &scan->index);
    }
    if (scan->trailing != 0)
        out_print(to, "; %" PRIu64 " bytes behind the payload", scan->trailing);
    if (info->padding_len != 0)
        out_print(to, ", %" PRIu64 " bytes of padding", info->padding_len);
    if (scan->dag.on) {
        out_text(to, "; ");
        dag_words(to, &scan->dag);
    }
    if (scan->roots_absent != 0) {
        out_text(to, "; ");
        put_count(to, scan->roots_absent, "root");
        out_text(to, " absent");
    }
    out_char(to, '\n');
    if (!good)
        cli_message_end(cli);
}

/* ---- commands ------------------------------------------------------------------------------ */

static bool parse_jobs(struct cli *cli, unsigned *jobs, const char *text)
{
    unsigned value = 0;

    if (!text)
        return true;
    for (; *text >= '0' && *text <= '9' && value <= CID_CAR_WORKERS_MAX; text++)
        value = value * 10 + (unsigned)(*text - '0');
    if (*text != '\0' || value == 0 || value > CID_CAR_WORKERS_MAX) {
        cli_usage(cli, "--jobs wants a number of threads from 1 to %d", CID_CAR_WORKERS_MAX);
        return false;
    }
    *jobs = value;
    return true;
}

static enum status run(struct cli *cli, const struct arguments *args,
                       void (*show)(struct cli *cli, const struct scan *scan), const char *gap)
{
    struct cid_car_options limits;
    struct dag_roots roots = {NULL, 0};
    bool dag = args->values[OPTION_DAG] || args->values[OPTION_ROOT];
    size_t count = args->count != 0 ? args->count : 1;
    unsigned jobs = 0;

    if (!car_options(cli, &limits, args) || !parse_jobs(cli, &jobs, args->values[OPTION_JOBS]) ||
        !dag_roots_parse(cli, &roots, args)) {
        dag_roots_free(&roots);
        return STATUS_USAGE;
    }
    limits.strict = args->values[OPTION_STRICT] != NULL;
    for (size_t i = 0; i < count && cli_going(cli); i++) {
        struct scan *scan = cli_alloc(sizeof *scan);
        scan->only_roots = show == summary && !cli->as_json && !dag;
        scan_run(cli, scan, args->count != 0 ? args->operands[i] : "-", &limits, jobs,
                 dag ? &roots : NULL);
        if (cli->as_json) {
            scan_json(cli, scan);
        } else {
            if (i != 0)
                out_text(&cli->out, gap);
            show(cli, scan);
        }
        scan_free(scan);
        free(scan);
    }
    dag_roots_free(&roots);
    return cli->status;
}

static enum status run_inspect(struct cli *cli, const struct arguments *args)
{
    return run(cli, args, report, "\n");
}

static enum status run_verify(struct cli *cli, const struct arguments *args)
{
    return run(cli, args, summary, "");
}

#define CAR_HELP                                                                                   \
    "'-' is standard input, which may be a pipe. Sizes are bytes, or end in K, M, G or T.\n"       \
    "Without -j a regular file over 64 MiB is hashed by as many threads as the machine has\n"      \
    "processors, anything else by one; the result is the same.\n"                                  \
    "\n"                                                                                           \
    "The index of a CARv2 is held against the blocks: its order, where each entry points, and\n"   \
    "what is missing. That of a pipe is kept for it, up to 64 MiB. --strict refuses archives\n"    \
    "without roots, other keys in the header, a header whose CBOR is not the shortest or not in\n" \
    "order, a CARv2 said to be fully indexed without an index, and bytes behind the payload.\n"    \
    "\n"                                                                                           \
    "Exit status: 0 whole and true; 1 broken, cut short, a block that does not match, or a bad\n"  \
    "index; 4 nothing wrong found, but a block or the index cannot be checked; 2 wrong usage;\n"   \
    "3 a file could not be read. A root that is no block of the archive is told and changes\n"     \
    "nothing.\n"

const struct command car_inspect_command = {
    "car inspect",
    "FILE...",
    "say what an archive holds, and whether it is whole and true",
    "Reads CAR archives, CARv1 or CARv2, hashes every block, and tells what is in them.\n" CAR_HELP,
    options,
    run_inspect,
};

const struct command car_verify_command = {
    "car verify",
    "FILE...",
    "check an archive: every block against its CID, and the index against the blocks",
    "Reads CAR archives, CARv1 or CARv2, and checks every block against its CID. A good archive\n"
    "gets a line on standard output, and everything wrong one on standard error, with its place.\n"
    "With --json prints what 'car inspect --json' prints. Memory does not grow with the archive,\n"
    "but with --json or --dag, where all CIDs are kept.\n"
    "\n"
    "--dag follows the links from the roots: it lists what is missing, each with a block that\n"
    "names it, and counts blocks that are not reachable, and those whose codec is not known, so\n"
    "that their links are not read. What stands in an identity CID is there. Blocks may come in\n"
    "any order; memory is that of the CIDs, and 4 bytes a link. A block that does not match its\n"
    "CID counts as missing. --root=CID starts there and means --dag. With it, status 4 is also\n"
    "for what is missing or not read, or if there are no roots, and 1 for a reachable block that\n"
    "is not what its codec says.\n"
    "\n" CAR_HELP,
    verify_options,
    run_verify,
};
