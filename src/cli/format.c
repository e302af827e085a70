#include "buffer.h"
#include "commands.h"
#include "names.h"
#include "subject.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The options of both commands; -f is last, since convert has none. */
enum {
    OPTION_VERSION,
    OPTION_BASE,
    OPTION_CODEC,
    OPTION_FORMAT
};

#define CONVERSION_OPTIONS                                                                         \
    [OPTION_VERSION] = {"cid-version", 'v', "VERSION", "make it a CID of version 0 or 1"},         \
    [OPTION_BASE] = {"base", 'b', "BASE", "write it in this base: a name or prefix"},              \
    [OPTION_CODEC] = {"codec", 0, "NAME", "make it a CID of this codec"}

static const struct option convert_options[] = {
    CONVERSION_OPTIONS,
    {NULL, 0, NULL, NULL},
};
static const struct option format_options[] = {
    CONVERSION_OPTIONS,
    [OPTION_FORMAT] = {"format", 'f', "FORMAT", "what to print; the default is %s"},
    {NULL, 0, NULL, NULL},
};

/* What is to be done with each CID. */
struct job {
    const char *format;
    int version;        /* 0, 1, or -1: as it is */
    enum cid_base base; /* CID_BASE_DEFAULT: as it is */
    uint64_t codec;
    bool has_codec;
};

/* ---- options ------------------------------------------------------------------------------- */

static bool check_format(struct cli *cli, const char *format)
{
    const char *at = strchr(format, '%');

    if (!at) {
        cli_usage(cli, "the format has no '%%', so every CID would print the same");
        return false;
    }
    for (; at; at = strchr(at + 2, '%')) {
        if (at[1] != '\0' && strchr("%bBvVcChHLmMdDsSP", at[1]))
            continue;
        if (at[1] == '\0')
            cli_usage(cli, "the format ends in a single '%%'");
        else if (at[1] > ' ' && at[1] < 0x7f)
            cli_usage(cli, "the format has no '%%%c'", at[1]);
        else
            cli_usage(cli, "an unknown character follows a '%%' of the format");
        return false;
    }
    return true;
}

static bool parse_version(struct cli *cli, int *version, const char *text)
{
    *version = -1;
    if (!text)
        return true;
    if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0) {
        cli_usage(cli, "there are no CIDs of such a version; -v wants 0 or 1");
        return false;
    }
    *version = text[0] - '0';
    return true;
}

static bool parse_job(struct cli *cli, struct job *job, const struct arguments *args)
{
    const char *codec = args->values[OPTION_CODEC], *format = args->values[OPTION_FORMAT];

    memset(job, 0, sizeof *job);
    job->format = format ? format : "%s";
    job->has_codec = codec != NULL;
    if (!check_format(cli, job->format) ||
        !parse_version(cli, &job->version, args->values[OPTION_VERSION]) ||
        !parse_base(cli, &job->base, args->values[OPTION_BASE]) ||
        !parse_codec(cli, &job->codec, codec))
        return false;
    if (job->version == 0 && job->base != CID_BASE_DEFAULT && job->base != CID_BASE58_BTC) {
        cli_usage(cli, "version 0 has no other base than base58btc");
        return false;
    }
    if (job->version == 0 && job->has_codec && job->codec != CID_CODEC_DAG_PB) {
        cli_usage(cli, "version 0 has no other codec than dag-pb");
        return false;
    }
    if (job->version < 0 && job->base != CID_BASE_DEFAULT)
        job->version = 1;
    return true;
}

/* ---- conversion ---------------------------------------------------------------------------- */

static enum cid_error replace(struct subject *subject, const struct cid *cid, enum cid_error error)
{
    if (error)
        return error;
    cid_free(&subject->cid, NULL);
    subject->cid = *cid;
    subject->view = cid_as_view(&subject->cid);
    return CID_OK;
}

static enum cid_error convert(struct subject *subject, const struct job *job)
{
    const struct cid_view *view = &subject->view;
    enum cid_error error = CID_OK;
    struct cid cid;

