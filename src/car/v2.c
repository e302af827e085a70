#include "car/v2.h"

#include "base/endian.h"
#include "multiformats/varint.h"

/* Where the fields of the header stand in the file. */
enum {
    CHARACTERISTICS = CID__V2_PRAGMA_SIZE,
    DATA_OFFSET = CHARACTERISTICS + 16,
    DATA_SIZE = DATA_OFFSET + 8,
    INDEX_OFFSET = DATA_SIZE + 8
};

#define FULLY_INDEXED 0x80 /* in the first byte of the characteristics */

static const uint8_t pragma[CID__V2_PRAGMA_SIZE] = {0x0a, 0xa1, 0x67, 'v', 'e', 'r',
                                                    's',  'i',  'o',  'n', 0x02};

bool cid__v2_is_pragma(const uint8_t *header, size_t len)
{
    return len == sizeof pragma - 1 && memcmp(header, pragma + 1, len) == 0;
}

void cid__v2_put_head(uint8_t *out, bool fully_indexed, uint64_t data_offset, uint64_t data_size,
                      uint64_t index_offset)
{
    memset(out, 0, CID__V2_HEAD_SIZE);
    memcpy(out, pragma, sizeof pragma);
    out[CHARACTERISTICS] = fully_indexed ? FULLY_INDEXED : 0;
    cid__store64le(out + DATA_OFFSET, data_offset);
    cid__store64le(out + DATA_SIZE, data_size);
    cid__store64le(out + INDEX_OFFSET, index_offset);
}

static void read_fields(struct cid_car_info *info, const uint8_t *at)
{
    uint8_t others = at[0] & (uint8_t)~FULLY_INDEXED;

    memcpy(info->characteristics, at, 16);
    info->data_offset = cid__load64le(at + 16);
    info->data_size = cid__load64le(at + 24);
    info->index_offset = cid__load64le(at + 32);
    for (int i = 1; i < 16; i++)
        others |= at[i];
    if (others)
        info->notes |= CID_CAR_NOTE_V2_BITS;
    if ((at[0] & FULLY_INDEXED) && info->index_offset == 0)
        info->notes |= CID_CAR_NOTE_V2_NO_INDEX;
}

/* What the fields say of each other. No file has more than 2^63 - 1 bytes. */
static enum cid_error check_fields(const struct cid_car_info *info, struct cid_fault *fault)
{
    uint64_t end;

    if (info->data_offset < CID__V2_HEAD_SIZE || info->data_offset > INT64_MAX)
        return cid__car_fault(fault, CID_E_V2_DATA_OFFSET, CID_FIELD_DATA, DATA_OFFSET,
                              CID__V2_HEAD_SIZE, info->data_offset);
    if (info->data_size == 0 || info->data_size > INT64_MAX - info->data_offset)
        return cid__car_fault(fault, CID_E_V2_DATA_SIZE, CID_FIELD_DATA, DATA_SIZE, 1,
                              info->data_size);
    end = info->data_offset + info->data_size;
    if (info->index_offset != 0 && info->index_offset < end)
        return cid__car_fault(fault, CID_E_V2_INDEX_OFFSET, CID_FIELD_INDEX, INDEX_OFFSET, end,
                              info->index_offset);
    return CID_OK;
}

static enum cid_error go_to_payload(const struct cid_car_info *info, struct cid__feed *feed,
                                    struct cid_fault *fault)
{
    enum cid_error error = cid__feed_skip_to(feed, info->data_offset);

    if (error == CID_END)
        return cid__car_fault(fault, CID_E_V2_DATA_OFFSET, CID_FIELD_DATA, DATA_OFFSET,
                              info->data_offset, cid__feed_offset(feed, feed->at));
    if (error)
        return cid__feed_fault(feed, error, fault);
    cid__feed_set_limit(feed, info->data_offset + info->data_size);
    return CID_OK;
}

enum cid_error cid__v2_open(struct cid_car_info *info, struct cid__feed *feed,
                            struct cid_fault *fault)
{
    enum cid_error error = cid__feed_bring(feed, CID__V2_HEADER_SIZE);
    uint64_t have = (uint64_t)(feed->stop - feed->at);

    if (error == CID_END)
        return cid__car_fault(fault, CID_E_TRUNCATED, CID_FIELD_HEADER, CHARACTERISTICS,
                              CID__V2_HEADER_SIZE, have);
    if (error)
        return cid__feed_fault(feed, error, fault);
    read_fields(info, feed->at);
    feed->at += CID__V2_HEADER_SIZE;
    error = check_fields(info, fault);
    return error ? error : go_to_payload(info, feed, fault);
}

static enum cid_error read_index_codec(struct cid_car_info *info, struct cid__feed *feed,
                                       struct cid_fault *fault)
{
    struct cid__span span;
    enum cid_error error = cid__feed_skip_to(feed, info->index_offset);

    if (!error)
        error = cid__feed_bring(feed, 1);
    if (error == CID_END)
        return cid__car_fault(fault, CID_E_V2_INDEX_OFFSET, CID_FIELD_INDEX, INDEX_OFFSET,
                              info->index_offset, cid__feed_offset(feed, feed->stop));
    if (!error)
        error = cid__feed_bring(feed, CID_VARINT_MAX_SIZE);
    if (error && error != CID_END)
        return cid__feed_fault(feed, error, fault);
    span = cid__feed_span(feed);
    error = cid__varint_take(&info->index_codec, &span);
    if (error)
        return cid__car_fault(fault, error, CID_FIELD_INDEX, info->index_offset, 0, 0);
    return CID_OK;
}

enum cid_error cid__v2_finish(struct cid_car_info *info, struct cid__feed *feed,
                              struct cid_fault *fault)
{
    uint64_t here = cid__feed_offset(feed, feed->at);
    enum cid_error error = CID_OK;

    if (here != feed->limit)
        return cid__car_fault(fault, CID_E_TRUNCATED, CID_FIELD_DATA, here, info->data_size,
                              here - info->data_offset);
    cid__feed_set_limit(feed, UINT64_MAX);
    if (info->index_offset != 0)
        error = read_index_codec(info, feed, fault);
    if (error)
        return error;
    error = cid__feed_skip_to(feed, UINT64_MAX);
    return error == CID_END ? CID_OK : cid__feed_fault(feed, error, fault);
}
