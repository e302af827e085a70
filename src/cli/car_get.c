#include "cache.h"
#include "car_out.h"
#include "commands.h"
#include "file.h"
#include "names.h"
#include "node.h"
#include "progress.h"
#include "subject.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OPTION_NO_CACHE = OUT_OWN_OPTIONS,
    OPTION_IGNORE_INDEX,
    OPTION_ANY_CODEC
};

static const struct option options[] = {
    OUT_OPTIONS,
    [OPTION_NO_CACHE] = {"no-cache", 0, NULL, "neither use nor keep an index in the cache"},
    [OPTION_IGNORE_INDEX] = {"ignore-index", 0, NULL, "do not use the archive's own index"},
    [OPTION_ANY_CODEC] = {"any-codec", 0, NULL, "take a block of another codec or CID version"},
    {NULL, 0, NULL, NULL},
};

/* The archive, and the index by which its blocks are found. */
struct store {
    const char *name;
    int fd;
    struct cid_file plain;
    struct cid_file file;     /* the same, and how far its reading has come is shown */
    struct progress progress; /* while an index is built */
    struct stat info;         /* when it was opened */
    bool regular;             /* a file that can be known again */
    bool use_cache;
    bool own_index; /* the archive's own is used */
    struct cid_car_open_options how;
    struct cid_car *car;
    struct cache_entry cached;
    struct cid_fault fault;
    int why; /* errno of a failure */
};

struct job {
    struct cli *cli;
    struct store store;
    struct car_out out;
    struct buffer room; /* for a block */
    bool to_stdout;
    bool failed; /* a block was not got */
};

/* ---- the index ----------------------------------------------------------------------------- */

static enum cid_error note(struct store *store, enum cid_error error)
{
    store->why = errno;
    store->fault.code = error;
    return error;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static void tell_kept(struct cli *cli, uint64_t size)
{
    char *folder;

    if (size <= CACHE_TELL || cli->as_json)
        return;
    folder = cache_folder();
    out_print(cli_message(cli), "an index of %" PRIu64 " MiB is kept in ", size >> 20);
    text_put(&cli->err, folder ? folder : "?", folder ? strlen(folder) : 1);
    out_text(&cli->err, "; 'cid-inspect cache clear' removes it\n");
    cli_message_end(cli);
    free(folder);
}

static enum cid_error read_store(void *ctx, void *buf, size_t len, uint64_t offset)
{
    struct store *store = ctx;

    progress_step(&store->progress, offset);
    return store->plain.read(store->plain.ctx, buf, len, offset);
}

/* Opens the archive with an index that is not its own. */
static enum cid_error open_with(struct store *store, const struct cid_car_index *index)
{
    store->how.index = index;
    cid_car_close(store->car);
    return note(store,
                cid_car_open_file(&store->car, &store->file, &store->how, &store->fault, NULL));
}

/* Builds an index and keeps it. */
static enum cid_error build(struct cli *cli, struct store *store)
{
    struct cid_car_open_options how = store->how;
    struct stat after;
    struct cid_car *car = NULL;
    enum cid_error error;

    how.index = NULL;
    how.no_build = false;
    how.rebuild_index = true;
    progress_begin(cli, &store->progress, store->file.len);
    error = note(store, cid_car_open_file(&car, &store->file, &how, &store->fault, NULL));
    progress_end(cli, &store->progress);
    if (error)
        return error;
    cid_car_close(store->car);
    store->car = car;
    if (store->use_cache && fstat(store->fd, &after) == 0 && same_file(&after, &store->info))
        tell_kept(cli, cache_keep(&store->info, store->name, cid_car_index_of(car)));
    return CID_OK;
}

/* Opens the archive with its own index, or one from the cache, or one that is built. */
static enum cid_error open_store(struct cli *cli, struct store *store)
{
    enum cid_error error;

