/*
 * multibase.h - multibase for the layers above: straight into and out of their own places.
 */
#ifndef CID_MULTIFORMATS_MULTIBASE_H
#define CID_MULTIFORMATS_MULTIBASE_H

#include "base/cpu.h"
#include "multiformats/bits.h"

#include <cid/multibase.h>

/* What cid__multibase_decode found. */
struct cid__multibase_result {
    size_t written; /* bytes; on CID_E_NOSPACE, the number needed */
    size_t bad;     /* on failure: the first byte of the text at fault, or where one is missing */
    enum cid_base base; /* CID_BASE_DEFAULT until the prefix is known */
};

/*
 * Decodes a whole multibase text into out, which holds cap bytes. Errors are those of
 * cid_multibase_decode; CID_E_NOSPACE only for a text that is right. allow is CID_ALLOW_…. All of
 * *result is set whatever happens.
 */
enum cid_error cid__multibase_decode(struct cid__multibase_result *result, uint8_t *out, size_t cap,
                                     const char *text, size_t text_len, uint32_t allow);

/* The same for digits without a prefix; result->bad counts in them. CID_E_ARGUMENT: no such base.
 */
enum cid_error cid__base_decode(struct cid__multibase_result *result, uint8_t *out, size_t cap,
                                const char *text, size_t text_len, enum cid_base base,
                                uint32_t allow);

/*
 * cid__multibase_decode and cid__base_decode, strict, for those who expect the text to be right and
 * to have digits. false says nothing about it: it may be empty, wrong, too long for cap, or one
 * that only the others read. *written is the number of bytes when it is true. The base must be one.
 */
bool cid__multibase_decode_quick(uint8_t *out, size_t cap, size_t *written, const char *text,
                                 size_t text_len);
bool cid__base_decode_quick(uint8_t *out, size_t cap, size_t *written, const char *text,
                            size_t text_len, enum cid_base base);

/*
 * The same for the text of nearly every CID: base32 and 58 digits, which are 36 bytes. out has room
 * for 64. Quick only where the processor has vectors for it; else false, and in line, so that this
 * costs nothing there.
 */
#define CID__USUAL_CHARS 59
#define CID__USUAL_SIZE  36
static inline bool cid__multibase_decode_usual(uint8_t *out, const char *text)
{
#if CID__BITS_X86
    return text[0] == CID_BASE32 && cid__cpu() & CID__CPU_VBMI &&
           cid__bits_decode_usual_vbmi(out, text + 1);
#else
    (void)out;
    (void)text;
    return false;
#endif
}

#endif
