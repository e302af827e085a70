/*
 * keccak.c - the functions that stand on the Keccak sponge: SHA-3 and SHAKE (FIPS 202), and Keccak
 * with the padding it had before it became SHA-3, which Ethereum uses. They differ in the rate,
 * which is the number of bytes taken in or given out between two permutations, and in the bits put
 * behind the message.
 */
#include "hash/stream.h"

#include "base/endian.h"
#include "hash/rotate.h"

#define LANES 25
#define BYTES 200

struct keccak {
    uint64_t lanes[LANES]; /* byte n of the state is byte n % 8, low first, of lane n / 8 */
    uint32_t at;           /* of the rate: where the next byte goes */
    uint32_t rate;
    uint8_t padding;
};

static const uint64_t round_constants[24] = {
    UINT64_C(0x0000000000000001), UINT64_C(0x0000000000008082), UINT64_C(0x800000000000808a),
    UINT64_C(0x8000000080008000), UINT64_C(0x000000000000808b), UINT64_C(0x0000000080000001),
    UINT64_C(0x8000000080008081), UINT64_C(0x8000000000008009), UINT64_C(0x000000000000008a),
    UINT64_C(0x0000000000000088), UINT64_C(0x0000000080008009), UINT64_C(0x000000008000000a),
    UINT64_C(0x000000008000808b), UINT64_C(0x800000000000008b), UINT64_C(0x8000000000008089),
    UINT64_C(0x8000000000008003), UINT64_C(0x8000000000008002), UINT64_C(0x8000000000000080),
    UINT64_C(0x000000000000800a), UINT64_C(0x800000008000000a), UINT64_C(0x8000000080008081),
    UINT64_C(0x8000000000008080), UINT64_C(0x0000000080000001), UINT64_C(0x8000000080008008),
};

/* One row of the next state: five lanes, each with the parity of its neighbouring columns (theta),
 * turned (rho) and brought to this row (pi), then mixed with the two lanes behind it (chi). */
#define ROW(y, l0, r0, l1, r1, l2, r2, l3, r3, l4, r4)                                             \
    do {                                                                                           \
        uint64_t b0 = (r0) == 0 ? a[l0] ^ d[0] : cid__rotl64(a[l0] ^ d[(l0) % 5], (r0)&63);        \
        uint64_t b1 = cid__rotl64(a[l1] ^ d[(l1) % 5], r1);                                        \
        uint64_t b2 = cid__rotl64(a[l2] ^ d[(l2) % 5], r2);                                        \
        uint64_t b3 = cid__rotl64(a[l3] ^ d[(l3) % 5], r3);                                        \
        uint64_t b4 = cid__rotl64(a[l4] ^ d[(l4) % 5], r4);                                        \
        e[5 * (y)] = b0 ^ (~b1 & b2);                                                              \
        e[5 * (y) + 1] = b1 ^ (~b2 & b3);                                                          \
        e[5 * (y) + 2] = b2 ^ (~b3 & b4);                                                          \
        e[5 * (y) + 3] = b3 ^ (~b4 & b0);                                                          \
        e[5 * (y) + 4] = b4 ^ (~b0 & b1);                                                          \
    } while (0)

static inline void one_round(uint64_t e[LANES], const uint64_t a[LANES], uint64_t constant)
{
    uint64_t c0 = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20];
    uint64_t c1 = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21];
    uint64_t c2 = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22];
    uint64_t c3 = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23];
    uint64_t c4 = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24];
    uint64_t d[5] = {c4 ^ cid__rotl64(c1, 1), c0 ^ cid__rotl64(c2, 1), c1 ^ cid__rotl64(c3, 1),
                     c2 ^ cid__rotl64(c4, 1), c3 ^ cid__rotl64(c0, 1)};

    ROW(0, 0, 0, 6, 44, 12, 43, 18, 21, 24, 14);
    ROW(1, 3, 28, 9, 20, 10, 3, 16, 45, 22, 61);
    ROW(2, 1, 1, 7, 6, 13, 25, 19, 8, 20, 18);
    ROW(3, 4, 27, 5, 36, 11, 10, 17, 15, 23, 56);
    ROW(4, 2, 62, 8, 55, 14, 39, 15, 41, 21, 2);
    e[0] ^= constant;
}

static void permute(uint64_t lanes[LANES])
{
    uint64_t other[LANES];

    for (size_t i = 0; i < 24; i += 2) {
        one_round(other, lanes, round_constants[i]);
        one_round(lanes, other, round_constants[i + 1]);
    }
}

static void add_byte(struct keccak *keccak, size_t at, uint8_t byte)
{
    keccak->lanes[at / 8] ^= (uint64_t)byte << 8 * (at % 8);
}

/* The whole lanes of a rate that has just begun. */
static void add_rate(struct keccak *keccak, const uint8_t *data)
{
    for (size_t i = 0; i < keccak->rate / 8; i++)
        keccak->lanes[i] ^= cid__load64le(data + 8 * i);
    permute(keccak->lanes);
}

static void update(void *state, const uint8_t *data, size_t len)
{
    struct keccak *keccak = state;

    while (len != 0) {
        if (keccak->at == 0 && len >= keccak->rate) {
            add_rate(keccak, data);
            data += keccak->rate;
            len -= keccak->rate;
            continue;
        }
        add_byte(keccak, keccak->at, *data++);
        len--;
        if (++keccak->at == keccak->rate) {
            permute(keccak->lanes);
            keccak->at = 0;
        }
    }
}

static void squeeze(const struct keccak *keccak, uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)(keccak->lanes[i / 8] >> 8 * (i % 8));
}

static void final(void *state, uint8_t *out, size_t out_len)
{
    struct keccak *keccak = state;

    add_byte(keccak, keccak->at, keccak->padding);
    add_byte(keccak, keccak->rate - 1, 0x80);
    for (;;) {
        size_t part = out_len < keccak->rate ? out_len : keccak->rate;
        permute(keccak->lanes);
        squeeze(keccak, out, part);
        out += part;
        out_len -= part;
        if (out_len == 0)
            return;
    }
}

static void start(void *state, uint32_t rate, uint8_t padding)
{
    struct keccak *keccak = state;
    *keccak = (struct keccak){.rate = rate, .padding = padding};
}

static void init_sha3(void *state, size_t out_len)
{
    start(state, (uint32_t)(BYTES - 2 * out_len), 0x06);
}

static void init_keccak(void *state, size_t out_len)
{
    start(state, (uint32_t)(BYTES - 2 * out_len), 0x01);
}

static void init_shake128(void *state, size_t out_len)
{
    (void)out_len;
    start(state, BYTES - 32, 0x1f);
}

static void init_shake256(void *state, size_t out_len)
{
    (void)out_len;
    start(state, BYTES - 64, 0x1f);
}

const struct cid__stream *cid__stream_keccak(uint64_t code)
{
    static const struct cid__stream sha3 = {
        sizeof(struct keccak), init_sha3, update, final, NULL, NULL};
    static const struct cid__stream keccak = {
        sizeof(struct keccak), init_keccak, update, final, NULL, NULL};
    static const struct cid__stream shake128 = {
        sizeof(struct keccak), init_shake128, update, final, NULL, NULL};
    static const struct cid__stream shake256 = {
        sizeof(struct keccak), init_shake256, update, final, NULL, NULL};

    if (code >= 0x14 && code <= 0x17)
        return &sha3;
    if (code >= 0x1a && code <= 0x1d)
        return &keccak;
    return code == 0x18 ? &shake128 : code == 0x19 ? &shake256 : NULL;
}
