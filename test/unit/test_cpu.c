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
    cid__cpu_mask(UINT32_MAX & ~CID__CPU_AS_BROAD);
    assert_int_equal(bits(), all);
}

/* But for one bit, which adds a trait that makes sense only with AVX-512. */
static void a_mask_may_play_a_broad_processor(void **state)
{
    uint32_t all;
    (void)state;

    cid__cpu_mask(CID__CPU_ALL);
    all = bits();
    for (uint32_t mask = 0; mask <= CID__CPU_ALL; mask++) {
        uint32_t left = all & mask;
        cid__cpu_mask(mask | CID__CPU_AS_BROAD);
        assert_int_equal(bits(), left & CID__CPU_AVX512 ? left | CID__CPU_BROAD : left);
    }
    cid__cpu_mask(CID__CPU_ALL);
    assert_int_equal(bits(), all);
}

static void broad_processors_are_known(void **state)
{
    static const struct {
        const char *vendor;
        uint32_t signature;
        bool broad;
    } rows[] = {
        {"AuthenticAMD", 0x00b00f21, true},  /* 1a 02 */
        {"AuthenticAMD", 0x00b10f10, true},  /* 1a 11 */
        {"AuthenticAMD", 0x00b20f40, false}, /* 1a 24: two halves */
        {"AuthenticAMD", 0x00b40f40, true},  /* 1a 44 */
        {"AuthenticAMD", 0x00b60f00, false}, /* 1a 60: two halves */
        {"AuthenticAMD", 0x00b60f80, false}, /* 1a 68 */
        {"AuthenticAMD", 0x00b70f00, true},  /* 1a 70 */
        {"AuthenticAMD", 0x00c20f00, true},  /* 1b 20: what comes later */
        {"AuthenticAMD", 0x00a10f11, false}, /* 19 11: Zen 4 */
        {"AuthenticAMD", 0x00a60f12, false}, /* 19 61 */
        {"AuthenticAMD", 0x00830f10, false}, /* 17 31 */
        {"HygonGenuine", 0x00b00f21, false}, /* somebody else's */
        {"GenuineIntel", 0x00b00f21, false}, {"GenuineIntel", 0x000c06f2, false}, /* 06 cf */
        {"GenuineIntel", 0x00050654, false},                                      /* 06 55 */
    };
    (void)state;

    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(cid__cpu_is_broad(rows[i].vendor, rows[i].signature), rows[i].broad);
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
    assert_true(!(all & CID__CPU_BROAD) || all & CID__CPU_AVX512);
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
    bool found = false, amd = false;
    (void)state;

    /* Where another processor is played, the list may be that of the player. */
#if defined(__x86_64__)
    file = fopen("/proc/cpuinfo", "r");
#endif
    while (file && !found && fgets(line, sizeof line, file)) {
        amd = amd || (strncmp(line, "vendor_id", 9) == 0 && strstr(line, "AuthenticAMD"));
        found = strncmp(line, "flags", 5) == 0;
    }
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
    assert_true(amd || !(bits() & CID__CPU_BROAD));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mask_only_takes_away),
        cmocka_unit_test(a_mask_may_play_a_broad_processor),
        cmocka_unit_test(broad_processors_are_known),
        cmocka_unit_test(looking_does_not_lift_a_mask),
        cmocka_unit_test(the_first_look_sees_what_the_mask_of_all_allows),
        cmocka_unit_test(a_bit_stands_on_those_below),
        cmocka_unit_test(the_kernel_says_the_same),
    };
    return cmocka_run_group_tests_name("cpu", tests, NULL, NULL);
}
