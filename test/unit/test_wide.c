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

/* The divisors of the number bases, with floor((2^128 - 1) / divisor) - 2^64. */
static const struct {
    uint64_t divisor, inverse;
} divisors[] = {
    {UINT64_C(1000000000000000000) << 4, UINT64_C(0x2725dd1d243aba0e)},
    {UINT64_C(4738381338321616896) << 1, UINT64_C(0xf24f62335024a295)},
    {UINT64_C(430804206899405824) << 5, UINT64_C(0x568df8b76cbf212c)},
};

static void division_is_undone_by_the_product(void **state)
{
    static const uint64_t lows[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63};
    struct test_random random = {8};
    (void)state;

    for (unsigned i = 0; i < 30000; i++) {
        const uint64_t divisor = divisors[i % 3].divisor;
        uint64_t high = i % 7 == 0 ? divisor - 1 : test_random_next(&random) % divisor;
        uint64_t low = i % 2 ? lows[i / 2 % COUNT(lows)] : test_random_next(&random);
        uint64_t remainder, back;
        uint64_t quotient = cid__divide(&remainder, high, low, divisor, divisors[i % 3].inverse);
        assert_true(remainder < divisor);
        assert_true(cid__mul_add(&back, quotient, divisor, remainder) == low);
        assert_true(back == high);
    }
}

/* Where the estimate of the quotient is off by one: at multiples of large quotients. */
static void division_is_right_around_multiples(void **state)
{
    struct test_random random = {9};
    (void)state;

    for (unsigned i = 0; i < 30000; i++) {
        const uint64_t divisor = divisors[i % 3].divisor;
        uint64_t small = test_random_next(&random) >> (i / 4 % 64);
        uint64_t quotient = i & 1 ? ~small : small;
        uint64_t wanted = i & 2 ? divisor - 1 : 0, remainder, high;
        uint64_t low = cid__mul_add(&high, quotient, divisor, wanted);
        assert_true(cid__divide(&remainder, high, low, divisor, divisors[i % 3].inverse) ==
                    quotient);
        assert_true(remainder == wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_with_known_results),
        cmocka_unit_test(both_products_agree),
        cmocka_unit_test(division_is_undone_by_the_product),
        cmocka_unit_test(division_is_right_around_multiples),
    };
    return cmocka_run_group_tests_name("wide", tests, NULL, NULL);
}
