#include "car/archive.h"

#include "base/bytes.h"
#include "car/fault.h"
#include "cid/binary.h"

/*
 * What is read of a file at first, when the length of the section is not known yet: most blocks of
 * small archives whole, which saves a second call, and little enough to cost nothing itself.
 */
#define FIRST_READ 1024

/* Where a block is to go that is not in memory already: to buf, or to what memory owns. */
struct target {
    uint8_t *buf;
    size_t cap;
    size_t need; /* what it takes */
    struct cid_bytes *memory;
    const struct cid_allocator *alloc;
};

/* A section as far as it is known. */
struct section {
    uint64_t offset; /* in the payload */
    const uint8_t *bytes;
    size_t have; /* how many of them are at hand */
    uint64_t prefix_len;
    uint64_t size; /* of the whole, with its prefix */
    struct cid_view cid;
    bool cid_known;
};

struct job {
    const struct cid_car *car;
    const struct cid_view *wanted; /* NULL: whatever is there */
    struct target target;
    struct cid_fault *fault;
    uint8_t scratch[FIRST_READ];
};

static enum cid_error fail(const struct job *job, enum cid_error error, enum cid_field field,
                           const struct section *section, uint64_t need, uint64_t have)
{
    return cid__car_fault(job->fault, error, field, job->car->payload.base + section->offset, need,
                          have);
}

/* ---- the section -------------------------------------------------------------------------- */

/* Brings the start of the section, or all of it where it is in memory. */
static enum cid_error bring_start(struct job *job, struct section *section)
{
    const struct cid__place *payload = &job->car->payload;
    const struct cid_car_info *info = &job->car->reader->info;
    struct target *target = &job->target;
    uint8_t *buf = job->scratch;
    uint64_t rest;
    enum cid_error error;

    if (section->offset < info->header_len || section->offset >= payload->len)
        return fail(job, CID_E_INDEX_RANGE, CID_FIELD_ENTRY, section, 0, 0);
    rest = payload->len - section->offset;
    if (!payload->memory && rest > FIRST_READ)
        rest = FIRST_READ;
    if (target->cap >= FIRST_READ) /* where it is to go in the end */
        buf = target->buf;
    section->have = (size_t)rest;
    error = cid__place_bytes(&section->bytes, payload, section->offset, section->have, buf);
    return error ? fail(job, error, CID_FIELD_NONE, section, 0, 0) : CID_OK;
}

/* Reads how long the section is. */
static enum cid_error read_length(struct job *job, struct section *section)
{
    struct cid__span span = cid__span_of(section->bytes, section->have);
    uint64_t rest = job->car->payload.len - section->offset;
    uint64_t len = 0;

    if (cid__varint_take(&len, &span) != CID_OK || len == 0)
        return fail(job, CID_E_INDEX_RANGE, CID_FIELD_ENTRY, section, 0, 0);
    section->prefix_len = (uint64_t)(span.at - section->bytes);
    if (len > job->car->options.section_limit)
        return fail(job, CID_E_SECTION_LIMIT, CID_FIELD_SECTION, section,
                    job->car->options.section_limit, len);
    if (len > rest - section->prefix_len)
        return fail(job, CID_E_TRUNCATED, CID_FIELD_SECTION, section, len,
                    rest - section->prefix_len);
    section->size = section->prefix_len + len;
    if (section->have > section->size)
        section->have = (size_t)section->size;
    return CID_OK;
}

/* Reads the CID, unless it is so long that more of the section must be brought first. */
static enum cid_error read_cid(struct job *job, struct section *section)
{
    struct cid__span span = cid__span_of(section->bytes + section->prefix_len,
                                         section->have - (size_t)section->prefix_len);
    enum cid_error error = cid__take(&section->cid, &span);

    if (error == CID_E_TRUNCATED && section->have < section->size)
        return CID_OK;
    if (error)
        return fail(job, CID_E_INDEX_RANGE, CID_FIELD_ENTRY, section, 0, 0);
    section->cid_known = true;
    return CID_OK;
}

static enum cid_error reserve(struct target *target, size_t size, uint8_t **place)
{
    struct cid__build to;
    enum cid_error error;

