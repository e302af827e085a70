/*
 * source.h - the bytes an archive is read from: memory, or a source through one buffer that is
 * reused. What reads blocks sees no difference but in cid__feed_more.
 *
 * Of the buffer only a window is filled. It grows when it is full, so that it is never larger than
 * twice what arrived and was not used up; and it is made larger or smaller, within CID__FEED_BUFFER
 * and CID__FEED_MOST, by the size of the blocks that have been seen, never by what a length says.
 */
#ifndef CID_CAR_SOURCE_H
#define CID_CAR_SOURCE_H

#include "base/span.h"
#include "car/fault.h"

#include <cid/car.h>

/* The first size of the window: read(2) is quickest around here, and it stays in the L2 cache. */
#define CID__FEED_BUFFER ((size_t)512 << 10)
/* The largest window that cid__feed_aim makes. */
#define CID__FEED_MOST ((size_t)16 << 20)
/*
 * From so many bytes on that are not wanted, going forward in the source is quicker than reading
 * them: it costs some calls of the system, which take as long as reading 64 KiB where they are
 * slow.
 */
#define CID__HOP_LEAST ((size_t)64 << 10)
/* What is read where it has gone to: the next few bytes are wanted, and maybe no more. */
#define CID__HOP_SIP ((size_t)4 << 10)
/* How often a source that gives nothing is asked again. */
#define CID__FEED_RETRIES 100

struct cid__feed {
    const uint8_t *at;      /* the next byte */
    const uint8_t *stop;    /* the end of the bytes at hand, or the limit if that comes first */
    const uint8_t *end;     /* the end of the bytes at hand */
    const uint8_t *origin;  /* some place among or at the end of these bytes ... */
    uint64_t origin_offset; /* ... and its offset in the file */
    uint64_t limit;         /* the offset behind which nothing is given; UINT64_MAX for none */
    bool ended;             /* the input has no more than what is at hand */
    struct cid_source source;
    uint8_t *buffer; /* NULL over memory */
    size_t buffer_size;
    size_t window; /* how much of the buffer is filled at most */
    const struct cid_allocator *alloc;
};

/* Over memory, which must outlive the feed. */
void cid__feed_memory(struct cid__feed *feed, const void *data, size_t len);

/* Over a source; the allocator must outlive the feed. CID_E_NOMEM. */
enum cid_error cid__feed_source(struct cid__feed *feed, const struct cid_source *source,
                                const struct cid_allocator *alloc);

void cid__feed_close(struct cid__feed *feed);

/* The offset in the file of a place among the bytes at hand. */
static inline uint64_t cid__feed_offset(const struct cid__feed *feed, const uint8_t *place)
{
    return feed->origin_offset + (uint64_t)(place - feed->origin);
}

/* The bytes that may be used now. */
static inline struct cid__span cid__feed_span(const struct cid__feed *feed)
{
    return (struct cid__span){feed->at, feed->stop};
}

/* Gives nothing from that offset on, which is not before the next byte. UINT64_MAX: no limit. */
void cid__feed_set_limit(struct cid__feed *feed, uint64_t limit);

/* Sets the window, rounded to what is allowed. It takes effect with the next bytes. */
void cid__feed_aim(struct cid__feed *feed, uint64_t window);

/* A buffer that a feed can use in place of its own. */
struct cid__window {
    uint8_t *bytes; /* NULL: none yet */
    size_t size;
};

/*
 * Goes on in another buffer, made larger if need be, and leaves the one used so far in its place:
 * what others still see in there stays as it is. CID_E_NOMEM: it goes on in its own.
 */
enum cid_error cid__feed_switch(struct cid__feed *feed, struct cid__window *other);

/*
 * Gets at least one byte more. Places among the bytes at hand are void afterwards, feed->at aside.
 * CID_END: there are none, or none before the limit. CID_E_NOMEM, CID_E_IO, or what the source
 * says.
 */
enum cid_error cid__feed_more(struct cid__feed *feed);

/* Gets bytes until n of them are at hand. As cid__feed_more; CID_END: fewer are there. */
enum cid_error cid__feed_bring(struct cid__feed *feed, uint64_t n);

/*
 * Goes forward to an offset in the file, without reading what lies before it where the source can
 * do so and it pays; but the byte before it has been read, so that it is there. Places as
 * cid__feed_more. CID_END: input or limit come first; it stands there.
 */
enum cid_error cid__feed_skip_to(struct cid__feed *feed, uint64_t offset);

/* Fills the fault for a failure of the input itself, and returns the error. */
enum cid_error cid__feed_fault(const struct cid__feed *feed, enum cid_error error,
                               struct cid_fault *fault);

#endif
