/*
 * base.h - what the families of bases have in common: a row of the table of bases, and the four
 * functions of a family. Texts here are digits without a prefix.
 *
 * A family's decode is quick and says only whether it went well; check is asked afterwards what is
 * wrong, and where. Both read the same texts as right: a decode that fails although check finds
 * nothing wrong had too little room.
 */
#ifndef CID_MULTIFORMATS_BASE_H
#define CID_MULTIFORMATS_BASE_H

#include "base/arith.h"
#include "multiformats/multibase_table.h"

#include <cid/multibase.h>

#if defined(__GNUC__)
#define CID__INLINE static inline __attribute__((always_inline))
#else
#define CID__INLINE static inline
#endif

enum cid__padding {
    CID__PADDING_NEVER,
    CID__PADDING_BARE,  /* not filled up, but its twin is */
    CID__PADDING_FILLED /* '=' up to a whole group */
};

/* How numbers of a radix are cut into limbs below 2^63; tools/gen-tables has the arithmetic. */
struct cid__number {
    unsigned radix;
    unsigned digits; /* in a limb */
    unsigned shift;  /* that brings the highest bit of power to bit 63 */
    unsigned grow;   /* a bound of digits for 10,000 bytes */
    unsigned shrink; /* a bound of bytes for 10,000 digits */
    uint64_t power;  /* radix to the power of digits */
    uint64_t inverse;
    /* For short numbers, see numbers.h; NULL for radix 10. */
    const uint32_t (*rows)[16];  /* the digits of 2^(32 i) in radix^5, lowest first */
    const uint64_t (*eights)[5]; /* radix^(8 i), its lowest 64 bits first */
};

/* A row of the table of bases. */
struct cid__base {
    const struct cid__base_family *family;
    uint32_t code;
    enum cid__padding padding;
    bool either_case;
    uint8_t bits; /* a digit, in the bases of whole bits */
    uint8_t lead_len;
    char lead[5]; /* what a multibase text begins with */
    char prefix[5];
    char name[18];
    char status[13];
    const char *digits;    /* by value; over and over, so that there are 64 */
    const uint8_t *values; /* by byte: the value, or CID__NOT_A_DIGIT */
    const struct cid__number *number;
};

/* Sorted by code. */
extern const struct cid__base cid__bases[CID__BASE_COUNT];

/* By the first byte of a text: a row's number, CID__NOT_A_DIGIT, or this. */
#define CID__PREFIX_RESERVED 0xfe
extern const uint8_t cid__base_of_prefix[128];

/* The characters of base256emoji as numbers: their bytes in UTF-8, big-endian. */
extern const uint32_t cid__emoji[256];        /* by value */
extern const uint32_t cid__emoji_sorted[256]; /* ascending, */
extern const uint8_t cid__emoji_values[256];  /* with the value of each */

struct cid__base_family {
    /* A bound on the digits of n bytes; SIZE_MAX if that does not fit. */
    size_t (*encoded_bound)(size_t n, const struct cid__base *base);
    /* A bound on the bytes of n characters, under any leniency. */
    size_t (*decoded_bound)(size_t n, const struct cid__base *base);
    /*
     * Writes the digits of n bytes, without NUL. CID_E_NOSPACE: *written of them were needed.
     * CID_E_BASE_LENGTH, CID_E_TEXT_LIMIT, CID_E_TOO_LARGE.
     */
    enum cid_error (*encode)(char *out, size_t cap, size_t *written, const uint8_t *in, size_t n,
                             const struct cid__base *base);
    /* Writes the bytes of n characters; false: something is wrong, or cap is too small. */
    bool (*decode)(uint8_t *out, size_t cap, size_t *written, const char *text, size_t n,
                   const struct cid__base *base, uint32_t allow);
    /* Finds the first fault, at *bad; or CID_OK and *size, the number of bytes. */
    enum cid_error (*check)(size_t *size, size_t *bad, const char *text, size_t n,
                            const struct cid__base *base, uint32_t allow);
};

extern const struct cid__base_family cid__base_bits;     /* base_pow2.c */
extern const struct cid__base_family cid__base_numbers;  /* base_number.c */
extern const struct cid__base_family cid__base_45;       /* base45.c */
extern const struct cid__base_family cid__base_proquint; /* proquint.c */
extern const struct cid__base_family cid__base_emojis;   /* base256emoji.c */

/* ---- helpers ------------------------------------------------------------------------------ */

/* n * numerator / denominator, rounded up; SIZE_MAX if that does not fit. */
static inline size_t cid__base_scale(size_t n, size_t numerator, size_t denominator)
{
    size_t whole;
    size_t rest = (n % denominator * numerator + denominator - 1) / denominator;

    if (!cid__mul_size(&whole, n / denominator, numerator) || !cid__add_size(&whole, whole, rest))
        return SIZE_MAX;
    return whole;
}

/* The number of characters that CID_ALLOW_LINE_ENDS passes over; 0 without it. */
size_t cid__base_line_ends(const char *text, size_t n, uint32_t allow);

/* The first place from `at` on that is no line end to be passed over; n if there is none. */
static inline size_t cid__base_skip(const char *text, size_t at, size_t n, uint32_t allow)
{
    if (allow & CID_ALLOW_LINE_ENDS)
        while (at < n && (text[at] == '\r' || text[at] == '\n'))
            at++;
    return at;
}

static inline uint8_t cid__base_value(const struct cid__base *base, char c)
{
    return base->values[(uint8_t)c];
}

#endif