    target->need = size;
    if (!target->memory) {
        *place = target->buf;
        return size <= target->cap ? CID_OK : CID_E_NOSPACE;
    }
    to = cid__build_owner(target->memory, target->alloc);
    error = cid__build_reserve(&to, size, place);
    return error ? error : cid__build_commit(&to);
}

/* Brings the rest of the section to where the block is to go. */
static enum cid_error bring_rest(struct job *job, struct section *section)
{
    const struct cid__place *payload = &job->car->payload;
    uint8_t *place = NULL;
    const uint8_t *rest = NULL;
    enum cid_error error;

    if (payload->memory)
        return CID_OK;
    error = section->size <= SIZE_MAX ? reserve(&job->target, (size_t)section->size, &place)
                                      : CID_E_TOO_LARGE;
    if (error)
        return fail(job, error, CID_FIELD_SECTION, section,
                    error == CID_E_NOSPACE ? section->size : 0,
                    error == CID_E_NOSPACE ? job->target.cap : 0);
    if (place != section->bytes)
        memcpy(place, section->bytes, section->have);
    error = cid__place_bytes(&rest, payload, section->offset + section->have,
                             (size_t)section->size - section->have, place + section->have);
    if (error)
        return fail(job, error, CID_FIELD_NONE, section, 0, 0);
    section->bytes = place;
    section->have = (size_t)section->size;
    return read_cid(job, section);
}

/* ---- the block ---------------------------------------------------------------------------- */

/*
 * Whether the section is one that was asked for. CID_END: it is another that the index may well
 * have under that key.
 */
static enum cid_error match(const struct job *job, const struct section *section)
{
    const struct cid_view *wanted = job->wanted;
    const struct cid_multihash_view *a, *b;

    if (!wanted || !section->cid_known || cid_equal(wanted, &section->cid))
        return CID_OK;
    a = &wanted->hash;
    b = &section->cid.hash;
    if (a->digest_len != b->digest_len || memcmp(a->digest, b->digest, a->digest_len) != 0 ||
        (a->code != b->code && job->car->index->codec != CID_CAR_INDEX_SORTED))
        return fail(job, CID_E_INDEX_ENTRY, CID_FIELD_ENTRY, section, 0, 0);
    return job->car->by_multihash && a->code == b->code ? CID_OK : CID_END;
}

/* Fills the block in and checks it. */
static enum cid_error judge(const struct job *job, const struct section *section,
                            struct cid_car_block *block)
{
    const struct cid_car_options *options = &job->car->options;
    enum cid_error error;

    if (options->skip_verify)
        return CID_OK;
    error = cid_verify(&block->cid, block->data, block->data_len, options->hash);
    if (!error) {
        block->verdict = CID_GOOD;
        return CID_OK;
    }
    if (error == CID_E_MISMATCH)
        return fail(job, error, CID_FIELD_DATA, section, 0, 0);
    block->verdict = CID_UNVERIFIABLE;
    if (options->pass_unverifiable)
        return CID_OK;
    return fail(job, CID_E_UNVERIFIABLE, CID_FIELD_HASH, section, 0, 0);
}

/* Reads the section at an offset. CID_END: see match. */
static enum cid_error get_section(struct job *job, uint64_t offset, struct cid_car_block *out)
{
    struct section section = {.offset = offset};
    struct cid_car_block block = {0};
    enum cid_error error = bring_start(job, &section);

    if (!error)
        error = read_length(job, &section);
    if (!error)
        error = read_cid(job, &section);
    if (!error)
        error = match(job, &section);
    if (!error)
        error = bring_rest(job, &section);
    if (!error)
        error = match(job, &section);
    if (error)
        return error;
    block.cid = section.cid;
    block.data = section.cid.bytes + section.cid.len;
    block.data_len = (size_t)(section.size - section.prefix_len) - section.cid.len;
    block.section_in_payload = offset;
    block.section_in_file = job->car->payload.base + offset;
    block.section_len = section.size;
    error = judge(job, &section, &block);
    if (!error)
        *out = block;
    return error;
}

static void forget(struct target *target)
{
    if (target->memory)
        cid_bytes_free(target->memory, target->alloc);
}

