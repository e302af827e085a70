#include "car/header.h"

#include "base/bytes.h"
#include "cid/binary.h"

/*
 * DAG-CBOR's one form: shorter keys first, the shortest heads, links under tag 42 as byte strings
 * with 00 in front.
 */
static const uint8_t before_roots[] = {0xa2, 0x65, 'r', 'o', 'o', 't', 's'};
static const uint8_t behind_roots[] = {0x67, 'v', 'e', 'r', 's', 'i', 'o', 'n', 0x01};

enum {
    BYTES = 2 << 5, /* the major types of CBOR, in place */
    ARRAY = 4 << 5
};

static size_t head_size(uint64_t n)
{
    if (n < 24)
        return 1;
    if (n <= UINT8_MAX)
        return 2;
    if (n <= UINT16_MAX)
        return 3;
    return n <= UINT32_MAX ? 5 : 9;
}

static uint8_t *put_head(uint8_t *at, unsigned major, uint64_t n)
{
    size_t size = head_size(n);
    static const uint8_t kinds[] = {0, 0, 24, 25, 0, 26, 0, 0, 0, 27};

    *at++ = (uint8_t)(major | (size == 1 ? (unsigned)n : kinds[size]));
    for (size_t i = size - 1; i-- != 0;)
        *at++ = (uint8_t)(n >> (8 * i));
    return at;
}

/* The size of the header without its length prefix. */
static enum cid_error measure(uint64_t *size, const struct cid_view *roots, size_t root_count)
{
    uint64_t total = sizeof before_roots + sizeof behind_roots + head_size(root_count);

    for (size_t i = 0; i < root_count; i++) {
        uint64_t len = (uint64_t)roots[i].len + 1;
        if (roots[i].len == 0)
            return CID_E_ARGUMENT;
        if (len > CID_VARINT_MAX / 2 - total)
            return CID_E_TOO_LARGE;
        total += 2 + head_size(len) + len;
    }
    *size = total;
    return CID_OK;
}

enum cid_error cid_car_header_size(uint64_t *size, const struct cid_view *roots, size_t root_count)
{
    uint64_t len = 0;
    enum cid_error error = measure(&len, roots, root_count);

    if (!error)
        *size = cid__varint_size(len) + len;
    return error;
}

enum cid_error cid_car_header_write(uint8_t *out, size_t cap, size_t *written,
                                    const struct cid_view *roots, size_t root_count)
{
    struct cid__build to = cid__build_buffer(out, cap, written);
    uint64_t len = 0;
    uint8_t *at = NULL;
    enum cid_error error = measure(&len, roots, root_count);

    for (size_t i = 0; i < root_count; i++)
        cid__build_assert_apart(&to, roots[i].bytes, roots[i].len);
    cid__build_assert_apart(&to, roots, root_count * sizeof *roots);
    if (!error && len > SIZE_MAX - CID_VARINT_MAX_SIZE)
        error = CID_E_TOO_LARGE;
    if (!error)
        error = cid__build_reserve(&to, cid__varint_size(len) + (size_t)len, &at);
    if (error)
        return error;
    at = cid__put(cid__varint_put(at, len), before_roots, sizeof before_roots);
    at = put_head(at, ARRAY, root_count);
    for (size_t i = 0; i < root_count; i++) {
        *at++ = 0xd8; /* tag 42 */
        *at++ = 42;
        at = put_head(at, BYTES, (uint64_t)roots[i].len + 1);
        *at++ = 0;
        at = cid__put(at, roots[i].bytes, roots[i].len);
    }
    cid__put(at, behind_roots, sizeof behind_roots);
    return cid__build_commit(&to);
}

enum cid_error cid_car_section_size(uint64_t *size, size_t cid_len, uint64_t data_len)
{
    uint64_t len;

    if (data_len > CID_VARINT_MAX || cid_len > CID_VARINT_MAX - data_len)
        return CID_E_TOO_LARGE;
    len = (uint64_t)cid_len + data_len;
    *size = cid__varint_size(len) + len;
    return CID_OK;
}
