#include "multiformats/varint.h"

#include "base/bytes.h"

enum cid_error cid__varint_take_long(uint64_t *value, struct cid__span *in)
{
    const uint8_t *p = in->at;
    size_t left = cid__span_left(in);
    size_t max = left < CID_VARINT_MAX_SIZE ? left : CID_VARINT_MAX_SIZE;
    uint64_t v = 0;

    for (size_t i = 0; i < max; i++) {
        v |= (uint64_t)(p[i] & 0x7f) << (7 * i);
        if (p[i] < 0x80) {
            if (p[i] == 0 && i > 0)
                return CID_E_VARINT_NOT_MINIMAL;
            *value = v;
            in->at = p + i + 1;
            return CID_OK;
        }
    }
    return max == CID_VARINT_MAX_SIZE ? CID_E_VARINT_OVERFLOW : CID_E_TRUNCATED;
}

size_t cid_varint_size(uint64_t value)
{
    return cid__varint_fits(value) ? cid__varint_size(value) : 0;
}

enum cid_error cid_varint_read(uint64_t *value, size_t *used, const uint8_t *in, size_t in_len)
{
    struct cid__span span = cid__span_of(in, in_len);
    enum cid_error error = cid__varint_take(value, &span);
    if (error)
        return error;
    if (used)
        *used = (size_t)(span.at - in);
    return CID_OK;
}

static inline enum cid_error build(struct cid__build *to, uint64_t value)
{
    uint8_t *at = NULL;
    enum cid_error error;

    if (!cid__varint_fits(value))
        return cid__build_fail(to, CID_E_VARINT_OVERFLOW);
    error = cid__build_reserve(to, cid__varint_size(value), &at);
    if (error)
        return error;
    cid__varint_put(at, value);
    return cid__build_commit(to);
}

enum cid_error cid_varint_write(uint8_t *out, size_t cap, size_t *written, uint64_t value)
{
    struct cid__build to = cid__build_buffer(out, cap, written);

    if (value < 0x80 && cap != 0) { /* most codes */
        *out = (uint8_t)value;
        if (written)
            *written = 1;
        return CID_OK;
    }
    return build(&to, value);
}

enum cid_error cid_varint_make(struct cid_bytes *out, uint64_t value,
                               const struct cid_allocator *alloc)
{
    struct cid__build to = cid__build_owner(out, alloc);
    return build(&to, value);
}
