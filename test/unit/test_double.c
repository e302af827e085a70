/*
 * Doubles, printed and read by products of 128 bits: held against the plain twins and against what
 * is asked for, on values where few bits decide. With an argument: that many random doubles.
 */
#include "support.h"

#include "json/digits.h"
#include "json/double.h"
#include "json/number.h"
#include "json/plain.h"

#include <stdio.h>

#define LARGEST (CID__INFINITY - 1)
#define LONGEST 1200 /* digits of a middle, and some */

static uint64_t random_doubles = 20000;

/* ---- what is asked for ------------------------------------------------------------------ */

/* The bits that a text is read as by both ways, which agree. */
static uint64_t read_both(const char *text)
{
    size_t len = strlen(text);
    double fast = 0, plain = 0;
    bool finite = cid__double_read(&fast, text, len);

    if (cid__double_read_plain(&plain, text, len) != finite ||
        cid__bits_of(fast) != cid__bits_of(plain))
        fail_msg("%s is read as %a, plainly as %a", text, fast, plain);
    return finite ? cid__bits_of(fast) : CID__INFINITY;
}

static uint64_t read_digits(uint64_t digits, int power)
{
    char text[64];

    snprintf(text, sizeof text, "%llue%d", (unsigned long long)digits, power);
    return read_both(text);
}

/* A double against a decimal: less, equal, greater. */
static int compare(uint64_t bits, uint64_t digits, int power)
{
    struct cid__big a, b;
    uint64_t mantissa;
    int exponent;

    cid__split(bits, &mantissa, &exponent);
    cid__big_set(&a, mantissa);
    cid__big_set(&b, digits);
    cid__big_mul_pow5(power < 0 ? &a : &b, (unsigned)(power < 0 ? -power : power));
    exponent -= power;
    cid__big_shift(exponent < 0 ? &b : &a, (unsigned)(exponent < 0 ? -exponent : exponent));
    return cid__big_compare(&a, &b);
}

/* The digits read back, fewer do not, and others of the same length do not or lie farther off. */
static void are_shortest_and_nearest(uint64_t bits)
{
    int power = 0;
    uint64_t digits = cid__digits(&power, bits), tens = digits / 10;

    assert_true(digits % 10 != 0 && digits < UINT64_C(100000000000000000));
    assert_true(read_digits(digits, power) == bits);
    if (tens != 0)
        assert_true(read_digits(tens, power + 1) != bits);
    if (digits > 9 || read_digits(1, power + 1) != read_digits(digits, power))
        assert_true(read_digits(tens + 1, power + 1) != bits);
    /* farther off than half a unit: then the next one must be another double */
    if (compare(bits, digits * 10 + 5, power - 1) > 0)
        assert_true(read_digits(digits + 1, power) != bits);
    if (compare(bits, digits * 10 - 5, power - 1) < 0)
        assert_true(read_digits(digits - 1, power) != bits);
    /* in the middle: the even one */
    if (compare(bits, digits * 10 + 5, power - 1) == 0 && read_digits(digits + 1, power) == bits)
        assert_true(digits % 2 == 0);
    if (compare(bits, digits * 10 - 5, power - 1) == 0 && read_digits(digits - 1, power) == bits)
        assert_true(digits % 2 == 0);
}

static void holds(uint64_t bits)
{
    char text[CID__NUMBER_SIZE + 1], plain[CID__NUMBER_SIZE];
    double value = cid__double_of(bits);
    int power = 0, plain_power = 0;
    uint64_t digits = cid__digits(&power, bits);
    size_t len = cid__double_print(text, value);

    if (digits != cid__digits_plain(&plain_power, bits) || power != plain_power)
        fail_msg("%a: %llue%d", value, (unsigned long long)digits, power);
    assert_int_equal(cid__double_print_plain(plain, value), len);
    assert_memory_equal(text, plain, len);
    text[len] = '\0';
    assert_true(cid__number_span(text, len) == len);
    if (read_both(text) != bits)
        fail_msg("%s is not %a", text, value);
}

/* Everything that can be said of a double and the two beside it. */
static void holds_about(uint64_t bits)
{
    for (uint64_t near = bits - 1; near != bits + 2; near++)
        if (near != 0 && near <= LARGEST) {
            holds(near);
            are_shortest_and_nearest(near);
        }
}

/* ---- powers ----------------------------------------------------------------------------- */

