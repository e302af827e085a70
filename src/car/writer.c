#include "car/writer.h"

#include "base/arith.h"
#include "base/bytes.h"
#include "car/header.h"
#include "car/index.h"
#include "car/reader.h"
#include "car/v2.h"
#include "multiformats/varint.h"

#include <errno.h>

/* The buffer in front of a sink: enough to make a call for each block cheap, little enough to stay
 * in the cache. */
#define BUFFER ((size_t)64 << 10)

/* No file is longer. */
#define LENGTH_MOST ((uint64_t)INT64_MAX)

/* ---- putting bytes out -------------------------------------------------------------------- */

static inline size_t room(const struct cid_car_writer *writer)
{
    return (size_t)(writer->end - writer->at);
}

static inline uint64_t position(const struct cid_car_writer *writer)
{
    return writer->flushed + (uint64_t)(writer->at - writer->start);
}

static enum cid_error flush(struct cid_car_writer *writer)
{
    size_t n = (size_t)(writer->at - writer->start);
    enum cid_error error = CID_OK;

    if (!writer->has_sink || n == 0)
        return CID_OK;
    error = writer->sink.write(writer->sink.ctx, writer->start, n);
    if (error)
        return error;
    writer->flushed += n;
    writer->at = writer->start;
    return CID_OK;
}

static enum cid_error put(struct cid_car_writer *writer, const void *data, size_t len)
{
    enum cid_error error;

    if (len > room(writer)) {
        if (!writer->has_sink)
            return CID_E_NOSPACE;
        error = flush(writer);
        if (error)
            return error;
    }
    if (len > room(writer)) {
        error = writer->sink.write(writer->sink.ctx, data, len);
        if (!error)
            writer->flushed += len;
        return error;
    }
    writer->at = cid__put(writer->at, data, len);
    return CID_OK;
}

static enum cid_error put_zeros(struct cid_car_writer *writer, uint64_t count)
{
    static const uint8_t zeros[4096];
    enum cid_error error = CID_OK;

    while (count != 0 && !error) {
        size_t n = count < sizeof zeros ? (size_t)count : sizeof zeros;
        error = put(writer, zeros, n);
        count -= n;
    }
    return error;
}

/* Overwrites what has been put out. */
static enum cid_error patch(struct cid_car_writer *writer, uint64_t offset, const void *data,
                            size_t len)
{
    enum cid_error error;

    if (offset >= writer->flushed) { /* it has not left yet */
        memcpy(writer->start + (offset - writer->flushed), data, len);
        return CID_OK;
    }
    error = flush(writer);
    return error ? error : writer->sink.patch(writer->sink.ctx, data, len, offset);
}

/* What is written over memory must not be what is still to be written. */
static inline void assert_apart(const struct cid_car_writer *writer, const void *in, size_t len)
{
    (void)writer, (void)in, (void)len;
    if (!writer->has_sink)
        cid__assert_apart(writer->at, room(writer), in, len);
}

/* There is nothing to be done any more, for that reason. */
static enum cid_error end(struct cid_car_writer *writer, enum cid_error error)
{
    if (error)
        writer->over = error;
    return error;
}

/* ---- options ------------------------------------------------------------------------------ */

/* Whether a header given as it is, is one of a CARv1. */
static enum cid_error check_header(const struct cid_car_writer_options *options)
{
    struct cid__car_header header;
    struct cid_fault unseen = {0};
    enum cid_error error =
        cid__car_header_read(&header, options->header, options->header_len, 0, &unseen);

    if (error)
        return error;
    if (header.version != 1)
        return CID_E_CAR_VERSION;
    return header.has_roots ? CID_OK : CID_E_HEADER_NO_ROOTS;
}