    if (job->has_codec && job->codec != view->codec)
        error = replace(subject, &cid,
                        cid_make_v1(&cid, job->codec, view->hash.code, view->hash.digest,
                                    view->hash.digest_len, NULL));
    if (!error && job->version == 0)
        error = replace(subject, &cid, cid_to_v0(&cid, view, NULL));
    else if (!error && job->version == 1)
        error = replace(subject, &cid, cid_to_v1(&cid, view, NULL));
    if (job->base != CID_BASE_DEFAULT)
        subject->base = job->base;
    if (subject->view.version == 0)
        subject->base = CID_BASE58_BTC;
    return error;
}

/* ---- tokens -------------------------------------------------------------------------------- */

static void put_number(struct buffer *to, uint64_t number)
{
    char text[NAME_SIZE];
    snprintf(text, sizeof text, "%" PRIu64, number);
    buffer_text(to, text);
}

static enum cid_error put_digits(struct buffer *to, const uint8_t *data, size_t len,
                                 enum cid_base base, bool prefix)
{
    size_t bound = cid_multibase_encoded_bound(base, len), written = 0;
    enum cid_error error;
    char *at;

    if (bound >= SIZE_MAX / 4)
        return CID_E_TOO_LARGE;
    at = buffer_room(to, bound + 1);
    error = prefix ? cid_multibase_encode(at, bound + 1, &written, data, len, base)
                   : cid_base_encode(at, bound + 1, &written, data, len, base);
    if (!error)
        to->len += written;
    return error;
}

static enum cid_error put_multihash(struct buffer *to, const struct subject *subject, bool prefix)
{
    const struct cid_view *view = &subject->view;
    size_t len = 0, cap = view->hash.digest_len + 18;
    uint8_t *multihash = cli_alloc(cap);
    enum cid_error error = cid_multihash_write(multihash, cap, &len, view->hash.code,
                                               view->hash.digest, view->hash.digest_len);
    if (!error)
        error = put_digits(to, multihash, len, subject->base, prefix);
    free(multihash);
    return error;
}

/* The CID; without its prefix if a version 1 is to be shown so. */
static enum cid_error put_cid(struct buffer *to, const struct subject *subject, bool prefix)
{
    const struct cid_view *view = &subject->view;
    return put_digits(to, view->bytes, view->len, subject->base, prefix && view->version != 0);
}

static void put_summary(struct buffer *to, const struct cid_view *view)
{
    char name[NAME_SIZE];

    buffer_text(to, view->version == 0 ? "cidv0-" : "cidv1-");
    buffer_text(to, codec_name(name, view->codec));
    buffer_text(to, "-");
    buffer_text(to, hash_name(name, view->hash.code));
    buffer_text(to, "-");
    put_number(to, view->hash.digest_len);
}

static enum cid_error put_token(struct buffer *to, const struct subject *subject, char token)
{
    const struct cid_view *view = &subject->view;
    const struct cid_multihash_view *hash = &view->hash;
    char name[NAME_SIZE];

    switch (token) {
    case 'b':
        buffer_text(to, base_info(subject->base).name);
        break;
    case 'B':
        buffer_text(to, base_info(subject->base).prefix);
        break;
    case 'v':
        buffer_text(to, view->version == 0 ? "cidv0" : "cidv1");
        break;
    case 'V':
        put_number(to, view->version);
        break;
    case 'c':
        buffer_text(to, codec_name(name, view->codec));
        break;
    case 'C':
        put_number(to, view->codec);
        break;
    case 'h':
        buffer_text(to, hash_name(name, hash->code));
        break;
    case 'H':
        put_number(to, hash->code);
        break;
    case 'L':
        put_number(to, hash->digest_len);
        break;
    case 'm':
        return put_multihash(to, subject, true);
    case 'M':
        return put_multihash(to, subject, false);
    case 'd':
        return put_digits(to, hash->digest, hash->digest_len, subject->base, true);
    case 'D':
        return put_digits(to, hash->digest, hash->digest_len, subject->base, false);
    case 's':
        return put_cid(to, subject, true);
    case 'S':
        return put_cid(to, subject, false);
    case 'P':
        put_summary(to, view);
        break;
    default:
        buffer_text(to, "%");
    }
    return CID_OK;
}

