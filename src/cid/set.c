#include <cid/set.h>

#include "base/arith.h"
#include "base/bytes.h"
#include "base/prefetch.h"
#include "cid/binary.h"
#include "cid/keyed.h"
#include "cid/set_shape.h"

/*
 * uthash's macros expand inside the functions below, so what they need of the set they find in the
 * `set` that is in scope there, without a global or a hidden context: its allocator, and how many
 * buckets a new table gets.
 */
#define uthash_malloc(size)         cid__alloc(set->alloc, size)
#define uthash_free(ptr, size)      cid__release(set->alloc, ptr, size)
#define HASH_NONFATAL_OOM           1
#define HASH_KEYCMP(a, b, len)      bytes_differ(a, b, len)
#define HASH_FUNCTION(a, len, hash) no_hash_of_its_own /* the hash is handed in */
#include <uthash.h>

/*
 * By itself uthash doubles its buckets when one of them holds ten items, and gives up for good when
 * that does not help. Chance, or somebody who found colliding CIDs, would then decide how much
 * memory a set takes; and walking the old buckets from item to item through memory is most of the
 * cost of adding. So no bucket is ever too full for it, and grow() makes a larger table instead,
 * by the count alone, adding the entries anew in the order in which they lie.
 */
#undef HASH_BKT_CAPACITY_THRESH
#undef HASH_INITIAL_NUM_BUCKETS
#undef HASH_INITIAL_NUM_BUCKETS_LOG2
#define HASH_BKT_CAPACITY_THRESH      (UINT64_C(1) << 32)
#define HASH_INITIAL_NUM_BUCKETS      (1u << set->log2_buckets)
#define HASH_INITIAL_NUM_BUCKETS_LOG2 set->log2_buckets

#define LOG2_FIRST                    5
#define LOG2_STEP                     2
#define LOG2_MOST                     31 /* buckets are counted in 32 bits */

/*
 * CIDs of up to this many bytes lie in their entries: sha2-256 takes 36, blake2b-256 38, a codec of
 * three bytes two more. 44 makes an entry of 104 bytes where pointers have eight.
 */
#define INLINE 44

struct entry {
    UT_hash_handle hh; /* hh.key and hh.keylen are the CID */
    uint32_t number;
    uint8_t small[INLINE];
};

/* Slab k has FIRST_SLAB << k entries, so that a number leads straight to its entry. */
#define FIRST_SLAB UINT32_C(32)
#define SLABS      27
#define MOST       (FIRST_SLAB * ((UINT32_C(1) << SLABS) - 1)) /* 2^32 - 32 */

/* Room for the bytes of longer CIDs, filled from the front. */
struct chunk {
    struct chunk *next;
    size_t size;
    size_t used;
    uint8_t bytes[];
};

#define CHUNK_FIRST 4096
#define CHUNK_MOST  (1024 * 1024)

struct cid_set {
    const struct cid_allocator *alloc;
    struct entry *head; /* uthash's: the entry number 0, through which it finds its table */
    uint32_t count;
    uint32_t room; /* entries left in the last slab */
    uint32_t slab_count;
    unsigned log2_buckets;
    struct entry *slabs[SLABS];
    struct chunk *chunks; /* the one being filled first */
    struct cid__keyed key;
};

static inline bool bytes_differ(const void *a, const void *b, size_t len)
{
    if (len == 36) /* a constant size needs no call */
        return memcmp(a, b, 36) != 0;
    return memcmp(a, b, len) != 0;
}

enum cid_error cid_set_open(struct cid_set **out, const struct cid_allocator *alloc)
{
    return cid_set_open_with(out, NULL, alloc);
}

