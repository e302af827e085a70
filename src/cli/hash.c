#include "buffer.h"
#include "commands.h"
#include "file.h"
#include "names.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OPTION_CODEC,
    OPTION_HASH,
    OPTION_BASE,
    OPTION_QUIET
};

static const struct option options[] = {
    [OPTION_CODEC] = {"codec", 0, "NAME", "the codec; the default is raw"},
    [OPTION_HASH] = {"hash", 0, "NAME", "the hash function; the default is sha2-256"},
    [OPTION_BASE] = {"base", 'b', "BASE", "write the CIDs in this base; the default is base32"},
    [OPTION_QUIET] = {"quiet", 'q', NULL, "print the CIDs only, no names"},
    {NULL, 0, NULL, NULL},
};

#define PIECE ((size_t)256 << 10) /* as much as is read at once */

struct job {
    uint64_t codec;
    uint64_t hash;
    enum cid_base base;
    bool quiet;
};

/* Hands a file on in pieces; returns errno, and *error, which ends it. */
static int read_pieces(int fd, enum cid_error *error,
                       enum cid_error (*take)(void *ctx, const void *data, size_t len), void *ctx)
{
    char *piece = cli_alloc(PIECE);
    int failure = 0;

    *error = CID_OK;
    while (!failure && !*error) {
        ssize_t n = read(fd, piece, PIECE);
        if (n == 0)
            break;
        if (n > 0)
            *error = take(ctx, piece, (size_t)n);
        else if (errno != EINTR)
            failure = errno;
    }
    free(piece);
    return failure;
}

static enum cid_error take_hashed(void *ctx, const void *data, size_t len)
{
    return cid_hasher_update(ctx, data, len);
}

/* The CID of all that can be read, whatever its size in constant memory. */
static int sum_pieces(struct cid *cid, enum cid_error *error, const struct job *job, int fd)
{
    uint8_t digest[CID_HASH_CUT_MAX];
    struct cid_hasher *hasher = NULL;
    size_t len = 0;
    int failure = 0;

    *error = cid_hasher_open(&hasher, job->hash, CID_DIGEST_DEFAULT, NULL, NULL);
    if (!*error)
        failure = read_pieces(fd, error, take_hashed, hasher);
    if (!failure && !*error)
        *error = cid_hasher_finish(digest, sizeof digest, &len, hasher);
    if (!failure && !*error)
        *error = cid_make_v1(cid, job->codec, job->hash, digest, len, NULL);
    cid_hasher_close(hasher);
    return failure;
}

static enum cid_error take_whole(void *ctx, const void *data, size_t len)
{
    memcpy(buffer_room(ctx, len), data, len);
    ((struct buffer *)ctx)->len += len;
    return CID_OK;
}

/* An identity CID holds the data, so that there is no way around having it. */
static int sum_whole(struct cid *cid, enum cid_error *error, const struct job *job, int fd)
{
    struct buffer data = {NULL, 0, 0};
    int failure = read_pieces(fd, error, take_whole, &data);

    if (!failure)
        *error =
            cid_sum_v1(cid, job->codec, job->hash, CID_DIGEST_DEFAULT, data.data, data.len, NULL);
    buffer_free(&data);
    return failure;
}

static void print(struct cli *cli, const struct job *job, const char *name, const char *text)
{
    if (cli->as_json) {
        cid_json_object_begin(&cli->json);
        cid_json_key(&cli->json, "file");
        cid_json_text(&cli->json, name);
        cid_json_key(&cli->json, "ok");
        cid_json_bool(&cli->json, true);
        cid_json_key(&cli->json, "cid");
        cid_json_text(&cli->json, text);
        cid_json_object_end(&cli->json);
        cli_json_line(cli);
        return;
    }
    out_text(&cli->out, text);
    if (!job->quiet) {
        out_text(&cli->out, "  ");
        text_put(&cli->out, name, strlen(name));
    }
    out_char(&cli->out, '\n');
}

static void hash_file(struct cli *cli, const struct job *job, const char *name)
{
    struct cid cid = {0};
    struct cid_view view;
    char *text = NULL;
    enum cid_error error = CID_OK;
    int fd = -1, failure = file_open(&fd, name);

    if (!failure)
        failure = job->hash == CID_HASH_IDENTITY ? sum_whole(&cid, &error, job, fd)
                                                 : sum_pieces(&cid, &error, job, fd);
    file_close(fd);
    if (failure) {
        file_complain(cli, name, CID_E_IO, strerror(failure));
        goto done;
    }
    if (!error) {
        view = cid_as_view(&cid);
        text = cid_text(&view, job->base);
    }
    if (text)
        print(cli, job, name, text);
    else
        file_complain(cli, name, error ? error : CID_E_BASE_LENGTH, NULL);
done:
    free(text);
    cid_free(&cid, NULL);
}

static bool check_hash(struct cli *cli, uint64_t code)
{
    struct cid_hash_info info;
    char name[NAME_SIZE];

    if (!cid_hash_by_code(&info, code) && info.available)
        return true;
    cli_usage(cli, "this build does not have the hash function %s", hash_name(name, code));
    return false;
}

static enum status run(struct cli *cli, const struct arguments *args)
{
    struct job job = {CID_CODEC_RAW, CID_HASH_SHA2_256, CID_BASE_DEFAULT,
                      args->values[OPTION_QUIET] != NULL};

    if (!parse_codec(cli, &job.codec, args->values[OPTION_CODEC]) ||
        !parse_hash(cli, &job.hash, args->values[OPTION_HASH]) ||
        !parse_base(cli, &job.base, args->values[OPTION_BASE]) || !check_hash(cli, job.hash) ||
        !file_check_operands(cli, args))
        return STATUS_USAGE;
    if (args->count == 0)
        hash_file(cli, &job, "-");
    for (size_t i = 0; i < args->count && cli_going(cli); i++)
        hash_file(cli, &job, args->operands[i]);
    return cli->status;
}

const struct command hash_command = {
    "hash",
    "FILE...",
    "print the CIDv1 of files, each taken as one block",
    "Prints the CID that the bytes of each file have as one block, and the file's name; '-' is\n"
    "standard input. With raw and sha2-256, which are the defaults, the digest is that of\n"
    "sha256sum. This is not the CID that adding a larger file to IPFS gives: that cuts the file\n"
    "into blocks and names the dag-pb node above them.\n"
    "\n"
    "Exit status: 0 all were hashed, 2 wrong usage, 3 a file could not be read.\n",
    options,
    run,
};
