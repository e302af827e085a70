#include "car/reader.h"

#include "cid/binary.h"
#include "multiformats/varint.h"

/* More than this, and after a sip of a section there is still a hop to make. */
#define FAR_LEAST (CID__HOP_LEAST + CID__HOP_SIP)

/* A section of more than FAR_LEAST bytes that is not all at hand. */
struct far {
    uint64_t offset; /* in the file */
    uint64_t prefix; /* the size of its length prefix */
    uint64_t len;    /* of what is behind that */
};

/* Whether the section at hand is one to go over, and was found to be all right as far as seen. */
static bool is_far(const struct cid_car_reader *reader, struct far *far)
{
    const struct cid__feed *feed = &reader->feed;
    struct cid__span span = cid__feed_span(feed);

    if (!feed->source.skip || feed->ended || cid__varint_take(&far->len, &span))
        return false;
    far->offset = cid__feed_offset(feed, feed->at);
    far->prefix = (uint64_t)(span.at - feed->at);
    return far->len <= reader->section_limit && far->len <= SIZE_MAX &&
           far->len > cid__span_left(&span) && far->len > FAR_LEAST;
}

/* Copies the section's CID, since the buffer is used for what comes behind the section. */
static bool keep_cid(struct cid_car_reader *reader, struct cid_view *out, const struct far *far)
{
    struct cid__span span = cid__feed_span(&reader->feed);
    size_t left;

    span.at += far->prefix;
    left = cid__span_left(&span);
    left = left < CID__HOP_CID ? left : CID__HOP_CID;
    memcpy(reader->hop_cid, span.at, left);
    span = cid__span_of(reader->hop_cid, left);
    return cid__take(out, &span) == CID_OK &&
           !cid__over_identity_limit(out, reader->options.identity_limit);
}

static void hand_out(struct cid_car_reader *reader, struct cid_car_block *out,
                     const struct far *far)
{
    out->data = NULL;
    out->data_len = (size_t)(far->len - out->cid.len);
    out->number = reader->number++;
    out->section_in_file = far->offset;
    out->section_in_payload = far->offset - reader->info.header_offset;
    out->section_len = far->prefix + far->len;
    out->verdict = CID_UNCHECKED;
    out->reserved[0] = out->reserved[1] = 0;
    reader->info.payload_len = out->section_in_payload + out->section_len;
}

enum cid_error cid__reader_hop(struct cid_car_reader *reader, struct cid_car_block *out,
                               bool *taken)
{
    struct cid__feed *feed = &reader->feed;
    struct far far;
    struct cid_view cid;
    enum cid_error error;
    uint64_t body;

    if (!is_far(reader, &far))
        return CID_OK;
    reader->prefetched = 0; /* the buffer may move */
    error = cid__feed_bring(feed, far.prefix + CID__HOP_CID);
    if (error == CID_END)
        return CID_OK;
    if (error)
        return cid__feed_fault(feed, error, &reader->fault);
    if (!is_far(reader, &far) || !keep_cid(reader, &cid, &far))
        return CID_OK;
    body = far.offset + far.prefix;
    error = cid__feed_skip_to(feed, body + far.len);
    if (error == CID_END)
        return cid__car_fault(&reader->fault, CID_E_TRUNCATED, CID_FIELD_SECTION, far.offset,
                              far.len, cid__feed_offset(feed, feed->at) - body);
    if (error)
        return cid__feed_fault(feed, error, &reader->fault);
    out->cid = cid;
    hand_out(reader, out, &far);
    *taken = true;
    return CID_OK;
}