/* Whether the options agree with each other, and with what the output can do. */
static enum cid_error check(const struct cid_car_writer *writer,
                            const struct cid_car_writer_options *options)
{
    bool can_patch = !writer->has_sink || writer->sink.patch;
    bool for_v2 = options->data_padding || options->index_padding || options->data_size;
    int headers = (options->root_count != 0) + (options->header != NULL) + (options->reserve != 0);

    if (options->version > 2 || headers > 1 || (for_v2 && options->version != 2))
        return CID_E_ARGUMENT;
    if (options->data_padding > LENGTH_MOST / 4 || options->index_padding > LENGTH_MOST / 4 ||
        options->data_size > LENGTH_MOST / 4)
        return CID_E_TOO_LARGE;
    if (options->header_len > CID_CAR_HEADER_LIMIT || options->reserve > CID_CAR_HEADER_LIMIT)
        return CID_E_HEADER_LIMIT;
    if (!can_patch && (options->reserve || (options->version == 2 && !options->data_size)))
        return CID_E_SEEK;
    return options->header ? check_header(options) : CID_OK;
}

static void keep_options(struct cid_car_writer *writer,
                         const struct cid_car_writer_options *options)
{
    writer->version = options->version == 2 ? 2 : 1;
    writer->no_index = options->no_index || writer->version == 1;
    writer->identity = options->index.identity;
    writer->data_offset = writer->version == 2 ? CID__V2_HEAD_SIZE + options->data_padding : 0;
    writer->data_size = options->data_size;
    writer->index_padding = options->index_padding;
    writer->reserve = options->reserve;
    writer->section_limit = options->section_limit ? options->section_limit : CID_CAR_SECTION_LIMIT;
    writer->hash = options->hash;
}

/* Opens what is needed to leave blocks out and to make an index. */
static enum cid_error open_parts(struct cid_car_writer *writer,
                                 const struct cid_car_writer_options *options)
{
    enum cid_error error = CID_OK;

    if (options->dedupe)
        error = cid_set_open(&writer->set, writer->alloc);
    if (!error && !writer->no_index)
        error = cid_car_indexer_open(&writer->indexer, &options->index, writer->alloc);
    return error;
}

/* ---- the head ----------------------------------------------------------------------------- */

/* The head of a CARv2 that says where everything is; with_index: also an index. */
static void make_head(const struct cid_car_writer *writer, uint8_t *head, uint64_t data_size,
                      bool with_index)
{
    uint64_t end = writer->data_offset + data_size;

    cid__v2_put_head(head, with_index && writer->identity, writer->data_offset, data_size,
                     with_index ? end + writer->index_padding : 0);
}

/* Until the sizes are known there are zeros in the head, with which it is no archive. */
static enum cid_error put_v2_head(struct cid_car_writer *writer)
{
    uint8_t head[CID__V2_HEAD_SIZE];
    enum cid_error error;

    make_head(writer, head, writer->data_size, !writer->no_index);
    if (writer->data_size == 0)
        memset(head + CID__V2_PRAGMA_SIZE, 0, CID__V2_HEADER_SIZE);
    error = put(writer, head, sizeof head);
    return error ? error : put_zeros(writer, writer->data_offset - sizeof head);
}

/* Makes the header on the heap; cid__release(writer->alloc, *out, *len). */
static enum cid_error make_header(const struct cid_car_writer *writer, uint8_t **out, size_t *len,
                                  const struct cid_view *roots, size_t root_count)
{
    uint64_t size = 0;
    enum cid_error error = cid_car_header_size(&size, roots, root_count);

    if (error)
        return error;
    if (size > CID_CAR_HEADER_LIMIT)
        return CID_E_HEADER_LIMIT;
    *len = (size_t)size;
    *out = cid__alloc(writer->alloc, *len);
    if (!*out)
        return CID_E_NOMEM;
    return cid_car_header_write(*out, *len, NULL, roots, root_count);
}

