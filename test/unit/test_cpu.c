#include "support.h"

#include "base/cpu.h"

#include <stdio.h>

static uint32_t bits(void)
{
    return cid__cpu() & CID__CPU_ALL;
}

static void a_mask_only_takes_away(void **state)
{
    uint32_t all;
    (void)state;

    cid__cpu_mask(CID__CPU_ALL);
    all = bits();
    for (uint32_t mask = 0; mask <= CID__CPU_ALL; mask++) {
        cid__cpu_mask(mask);
        assert_int_equal(bits(), all & mask);
    }
    cid__cpu_mask(UINT32_MAX);
    assert_int_equal(bits(), all);
}

static void looking_does_not_lift_a_mask(void **state)
{
    (void)state;
    cid__cpu_mask(CID__CPU_TIER_PORTABLE);
    assert_int_equal(cid__cpu_look() & CID__CPU_ALL, 0);
    assert_int_equal(bits(), 0);
    cid__cpu_mask(CID__CPU_ALL);
}

static void the_first_look_sees_what_the_mask_of_all_allows(void **state)
{
    uint32_t all;
    (void)state;

    cid__cpu_mask(CID__CPU_ALL);
    all = bits();
    atomic_store(&cid__cpu_word, 0);
    assert_int_equal(bits(), all);
    assert_true(atomic_load(&cid__cpu_word) & CID__CPU_KNOWN);
}

static void a_bit_stands_on_those_below(void **state)
{
    uint32_t all;
    (void)state;

    cid__cpu_mask(CID__CPU_ALL);
    all = bits();
    assert_true(!(all & CID__CPU_AVX512) || all & CID__CPU_AVX2);
    assert_true(!(all & CID__CPU_VBMI) || all & CID__CPU_AVX512);
    assert_true(!(all & CID__CPU_VBMI2) || all & CID__CPU_AVX512);
}

/* Whether the kernel lists every one of these, each between blanks. */
static bool listed(const char *flags, const char *const *names)
{
    for (; *names; names++)
        if (!strstr(flags, *names))
            return false;
    return true;
}

static void the_kernel_says_the_same(void **state)
{
    static const struct {
        uint32_t bit;
        const char *names[12];
    } rows[] = {
        {CID__CPU_AVX2, {" ssse3 ", " sse4_1 ", " avx ", " avx2 ", " bmi1 ", " bmi2 "}},
        {CID__CPU_SHA, {" ssse3 ", " sse4_1 ", " sha_ni "}},
        {CID__CPU_AVX512,
         {" avx2 ", " bmi1 ", " bmi2 ", " avx512f ", " avx512bw ", " avx512dq ", " avx512vl "}},
        {CID__CPU_VBMI,
         {" avx2 ", " bmi1 ", " bmi2 ", " avx512f ", " avx512bw ", " avx512dq ", " avx512vl ",
          " avx512vbmi "}},
        {CID__CPU_VBMI2,
         {" avx2 ", " bmi1 ", " bmi2 ", " avx512f ", " avx512bw ", " avx512dq ", " avx512vl ",
          " avx512_vbmi2 "}},
    };
    static char line[16384];
    FILE *file = NULL;
    bool found = false;
    (void)state;

    /* Where another processor is played, the list may be that of the player. */
#if defined(__x86_64__)
    file = fopen("/proc/cpuinfo", "r");
#endif
    while (file && !found && fgets(line, sizeof line, file))
        found = strncmp(line, "flags", 5) == 0;
    if (file)
        fclose(file);
    cid__cpu_mask(CID__CPU_ALL);
    if (!found) {
        assert_int_equal(bits(), 0); /* no such list: not an x86 */
        skip();
    }
    *strchr(line, '\n') = ' ';
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal((bits() & rows[i].bit) != 0, listed(line, rows[i].names));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mask_only_takes_away),
        cmocka_unit_test(looking_does_not_lift_a_mask),
        cmocka_unit_test(the_first_look_sees_what_the_mask_of_all_allows),
        cmocka_unit_test(a_bit_stands_on_those_below),
        cmocka_unit_test(the_kernel_says_the_same),
    };
    return cmocka_run_group_tests_name("cpu", tests, NULL, NULL);
}
