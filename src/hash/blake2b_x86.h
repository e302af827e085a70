/*
 * blake2b_x86.h - the kernels of blake2b_x86.c. Each may run only where the processor has what it
 * takes; cid__cpu says so.
 */
#ifndef CID_HASH_BLAKE2B_X86_H
#define CID_HASH_BLAKE2B_X86_H

#include "hash/lanes.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define CID__BLAKE2B_X86 1
#else
#define CID__BLAKE2B_X86 0
#endif

/* wide and wave of struct cid__lane_kind. CID__CPU_AVX2: four messages. */
uint32_t cid__blake2b_wide4(struct cid__lanes *set);
void cid__blake2b_wave4(struct cid__wave *wave);

/* CID__CPU_AVX512: eight messages. */
uint32_t cid__blake2b_wide8(struct cid__lanes *set);
void cid__blake2b_wave8(struct cid__wave *wave);

#endif