static void powers_of_two(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CID__MANTISSA_BITS; i++)
        holds_about(UINT64_C(1) << i);
    for (uint64_t biased = 1; biased <= CID__EXPONENT_MASK; biased++)
        holds_about(biased << CID__MANTISSA_BITS);
}

static void powers_of_ten(void **state)
{
    (void)state;
    for (int n = -323; n <= 308; n++) {
        int power = 0;
        uint64_t bits = read_digits(1, n);
        assert_true(cid__digits(&power, bits) == 1 && power == n);
        holds_about(bits);
        for (uint64_t digits = 2; digits < 10; digits++)
            if (read_digits(digits, n) <= LARGEST)
                holds(read_digits(digits, n));
    }
    assert_true(read_digits(1, -324) == 0 && read_digits(1, 309) == CID__INFINITY);
}

static void subnormals(void **state)
{
    struct test_random random = {3};
    (void)state;

    for (uint64_t bits = 1; bits <= 300; bits++) {
        holds_about(bits);
        holds_about(CID__HIDDEN_BIT - bits);
    }
    for (unsigned i = 0; i < 1000; i++)
        holds(1 + (test_random_next(&random) >> (12 + i % 52)));
}

/* Small whole numbers, and halves, quarters and tenths of them, have those digits. */
static void people_write(void **state)
{
    (void)state;
    for (unsigned i = 1; i < 3000; i++) {
        char text[CID__NUMBER_SIZE + 1], theirs[32];
        text[cid__double_print(text, i)] = '\0';
        snprintf(theirs, sizeof theirs, "%u.0", i);
        assert_string_equal(text, theirs);
        text[cid__double_print(text, i / 10.0)] = '\0';
        snprintf(theirs, sizeof theirs, "%u.%u", i / 10, i % 10);
        assert_string_equal(text, theirs);
        holds(cid__bits_of(i / 4.0));
        holds(cid__bits_of(i * 1e18));
    }
}

/* ---- middles ---------------------------------------------------------------------------- */

static uint32_t rest_of_ten(struct cid__big *big)
{
    uint64_t rest = 0;

    for (size_t i = big->len; i-- > 0;) {
        rest = rest << 32 | big->word[i];
        big->word[i] = (uint32_t)(rest / 10);
        rest %= 10;
    }
    while (big->len > 0 && big->word[big->len - 1] == 0)
        big->len--;
    return (uint32_t)rest;
}

/* All digits of the middle between a double and the next one, without zeros behind. */
static size_t middle_of(char out[LONGEST], int *power, uint64_t bits)
{
    struct cid__big big;
    uint64_t mantissa;
    size_t at = LONGEST, len;
    int exponent;

    cid__split(bits, &mantissa, &exponent);
    cid__big_set(&big, mantissa * 2 + 1);
    exponent--;
    *power = exponent < 0 ? exponent : 0; /* (2m + 1) * 5^n * 10^-n */
    if (exponent < 0)
        cid__big_mul_pow5(&big, (unsigned)-exponent);
    else
        cid__big_shift(&big, (unsigned)exponent);
    while (big.len > 0) {
        uint32_t digit = rest_of_ten(&big);
        if (digit == 0 && at == LONGEST)
            (*power)++;
        else
            out[--at] = (char)('0' + digit);
    }
    len = LONGEST - at;
    memmove(out, out + at, len);
    return len;
}

static uint64_t read_text(const char *digits, size_t len, const char *behind, int power)
{
    char text[LONGEST + 100];

    snprintf(text, sizeof text, "%.*s%se%d", (int)len, digits, behind, power - (int)strlen(behind));
    return read_both(text);
}

/* Reading a middle, what is next to it, and what it begins with. */
static void reads_about_the_middle(uint64_t bits)
{
    char digits[LONGEST];
    int power = 0;
    size_t len = middle_of(digits, &power, bits);

    assert_true(read_text(digits, len, "", power) == bits + bits % 2);
    assert_true(read_text(digits, len, "0", power) == bits + bits % 2);
    assert_true(read_text(digits, len, "000000000000000000000000", power) == bits + bits % 2);
    assert_true(read_text(digits, len, "1", power) == bits + 1);
    assert_true(read_text(digits, len, "00000000000000000000000000000000001", power) == bits + 1);
    for (size_t cut = 19; cut <= 22 && cut < len; cut++) {
        char last = digits[cut - 1];
        assert_true(read_text(digits, cut, "", power + (int)(len - cut)) == bits);
        if (last == '9')
            continue;
        digits[cut - 1]++;
        assert_true(read_text(digits, cut, "", power + (int)(len - cut)) == bits + 1);
        digits[cut - 1] = last;
    }
    digits[len - 1]--; /* which is not 0 */
    assert_true(read_text(digits, len, "99", power) == bits);
    assert_true(read_text(digits, len, "9999999999999999999999999999999999", power) == bits);
}