static enum cid_error put_header(struct cid_car_writer *writer,
                                 const struct cid_car_writer_options *options)
{
    uint8_t prefix[CID_VARINT_MAX_SIZE];
    uint8_t *header = NULL;
    size_t len = 0;
    enum cid_error error;

    if (options->reserve)
        return put_zeros(writer, options->reserve);
    if (options->header) {
        size_t n = (size_t)(cid__varint_put(prefix, options->header_len) - prefix);
        error = put(writer, prefix, n);
        return error ? error : put(writer, options->header, options->header_len);
    }
    error = make_header(writer, &header, &len, options->roots, options->root_count);
    if (!error)
        error = put(writer, header, len);
    if (header)
        cid__release(writer->alloc, header, len);
    return error;
}

/* ---- opening and closing ------------------------------------------------------------------ */

static struct cid_car_writer *new_writer(const struct cid_allocator *alloc)
{
    struct cid_car_writer *writer = cid__alloc(alloc, sizeof *writer);

    if (!writer)
        return NULL;
    memset(writer, 0, sizeof *writer);
    if (alloc) {
        writer->alloc_copy = *alloc;
        writer->alloc = &writer->alloc_copy;
    }
    return writer;
}

/* Puts the head out; on failure the writer is closed and *out NULL. */
static enum cid_error start(struct cid_car_writer **out, struct cid_car_writer *writer,
                            const struct cid_car_writer_options *options)
{
    static const struct cid_car_writer_options defaults;
    enum cid_error error;

    if (!options)
        options = &defaults;
    error = check(writer, options);
    if (!error) {
        assert_apart(writer, options->header, options->header_len);
        for (size_t i = 0; i < options->root_count; i++)
            assert_apart(writer, options->roots[i].bytes, options->roots[i].len);
        keep_options(writer, options);
        error = open_parts(writer, options);
    }
    if (!error && writer->version == 2)
        error = put_v2_head(writer);
    if (!error)
        error = put_header(writer, options);
    if (!error)
        *out = writer;
    else
        cid_car_writer_close(writer);
    return error;
}

enum cid_error cid_car_writer_open(struct cid_car_writer **out, void *buf, size_t cap,
                                   const struct cid_car_writer_options *options,
                                   const struct cid_allocator *alloc)
{
    struct cid_car_writer *writer = new_writer(alloc);

    *out = NULL;
    if (!writer)
        return CID_E_NOMEM;
    writer->start = writer->at = writer->end = buf;
    if (cap != 0)
        writer->end += cap;
    return start(out, writer, options);
}

static enum cid_error start_sink(struct cid_car_writer **out, struct cid_car_writer *writer,
                                 const struct cid_sink *sink,
                                 const struct cid_car_writer_options *options)
{
    writer->start = cid__alloc(writer->alloc, BUFFER);
    writer->has_sink = true;
    writer->sink = *sink;
    if (!writer->start) {
        cid_car_writer_close(writer);
        return CID_E_NOMEM;
    }
    writer->at = writer->start;
    writer->end = writer->start + BUFFER;
    return start(out, writer, options);
}

enum cid_error cid_car_writer_open_sink(struct cid_car_writer **out, const struct cid_sink *sink,
                                        const struct cid_car_writer_options *options,
                                        const struct cid_allocator *alloc)
{
    struct cid_car_writer *writer = new_writer(alloc);

    *out = NULL;
    return writer ? start_sink(out, writer, sink, options) : CID_E_NOMEM;
}

enum cid_error cid_car_writer_open_path(struct cid_car_writer **out, const char *path,
                                        const struct cid_car_writer_options *options,
                                        const struct cid_allocator *alloc)
{
    struct cid_car_writer *writer = new_writer(alloc);
    struct cid_sink sink;
    enum cid_error error;

    *out = NULL;
    if (!writer)
        return CID_E_NOMEM;
    error = cid_output_open(&writer->output, path, alloc);
    if (error) {
        cid_car_writer_close(writer);
        return error;
    }
    sink = cid_output_sink(writer->output);
    return start_sink(out, writer, &sink, options);
}

