#include "hash/sum.h"

#include "base/arith.h"
#include "base/bytes.h"
#include "hash/blake2b.h"
#include "hash/lanes.h"
#include "hash/sha256.h"

#include <string.h>

/* Which lanes a message goes through. */
enum family {
    ALONE, /* none: hashed by itself */
    SHA256,
    BLAKE2B
};

static const struct cid__lane_kind *lanes_of(enum family family)
{
    switch (family) {
    case ALONE:
        return NULL;
    case SHA256:
        return cid__lanes_sha256();
    case BLAKE2B:
        return cid__lanes_blake2b();
    }
    return NULL;
}

static inline enum family family_of(uint64_t code, const struct cid_hash_options *options)
{
    if (options && options->function_count != 0 && cid__hash_supplied(code, options))
        return ALONE;
    if (code == CID_HASH_SHA2_256)
        return SHA256;
    if (code >= CID__BLAKE2B_FIRST && code <= CID__BLAKE2B_LAST)
        return BLAKE2B;
    return cid__sha256_is_basis(code) ? SHA256 : ALONE;
}

/* What the function makes of the digest from its lanes; room is for one that is not the same. */
static inline const uint8_t *finish(uint64_t code, const uint8_t digest[64], uint8_t room[32])
{
    if (!cid__sha256_is_basis(code))
        return digest;
    memcpy(room, digest, 32);
    cid__sha256_finish(code, room);
    return room;
}

static size_t blake2b_len(uint64_t code)
{
    return (size_t)(code - CID__BLAKE2B_FIRST) + 1;
}

static struct cid__job job_of(const struct cid_data *data, size_t index, size_t out_len)
{
    static const uint8_t nothing[1];
    return (struct cid__job){data->len ? data->data : nothing, data->len, index, out_len};
}

/* ---- digests ------------------------------------------------------------------------------- */

struct hashing {
    uint8_t *out;
    uint64_t code;
    size_t digest_len;
    size_t out_len;
    const struct cid_data *data;
    size_t n, next;
};

static size_t feed_all(void *ctx, struct cid__job *jobs, size_t cap)
{
    struct hashing *hashing = ctx;
    size_t left = hashing->n - hashing->next, count = left < cap ? left : cap;

    for (size_t i = 0; i < count; i++, hashing->next++)
        jobs[i] = job_of(&hashing->data[hashing->next], hashing->next, hashing->out_len);
    return count;
}

static void keep(void *ctx, const struct cid__job *const *jobs, const uint8_t (*digests)[64],
                 size_t count)
{
    struct hashing *hashing = ctx;
    size_t len = hashing->digest_len;
    uint8_t room[32];

    for (size_t i = 0; i < count; i++)
        cid__put(hashing->out + jobs[i]->index * len, finish(hashing->code, digests[i], room), len);
}

static enum cid_error one_by_one(const struct cid_hash_function *function, uint8_t *out,
                                 size_t digest_len, const struct cid_data *data, size_t n)
{
    enum cid_error error = CID_OK;

    for (size_t i = 0; i < n && !error; i++)
        error =
            cid__hash_into(function, out + i * digest_len, digest_len, data[i].data, data[i].len);
    return error;
}

enum cid_error cid_hash_many(uint8_t *out, size_t cap, size_t *written, uint64_t code,
                             size_t digest_len, const struct cid_data *data, size_t n,
                             const struct cid_hash_options *options)
{
    const struct cid__lane_kind *kind = lanes_of(family_of(code, options));
    struct cid_hash_function function;
    enum cid_error error;
    size_t total = 0;

    error = cid__hash_resolve(&function, &digest_len, code, n ? data[0].len : 0, options);
    if (!error && !cid__mul_size(&total, n, digest_len))
        error = CID_E_TOO_LARGE;
    if (!error && total > cap)
        error = CID_E_NOSPACE;
    for (size_t i = 0; i < n && !error; i++)
        cid__assert_apart(out, total, data[i].data, data[i].len);
    if (!error && total != 0 && kind) {
        struct hashing hashing = {out, code, digest_len, function.max_len, data, n, 0};
        struct cid__ahead nothing = {0, 0};
        struct cid__lane_io io = {feed_all, keep, &hashing, &nothing};
        cid__lanes_run(kind, &io);
    } else if (!error && n != 0) {
        error = one_by_one(&function, out, digest_len, data, n);
    }
    if (written && (!error || error == CID_E_NOSPACE))
        *written = total;
    return error;
}

/* ---- verdicts ------------------------------------------------------------------------------ */