enum cid_error cid_set_open_with(struct cid_set **out, const struct cid_set_options *options,
                                 const struct cid_allocator *alloc)
{
    struct cid_set *set = cid__alloc(alloc, sizeof *set);

    *out = set;
    if (!set)
        return CID_E_NOMEM;
    memset(set, 0, sizeof *set);
    set->alloc = alloc;
    set->log2_buckets = LOG2_FIRST;
    if (options && options->seed != 0)
        cid__keyed_set(&set->key, options->seed, 0);
    else
        cid__keyed_draw(&set->key);
    return CID_OK;
}

/* ---- looking ------------------------------------------------------------------------------ */

static inline const struct entry *lookup(const struct cid_set *set, const struct cid_view *view,
                                         uint32_t hash)
{
    const struct entry *found;

    HASH_FIND_BYHASHVALUE(hh, set->head, view->bytes, view->len, hash, found);
    return found;
}

static inline const struct entry *look(const struct cid_set *set, const struct cid_view *view)
{
    if (view->len == 0)
        return NULL;
    return lookup(set, view, cid__keyed_hash(&set->key, view->bytes, view->len));
}

bool cid_set_has(const struct cid_set *set, const struct cid_view *view)
{
    return look(set, view) != NULL;
}

enum cid_error cid_set_find(uint64_t *number, const struct cid_set *set,
                            const struct cid_view *view)
{
    const struct entry *entry = look(set, view);
    if (!entry)
        return CID_E_NOT_FOUND;
    *number = entry->number;
    return CID_OK;
}

uint64_t cid_set_count(const struct cid_set *set)
{
    return set->count;
}

static const struct entry *entry_at(const struct cid_set *set, uint32_t number)
{
    uint32_t slab = 0;
    while (number >= FIRST_SLAB << slab)
        number -= FIRST_SLAB << slab++;
    return &set->slabs[slab][number];
}

enum cid_error cid_set_at(struct cid_view *out, const struct cid_set *set, uint64_t number)
{
    const struct entry *entry;

    if (number >= set->count)
        return CID_E_NOT_FOUND;
    entry = entry_at(set, (uint32_t)number);
    *out = cid__view_trusted(entry->hh.key, entry->hh.keylen);
    return CID_OK;
}

/* ---- adding ------------------------------------------------------------------------------- */

/* How far ahead buckets are asked for, in entries, and the heads that are in them. */
#define AHEAD_BUCKET 24
#define AHEAD_HEAD   12

/* Adding an entry writes to its bucket and to the entry that was the head there. */
static inline void fetch_for_adding(const UT_hash_table *table, const struct entry *entry,
                                    uint32_t left)
{
    size_t mask = table->num_buckets - 1;

    if (left > AHEAD_BUCKET)
        cid__prefetch(&table->buckets[entry[AHEAD_BUCKET].hh.hashv & mask]);
    if (left > AHEAD_HEAD) {
        const UT_hash_handle *hh = table->buckets[entry[AHEAD_HEAD].hh.hashv & mask].hh_head;
        if (hh)
            cid__prefetch(&hh->hh_prev);
    }
}

/* Adds the entries from number 1 on to a new table, which has the first one already. */
static void add_others(struct cid_set *set, struct entry *head)
{
    uint32_t left = set->count;

    for (uint32_t slab = 0; left != 0; slab++) {
        uint32_t here = left < FIRST_SLAB << slab ? left : FIRST_SLAB << slab;
        struct entry *entry = set->slabs[slab];
        for (uint32_t i = slab == 0; i < here; i++) {
            fetch_for_adding(head->hh.tbl, &entry[i], here - i);
            HASH_ADD_KEYPTR_BYHASHVALUE(hh, head, entry[i].hh.key, entry[i].hh.keylen,
                                        entry[i].hh.hashv, &entry[i]);
        }
        left -= here;
    }
}

