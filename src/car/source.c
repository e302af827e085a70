#include "car/source.h"

#include "base/arith.h"
#include "base/bytes.h"

#include <string.h>

void cid__feed_memory(struct cid__feed *feed, const void *data, size_t len)
{
    struct cid__span all = cid__span_of(data, len);

    *feed = (struct cid__feed){
        .at = all.at,
        .stop = all.end,
        .end = all.end,
        .origin = all.at,
        .limit = UINT64_MAX,
        .ended = true,
    };
}

enum cid_error cid__feed_source(struct cid__feed *feed, const struct cid_source *source,
                                const struct cid_allocator *alloc)
{
    uint8_t *buffer = cid__alloc(alloc, CID__FEED_BUFFER);

    *feed = (struct cid__feed){
        .at = buffer,
        .stop = buffer,
        .end = buffer,
        .origin = buffer,
        .limit = UINT64_MAX,
        .source = *source,
        .buffer = buffer,
        .buffer_size = CID__FEED_BUFFER,
        .window = CID__FEED_BUFFER,
        .alloc = alloc,
    };
    return buffer ? CID_OK : CID_E_NOMEM;
}

void cid__feed_close(struct cid__feed *feed)
{
    if (feed->buffer)
        cid__release(feed->alloc, feed->buffer, feed->buffer_size);
    feed->buffer = NULL;
}

static void find_stop(struct cid__feed *feed)
{
    uint64_t to_limit = feed->limit - cid__feed_offset(feed, feed->at);

    feed->stop = to_limit < (uint64_t)(feed->end - feed->at) ? feed->at + to_limit : feed->end;
}

void cid__feed_set_limit(struct cid__feed *feed, uint64_t limit)
{
    feed->limit = limit;
    find_stop(feed);
}

/* Moves the bytes at hand to the start of a buffer, which may be the one they are in. */
static void move_to(struct cid__feed *feed, uint8_t *buffer)
{
    size_t left = (size_t)(feed->end - feed->at);

    feed->origin_offset = cid__feed_offset(feed, feed->at);
    if (left != 0)
        memmove(buffer, feed->at, left);
    feed->origin = feed->at = buffer;
    feed->end = buffer + left;
}

void cid__feed_aim(struct cid__feed *feed, uint64_t window)
{
    feed->window = window < CID__FEED_BUFFER ? CID__FEED_BUFFER
                   : window > CID__FEED_MOST ? CID__FEED_MOST
                                             : (size_t)window;
}

/* Makes the buffer as large as the window. */
static enum cid_error grow(struct cid__feed *feed)
{
    uint8_t *larger = cid__alloc(feed->alloc, feed->window);

    if (!larger)
        return CID_E_NOMEM;
    move_to(feed, larger);
    cid__release(feed->alloc, feed->buffer, feed->buffer_size);
    feed->buffer = larger;
    feed->buffer_size = feed->window;
    return CID_OK;
}

/* Makes the window larger than what is at hand. */
static enum cid_error widen(struct cid__feed *feed)
{
    while ((size_t)(feed->end - feed->at) >= feed->window)
        if (!cid__mul_size(&feed->window, feed->window, 2))
            return CID_E_NOMEM;
    return CID_OK;
}

enum cid_error cid__feed_switch(struct cid__feed *feed, struct cid__window *other)
{
    struct cid__window own = {feed->buffer, feed->buffer_size};
    enum cid_error error = widen(feed);

    if (error)
        return error;
    if (other->size < feed->window) {
        if (other->bytes)
            cid__release(feed->alloc, other->bytes, other->size);
        *other = (struct cid__window){cid__alloc(feed->alloc, feed->window), feed->window};
        if (!other->bytes) {
            other->size = 0;
            return CID_E_NOMEM;
        }
    }
    move_to(feed, other->bytes);
    find_stop(feed);
    feed->buffer = other->bytes;
    feed->buffer_size = other->size;
    *other = own;
    return CID_OK;
}

