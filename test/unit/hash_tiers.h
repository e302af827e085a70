/*
 * hash_tiers.h - the sets of features that hashing many messages is tested with.
 */
#ifndef CID_TEST_HASH_TIERS_H
#define CID_TEST_HASH_TIERS_H

#include "base/cpu.h"

/* Every set of features makes its own choice of kernels; those this processor lacks come twice. */
static const uint32_t tiers[] = {
    CID__CPU_TIER_PORTABLE,
    CID__CPU_AVX2,
    CID__CPU_SHA,
    CID__CPU_TIER_SHA,
    CID__CPU_AVX2 | CID__CPU_AVX512,
    CID__CPU_TIER_AVX512,
    CID__CPU_TIER_AVX512 | CID__CPU_AS_BROAD,
    CID__CPU_ALL,
};

#endif
