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

/*
 * CID__CPU_AVX2: four messages. All but at is aligned to 32 bytes; state has word i of message l at
 * [i][l]. count and last: see cid__blake2b_blocks. Blocks of 128 bytes are read from each pointer
 * on.
 */
void cid__blake2b_x4(uint64_t state[8][8], uint64_t count[8], const uint64_t last[8],
                     const uint8_t *const at[4], size_t blocks);

/* CID__CPU_AVX512: wide and wave of struct cid__lane_kind, for eight messages. */
uint32_t cid__blake2b_wide8(struct cid__lanes *set);
void cid__blake2b_wave8(struct cid__wave *wave);

#endif