    store->why = file_open(&store->fd, store->name);
    if (store->why)
        return store->fault.code = CID_E_IO;
    error = note(store, cid_file_of_fd(&store->plain, store->fd));
    if (error)
        return error;
    store->file = (struct cid_file){read_store, store, store->plain.len};
    store->regular = fstat(store->fd, &store->info) == 0 && S_ISREG(store->info.st_mode);
    store->use_cache = store->use_cache && store->regular;
    if (!store->how.rebuild_index) {
        error = note(
            store, cid_car_open_file(&store->car, &store->file, &store->how, &store->fault, NULL));
        store->own_index = !error && cid_car_index_of(store->car) != NULL;
        if (error || store->own_index)
            return error;
    }
    if (store->use_cache && cache_open(&store->cached, &store->info))
        return open_with(store, store->cached.index);
    return build(cli, store);
}

static void close_store(struct store *store)
{
    cid_car_close(store->car);
    cache_close(&store->cached);
    file_close(store->fd);
}

/*
 * Whether the cache may be to blame for a failure. If so the entry goes, and an index is built
 * anew. That there is no such block is believed if the entry is intact, since it is asked often.
 */
static bool is_doubtful(const struct store *store, enum cid_error error)
{
    if (!store->cached.index || error == CID_OK || error == CID_E_NOSPACE ||
        error == CID_E_MISMATCH || error == CID_E_UNVERIFIABLE || error == CID_E_NOMEM)
        return false;
    return error != CID_E_NOT_FOUND || !cache_is_intact(&store->cached);
}

/* ---- blocks -------------------------------------------------------------------------------- */

/* Gets a block into the room, which grows if need be. */
static enum cid_error get_once(struct job *job, const struct cid_view *view,
                               struct cid_car_block *block)
{
    struct buffer *room = &job->room;
    size_t need = 0;
    enum cid_error error;

    for (;;) {
        error = cid_car_get(block, (uint8_t *)room->data, room->cap, &need, job->store.car, view,
                            &job->store.fault);
        if (error != CID_E_NOSPACE)
            return note(&job->store, error);
        buffer_room(room, need);
    }
}

static enum cid_error get(struct job *job, const struct cid_view *view, struct cid_car_block *block)
{
    struct store *store = &job->store;
    enum cid_error error = get_once(job, view, block);

