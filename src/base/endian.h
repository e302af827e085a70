/*
 * endian.h - loads and stores of several bytes, of either order, at any alignment. All multi-byte
 * access to input and output goes through here.
 */
#ifndef CID_BASE_ENDIAN_H
#define CID_BASE_ENDIAN_H

#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define CID__BIG_ENDIAN 1
#else
#define CID__BIG_ENDIAN 0
#endif

static inline uint32_t cid__swap32(uint32_t v)
{
    v = (v << 16) | (v >> 16);
    return ((v & UINT32_C(0x00ff00ff)) << 8) | ((v >> 8) & UINT32_C(0x00ff00ff));
}

static inline uint64_t cid__swap64(uint64_t v)
{
    return ((uint64_t)cid__swap32((uint32_t)v) << 32) | cid__swap32((uint32_t)(v >> 32));
}

static inline uint32_t cid__load32le(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return CID__BIG_ENDIAN ? cid__swap32(v) : v;
}

static inline uint64_t cid__load64le(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return CID__BIG_ENDIAN ? cid__swap64(v) : v;
}

static inline uint32_t cid__load32be(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return CID__BIG_ENDIAN ? v : cid__swap32(v);
}

static inline uint64_t cid__load64be(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return CID__BIG_ENDIAN ? v : cid__swap64(v);
}

static inline void cid__store32be(uint8_t *p, uint32_t v)
{
    v = CID__BIG_ENDIAN ? v : cid__swap32(v);
    memcpy(p, &v, sizeof v);
}

static inline void cid__store64be(uint8_t *p, uint64_t v)
{
    v = CID__BIG_ENDIAN ? v : cid__swap64(v);
    memcpy(p, &v, sizeof v);
}

static inline void cid__store32le(uint8_t *p, uint32_t v)
{
    v = CID__BIG_ENDIAN ? cid__swap32(v) : v;
    memcpy(p, &v, sizeof v);
}

static inline void cid__store64le(uint8_t *p, uint64_t v)
{
    v = CID__BIG_ENDIAN ? cid__swap64(v) : v;
    memcpy(p, &v, sizeof v);
}

#endif
