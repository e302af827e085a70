#include "base/cpu.h"

#include <string.h>

_Atomic uint32_t cid__cpu_word;

bool cid__cpu_is_broad(const char vendor[12], uint32_t signature)
{
    uint32_t family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
    uint32_t models = signature >> 16 & 0xf; /* sixteen of them */

    if (memcmp(vendor, "AuthenticAMD", 12) != 0 || family < 0x1a)
        return false;
    /* The Zen 5 of small machines do 512 bits in two halves. */
    return family != 0x1a || (models != 2 && models != 6);
}

#if defined(__x86_64__) && defined(__GNUC__)

#include <cpuid.h>

/* leaf 1, ecx */
#define SSSE3   (1u << 9)
#define SSE41   (1u << 19)
#define OSXSAVE (1u << 27)
#define AVX     (1u << 28)
/* leaf 7, ebx */
#define BMI1     (1u << 3)
#define AVX2     (1u << 5)
#define BMI2     (1u << 8)
#define AVX512F  (1u << 16)
#define AVX512DQ (1u << 17)
#define SHA      (1u << 29)
#define AVX512BW (1u << 30)
#define AVX512VL (1u << 31)
/* leaf 7, ecx */
#define AVX512VBMI  (1u << 1)
#define AVX512VBMI2 (1u << 6)
/* XCR0: the upper halves of the 256-bit registers; masks, and the rest of the 512-bit ones */
#define XCR0_AVX    0x06u
#define XCR0_AVX512 0xe6u

static uint32_t xcr0(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static uint32_t has(uint32_t word, uint32_t all, uint32_t feature)
{
    return (word & all) == all ? feature : 0;
}

static uint32_t detect(void)
{
    uint32_t highest, vendor[3], signature, b, c, d, a7, b7, c7, saved, found;

    /* As few as can be: under a hypervisor each takes tens of microseconds. */
    __cpuid(0, highest, vendor[0], vendor[2], vendor[1]);
    if (highest < 7)
        return 0;
    __cpuid(1, signature, b, c, d);
    __cpuid_count(7, 0, a7, b7, c7, d);
    if (!has(c, SSSE3 | SSE41, 1))
        return 0;
    found = has(b7, SHA, CID__CPU_SHA);
    saved = c & OSXSAVE ? xcr0() : 0;
    if (!has(saved, XCR0_AVX, 1) || !has(c, AVX, 1) || !has(b7, AVX2 | BMI1 | BMI2, 1))
        return found;
    found |= CID__CPU_AVX2;
    if (!has(saved, XCR0_AVX512, 1) || !has(b7, AVX512F | AVX512DQ | AVX512BW | AVX512VL, 1))
        return found;
    if (cid__cpu_is_broad((const char *)vendor, signature))
        found |= CID__CPU_BROAD;
    return found | CID__CPU_AVX512 | has(c7, AVX512VBMI, CID__CPU_VBMI) |
           has(c7, AVX512VBMI2, CID__CPU_VBMI2);
}

#else

static uint32_t detect(void)
{
    return 0;
}

#endif

/* detect, but only once: in a virtual machine it takes a way through the host. */
static uint32_t found(void)
{
    static _Atomic uint32_t word;
    uint32_t features = atomic_load_explicit(&word, memory_order_relaxed);

    if (!features) {
        features = detect() | CID__CPU_KNOWN;
        atomic_store_explicit(&word, features, memory_order_relaxed);
    }
    return features;
}

uint32_t cid__cpu_look(void)
{
    uint32_t unknown = 0, word = found();

    /* A mask that somebody has set in the meantime stays. */
    if (atomic_compare_exchange_strong_explicit(&cid__cpu_word, &unknown, word,
                                                memory_order_relaxed, memory_order_relaxed))
        return word;
    return unknown;
}

void cid__cpu_mask(uint32_t allowed)
{
    uint32_t word = (found() & allowed) | CID__CPU_KNOWN;

    if (allowed & CID__CPU_AS_BROAD && word & CID__CPU_AVX512)
        word |= CID__CPU_BROAD;
    atomic_store_explicit(&cid__cpu_word, word, memory_order_relaxed);
}
