/*
 * Numbers and their text: known values, and random doubles held against the C library, in the
 * locale "C". With an argument: that many random doubles.
 */
#include "support.h"

#include "json/number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>

static uint64_t random_doubles = 10000;

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t to_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* What ECMAScript prints for the value, and ".0" behind what it would print as an integer. */
static const struct {
    uint64_t bits;
    const char *text;
} known[] = {
    {0, "0.0"},
    {UINT64_C(0x8000000000000000), "-0.0"},
    {1, "5e-324"},
    {2, "1e-323"},
    {UINT64_C(0x8000000000000002), "-1e-323"},
    {UINT64_C(0x000fffffffffffff), "2.225073858507201e-308"},
    {UINT64_C(0x0010000000000000), "2.2250738585072014e-308"},
    {UINT64_C(0x7fefffffffffffff), "1.7976931348623157e+308"},
    {UINT64_C(0x3ff0000000000000), "1.0"},
    {UINT64_C(0x3ff8000000000000), "1.5"},
    {UINT64_C(0x3fb999999999999a), "0.1"},
    {UINT64_C(0x3fd5555555555555), "0.3333333333333333"},
    {UINT64_C(0xbfefffffffffffff), "-0.9999999999999999"},
    {UINT64_C(0x3e78000000000000), "8.940696716308594e-8"},
    {UINT64_C(0x40f4241a31a5a515), "82497.63712086187"},
    {UINT64_C(0x3e7ad7f29abcaf48), "1e-7"},
    {UINT64_C(0x3eb0c6f7a0b5ed8d), "0.000001"},
    {UINT64_C(0x444b1ae4d6e2ef50), "1e+21"},
    {UINT64_C(0x4415af1d78b58c40), "100000000000000000000.0"},
    {UINT64_C(0x43f0000000000000), "18446744073709552000.0"},
    {UINT64_C(0x4340000000000000), "9007199254740992.0"},
    {UINT64_C(0x44b52d02c7e14af6), "1e+23"},
    {UINT64_C(0x44b52d02c7e14af5), "9.999999999999997e+22"},
    {UINT64_C(0x3d30000000000000), "5.684341886080802e-14"},
    {UINT64_C(0x4030000000000000), "16.0"},
    {UINT64_C(0x0018000000000000), "3.337610787760802e-308"},
};

static void known_values_are_printed_and_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(known); i++) {
        char text[CID__NUMBER_SIZE];
        double value = from_bits(known[i].bits), back = 0;
        size_t len = cid__double_print(text, value);
        assert_true(len < sizeof text);
        text[len] = '\0';
        assert_string_equal(text, known[i].text);
        assert_true(cid__double_read(&back, known[i].text, strlen(known[i].text)));
        assert_true(to_bits(back) == known[i].bits);
    }
}

/* Halfway cases and long digits, and where ranges end. Bits by IEEE 754. */
static const struct {
    const char *text;
    uint64_t bits;
} readings[] = {
    {"0", 0},
    {"-0", UINT64_C(0x8000000000000000)},
    {"0e999999999999", 0},
    {"0.000", 0},
    {"1e-400", 0},
    {"-1e-999999999999", UINT64_C(0x8000000000000000)},
    {"2.4703282292062327e-324", 0},
    {"2.4703282292062328e-324", 1},
    {"4.9e-324", 1},
    {"9007199254740993", UINT64_C(0x4340000000000000)},
    {"9007199254740993.00000000000000000000000000000000000000000000000001",
     UINT64_C(0x4340000000000001)},
    {"9007199254740995", UINT64_C(0x4340000000000002)},
    {"1.00000000000000011102230246251565404236316680908203125", UINT64_C(0x3ff0000000000000)},
    {"1.00000000000000011102230246251565404236316680908203124", UINT64_C(0x3ff0000000000000)},
    {"1.00000000000000011102230246251565404236316680908203126", UINT64_C(0x3ff0000000000001)},
    {"1.00000000000000033306690738754696212708950042724609375", UINT64_C(0x3ff0000000000002)},
    {"1e23", UINT64_C(0x44b52d02c7e14af6)},
    {"8.5e22", UINT64_C(0x44b1ffdbf6b2b2eb)},
    {"1.7976931348623158e308", UINT64_C(0x7fefffffffffffff)},
    {"2.2250738585072011e-308", UINT64_C(0x000fffffffffffff)},
    {"1000000000000000000000000000000000000000E-39", UINT64_C(0x3ff0000000000000)},
    {"0.00000000000000000000000000000000000000001e41", UINT64_C(0x3ff0000000000000)},
};