static void middles(void **state)
{
    struct test_random random = {4};
    (void)state;

    for (uint64_t bits = 0; bits < 20; bits++) {
        reads_about_the_middle(bits);
        reads_about_the_middle(LARGEST - bits);
        reads_about_the_middle(CID__HIDDEN_BIT + 10 - bits);
    }
    for (uint64_t biased = 0; biased < CID__EXPONENT_MASK; biased += 1 + biased % 31) {
        uint64_t exponent = biased << CID__MANTISSA_BITS;
        reads_about_the_middle(exponent);
        reads_about_the_middle(exponent + CID__HIDDEN_BIT - 1);
        reads_about_the_middle(exponent + (test_random_next(&random) >> 12));
    }
    /* those of few digits: 2^53 and up, and where a power of five is left in them */
    for (uint64_t biased = 1070; biased < 1150; biased++)
        for (int i = 0; i < 3; i++)
            reads_about_the_middle((biased << CID__MANTISSA_BITS) +
                                   (test_random_next(&random) >> 12));
}

/* Middles of at most 20 digits, with some behind the point, and what is beside them. */
static void short_middles(void **state)
{
    static const unsigned fives[] = {1, 5, 25, 125, 625};
    struct test_random random = {5};
    (void)state;

    for (unsigned i = 0; i < 5000; i++) {
        unsigned n = i % 5;
        uint64_t middle = CID__HIDDEN_BIT * 2 + (test_random_next(&random) >> 11 | 1);
        uint64_t bits = cid__bits_of((double)(middle - 1)), even = bits + bits % 2;
        char text[64];
        snprintf(text, sizeof text, "%llu.%0*u", (unsigned long long)middle, 1 + (int)n, 0U);
        assert_true(read_both(text) == even);
        if (middle > UINT64_MAX / fives[n])
            continue;
        middle *= fives[n]; /* times 10^-n: divided by 2^n */
        bits -= (uint64_t)n << CID__MANTISSA_BITS;
        even -= (uint64_t)n << CID__MANTISSA_BITS;
        assert_true(read_digits(middle, -(int)n) == even);
        assert_true(read_digits(middle + 1, -(int)n) == bits + 1);
        assert_true(read_digits(middle - 1, -(int)n) == bits);
    }
}

/* ---- at random -------------------------------------------------------------------------- */

static void random_bits(void **state)
{
    struct test_random random = {6};
    (void)state;

    for (uint64_t i = 0; i < random_doubles; i++) {
        uint64_t bits = test_random_next(&random) >> 1;
        if (bits > LARGEST)
            continue;
        holds(bits);
        if (i % 32 == 0)
            are_shortest_and_nearest(bits);
    }
}

/* Any number of digits, a point anywhere, any exponent that matters. */
static void random_digits(void **state)
{
    struct test_random random = {7};
    (void)state;

    for (uint64_t i = 0; i < random_doubles; i++) {
        char text[100];
        uint64_t choice = test_random_next(&random);
        size_t count = 1 + (size_t)(choice % 45), point = (size_t)(choice / 64 % 64), at = 0;
        int exponent = (int)(choice / 4096 % 740) - 370;
        for (size_t digit = 0; digit < count; digit++) {
            text[at++] = (char)((digit == 0 ? '1' : '0') + (int)(test_random_next(&random) % 9));
            if (digit == point && digit + 1 < count)
                text[at++] = '.';
        }
        snprintf(text + at, sizeof text - at, "e%d", exponent);
        (void)read_both(text);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_two), cmocka_unit_test(powers_of_ten),
        cmocka_unit_test(subnormals),    cmocka_unit_test(people_write),
        cmocka_unit_test(middles),       cmocka_unit_test(short_middles),
        cmocka_unit_test(random_bits),   cmocka_unit_test(random_digits),
    };
    if (argc > 1)
        random_doubles = strtoull(argv[1], NULL, 10);
    return cmocka_run_group_tests_name("double", tests, NULL, NULL);
}
