/*
 * rotate.h - rotations of words, which compilers turn into one instruction. 0 < n < the width.
 */
#ifndef CID_HASH_ROTATE_H
#define CID_HASH_ROTATE_H

#include <stdint.h>

static inline uint32_t cid__rotl32(uint32_t v, unsigned n)
{
    return v << n | v >> (32 - n);
}

static inline uint32_t cid__rotr32(uint32_t v, unsigned n)
{
    return v >> n | v << (32 - n);
}

static inline uint64_t cid__rotl64(uint64_t v, unsigned n)
{
    return v << n | v >> (64 - n);
}

static inline uint64_t cid__rotr64(uint64_t v, unsigned n)
{
    return v >> n | v << (64 - n);
}

#endif
