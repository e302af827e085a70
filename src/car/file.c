#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64
#include "car/archive.h"

#include "base/arith.h"
#include "base/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ------------------------------------------------------------------------------ */

/* The descriptor travels in the pointer, so that there is nothing to own. */
static enum cid_error read_at(void *ctx, void *buf, size_t len, uint64_t offset)
{
    int fd = (int)(intptr_t)ctx;
    uint8_t *at = buf;

    while (len != 0) {
        ssize_t n = pread(fd, at, len < SSIZE_MAX ? len : SSIZE_MAX, (off_t)offset);
        if (n == 0)
            return CID_E_TRUNCATED; /* somebody has made the file shorter */
        if (n < 0 && errno != EINTR)
            return CID_E_IO;
        if (n < 0)
            continue;
        at += n;
        len -= (size_t)n;
        offset += (uint64_t)n;
    }
    return CID_OK;
}

enum cid_error cid_file_of_fd(struct cid_file *out, int fd)
{
    struct stat info;
    off_t len;

    if (fstat(fd, &info) != 0)
        return CID_E_IO;
    len = info.st_size;
    if (S_ISBLK(info.st_mode)) { /* a device tells its size only in this way */
        off_t here = lseek(fd, 0, SEEK_CUR);
        len = lseek(fd, 0, SEEK_END);
        if (here < 0 || len < 0 || lseek(fd, here, SEEK_SET) < 0)
            return CID_E_IO;
    } else if (!S_ISREG(info.st_mode)) {
        errno = ESPIPE;
        return CID_E_IO;
    }
    *out = (struct cid_file){read_at, (void *)(intptr_t)fd, (uint64_t)len};
    return CID_OK;
}

