#include "inspect.h"
#include "commands.h"
#include "subject.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyz"

enum {
    OPTION_FULL
};

static const struct option options[] = {
    [OPTION_FULL] = {"full", 0, NULL, "show long digests whole, and the digest in base64"},
    {NULL, 0, NULL, NULL},
};

/* What somebody may have meant who names a file or a command where a CID belongs. */
static void hint_usage(struct cli *cli, const struct item *item)
{
    struct output *err = &cli->err;

    if (cli->as_json || item->line != 0 || item->len == 0)
        return;
    if (access(item->text, F_OK) == 0)
        out_text(err, "  There is a file of that name; 'cid-inspect car FILE' reads a CAR archive, "
                      "and\n  'cid-inspect hash FILE' prints the CID of a file.\n");
    else if (item->len < 10 && strspn(item->text, LETTERS) == item->len)
        out_text(err, "  'cid-inspect --help' lists the commands.\n");
    cli_message_end(cli);
}

static enum status run(struct cli *cli, const struct arguments *args)
{
    struct items *items = items_begin(cli, args);
    struct item item;
    bool first = true;

    if (!items)
        return STATUS_USAGE;
    while (cli_going(cli) && items_next(items, &item)) {
        struct subject subject;

        subject_read(&subject, &item, ACCEPT_PATHS);
        if (subject.error) {
            subject_complain(cli, &subject);
            hint_usage(cli, &item);
        } else if (cli->as_json) {
            inspect_json(cli, &subject);
        } else {
            if (!first)
                out_char(&cli->out, '\n');
            inspect_report(cli, &subject, args->values[OPTION_FULL] != NULL);
            first = false;
        }
        subject_release(&subject);
    }
    free(items);
    return cli->status;
}

const struct command inspect_command = {
    "inspect",
    "[CID]...",
    "explain CIDs: version, base, codec, hash, digest, other forms",
    "Explains each CID, also one in a path or URL (/ipfs/CID, ipfs://CID, a gateway's URL).\n"
    "With '-', or without arguments at the end of a pipe, reads one a line from standard\n"
    "input. What is no CID is explained on standard error, with the place of the fault.\n"
    "\n"
    "Exit status: 0 all are CIDs, 1 one is not, 2 wrong usage, 3 input or output failed.\n",
    options,
    run,
};
