#include "car/reader.h"

#include "base/prefetch.h"
#include "car/v2.h"
#include "cid/binary.h"
#include "cid/verify.h"

/* How far ahead of the cursor memory is asked for, in bytes. */
#define AHEAD 1024
/* The same for what is asked for during verification: some of the second cache. */
#define AHEAD_MOST ((size_t)256 << 10)

/* ---- the usual case ----------------------------------------------------------------------- */

/*
 * Asks for all memory up to a distance ahead. Where the next section starts is known only when this
 * one's length has been read, so without it every block waits for memory once.
 */
static inline void look_ahead(struct cid_car_reader *reader)
{
    uintptr_t at = (uintptr_t)reader->feed.at;
    uintptr_t line = reader->prefetched;
    uintptr_t to = at + AHEAD;

    if (line >= to)
        return;
    if (line < at) /* a large block has been passed, or it is not known */
        line = at;
    for (; line < to; line += CID__LINE)
        cid__prefetch((const void *)line);
    reader->prefetched = line;
}

/* Takes the next section if all is well with it; else the cursor stays where it is. */
static inline enum cid_error take_section(struct cid_car_reader *reader, struct cid_view *cid,
                                          struct cid_data *data)
{
    struct cid__feed *feed = &reader->feed;
    struct cid__span span = cid__feed_span(feed);
    struct cid__span section;
    uint64_t len = 0;
    enum cid_error error = cid__varint_take(&len, &span);

    if (error)
        return error;
    if (len > reader->section_limit)
        return CID_E_SECTION_LIMIT;
    if (!cid__span_has(&span, len))
        return CID_E_TRUNCATED;
    section = (struct cid__span){span.at, span.at + len};
    error = cid__take(cid, &section);
    if (error)
        return error;
    if (cid__over_identity_limit(cid, reader->options.identity_limit))
        return CID_E_IDENTITY_LIMIT;
    *data = (struct cid_data){section.at, cid__span_left(&section)};
    feed->at = section.end;
    return CID_OK;
}

/* Fills in all of a block but its CID and its verdict. */
static inline void hand_out(struct cid_car_reader *reader, struct cid_car_block *out,
                            const uint8_t *section, uint64_t offset, const struct cid_data *data)
{
    out->data = data->data;
    out->data_len = data->len;
    out->number = reader->number++;
    out->section_in_file = offset;
    out->section_in_payload = offset - reader->info.header_offset;
    out->section_len = (uint64_t)(out->data - section) + data->len;
    out->reserved[0] = out->reserved[1] = 0;
    reader->info.payload_len = out->section_in_payload + out->section_len;
}

/* ---- the other cases ---------------------------------------------------------------------- */

static enum cid_error fault(struct cid_car_reader *reader, enum cid_error error,
                            enum cid_field field, const uint8_t *at, uint64_t need, uint64_t have)
{
    return cid__car_fault(&reader->fault, error, field, cid__feed_offset(&reader->feed, at), need,
                          have);
}

/* Says where in a section's CID the fault lies that makes it unreadable. */
static enum cid_error cid_fault(struct cid_car_reader *reader, struct cid__span section)
{
    struct cid_fault *fault = &reader->fault;

    cid_diagnose_bytes(fault, section.at, cid__span_left(&section));
    fault->where = CID_WHERE_FILE;
    fault->offset += cid__feed_offset(&reader->feed, section.at);
    return fault->code;
}

/* A section whose CID needs more bytes than there are in it. */
static enum cid_error short_section(struct cid_car_reader *reader, struct cid__span section)
{
    struct cid_fault *fault = &reader->fault;

    (void)!cid_fault(reader, section); /* what could be read of the CID */
    (void)!cid_peek(&fault->need, section.at, cid__span_left(&section));
    fault->have = cid__span_left(&section);
    fault->field = CID_FIELD_SECTION;
    fault->offset = cid__feed_offset(&reader->feed, reader->feed.at);
    return fault->code = CID_E_SECTION_SHORT;
}

/* The payload has been read to its end. */
static enum cid_error finish(struct cid_car_reader *reader)
{
    struct cid__feed *feed = &reader->feed;
    enum cid_error error = CID_OK;

    reader->info.payload_len = cid__feed_offset(feed, feed->at) - reader->info.header_offset;
    if (reader->info.version == 2)
        error = cid__v2_finish(&reader->info, feed, &reader->fault);
    return error ? error : CID_END;
}

/* Everything up to the end of the payload must be zero. */
static enum cid_error read_padding(struct cid_car_reader *reader)
{
    struct cid__feed *feed = &reader->feed;
    enum cid_error error = CID_OK;

