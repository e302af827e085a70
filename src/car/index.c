#include "car/index.h"

#include "base/arith.h"
#include "base/bytes.h"
#include "base/endian.h"
#include "car/fault.h"
#include "multiformats/varint.h"

/* ---- opening ------------------------------------------------------------------------------ */

struct parse {
    struct cid_car_index *index;
    uint64_t at;
    struct cid_fault *fault;
};

static enum cid_error fault_at(struct parse *parse, enum cid_error error, uint64_t at,
                               uint64_t need, uint64_t have)
{
    return cid__car_fault(parse->fault, error, CID_FIELD_INDEX, parse->index->place.base + at, need,
                          have);
}

static uint64_t left(const struct parse *parse)
{
    return parse->index->place.len - parse->at;
}

/* Brings n of the bytes that come next, and steps over them. */
static enum cid_error take(struct parse *parse, const uint8_t **out, size_t n, uint8_t *buf)
{
    enum cid_error error;

    if (left(parse) < n)
        return fault_at(parse, CID_E_TRUNCATED, parse->at, n, left(parse));
    error = cid__place_bytes(out, &parse->index->place, parse->at, n, buf);
    if (error)
        return fault_at(parse, error, parse->at, 0, 0);
    parse->at += n;
    return CID_OK;
}

static enum cid_error parse_codec(struct parse *parse)
{
    uint8_t buf[CID_VARINT_MAX_SIZE];
    const uint8_t *bytes = buf;
    size_t n = left(parse) < sizeof buf ? (size_t)left(parse) : sizeof buf;
    size_t used = 0;
    uint64_t codec = 0;
    enum cid_error error = cid__place_bytes(&bytes, &parse->index->place, 0, n, buf);

    if (!error)
        error = cid_varint_read(&codec, &used, bytes, n);
    if (error)
        return fault_at(parse, error, 0, error == CID_E_TRUNCATED ? (uint64_t)n + 1 : 0,
                        error == CID_E_TRUNCATED ? n : 0);
    if (codec != CID_CAR_INDEX_SORTED && codec != CID_CAR_INDEX_MULTIHASH_SORTED) {
        fault_at(parse, CID_E_INDEX_CODEC, 0, 0, 0);
        parse->fault->decoded = CID_DECODED_CODEC;
        parse->fault->codec = codec;
        return CID_E_INDEX_CODEC;
    }
    parse->index->codec = codec;
    parse->at = used;
    return CID_OK;
}

/* Reads a count of things that take HEAD_SIZE bytes each at least. */
static enum cid_error parse_count(struct parse *parse, uint32_t *count)
{
    uint8_t buf[4];
    const uint8_t *bytes = NULL;
    enum cid_error error = take(parse, &bytes, 4, buf);
    uint64_t room = left(parse) / CID__INDEX_HEAD_SIZE;

    if (error)
        return error;
    *count = cid__load32le(bytes);
    if (*count > INT32_MAX || *count > room) /* negative, or a lie */
        return fault_at(parse, CID_E_INDEX_COUNT, parse->at - 4, *count, room);
    return CID_OK;
}

/* Codes and widths ascend. */
static enum cid_error check_order(struct parse *parse, uint64_t at, uint64_t before, uint64_t now)
{
    if (now > before)
        return CID_OK;
    return fault_at(parse, now == before ? CID_E_INDEX_TWICE : CID_E_INDEX_ORDER, at, before, now);
}

/* Keeps a bucket. The room for them doubles, which at least as much input has paid for. */
static enum cid_error keep(struct parse *parse, const struct cid__bucket *bucket)
{
    struct cid_car_index *index = parse->index;

    if (index->bucket_count == index->bucket_room) {
        size_t room = index->bucket_room ? index->bucket_room : 2;
        size_t size;
        struct cid__bucket *buckets = NULL;
        if (cid__mul_size(&size, room, 2 * sizeof *buckets))
            buckets = cid__alloc(index->alloc, size);
        if (!buckets)
            return fault_at(parse, CID_E_NOMEM, parse->at, 0, 0);
        if (index->bucket_count != 0) {
            memcpy(buckets, index->buckets, index->bucket_count * sizeof *buckets);
            cid__release(index->alloc, index->buckets, index->bucket_room * sizeof *buckets);
        }
        index->buckets = buckets;
        index->bucket_room = room * 2;
    }
    index->buckets[index->bucket_count++] = *bucket;
    index->count += bucket->count;
    return CID_OK;
}

