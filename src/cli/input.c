#include "input.h"
#include "subject.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct items *items_begin(struct cli *cli, const struct arguments *args)
{
    struct items *items;

    if (args->count == 0 && isatty(STDIN_FILENO)) {
        cli_usage(cli, "no CID given; name some, or '-' to type them in, one a line");
        return NULL;
    }
    items = cli_alloc(sizeof *items);
    items->cli = cli;
    items->args = args;
    items->in_stdin = args->count == 0;
    return items;
}

static void tell_failure(struct items *items, int error)
{
    const struct item whole = {.text = "-", .len = 1};
    struct cid_fault fault = {.code = CID_E_IO};
    struct cli *cli = items->cli;

    cli_status(cli, STATUS_IO);
    if (cli->as_json) {
        cid_json_object_begin(&cli->json);
        json_input(&cli->json, &whole);
        cid_json_key(&cli->json, "ok");
        cid_json_bool(&cli->json, false);
        json_error(&cli->json, &fault, strerror(error));
        cid_json_object_end(&cli->json);
        cli_json_line(cli);
        return;
    }
    out_print(cli_message(cli), "cannot read standard input: %s\n", strerror(error));
    cli_message_end(cli);
}

/* Reads more behind what is there; false at the end. The output goes first, for who waits for it.
 */
static bool read_more(struct items *items)
{
    ssize_t n;

    if (items->end)
        return false;
    out_flush(&items->cli->out);
    do
        n = read(STDIN_FILENO, items->buf + items->stop, sizeof items->buf - items->stop);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        tell_failure(items, errno);
    items->end = n <= 0;
    items->stop += n > 0 ? (size_t)n : 0;
    return n > 0;
}

static void move_to_front(struct items *items)
{
    memmove(items->buf, items->buf + items->start, items->stop - items->start);
    items->stop -= items->start;
    items->start = 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Takes the byte order mark and the blanks away. */
static void strip(struct item *item)
{
    if (item->line == 1 && item->len >= 3 && memcmp(item->text, "\xef\xbb\xbf", 3) == 0) {
        item->text += 3;
        item->len -= 3;
    }
    while (item->len != 0 && is_blank(item->text[0])) {
        item->text++;
        item->len--;
    }
    while (item->len != 0 && is_blank(item->text[item->len - 1]))
        item->len--;
}

/* Passes over the rest of a line that is too long; what is low in buf stays. */
static void skip_line(struct items *items)
{
    const char *newline = NULL;

    while (!newline) {
        items->start = items->stop = LINE_LIMIT / 2;
        if (!read_more(items))
            return;
        newline = memchr(items->buf + items->start, '\n', items->stop - items->start);
    }
    items->start = (size_t)(newline + 1 - items->buf);
}

/* The length of the next line, its end included; as much as there is of one that is too long. */
static size_t find_line(struct items *items)
{
    for (size_t seen = 0;;) {
        size_t have = items->stop - items->start;
        const char *from = items->buf + items->start;
        const char *newline = have > seen ? memchr(from + seen, '\n', have - seen) : NULL;

        if (newline)
            return (size_t)(newline + 1 - from);
        if (have > LINE_LIMIT + 2)
            return have;
        seen = have;
        if (items->start != 0)
            move_to_front(items);
        if (!read_more(items))
            return have;
    }
}

static size_t without_end(const char *line, size_t len)
{
    if (len != 0 && line[len - 1] == '\n')
        len--;
    return len != 0 && line[len - 1] == '\r' ? len - 1 : len;
}

static bool next_line(struct items *items, struct item *item)
{
    size_t len = find_line(items);

    if (len == 0)
        return false;
    item->line = ++items->line;
    item->text = items->buf + items->start;
    item->len = without_end(item->text, len);
    item->too_long = item->len > LINE_LIMIT;
    if (item->too_long && item->text[len - 1] != '\n') {
        move_to_front(items);
        item->text = items->buf;
        skip_line(items);
    } else {
        items->start += len;
    }
    if (item->too_long)
        item->len = 256;
    strip(item);
    return true;
}

bool items_next(struct items *items, struct item *item)
{
    memset(item, 0, sizeof *item);
    for (;;) {
        if (items->in_stdin) {
            if (next_line(items, item))
                return true;
            items->in_stdin = false;
        }
        if (items->at == items->args->count) {
            if (items->line == 0 && items->cli->status == STATUS_GOOD && !items->any)
                cli_usage(items->cli, "nothing to do: standard input is empty");
            return false;
        }
        item->text = items->args->operands[items->at++];
        if (strcmp(item->text, "-") == 0) {
            items->in_stdin = true;
            continue;
        }
        item->len = strlen(item->text);
        items->any = true;
        return true;
    }
}
