/*
 * text.h - the steps of reading CID text, which parsing and diagnosis share.
 */
#ifndef CID_CID_TEXT_H
#define CID_CID_TEXT_H

#include "multiformats/multibase.h"

#include <cid/cid.h>

#define CID__V0_CHARS 46

/*
 * Judges a text before its digits are looked at: empty, over the limit, or begun as a CIDv0 but of
 * the wrong length. *is_v0 tells a CIDv0 from multibase.
 */
enum cid_error cid__text_shape(bool *is_v0, const char *text, size_t text_len, size_t limit);

/* Decodes the digits; a CIDv0 has no prefix. Errors are those of cid_multibase_decode. */
enum cid_error cid__text_decode(struct cid__multibase_result *result, uint8_t *out, size_t cap,
                                const char *text, size_t text_len, bool is_v0, uint32_t allow);

/* Reads the decoded bytes, which must be a CIDv0 if and only if the text was one. */
enum cid_error cid__text_read(struct cid_view *out, const uint8_t *bytes, size_t len, bool is_v0);

/* Which step of reading a text failed. */
enum cid__step {
    CID__STEP_SHAPE,
    CID__STEP_DIGITS,
    CID__STEP_BYTES
};

/* Text decoded on the stack, for those who must not allocate. */
struct cid__scratch {
    uint8_t bytes[CID_TEXT_LIMIT]; /* no base has more bytes than characters */
    struct cid__multibase_result decoded;
    struct cid_view view;
    bool is_v0;
    enum cid__step step;
};

/* All three steps; out->step is the last one that was taken. */
enum cid_error cid__text_to_scratch(struct cid__scratch *out, const char *text, size_t text_len);

#endif
