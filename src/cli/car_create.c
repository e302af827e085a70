#include "car_out.h"
#include "commands.h"
#include "file.h"
#include "lines.h"
#include "names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_LIST = OUT_OWN_OPTIONS,
    OPTION_CODEC,
    OPTION_HASH,
    OPTION_ROOTS,
    OPTION_DEDUPE,
    OPTION_VERSION
};

static const struct option options[] = {
    OUT_OPTIONS,
    [OPTION_LIST] = {"list", 0, "LIST", "a file of lines 'CID path', in place of FILE..."},
    [OPTION_CODEC] = {"codec", 0, "NAME", "the codec of FILE...; the default is raw"},
    [OPTION_HASH] = {"hash", 0, "NAME", "the hash function; the default is sha2-256"},
    [OPTION_ROOTS] = {"roots", 0, "WHICH", "first (the default), all or none of the blocks"},
    [OPTION_DEDUPE] = {"dedupe", 0, NULL, "write a block that is there twice only once"},
    [OPTION_VERSION] = {"car-version", 0, "N", "write a CARv1 (the default) or a CARv2"},
    {NULL, 0, NULL, NULL},
};

/* A block that is to be. */
struct source {
    char *path;
    struct cid cid; /* given, or made for the header; else undefined */
};

struct job {
    struct cli *cli;
    struct source *sources;
    size_t count, cap;
    uint64_t codec, hash;
    uint64_t limit;           /* of a section */
    struct buffer stdin_data; /* it can be read only once */
    bool stdin_read;
    bool all, none; /* of the blocks are roots; else the first is */
};

/* ---- the list ------------------------------------------------------------------------------ */

static struct source *add(struct job *job, const char *path, size_t len)
{
    struct source *source;

    if (job->count == job->cap) {
        struct source *more = cli_alloc((job->cap * 2 + 64) * sizeof *more);
        if (job->count != 0)
            memcpy(more, job->sources, job->count * sizeof *more);
        free(job->sources);
        job->sources = more;
        job->cap = job->cap * 2 + 64;
    }
    source = &job->sources[job->count++];
    memset(source, 0, sizeof *source);
    source->path = cli_alloc(len + 1);
    memcpy(source->path, path, len);
    return source;
}

/* Takes a line: a CID, and the path of the file with its block. */
static bool take_line(struct job *job, const struct lines *lines, const struct subject *subject,
                      const char *path, size_t len)
{
    struct source *source;

    if (subject->error) {
        subject_complain(job->cli, subject);
        return false;
    }
    if (len == 0 || memchr(path, '\0', len)) {
        file_complain(job->cli, lines->name, CID_E_ARGUMENT, "a line has no path behind its CID");
        return false;
    }
    source = add(job, path, len);
    return !cid_own(&source->cid, &subject->view, NULL);
}

static bool read_list(struct job *job, const char *name)
{
    struct lines lines;
    struct subject subject;
    const char *path;
    size_t len;
    bool good = lines_open(job->cli, &lines, name);

    while (good && lines_next(&lines, &subject, &path, &len)) {
        good = take_line(job, &lines, &subject, path, len);
        subject_release(&subject);
    }
    lines_free(&lines);
    return good;
}

/* ---- blocks -------------------------------------------------------------------------------- */

static int load_file(struct job *job, struct buffer *data, const char *path)
{
    int fd, failure = file_open(&fd, path);

    if (!failure)
        failure = file_read_all(data, fd, job->limit);
    file_close(fd);
    return failure;
}

/* The bytes of a source, which *data owns unless they are those of standard input. */
static bool load(struct job *job, struct cid_data *bytes, struct buffer *data,
                 const struct source *source)
{
    bool is_stdin = strcmp(source->path, "-") == 0;
    struct buffer *to = is_stdin ? &job->stdin_data : data;
    int failure = 0;

    if (!is_stdin || !job->stdin_read)
        failure = load_file(job, to, source->path);
    job->stdin_read = job->stdin_read || is_stdin;
    if (failure == EFBIG)
        file_complain(job->cli, source->path, CID_E_SECTION_LIMIT, NULL);
    else if (failure)
        file_complain(job->cli, source->path, CID_E_IO, strerror(failure));
    *bytes = (struct cid_data){to->data, to->len};
    return !failure;
}

/* Makes the CID of a source, for the header. */
static bool name_source(struct job *job, struct source *source)
{
    struct buffer data = {0};
    struct cid_data bytes;
    bool good = load(job, &bytes, &data, source);
    enum cid_error error = CID_OK;

    if (good)
        error = cid_sum_v1(&source->cid, job->codec, job->hash, CID_DIGEST_DEFAULT, bytes.data,
                           bytes.len, NULL);
    if (error)
        file_complain(job->cli, source->path, error, NULL);
    buffer_free(&data);
    return good && !error;
}

/* Checks the bytes against the CID that the source has, or makes that now. */
static enum cid_error settle(const struct job *job, struct source *source,
                             struct cid_car_block *block)
{
    enum cid_error error;

    if (!cid_is_defined(&source->cid)) {
        error = cid_sum_v1(&source->cid, job->codec, job->hash, CID_DIGEST_DEFAULT, block->data,
                           block->data_len, NULL);
        block->verdict = CID_GOOD;
        block->cid = cid_as_view(&source->cid);
        return error;
    }
    block->cid = cid_as_view(&source->cid);
    error = cid_verify(&block->cid, block->data, block->data_len, NULL);
    block->verdict = error == CID_E_UNVERIFIABLE ? CID_UNVERIFIABLE : CID_GOOD;
    return error == CID_E_UNVERIFIABLE ? CID_OK : error;
}

