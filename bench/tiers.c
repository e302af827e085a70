#include "tiers.h"

#include "base/cpu.h"

/* Lowest first, as the processors have them. */
static const struct bench_tier tiers[] = {
    {"libcid-portable", CID__CPU_TIER_PORTABLE},
    {"libcid-avx2", CID__CPU_TIER_AVX2},
};

const struct bench_tier *bench_tiers(size_t *count)
{
    *count = cid__cpu() & CID__CPU_AVX2 ? 2 : 0;
    return tiers;
}

void bench_tier_enter(const struct bench_tier *tier)
{
    cid__cpu_mask(tier ? (uint32_t)tier->limit : CID__CPU_ALL);
}
