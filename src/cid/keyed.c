#include "cid/keyed.h"

#include <time.h>

/* Word number i of the stream that the two halves of the key stand for. */
static uint64_t stream(const struct cid__keyed *key, uint64_t i)
{
    uint8_t block[8];

    cid__store64le(block, i);
    return cid__siphash24(key->k0, key->k1, block, sizeof block);
}

void cid__keyed_set(struct cid__keyed *key, uint64_t k0, uint64_t k1)
{
    key->k0 = k0;
    key->k1 = k1;
    key->length = stream(key, 0);
    key->finish = stream(key, 1) | 1;
    for (size_t i = 0; i < CID__KEYED_WORDS; i++) {
        key->pairs[i][0] = stream(key, 2 * i + 2);
        key->pairs[i][1] = stream(key, 2 * i + 3);
    }
}

void cid__keyed_draw(struct cid__keyed *key)
{
    struct timespec now = {0};
    uint64_t seen[6];

    (void)!timespec_get(&now, TIME_UTC); /* without a clock the places must do */
    seen[0] = (uint64_t)now.tv_sec;
    seen[1] = (uint64_t)now.tv_nsec;
    seen[2] = (uint64_t)clock();
    seen[3] = (uintptr_t)key;
    seen[4] = (uintptr_t)&now;
    seen[5] = (uintptr_t)cid__keyed_draw;
    cid__keyed_set(key, cid__siphash24(0, 0, (const uint8_t *)seen, sizeof seen),
                   cid__siphash24(1, 0, (const uint8_t *)seen, sizeof seen));
}

uint32_t cid__keyed_odd_size(const struct cid__keyed *key, const uint8_t *bytes, size_t len)
{
    uint8_t word[8] = {0};

    if (len > 8 * CID__KEYED_WORDS)
        return (uint32_t)cid__siphash24(key->k0, key->k1, bytes, len);
    if (len != 0)
        memcpy(word, bytes, len);
    return cid__keyed_finish(key, key->length * len +
                                      cid__keyed_word(key->pairs[0], cid__load64le(word)));
}
