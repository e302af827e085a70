/*
 * Holds the library to a tier, from before main on, if the environment variable CID_TEST_TIER names
 * one: "portable", "avx2", "avx512" or "broad". meson runs tests once a tier by it; the library
 * knows nothing of it.
 */
#include "base/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    uint32_t mask;
} tiers[] = {
    {"portable", CID__CPU_TIER_PORTABLE},
    {"avx2", CID__CPU_TIER_AVX2},
    {"avx512", CID__CPU_TIER_VBMI & ~CID__CPU_SHA},
    {"broad", CID__CPU_TIER_AVX512 | CID__CPU_BROAD | CID__CPU_AS_BROAD},
};

static void leave(const char *name, const char *why, int status)
{
    fprintf(stderr, "CID_TEST_TIER=%s: %s\n", name, why);
    exit(status);
}

__attribute__((constructor)) static void hold_tier(void)
{
    const char *name = getenv("CID_TEST_TIER");

    if (!name)
        return;
    for (size_t i = 0; i < sizeof tiers / sizeof tiers[0]; i++) {
        if (strcmp(name, tiers[i].name) != 0)
            continue;
        cid__cpu_mask(tiers[i].mask);
        if ((cid__cpu() & CID__CPU_ALL) != (tiers[i].mask & CID__CPU_ALL))
            leave(name, "SKIPPED, not on this processor", 77);
        return;
    }
    leave(name, "no such tier", 2);
}
