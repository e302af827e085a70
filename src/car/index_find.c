#include "car/index.h"

#include "base/endian.h"
#include "base/prefetch.h"
#include "base/wide.h"

#include <string.h>

/* How many bytes of a file are read at once, which is cheaper than asking twice. */
#define WINDOW 4096
/* Guesses from the digest's place among all digests, before the search goes step by step. */
#define GUESSES 3
/* Steps to the neighbour before they get longer. */
#define STEPS 12

/* A search in a bucket. Entries are looked at in memory, or through a window on the file. */
struct search {
    const struct cid__place *place;
    const struct cid__bucket *bucket;
    const uint8_t *digest;
    size_t digest_len;
    uint64_t key; /* the start of the digest, as a number */
    uint8_t *window;
    uint64_t window_first; /* the entry it starts at */
    uint64_t window_count; /* how many it holds */
};

/* What came out of looking at an entry. */
struct look {
    int order;    /* of the entry to the digest: below, at or above 0 */
    uint64_t key; /* the start of the entry's digest */
};

/* The first eight bytes as a number that sorts as they do; shorter digests count as if 0 followed.
 */
static inline uint64_t key_of(const uint8_t *digest, size_t len)
{
    uint8_t padded[8] = {0};

    if (len >= sizeof padded)
        return cid__load64be(digest);
    memcpy(padded, digest, len);
    return cid__load64be(padded);
}

static inline struct look compare(const struct search *search, const uint8_t *digest)
{
    struct look look = {0, key_of(digest, search->digest_len)};

    if (look.key != search->key)
        look.order = look.key < search->key ? -1 : 1;
    else
        look.order = memcmp(digest, search->digest, search->digest_len);
    return look;
}

/* An entry too wide for the window is compared piece by piece. */
static enum cid_error look_wide(struct look *out, const struct search *search, uint64_t at)
{
    size_t done = 0;

    do {
        size_t n = search->digest_len - done < WINDOW ? search->digest_len - done : WINDOW;
        const uint8_t *bytes = NULL;
        enum cid_error error =
            cid__place_bytes(&bytes, search->place, at + done, n, search->window);
        if (error)
            return error;
        if (done == 0)
            out->key = key_of(bytes, n);
        out->order = memcmp(bytes, search->digest + done, n);
        done += n;
    } while (out->order == 0 && done < search->digest_len);
    return CID_OK;
}

/* Moves the window so that entry i lies in the middle of it. */
static enum cid_error move_window(struct search *search, uint64_t i)
{
    uint64_t room = WINDOW / search->bucket->width;
    uint64_t first = i < room / 2 ? 0 : i - room / 2;
    uint64_t n = search->bucket->count - first < room ? search->bucket->count - first : room;
    const uint8_t *bytes = NULL;

    search->window_first = first;
    search->window_count = n;
    return cid__place_bytes(&bytes, search->place,
                            search->bucket->at + first * search->bucket->width,
                            (size_t)(n * search->bucket->width), search->window);
}

static enum cid_error look_file(struct look *out, struct search *search, uint64_t i)
{
    uint32_t width = search->bucket->width;

    if (width > WINDOW)
        return look_wide(out, search, search->bucket->at + i * width);
    if (i - search->window_first >= search->window_count) { /* also where it is before the first */
        enum cid_error error = move_window(search, i);
        if (error)
            return error;
    }
    *out = compare(search, search->window + (size_t)(i - search->window_first) * width);
    return CID_OK;
}

static inline enum cid_error look_at(struct look *out, struct search *search, uint64_t i)
{
    if (!search->place->memory)
        return look_file(out, search, i);
    *out = compare(search, search->place->memory + search->bucket->at + i * search->bucket->width);
    return CID_OK;
}

/* What is searched for, the first entry not below the digest or not at it, lies in low..high, high
 * included. */
struct bounds {
    uint64_t low;
    uint64_t high;
};

static inline void narrow(struct bounds *bounds, uint64_t i, bool below)
{
    if (below)
        bounds->low = i + 1;
    else
        bounds->high = i;
}

static inline uint64_t clamp(uint64_t i, const struct bounds *bounds)
{
    if (i < bounds->low)
        return bounds->low;
    return i < bounds->high ? i : bounds->high - 1;
}

/* Asks for the entries around a place, among which the digest will be. */
static inline void ask_around(const struct search *search, uint64_t place)
{
    uintptr_t at = (uintptr_t)(search->place->memory + search->bucket->at) +
                   (uintptr_t)(place * search->bucket->width);

    for (uintptr_t line = at - 2 * CID__LINE; line <= at + 2 * CID__LINE; line += CID__LINE)
        cid__prefetch((const void *)line);
}

