#include "cid/siphash.h"

#include "base/endian.h"

struct sip {
    uint64_t v0, v1, v2, v3;
};

static inline uint64_t rotate(uint64_t x, unsigned bits)
{
    return (x << bits) | (x >> (64 - bits));
}

static inline void sip_round(struct sip *s)
{
    s->v0 += s->v1;
    s->v2 += s->v3;
    s->v1 = rotate(s->v1, 13) ^ s->v0;
    s->v3 = rotate(s->v3, 16) ^ s->v2;
    s->v0 = rotate(s->v0, 32) + s->v3;
    s->v2 += s->v1;
    s->v3 = rotate(s->v3, 21) ^ s->v0;
    s->v1 = rotate(s->v1, 17) ^ s->v2;
    s->v2 = rotate(s->v2, 32);
}

static inline void sip_word(struct sip *s, uint64_t word)
{
    s->v3 ^= word;
    sip_round(s);
    sip_round(s);
    s->v0 ^= word;
}

/* The last word: what is left of the bytes, and the length, modulo 256, in the highest byte. */
static uint64_t last_word(const uint8_t *bytes, size_t len)
{
    uint64_t word = (uint64_t)(len & 0xff) << 56;
    size_t whole = len & ~(size_t)7;

    for (size_t i = whole; i < len; i++)
        word |= (uint64_t)bytes[i] << (8 * (i - whole));
    return word;
}

uint64_t cid__siphash24(uint64_t k0, uint64_t k1, const uint8_t *bytes, size_t len)
{
    struct sip s = {
        k0 ^ UINT64_C(0x736f6d6570736575), /* "somepseudorandomlygeneratedbytes" */
        k1 ^ UINT64_C(0x646f72616e646f6d),
        k0 ^ UINT64_C(0x6c7967656e657261),
        k1 ^ UINT64_C(0x7465646279746573),
    };

    for (size_t i = 0; len - i >= 8; i += 8)
        sip_word(&s, cid__load64le(bytes + i));
    sip_word(&s, last_word(bytes, len));
    s.v2 ^= 0xff;
    for (int i = 0; i < 4; i++)
        sip_round(&s);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
