#include "car/archive.h"

#include "base/bytes.h"
#include "car/fault.h"
#include "car/v2.h"

/* A header and its roots seldom have more; what follows is read in pieces that double. */
#define FIRST_PIECE 4096

static enum cid_error read_stream(void *ctx, void *buf, size_t cap, size_t *got)
{
    struct cid__stream *stream = ctx;
    uint64_t rest = stream->file->len - stream->at;
    size_t n = cap < stream->piece ? cap : stream->piece;
    enum cid_error error;

    if (rest == 0)
        return CID_END;
    if (n > rest)
        n = (size_t)rest;
    error = stream->file->read(stream->file->ctx, buf, n, stream->at);
    if (error)
        return error;
    stream->at += n;
    if (stream->piece < CID__FEED_BUFFER)
        stream->piece *= 2;
    *got = n;
    return CID_OK;
}

static enum cid_error skip_stream(void *ctx, uint64_t n, uint64_t *skipped)
{
    struct cid__stream *stream = ctx;
    uint64_t rest = stream->file->len - stream->at;

    *skipped = n < rest ? n : rest;
    stream->at += *skipped;
    return CID_OK;
}

/* Opens a reader, which reads the head. */
static enum cid_error read_head(struct cid_car *car, struct cid_fault *fault)
{
    struct cid_car_options options = car->options;
    struct cid_source source = {read_stream, &car->stream, skip_stream};

    options.skip_data = true; /* what it reads besides the head, is for an index */
    if (car->place.memory)
        return cid_car_reader_open(&car->reader, car->place.memory, (size_t)car->place.len,
                                   &options, fault, car->alloc);
    car->stream = (struct cid__stream){&car->place.file, 0, FIRST_PIECE};
    return cid_car_reader_open_source(&car->reader, &source, &options, fault, car->alloc);
}

/* Finds where the payload is, and holds what a CARv2 says against the length of the file. */
static enum cid_error find_payload(struct cid_car *car, struct cid_fault *fault)
{
    const struct cid_car_info *info = &car->reader->info;
    uint64_t rest = car->place.len - info->header_offset;

    if (info->version == 1) {
        car->payload = car->place;
        return CID_OK;
    }
    if (info->data_size > rest)
        return cid__car_fault(fault, CID_E_TRUNCATED, CID_FIELD_DATA, car->place.len,
                              info->data_size, rest);
    car->payload = cid__place_part(&car->place, info->data_offset, info->data_size);
    return CID_OK;
}

/* Opens the index of a CARv2. One of an unknown kind is as good as none. */
static enum cid_error open_own_index(struct cid_car *car, struct cid_fault *fault)
{
    struct cid_car_info *info = &car->reader->info;
    struct cid_fault why = {.size = fault->size};
    struct cid__place place;
    enum cid_error error;

    if (info->index_offset == 0)
        return CID_OK;
    if (info->index_offset >= car->place.len)
        return cid__car_fault(fault, CID_E_V2_INDEX_OFFSET, CID_FIELD_INDEX, CID__V2_INDEX_OFFSET,
                              info->index_offset, car->place.len);
    place = cid__place_part(&car->place, info->index_offset, car->place.len - info->index_offset);
    error = cid__index_open(&car->own_index, &place, &why, car->alloc);
    if (error == CID_E_INDEX_CODEC) {
        info->index_codec = why.codec;
        return CID_OK;
    }
    if (error)
        *fault = why;
    else
        info->index_codec = car->own_index->codec;
    return error;
}

static enum cid_error build_index(struct cid_car *car, struct cid_fault *fault)
{
    enum cid_error error = cid_car_index_build(&car->own_index, car->reader, NULL, car->alloc);
    const struct cid_fault *why = cid_car_reader_fault(car->reader);
    size_t size = fault->size;

    if (error && why->code == error)
        *fault = *why;
    else if (error)
        return cid__car_fault(fault, error, CID_FIELD_NONE, 0, 0, 0);
    fault->size = size;
    return error;
}

static enum cid_error get_index(struct cid_car *car, const struct cid_car_open_options *options,
                                struct cid_fault *fault)
{
    enum cid_error error = CID_OK;

    if (options && options->index) {
        car->index = options->index;
        return CID_OK;
    }
    if (!options || !options->rebuild_index)
        error = open_own_index(car, fault);
    if (!error && !car->own_index && !(options && options->no_build))
        error = build_index(car, fault);
    car->index = car->own_index;
    return error;
}

static enum cid_error open_place(struct cid_car **out, const struct cid__place *place,
                                 const struct cid_car_open_options *options,
                                 struct cid_fault *fault, const struct cid_allocator *alloc)
{
    struct cid_fault unseen = {0};
    struct cid_car *car = cid__alloc(alloc, sizeof *car);
    enum cid_error error;

    *out = NULL;
    if (!fault)
        fault = &unseen;
    if (!car)
        return cid__car_fault(fault, CID_E_NOMEM, CID_FIELD_NONE, 0, sizeof *car, 0);
    *car = (struct cid_car){.place = *place};
    if (alloc) {
        car->alloc_copy = *alloc;
        car->alloc = &car->alloc_copy;
    }
    if (options) {
        car->options = options->read;
        car->by_multihash = options->by_multihash;
    }
    if (car->options.section_limit == 0)
        car->options.section_limit = CID_CAR_SECTION_LIMIT;
    error = read_head(car, fault);
    if (!error)
        error = find_payload(car, fault);
    if (!error)
        error = get_index(car, options, fault);
    if (error) {
        cid_car_close(car);
        return error;
    }
    cid__feed_close(&car->reader->feed);
    *out = car;
    return CID_OK;
}

enum cid_error cid_car_open(struct cid_car **out, const void *data, size_t len,
                            const struct cid_car_open_options *options, struct cid_fault *fault,
                            const struct cid_allocator *alloc)
{
    struct cid__place place = cid__place_memory(data, len);

    return open_place(out, &place, options, fault, alloc);
}

enum cid_error cid_car_open_file(struct cid_car **out, const struct cid_file *file,
                                 const struct cid_car_open_options *options,
                                 struct cid_fault *fault, const struct cid_allocator *alloc)
{
    struct cid__place place = cid__place_file(file);

    return open_place(out, &place, options, fault, alloc);
}

void cid_car_close(struct cid_car *car)
{
    struct cid_allocator copy;
    const struct cid_allocator *alloc = NULL;

    if (!car)
        return;
    if (car->alloc) {
        copy = car->alloc_copy;
        alloc = &copy;
    }
    cid_car_index_close(car->own_index);
    cid_car_reader_close(car->reader);
    cid__release(alloc, car, sizeof *car);
}

/* ---- what the head says ------------------------------------------------------------------- */

const struct cid_car_info *cid_car_info_of(const struct cid_car *car)
{
    return cid_car_reader_info(car->reader);
}

enum cid_error cid_car_root(struct cid_view *out, const struct cid_car *car, size_t i)
{
    return cid_car_reader_root(out, car->reader, i);
}

const uint8_t *cid_car_header(const struct cid_car *car, size_t *len)
{
    return cid_car_reader_header(car->reader, len);
}

const struct cid_car_index *cid_car_index_of(const struct cid_car *car)
{
    return car->index;
}
