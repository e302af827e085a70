#include "file.h"
#include "subject.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int file_open(int *fd, const char *name)
{
    struct stat info;

    *fd = strcmp(name, "-") == 0 ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (*fd < 0)
        return errno;
    if (fstat(*fd, &info) == 0 && S_ISDIR(info.st_mode)) {
        file_close(*fd);
        *fd = -1;
        return EISDIR;
    }
    return 0;
}

int file_read_all(struct buffer *data, int fd, uint64_t limit)
{
    for (;;) {
        char *at = buffer_room(data, 65536);
        ssize_t n = read(fd, at, data->cap - data->len);
        if (n == 0)
            return 0;
        if (n > 0)
            data->len += (size_t)n;
        else if (errno != EINTR)
            return errno;
        if (data->len > limit)
            return EFBIG;
    }
}

enum cid_error file_read_at(int fd, void *buf, size_t len, uint64_t offset)
{
    char *at = buf;

    while (len != 0) {
        ssize_t n = pread(fd, at, len, (off_t)(offset));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? CID_E_IO : CID_E_TRUNCATED;
        at += n;
        offset += (uint64_t)n;
        len -= (size_t)n;
    }
    return CID_OK;
}

bool file_same(int a, int b)
{
    struct stat one, two;

    return fstat(a, &one) == 0 && fstat(b, &two) == 0 && S_ISREG(one.st_mode) &&
           one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

void file_close(int fd)
{
    if (fd > STDIN_FILENO)
        close(fd);
}

bool file_check_operands(struct cli *cli, const struct arguments *args)
{
    if (args->count != 0 || !isatty(STDIN_FILENO))
        return true;
    cli_usage(cli, "no file given; '-' is standard input");
    return false;
}

void file_complain(struct cli *cli, const char *name, enum cid_error error, const char *detail)
{
    struct cid_fault fault = {.code = error};
    const char *message = detail ? detail : cid_error_text(error);
    struct output *err;

    cli_status(cli, error == CID_E_IO || error == CID_E_NOMEM ? STATUS_IO : STATUS_BAD);
    if (cli->as_json) {
        cid_json_object_begin(&cli->json);
        cid_json_key(&cli->json, "file");
        cid_json_text(&cli->json, name);
        cid_json_key(&cli->json, "ok");
        cid_json_bool(&cli->json, false);
        json_error(&cli->json, &fault, message);
        cid_json_object_end(&cli->json);
        cli_json_line(cli);
        return;
    }
    err = cli_message(cli);
    text_put(err, name, strlen(name));
    out_print(err, ": %s\n", message);
    cli_message_end(cli);
}