static bool put(struct job *job, struct car_out *out, struct source *source, bool verify)
{
    struct cid_car_block block = {0};
    struct buffer data = {0};
    struct cid_data bytes;
    enum cid_error error = CID_OK;
    bool good = load(job, &bytes, &data, source);

    if (good) {
        block.data = bytes.data;
        block.data_len = bytes.len;
        block.cid = cid_as_view(&source->cid);
        if (verify || block.cid.len == 0)
            error = settle(job, source, &block);
        if (error)
            file_complain(job->cli, source->path, error,
                          error == CID_E_MISMATCH ? "the file does not match its CID" : NULL);
        good = !error && car_out_put(job->cli, out, &block);
    }
    buffer_free(&data);
    cid_free(&source->cid, NULL);
    return good;
}

/* ---- the archive --------------------------------------------------------------------------- */

static void write_all(struct job *job, const struct arguments *args,
                      const struct cid_car_writer_options *made)
{
    struct car_out out;
    bool verify = args->values[OUT_NO_VERIFY] == NULL, good;

    if (!car_out_open(job->cli, &out, args->values[OUT_OUTPUT]))
        return;
    good = car_out_write(job->cli, &out, made);
    for (size_t i = 0; i < job->count && good; i++)
        good = put(job, &out, &job->sources[i], verify);
    if (good)
        car_out_finish(job->cli, &out);
    car_out_close(&out);
}

static void create(struct job *job, const struct arguments *args,
                   struct cid_car_writer_options *made)
{
    size_t count = job->none ? 0 : job->all ? job->count : job->count != 0;
    struct cid_view *roots = cli_alloc((count + 1) * sizeof *roots);
    bool good = true;

    for (size_t i = 0; i < count && good; i++) {
        if (!cid_is_defined(&job->sources[i].cid))
            good = name_source(job, &job->sources[i]);
        roots[i] = cid_as_view(&job->sources[i].cid);
    }
    made->roots = roots;
    made->root_count = count;
    if (good)
        write_all(job, args, made);
    free(roots);
}

/* ---- the call ------------------------------------------------------------------------------ */

static bool parse_roots(struct job *job, const char *text)
{
    job->all = text && strcmp(text, "all") == 0;
    job->none = text && strcmp(text, "none") == 0;
    if (!text || job->all || job->none || strcmp(text, "first") == 0)
        return true;
    cli_usage(job->cli, "--roots wants first, all or none");
    return false;
}

static bool check_call(struct job *job, const struct arguments *args)
{
    const char *list = args->values[OPTION_LIST];
    struct cid_hash_info info;

    if (!list && args->count == 0)
        cli_usage(job->cli, "no files given, and no --list");
    else if (list && args->count != 0)
        cli_usage(job->cli, "either files or --list");
    else if (list && (args->values[OPTION_CODEC] || args->values[OPTION_HASH]))
        cli_usage(job->cli, "the CIDs of a list have their codec and hash function");
    else if (cid_hash_by_code(&info, job->hash) || !info.available)
        cli_usage(job->cli, "this build does not have that hash function");
    else
        return true;
    return false;
}

static void release(struct job *job)
{
    for (size_t i = 0; i < job->count; i++) {
        free(job->sources[i].path);
        cid_free(&job->sources[i].cid, NULL);
    }
    free(job->sources);
    buffer_free(&job->stdin_data);
}

static enum status run(struct cli *cli, const struct arguments *args)
{
    struct cid_car_writer_options made = {.dedupe = args->values[OPTION_DEDUPE] != NULL};
    struct job job = {.cli = cli, .codec = CID_CODEC_RAW, .hash = CID_HASH_SHA2_256};
    const char *list = args->values[OPTION_LIST];
    struct arguments read = *args; /* what is read besides the blocks */
    struct cid_car_options limits;
    bool good = true;

    read.operands = &list;
    read.count = 1;
    if (!parse_codec(cli, &job.codec, args->values[OPTION_CODEC]) ||
        !parse_hash(cli, &job.hash, args->values[OPTION_HASH]) ||
        !parse_roots(&job, args->values[OPTION_ROOTS]) || !check_call(&job, args) ||
        !car_out_options(cli, &limits, list ? &read : args, 0) ||
        !car_out_version(cli, &made.version, args->values[OPTION_VERSION]))
        return STATUS_USAGE;
    job.limit = limits.section_limit ? limits.section_limit : CID_CAR_SECTION_LIMIT;
    made.section_limit = limits.section_limit;
    for (size_t i = 0; i < args->count; i++)
        add(&job, args->operands[i], strlen(args->operands[i]));
    if (list)
        good = read_list(&job, list);
    if (good)
        create(&job, args, &made);
    release(&job);
    return cli->status;
}

const struct command car_create_command = {
    "car create",
    "FILE... | --list=LIST",
    "make an archive of files that each hold a block",
    "Writes an archive in which each file is one block, with the CID that 'cid-inspect hash'\n"
    "gives it. With --list the CIDs are given: each line of LIST has a CID and, behind blanks,\n"
    "the path of the file with its block, which must match. Larger files are not cut up, as\n"
    "adding them to IPFS would. '-' is standard input; without -o the archive goes to standard\n"
    "output. The file appears when it is whole.\n"
    "\n"
    "Exit status: 0 it is written; 1 the list is broken, a file does not match or is too long,\n"
    "and nothing is written; 4 it is written, but blocks cannot be checked; 2 wrong usage;\n"
    "3 reading or writing failed.\n",
    options,
    run,
};
