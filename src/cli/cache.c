#include "cache.h"
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* To be raised whenever entries of before shall not be used any more. */
#define FORMAT "cid-inspect index cache 1"
#define SUFFIX ".idx"
#define PART   ".part"

/* A half-written file is left behind by a run that was killed, if it is so many seconds old. */
#define PART_AGE 3600

#define DIGEST   32 /* sha2-256 */

/* Room for the part of the page by which an archive is known. */
#define KEY_SIZE  256
#define NAME_ROOM 128

/* ---- names --------------------------------------------------------------------------------- */

static char *join(const char *a, const char *b, const char *c)
{
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = cli_alloc(size);

    snprintf(text, size, "%s%s%s", a, b, c);
    return text;
}

char *cache_folder(void)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

    if (base && base[0] == '/')
        return join(base, "/cid-inspect", "");
    return home && home[0] == '/' ? join(home, "/.cache", "/cid-inspect") : NULL;
}

static char *entry_path(const struct stat *archive)
{
    char name[NAME_ROOM];
    char *folder = cache_folder(), *path;

    if (!folder)
        return NULL;
    snprintf(name, sizeof name, "/%jx-%jx-%jx-%jx.%09ld" SUFFIX, (uintmax_t)archive->st_dev,
             (uintmax_t)archive->st_ino, (uintmax_t)archive->st_size,
             (uintmax_t)archive->st_mtim.tv_sec, archive->st_mtim.tv_nsec);
    path = join(folder, name, "");
    free(folder);
    return path;
}

/* The lines by which an archive is known, in the page and in comparison. */
static void write_key(char key[KEY_SIZE], const struct stat *archive)
{
    snprintf(key, KEY_SIZE, FORMAT "\ndevice %ju\ninode %ju\nsize %ju\nchanged %jd.%09ld\nindex ",
             (uintmax_t)archive->st_dev, (uintmax_t)archive->st_ino, (uintmax_t)archive->st_size,
             (intmax_t)archive->st_mtim.tv_sec, archive->st_mtim.tv_nsec);
}

/* ---- reading ------------------------------------------------------------------------------- */

static enum cid_error read_index(void *ctx, void *buf, size_t len, uint64_t offset)
{
    const struct cache_entry *entry = ctx;

    return file_read_at(entry->fd, buf, len, offset + CACHE_PAGE);
}

/* What the page says of the index: its length and digest. */
static bool read_page(struct cache_entry *entry, const struct stat *archive, uint64_t file_len)
{
    char key[KEY_SIZE], digest[2 * DIGEST + 1];

    if (file_len < CACHE_PAGE || pread(entry->fd, entry->page, CACHE_PAGE, 0) != CACHE_PAGE)
        return false;
    entry->page[CACHE_PAGE - 1] = '\0';
    write_key(key, archive);
    return strncmp(entry->page, key, strlen(key)) == 0 &&
           sscanf(entry->page + strlen(key), "%" SCNu64 " %64[0-9a-f]\n", &entry->len, digest) ==
               2 &&
           entry->len == file_len - CACHE_PAGE;
}

bool cache_open(struct cache_entry *entry, const struct stat *archive)
{
    char *path = entry_path(archive);
    struct stat info;
    bool good = false;

    memset(entry, 0, sizeof *entry);
    entry->fd = -1;
    if (!path)
        return false;
    entry->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (entry->fd >= 0 && fstat(entry->fd, &info) == 0 && S_ISREG(info.st_mode) &&
        read_page(entry, archive, (uint64_t)info.st_size)) {
        entry->file = (struct cid_file){read_index, entry, entry->len};
        good = cid_car_index_open_file(&entry->index, &entry->file, NULL, NULL) == CID_OK;
    }
    if (good)
        utimensat(AT_FDCWD, path, NULL, 0); /* the oldest is the one not used for longest */
    else
        cache_close(entry);
    free(path);
    return good;
}

void cache_close(struct cache_entry *entry)
{
    cid_car_index_close(entry->index);
    if (entry->fd >= 0)
        close(entry->fd);
    entry->index = NULL;
    entry->fd = -1;
}

static void put_hex(char out[2 * DIGEST + 1], const uint8_t digest[DIGEST])
{
    for (int i = 0; i < DIGEST; i++)
        snprintf(out + (size_t)i * 2, 3, "%02x", digest[i]);
}

static enum cid_error take(void *ctx, const void *data, size_t len)
{
    return cid_hasher_update(ctx, data, len);
}

/* The digest of an index in hexadecimal. */
static bool sum_index(char out[2 * DIGEST + 1], const struct cid_car_index *index)
{
    struct cid_hasher *hasher = NULL;
    struct cid_sink sink;
    uint8_t digest[DIGEST];
    bool good =
        cid_hasher_open(&hasher, CID_HASH_SHA2_256, CID_DIGEST_DEFAULT, NULL, NULL) == CID_OK;

    sink = (struct cid_sink){take, NULL, hasher};
    good = good && cid_car_index_write(index, &sink) == CID_OK &&
           cid_hasher_finish(digest, sizeof digest, NULL, hasher) == CID_OK;
    cid_hasher_close(hasher);
    if (good)
        put_hex(out, digest);
    return good;
}

bool cache_is_intact(const struct cache_entry *entry)
{
    char digest[2 * DIGEST + 1], line[2 * DIGEST + 4];

    if (!sum_index(digest, entry->index))
        return false;
    snprintf(line, sizeof line, " %s\n", digest);
    return strstr(entry->page, line) != NULL;
}

/* ---- the folder ---------------------------------------------------------------------------- */

