/*
 * keyed.h - the hash by which a set finds its CIDs: fast, over all bytes, and under a key.
 *
 * Whoever writes an archive chooses every byte of its CIDs, those of a sha2-256 digest too: that no
 * data has the digest comes out later, or never. So the bytes of a digest are no hash that can be
 * trusted to spread, nor are any eight of them, mixed with whatever key. Here each word of the CID
 * is multiplied under its own two keys and the products are added up. For any two different CIDs,
 * chosen without knowing the key, the sums are equal with a chance of at most 2^-32 (multiply-shift
 * hashing, Dietzfelbinger and Thorup), and the multiplications do not wait for each other: 36 bytes
 * cost two or three nanoseconds. A last mix brings all bits of the sum to the low ones, and breaks
 * up the regular steps in which counters would come out. CIDs too long for that get SipHash-2-4.
 */
#ifndef CID_CID_KEYED_H
#define CID_CID_KEYED_H

#include "base/endian.h"
#include "cid/siphash.h"

#include <string.h>

#define CID__KEYED_WORDS 10 /* CIDs of up to 80 bytes */

struct cid__keyed {
    uint64_t k0, k1; /* of SipHash; all others are drawn from these */
    uint64_t length;
    uint64_t finish; /* odd */
    uint64_t pairs[CID__KEYED_WORDS][2];
};

/* Sets the key from 128 bits: equal bits, equal hashes, on every machine. */
void cid__keyed_set(struct cid__keyed *key, uint64_t k0, uint64_t k1);

/*
 * Draws a key from what plain C lets a program see of its surroundings: the time to the nanosecond,
 * the processor time used, and where its heap, stack and code happen to lie. Somebody who only
 * supplies input can hardly guess it; it is no secret from code in the same process, and nothing to
 * encrypt with.
 */
void cid__keyed_draw(struct cid__keyed *key);

static inline uint64_t cid__keyed_word(const uint64_t pair[2], uint64_t word)
{
    return (pair[0] + (word >> 32)) * (pair[1] + (word & UINT32_C(0xffffffff)));
}

/* The sum over 8 to 80 bytes; the last word overlaps the one before where len is no multiple. */
static inline uint64_t cid__keyed_sum(const struct cid__keyed *key, const uint8_t *bytes,
                                      size_t len)
{
    uint64_t sum = key->length * len;
    size_t i = 0;

    for (; 8 * i + 8 < len; i++)
        sum += cid__keyed_word(key->pairs[i], cid__load64le(bytes + 8 * i));
    return sum + cid__keyed_word(key->pairs[i], cid__load64le(bytes + len - 8));
}

static inline uint32_t cid__keyed_finish(const struct cid__keyed *key, uint64_t sum)
{
    sum ^= sum >> 32;
    return (uint32_t)((sum * key->finish) >> 32);
}

/* The hash of CIDs that are shorter or longer than the sum has keys for. */
uint32_t cid__keyed_odd_size(const struct cid__keyed *key, const uint8_t *bytes, size_t len);

/* The hash of a CID's bytes. Every bit of it is as good as any other. */
static inline uint32_t cid__keyed_hash(const struct cid__keyed *key, const uint8_t *bytes,
                                       size_t len)
{
    if (len == 36) /* nearly every CID; with a constant length the loop unrolls */
        return cid__keyed_finish(key, cid__keyed_sum(key, bytes, 36));
    if (len >= 8 && len <= 8 * CID__KEYED_WORDS)
        return cid__keyed_finish(key, cid__keyed_sum(key, bytes, len));
    return cid__keyed_odd_size(key, bytes, len);
}

#endif