/* Moves the entries to a larger table. Without memory for it all is as it was. */
static bool grow(struct cid_set *set)
{
    struct entry *first = set->head;
    struct entry old = {.hh = first->hh};
    struct entry *old_head = &old;
    struct entry *head = NULL;

    set->log2_buckets += LOG2_STEP;
    HASH_ADD_KEYPTR_BYHASHVALUE(hh, head, old.hh.key, old.hh.keylen, old.hh.hashv, first);
    if (!first->hh.tbl) { /* that is how uthash says that it had no memory */
        first->hh = old.hh;
        set->log2_buckets -= LOG2_STEP;
        return false;
    }
    add_others(set, head);
    HASH_CLEAR(hh, old_head);
    return true;
}

/* Whether there are as many CIDs as buckets, and may be more buckets. */
static inline bool is_full(const struct cid_set *set)
{
    return set->count >> set->log2_buckets != 0 && set->log2_buckets < LOG2_MOST;
}

/* The place of the next entry; it is not taken before commit(). NULL without memory. */
static struct entry *reserve_entry(struct cid_set *set)
{
    uint32_t last = set->slab_count - 1;
    uint32_t entries = FIRST_SLAB << set->slab_count;
    size_t size = 0;

    if (set->room != 0)
        return &set->slabs[last][(FIRST_SLAB << last) - set->room];
    if (!cid__mul_size(&size, entries, sizeof(struct entry)))
        return NULL;
    set->slabs[set->slab_count] = cid__alloc(set->alloc, size);
    if (!set->slabs[set->slab_count])
        return NULL;
    set->room = entries;
    return set->slabs[set->slab_count++];
}

/* Makes a chunk with room for at least len bytes the first. */
static bool add_chunk(struct cid_set *set, size_t len)
{
    size_t size = set->chunks ? set->chunks->size * 2 : CHUNK_FIRST;
    struct chunk *chunk;
    size_t total = 0;

    if (size > CHUNK_MOST)
        size = CHUNK_MOST;
    if (size < len)
        size = len;
    if (!cid__add_size(&total, sizeof *chunk, size))
        return false;
    chunk = cid__alloc(set->alloc, total);
    if (!chunk)
        return false;
    *chunk = (struct chunk){set->chunks, size, 0};
    set->chunks = chunk;
    return true;
}

/* A place for the bytes of a CID; it is not taken before commit(). NULL without memory. */
static uint8_t *reserve_bytes(struct cid_set *set, struct entry *entry, size_t len)
{
    if (len <= INLINE)
        return entry->small;
    if ((!set->chunks || set->chunks->size - set->chunks->used < len) && !add_chunk(set, len))
        return NULL;
    return set->chunks->bytes + set->chunks->used;
}

static void commit(struct cid_set *set, size_t len)
{
    set->count++;
    set->room--;
    if (len > INLINE)
        set->chunks->used += len;
}

static enum cid_error insert(struct cid_set *set, const struct cid_view *view, uint32_t hash)
{
    struct entry *entry;
    uint8_t *bytes;

    if (set->count == MOST)
        return CID_E_TOO_LARGE;
    entry = reserve_entry(set);
    bytes = entry ? reserve_bytes(set, entry, view->len) : NULL;
    if (!bytes || (is_full(set) && !grow(set)))
        return CID_E_NOMEM;
    if (view->len == 36)
        memcpy(bytes, view->bytes, 36);
    else
        memcpy(bytes, view->bytes, view->len);
    entry->number = set->count;
    HASH_ADD_KEYPTR_BYHASHVALUE(hh, set->head, bytes, view->len, hash, entry);
    if (!entry->hh.tbl)
        return CID_E_NOMEM;
    commit(set, view->len);
    return CID_OK;
}

static enum cid_error check_view(const struct cid_view *view)
{
    if (view->len == 0)
        return CID_E_ARGUMENT;
    if (view->len != (uint32_t)view->len) /* uthash keeps lengths in 32 bits */
        return CID_E_TOO_LARGE;
    return CID_OK;
}

enum cid_error cid_set_add(struct cid_set *set, bool *added, const struct cid_view *view)
{
    enum cid_error error = check_view(view);
    uint32_t hash;
    bool is_new;