enum cid_error cid_car_open_fd(struct cid_car **out, int fd,
                               const struct cid_car_open_options *options, struct cid_fault *fault,
                               const struct cid_allocator *alloc)
{
    struct cid_file file;
    struct cid_fault unseen = {0};
    enum cid_error error = cid_file_of_fd(&file, fd);

    *out = NULL;
    if (error)
        return cid__car_fault(fault ? fault : &unseen, error, CID_FIELD_NONE, 0, 0, 0);
    return cid_car_open_file(out, &file, options, fault, alloc);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Behind the name while the file is not whole: process, number, and what tells people. */
#define TEMP_FORMAT "%s.%ld-%u.part"
#define TEMP_EXTRA  48 /* more than all that takes */
#define TEMP_TRIES  1000

struct cid_output {
    int fd;
    bool seekable;
    bool created; /* the file under the passing name is there, and is ours */
    off_t start;  /* where the descriptor stood */
    size_t path_size;
    char *path; /* NULL: the descriptor is the caller's */
    char *temp; /* of path_size + TEMP_EXTRA */
    const struct cid_allocator *alloc;
    struct cid_allocator alloc_copy;
};

static enum cid_error write_all(void *ctx, const void *data, size_t len)
{
    struct cid_output *output = ctx;
    const uint8_t *at = data;

    while (len != 0) {
        ssize_t n = write(output->fd, at, len < SSIZE_MAX ? len : SSIZE_MAX);
        if (n >= 0) {
            at += n;
            len -= (size_t)n;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) { /* somebody made it non-blocking */
            struct pollfd wait = {.fd = output->fd, .events = POLLOUT};
            (void)poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            return CID_E_IO;
        }
    }
    return CID_OK;
}

static enum cid_error write_at(void *ctx, const void *data, size_t len, uint64_t offset)
{
    struct cid_output *output = ctx;
    const uint8_t *at = data;

    while (len != 0) {
        ssize_t n = pwrite(output->fd, at, len, output->start + (off_t)offset);
        if (n < 0 && errno != EINTR)
            return CID_E_IO;
        if (n < 0)
            continue;
        at += n;
        len -= (size_t)n;
        offset += (uint64_t)n;
    }
    return CID_OK;
}

static struct cid_output *new_output(int fd, const struct cid_allocator *alloc)
{
    struct cid_output *output = cid__alloc(alloc, sizeof *output);

    if (!output)
        return NULL;
    *output = (struct cid_output){.fd = fd};
    if (alloc) {
        output->alloc_copy = *alloc;
        output->alloc = &output->alloc_copy;
    }
    return output;
}

enum cid_error cid_output_open_fd(struct cid_output **out, int fd,
                                  const struct cid_allocator *alloc)
{
    struct cid_output *output = NULL;
    struct stat info;
    int flags = fcntl(fd, F_GETFL);

    *out = NULL;
    if (flags < 0 || fstat(fd, &info) != 0)
        return CID_E_IO;
    output = new_output(fd, alloc);
    if (!output)
        return CID_E_NOMEM;
    /* Under O_APPEND pwrite(2) appends too, whatever the offset. */
    output->seekable = (S_ISREG(info.st_mode) || S_ISBLK(info.st_mode)) && !(flags & O_APPEND);
    if (output->seekable)
        output->start = lseek(fd, 0, SEEK_CUR);
    *out = output;
    return CID_OK;
}

/* Makes room for both names and copies the one that is known. */
static enum cid_error keep_path(struct cid_output *output, const char *path)
{
    size_t size = strlen(path) + 1, temp_size;

    if (!cid__add_size(&temp_size, size, TEMP_EXTRA))
        return CID_E_NOMEM;
    output->path_size = size;
    output->path = cid__alloc(output->alloc, size);
    output->temp = cid__alloc(output->alloc, temp_size);
    if (!output->path || !output->temp)
        return CID_E_NOMEM;
    memcpy(output->path, path, size);
    return CID_OK;
}

static enum cid_error create(struct cid_output *output)
{
    struct stat info;

    if (output->path_size == 1) { /* what comes behind would make a name of it */
        errno = ENOENT;
        return CID_E_IO;
    }
    if (stat(output->path, &info) == 0 && !S_ISREG(info.st_mode))
        return CID_E_OUTPUT_KIND;
    for (unsigned i = 0; i < TEMP_TRIES && output->fd < 0; i++) {
        snprintf(output->temp, output->path_size + TEMP_EXTRA, TEMP_FORMAT, output->path,
                 (long)getpid(), i);
        output->fd = open(output->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (output->fd < 0 && errno != EEXIST)
            break;
    }
    output->created = output->seekable = output->fd >= 0;
    return output->created ? CID_OK : CID_E_IO;
}

enum cid_error cid_output_open(struct cid_output **out, const char *path,
                               const struct cid_allocator *alloc)
{
    struct cid_output *output = new_output(-1, alloc);
    enum cid_error error;

    *out = NULL;
    if (!output)
        return CID_E_NOMEM;
    error = keep_path(output, path);
    if (!error)
        error = create(output);
    if (!error)
        *out = output;
    else
        cid_output_close(output);
    return error;
}

struct cid_sink cid_output_sink(struct cid_output *output)
{
    return (struct cid_sink){write_all, output->seekable ? write_at : NULL, output};
}

/* Makes sure that the new name is on the disk. Not all file systems can sync a directory. */
static enum cid_error sync_directory(const struct cid_output *output)
{
    const char *slash = strrchr(output->path, '/');
    int fd, status;

    memcpy(output->temp, output->path, output->path_size);
    if (slash)
        output->temp[slash == output->path ? 1 : slash - output->path] = '\0';
    fd = open(slash ? output->temp : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return errno == EACCES ? CID_OK : CID_E_IO; /* may be written to and not read */
    status = fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
    close(fd);
    errno = status;
    return status == 0 ? CID_OK : CID_E_IO;
}

enum cid_error cid_output_commit(struct cid_output *output)
{
    int fd = output->fd;

    if (!output->path)
        return CID_OK;
    if (fd < 0)
        return CID_E_ARGUMENT;
    if (fsync(fd) != 0)
        return CID_E_IO;
    output->fd = -1;
    if (close(fd) != 0)
        return CID_E_IO;
    if (rename(output->temp, output->path) != 0)
        return CID_E_IO;
    output->created = false;
    return sync_directory(output);
}

void cid_output_close(struct cid_output *output)
{
    int status = errno;
    struct cid_allocator copy;
    const struct cid_allocator *alloc = NULL;

    if (!output)
        return;
    if (output->alloc) {
        copy = output->alloc_copy;
        alloc = &copy;
    }
    if (output->path && output->fd >= 0)
        close(output->fd);
    if (output->created)
        unlink(output->temp);
    if (output->path)
        cid__release(alloc, output->path, output->path_size);
    if (output->temp)
        cid__release(alloc, output->temp, output->path_size + TEMP_EXTRA);
    cid__release(alloc, output, sizeof *output);
    errno = status;
}
