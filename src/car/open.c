#include "car/reader.h"

#include "base/arith.h"
#include "base/bytes.h"
#include "car/guess.h"
#include "car/header.h"
#include "car/v2.h"
#include "multiformats/varint.h"

/* A header with its length prefix, as it lies at hand. */
struct frame {
    const uint8_t *bytes;
    size_t len;
    size_t prefix_len;
};

/* ---- the header --------------------------------------------------------------------------- */

static enum cid_error header_fault(struct cid_car_reader *reader, enum cid_error error,
                                   uint64_t need, uint64_t have)
{
    const struct cid__feed *feed = &reader->feed;

    return cid__car_fault(&reader->fault, error, CID_FIELD_HEADER, cid__feed_offset(feed, feed->at),
                          need, have);
}

/* Reads the length prefix, for which bytes are got one at a time: there may be no more. */
static enum cid_error read_prefix(struct cid_car_reader *reader, uint64_t *len, size_t *prefix_len)
{
    struct cid__feed *feed = &reader->feed;

    for (;;) {
        struct cid__span span = cid__feed_span(feed);
        size_t have = cid__span_left(&span);
        enum cid_error error = cid__varint_take(len, &span);
        if (!error) {
            *prefix_len = (size_t)(span.at - feed->at);
            return CID_OK;
        }
        if (error != CID_E_TRUNCATED)
            return header_fault(reader, error, 0, 0);
        error = cid__feed_more(feed);
        if (error == CID_END)
            return header_fault(reader, CID_E_TRUNCATED, (uint64_t)have + 1, have);
        if (error)
            return cid__feed_fault(feed, error, &reader->fault);
    }
}

/* Brings the header here, whole, and checks nothing but its length. The feed does not move. */
static enum cid_error bring_header(struct cid_car_reader *reader, struct frame *frame)
{
    struct cid__feed *feed = &reader->feed;
    uint64_t len = 0;
    size_t prefix_len = 0;
    enum cid_error error = read_prefix(reader, &len, &prefix_len);

    if (error)
        return error;
    if (len == 0)
        return header_fault(reader, CID_E_HEADER_EMPTY, 1, 0);
    if (len > reader->options.header_limit)
        return header_fault(reader, CID_E_HEADER_LIMIT, reader->options.header_limit, len);
    error = cid__feed_bring(feed, prefix_len + len);
    if (error == CID_END)
        return header_fault(reader, CID_E_TRUNCATED, len,
                            (uint64_t)(feed->stop - feed->at) - prefix_len);
    if (error)
        return cid__feed_fault(feed, error, &reader->fault);
    *frame = (struct frame){feed->at + prefix_len, (size_t)len, prefix_len};
    return CID_OK;
}

/* Takes the header over from the feed: over memory as it is, else as a copy. */
static enum cid_error keep_header(struct cid_car_reader *reader, const struct frame *frame)
{
    struct cid__feed *feed = &reader->feed;

    reader->header = frame->bytes;
    reader->header_len = frame->len;
    if (feed->buffer) {
        reader->own_header = cid__alloc(reader->alloc, frame->len);
        if (!reader->own_header)
            return header_fault(reader, CID_E_NOMEM, frame->len, 0);
        memcpy(reader->own_header, frame->bytes, frame->len);
        reader->header = reader->own_header;
    }
    reader->info.header_offset = cid__feed_offset(feed, feed->at);
    reader->info.header_len = (uint64_t)frame->prefix_len + frame->len;
    reader->info.payload_len = reader->info.header_len;
    feed->at += frame->prefix_len + frame->len;
    return CID_OK;
}

static enum cid_error keep_roots(struct cid_car_reader *reader,
                                 const struct cid__car_header *header)
{
    size_t size;

    if (header->root_count == 0)
        return CID_OK;
    if (!cid__mul_size(&size, header->root_count, sizeof *reader->roots))
        return header_fault(reader, CID_E_NOMEM, 0, 0);
    reader->roots = cid__alloc(reader->alloc, size);
    if (!reader->roots)
        return header_fault(reader, CID_E_NOMEM, size, 0);
    reader->info.root_count = header->root_count;
    cid__car_header_list(reader->roots, header, reader->header, reader->header_len);
    return CID_OK;
}

