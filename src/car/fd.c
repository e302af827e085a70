#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64
#include "car/reader.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
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

/* At once, so that a file system with a largest offset has nothing against it. */
#define HOP_MOST ((uint64_t)1 << 30)

/*
 * The size is asked for each time, as nothing is kept here and the file may grow or shrink. A file
 * without one, as those of /proc, is read.
 */
static enum cid_error skip_fd(void *ctx, uint64_t n, uint64_t *skipped)
{
    int fd = (int)(intptr_t)ctx;
    off_t step = (off_t)(n < HOP_MOST ? n : HOP_MOST), here, to;
    struct stat info;

    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return CID_OK;
    here = lseek(fd, step, SEEK_CUR);
    if (here < 0)
        return CID_OK;
    to = here;
    if (to > info.st_size)
        to = here - step < info.st_size ? info.st_size : here - step;
    if (to != here && lseek(fd, to, SEEK_SET) < 0)
        return CID_E_IO;
    *skipped = (uint64_t)(to - (here - step));
    return CID_OK;
}

enum cid_error cid_car_reader_open_fd(struct cid_car_reader **out, int fd,
                                      const struct cid_car_options *options,
                                      struct cid_fault *fault, const struct cid_allocator *alloc)
{
    struct cid_source source = {read_fd, (void *)(intptr_t)fd, skip_fd};

    return cid_car_reader_open_source(out, &source, options, fault, alloc);
}