/* An exponent makes up for any number of digits. */
static void long_numbers(void **state)
{
    static const struct {
        const char *before;
        size_t zeros;
        const char *after;
        double value;
    } rows[] = {
        {"0.", 200000, "1e200001", 1},
        {"-0.", 2000000, "125e2000000", -0.125},
        {"1", 300000, "e-300000", 1},
        {"25", 1500000, "e-1500001", 2.5},
        {"0.", 2000000, "1e1999677", 0},
        {"0.", 2000000, "1e1999678", 1e-323},
        {"0.", 2000000, "1e1999701", 1e-300},
        {"1", 2000000, ".5E-1999700", 1e300},
        {"", 500000, "1", 1},
        {"0.", 500000, "e999999999999999999999999999", 0},
        {"1", 500000, "e-999999999999999999999999999", 0},
    };
    static char text[2000100];
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t n = strlen(rows[i].before), after = strlen(rows[i].after);
        double value = 7;
        memcpy(text, rows[i].before, n);
        memset(text + n, '0', rows[i].zeros);
        n += rows[i].zeros;
        memcpy(text + n, rows[i].after, after);
        assert_true(cid__double_read(&value, text, n + after));
        if (to_bits(value) != to_bits(rows[i].value))
            fail_msg("%s%zu zeros%s: %g", rows[i].before, rows[i].zeros, rows[i].after, value);
    }
    /* 10^309 however it is written */
    memset(text, '0', sizeof text);
    text[0] = '1';
    memcpy(text + 1000001, "e-999691", 8);
    assert_false(cid__double_read(&(double){0}, text, 1000009));
}

static void hard_readings(void **state)
{
    static const char *const beyond[] = {"1e309", "1.7976931348623159e308", "1e400",
                                         "-1e999999999999999999999", "9e308"};
    char tiny[1100], text[1100];
    double value = 0;
    (void)state;

    for (size_t i = 0; i < COUNT(readings); i++) {
        assert_true(cid__double_read(&value, readings[i].text, strlen(readings[i].text)));
        if (to_bits(value) != readings[i].bits)
            fail_msg("%s", readings[i].text);
    }
    for (size_t i = 0; i < COUNT(beyond); i++)
        assert_false(cid__double_read(&value, beyond[i], strlen(beyond[i])));
    /* The middle between 0 and the least double has 750 digits or so; a digit more breaks the tie.
     */
    snprintf(tiny, sizeof tiny, "%.1074f", from_bits(1));
    for (size_t i = 0; i < strlen(tiny); i++) /* half of it: by long division */
        text[i] = '\0';
    {
        unsigned rest = 0;
        size_t n = 0;
        for (const char *p = tiny; *p; p++) {
            if (*p == '.') {
                text[n++] = '.';
                continue;
            }
            rest = rest * 10 + (unsigned)(*p - '0');
            text[n++] = (char)('0' + rest / 2);
            rest %= 2;
        }
        text[n++] = '5';
        assert_true(cid__double_read(&value, text, n));
        assert_true(to_bits(value) == 0);
        text[n++] = '1';
        assert_true(cid__double_read(&value, text, n));
        assert_true(to_bits(value) == 1);
    }
}

/* Nothing outside a text is read, nothing outside its room written, whatever its length. */
static void ends_are_kept(void **state)
{
    static const char text[] = "-12345678901234567890.0123456789012345678e-12";
    struct test_room room = test_guard_room(CID__NUMBER_SIZE);
    char *out = (char *)room.end - CID__NUMBER_SIZE, copy[sizeof text];
    (void)state;

    for (size_t len = 1; len < sizeof text; len++) {
        const char *guarded = (const char *)test_guard(text, len);
        size_t whole = cid__number_span(guarded, len);
        double value = 0;
        if (whole != 0) {
            assert_int_equal(whole, len);
            assert_true(cid__double_read(&value, guarded, len));
            snprintf(copy, sizeof copy, "%.*s", (int)len, text);
            assert_true(to_bits(value) == to_bits(strtod(copy, NULL)));
        }
    }
    for (size_t i = 0; i < COUNT(known); i++) {
        size_t len = cid__double_print(out, from_bits(known[i].bits));
        assert_int_equal(len, strlen(known[i].text));
        assert_memory_equal(out, known[i].text, len);
    }
    assert_int_equal(cid__number_print(out, true, UINT64_MAX), 21);
    assert_memory_equal(out, "-18446744073709551615", 21);
    test_guard_release();
}

