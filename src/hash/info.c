#include "hash/provider.h"

#include <cid/multicodec.h>

/* In the order of codes. Lengths are those of the functions' own specifications. */
static const struct cid__hash_row rows[] = {
    {0x00, 0x00, 0, CID__HASH_IDENTITY},      /* identity */
    {0x11, 0x11, 20, 0},                      /* sha1 */
    {0x12, 0x12, 32, 0},                      /* sha2-256 */
    {0x13, 0x13, 64, 0},                      /* sha2-512 */
    {0x14, 0x14, 64, 0},                      /* sha3-512 */
    {0x15, 0x15, 48, 0},                      /* sha3-384 */
    {0x16, 0x16, 32, 0},                      /* sha3-256 */
    {0x17, 0x17, 28, 0},                      /* sha3-224 */
    {0x18, 0x18, 32, CID__HASH_ANY_LENGTH},   /* shake-128 */
    {0x19, 0x19, 64, CID__HASH_ANY_LENGTH},   /* shake-256 */
    {0x1a, 0x1a, 28, 0},                      /* keccak-224 */
    {0x1b, 0x1b, 32, 0},                      /* keccak-256 */
    {0x1c, 0x1c, 48, 0},                      /* keccak-384 */
    {0x1d, 0x1d, 64, 0},                      /* keccak-512 */
    {0x1e, 0x1e, 32, CID__HASH_ANY_LENGTH},   /* blake3 */
    {0x20, 0x20, 48, 0},                      /* sha2-384 */
    {0x22, 0x22, 8, CID__HASH_NO_PROOF},      /* murmur3-x64-64 */
    {0x23, 0x23, 4, CID__HASH_NO_PROOF},      /* murmur3-32 */
    {0x56, 0x56, 32, 0},                      /* dbl-sha2-256 */
    {0xd5, 0xd5, 16, 0},                      /* md5 */
    {0x1012, 0x1012, 32, 0},                  /* sha2-256-trunc254-padded */
    {0x1013, 0x1013, 28, 0},                  /* sha2-224 */
    {0x1014, 0x1014, 28, 0},                  /* sha2-512-224 */
    {0x1015, 0x1015, 32, 0},                  /* sha2-512-256 */
    {0x1022, 0x1022, 16, CID__HASH_NO_PROOF}, /* murmur3-x64-128 */
    {0x1052, 0x1052, 16, 0},                  /* ripemd-128 */
    {0x1053, 0x1053, 20, 0},                  /* ripemd-160 */
    {0x1054, 0x1054, 32, 0},                  /* ripemd-256 */
    {0x1055, 0x1055, 40, 0},                  /* ripemd-320 */
    {0x534d, 0x534d, 32, 0},                  /* sm3-256 */
    {0xb201, 0xb240, 1, 0},                   /* blake2b-8 … blake2b-512 */
    {0xb241, 0xb260, 1, 0},                   /* blake2s-8 … blake2s-256 */
};

#define ROWS (sizeof rows / sizeof rows[0])

const struct cid__hash_row *cid__hash_row(uint64_t code)
{
    for (size_t i = 0; i < ROWS && rows[i].first <= code; i++)
        if (code <= rows[i].last)
            return &rows[i];
    return NULL;
}

static void fill(struct cid_hash_info *out, const struct cid__hash_row *row, uint64_t code)
{
    size_t len = (size_t)row->len + (size_t)(code - row->first);
    bool any = (row->flags & (CID__HASH_ANY_LENGTH | CID__HASH_IDENTITY)) != 0;
    struct cid_hash_function function = {.code = code, .min_len = len, .max_len = len};
    struct cid_multicodec codec = {0};

    (void)!cid_multicodec_by_code(&codec, code); /* a test holds each row to be in the table */
    out->code = code;
    out->name = codec.name;
    out->min_len = row->flags & CID__HASH_IDENTITY ? 0 : any ? 1 : len;
    out->max_len = any ? SIZE_MAX : len;
    out->default_len = len;
    out->available = cid__provide(&function);
    out->cryptographic = (row->flags & CID__HASH_NO_PROOF) == 0;
}

enum cid_error cid_hash_by_code(struct cid_hash_info *out, uint64_t code)
{
    const struct cid__hash_row *row = cid__hash_row(code);
    if (!row)
        return CID_E_NOT_FOUND;
    fill(out, row, code);
    return CID_OK;
}

enum cid_error cid_hash_by_name(struct cid_hash_info *out, const char *name, size_t name_len)
{
    struct cid_multicodec codec;
    enum cid_error error = cid_multicodec_by_name(&codec, name, name_len);
    return error ? error : cid_hash_by_code(out, codec.code);
}

size_t cid_hash_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++)
        count += (size_t)(rows[i].last - rows[i].first) + 1;
    return count;
}

enum cid_error cid_hash_at(struct cid_hash_info *out, size_t i)
{
    for (size_t r = 0; r < ROWS; r++) {
        size_t codes = (size_t)(rows[r].last - rows[r].first) + 1;
        if (i < codes) {
            fill(out, &rows[r], rows[r].first + i);
            return CID_OK;
        }
        i -= codes;
    }
    return CID_E_NOT_FOUND;
}

const char *cid_verdict_name(enum cid_verdict verdict)
{
    switch (verdict) {
    case CID_UNCHECKED:
        return "unchecked";
    case CID_GOOD:
        return "ok";
    case CID_MISMATCH:
        return "mismatch";
    case CID_UNVERIFIABLE:
        return "unverifiable";
    }
    return "unknown";
}
