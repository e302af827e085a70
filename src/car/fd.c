#define _POSIX_C_SOURCE 200809L
#include "car/reader.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

/* The descriptor travels in the pointer, so that there is nothing to own. */
static enum cid_error read_fd(void *ctx, void *buf, size_t cap, size_t *got)
{
    int fd = (int)(intptr_t)ctx;

    for (;;) {
        ssize_t n = read(fd, buf, cap < SSIZE_MAX ? cap : SSIZE_MAX);
        if (n > 0) {
            *got = (size_t)n;
            return CID_OK;
        }
        if (n == 0)
            return CID_END;
        if (errno == EAGAIN || errno == EWOULDBLOCK) { /* somebody made it non-blocking */
            struct pollfd wait = {.fd = fd, .events = POLLIN};
            (void)poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            return CID_E_IO;
        }
    }
}

enum cid_error cid_car_reader_open_fd(struct cid_car_reader **out, int fd,
                                      const struct cid_car_options *options,
                                      struct cid_fault *fault, const struct cid_allocator *alloc)
{
    struct cid_source source = {read_fd, (void *)(intptr_t)fd};

    return cid_car_reader_open_source(out, &source, options, fault, alloc);
}
