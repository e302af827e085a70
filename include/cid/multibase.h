/*
 * multibase.h - bytes as text: one prefix character that names the base, and the digits.
 * Specification: multiformats/multibase and RFC 4648, strictly: one text for one value. Bases whose
 * row in the table says so read either case; they always write their own.
 *
 * Threads: all functions are reentrant.
 */
#ifndef CID_MULTIBASE_H
#define CID_MULTIBASE_H

#include <cid/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A base is the code point of its prefix. */
enum cid_base {
    CID_BASE_DEFAULT = 0, /* what a CID prints as by itself: base58btc for v0, base32 for v1 */
    CID_BASE2 = '0',
    CID_BASE8 = '7',
    CID_BASE10 = '9',
    CID_BASE16 = 'f',
    CID_BASE16_UPPER = 'F',
    CID_BASE32_HEX = 'v',
    CID_BASE32_HEX_UPPER = 'V',
    CID_BASE32_HEX_PAD = 't',
    CID_BASE32_HEX_PAD_UPPER = 'T',
    CID_BASE32 = 'b',
    CID_BASE32_UPPER = 'B',
    CID_BASE32_PAD = 'c',
    CID_BASE32_PAD_UPPER = 'C',
    CID_BASE32_Z = 'h',
    CID_BASE36 = 'k',
    CID_BASE36_UPPER = 'K',
    CID_BASE45 = 'R',
    CID_BASE58_BTC = 'z',
    CID_BASE58_FLICKR = 'Z',
    CID_BASE64 = 'm',
    CID_BASE64_PAD = 'M',
    CID_BASE64_URL = 'u',
    CID_BASE64_URL_PAD = 'U',
    CID_BASE_PROQUINT = 'p',
    CID_BASE256_EMOJI = 0x1F680
};

/* One row of the table of bases. */
struct cid_base_info {
    enum cid_base base;
    const char *name;      /* "base32" */
    const char *prefix;    /* in UTF-8; "pro-" for proquint stands with its prefix 'p' as "p" */
    const char *status;    /* "final", "draft", "experimental" */
    bool case_insensitive; /* whether either case is read */
};

/* Finds a base by its value. CID_E_NOT_FOUND: no such base. */
CID_API CID_MUST_USE enum cid_error cid_base_by_code(struct cid_base_info *out, uint32_t code);

/* Finds a base by its name ("base58btc") or by its prefix ("z"). CID_E_NOT_FOUND. */
CID_API CID_MUST_USE enum cid_error cid_base_by_name(struct cid_base_info *out, const char *name,
                                                     size_t name_len);

/* The number of bases. */
CID_API size_t cid_base_count(void);

/* Base number i in the order of code points. CID_E_NOT_FOUND: i is not below the number of bases.
 */
CID_API CID_MUST_USE enum cid_error cid_base_at(struct cid_base_info *out, size_t i);

/* Leniencies, all off by default. Each lets more than one text stand for the same bytes. */
#define CID_ALLOW_SPARE_BITS 0x01u /* bits of the last character beyond the last byte not zero */
#define CID_ALLOW_PADDING    0x02u /* base32 and 64: any '=' up to what fills the last group */
#define CID_ALLOW_LINE_ENDS  0x04u /* CR and LF behind the prefix are passed over, in any base */
#define CID_ALLOW_SHORT      0x08u /* base2 that was not filled up to whole bytes on the left */

/*
 * Bases 10, 36 and 58 convert the whole text as one number, which takes time that grows with the
 * square of the length. Text longer than this, prefix included, is refused for them in both
 * directions, whatever the options. Texts of more than 512 characters take up to 52 KiB of stack.
 */
#define CID_MULTIBASE_NUMBER_LIMIT 65536

/* Options of the decoders; all-zero is strict. */
struct cid_multibase_options {
    size_t size;       /* 0 or sizeof(struct cid_multibase_options) */
    size_t text_limit; /* the longest text accepted, in bytes, prefix included; 0 is no limit */
    uint32_t allow;    /* CID_ALLOW_… */
};

/*
 * A bound on the number of characters (prefix included, NUL not) that data_len bytes take in this
 * base; exact for the bases whose digits stand for whole bits. SIZE_MAX: no such base, or more than
 * a size_t holds.
 */
CID_API size_t cid_multibase_encoded_bound(enum cid_base base, size_t data_len);

/* A bound on the number of bytes that a text of text_len bytes, prefix included, stands for. */
CID_API size_t cid_multibase_decoded_bound(enum cid_base base, size_t text_len);

/*
 * Encodes data with its prefix, and ends the text in NUL. *written (may be NULL) is the length
 * without NUL; cap must hold *written + 1. out may be NULL when cap is 0, to measure. out and data
 * do not overlap.
 *
 * CID_E_NOSPACE: cap is too small; *written is the length that is needed, NUL not counted.
 * CID_E_ARGUMENT: no such base. CID_E_BASE_LENGTH: proquint, and an odd number of bytes.
 * CID_E_TEXT_LIMIT: over CID_MULTIBASE_NUMBER_LIMIT. CID_E_TOO_LARGE.
 */
CID_API CID_MUST_USE enum cid_error cid_multibase_encode(char *out, size_t cap, size_t *written,
                                                         const void *data, size_t data_len,
                                                         enum cid_base base);

/*
 * Decodes a whole multibase text. *base (may be NULL) is its base, *written (may be NULL) the
 * number of bytes. A prefix alone is no bytes; that of proquint is "pro-". out and text do not
 * overlap. On CID_E_NOSPACE *written is the number of bytes needed; a text that is wrong is never
 * refused for want of space.
 *
 * CID_E_TEXT_EMPTY, CID_E_BASE_UNKNOWN, CID_E_BASE_RESERVED: the prefix. CID_E_TEXT_LIMIT.
 * CID_E_BASE_CHAR, CID_E_BASE_LENGTH, CID_E_BASE_PADDING, CID_E_BASE_BITS, CID_E_BASE_RANGE: the
 * digits. CID_E_NOSPACE: cap is too small.
 */
CID_API CID_MUST_USE enum cid_error cid_multibase_decode(
    uint8_t *out, size_t cap, size_t *written, enum cid_base *base, const char *text,
    size_t text_len, const struct cid_multibase_options *options);

/* cid_multibase_encode without the prefix. */
CID_API CID_MUST_USE enum cid_error cid_base_encode(char *out, size_t cap, size_t *written,
                                                    const void *data, size_t data_len,
                                                    enum cid_base base);

/* cid_multibase_decode of digits in a given base, without a prefix. */
CID_API CID_MUST_USE enum cid_error cid_base_decode(uint8_t *out, size_t cap, size_t *written,
                                                    const char *text, size_t text_len,
                                                    enum cid_base base,
                                                    const struct cid_multibase_options *options);

/*
 * Says what is wrong with a multibase text, and where: fault->offset is in bytes of the text. The
 * code is that of cid_multibase_decode under the same options; CID_OK when nothing is wrong.
 */
CID_API void cid_multibase_diagnose(struct cid_fault *fault, const char *text, size_t text_len,
                                    const struct cid_multibase_options *options);

#ifdef __cplusplus
}
#endif

#endif