/* Makes room in the window, at the start of which comes to stand what is at hand. */
static enum cid_error make_room(struct cid__feed *feed)
{
    enum cid_error error;

    if (feed->at != feed->buffer)
        move_to(feed, feed->buffer);
    error = widen(feed);
    if (error)
        return error;
    return feed->window > feed->buffer_size ? grow(feed) : CID_OK;
}

/* Asks the source until it gives something, ends or fails. */
static enum cid_error ask(struct cid__feed *feed, uint8_t *buf, size_t cap, size_t *got)
{
    for (int i = 0; i <= CID__FEED_RETRIES; i++) {
        enum cid_error error;
        *got = 0;
        error = feed->source.read(feed->source.ctx, buf, cap, got);
        if (*got > cap)
            return CID_E_IO; /* it wrote who knows where */
        if (error || *got != 0)
            return error;
    }
    return CID_E_IO;
}

/* cid__feed_more, but asks for most bytes at most. */
static enum cid_error get_more(struct cid__feed *feed, size_t most)
{
    enum cid_error error;
    size_t used, room, got = 0;

    if (feed->ended || cid__feed_offset(feed, feed->stop) == feed->limit)
        return CID_END;
    error = make_room(feed);
    if (!error) {
        used = (size_t)(feed->end - feed->buffer);
        room = feed->window - used;
        error = ask(feed, feed->buffer + used, room < most ? room : most, &got);
    }
    if (error && error != CID_END) {
        find_stop(feed);
        return error;
    }
    feed->ended = error == CID_END;
    feed->end += got;
    find_stop(feed);
    return got != 0 ? CID_OK : CID_END;
}

enum cid_error cid__feed_more(struct cid__feed *feed)
{
    return get_more(feed, SIZE_MAX);
}

enum cid_error cid__feed_bring(struct cid__feed *feed, uint64_t n)
{
    enum cid_error error = CID_OK;

    while (!error && (uint64_t)(feed->stop - feed->at) < n)
        error = cid__feed_more(feed);
    return error;
}

/* Lets the source go forward by *ahead bytes but the last, or fewer; *ahead is what is left. */
static enum cid_error hop(struct cid__feed *feed, uint64_t *ahead)
{
    uint64_t to_limit = feed->limit - cid__feed_offset(feed, feed->at);
    uint64_t n = *ahead - 1 < to_limit ? *ahead - 1 : to_limit, skipped = 0;
    enum cid_error error;

    if (n < CID__HOP_LEAST || !feed->source.skip || feed->ended || feed->at != feed->end)
        return CID_OK;
    error = feed->source.skip(feed->source.ctx, n, &skipped);
    if (error)
        return error;
    if (skipped > n)
        return CID_E_IO; /* it is who knows where */
    if (skipped == 0)
        feed->source.skip = NULL;
    *ahead -= skipped;
    feed->origin_offset = cid__feed_offset(feed, feed->at) + skipped;
    feed->origin = feed->at;
    find_stop(feed);
    return CID_OK;
}

enum cid_error cid__feed_skip_to(struct cid__feed *feed, uint64_t offset)
{
    for (;;) {
        uint64_t ahead = offset - cid__feed_offset(feed, feed->at);
        uint64_t at_hand = (uint64_t)(feed->stop - feed->at);
        bool near;
        enum cid_error error;
        if (ahead <= at_hand) {
            feed->at += ahead;
            return CID_OK;
        }
        ahead -= at_hand;
        feed->at = feed->stop;
        error = hop(feed, &ahead);
        near = feed->source.skip && ahead <= CID__HOP_LEAST;
        if (!error)
            error = get_more(feed, near ? (size_t)ahead + CID__HOP_SIP : SIZE_MAX);
        if (error)
            return error;
    }
}

enum cid_error cid__feed_fault(const struct cid__feed *feed, enum cid_error error,
                               struct cid_fault *fault)
{
    return cid__car_fault(fault, error, CID_FIELD_NONE, cid__feed_offset(feed, feed->end), 0, 0);
}
