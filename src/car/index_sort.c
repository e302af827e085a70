#include "car/index_sort.h"

#include "base/bytes.h"
#include "base/endian.h"
#include "car/index.h"

/*
 * Digests are spread evenly, so one pass that deals the entries out by their leading bits leaves a
 * few in each place, close to where they belong; those are sorted one by one. That takes one copy
 * of each entry and no more, whereas sorting by comparison takes some eighteen. Whoever chooses the
 * digests can put all into one place: then it is sorting by comparison, and never worse.
 */
#define BITS_MOST   20  /* counters of 4 MiB; more of them miss the cache each time */
#define DEAL_LEAST  48  /* entries; below it is quicker to compare */
#define INSERT_MOST 24  /* entries; above, heap sort does not go quadratic */
#define HELD        136 /* the widest entry that is held aside: a digest of 128 bytes */

/* The commonest width, known to the compiler, makes copies of a few instructions. */
#define COMMON 40

static inline uint64_t key_of(const uint8_t *entry, size_t width)
{
    uint8_t padded[8] = {0};
    size_t digest_len = width - CID__INDEX_OFFSET_SIZE;

    if (digest_len >= sizeof padded)
        return cid__load64be(entry);
    memcpy(padded, entry, digest_len);
    return cid__load64be(padded);
}

/* Whether entry a belongs behind entry b. */
static inline bool is_behind(const uint8_t *a, const uint8_t *b, size_t width)
{
    size_t digest_len = width - CID__INDEX_OFFSET_SIZE;
    uint64_t key_a = key_of(a, width), key_b = key_of(b, width);
    int order;

    if (key_a != key_b)
        return key_a > key_b;
    order = memcmp(a, b, digest_len);
    if (order != 0)
        return order > 0;
    return cid__load64le(a + digest_len) > cid__load64le(b + digest_len);
}

static inline void insertion_sort(uint8_t *entries, size_t count, size_t width)
{
    uint8_t held[HELD];

    for (size_t i = 1; i < count; i++) {
        uint8_t *entry = entries + i * width;
        uint8_t *to = entry;
        while (to != entries && is_behind(to - width, entry, width))
            to -= width;
        if (to == entry)
            continue;
        memcpy(held, entry, width);
        memmove(to + width, to, (size_t)(entry - to));
        memcpy(to, held, width);
    }
}

static void swap(uint8_t *a, uint8_t *b, size_t width)
{
    uint8_t held[HELD];

    while (width != 0) {
        size_t n = width < sizeof held ? width : sizeof held;
        memcpy(held, a, n);
        memcpy(a, b, n);
        memcpy(b, held, n);
        a += n;
        b += n;
        width -= n;
    }
}

static void sift_down(uint8_t *entries, size_t root, size_t count, size_t width)
{
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count)
            return;
        if (child + 1 < count &&
            is_behind(entries + (child + 1) * width, entries + child * width, width))
            child++;
        if (!is_behind(entries + child * width, entries + root * width, width))
            return;
        swap(entries + root * width, entries + child * width, width);
        root = child;
    }
}

static void heap_sort(uint8_t *entries, size_t count, size_t width)
{
    for (size_t i = count / 2; i-- != 0;)
        sift_down(entries, i, count, width);
    for (size_t i = count; i-- > 1;) {
        swap(entries, entries + i * width, width);
        sift_down(entries, 0, i, width);
    }
}

static inline void sort_few(uint8_t *entries, size_t count, size_t width)
{
    if (count < 2)
        return;
    if (count <= INSERT_MOST && width <= HELD)
        insertion_sort(entries, count, width);
    else
        heap_sort(entries, count, width);
}

static void copy_all(uint8_t *out, const struct cid__entries *parts, size_t part_count,
                     size_t width)
{
    for (size_t i = 0; i < part_count; i++)
        out = cid__put(out, parts[i].at, parts[i].count * width);
}

/* Counts how many entries go to each place, and turns the counts into where the place starts. */
static inline void count_places(size_t *starts, unsigned bits, const struct cid__entries *parts,
                                size_t part_count, size_t width)
{
    size_t places = (size_t)1 << bits, start = 0;

    memset(starts, 0, places * sizeof *starts);
    for (size_t i = 0; i < part_count; i++) {
        const uint8_t *at = parts[i].at;
        for (size_t n = parts[i].count; n != 0; n--, at += width)
            starts[key_of(at, width) >> (64 - bits)]++;
    }
    for (size_t i = 0; i < places; i++) {
        size_t count = starts[i];
        starts[i] = start;
        start += count;
    }
}

/* Deals the entries out, after which starts has the end of each place, and sorts each place. */
static inline void deal(uint8_t *out, size_t *starts, unsigned bits,
                        const struct cid__entries *parts, size_t part_count, size_t width)
{
    size_t places = (size_t)1 << bits, start = 0;

    count_places(starts, bits, parts, part_count, width);
    for (size_t i = 0; i < part_count; i++) {
        const uint8_t *at = parts[i].at;
        for (size_t n = parts[i].count; n != 0; n--, at += width)
            memcpy(out + starts[key_of(at, width) >> (64 - bits)]++ * width, at, width);
    }
    for (size_t i = 0; i < places; i++) {
        sort_few(out + start * width, starts[i] - start, width);
        start = starts[i];
    }
}

enum cid_error cid__entries_sort(uint8_t *out, const struct cid__entries *parts, size_t part_count,
                                 size_t total, size_t width, const struct cid_allocator *alloc)
{
    unsigned bits = 1;
    size_t *starts;

    if (total < DEAL_LEAST) {
        copy_all(out, parts, part_count, width);
        sort_few(out, total, width);
        return CID_OK;
    }
    while (bits < BITS_MOST && total >> (bits + 2) != 0) /* two to four entries to a place */
        bits++;
    starts = cid__alloc(alloc, sizeof *starts << bits);
    if (!starts)
        return CID_E_NOMEM;
    if (width == COMMON)
        deal(out, starts, bits, parts, part_count, COMMON);
    else
        deal(out, starts, bits, parts, part_count, width);
    cid__release(alloc, starts, sizeof *starts << bits);
    return CID_OK;
}
