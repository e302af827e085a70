#include "cache.h"
#include "commands.h"
#include "file.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct option options[] = {
    {NULL, 0, NULL, NULL},
};

static void format_time(char out[32], time_t at)
{
    struct tm parts;

    if (!gmtime_r(&at, &parts) || strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        snprintf(out, 32, "?");
}

static void put_entry(struct cli *cli, const char *folder, const struct cache_file *file)
{
    char *archive = cache_archive(folder, file->name), used[32];

    format_time(used, file->used.tv_sec);
    if (cli->as_json) {
        cid_json_object_begin(&cli->json);
        cid_json_key(&cli->json, "entry");
        cid_json_text(&cli->json, file->name);
        cid_json_key(&cli->json, "archive");
        cid_json_text(&cli->json, archive);
        cid_json_key(&cli->json, "size");
        cid_json_u64(&cli->json, file->size);
        cid_json_key(&cli->json, "used");
        cid_json_text(&cli->json, used);
        cid_json_object_end(&cli->json);
        cli_json_line(cli);
    } else {
        out_print(&cli->out, "%12" PRIu64 "  %s  ", file->size, used);
        text_put(&cli->out, archive ? archive : "?", archive ? strlen(archive) : 1);
        out_char(&cli->out, '\n');
    }
    free(archive);
}

static void remove_entry(struct cli *cli, const char *folder, const struct cache_file *file)
{
    size_t size = strlen(folder) + strlen(file->name) + 2;
    char *path = cli_alloc(size);

    snprintf(path, size, "%s/%s", folder, file->name);
    if (unlink(path) != 0 && errno != ENOENT)
        file_complain(cli, path, CID_E_IO, strerror(errno));
    free(path);
}

static enum status run(struct cli *cli, const struct arguments *args, bool parts,
                       void (*each)(struct cli *cli, const char *folder,
                                    const struct cache_file *file))
{
    char *folder;
    struct cache_files files;
    int error;

    if (args->count != 0)
        return cli_usage(cli, "there are no operands");
    folder = cache_folder();
    if (!folder)
        return STATUS_GOOD; /* where there is no place for a cache, it is empty */
    error = cache_read(&files, folder, parts);
    if (error)
        file_complain(cli, folder, CID_E_IO, strerror(error));
    for (size_t i = 0; i < files.count; i++)
        each(cli, folder, &files.files[i]);
    cache_files_free(&files);
    free(folder);
    return cli->status;
}

static enum status run_list(struct cli *cli, const struct arguments *args)
{
    return run(cli, args, false, put_entry);
}

static enum status run_clear(struct cli *cli, const struct arguments *args)
{
    return run(cli, args, true, remove_entry);
}

const struct command cache_list_command = {
    "cache list",
    "",
    "list the indexes that 'car get' keeps",
    "Lists the indexes that 'car get' has built and keeps, the one not used for longest first:\n"
    "size in bytes, when it was used last, and the archive. They lie in\n"
    "$XDG_CACHE_HOME/cid-inspect, or else in ~/.cache/cid-inspect, and take 1 GiB at most.\n"
    "\n"
    "Exit status: 0 listed, also if there are none; 2 wrong usage; 3 the cache cannot be read.\n",
    options,
    run_list,
};

const struct command cache_clear_command = {
    "cache clear",
    "",
    "remove the indexes that 'car get' keeps",
    "Removes all indexes that 'car get' keeps, and what runs that were killed have left there.\n"
    "\n"
    "Exit status: 0 none is left; 2 wrong usage; 3 not all can be removed.\n",
    options,
    run_clear,
};
