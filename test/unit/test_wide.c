#include "support.h"

#include "base/wide.h"

static void products_with_known_results(void **state)
{
    static const struct {
        uint64_t a, b, c, high, low;
    } rows[] = {
        {0, 0, 0, 0, 0},
        {0, UINT64_MAX, UINT64_MAX, 0, UINT64_MAX},
        {1, UINT64_MAX, 1, 1, 0},
        {UINT64_C(1) << 32, UINT64_C(1) << 32, 0, 1, 0},
        {UINT32_MAX, UINT32_MAX, 0, 0, UINT64_C(0xfffffffe00000001)},
        {UINT64_MAX, UINT64_MAX, 0, UINT64_MAX - 1, 1},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, 0},
        {10, UINT64_C(0x1999999999999999), 6, 1, 0},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t high = 4711;
        assert_true(cid__mul_add_plain(&high, rows[i].a, rows[i].b, rows[i].c) == rows[i].low);
        assert_true(high == rows[i].high);
        assert_true(cid__mul_add(&high, rows[i].a, rows[i].b, rows[i].c) == rows[i].low);
        assert_true(high == rows[i].high);
    }
}

static void both_products_agree(void **state)
{
    struct test_random random = {7};
    (void)state;

    for (int i = 0; i < 20000; i++) {
        uint64_t a = test_random_next(&random) >> (i % 64);
        uint64_t b = test_random_next(&random) >> (i / 64 % 64);
        uint64_t c = test_random_next(&random);
        uint64_t high1, high2;
        assert_true(cid__mul_add(&high1, a, b, c) == cid__mul_add_plain(&high2, a, b, c));
        assert_true(high1 == high2);
    }
}

/* quotient * divisor + remainder gives the dividend back, for the divisor of base58. */
static void division_is_undone_by_the_product(void **state)
{
    /* 58^10 * 2^5, and floor((2^128 - 1) / that) - 2^64 */
    const uint64_t divisor = UINT64_C(430804206899405824) << 5;
    const uint64_t inverse = UINT64_C(0x568df8b76cbf212c);
    static const uint64_t lows[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63};
    struct test_random random = {8};
    (void)state;

    for (int i = 0; i < 20000; i++) {
        uint64_t high = test_random_next(&random);
        uint64_t low = i % 2 ? lows[i / 2 % (int)COUNT(lows)] : test_random_next(&random);
        uint64_t remainder, quotient, back;
        high = i % 7 == 0 ? divisor - 1 : high % divisor;
        quotient = cid__divide(&remainder, high, low, divisor, inverse);
        assert_true(remainder < divisor);
        assert_true(cid__mul_add(&back, quotient, divisor, remainder) == low);
        assert_true(back == high);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_with_known_results),
        cmocka_unit_test(both_products_agree),
        cmocka_unit_test(division_is_undone_by_the_product),
    };
    return cmocka_run_group_tests_name("wide", tests, NULL, NULL);
}
