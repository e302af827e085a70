#include "output.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void out_begin(struct output *out, int fd)
{
    out->fd = fd;
    out->error = 0;
    out->color = false;
    out->len = 0;
}

/* A descriptor that somebody else made non-blocking is waited for. */
static bool wait_for(int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLOUT};
    return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

bool out_flush(struct output *out)
{
    size_t at = 0;

    while (!out->error && at < out->len) {
        ssize_t n = write(out->fd, out->buf + at, out->len - at);
        if (n >= 0)
            at += (size_t)n;
        else if (errno == EAGAIN || errno == EWOULDBLOCK)
            out->error = wait_for(out->fd) ? 0 : errno;
        else if (errno != EINTR)
            out->error = errno;
    }
    out->len = 0;
    return !out->error;
}

void out_write(struct output *out, const char *text, size_t len)
{
    while (len != 0 && !out->error) {
        size_t room = sizeof out->buf - out->len;
        size_t n = len < room ? len : room;
        memcpy(out->buf + out->len, text, n);
        out->len += n;
        text += n;
        len -= n;
        if (out->len == sizeof out->buf)
            out_flush(out);
    }
}

void out_text(struct output *out, const char *text)
{
    out_write(out, text, strlen(text));
}

void out_char(struct output *out, char c)
{
    out_write(out, &c, 1);
}

void out_repeat(struct output *out, char c, size_t n)
{
    while (n-- != 0)
        out_char(out, c);
}

void out_number(struct output *out, uint64_t value, size_t width)
{
    char text[20];
    size_t at = sizeof text;

    do {
        text[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    if (width > sizeof text - at)
        out_repeat(out, ' ', width - (sizeof text - at));
    out_write(out, text + at, sizeof text - at);
}

void out_column(struct output *out, const char *text, size_t width)
{
    size_t len = strlen(text);

    out_write(out, text, len);
    if (len < width)
        out_repeat(out, ' ', width - len);
}

void out_vprint(struct output *out, const char *format, va_list args)
{
    char text[1024];
    int n = vsnprintf(text, sizeof text, format, args);

    if (n > 0)
        out_write(out, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void out_print(struct output *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    out_vprint(out, format, args);
    va_end(args);
}
