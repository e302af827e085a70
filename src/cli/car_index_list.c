#include "car_file.h"
#include "commands.h"
#include "file.h"
#include "names.h"
#include "subject.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option options[] = {
    CAR_OPTIONS,
    {NULL, 0, NULL, NULL},
};

/* An index that was found, in a file of its own or in an archive. */
struct found {
    const char *name;
    int fd;
    struct cid_file file;
    struct cid_car *car; /* NULL for an index alone */
    struct cid_car_index *own;
    const struct cid_car_index *index;
    struct cid_fault fault;
};

static void put_u64(struct cid_json *json, const char *key, uint64_t value)
{
    cid_json_key(json, key);
    cid_json_u64(json, value);
}

static void put_json(struct cli *cli, const struct cid_car_entry *entry, uint64_t codec)
{
    struct cid_json *json = &cli->json;
    char name[NAME_SIZE];

    cid_json_object_begin(json);
    cid_json_key(json, "hash");
    cid_json_text(json, codec == CID_CAR_INDEX_SORTED ? NULL : hash_name(name, entry->hash_code));
    cid_json_key(json, "digest");
    cid_json_hex(json, entry->digest, entry->digest_len);
    put_u64(json, "offset", entry->section_in_payload);
    cid_json_object_end(json);
    cli_json_line(cli);
}

static void put_row(struct cli *cli, const struct cid_car_entry *entry, uint64_t codec)
{
    static const char hex[] = "0123456789abcdef";
    struct output *out = &cli->out;
    char name[NAME_SIZE];

    out_print(out, "%12" PRIu64 "  %-12s  ", entry->section_in_payload,
              codec == CID_CAR_INDEX_SORTED ? "?" : hash_name(name, entry->hash_code));
    for (size_t i = 0; i < entry->digest_len; i++) {
        out_char(out, hex[entry->digest[i] >> 4]);
        out_char(out, hex[entry->digest[i] & 15]);
    }
    out_char(out, '\n');
}

struct listing {
    struct cli *cli;
    uint64_t codec;
};

static enum cid_error put_entry(void *ctx, const struct cid_car_entry *entry)
{
    struct listing *listing = ctx;

    if (listing->cli->as_json)
        put_json(listing->cli, entry, listing->codec);
    else
        put_row(listing->cli, entry, listing->codec);
    return cli_going(listing->cli) ? CID_OK : CID_END;
}

/* ---- finding ------------------------------------------------------------------------------- */

/* Whether the file starts as an index does; a CARv1 whose header has that size does too. */
static bool starts_as_index(const struct cid_file *file)
{
    uint8_t start[2];

    return file->len >= sizeof start && file->read(file->ctx, start, sizeof start, 0) == CID_OK &&
           (start[0] == 0x80 || start[0] == 0x81) && start[1] == 0x08;
}

static enum cid_error open_index(struct found *found, const struct cid_car_options *limits)
{
    struct cid_car_open_options how = {.read = *limits, .no_build = true};
    struct cid_fault archive = {0}, alone = {0};
    enum cid_error error = cid_car_open_file(&found->car, &found->file, &how, &archive, NULL), two;

    if (!error) {
        found->index = cid_car_index_of(found->car);
        return found->index ? CID_OK : CID_E_INDEX_ABSENT;
    }
    found->fault = archive;
    if (!starts_as_index(&found->file) || error == CID_E_IO)
        return error;
    two = cid_car_index_open_file(&found->own, &found->file, &alone, NULL);
    found->index = found->own;
    if (two)
        found->fault = alone;
    return two;
}

static enum cid_error find(struct found *found, const struct cid_car_options *limits)
{
    const struct cid_car_info *info;
    enum cid_error error = cid_file_of_fd(&found->file, found->fd);

    if (!error)
        error = open_index(found, limits);
    if (error == CID_E_INDEX_ABSENT) {
        info = cid_car_info_of(found->car);
        found->fault = (struct cid_fault){.field = CID_FIELD_INDEX};
        if (info->index_offset != 0) { /* of a kind that is not known */
            found->fault.offset = info->index_offset;
            found->fault.where = CID_WHERE_FILE;
            error = CID_E_UNVERIFIABLE;
        }
    }
    return error;
}

/* ---- telling ------------------------------------------------------------------------------- */

static void fail(struct cli *cli, struct found *found, enum cid_error error, int why)
{
    struct car_file *file = cli_alloc(sizeof *file);

    file->name = found->name;
    file->fd = -1;
    file->error = error == CID_E_IO ? why : 0;
    file->fault = found->fault;
    file->fault.code = error;
    if (error != CID_E_IO && found->file.read && found->file.len != 0) {
        file->head_len =
            found->file.len < sizeof file->head ? (size_t)found->file.len : sizeof file->head;
        if (found->car || found->file.read(found->file.ctx, file->head, file->head_len, 0))
            file->head_len = 0;
    }
    if (error == CID_E_IO && why == ESPIPE)
        file_complain(cli, found->name, error, "an index is not read from a pipe; give a file");
    else
        car_fail(cli, file, NULL);
    free(file);
}

static void list(struct cli *cli, const char *name, const struct cid_car_options *limits)
{
    struct found found = {.name = name};
    struct listing listing = {cli, 0};
    int why = file_open(&found.fd, name);
    enum cid_error error = why ? CID_E_IO : find(&found, limits);

    if (!error) {
        listing.codec = cid_car_index_codec(found.index);
        if (!cli->as_json)
            out_print(&cli->out, "%12s  %-12s  %s\n", "OFFSET", "HASH", "DIGEST");
        error = cid_car_index_each(found.index, put_entry, &listing, &found.fault);
        if (error && found.car && found.fault.where == CID_WHERE_FILE)
            found.fault.offset += cid_car_info_of(found.car)->index_offset;
    }
    if (error && error != CID_END)
        fail(cli, &found, error, why ? why : errno);
    cid_car_index_close(found.own);
    cid_car_close(found.car);
    file_close(found.fd);
}

static enum status run(struct cli *cli, const struct arguments *args)
{
    struct cid_car_options limits;

    if (!car_options(cli, &limits, args))
        return STATUS_USAGE;
    if (args->count == 0)
        list(cli, "-", &limits);
    for (size_t i = 0; i < args->count && cli_going(cli); i++)
        list(cli, args->operands[i], &limits);
    return cli->status;
}

const struct command car_index_list_command = {
    "car index-list",
    "FILE...",
    "list the entries of an index",
    "Lists the entries of an index, which is a file of its own or part of a CARv2: the offset of\n"
    "the section in the CARv1 payload, the hash function and the digest, in the order of the\n"
    "index. An index of kind 0x0400 does not know the functions. That the entries are in order\n"
    "is checked, and 'car verify' holds them against the blocks.\n"
    "\n"
    "Exit status: 0 the whole index was listed; 1 it is broken, or there is none; 4 it is of an\n"
    "unknown kind; 2 wrong usage; 3 a file could not be read.\n",
    options,
    run,
};