static enum cid_error parse_bucket(struct parse *parse, uint64_t code, uint64_t *width)
{
    uint8_t buf[CID__INDEX_HEAD_SIZE];
    const uint8_t *bytes = NULL;
    uint64_t start = parse->at;
    uint64_t before = *width;
    uint64_t len;
    struct cid__bucket bucket;
    enum cid_error error = take(parse, &bytes, sizeof buf, buf);

    if (error)
        return error;
    *width = cid__load32le(bytes);
    len = cid__load64le(bytes + 4);
    if (*width < CID__INDEX_OFFSET_SIZE)
        return fault_at(parse, CID_E_INDEX_WIDTH, start, CID__INDEX_OFFSET_SIZE, *width);
    error = check_order(parse, start, before, *width);
    if (error)
        return error;
    if (len > left(parse))
        return fault_at(parse, CID_E_TRUNCATED, parse->at, len, left(parse));
    if (len % *width != 0)
        return fault_at(parse, CID_E_INDEX_LENGTH, start + 4, *width, len);
    bucket =
        (struct cid__bucket){code, parse->at, parse->index->count, len / *width, (uint32_t)*width};
    parse->at += len;
    return len != 0 ? keep(parse, &bucket) : CID_OK;
}

static enum cid_error parse_buckets(struct parse *parse, uint64_t code)
{
    uint32_t count = 0;
    uint64_t width = 0;
    enum cid_error error = parse_count(parse, &count);

    for (uint32_t i = 0; i < count && !error; i++)
        error = parse_bucket(parse, code, &width);
    return error;
}

static enum cid_error parse_codes(struct parse *parse)
{
    uint32_t count = 0;
    uint64_t code = 0;
    enum cid_error error = parse_count(parse, &count);

    for (uint32_t i = 0; i < count && !error; i++) {
        uint8_t buf[8];
        const uint8_t *bytes = NULL;
        uint64_t before = code;
        error = take(parse, &bytes, sizeof buf, buf);
        if (error)
            return error;
        code = cid__load64le(bytes);
        if (i != 0)
            error = check_order(parse, parse->at - sizeof buf, before, code);
        if (!error)
            error = parse_buckets(parse, code);
    }
    return error;
}

static enum cid_error parse_all(struct parse *parse)
{
    enum cid_error error = parse_codec(parse);

    if (error)
        return error;
    if (parse->index->codec == CID_CAR_INDEX_SORTED)
        error = parse_buckets(parse, 0);
    else
        error = parse_codes(parse);
    if (!error && left(parse) != 0)
        error = fault_at(parse, CID_E_TRAILING, parse->at, 0, left(parse));
    return error;
}

enum cid_error cid__index_open(struct cid_car_index **out, const struct cid__place *place,
                               struct cid_fault *fault, const struct cid_allocator *alloc)
{
    struct cid_car_index *index = cid__alloc(alloc, sizeof *index);
    struct parse parse = {index, 0, fault};
    enum cid_error error;

    *out = NULL;
    if (!index)
        return cid__car_fault(fault, CID_E_NOMEM, CID_FIELD_NONE, place->base, sizeof *index, 0);
    *index = (struct cid_car_index){.place = *place};
    if (alloc) {
        index->alloc_copy = *alloc;
        index->alloc = &index->alloc_copy;
    }
    error = parse_all(&parse);
    if (!error)
        *out = index;
    else
        cid_car_index_close(index);
    return error;
}

enum cid_error cid_car_index_open(struct cid_car_index **out, const void *data, size_t len,
                                  struct cid_fault *fault, const struct cid_allocator *alloc)
{
    struct cid__place place = cid__place_memory(data, len);
    struct cid_fault unseen = {0};

    return cid__index_open(out, &place, fault ? fault : &unseen, alloc);
}

