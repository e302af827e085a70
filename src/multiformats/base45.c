/*
 * base45 (RFC 9285): two bytes are a number in three digits, lowest digit first; a last single byte
 * is one in two digits.
 */
#include "multiformats/base.h"

static size_t encoded_bound(size_t n, const struct cid__base *base)
{
    (void)base;
    return cid__base_scale(n, 3, 2);
}

static size_t decoded_bound(size_t n, const struct cid__base *base)
{
    (void)base;
    return n / 3 * 2 + n % 3 / 2;
}

static enum cid_error encode(char *out, size_t cap, size_t *written, const uint8_t *in, size_t n,
                             const struct cid__base *base)
{
    size_t total = encoded_bound(n, base);

    if (total == SIZE_MAX)
        return CID_E_TOO_LARGE;
    *written = total;
    if (total > cap)
        return CID_E_NOSPACE;
    for (; n >= 2; n -= 2, in += 2, out += 3) {
        unsigned pair = (unsigned)in[0] << 8 | in[1];
        out[0] = base->digits[pair % 45];
        out[1] = base->digits[pair / 45 % 45];
        out[2] = base->digits[pair / (45 * 45)];
    }
    if (n == 1) {
        out[0] = base->digits[in[0] % 45];
        out[1] = base->digits[in[0] / 45];
    }
    return CID_OK;
}

/* A group of up to three digits. */
struct group {
    unsigned value;
    unsigned count; /* of digits */
    size_t start;   /* of its first digit */
    size_t end;     /* behind its last, or at what is no digit */
    bool good;      /* all were digits */
};

static struct group take(const char *text, size_t at, size_t n, const struct cid__base *base,
                         uint32_t allow)
{
    static const unsigned weight[] = {1, 45, 45 * 45};
    struct group group = {.good = true};

    at = cid__base_skip(text, at, n, allow);
    group.start = at;
    for (; group.count < 3 && at < n; at = cid__base_skip(text, at + 1, n, allow)) {
        uint8_t value = cid__base_value(base, text[at]);
        if (value == CID__NOT_A_DIGIT) {
            group.good = false;
            break;
        }
        group.value += weight[group.count++] * value;
    }
    group.end = at;
    return group;
}

static enum cid_error judge(const struct group *group)
{
    if (!group->good)
        return CID_E_BASE_CHAR;
    if (group->count == 1)
        return CID_E_BASE_LENGTH;
    if (group->value >> (group->count == 3 ? 16 : 8) != 0)
        return CID_E_BASE_RANGE;
    return CID_OK;
}

static bool decode(uint8_t *out, size_t cap, size_t *written, const char *text, size_t n,
                   const struct cid__base *base, uint32_t allow)
{
    size_t digits = n - cid__base_line_ends(text, n, allow);

    *written = decoded_bound(digits, base);
    if (*written > cap)
        return false;
    for (size_t at = cid__base_skip(text, 0, n, allow); at < n;) {
        struct group group = take(text, at, n, base, allow);
        if (judge(&group))
            return false;
        if (group.count == 3)
            *out++ = (uint8_t)(group.value >> 8);
        *out++ = (uint8_t)group.value;
        at = group.end;
    }
    return true;
}

static enum cid_error check(size_t *size, size_t *bad, const char *text, size_t n,
                            const struct cid__base *base, uint32_t allow)
{
    for (size_t at = cid__base_skip(text, 0, n, allow); at < n;) {
        struct group group = take(text, at, n, base, allow);
        enum cid_error error = judge(&group);
        if (error) {
            *bad = error == CID_E_BASE_RANGE ? group.start : group.end;
            return error;
        }
        at = group.end;
    }
    *size = decoded_bound(n - cid__base_line_ends(text, n, allow), base);
    return CID_OK;
}

const struct cid__base_family cid__base_45 = {encoded_bound, decoded_bound, encode, decode, check};
