#include "json/big.h"

#include <string.h>

void cid__big_set(struct cid__big *big, uint64_t value)
{
    big->len = 0;
    for (; value != 0; value >>= 32)
        big->word[big->len++] = (uint32_t)value;
}

void cid__big_mul(struct cid__big *big, uint32_t factor, uint32_t add)
{
    uint64_t carry = add;

    for (size_t i = 0; i < big->len; i++) {
        carry += (uint64_t)big->word[i] * factor;
        big->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0)
        big->word[big->len++] = (uint32_t)carry;
}

void cid__big_mul_pow5(struct cid__big *big, unsigned n)
{
    for (; n >= 13; n -= 13)
        cid__big_mul(big, UINT32_C(1220703125), 0); /* 5^13, the last in 32 bits */
    for (; n > 0; n--)
        cid__big_mul(big, 5, 0);
}

void cid__big_shift(struct cid__big *big, unsigned n)
{
    size_t words = n / 32;

    if (big->len == 0)
        return;
    cid__big_mul(big, UINT32_C(1) << n % 32, 0);
    memmove(big->word + words, big->word, big->len * sizeof big->word[0]);
    memset(big->word, 0, words * sizeof big->word[0]);
    big->len += words;
}

int cid__big_compare(const struct cid__big *a, const struct cid__big *b)
{
    if (a->len != b->len)
        return a->len < b->len ? -1 : 1;
    for (size_t i = a->len; i-- > 0;)
        if (a->word[i] != b->word[i])
            return a->word[i] < b->word[i] ? -1 : 1;
    return 0;
}

static uint32_t word_of(const struct cid__big *big, size_t i)
{
    return i < big->len ? big->word[i] : 0;
}

int cid__big_compare_sum(const struct cid__big *a, const struct cid__big *b,
                         const struct cid__big *c)
{
    struct cid__big sum;
    size_t len = a->len > b->len ? a->len : b->len;
    uint64_t carry = 0;

    for (size_t i = 0; i < len; i++) {
        carry += (uint64_t)word_of(a, i) + word_of(b, i);
        sum.word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    sum.len = len;
    if (carry != 0)
        sum.word[sum.len++] = (uint32_t)carry;
    return cid__big_compare(&sum, c);
}

void cid__big_sub(struct cid__big *a, const struct cid__big *b)
{
    uint64_t borrow = 0;

    for (size_t i = 0; i < a->len; i++) {
        uint64_t difference = (uint64_t)a->word[i] - word_of(b, i) - borrow;
        a->word[i] = (uint32_t)difference;
        borrow = difference >> 63;
    }
    while (a->len > 0 && a->word[a->len - 1] == 0)
        a->len--;
}