enum cid_error cid_car_index_open_file(struct cid_car_index **out, const struct cid_file *file,
                                       struct cid_fault *fault, const struct cid_allocator *alloc)
{
    struct cid__place place = cid__place_file(file);
    struct cid_fault unseen = {0};

    return cid__index_open(out, &place, fault ? fault : &unseen, alloc);
}

void cid_car_index_close(struct cid_car_index *index)
{
    struct cid_allocator copy;
    const struct cid_allocator *alloc = NULL;

    if (!index)
        return;
    if (index->alloc) {
        copy = index->alloc_copy;
        alloc = &copy;
    }
    if (index->buckets)
        cid__release(alloc, index->buckets, index->bucket_room * sizeof *index->buckets);
    if (index->own)
        cid__release(alloc, index->own, (size_t)index->place.len);
    cid__release(alloc, index, sizeof *index);
}

uint64_t cid_car_index_codec(const struct cid_car_index *index)
{
    return index->codec;
}

uint64_t cid_car_index_count(const struct cid_car_index *index)
{
    return index->count;
}

uint64_t cid_car_index_size(const struct cid_car_index *index)
{
    return index->place.len;
}

/* ---- entries ------------------------------------------------------------------------------ */

/* The bucket of the entry with that number, which must be below the count. */
static const struct cid__bucket *bucket_of(const struct cid_car_index *index, uint64_t number)
{
    size_t low = 0, high = index->bucket_count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (index->buckets[middle].first <= number)
            low = middle;
        else
            high = middle;
    }
    return &index->buckets[low];
}

enum cid_error cid__index_offset(uint64_t *section_in_payload, const struct cid_car_index *index,
                                 uint64_t number)
{
    const struct cid__bucket *bucket = bucket_of(index, number);
    uint64_t end = bucket->at + (number - bucket->first + 1) * bucket->width;
    uint8_t buf[CID__INDEX_OFFSET_SIZE];
    const uint8_t *bytes = NULL;
    enum cid_error error =
        cid__place_bytes(&bytes, &index->place, end - sizeof buf, sizeof buf, buf);

    if (!error)
        *section_in_payload = cid__load64le(bytes);
    return error;
}

enum cid_error cid_car_index_at(struct cid_car_entry *out, uint8_t *buf, size_t cap,
                                const struct cid_car_index *index, uint64_t number)
{
    const struct cid__bucket *bucket;
    struct cid_car_entry entry = {0};
    enum cid_error error;

    if (number >= index->count)
        return CID_E_NOT_FOUND;
    bucket = bucket_of(index, number);
    entry.hash_code = bucket->code;
    entry.digest_len = cid__bucket_digest_len(bucket);
    error = cid__index_offset(&entry.section_in_payload, index, number);
    if (error)
        return error;
    if (!index->place.memory && cap < entry.digest_len) {
        *out = entry;
        return CID_E_NOSPACE;
    }
    error = cid__place_bytes(&entry.digest, &index->place,
                             bucket->at + (number - bucket->first) * bucket->width,
                             entry.digest_len, buf);
    if (!error)
        *out = entry;
    return error;
}

#define WALK_BUFFER 8192

/* A walk through the entries of a bucket. */
struct walk {
    const struct cid_car_index *index;
    enum cid_error (*fn)(void *ctx, const struct cid_car_entry *entry);
    void *ctx;
    struct cid_fault *fault;
    uint8_t *buf; /* over a file; of two entries at least */
    size_t size;
};

/* Walks over count entries, from number i of the bucket on; before is the one in front, or NULL. */
static enum cid_error walk_entries(const struct walk *walk, const struct cid__bucket *bucket,
                                   uint64_t i, size_t count, const uint8_t *at,
                                   const uint8_t *before)
{
    struct cid_car_entry entry = {.hash_code = bucket->code,
                                  .digest_len = cid__bucket_digest_len(bucket)};

    for (; count != 0; count--, i++, before = at, at += bucket->width) {
        enum cid_error error;
        if (before && memcmp(before, at, entry.digest_len) > 0)
            return cid__car_fault(walk->fault, CID_E_INDEX_ORDER, CID_FIELD_ENTRY,
                                  walk->index->place.base + bucket->at + i * bucket->width, 0, 0);
        if (!walk->fn)
            continue;
        entry.digest = at;
        entry.section_in_payload = cid__load64le(at + entry.digest_len);
        error = walk->fn(walk->ctx, &entry);
        if (error)
            return error;
    }
    return CID_OK;
}