/*
 * Digests are spread evenly, so that a place among all numbers is a place in the bucket, give or
 * take the root of the count; and so is, from there on, a distance. Each guess leaves the root of
 * what was left, and costs a cache miss, which is what a search costs: three lead to within a few
 * entries even among millions.
 */
static inline enum cid_error guess(struct search *search, struct bounds *bounds, uint64_t *place)
{
    uint64_t count = search->bucket->count;

    (void)cid__mul_add(place, search->key, count, 0);
    for (int n = 1; n <= GUESSES && bounds->low < bounds->high; n++) {
        struct look look;
        uint64_t step;
        enum cid_error error;
        *place = clamp(*place, bounds);
        if (n == GUESSES && search->place->memory)
            ask_around(search, *place);
        error = look_at(&look, search, *place);
        if (error)
            return error;
        narrow(bounds, *place, look.order < 0);
        if (look.key <= search->key) {
            (void)cid__mul_add(&step, search->key - look.key, count, 0);
            *place += step;
        } else {
            (void)cid__mul_add(&step, look.key - search->key, count, 0);
            *place -= step < *place ? step : *place;
        }
        if (step == 0)
            break;
    }
    return CID_OK;
}

/* Halves the bounds until they meet. equal: entries at the digest count as below it. */
static enum cid_error halve(struct search *search, struct bounds *bounds, bool equal)
{
    while (bounds->low < bounds->high) {
        uint64_t middle = bounds->low + (bounds->high - bounds->low) / 2;
        struct look look;
        enum cid_error error = look_at(&look, search, middle);
        if (error)
            return error;
        narrow(bounds, middle, look.order < (equal ? 1 : 0));
    }
    return CID_OK;
}

/* Goes away from a place step by step, then in steps that double, until the digest has been
 * passed. */
static inline enum cid_error close_in(struct search *search, struct bounds *bounds, uint64_t place)
{
    uint64_t step = 1;
    bool below = false, before;

    for (int n = 0; bounds->low < bounds->high; n++) {
        struct look look;
        enum cid_error error = look_at(&look, search, place = clamp(place, bounds));
        if (error)
            return error;
        before = below;
        below = look.order < 0;
        narrow(bounds, place, below);
        if (n > STEPS) {
            if (below != before)
                break;
            step *= 2;
        }
        if (below)
            place = bounds->low + step - 1;
        else
            place = bounds->high - bounds->low > step ? bounds->high - step : bounds->low;
    }
    return halve(search, bounds, false);
}

/* Finds the end of the entries at the digest, from the first one not below it on. */
static enum cid_error find_end(struct search *search, uint64_t first, uint64_t *end)
{
    struct bounds bounds = {first, search->bucket->count};
    struct look look = {0};
    enum cid_error error = CID_OK;

    for (uint64_t step = 1; bounds.low < bounds.high && look.order == 0; step *= 2) {
        uint64_t place = clamp(bounds.low + step - 1, &bounds);
        error = look_at(&look, search, place);
        if (error)
            return error;
        narrow(&bounds, place, look.order <= 0);
    }
    error = halve(search, &bounds, true);
    *end = bounds.low;
    return error;
}

static const struct cid__bucket *find_bucket(const struct cid_car_index *index, uint64_t code,
                                             uint64_t width)
{
    size_t low = 0, high = index->bucket_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct cid__bucket *bucket = &index->buckets[middle];
        if (bucket->code == code && bucket->width == width)
            return bucket;
        if (bucket->code < code || (bucket->code == code && bucket->width < width))
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

enum cid_error cid_car_index_find(struct cid_car_range *out, const struct cid_car_index *index,
                                  const struct cid_multihash_view *hash)
{
    uint64_t code = index->codec == CID_CAR_INDEX_SORTED ? 0 : hash->code;
    const struct cid__bucket *bucket =
        find_bucket(index, code, (uint64_t)hash->digest_len + CID__INDEX_OFFSET_SIZE);
    uint8_t window[WINDOW];
    struct search search;
    struct bounds bounds;
    uint64_t place = 0, end = 0;
    enum cid_error error;

    if (!bucket)
        return CID_E_NOT_FOUND;
    search = (struct search){.place = &index->place,
                             .bucket = bucket,
                             .digest = hash->digest_len != 0 ? hash->digest : window,
                             .digest_len = hash->digest_len,
                             .window = window};
    search.key = key_of(search.digest, search.digest_len);
    bounds = (struct bounds){0, bucket->count};
    error = guess(&search, &bounds, &place);
    if (!error)
        error = close_in(&search, &bounds, place);
    if (!error)
        error = find_end(&search, bounds.low, &end);
    if (error)
        return error;
    if (end == bounds.low)
        return CID_E_NOT_FOUND;
    *out = (struct cid_car_range){bucket->first + bounds.low, end - bounds.low};
    return CID_OK;
}