    if (error)
        return error;
    hash = cid__keyed_hash(&set->key, view->bytes, view->len);
    is_new = !lookup(set, view, hash);
    error = is_new ? insert(set, view, hash) : CID_OK;
    if (!error && added)
        *added = is_new;
    return error;
}

/* How many CIDs are looked for side by side. */
#define ABREAST 32

/* Fetches what a search reads of an entry: its links, hash and key, and the bytes behind them. */
static inline void fetch_entry(const struct UT_hash_handle *hh)
{
    const struct entry *entry = (const struct entry *)(const void *)hh;

    cid__prefetch(&entry->hh.hh_prev);
    cid__prefetch(&entry->small[35]);
}

/*
 * Hashes CIDs and fetches what searches for them will touch, step by step, so that all wait for
 * memory together: their buckets, the entries at the heads of these, and the second ones where the
 * first is another CID's.
 */
static void fetch(uint32_t *hashes, const struct cid_set *set, const struct cid_view *views,
                  size_t n)
{
    const UT_hash_table *table = set->head ? set->head->hh.tbl : NULL;
    const UT_hash_handle *heads[ABREAST];
    size_t mask = table ? table->num_buckets - 1 : 0;

    for (size_t i = 0; i < n; i++) {
        hashes[i] = cid__keyed_hash(&set->key, views[i].bytes, views[i].len);
        if (table)
            cid__prefetch(&table->buckets[hashes[i] & mask]);
    }
    for (size_t i = 0; table && i < n; i++) {
        heads[i] = table->buckets[hashes[i] & mask].hh_head;
        if (heads[i])
            fetch_entry(heads[i]);
    }
    for (size_t i = 0; table && i < n; i++)
        if (heads[i] && heads[i]->hashv != hashes[i] && heads[i]->hh_next)
            fetch_entry(heads[i]->hh_next);
}

enum cid_error cid_set_number(struct cid_set *set, uint64_t *numbers, const struct cid_view *views,
                              size_t n)
{
    uint32_t hashes[ABREAST];
    enum cid_error error;

    for (size_t i = 0; i < n; i++) {
        const struct entry *found;
        if (i % ABREAST == 0)
            fetch(hashes, set, views + i, n - i < ABREAST ? n - i : ABREAST);
        found = views[i].len != 0 ? lookup(set, &views[i], hashes[i % ABREAST]) : NULL;
        numbers[i] = found ? found->number : set->count;
        if (found)
            continue;
        error = check_view(&views[i]);
        if (!error)
            error = insert(set, &views[i], hashes[i % ABREAST]);
        if (error)
            return error;
    }
    return CID_OK;
}

/* ---- the end ------------------------------------------------------------------------------ */

void cid_set_close(struct cid_set *set)
{
    if (!set)
        return;
    HASH_CLEAR(hh, set->head);
    for (uint32_t i = 0; i < set->slab_count; i++)
        cid__release(set->alloc, set->slabs[i], ((size_t)FIRST_SLAB << i) * sizeof(struct entry));
    while (set->chunks) {
        struct chunk *chunk = set->chunks;
        set->chunks = chunk->next;
        cid__release(set->alloc, chunk, sizeof *chunk + chunk->size);
    }
    cid__release(set->alloc, set, sizeof *set);
}

struct cid__set_shape cid__set_shape(const struct cid_set *set)
{
    struct cid__set_shape shape = {0};
    const UT_hash_table *table = set->head ? set->head->hh.tbl : NULL;

    if (!table)
        return shape;
    shape.buckets = table->num_buckets;
    for (unsigned i = 0; i < table->num_buckets; i++) {
        uint64_t count = table->buckets[i].count;
        shape.probes += count * (count + 1) / 2;
        if (count > shape.longest)
            shape.longest = count;
    }
    return shape;
}
