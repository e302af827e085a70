#include "car_file.h"
#include "file.h"
#include "names.h"
#include "subject.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool car_options(struct cli *cli, struct cid_car_options *out, const struct arguments *args)
{
    memset(out, 0, sizeof *out);
    out->allow_padding = args->values[CAR_ALLOW_PADDING] != NULL;
    return options_size(cli, &out->section_limit, "max-section", args->values[CAR_MAX_SECTION]) &&
           options_size(cli, &out->header_limit, "max-header", args->values[CAR_MAX_HEADER]) &&
           file_check_operands(cli, args);
}

/* ---- reading ------------------------------------------------------------------------------- */

static void keep_head(struct car_file *file, const void *bytes, size_t len)
{
    size_t room = sizeof file->head - file->head_len;
    size_t n = len < room ? len : room;

    memcpy(file->head + file->head_len, bytes, n);
    file->head_len += n;
}

static enum cid_error read_source(void *ctx, void *buf, size_t cap, size_t *got)
{
    struct car_file *file = ctx;
    ssize_t n;

    do
        n = read(file->fd, buf, cap);
    while (n < 0 && errno == EINTR);
    if (n < 0) {
        file->error = errno;
        return CID_E_IO;
    }
    if (n == 0)
        return CID_END;
    keep_head(file, buf, (size_t)n);
    if (file->tap.see)
        file->tap.see(file->tap.ctx, buf, (size_t)n, file->total);
    file->total += (uint64_t)n;
    *got = (size_t)n;
    return CID_OK;
}

/* Only where the size is known, and nobody wants to see all bytes. */
static enum cid_error skip_source(void *ctx, uint64_t n, uint64_t *skipped)
{
    struct car_file *file = ctx;
    uint64_t left = file->has_size && file->total < file->size ? file->size - file->total : 0;

    n = n < left ? n : left;
    if (n == 0 || file->tap.see || lseek(file->fd, (off_t)n, SEEK_CUR) < 0)
        return CID_OK;
    file->total += n;
    *skipped = n;
    return CID_OK;
}

static void find_size(struct car_file *file)
{
    struct stat info;
    off_t at;

    if (fstat(file->fd, &info) != 0 || !S_ISREG(info.st_mode))
        return;
    at = lseek(file->fd, 0, SEEK_CUR);
    file->has_size = at >= 0 && at <= info.st_size;
    if (file->has_size) {
        file->size = (uint64_t)(info.st_size - at);
        file->start = (uint64_t)at;
    }
}

enum cid_error car_file_open(struct car_file *file, const char *name,
                             const struct cid_car_options *options)
{
    return car_file_open_tapped(file, name, options, NULL);
}

enum cid_error car_file_open_tapped(struct car_file *file, const char *name,
                                    const struct cid_car_options *options,
                                    const struct car_tap *tap)
{
    struct cid_source source = {read_source, file, skip_source};
    enum cid_error error;

    memset(file, 0, sizeof *file);
    file->name = name;
    if (tap)
        file->tap = *tap;
    file->error = file_open(&file->fd, name);
    if (file->error) {
        file->fault.code = CID_E_IO;
        return CID_E_IO;
    }
    find_size(file);
    error = cid_car_reader_open_source(&file->reader, &source, options, &file->fault, NULL);
    if (error)
        file->fault.code = error;
    return error;
}

void car_file_close(struct car_file *file)
{
    cid_car_reader_close(file->reader);
    file_close(file->fd);
    file->reader = NULL;
    file->fd = -1;
}

void car_file_failed(struct car_file *file, enum cid_error error)
{
    file->fault = *cid_car_reader_fault(file->reader);
    file->fault.code = error;
}

enum status car_status(enum cid_error error)
{
    if (error == CID_E_IO || error == CID_E_NOMEM || error == CID_E_TOO_LARGE)
        return STATUS_IO;
    return error == CID_E_UNVERIFIABLE ? STATUS_OPEN : STATUS_BAD;
}

void car_last_set(struct car_last *last, const struct cid_car_block *block)
{
    cid_free(&last->cid, NULL);
    if (cid_own(&last->cid, &block->cid, NULL) == CID_OK)
        last->offset = block->section_in_file;
}

/* ---- messages ------------------------------------------------------------------------------ */

