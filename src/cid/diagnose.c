#include "cid/binary.h"
#include "cid/likely.h"
#include "cid/text.h"

/* ---- bytes -------------------------------------------------------------------------------- */

/* A walk through the bytes of a CID that keeps what it has read in the fault. */
struct walk {
    struct cid_fault *fault;
    const uint8_t *start;
    struct cid__span in;
};

static void blame(struct walk *walk, enum cid_error code, enum cid_field field, const uint8_t *at)
{
    walk->fault->code = code;
    walk->fault->field = field;
    walk->fault->where = CID_WHERE_BYTES;
    walk->fault->offset = (uint64_t)(at - walk->start);
}

/* Reads one varint of the CID, or blames its field. */
static bool walk_varint(struct walk *walk, uint64_t *value, enum cid_field field, uint32_t decoded)
{
    const uint8_t *at = walk->in.at;
    enum cid_error error = cid__varint_take(value, &walk->in);

    if (error) {
        /* What is missing is missing at the end; other faults are those of the whole varint. */
        blame(walk, error, field, error == CID_E_TRUNCATED ? walk->in.end : at);
        return false;
    }
    walk->fault->decoded |= decoded;
    return true;
}

static bool walk_digest(struct walk *walk)
{
    uint64_t need = walk->fault->digest_len;
    if (!cid__span_has(&walk->in, need)) {
        blame(walk, CID_E_TRUNCATED, CID_FIELD_DIGEST, walk->in.end);
        walk->fault->need = need;
        walk->fault->have = cid__span_left(&walk->in);
        return false;
    }
    (void)cid__span_take(&walk->in, (size_t)need);
    return true;
}

static bool walk_v0(struct walk *walk)
{
    struct cid_fault *fault = walk->fault;

    fault->version = 0;
    fault->codec = CID_CODEC_DAG_PB;
    fault->hash_code = CID_HASH_SHA2_256;
    fault->digest_len = 32;
    fault->decoded |=
        CID_DECODED_VERSION | CID_DECODED_CODEC | CID_DECODED_HASH | CID_DECODED_LENGTH;
    (void)cid__span_take(&walk->in, cid__span_left(&walk->in) < 2 ? 1 : 2);
    return walk_digest(walk);
}

static bool walk_v1(struct walk *walk)
{
    struct cid_fault *fault = walk->fault;
    const uint8_t *at = walk->in.at;
    struct cid_view view;

    if (!walk_varint(walk, &fault->version, CID_FIELD_VERSION, CID_DECODED_VERSION))
        return false;
    if (fault->version != 1) {
        struct cid__span again = {at, walk->in.end};
        blame(walk, cid__take_any(&view, &again), CID_FIELD_VERSION, at);
        return false;
    }
    return walk_varint(walk, &fault->codec, CID_FIELD_CODEC, CID_DECODED_CODEC) &&
           walk_varint(walk, &fault->hash_code, CID_FIELD_HASH, CID_DECODED_HASH) &&
           walk_varint(walk, &fault->digest_len, CID_FIELD_LENGTH, CID_DECODED_LENGTH) &&
           walk_digest(walk);
}

/* Walks a CID and what must not follow it; the fault stays as it was when all is well. */
static void walk_exact(struct cid_fault *fault, const uint8_t *bytes, size_t len)
{
    struct walk walk = {fault, bytes, cid__span_of(bytes, len)};
    bool whole;

    if (len == 0) {
        blame(&walk, CID_E_TRUNCATED, CID_FIELD_VERSION, bytes);
        return;
    }
    whole = bytes[0] == 0x12 && (len == 1 || bytes[1] == 0x20) ? walk_v0(&walk) : walk_v1(&walk);
    if (whole && cid__span_left(&walk.in) != 0) {
        blame(&walk, CID_E_TRAILING, CID_FIELD_TRAILING, walk.in.at);
        fault->have = cid__span_left(&walk.in);
    }
}

static void clear(struct cid_fault *fault)
{
    *fault = (struct cid_fault){.size = fault->size};
}

void cid_diagnose_bytes(struct cid_fault *fault, const uint8_t *bytes, size_t len)
{
    clear(fault);
    walk_exact(fault, bytes, len);
}

/* ---- text --------------------------------------------------------------------------------- */