    if (!is_doubtful(store, error))
        return error;
    cache_drop(&store->info);
    error = build(job->cli, store);
    cache_close(&store->cached);
    return error ? error : get_once(job, view, block);
}

/* A terminal is shown text only. */
static bool may_show(const struct cid_car_block *block)
{
    const char *text = (const char *)block->data;

    for (size_t at = 0; at < block->data_len;) {
        size_t line = at;
        while (line < block->data_len && text[line] != '\n' && text[line] != '\t')
            line++;
        if (line != at && !text_is_plain(text + at, line - at))
            return false;
        at = line + 1;
    }
    return true;
}

static void tell_got(struct job *job, const struct subject *subject,
                     const struct cid_car_block *block)
{
    struct cid_json *json = &job->cli->json;
    char *text = cid_text(&block->cid, CID_BASE_DEFAULT);

    cid_json_object_begin(json);
    json_input(json, &subject->item);
    cid_json_key(json, "ok");
    cid_json_bool(json, true);
    cid_json_key(json, "cid");
    cid_json_text(json, text);
    cid_json_key(json, "offset");
    cid_json_u64(json, block->section_in_file);
    cid_json_key(json, "data_length");
    cid_json_u64(json, block->data_len);
    cid_json_key(json, "verified");
    cid_json_bool(json, block->verdict == CID_GOOD);
    cid_json_object_end(json);
    cli_json_line(job->cli);
    free(text);
}

static void fail_block(struct job *job, const struct subject *subject, bool shown);

/* --json to standard output: what the block says, not its bytes. */
static bool show_node(struct job *job, const struct subject *subject,
                      const struct cid_car_block *block)
{
    struct cid_fault fault = {0};

    if (node_put(job->cli, &fault, block->cid.codec, block->data, block->data_len, NULL)) {
        job->store.fault = fault;
        fail_block(job, subject, true);
    }
    return cli_going(job->cli);
}

static bool put_block(struct job *job, const struct subject *subject,
                      const struct cid_car_block *block)
{
    enum cid_error error;

    if (!job->to_stdout) {
        error = block->data_len != 0
                    ? job->out.sink.write(job->out.sink.ctx, block->data, block->data_len)
                    : CID_OK;
        if (error)
            car_out_fail(job->cli, &job->out, error);
        else if (job->cli->as_json)
            tell_got(job, subject, block);
        return !error;
    }
    if (job->cli->as_json)
        return show_node(job, subject, block);
    out_write(&job->cli->out, (const char *)block->data, block->data_len);
    return cli_going(job->cli);
}

/* ---- failures ------------------------------------------------------------------------------ */

static void get_message(char *out, size_t cap, struct store *store, bool shown)
{
    struct car_file file = {.name = store->name};

    if (!shown) {
        snprintf(out, cap, "the block is binary; name a file with -o, or '-o -' for the terminal");
        return;
    }
    file.error = store->fault.code == CID_E_IO ? store->why : 0;
    if (store->fault.code == CID_E_NOT_FOUND)
        snprintf(out, cap, "there is no such block%s",
                 store->own_index ? " in the index; --ignore-index looks through the archive" : "");
    else
        car_message(out, cap, &file, &store->fault);
}

static void fail_block(struct job *job, const struct subject *subject, bool shown)
{
    struct cli *cli = job->cli;
    struct store *store = &job->store;
    struct output *err;
    char message[512];

    job->failed = true;
    cli_status(cli, shown ? car_status(store->fault.code) : STATUS_IO);
    if (store->fault.code == CID_E_NOT_FOUND)
        store->fault.where = CID_WHERE_NONE;
    get_message(message, sizeof message, store, shown);
    if (cli->as_json) {
        cid_json_object_begin(&cli->json);
        json_input(&cli->json, &subject->item);
        cid_json_key(&cli->json, "ok");
        cid_json_bool(&cli->json, false);
        json_error(&cli->json, &store->fault, message);
        cid_json_object_end(&cli->json);
        cli_json_line(cli);
        return;
    }
    err = cli_message(cli);
    text_put(err, store->name, strlen(store->name));
    out_text(err, ": ");
    text_put(err, subject->item.text, subject->item.len);
    if (shown && store->fault.where == CID_WHERE_FILE)
        out_print(err, ": at byte %" PRIu64, store->fault.offset);
    out_print(err, ": %s\n", message);
    cli_message_end(cli);
}

static void fail_archive(struct cli *cli, const struct store *store)
{
    struct car_file *file = cli_alloc(sizeof *file);

    if (store->fault.code == CID_E_IO && store->why == ESPIPE) {
        file_complain(cli, store->name, CID_E_IO,
                      "blocks are not got from a pipe; save it to a file first");
    } else {
        file->name = store->name;
        file->fault = store->fault;
        file->error = store->fault.code == CID_E_IO ? store->why : 0;
        if (store->file.read && !store->car && store->file.len != 0) {
            file->head_len =
                store->file.len < sizeof file->head ? (size_t)store->file.len : sizeof file->head;
            if (store->file.read(store->file.ctx, file->head, file->head_len, 0))
                file->head_len = 0;
        }
        if (store->fault.code != CID_E_CAR_KIND && store->fault.code != CID_E_CAR_EMPTY)
            file->head_len = 0;
        car_fail(cli, file, NULL);
    }
    free(file);
}

/* ---- the call ------------------------------------------------------------------------------ */

static bool get_item(struct job *job, const struct item *item)
{
    struct subject subject;
    struct cid_car_block block;
    bool going = true;
    bool terminal = job->to_stdout && !job->cli->as_json && isatty(STDOUT_FILENO);

    subject_read(&subject, item, ACCEPT_BARE);
    if (subject.error) {
        job->failed = true;
        subject_complain(job->cli, &subject);
    } else if (get(job, &subject.view, &block)) {
        fail_block(job, &subject, true);
    } else if (terminal && !may_show(&block)) {
        fail_block(job, &subject, false);
    } else {
        going = put_block(job, &subject, &block);
    }
    subject_release(&subject);
    return going;
}

static void get_all(struct job *job, const struct arguments *cids, const char *output)
{
    struct items *items = items_begin(job->cli, cids);
    struct item item;
    bool good = items != NULL;

    if (good && !job->to_stdout)
        good = car_out_open(job->cli, &job->out, output);
    while (good && items_next(items, &item))
        good = get_item(job, &item);
    if (good && !job->to_stdout && !job->failed && job->cli->status != STATUS_USAGE)
        car_out_finish(job->cli, &job->out);
    car_out_close(&job->out);
    free(items);
}

static bool check_call(struct cli *cli, const struct arguments *args)
{
    const char *output = args->values[OUT_OUTPUT];

    if (args->count == 0)
        cli_usage(cli, "no archive given");
    else if (cli->as_json && output && strcmp(output, "-") == 0)
        cli_usage(cli, "--json prints to standard output itself; '-o -' does not go with it");
    else if (args->count == 1 && strcmp(args->operands[0], "-") == 0)
        cli_usage(cli, "no CIDs given");
    else
        return !output || !car_out_clashes(cli, output, args->operands[0]);
    return false;
}

static enum status run(struct cli *cli, const struct arguments *args)
{
    struct job *job = cli_alloc(sizeof *job);
    const char *output = args->values[OUT_OUTPUT];
    struct arguments cids = *args;
    struct store *store = &job->store;

