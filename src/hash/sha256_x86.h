/*
 * sha256_x86.h - the kernels of sha256_ni.c and sha256_x86.c. Each may run only where the processor
 * has what it takes; cid__cpu says so.
 */
#ifndef CID_HASH_SHA256_X86_H
#define CID_HASH_SHA256_X86_H

#include "hash/lanes.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define CID__SHA256_X86 1
#else
#define CID__SHA256_X86 0
#endif

/* What is done sixteen times, each with a number that the compiler knows. */
#define CID__SHA256_SIXTEEN(STEP)                                                                  \
    STEP(0)                                                                                        \
    STEP(1)                                                                                        \
    STEP(2)                                                                                        \
    STEP(3)                                                                                        \
    STEP(4)                                                                                        \
    STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11) STEP(12) STEP(13) STEP(14) STEP(15)

/* CID__CPU_SHA: one message, and two, which ask for what is ahead meanwhile. */
void cid__sha256_ni(uint32_t h[8], const uint8_t *data, size_t blocks);
void cid__sha256_ni_pair(uint32_t h0[8], uint32_t h1[8], const uint8_t *data0, const uint8_t *data1,
                         size_t blocks, struct cid__ahead *ahead);

/* wide and wave of struct cid__lane_kind. CID__CPU_AVX2: eight messages. */
uint32_t cid__sha256_wide8(struct cid__lanes *set);
void cid__sha256_wave8(struct cid__wave *wave);

/* CID__CPU_AVX512: sixteen messages. */
uint32_t cid__sha256_wide16(struct cid__lanes *set);
void cid__sha256_wave16(struct cid__wave *wave);

/* The same, and the quicker way on processors with CID__CPU_BROAD: thirty-two messages. */
uint32_t cid__sha256_wide32(struct cid__lanes *set);
void cid__sha256_wave32(struct cid__wave *wave);

#endif
