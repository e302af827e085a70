#include "tiers.h"

#include "base/cpu.h"

/* Lowest first, as the processors have them. */
static const struct bench_tier tiers[] = {
    {"libcid-portable", CID__CPU_TIER_PORTABLE},
    {"libcid-avx2", CID__CPU_TIER_AVX2},
};

static const struct bench_tier hash_tiers[] = {
    {"libcid-portable", CID__CPU_TIER_PORTABLE},
    {"libcid-avx2", CID__CPU_TIER_AVX2},
    {"libcid-sha-ni", CID__CPU_TIER_SHA},
};

const struct bench_tier *bench_tiers(size_t *count)
{
    *count = cid__cpu() & CID__CPU_AVX2 ? 2 : 0;
    return tiers;
}

const struct bench_tier *bench_hash_tiers(size_t *count)
{
    *count = !(cid__cpu() & CID__CPU_AVX2) ? 0 : cid__cpu() & CID__CPU_SHA ? 3 : 2;
    return hash_tiers;
}

void bench_tier_enter(const struct bench_tier *tier)
{
    cid__cpu_mask(tier ? (uint32_t)tier->limit : CID__CPU_ALL);
}