static bool ends_in(const char *name, const char *end)
{
    size_t len = strlen(name), end_len = strlen(end);
    return len > end_len && strcmp(name + len - end_len, end) == 0;
}

static int compare(const void *a, const void *b)
{
    const struct timespec *x = &((const struct cache_file *)a)->used,
                          *y = &((const struct cache_file *)b)->used;

    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

static void add_file(struct cache_files *files, const char *name, const struct stat *info)
{
    struct cache_file *more;

    if (files->count == files->cap) {
        more = cli_alloc((files->cap * 2 + 64) * sizeof *more);
        if (files->count != 0)
            memcpy(more, files->files, files->count * sizeof *more);
        free(files->files);
        files->files = more;
        files->cap = files->cap * 2 + 64;
    }
    files->files[files->count++] =
        (struct cache_file){join(name, "", ""), (uint64_t)info->st_size, info->st_mtim};
    files->size += (uint64_t)info->st_size;
}

int cache_read(struct cache_files *files, const char *folder, bool parts)
{
    DIR *directory = opendir(folder);
    struct dirent *item;
    struct stat info;

    memset(files, 0, sizeof *files);
    if (!directory)
        return errno == ENOENT ? 0 : errno;
    while ((item = readdir(directory)) != NULL)
        if ((ends_in(item->d_name, SUFFIX) || (parts && ends_in(item->d_name, PART))) &&
            fstatat(dirfd(directory), item->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode))
            add_file(files, item->d_name, &info);
    closedir(directory);
    if (files->count != 0)
        qsort(files->files, files->count, sizeof *files->files, compare);
    return 0;
}

void cache_files_free(struct cache_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->files[i].name);
    free(files->files);
}

char *cache_archive(const char *folder, const char *name)
{
    char *path = join(folder, "/", name), *page = cli_alloc(CACHE_PAGE), *start, *end;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    char *archive = NULL;

    if (fd >= 0 && pread(fd, page, CACHE_PAGE - 1, 0) > 0) {
        start = strstr(page, "\narchive ");
        end = start ? strchr(start + 1, '\n') : NULL;
        if (end) {
            *end = '\0';
            archive = join(start + strlen("\narchive "), "", "");
        }
    }
    if (fd >= 0)
        close(fd);
    free(page);
    free(path);
    return archive;
}

/* Removes the oldest entries until there is room, and what killed runs have left. */
static void trim(const char *folder, const char *kept)
{
    struct cache_files files;
    time_t now = time(NULL);

    if (cache_read(&files, folder, true))
        return;
    for (size_t i = 0; i < files.count; i++) {
        const struct cache_file *file = &files.files[i];
        bool part = ends_in(file->name, PART);
        char *path = join(folder, "/", file->name);
        if ((part && now - file->used.tv_sec > PART_AGE) ||
            (!part && files.size > CACHE_LIMIT && strcmp(path, kept) != 0)) {
            unlink(path);
            files.size -= file->size;
        }
        free(path);
    }
    cache_files_free(&files);
}

/* ---- writing ------------------------------------------------------------------------------- */

/* Makes the folder, and the one it lies in. */
static bool make_folder(const char *folder)
{
    char *parent = join(folder, "", "");
    char *slash = strrchr(parent, '/');
    bool good;

    if (slash && slash != parent) {
        *slash = '\0';
        (void)mkdir(parent, 0700);
    }
    good = mkdir(folder, 0700) == 0 || errno == EEXIST;
    free(parent);
    return good;
}

/* The path of the archive from the root on, as a line; one that would not fit is left out. */
static void add_archive(char page[CACHE_PAGE], const char *path)
{
    char *full = realpath(path, NULL);
    size_t len = strlen(page);

    if (full && !strchr(full, '\n') && strlen(full) + len + 16 < CACHE_PAGE)
        snprintf(page + len, CACHE_PAGE - len, "archive %s\n", full);
    free(full);
}

static bool make_page(char page[CACHE_PAGE], const struct stat *archive, const char *path,
                      const struct cid_car_index *index)
{
    char digest[2 * DIGEST + 1];
    size_t len;

    if (!sum_index(digest, index))
        return false;
    memset(page, 0, CACHE_PAGE);
    write_key(page, archive);
    len = strlen(page);
    snprintf(page + len, CACHE_PAGE - len, "%" PRIu64 " %s\n", cid_car_index_size(index), digest);
    add_archive(page, path);
    return true;
}

static bool write_entry(const char *to, const char page[CACHE_PAGE],
                        const struct cid_car_index *index)
{
    struct cid_output *output = NULL;
    struct cid_sink sink;
    bool good = false;

    if (cid_output_open(&output, to, NULL) == CID_OK) {
        sink = cid_output_sink(output);
        good = sink.write(sink.ctx, page, CACHE_PAGE) == CID_OK &&
               cid_car_index_write(index, &sink) == CID_OK && cid_output_commit(output) == CID_OK;
    }
    cid_output_close(output);
    return good;
}

uint64_t cache_keep(const struct stat *archive, const char *path, const struct cid_car_index *index)
{
    uint64_t size = cid_car_index_size(index) + CACHE_PAGE;
    char *folder = cache_folder(), *to = entry_path(archive), page[CACHE_PAGE];
    bool good = folder && to && size <= CACHE_LIMIT && make_folder(folder) &&
                make_page(page, archive, path, index) && write_entry(to, page, index);

    if (good)
        trim(folder, to);
    free(folder);
    free(to);
    return good ? size : 0;
}

void cache_drop(const struct stat *archive)
{
    char *path = entry_path(archive);

    if (path)
        unlink(path);
    free(path);
}