static enum cid_error put_all(struct buffer *to, const struct subject *subject, const char *format)
{
    enum cid_error error = CID_OK;

    while (*format != '\0' && !error) {
        size_t plain = strcspn(format, "%");
        buffer_put(to, format, plain);
        format += plain;
        if (*format == '%') {
            error = put_token(to, subject, format[1]);
            format += 2;
        }
    }
    return error;
}

/* ---- commands ------------------------------------------------------------------------------ */

static void print_json(struct cli *cli, const struct item *item, const struct buffer *text)
{
    cid_json_object_begin(&cli->json);
    json_input(&cli->json, item);
    cid_json_key(&cli->json, "ok");
    cid_json_bool(&cli->json, true);
    cid_json_key(&cli->json, "output");
    cid_json_string(&cli->json, text->data, text->len);
    cid_json_object_end(&cli->json);
    cli_json_line(cli);
}

static enum cid_field field_of(enum cid_error error)
{
    if (error == CID_E_V0_CODEC)
        return CID_FIELD_CODEC;
    return error == CID_E_V0_HASH ? CID_FIELD_HASH : CID_FIELD_NONE;
}

static void run_item(struct cli *cli, const struct job *job, const struct item *item,
                     struct buffer *text)
{
    struct subject subject;
    enum cid_error error;

    text->len = 0;
    subject_read(&subject, item, ACCEPT_BARE);
    if (!subject.error) {
        error = convert(&subject, job);
        if (!error)
            error = put_all(text, &subject, job->format);
        if (error)
            subject_fail(&subject, error, field_of(error));
    }
    if (subject.error) {
        subject_complain(cli, &subject);
    } else if (cli->as_json) {
        print_json(cli, item, text);
    } else {
        buffer_text(text, "\n");
        out_write(&cli->out, text->data, text->len);
    }
    subject_release(&subject);
}

static enum status run(struct cli *cli, const struct arguments *args)
{
    struct buffer text = {NULL, 0, 0};
    struct items *items;
    struct item item;
    struct job job;

    if (!parse_job(cli, &job, args))
        return STATUS_USAGE;
    items = items_begin(cli, args);
    if (!items)
        return STATUS_USAGE;
    while (cli_going(cli) && items_next(items, &item))
        run_item(cli, &job, &item, &text);
    buffer_free(&text);
    free(items);
    return cli->status;
}

#define CONVERSION_HELP                                                                            \
    "\n"                                                                                           \
    "Without -b the CID stays in the base it is given in. -b without -v makes it a CIDv1,\n"       \
    "since version 0 has base58btc only. --codec with another codec makes it a CIDv1, unless\n"    \
    "-v 0 is given. A codec is a name or a number (0x55). With '-', or without arguments at\n"     \
    "the end of a pipe, reads one CID a line from standard input.\n"                               \
    "\n"                                                                                           \
    "Exit status: 0 all were converted, 1 one was not, 2 wrong usage, 3 input or output failed.\n"

const struct command convert_command = {
    "convert",
    "[CID]...",
    "print CIDs in another base, version or codec",
    "Prints each CID converted, one a line.\n" CONVERSION_HELP,
    convert_options,
    run,
};

const struct command format_command = {
    "format",
    "[CID]...",
    "print parts of CIDs in a format of your own",
    "Prints each CID in a format, one a line. In the format stand for:\n"
    "\n"
    "  %s %S  the CID; without the base's prefix     %b %B  the base's name; its prefix\n"
    "  %v %V  the version as 'cidv1'; as '1'         %c %C  the codec's name; its number\n"
    "  %h %H  the hash function's name; its number   %L     the length of the digest\n"
    "  %m %M  the multihash in the base; no prefix   %d %D  the digest likewise\n"
    "  %P     version-codec-hash-length              %%     a percent sign\n" CONVERSION_HELP,
    format_options,
    run,
};
