/*
 * cpu.h - what the processor and the operating system can do, for code that has a quicker form
 * there. Read it once a batch or a string, never in an inner loop:
 *
 *   if (cid__cpu() & CID__CPU_AVX2) …
 *
 * Every fast path keeps a portable twin, which runs when its bit is not set. On processors other
 * than x86-64 no bit is ever set.
 *
 * Threads: everything here may be called by any number of threads at once.
 */
#ifndef CID_BASE_CPU_H
#define CID_BASE_CPU_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Each bit holds only if the operating system keeps the registers too. */
#define CID__CPU_AVX2   0x01u /* AVX, AVX2, SSSE3, SSE4.1, and BMI1 and BMI2 */
#define CID__CPU_SHA    0x02u /* the SHA extensions, SSSE3, SSE4.1 */
#define CID__CPU_AVX512 0x04u /* AVX-512 F, BW, DQ and VL, on top of CID__CPU_AVX2 */
#define CID__CPU_VBMI   0x08u /* AVX-512 VBMI, on top of CID__CPU_AVX512 */
#define CID__CPU_VBMI2  0x10u /* AVX-512 VBMI2, on top of CID__CPU_AVX512 */
/*
 * No feature but a trait, on top of CID__CPU_AVX512: so many operations on 512 bits can start in a
 * cycle, and take so many, that one chain of them leaves most of the processor idle. AMD's Zen 5,
 * where it has units of 512 bits: four additions or two rotations a cycle, each of two cycles.
 */
#define CID__CPU_BROAD 0x20u

/* The tiers that tests and benchmarks go through, each with all of those before it. */
#define CID__CPU_TIER_PORTABLE 0u
#define CID__CPU_TIER_AVX2     CID__CPU_AVX2
#define CID__CPU_TIER_SHA      (CID__CPU_TIER_AVX2 | CID__CPU_SHA)
#define CID__CPU_TIER_AVX512   (CID__CPU_TIER_SHA | CID__CPU_AVX512)
#define CID__CPU_TIER_VBMI     (CID__CPU_TIER_AVX512 | CID__CPU_VBMI)
#define CID__CPU_TIER_VBMI2    (CID__CPU_TIER_VBMI | CID__CPU_VBMI2)
#define CID__CPU_ALL           0x3fu

/* What cid__cpu gives, with CID__CPU_KNOWN; 0 until somebody has looked. Not for direct use. */
#define CID__CPU_KNOWN 0x80000000u
extern _Atomic uint32_t cid__cpu_word;
uint32_t cid__cpu_look(void);

/* The features that are there and allowed, as bits CID__CPU_…; other bits mean nothing. */
static inline uint32_t cid__cpu(void)
{
    uint32_t word = atomic_load_explicit(&cid__cpu_word, memory_order_relaxed);
    return word ? word : cid__cpu_look();
}

/*
 * For tests and benchmarks: from now on only the features in allowed, and of those only the ones
 * that are there. CID__CPU_ALL lifts the limit. Calls that are under way in other threads may use
 * either set.
 *
 * For tests alone, and no part of CID__CPU_ALL: with CID__CPU_AS_BROAD a processor that has
 * AVX-512, if that is allowed, has CID__CPU_BROAD too. What the trait chooses is right without it,
 * and slower.
 */
#define CID__CPU_AS_BROAD 0x100u
void cid__cpu_mask(uint32_t allowed);

/*
 * Whether a processor with AVX-512 has CID__CPU_BROAD: by cpuid's name of who made it (leaf 0) and
 * by its family and model (leaf 1, eax). Tests call it too, since few machines are so.
 */
bool cid__cpu_is_broad(const char vendor[12], uint32_t signature);

#endif