/* Holds a header that could be read against what it must say. */
static enum cid_error judge_header(struct cid_car_reader *reader,
                                   const struct cid__car_header *header)
{
    if (header->version != 1 && reader->info.version == 2)
        return header_fault(reader, CID_E_V2_INNER, 1, header->version);
    if (header->version == 2) /* the pragma is eleven fixed bytes, and this is something else */
        return header_fault(reader, CID_E_HEADER_TYPE, 0, 0);
    if (header->version != 1) {
        header_fault(reader, CID_E_CAR_VERSION, 1, header->version);
        reader->fault.field = CID_FIELD_VERSION;
        reader->fault.version = header->version;
        return CID_E_CAR_VERSION;
    }
    if (!header->has_roots)
        return header_fault(reader, CID_E_HEADER_NO_ROOTS, 0, 0);
    reader->info.notes |= header->notes;
    if (reader->options.strict && (reader->info.notes & ~(uint32_t)CID_CAR_NOTE_V2_BITS))
        return header_fault(reader, CID_E_HEADER_STRICT, 0, reader->info.notes);
    return CID_OK;
}

/* Reads the header of the CARv1, which is brought here already. */
static enum cid_error read_header(struct cid_car_reader *reader, const struct frame *frame)
{
    const struct cid__feed *feed = &reader->feed;
    struct cid__car_header header;
    enum cid_error error = cid__car_header_read(
        &header, frame->bytes, frame->len, cid__feed_offset(feed, frame->bytes), &reader->fault);

    if (!error)
        error = judge_header(reader, &header);
    if (!error)
        error = keep_header(reader, frame);
    return error ? error : keep_roots(reader, &header);
}

static enum cid_error read_inner(struct cid_car_reader *reader)
{
    struct frame frame;
    enum cid_error error = bring_header(reader, &frame);

    return error ? error : read_header(reader, &frame);
}

/* ---- the head of the file ----------------------------------------------------------------- */

static enum cid_error read_v2(struct cid_car_reader *reader, const struct frame *pragma)
{
    enum cid_error error;

    reader->info.version = 2;
    reader->feed.at += pragma->prefix_len + pragma->len;
    error = cid__v2_open(&reader->info, &reader->feed, &reader->fault);
    return error ? error : read_inner(reader);
}

/* Whether the error may come from reading something that is no CAR at all. */
static bool is_doubtful(enum cid_error error)
{
    return error == CID_E_TRUNCATED || error == CID_E_TRAILING ||
           error == CID_E_VARINT_NOT_MINIMAL || error == CID_E_VARINT_OVERFLOW ||
           error == CID_E_HEADER_LIMIT || error == CID_E_HEADER_TYPE ||
           (error >= CID_E_CBOR_HEAD && error <= CID_E_DEPTH_LIMIT);
}

/* Says that the file is of another kind, if it is one that is known. The feed is at its start. */
static enum cid_error consider_kind(struct cid_car_reader *reader, enum cid_error error)
{
    struct cid__feed *feed = &reader->feed;
    size_t len;

    if (!is_doubtful(error))
        return error;
    (void)!cid__feed_bring(feed, CID__GUESS_SIZE); /* as much as there is */
    len = (size_t)(feed->stop - feed->at);
    if (!cid_car_guess(feed->at, len < CID__GUESS_SIZE ? len : CID__GUESS_SIZE))
        return error;
    return header_fault(reader, CID_E_CAR_KIND, 0, 0);
}

static enum cid_error read_head(struct cid_car_reader *reader)
{
    struct frame frame = {0};
    enum cid_error error = cid__feed_bring(&reader->feed, 1);

    if (error == CID_END)
        return header_fault(reader, CID_E_CAR_EMPTY, 1, 0);
    if (error)
        return cid__feed_fault(&reader->feed, error, &reader->fault);
    error = bring_header(reader, &frame);
    if (!error && frame.prefix_len == 1 && cid__v2_is_pragma(frame.bytes, frame.len))
        return read_v2(reader, &frame);
    reader->info.version = 1;
    if (!error)
        error = read_header(reader, &frame);
    return error ? consider_kind(reader, error) : CID_OK;
}

/* ---- opening and closing ------------------------------------------------------------------ */

/* A reader and its queue are one allocation. */
struct with_queue {
    struct cid_car_reader reader;
    struct cid__queue queue;
};