    job->cli = cli;
    job->to_stdout = !output;
    store->fd = store->cached.fd = -1;
    store->use_cache = args->values[OPTION_NO_CACHE] == NULL;
    store->how.no_build = true;
    store->how.rebuild_index = args->values[OPTION_IGNORE_INDEX] != NULL;
    store->how.by_multihash = args->values[OPTION_ANY_CODEC] != NULL;
    if (check_call(cli, args) && car_options(cli, &store->how.read, args)) {
        store->how.read.skip_verify = args->values[OUT_NO_VERIFY] != NULL;
        store->name = args->operands[0];
        cids.operands++;
        cids.count--;
        if (open_store(cli, store))
            fail_archive(cli, store);
        else
            get_all(job, &cids, output);
        close_store(store);
    }
    buffer_free(&job->room);
    free(job);
    return cli->status;
}

const struct command car_get_command = {
    "car get",
    "FILE CID...",
    "get blocks out of an archive",
    "Writes the bytes of the blocks with these CIDs, one after the other, to standard output, or\n"
    "with -o to a file, which appears only if all were got. Each block is checked against its\n"
    "CID; one that does not match, or cannot be checked, is not written unless --no-verify says\n"
    "so. Without CIDs, or for '-', they are read from standard input, one a line. With --json and\n"
    "without -o prints what the blocks say, as DAG-JSON: indented on a terminal, or else a line\n"
    "each.\n"
    "\n"
    "The index of a CARv2 is used. For an archive without one an index is built, and kept in\n"
    "$XDG_CACHE_HOME/cid-inspect or else ~/.cache/cid-inspect, so that the next question is\n"
    "answered at once; 'cache list' shows what is kept and 'cache clear' removes it.\n"
    "\n"
    "Exit status: 0 all were got; 1 a block is not there or does not match, or the archive, its\n"
    "index or a CID is broken; 4 a block cannot be checked; 2 wrong usage; 3 reading or writing\n"
    "failed.\n",
    options,
    run,
};