static void blame_text(struct cid_fault *fault, enum cid_error code, enum cid_field field,
                       uint64_t offset)
{
    fault->code = code;
    fault->field = field;
    fault->where = CID_WHERE_TEXT;
    fault->offset = offset;
}

/* The text is of no shape that a CID has. */
static void shape_fault(struct cid_fault *fault, enum cid_error error, size_t text_len)
{
    blame_text(fault, error, CID_FIELD_LENGTH, text_len);
    fault->have = text_len;
    if (error == CID_E_TEXT_EMPTY)
        fault->field = CID_FIELD_BASE;
    if (error == CID_E_TEXT_LIMIT)
        fault->need = fault->offset = CID_TEXT_LIMIT;
    if (error == CID_E_V0_LENGTH) {
        fault->need = CID__V0_CHARS;
        fault->offset = text_len < CID__V0_CHARS ? text_len : CID__V0_CHARS;
    }
}

/*
 * Decodes as many digits before the fault as stand for whole bytes, for what they say of the CID.
 * Where the digits come to an end before the digest does, need and have say so.
 */
static void decode_start(struct cid_fault *fault, const char *text, size_t len)
{
    uint8_t bytes[CID_TEXT_LIMIT];
    struct cid__multibase_result result;
    struct cid_fault start = {0};

    /* Fewer than eight digits of any base are a group. */
    for (int tries = 0; tries < 8 && len > 1; tries++, len--) {
        if (cid__text_decode(&result, bytes, sizeof bytes, text, len, false,
                             CID_ALLOW_SPARE_BITS | CID_ALLOW_PADDING) != CID_OK)
            continue;
        walk_exact(&start, bytes, result.written);
        fault->decoded |= start.decoded;
        fault->version = start.version;
        fault->codec = start.codec;
        fault->hash_code = start.hash_code;
        fault->digest_len = start.digest_len;
        if (fault->code != CID_E_BASE_CHAR && start.field == CID_FIELD_DIGEST) {
            fault->need = start.need;
            fault->have = start.have;
        }
        return;
    }
}

/* Whether the first digits of the base alone say what the first bytes are. */
static bool decodes_in_order(enum cid_base base)
{
    return base != CID_BASE10 && base != CID_BASE36 && base != CID_BASE36_UPPER &&
           base != CID_BASE58_BTC && base != CID_BASE58_FLICKR && base != CID_BASE_DEFAULT;
}

/* The digits cannot be decoded. */
static void digit_fault(struct cid_fault *fault, enum cid_error error, const char *text,
                        const struct cid__multibase_result *result)
{
    blame_text(fault, error, CID_FIELD_BASE, result->bad);
    if (result->base != CID_BASE_DEFAULT) {
        fault->base = (uint32_t)result->base;
        fault->decoded = CID_DECODED_BASE;
    }
    /* The character whose spare bits are wrong has right ones too. */
    if (decodes_in_order(result->base))
        decode_start(fault, text, result->bad + (error == CID_E_BASE_BITS ? 1 : 0));
}

/* The digits are right and the bytes are not. */
static void byte_fault(struct cid_fault *fault, enum cid_error error, const uint8_t *bytes,
                       size_t len)
{
    walk_exact(fault, bytes, len);
    if (error != CID_E_V0_IN_BASE && error != CID_E_V0_HASH)
        return;
    fault->code = error;
    fault->field = error == CID_E_V0_IN_BASE ? CID_FIELD_VERSION : CID_FIELD_HASH;
    fault->where = CID_WHERE_BYTES;
    fault->offset = fault->need = fault->have = 0;
}

void cid_diagnose(struct cid_fault *fault, const char *text, size_t text_len)
{
    struct cid__scratch scratch;
    enum cid_error error = cid__text_to_scratch(&scratch, text, text_len);

    clear(fault);
    if (!error)
        return;
    switch (scratch.step) {
    case CID__STEP_SHAPE:
        shape_fault(fault, error, text_len);
        break;
    case CID__STEP_DIGITS:
        digit_fault(fault, error, text, &scratch.decoded);
        break;
    case CID__STEP_BYTES:
        fault->base = (uint32_t)scratch.decoded.base;
        fault->decoded = CID_DECODED_BASE;
        byte_fault(fault, error, scratch.bytes, scratch.decoded.written);
        break;
    }
    fault->likely = cid__likely(fault, text, text_len);
}