    do {
        for (; feed->at < feed->stop; feed->at++, reader->info.padding_len++)
            if (*feed->at != 0)
                return fault(reader, CID_E_PADDING, CID_FIELD_SECTION, feed->at, 0, *feed->at);
        error = cid__feed_more(feed);
    } while (!error);
    return error == CID_END ? finish(reader) : cid__feed_fault(feed, error, &reader->fault);
}

/*
 * A section is not all here. Gets bytes until there are enough, counted from its start; if there
 * are none, it is cut. Its length prefix, once known, is no part of what the fault tells.
 */
static enum cid_error wait_for(struct cid_car_reader *reader, uint64_t enough, uint64_t prefix)
{
    struct cid__feed *feed = &reader->feed;
    enum cid_error error = cid__feed_bring(feed, enough);
    uint64_t have = (uint64_t)(feed->stop - feed->at);

    if (error == CID_END)
        return fault(reader, CID_E_TRUNCATED, CID_FIELD_SECTION, feed->at, enough - prefix,
                     have - prefix);
    return error ? cid__feed_fault(feed, error, &reader->fault) : CID_OK;
}

/* A section whose length is known and not zero. */
static enum cid_error resolve_section(struct cid_car_reader *reader, struct cid__span body,
                                      uint64_t len)
{
    const uint8_t *start = reader->feed.at;
    uint64_t prefix = (uint64_t)(body.at - start);
    struct cid__span rest;
    struct cid_view view;
    enum cid_error error;

    if (len > reader->section_limit)
        return fault(reader, CID_E_SECTION_LIMIT, CID_FIELD_SECTION, start, reader->section_limit,
                     len);
    if (!cid__span_has(&body, len))
        return wait_for(reader, prefix + len, prefix);
    body.end = body.at + len;
    rest = body;
    error = cid__take(&view, &rest);
    if (error == CID_E_TRUNCATED)
        return short_section(reader, body);
    if (error)
        return cid_fault(reader, body);
    if (cid__over_identity_limit(&view, reader->options.identity_limit))
        return fault(reader, CID_E_IDENTITY_LIMIT, CID_FIELD_DIGEST, view.hash.digest,
                     reader->options.identity_limit, view.hash.digest_len);
    return CID_OK;
}

enum cid_error cid__reader_resolve(struct cid_car_reader *reader)
{
    struct cid__feed *feed = &reader->feed;
    struct cid__span span = cid__feed_span(feed);
    uint64_t have = cid__span_left(&span);
    uint64_t len = 0;
    enum cid_error error;

    reader->prefetched = 0; /* the buffer may move */
    if (have == 0) {
        error = cid__feed_more(feed);
        if (error == CID_END)
            return finish(reader);
        return error ? cid__feed_fault(feed, error, &reader->fault) : CID_OK;
    }
    error = cid__varint_take(&len, &span);
    if (error == CID_E_TRUNCATED)
        return wait_for(reader, have + 1, 0);
    if (error)
        return fault(reader, error, CID_FIELD_SECTION, feed->at, 0, 0);
    if (len != 0)
        return resolve_section(reader, span, len);
    if (reader->options.allow_padding)
        return read_padding(reader);
    return fault(reader, CID_E_SECTION_EMPTY, CID_FIELD_SECTION, feed->at, 1, 0);
}

/* ---- blocks ------------------------------------------------------------------------------- */

enum cid_error cid__reader_end(struct cid_car_reader *reader, enum cid_error error)
{
    const struct cid__feed *feed = &reader->feed;

    reader->over = error;
    if (feed->ended)
        reader->info.file_len = cid__feed_offset(feed, feed->end);
    return error;
}

static enum cid_error next_unchecked(struct cid_car_reader *reader, struct cid_car_block *out)
{
    struct cid_data data;
    const uint8_t *section;

    look_ahead(reader);
    while (section = reader->feed.at, take_section(reader, &out->cid, &data) != CID_OK) {
        bool taken = false;
        enum cid_error error =
            reader->options.skip_data ? cid__reader_hop(reader, out, &taken) : CID_OK;
        if (taken)
            return CID_OK;
        if (!error)
            error = cid__reader_resolve(reader);
        if (error)
            return cid__reader_end(reader, error);
    }
    hand_out(reader, out, section, cid__feed_offset(&reader->feed, section), &data);
    out->verdict = CID_UNCHECKED;
    if (reader->options.skip_data)
        out->data = NULL;
    return CID_OK;
}

