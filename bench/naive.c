#include "naive.h"

#include "count.h"

#include <string.h>

size_t naive_varint_read(uint64_t *value, const uint8_t *in, size_t len)
{
    uint64_t v = 0;

    for (size_t i = 0; i < len && i < 9; i++) {
        v |= (uint64_t)(in[i] & 0x7f) << (7 * i);
        if (!(in[i] & 0x80)) {
            if (i > 0 && in[i] == 0)
                return 0;
            *value = v;
            return i + 1;
        }
    }
    return 0;
}

size_t naive_varint_write(uint8_t *out, uint64_t value)
{
    size_t len = 0;

    while (value >= 0x80) {
        out[len++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    out[len++] = (uint8_t)value;
    return len;
}

size_t naive_multihash_read(struct naive_multihash *out, const uint8_t *in, size_t len)
{
    uint64_t digest_len = 0;
    size_t at = naive_varint_read(&out->code, in, len);
    size_t used;

    if (at == 0)
        return 0;
    used = naive_varint_read(&digest_len, in + at, len - at);
    if (used == 0)
        return 0;
    at += used;
    if (digest_len > len - at)
        return 0;
    out->digest = in + at;
    out->digest_len = (size_t)digest_len;
    return at + (size_t)digest_len;
}

size_t naive_cid_read(struct naive_cid *out, const uint8_t *in, size_t len)
{
    size_t at, used;

    if (len >= 34 && in[0] == 0x12 && in[1] == 0x20) {
        out->version = 0;
        out->codec = 0x70;
        out->len = naive_multihash_read(&out->hash, in, 34);
        return out->len;
    }
    at = naive_varint_read(&out->version, in, len);
    if (at == 0 || out->version != 1)
        return 0;
    used = naive_varint_read(&out->codec, in + at, len - at);
    if (used == 0)
        return 0;
    at += used;
    used = naive_multihash_read(&out->hash, in + at, len - at);
    if (used == 0)
        return 0;
    out->len = at + used;
    return out->len;
}

struct naive_bytes naive_cid_make_v1(uint64_t codec, uint64_t hash_code, const uint8_t *digest,
                                     size_t digest_len)
{
    uint8_t *largest = bench_malloc(4 * 9 + digest_len);
    size_t len = naive_varint_write(largest, 1);
    struct naive_bytes out;

    len += naive_varint_write(largest + len, codec);
    len += naive_varint_write(largest + len, hash_code);
    len += naive_varint_write(largest + len, digest_len);
    memcpy(largest + len, digest, digest_len);
    len += digest_len;
    out.data = bench_malloc(len);
    out.len = len;
    memcpy(out.data, largest, len);
    free(largest);
    return out;
}

/* ---- the set ------------------------------------------------------------------------------ */

struct naive_entry {
    struct naive_entry *next;
    uint64_t hash;
    size_t len;
    uint8_t bytes[];
};

struct naive_set {
    struct naive_entry **chains;
    size_t chain_count; /* a power of two */
    size_t count;
};

static uint64_t fnv(const uint8_t *bytes, size_t len)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 32;
}

static struct naive_entry **new_chains(size_t count)
{
    struct naive_entry **chains = bench_malloc(count * sizeof(struct naive_entry *));
    memset(chains, 0, count * sizeof(struct naive_entry *));
    return chains;
}

struct naive_set *naive_set_open(void)
{
    struct naive_set *set = bench_malloc(sizeof *set);
    *set = (struct naive_set){new_chains(16), 16, 0};
    return set;
}

static void double_chains(struct naive_set *set)
{
    size_t count = set->chain_count * 2;
    struct naive_entry **chains = new_chains(count);

    for (size_t i = 0; i < set->chain_count; i++) {
        struct naive_entry *entry = set->chains[i];
        while (entry) {
            struct naive_entry *next = entry->next;
            entry->next = chains[entry->hash & (count - 1)];
            chains[entry->hash & (count - 1)] = entry;
            entry = next;
        }
    }
    free(set->chains);
    set->chains = chains;
    set->chain_count = count;
}

static struct naive_entry *find(const struct naive_set *set, uint64_t hash, const uint8_t *bytes,
                                size_t len)
{
    struct naive_entry *entry = set->chains[hash & (set->chain_count - 1)];
    for (; entry; entry = entry->next)
        if (entry->hash == hash && entry->len == len && memcmp(entry->bytes, bytes, len) == 0)
            return entry;
    return NULL;
}

bool naive_set_add(struct naive_set *set, const uint8_t *bytes, size_t len)
{
    uint64_t hash = fnv(bytes, len);
    struct naive_entry *entry;

    if (find(set, hash, bytes, len))
        return false;
    if (set->count == set->chain_count)
        double_chains(set);
    entry = bench_malloc(sizeof *entry + len);
    entry->hash = hash;
    entry->len = len;
    memcpy(entry->bytes, bytes, len);
    entry->next = set->chains[hash & (set->chain_count - 1)];
    set->chains[hash & (set->chain_count - 1)] = entry;
    set->count++;
    return true;
}

bool naive_set_has(const struct naive_set *set, const uint8_t *bytes, size_t len)
{
    return find(set, fnv(bytes, len), bytes, len) != NULL;
}

void naive_set_close(struct naive_set *set)
{
    for (size_t i = 0; i < set->chain_count; i++) {
        struct naive_entry *entry = set->chains[i];
        while (entry) {
            struct naive_entry *next = entry->next;
            free(entry);
            entry = next;
        }
    }
    free(set->chains);
    free(set);
}
