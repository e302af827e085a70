/*
 * cache.h - the indexes that 'car get' has built and keeps, so that the second question about an
 * archive is answered at once.
 *
 * They lie in $XDG_CACHE_HOME/cid-inspect, or else ~/.cache/cid-inspect, a file each. Its name is
 * made of the archive's device, inode, size and time of change, and a page at its front repeats
 * that and says what the index behind it must be. So an archive that changed has another entry, and
 * a file that is not what it should be is taken for none. The index itself is not read before it is
 * searched: what it leads to is held against the CID that was asked for, and an answer that there
 * is nothing is believed only if the index still has the digest that it had when it was written.
 *
 * Entries are written under another name first, so that any number of runs may use the cache at
 * once. Where it cannot be read or written, nothing is kept and nothing is said.
 */
#ifndef CID_CLI_CACHE_H
#define CID_CLI_CACHE_H

#include "cli.h"

#include <cid/car.h>

#include <sys/stat.h>
#include <time.h>

/* All entries together; the oldest go first. */
#define CACHE_LIMIT (UINT64_C(1) << 30)
/* Entries longer than this are told. */
#define CACHE_TELL (UINT64_C(16) << 20)

/* The page at the front of an entry: lines of text, then zeros. */
#define CACHE_PAGE 4096

/* An entry that is open. */
struct cache_entry {
    struct cid_car_index *index; /* NULL: there is none */
    int fd;
    uint64_t len; /* of the index */
    struct cid_file file;
    char page[CACHE_PAGE];
};

/*
 * Finds the entry of an archive, whose stat was taken when it was opened. False if there is none,
 * or none that is fit for use.
 */
bool cache_open(struct cache_entry *entry, const struct stat *archive);

/* Whether the index is, byte for byte, what was written. Reads all of it. */
bool cache_is_intact(const struct cache_entry *entry);

void cache_close(struct cache_entry *entry);

/* Forgets the entry of an archive. */
void cache_drop(const struct stat *archive);

/*
 * Keeps an index, and removes the oldest entries if there is too much then. path is that of the
 * archive, for people. Returns the size of the entry; 0 if it was not kept.
 */
uint64_t cache_keep(const struct stat *archive, const char *path,
                    const struct cid_car_index *index);

/* A file of the cache, as 'cache list' shows it. */
struct cache_file {
    char *name;
    uint64_t size;
    struct timespec used;
};

struct cache_files {
    struct cache_file *files; /* the oldest first */
    size_t count, cap;
    uint64_t size;
};

/* The folder; NULL if none can be named. Free it. */
char *cache_folder(void);

/* All files of the cache, those half-written too if parts. Returns errno; 0 where there is none. */
int cache_read(struct cache_files *files, const char *folder, bool parts);
void cache_files_free(struct cache_files *files);

/* The path of the archive that an entry is of, as it was then; NULL if unknown. Free it. */
char *cache_archive(const char *folder, const char *name);

#endif
