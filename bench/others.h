/*
 * others.h - the text codecs and hash functions of other libraries, as engines. Where a library is
 * absent from the build its engines are left out, with a line on stderr.
 *
 * Threads: all functions are reentrant, other_announce and OpenSSL's hash aside.
 */
#ifndef CID_BENCH_OTHERS_H
#define CID_BENCH_OTHERS_H

#include <stddef.h>
#include <stdint.h>

/* A base that another library has. */
struct other_base {
    char prefix;
    int variant; /* the library's own */
    /* digits and NUL, the number of digits returned; and bytes, SIZE_MAX for bad text */
    size_t (*encode)(const struct other_base *base, char *out, size_t cap, const uint8_t *data,
                     size_t len);
    size_t (*decode)(const struct other_base *base, uint8_t *out, size_t cap, const char *text,
                     size_t len);
};

/* The library's form of a multibase; NULL if it has none, or is absent. */
const struct other_base *other_sodium(uint32_t base);  /* hex and base64 */
const struct other_base *other_openssl(uint32_t base); /* base64 with padding */

/* Says on stderr which libraries are absent. */
void other_announce(void);

/* Multibase text with its prefix and NUL; returns its length without NUL. */
static inline size_t other_encode(const struct other_base *base, char *out, size_t cap,
                                  const uint8_t *data, size_t len)
{
    out[0] = base->prefix;
    return 1 + base->encode(base, out + 1, cap - 1, data, len);
}

/* The bytes of multibase text, whose prefix is passed over; SIZE_MAX for bad text. */
static inline size_t other_decode(const struct other_base *base, uint8_t *out, size_t cap,
                                  const char *text, size_t len)
{
    return base->decode(base, out, cap, text + 1, len - 1);
}

/* SHA-256 and BLAKE2b-256 of libsodium, one call a message; NULL where there is none. */
typedef void other_hash(uint8_t out[32], const uint8_t *data, size_t len);
other_hash *other_sha2_256(void);
other_hash *other_blake2b_256(void);

/* SHA-256 of OpenSSL as it is quickest: fetched once, one context for all. One thread. NULL. */
other_hash *other_openssl_sha2_256(void);

#endif