/* Over a file, the last entry of each piece is read again with the next, to be compared. */
static enum cid_error walk_file(const struct walk *walk, const struct cid__bucket *bucket)
{
    uint64_t room = walk->size / bucket->width;
    enum cid_error error = CID_OK;

    for (uint64_t i = 0; i < bucket->count && !error;) {
        uint64_t again = i != 0;
        uint64_t n = bucket->count - i < room - again ? bucket->count - i : room - again;
        uint64_t at = bucket->at + (i - again) * bucket->width;
        const uint8_t *bytes = NULL;
        error = cid__place_bytes(&bytes, &walk->index->place, at,
                                 (size_t)((n + again) * bucket->width), walk->buf);
        if (error)
            return cid__car_fault(walk->fault, error, CID_FIELD_INDEX, walk->index->place.base + at,
                                  0, 0);
        error = walk_entries(walk, bucket, i, (size_t)n, bytes + (again ? bucket->width : 0),
                             again ? bytes : NULL);
        i += n;
    }
    return error;
}

/* Gets a buffer for two entries of the widest bucket, if they do not fit the one there is. */
static enum cid_error get_buffer(struct walk *walk)
{
    uint64_t size = walk->size;

    for (size_t i = 0; i < walk->index->bucket_count; i++)
        if (2 * (uint64_t)walk->index->buckets[i].width > size)
            size = 2 * (uint64_t)walk->index->buckets[i].width;
    if (size == walk->size)
        return CID_OK;
    walk->buf = size <= SIZE_MAX ? cid__alloc(walk->index->alloc, (size_t)size) : NULL;
    if (!walk->buf)
        return cid__car_fault(walk->fault, CID_E_NOMEM, CID_FIELD_INDEX, walk->index->place.base,
                              size, 0);
    walk->size = (size_t)size;
    return CID_OK;
}

enum cid_error cid_car_index_each(const struct cid_car_index *index,
                                  enum cid_error (*fn)(void *ctx,
                                                       const struct cid_car_entry *entry),
                                  void *ctx, struct cid_fault *fault)
{
    struct cid_fault unseen = {0};
    uint8_t buf[WALK_BUFFER];
    struct walk walk = {index, fn, ctx, fault ? fault : &unseen, buf, sizeof buf};
    enum cid_error error = index->place.memory ? CID_OK : get_buffer(&walk);

    for (size_t i = 0; i < index->bucket_count && !error; i++) {
        const struct cid__bucket *bucket = &index->buckets[i];
        if (index->place.memory)
            error = walk_entries(&walk, bucket, 0, (size_t)bucket->count,
                                 index->place.memory + bucket->at, NULL);
        else
            error = walk_file(&walk, bucket);
    }
    if (walk.buf && walk.buf != buf)
        cid__release(index->alloc, walk.buf, walk.size);
    return error;
}

enum cid_error cid_car_index_check(const struct cid_car_index *index, struct cid_fault *fault)
{
    return cid_car_index_each(index, NULL, NULL, fault);
}

enum cid_error cid_car_index_write(const struct cid_car_index *index, const struct cid_sink *sink)
{
    uint8_t buf[4096];
    uint64_t at = 0;
    enum cid_error error = CID_OK;

    if (index->place.memory)
        return sink->write(sink->ctx, index->place.memory, (size_t)index->place.len);
    while (at < index->place.len && !error) {
        uint64_t rest = index->place.len - at;
        size_t n = rest < sizeof buf ? (size_t)rest : sizeof buf;
        const uint8_t *bytes = buf;
        error = cid__place_bytes(&bytes, &index->place, at, n, buf);
        if (!error)
            error = sink->write(sink->ctx, bytes, n);
        at += n;
    }
    return error;
}