bool cid__reader_take(struct cid_car_reader *reader, struct cid__queue *queue)
{
    const struct cid__feed *feed = &reader->feed;
    size_t n = 0;
    bool fine = true;

    queue->start = feed->at;
    queue->offset = cid__feed_offset(feed, feed->at);
    while (fine && n < queue->room && (size_t)(feed->at - queue->start) < CID__QUEUE_BYTES) {
        look_ahead(reader);
        queue->section[n] = feed->at;
        fine = take_section(reader, &queue->cid[n], &queue->data[n]) == CID_OK;
        n += fine;
    }
    queue->next = 0;
    queue->count = n;
    queue->len = (size_t)(feed->at - queue->start);
    return fine;
}

uintptr_t cid__queue_verify(struct cid__queue *queue, const struct cid_hash_options *hash,
                            struct cid_data behind)
{
    struct cid__ahead ahead = {(uintptr_t)behind.data, (uintptr_t)behind.data};

    if (behind.len <= AHEAD_MOST)
        ahead.end += behind.len;
    cid__verify_many_ahead(queue->verdict, queue->cid, queue->data, queue->count, hash, &ahead);
    return ahead.at;
}

/* Verifies the queue, and fetches as much of what comes behind it as it has itself. */
static void verify_queue(struct cid_car_reader *reader)
{
    struct cid__queue *queue = reader->queue;
    const struct cid__feed *feed = &reader->feed;
    size_t left = (size_t)(feed->stop - feed->at);
    struct cid_data behind = {feed->at, queue->len < left ? queue->len : left};

    reader->prefetched = cid__queue_verify(queue, reader->options.hash, behind);
}

/* Makes the window suit the blocks since the last time: kernels want some 16 large ones at once. */
static void aim(struct cid_car_reader *reader)
{
    uint64_t blocks = reader->number - reader->aimed_number;
    uint64_t offset = cid__feed_offset(&reader->feed, reader->feed.at);

    if (blocks == 0)
        return;
    cid__feed_aim(&reader->feed,
                  (offset - reader->aimed_offset) / blocks * (2 * CID__WINDOW_BLOCKS + 1) / 2);
    reader->aimed_number = reader->number;
    reader->aimed_offset = offset;
}

/*
 * Gets the next blocks and verifies them all at once. What is wrong with the section behind them
 * comes to light only when they have been handed out, and nothing more is read before that: a
 * reader on a pipe does not wait while it has blocks, and the buffer does not move.
 */
static enum cid_error fill_queue(struct cid_car_reader *reader)
{
    struct cid__queue *queue = reader->queue;

    while (cid__reader_take(reader, queue), queue->count == 0) {
        enum cid_error error;
        aim(reader);
        error = cid__reader_resolve(reader);
        if (error)
            return cid__reader_end(reader, error);
    }
    verify_queue(reader);
    queue->room = queue->room < CID__QUEUE_MAX / 2 ? 2 * queue->room : CID__QUEUE_MAX;
    return CID_OK;
}

/* What the verdict of a block means to the caller. */
static enum cid_error judge(struct cid_car_reader *reader, const struct cid_car_block *block)
{
    bool mismatch = block->verdict == CID_MISMATCH;

    if (block->verdict == CID_GOOD || (!mismatch && reader->options.pass_unverifiable))
        return CID_OK;
    return cid__car_fault(&reader->fault, mismatch ? CID_E_MISMATCH : CID_E_UNVERIFIABLE,
                          mismatch ? CID_FIELD_DATA : CID_FIELD_HASH, block->section_in_file, 0, 0);
}

static inline enum cid_error pop(struct cid_car_reader *reader, struct cid__queue *queue,
                                 struct cid_car_block *out)
{
    size_t i = queue->next++;
    const uint8_t *section = queue->section[i];

    out->cid = queue->cid[i];
    hand_out(reader, out, section, queue->offset + (uint64_t)(section - queue->start),
             &queue->data[i]);
    out->verdict = queue->verdict[i];
    return judge(reader, out);
}

enum cid_error cid__reader_pop(struct cid_car_reader *reader, struct cid__queue *queue,
                               struct cid_car_block *out)
{
    return pop(reader, queue, out);
}

enum cid_error cid_car_reader_next(struct cid_car_reader *reader, struct cid_car_block *out)
{
    struct cid__queue *queue = reader->queue;
    enum cid_error error = reader->over;

    if (error)
        return error;
    if (!queue)
        return next_unchecked(reader, out);
    if (queue->next == queue->count) {
        error = fill_queue(reader);
        if (error)
            return error;
    }
    return pop(reader, queue, out);
}