static void the_locale_does_not_matter(void **state)
{
    char text[CID__NUMBER_SIZE];
    double value = 0;
    (void)state;

    setlocale(LC_ALL, ""); /* the tests are also run under a German one */
    assert_int_equal(cid__double_print(text, 1.5), 3);
    assert_memory_equal(text, "1.5", 3);
    assert_true(cid__double_read(&value, "2.25", 4) && value == 2.25);
    setlocale(LC_ALL, "C");
}

/* The digits of a text, without point and the zeros around them. */
static size_t digits_of(char *out, const char *text)
{
    size_t n = 0;

    for (; *text && (*text | 0x20) != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (n != 0 || *text != '0'))
            out[n++] = *text;
    while (n > 0 && out[n - 1] == '0')
        n--;
    out[n] = '\0';
    return n;
}

static void held_against_the_c_library(uint64_t bits)
{
    double value = from_bits(bits), back = 0;
    char text[CID__NUMBER_SIZE + 1], theirs[64], ours[64], digits[64];
    int precision = 1;
    size_t len;

    if (value - value != 0)
        return;
    len = cid__double_print(text, value);
    text[len] = '\0';
    assert_int_equal(cid__number_span(text, len), len);
    if (to_bits(strtod(text, NULL)) != bits)
        fail_msg("%s is not %a", text, value);
    if (!cid__double_read(&back, text, len) || to_bits(back) != bits)
        fail_msg("%s is read as %a", text, back);
    for (; precision < 17; precision++) {
        snprintf(theirs, sizeof theirs, "%.*e", precision - 1, value);
        if (to_bits(strtod(theirs, NULL)) == bits)
            break;
    }
    snprintf(theirs, sizeof theirs, "%.*e", precision - 1, value);
    digits_of(ours, text);
    digits_of(digits, theirs);
    if (strlen(ours) > strlen(digits) ||
        (strlen(ours) == strlen(digits) && strcmp(ours, digits) != 0))
        fail_msg("%s, not %s", text, theirs);
    /* seventeen digits and a digit more or less, which lie anywhere between two doubles */
    for (int p = 15; p <= 19; p++) {
        snprintf(theirs, sizeof theirs, "%.*e", p, value);
        if (!cid__double_read(&back, theirs, strlen(theirs)))
            back = signbit(value) ? -HUGE_VAL : HUGE_VAL; /* rounded beyond the largest double */
        if (to_bits(back) != to_bits(strtod(theirs, NULL)))
            fail_msg("%s is read as %a", theirs, back);
    }
}

static void random_doubles_hold(void **state)
{
    struct test_random random = {1};
    (void)state;

    for (uint64_t i = 0; i < random_doubles; i++) {
        uint64_t bits = test_random_next(&random);
        held_against_the_c_library(bits);
        if (i % 4 == 0) /* near one, as numbers are in practice */
            held_against_the_c_library((bits & UINT64_C(0x803fffffffffffff)) |
                                       UINT64_C(0x3fc0000000000000));
        if (i % 8 == 0) { /* few digits */
            held_against_the_c_library(to_bits((double)(bits % 1000000) / 1000));
            held_against_the_c_library(to_bits((double)(bits >> 11)));
        }
        if (i % 64 == 0) /* powers of two and their neighbours */
            for (int64_t step = -1; step <= 1; step++)
                held_against_the_c_library((bits & UINT64_C(0xfff0000000000000)) + (uint64_t)step);
    }
}

