#include "lines.h"
#include "file.h"

#include <string.h>

bool lines_open(struct cli *cli, struct lines *lines, const char *name)
{
    int fd, failure;

    memset(lines, 0, sizeof *lines);
    lines->name = name;
    failure = file_open(&fd, name);
    if (!failure)
        failure = file_read_all(&lines->data, fd, UINT64_MAX);
    file_close(fd);
    if (failure)
        file_complain(cli, name, CID_E_IO, strerror(failure));
    return !failure;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next line without the blanks around it. */
static bool next_text(struct lines *lines, const char **text, size_t *len)
{
    const char *start = lines->data.data + lines->at, *end;
    size_t left = lines->data.len - lines->at;

    if (left == 0)
        return false;
    end = memchr(start, '\n', left);
    lines->at = end ? (size_t)(end + 1 - lines->data.data) : lines->data.len;
    lines->number++;
    if (!end)
        end = start + left;
    if (lines->number == 1 && end - start >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0)
        start += 3;
    while (start != end && is_blank(*start))
        start++;
    while (start != end && is_blank(end[-1]))
        end--;
    *text = start;
    *len = (size_t)(end - start);
    return true;
}

bool lines_next(struct lines *lines, struct subject *subject, const char **rest, size_t *rest_len)
{
    const char *text = "";
    size_t len = 0, n = 0;
    struct item item = {0};

    while (len == 0)
        if (!next_text(lines, &text, &len))
            return false;
    while (n != len && !is_blank(text[n]))
        n++;
    item.text = text;
    item.len = n;
    item.line = lines->number;
    subject_read(subject, &item, ACCEPT_BARE);
    while (n != len && is_blank(text[n]))
        n++;
    *rest = text + n;
    *rest_len = len - n;
    return true;
}

void lines_free(struct lines *lines)
{
    buffer_free(&lines->data);
}