void cid_car_writer_close(struct cid_car_writer *writer)
{
    int status = errno;
    struct cid_allocator copy;
    const struct cid_allocator *alloc = NULL;

    if (!writer)
        return;
    if (writer->alloc) {
        copy = writer->alloc_copy;
        alloc = &copy;
    }
    cid_output_close(writer->output);
    cid_set_close(writer->set);
    cid_car_indexer_close(writer->indexer);
    if (writer->has_sink && writer->start)
        cid__release(alloc, writer->start, BUFFER);
    cid__release(alloc, writer, sizeof *writer);
    errno = status;
}

/* ---- blocks ------------------------------------------------------------------------------- */

/* Whether a block is to be left out, and else what must be remembered of it. */
static enum cid_error note(struct cid_car_writer *writer, const struct cid_view *view,
                           uint64_t offset, bool *leave_out)
{
    bool added = true;
    enum cid_error error = CID_OK;

    if (writer->set)
        error = cid_set_add(writer->set, &added, view);
    *leave_out = !added;
    if (!error && added && writer->indexer)
        error = cid_car_indexer_add(writer->indexer, view, offset);
    return error;
}

/* A section for which there is no room at hand. */
static enum cid_error put_in_parts(struct cid_car_writer *writer, const struct cid_view *view,
                                   const void *data, size_t data_len)
{
    uint8_t prefix[CID_VARINT_MAX_SIZE];
    size_t n = (size_t)(cid__varint_put(prefix, (uint64_t)view->len + data_len) - prefix);
    enum cid_error error = put(writer, prefix, n);

    if (!error)
        error = put(writer, view->bytes, view->len);
    if (!error && data_len != 0)
        error = put(writer, data, data_len);
    return error;
}

/* Writes a section at once, for which there is room. */
static inline void put_whole(struct cid_car_writer *writer, const struct cid_view *view,
                             const void *data, size_t data_len)
{
    uint8_t *at = cid__varint_put(writer->at, (uint64_t)view->len + data_len);

    if (view->len == 36) { /* a constant size needs no call */
        memcpy(at, view->bytes, 36);
        at += 36;
    } else {
        at = cid__put(at, view->bytes, view->len);
    }
    writer->at = cid__put(at, data, data_len);
}

enum cid_error cid_car_writer_put(struct cid_car_writer *writer, uint64_t *offset,
                                  const struct cid_view *view, const void *data, size_t data_len)
{
    uint64_t here = position(writer) - writer->data_offset;
    uint64_t len = (uint64_t)view->len + data_len;
    bool leave_out = false, fits;
    enum cid_error error;

    assert_apart(writer, view->bytes, view->len);
    assert_apart(writer, data, data_len);
    if (writer->over)
        return writer->over;
    if (view->len == 0 || writer->finished)
        return CID_E_ARGUMENT;
    if (len > writer->section_limit || len < data_len)
        return CID_E_SECTION_LIMIT;
    fits = len + CID_VARINT_MAX_SIZE <= room(writer);
    if (!fits && !writer->has_sink && cid__varint_size(len) + len > room(writer) &&
        !(writer->set && cid_set_has(writer->set, view)))
        return CID_E_NOSPACE;
    if (writer->set || writer->indexer) {
        error = note(writer, view, here, &leave_out);
        if (error)
            return end(writer, error);
    }
    if (offset)
        *offset = leave_out ? UINT64_MAX : here;
    if (leave_out)
        return CID_OK;
    if (!fits)
        return end(writer, put_in_parts(writer, view, data, data_len));
    put_whole(writer, view, data, data_len);
    return CID_OK;
}