/* Which lanes the messages of a function go through, and how long its digests are. */
struct function {
    uint64_t code;
    enum family family;
    size_t longest; /* 0: this is not known yet */
};

/*
 * A pass over the batch for one family. The first pass also judges all that goes through no lanes,
 * and finds out whether there is anything for a second.
 */
struct checking {
    const struct cid__verify_batch *batch;
    struct function last; /* of the multihash looked at last; most have the same */
    enum family family;
    enum family other; /* of the second pass; ALONE if there is to be none */
    bool first;
    bool second; /* there is something for it */
    size_t next;
};

static const struct cid_multihash_view *hash_at(const struct cid__verify_batch *batch, size_t i)
{
    return (const void *)((const uint8_t *)(const void *)batch->hashes + i * batch->stride);
}

/* ALONE is also what cannot be verified at all: cid_multihash_verify says so. */
static inline enum family family_at(struct checking *checking, size_t i)
{
    const struct cid_multihash_view *hash = hash_at(checking->batch, i);
    struct function *last = &checking->last;

    if (hash->code != last->code || last->longest == 0) {
        last->code = hash->code;
        last->family = family_of(hash->code, checking->batch->options);
        last->longest = last->family == BLAKE2B ? blake2b_len(hash->code) : 32;
    }
    return hash->digest_len >= CID_DIGEST_MIN && hash->digest_len <= last->longest ? last->family
                                                                                   : ALONE;
}

static enum cid_verdict verdict_of(enum cid_error error)
{
    return error == CID_OK ? CID_GOOD : error == CID_E_MISMATCH ? CID_MISMATCH : CID_UNVERIFIABLE;
}

static void check_alone(const struct cid__verify_batch *batch, size_t i)
{
    const struct cid_data *data = &batch->data[i];
    batch->verdicts[i] =
        verdict_of(cid_multihash_verify(hash_at(batch, i), data->data, data->len, batch->options));
}

static void leave(struct checking *checking, size_t i, enum family family)
{
    if (!checking->first)
        return;
    if (family == ALONE || family != checking->other)
        check_alone(checking->batch, i);
    else
        checking->second = true;
}

static size_t feed_family(void *ctx, struct cid__job *jobs, size_t cap)
{
    struct checking *checking = ctx;
    const struct cid__verify_batch *batch = checking->batch;
    size_t count = 0, i = checking->next;

    for (; count < cap && i < batch->n; i++) {
        enum family family = family_at(checking, i);
        if (family == checking->family)
            jobs[count++] = job_of(&batch->data[i], i, checking->last.longest);
        else
            leave(checking, i, family);
    }
    checking->next = i;
    return count;
}

static void judge(void *ctx, const struct cid__job *const *jobs, const uint8_t (*digests)[64],
                  size_t count)
{
    const struct cid__verify_batch *batch = ((struct checking *)ctx)->batch;
    uint8_t room[32];

    for (size_t i = 0; i < count; i++) {
        const struct cid_multihash_view *hash = hash_at(batch, jobs[i]->index);
        const uint8_t *digest = finish(hash->code, digests[i], room);
        bool same = hash->digest_len == 32 ? memcmp(hash->digest, digest, 32) == 0
                                           : memcmp(hash->digest, digest, hash->digest_len) == 0;
        batch->verdicts[jobs[i]->index] = same ? CID_GOOD : CID_MISMATCH;
    }
}

void cid__verify_many(const struct cid__verify_batch *batch)
{
    struct checking checking = {.batch = batch, .first = true};
    enum family family = batch->n != 0 && family_at(&checking, 0) == BLAKE2B ? BLAKE2B : SHA256;
    enum family other = family == SHA256 ? BLAKE2B : SHA256;
    struct cid__lane_io io = {feed_family, judge, &checking, batch->ahead};

    checking.family = lanes_of(family) ? family : other;
    checking.other = lanes_of(family) && lanes_of(other) ? other : ALONE;
    if (!lanes_of(checking.family)) {
        for (size_t i = 0; i < batch->n; i++)
            check_alone(batch, i);
        return;
    }
    cid__lanes_run(lanes_of(checking.family), &io);
    if (!checking.second)
        return;
    checking = (struct checking){.batch = batch, .family = other};
    cid__lanes_run(lanes_of(other), &io);
}

void cid_multihash_verify_many(enum cid_verdict *verdicts, const struct cid_multihash_view *hashes,
                               const struct cid_data *data, size_t n,
                               const struct cid_hash_options *options)
{
    struct cid__ahead nothing = {0, 0};
    struct cid__verify_batch batch = {
        verdicts, hashes, sizeof *hashes, data, n, options, &nothing,
    };
    cid__verify_many(&batch);
}