/* Decimal digits at random, most of them near the middle of two doubles at no place. */
static void random_digits_are_read(void **state)
{
    struct test_random random = {2};
    (void)state;

    for (uint64_t i = 0; i < random_doubles / 4; i++) {
        char text[80];
        double value = 0, theirs;
        uint64_t a = test_random_next(&random), b = test_random_next(&random);
        int len = snprintf(text, sizeof text, "%llu%0*llu.%llue%d", (unsigned long long)(a | 1),
                           (int)(1 + b % 30), (unsigned long long)b, (unsigned long long)(a ^ b),
                           (int)(b % 700) - 370);
        theirs = strtod(text, NULL);
        if (!cid__double_read(&value, text, (size_t)len))
            value = HUGE_VAL;
        if (to_bits(value) != to_bits(theirs))
            fail_msg("%s is read as %a, not %a", text, value, theirs);
    }
}

static void integers(void **state)
{
    static const struct {
        const char *text;
        enum cid__number_kind kind;
        bool negative;
        uint64_t magnitude;
    } cases[] = {
        {"0", CID__NUMBER_INTEGER, false, 0},
        {"-0", CID__NUMBER_INTEGER, true, 0},
        {"18446744073709551615", CID__NUMBER_INTEGER, false, UINT64_MAX},
        {"18446744073709551616", CID__NUMBER_LARGE, false, 0},
        {"-18446744073709551616", CID__NUMBER_LARGE, true, 0},
        {"-9223372036854775809", CID__NUMBER_INTEGER, true, UINT64_C(9223372036854775809)},
        {"100000000000000000000000", CID__NUMBER_LARGE, false, 0},
        {"100000000000000000000000.5", CID__NUMBER_REAL, false, 0},
        {"1e5", CID__NUMBER_REAL, false, 0},
        {"1.0", CID__NUMBER_REAL, false, 0},
    };
    (void)state;

    for (size_t i = 0; i < COUNT(cases); i++) {
        bool negative = false;
        uint64_t magnitude = 0;
        enum cid__number_kind kind =
            cid__number_read(&negative, &magnitude, cases[i].text, strlen(cases[i].text));
        assert_int_equal(kind, cases[i].kind);
        assert_int_equal(negative, cases[i].negative);
        if (kind == CID__NUMBER_INTEGER)
            assert_true(magnitude == cases[i].magnitude);
    }
}

/* Every number of digits, and what borders on it. */
static void integers_are_printed(void **state)
{
    uint64_t power = 1;
    (void)state;

    for (unsigned n = 0; n < 84; n++) {
        uint64_t start = n < 20 ? power : UINT64_C(1) << (n - 20);
        for (int step = -1; step <= 1; step++) {
            char text[CID__NUMBER_SIZE], theirs[32];
            uint64_t value = start + (uint64_t)(int64_t)step;
            size_t len =
                (size_t)snprintf(theirs, sizeof theirs, "-%llu", (unsigned long long)value);
            assert_int_equal(cid__number_print(text, true, value), len);
            assert_memory_equal(text, theirs, len);
            assert_int_equal(cid__number_print(text, false, value), len - 1);
            assert_memory_equal(text, theirs + 1, len - 1);
        }
        if (n < 19)
            power *= 10;
    }
}

/* However many digits there are, any other byte ends them, and nothing behind it is looked at. */
static void spans_end_where_digits_do(void **state)
{
    char text[40];
    (void)state;

    for (size_t count = 1; count <= 20; count++)
        for (int other = 0; other < 256; other++)
            for (size_t before = 0; before < 4; before += 2) {
                size_t len = before + count;
                if (other >= '0' && other <= '9')
                    continue;
                memset(text, '7', sizeof text);
                memcpy(text, "7.", before);
                assert_int_equal(cid__number_span(text, len), len);
                text[len] = (char)other;
                if (other == 'e' || other == 'E' || (other == '.' && before == 0))
                    continue;
                assert_int_equal(cid__number_span(text, sizeof text), len);
            }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values_are_printed_and_read),
        cmocka_unit_test(long_numbers),
        cmocka_unit_test(hard_readings),
        cmocka_unit_test(ends_are_kept),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(random_doubles_hold),
        cmocka_unit_test(random_digits_are_read),
        cmocka_unit_test(integers),
        cmocka_unit_test(integers_are_printed),
        cmocka_unit_test(spans_end_where_digits_do),
    };
    if (argc > 1)
        random_doubles = strtoull(argv[1], NULL, 10);
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
