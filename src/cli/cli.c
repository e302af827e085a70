#include "cli.h"
#include "progress.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum cid_error json_flush(void *ctx, const char *text, size_t len)
{
    struct output *out = ctx;
    out_write(out, text, len);
    return out->error ? CID_E_IO : CID_OK;
}

void cli_begin(struct cli *cli)
{
    memset(cli, 0, sizeof *cli);
    out_begin(&cli->out, STDOUT_FILENO);
    out_begin(&cli->err, STDERR_FILENO);
    cid_json_begin(&cli->json, cli->json_buf, sizeof cli->json_buf, json_flush, &cli->out);
}

enum status status_worst(enum status a, enum status b)
{
    static const int rank[] = {
        [STATUS_GOOD] = 0, [STATUS_OPEN] = 1, [STATUS_BAD] = 2, [STATUS_IO] = 3, [STATUS_USAGE] = 4,
    };
    return rank[a] >= rank[b] ? a : b;
}

void cli_status(struct cli *cli, enum status status)
{
    cli->status = status_worst(cli->status, status);
}

bool cli_going(const struct cli *cli)
{
    return !cli->out.error;
}

struct output *cli_message(struct cli *cli)
{
    if (cli->progress)
        progress_hide(cli->progress);
    out_flush(&cli->out);
    style_text(&cli->err, STYLE_BAD, "cid-inspect: ");
    return &cli->err;
}

void cli_message_end(struct cli *cli)
{
    out_flush(&cli->err);
}

enum status cli_end(struct cli *cli)
{
    int error;

    out_flush(&cli->out);
    error = cli->out.error;
    if (close(STDOUT_FILENO) != 0 && !error && errno != EINTR)
        error = errno;
    if (error) {
        cli_status(cli, STATUS_IO);
        if (error != EPIPE) { /* a reader that has seen enough is no news */
            out_print(cli_message(cli), "cannot write to standard output: %s\n", strerror(error));
            cli_message_end(cli);
        }
    }
    return cli->status;
}

void cli_json_line(struct cli *cli)
{
    enum cid_error error = cid_json_finish(&cli->json, NULL, true);

    if (error && error != CID_E_IO) {
        out_print(cli_message(cli), "internal error: JSON: %s\n", cid_error_text(error));
        cli_message_end(cli);
        cli_status(cli, STATUS_IO);
    }
}

enum status cli_usage(struct cli *cli, const char *format, ...)
{
    struct output *err = cli_message(cli);
    va_list args;

    if (cli->command)
        out_print(err, "%s: ", cli->command);
    va_start(args, format);
    out_vprint(err, format, args);
    va_end(args);
    out_print(err, "\nTry 'cid-inspect %s%s--help'.\n", cli->command ? cli->command : "",
              cli->command ? " " : "");
    cli_message_end(cli);
    cli_status(cli, STATUS_USAGE);
    return STATUS_USAGE;
}

void *cli_alloc(size_t size)
{
    static const char message[] = "cid-inspect: out of memory\n";
    void *memory = calloc(1, size != 0 ? size : 1);

    if (!memory) {
        ssize_t ignored = write(STDERR_FILENO, message, sizeof message - 1);
        (void)ignored;
        _exit(STATUS_IO);
    }
    return memory;
}