static struct cid_car_reader *new_reader(const struct cid_car_options *options,
                                         const struct cid_allocator *alloc)
{
    bool verify = !options || !(options->skip_verify || options->skip_data);
    struct cid_car_reader *reader =
        cid__alloc(alloc, verify ? sizeof(struct with_queue) : sizeof *reader);

    if (!reader)
        return NULL;
    memset(reader, 0, sizeof *reader);
    if (verify) {
        reader->queue = &((struct with_queue *)(void *)reader)->queue;
        reader->queue->next = reader->queue->count = 0;
        reader->queue->room = CID__QUEUE_FIRST;
    }
    if (options)
        reader->options = *options;
    if (reader->options.header_limit == 0)
        reader->options.header_limit = CID_CAR_HEADER_LIMIT;
    if (reader->options.section_limit == 0)
        reader->options.section_limit = CID_CAR_SECTION_LIMIT;
    reader->section_limit = reader->options.section_limit;
    reader->fault.size = sizeof reader->fault;
    reader->info.size = sizeof reader->info;
    if (alloc) {
        reader->alloc_copy = *alloc;
        reader->alloc = &reader->alloc_copy;
    }
    return reader;
}

/* Reads the head; on failure the reader is closed and *out NULL. */
static enum cid_error start(struct cid_car_reader **out, struct cid_car_reader *reader,
                            struct cid_fault *fault)
{
    enum cid_error error = read_head(reader);

    if (!error) {
        reader->prefetched = 0;
        reader->aimed_offset = cid__feed_offset(&reader->feed, reader->feed.at);
        *out = reader;
        return CID_OK;
    }
    if (fault) {
        size_t size = fault->size;
        *fault = reader->fault;
        fault->size = size;
    }
    cid_car_reader_close(reader);
    return error;
}

static enum cid_error no_memory(struct cid_fault *fault)
{
    if (fault)
        cid__car_fault(fault, CID_E_NOMEM, CID_FIELD_NONE, 0, 0, 0);
    return CID_E_NOMEM;
}

enum cid_error cid_car_reader_open(struct cid_car_reader **out, const void *data, size_t len,
                                   const struct cid_car_options *options, struct cid_fault *fault,
                                   const struct cid_allocator *alloc)
{
    struct cid_car_reader *reader = new_reader(options, alloc);

    *out = NULL;
    if (!reader)
        return no_memory(fault);
    cid__feed_memory(&reader->feed, data, len);
    reader->info.file_len = len;
    return start(out, reader, fault);
}

enum cid_error cid_car_reader_open_source(struct cid_car_reader **out,
                                          const struct cid_source *source,
                                          const struct cid_car_options *options,
                                          struct cid_fault *fault,
                                          const struct cid_allocator *alloc)
{
    struct cid_car_reader *reader = new_reader(options, alloc);

    *out = NULL;
    if (!reader)
        return no_memory(fault);
    if (cid__feed_source(&reader->feed, source, reader->alloc) == CID_OK)
        return start(out, reader, fault);
    cid_car_reader_close(reader);
    return no_memory(fault);
}

void cid_car_reader_close(struct cid_car_reader *reader)
{
    struct cid_allocator copy;
    const struct cid_allocator *alloc = NULL;

    if (!reader)
        return;
    if (reader->alloc) {
        copy = reader->alloc_copy;
        alloc = &copy;
    }
    cid__feed_close(&reader->feed);
    if (reader->own_header)
        cid__release(alloc, reader->own_header, reader->header_len);
    if (reader->roots)
        cid__release(alloc, reader->roots, reader->info.root_count * sizeof *reader->roots);
    cid__release(alloc, reader, reader->queue ? sizeof(struct with_queue) : sizeof *reader);
}

/* ---- what the head says ------------------------------------------------------------------- */

const struct cid_car_info *cid_car_reader_info(const struct cid_car_reader *reader)
{
    return &reader->info;
}

enum cid_error cid_car_reader_root(struct cid_view *out, const struct cid_car_reader *reader,
                                   size_t i)
{
    if (i >= reader->info.root_count)
        return CID_E_NOT_FOUND;
    *out = cid__car_header_root(reader->header, reader->header_len, reader->roots[i]);
    return CID_OK;
}

const uint8_t *cid_car_reader_header(const struct cid_car_reader *reader, size_t *len)
{
    *len = reader->header_len;
    return reader->header;
}

const struct cid_fault *cid_car_reader_fault(const struct cid_car_reader *reader)
{
    return &reader->fault;
}
