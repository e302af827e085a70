/*
 * numbers.h - short numbers in radix 36 and 58: at most CID__NUMBER_BYTES bytes, or as many digits
 * as surely fit in so many. Longer ones go limb by limb, see base_number.c.
 */
#ifndef CID_MULTIFORMATS_NUMBERS_H
#define CID_MULTIFORMATS_NUMBERS_H

#include "base/endian.h"
#include "multiformats/base.h"
#include "multiformats/bits.h"

#define CID__NUMBER_BYTES 40

/* The most digits that always fit in 5 words. */
static inline size_t cid__number_digits(const struct cid__number *number)
{
    return number->radix == 58 ? 54 : 61;
}

/* word is not zero. */
static inline unsigned cid__bytes_in(uint64_t word)
{
#if defined(__GNUC__)
    return 8 - (unsigned)__builtin_clzll(word) / 8;
#else
    unsigned count = 0;
    for (; word != 0; word >>= 8)
        count++;
    return count;
#endif
}

/* The words, lowest first, as `size` bytes, the first of which is not zero. */
static inline void cid__put_words(uint8_t *out, size_t size, const uint64_t *words)
{
    size_t top = (size - 1) / 8;
    unsigned bytes = (unsigned)(size - 8 * top); /* 1 to 8 of the highest word */

    if (top == 0) {
        for (uint64_t word = *words; size > 0; word >>= 8)
            out[--size] = (uint8_t)word;
        return;
    }
    cid__store64be(out, words[top] << (64 - 8 * bytes)); /* what is too much is overwritten */
    for (out += bytes; top-- > 0; out += 8)
        cid__store64be(out, words[top]);
}

#if CID__BITS_X86

/* The most bytes whose digits always fit in a register, and the fewest digits that pay. */
#define CID__NUMBER_VBMI_BYTES  38
#define CID__NUMBER_VBMI_DIGITS 33

/*
 * Where cid__cpu() has CID__CPU_VBMI. The digits of n bytes, 0 < n <= CID__NUMBER_VBMI_BYTES; their
 * number is returned. Nothing is written if it is above room; else perhaps more, up to room.
 */
size_t cid__number_encode_vbmi(char *out, size_t room, const uint8_t *in, size_t n,
                               const struct cid__base *base);

/* The bytes of n digits, 0 < n <= cid__number_digits(…). As cid__base_family.decode. */
bool cid__number_decode_vbmi(uint8_t *out, size_t cap, size_t *written, const char *text, size_t n,
                             const struct cid__base *base);

#endif

#endif