void car_message(char *out, size_t cap, const struct car_file *file, const struct cid_fault *fault)
{
    const char *text = cid_error_text(fault->code);
    const char *guess = file->reader ? NULL : cid_car_guess(file->head, file->head_len);

    if (fault->code == CID_E_IO && file->error)
        snprintf(out, cap, "%s", strerror(file->error));
    else if (guess && fault->code != CID_E_IO && fault->code != CID_E_NOMEM)
        snprintf(out, cap, "this is not a CAR; it looks like %s", guess);
    else if (fault->code == CID_E_TRUNCATED && fault->need > fault->have)
        snprintf(out, cap,
                 "the file is cut short: the %s needs %" PRIu64 " bytes, %" PRIu64 " are there",
                 *cid_field_name(fault->field) ? cid_field_name(fault->field) : "data", fault->need,
                 fault->have);
    else if (fault->code == CID_E_UNVERIFIABLE && fault->field == CID_FIELD_INDEX)
        snprintf(out, cap, "the index is of an unknown kind");
    else if (fault->code == CID_E_CAR_VERSION && fault->have != 0)
        snprintf(out, cap, "CAR version %" PRIu64 " is not supported", fault->have);
    else if (fault->code == CID_E_SECTION_LIMIT || fault->code == CID_E_HEADER_LIMIT)
        snprintf(out, cap, "%s: it has %" PRIu64 " bytes, the limit is %" PRIu64, text, fault->have,
                 fault->need);
    else if (fault->code == CID_E_SECTION_SHORT && fault->need > fault->have)
        snprintf(out, cap, "%s: the CID needs %" PRIu64 " bytes, the section has %" PRIu64, text,
                 fault->need, fault->have);
    else
        snprintf(out, cap, "%s", text);
}

/* What can be done about it; NULL if nothing comes to mind. */
static const char *advice(const struct cid_fault *fault)
{
    static const struct {
        enum cid_error error;
        const char *text;
    } known[] = {
        {CID_E_SECTION_EMPTY,
         "if the file was padded with zeros, --allow-padding accepts them at its end"},
        {CID_E_SECTION_LIMIT, "--max-section=SIZE raises the limit"},
        {CID_E_HEADER_LIMIT, "--max-header=SIZE raises the limit, if this is a CAR at all"},
        {CID_E_CAR_EMPTY, "an empty file is often what a failed download leaves"},
        {CID_E_TRUNCATED, "a download or copy that broke off leaves such a file; get it again"},
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].error == fault->code)
            return known[i].text;
    return NULL;
}

static void put_label(struct output *err, const char *label)
{
    out_print(err, "  %s%-15s%s  ", style_on(err, STYLE_LABEL), label, style_off(err));
}

void car_complain(struct cli *cli, const struct car_file *file, const struct car_last *last)
{
    const struct cid_fault *fault = &file->fault;
    struct output *err = cli_message(cli);
    const char *hint = advice(fault);
    char message[512], *text = NULL;

    text_put(err, file->name, strlen(file->name));
    out_text(err, ": ");
    if (fault->where == CID_WHERE_FILE && fault->code != CID_E_CAR_EMPTY)
        out_print(err, "at byte %" PRIu64 ": ", fault->offset);
    car_message(message, sizeof message, file, fault);
    out_text(err, message);
    out_char(err, '\n');
    if (last && cid_is_defined(&last->cid)) {
        struct cid_view view = cid_as_view(&last->cid);
        text = cid_text(&view, CID_BASE_DEFAULT);
    }
    if (text && strlen(text) < 512) {
        put_label(err, "last good block");
        out_print(err, "%s at byte %" PRIu64 "\n", text, last->offset);
    }
    if (hint) {
        put_label(err, "hint");
        out_print(err, "%s%s%s\n", style_on(err, STYLE_NOTE), hint, style_off(err));
    }
    cli_message_end(cli);
    free(text);
}

void car_fail(struct cli *cli, const struct car_file *file, const struct car_last *last)
{
    char message[512];

    cli_status(cli, car_status(file->fault.code));
    if (!cli->as_json) {
        car_complain(cli, file, last);
        return;
    }
    car_message(message, sizeof message, file, &file->fault);
    cid_json_object_begin(&cli->json);
    cid_json_key(&cli->json, "file");
    cid_json_text(&cli->json, file->name);
    cid_json_key(&cli->json, "ok");
    cid_json_bool(&cli->json, false);
    json_error(&cli->json, &file->fault, message);
    cid_json_object_end(&cli->json);
    cli_json_line(cli);
}
