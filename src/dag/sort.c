#include "dag/sort.h"

#include "json/escape.h"

#define FEW 12 /* up to here insertion is quicker */

struct cid__entry cid__entry_of(const struct cid__cbor_item *key, size_t at)
{
    return (struct cid__entry){
        .key = (const char *)key->bytes,
        .raw_len = key->json ? (size_t)key->number : key->len,
        .len = key->len,
        .at = at,
        .offset = key->offset,
    };
}

static bool has_escapes(const struct cid__entry *entry)
{
    return entry->raw_len != entry->len;
}

bool cid__entry_is(const struct cid__entry *entry, const char *key)
{
    struct cid__entry other = {.key = key, .raw_len = strlen(key), .len = strlen(key)};

    return cid__entry_compare(entry, &other, true) == 0;
}

int cid__entry_compare(const struct cid__entry *a, const struct cid__entry *b, bool length_first)
{
    size_t common = a->len < b->len ? a->len : b->len;
    int order = 0, longer = (a->len > b->len) - (a->len < b->len);

    if (length_first && longer != 0)
        return longer;
    if (has_escapes(a) || has_escapes(b))
        return cid__escape_compare(a->key, a->raw_len, b->key, b->raw_len);
    if (common != 0 && a->key[0] != b->key[0])
        return (uint8_t)a->key[0] - (uint8_t)b->key[0];
    if (common != 0)
        order = memcmp(a->key, b->key, common);
    return order != 0 ? order : longer;
}

static void insert(struct cid__entry *entries, size_t count, bool length_first)
{
    for (size_t i = 1; i < count; i++) {
        struct cid__entry entry = entries[i];
        size_t k = i;
        for (; k > 0 && cid__entry_compare(&entries[k - 1], &entry, length_first) > 0; k--)
            entries[k] = entries[k - 1];
        entries[k] = entry;
    }
}

/* Lets an entry sink to its place in the heap of the first count entries. */
static void sift(struct cid__entry *entries, size_t i, size_t count, bool length_first)
{
    struct cid__entry entry = entries[i];

    while (i < count / 2) {
        size_t child = 2 * i + 1;
        if (child + 1 < count &&
            cid__entry_compare(&entries[child], &entries[child + 1], length_first) < 0)
            child++;
        if (cid__entry_compare(&entry, &entries[child], length_first) >= 0)
            break;
        entries[i] = entries[child];
        i = child;
    }
    entries[i] = entry;
}

void cid__entry_sort(struct cid__entry *entries, size_t count, bool length_first)
{
    if (count <= FEW) {
        insert(entries, count, length_first);
        return;
    }
    for (size_t i = count / 2; i-- > 0;)
        sift(entries, i, count, length_first);
    for (size_t n = count - 1; n > 0; n--) {
        struct cid__entry highest = entries[0];
        entries[0] = entries[n];
        entries[n] = highest;
        sift(entries, 0, n, length_first);
    }
}
