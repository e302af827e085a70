/*
 * big.h - natural numbers of any size that doubles need, on the stack: what is left over when an
 * answer has to be exact.
 */
#ifndef CID_JSON_BIG_H
#define CID_JSON_BIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The largest that occurs is 801 decimal digits times 5^342, or a mantissa of 55 bits times 5^1143
 * times a power of two below 2^1200: under 4,200 bits.
 */
#define CID__BIG_WORDS 136

struct cid__big {
    size_t len; /* words in use; the highest is not 0 */
    uint32_t word[CID__BIG_WORDS];
};

void cid__big_set(struct cid__big *big, uint64_t value);
/* big = big * factor + add. */
void cid__big_mul(struct cid__big *big, uint32_t factor, uint32_t add);
/* big = big * 5^n. */
void cid__big_mul_pow5(struct cid__big *big, unsigned n);
/* big = big * 2^n. */
void cid__big_shift(struct cid__big *big, unsigned n);
/* Less than, equal to or greater than 0. */
int cid__big_compare(const struct cid__big *a, const struct cid__big *b);
/* a + b against c. */
int cid__big_compare_sum(const struct cid__big *a, const struct cid__big *b,
                         const struct cid__big *c);
/* a = a - b, which is not negative. */
void cid__big_sub(struct cid__big *a, const struct cid__big *b);

#endif