/* A block in its own CID. */
static enum cid_error get_identity(struct job *job, struct cid_car_block *out)
{
    static const struct section nowhere;
    struct cid_car_block block = {.cid = *job->wanted,
                                  .data = job->wanted->hash.digest,
                                  .data_len = job->wanted->hash.digest_len};
    enum cid_error error = judge(job, &nowhere, &block);

    if (!error)
        *out = block;
    return error;
}

/*
 * Tries the entries of a multihash one after the other. One copy of a block may be damaged and the
 * next one good, so the first failure counts only if there is none.
 */
static enum cid_error get_entries(struct job *job, const struct cid_car_range *range,
                                  struct cid_car_block *out)
{
    enum cid_error first = CID_OK;
    struct cid_fault fault = *job->fault;

    for (uint64_t i = 0; i < range->count; i++) {
        uint64_t offset = 0;
        enum cid_error error = cid__index_offset(&offset, job->car->index, range->first + i);
        if (!error)
            error = get_section(job, offset, out);
        else
            cid__car_fault(job->fault, error, CID_FIELD_INDEX, 0, 0, 0);
        if (error == CID_OK || error == CID_E_NOSPACE || error == CID_E_NOMEM)
            return error;
        forget(&job->target);
        if (error == CID_END || first)
            continue;
        first = error;
        fault = *job->fault;
    }
    if (!first)
        return cid__car_fault(job->fault, CID_E_NOT_FOUND, CID_FIELD_NONE, 0, 0, 0);
    *job->fault = fault;
    return first;
}

static enum cid_error get(struct job *job, struct cid_car_block *out)
{
    const struct cid_car_index *index = job->car->index;
    struct cid_car_range range;
    enum cid_error error = CID_OK;

    if (job->wanted->len == 0)
        error = CID_E_ARGUMENT;
    else if (job->wanted->hash.code == CID_HASH_IDENTITY)
        return get_identity(job, out);
    else if (!index)
        error = CID_E_INDEX_ABSENT;
    else
        error = cid_car_index_find(&range, index, &job->wanted->hash);
    if (error)
        return cid__car_fault(job->fault, error, CID_FIELD_INDEX, 0, 0, 0);
    return get_entries(job, &range, out);
}

enum cid_error cid_car_get(struct cid_car_block *out, uint8_t *buf, size_t cap, size_t *need,
                           const struct cid_car *car, const struct cid_view *view,
                           struct cid_fault *fault)
{
    struct cid_fault unseen = {0};
    struct job job;
    enum cid_error error;

    cid__assert_apart(buf, cap, view->bytes, view->len);
    job.car = car;
    job.wanted = view;
    job.target = (struct target){.buf = buf, .cap = cap};
    job.fault = fault ? fault : &unseen;
    error = get(&job, out);
    if (need && (error == CID_OK || error == CID_E_NOSPACE))
        *need = job.target.need;
    return error;
}

enum cid_error cid_car_own(struct cid_car_block *out, struct cid_bytes *memory,
                           const struct cid_car *car, const struct cid_view *view,
                           struct cid_fault *fault, const struct cid_allocator *alloc)
{
    struct cid_fault unseen = {0};
    struct job job;
    enum cid_error error;

    cid__assert_apart(memory, sizeof *memory, view->bytes, view->len);
    job.car = car;
    job.wanted = view;
    job.target = (struct target){.memory = memory, .alloc = alloc};
    job.fault = fault ? fault : &unseen;
    memset(memory, 0, sizeof *memory);
    error = get(&job, out);
    if (error)
        forget(&job.target);
    return error;
}

enum cid_error cid_car_get_at(struct cid_car_block *out, uint8_t *buf, size_t cap, size_t *need,
                              const struct cid_car *car, uint64_t section_in_payload,
                              struct cid_fault *fault)
{
    struct cid_fault unseen = {0};
    struct job job;
    enum cid_error error;

    job.car = car;
    job.wanted = NULL;
    job.target = (struct target){.buf = buf, .cap = cap};
    job.fault = fault ? fault : &unseen;
    error = get_section(&job, section_in_payload, out);
    if (need && (error == CID_OK || error == CID_E_NOSPACE))
        *need = job.target.need;
    return error;
}