enum cid_error cid_car_writer_add(struct cid_car_writer *writer, struct cid *out, uint64_t *offset,
                                  const struct cid_prefix *prefix, const void *data,
                                  size_t data_len)
{
    struct cid cid;
    struct cid_view view;
    enum cid_error error =
        cid_prefix_sum(&cid, prefix, data, data_len, writer->hash, writer->alloc);

    if (out)
        cid__assert_apart(out, sizeof *out, data, data_len);
    if (out)
        memset(out, 0, sizeof *out);
    if (error)
        return error;
    view = cid_as_view(&cid);
    error = cid_car_writer_put(writer, offset, &view, data, data_len);
    if (out && !error)
        *out = cid;
    else
        cid_free(&cid, writer->alloc);
    return error;
}

enum cid_error cid_car_writer_copy(struct cid_car_writer *writer, struct cid_car_reader *reader)
{
    struct cid_car_block block;
    enum cid_error error;

    if (reader->options.skip_data)
        return CID_E_ARGUMENT;
    while ((error = cid_car_reader_next(reader, &block)) == CID_OK) {
        error = cid_car_writer_put(writer, NULL, &block.cid, block.data, block.data_len);
        if (error)
            return error;
    }
    return error == CID_END ? CID_OK : error;
}

/* ---- the end ------------------------------------------------------------------------------ */

enum cid_error cid_car_writer_set_roots(struct cid_car_writer *writer, const struct cid_view *roots,
                                        size_t root_count)
{
    uint8_t *header = NULL;
    size_t len = 0;
    enum cid_error error;

    if (writer->over)
        return writer->over;
    if (writer->finished || writer->reserve == 0)
        return CID_E_ARGUMENT;
    error = make_header(writer, &header, &len, roots, root_count);
    if (!error && len != writer->reserve)
        error = CID_E_ROOTS_ROOM;
    if (!error) {
        error = end(writer, patch(writer, writer->data_offset, header, len));
        writer->roots_set = true;
    }
    if (header)
        cid__release(writer->alloc, header, len);
    return error;
}

/* Puts the index out, unless there is nothing in it and nobody waits for it. *with_index: it did.
 */
static enum cid_error put_index(struct cid_car_writer *writer, bool *with_index)
{
    struct cid_car_index *index = NULL;
    enum cid_error error = cid_car_indexer_finish(&index, writer->indexer);

    if (error)
        return error;
    *with_index = index->count != 0 || writer->data_size != 0;
    if (*with_index) {
        writer->needed = position(writer) + writer->index_padding + index->place.len;
        error = put_zeros(writer, writer->index_padding);
        if (!error)
            error = put(writer, index->place.memory, (size_t)index->place.len);
    }
    cid_car_index_close(index);
    return error;
}

/* What comes behind the payload of a CARv2, and in front of it. */
static enum cid_error finish_v2(struct cid_car_writer *writer)
{
    uint8_t head[CID__V2_HEAD_SIZE];
    uint64_t data_size = position(writer) - writer->data_offset;
    bool with_index = false;
    enum cid_error error = CID_OK;

    if (writer->data_size != 0 && writer->data_size != data_size)
        return CID_E_DATA_SIZE;
    if (!writer->no_index)
        error = put_index(writer, &with_index);
    if (error || writer->data_size != 0)
        return error;
    make_head(writer, head, data_size, with_index);
    return patch(writer, 0, head, sizeof head);
}

enum cid_error cid_car_writer_finish(struct cid_car_writer *writer, uint64_t *len)
{
    enum cid_error error = CID_OK;

    if (writer->over)
        return writer->over;
    if (writer->finished)
        return CID_E_ARGUMENT;
    if (writer->reserve != 0 && !writer->roots_set)
        return CID_E_ROOTS_ROOM;
    if (writer->version == 2)
        error = finish_v2(writer);
    if (!error)
        error = flush(writer);
    if (!error && writer->output)
        error = cid_output_commit(writer->output);
    if (len && (error == CID_OK || error == CID_E_NOSPACE))
        *len = error ? writer->needed : position(writer);
    writer->finished = !error;
    return end(writer, error);
}
