#include "conformance.h"

#include <cid/multibase.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Rows that the specifications leave open, and our decision: strict, one text for one value. What
 * an option of ours allows is tried as well, and must give what the lenient implementations give.
 */
struct choice {
    struct decision decision;
    enum cid_error error;
    uint32_t allow;      /* the option that makes it readable; 0 if none does */
    const char *lenient; /* what it then stands for, in hexadecimal */
};

#define SPARE    "RFC 4648 section 3.5 lets a decoder refuse bits that no encoder writes"
#define PADDING  "the padding belongs to the base"
#define SHORT    "base2 that no encoder writes"
#define IDENTITY "NUL is reserved in the table and names no base"
#define ODD      "no specification says how proquint writes an odd number of bytes"
#define LINES    "a base has no line ends in its alphabet"

static const struct choice choices[] = {
    {{"multibase-0089", SHORT}, CID_E_BASE_LENGTH, CID_ALLOW_SHORT, "1a"},
    {{"multibase-0372", IDENTITY}, CID_E_BASE_RESERVED, 0, NULL},
    {{"multibase-0455", IDENTITY}, CID_E_BASE_RESERVED, 0, NULL},
    {{"multibase-0457", IDENTITY}, CID_E_BASE_RESERVED, 0, NULL},
    {{"multibase-0459", IDENTITY}, CID_E_BASE_RESERVED, 0, NULL},
    {{"multibase-0540", SPARE}, CID_E_BASE_BITS, CID_ALLOW_SPARE_BITS, "f5"},
    {{"multibase-0598", SHORT}, CID_E_BASE_LENGTH, CID_ALLOW_SHORT, "796573206d616e692021"},
    {{"multibase-0599", "base8 is groups of three bits, not one number"},
     CID_E_BASE_BITS,
     CID_ALLOW_SPARE_BITS,
     "3cb2b99036b0b7349010"},
    {{"multibase-0717", ODD}, CID_E_BASE_LENGTH, 0, NULL},
    {{"multibase-0719", ODD}, CID_E_BASE_LENGTH, 0, NULL},
    {{"multibase-0720", ODD}, CID_E_BASE_LENGTH, 0, NULL},
    {{"multibase-0728", IDENTITY}, CID_E_BASE_RESERVED, 0, NULL},
    {{"multibase-0791", SPARE}, CID_E_BASE_BITS, CID_ALLOW_SPARE_BITS, "66"},
    {{"multibase-0792", SPARE}, CID_E_BASE_BITS, CID_ALLOW_SPARE_BITS, "66"},
    {{"multibase-0793", SPARE}, CID_E_BASE_BITS, CID_ALLOW_SPARE_BITS, "66"},
    {{"multibase-0796", SPARE}, CID_E_BASE_BITS, CID_ALLOW_SPARE_BITS, "66"},
    {{"multibase-0797", SPARE}, CID_E_BASE_BITS, CID_ALLOW_SPARE_BITS, "66"},
    {{"multibase-0798", SPARE}, CID_E_BASE_BITS, CID_ALLOW_SPARE_BITS, "66"},
    {{"multibase-0799", SPARE}, CID_E_BASE_BITS, CID_ALLOW_SPARE_BITS, "66"},
    {{"multibase-0802", SPARE}, CID_E_BASE_BITS, CID_ALLOW_SPARE_BITS, "60"},
    {{"multibase-0803", SPARE}, CID_E_BASE_BITS, CID_ALLOW_SPARE_BITS, "66"},
    {{"multibase-0809", "nothing encodes to a whole group and one character"},
     CID_E_BASE_LENGTH,
     0,
     NULL},
    {{"multibase-0815", PADDING}, CID_E_BASE_PADDING, CID_ALLOW_PADDING, "66"},
    {{"multibase-0816", PADDING}, CID_E_BASE_PADDING, CID_ALLOW_PADDING, "66"},
    {{"multibase-0818", PADDING}, CID_E_BASE_PADDING, CID_ALLOW_PADDING, "66"},
    {{"multibase-0819", PADDING}, CID_E_BASE_PADDING, CID_ALLOW_PADDING, "66"},
    {{"multibase-0821", PADDING}, CID_E_BASE_PADDING, CID_ALLOW_PADDING, "66"},
    {{"multibase-0822", PADDING}, CID_E_BASE_PADDING, CID_ALLOW_PADDING, "666f"},
    {{"multibase-0823", PADDING}, CID_E_BASE_PADDING, CID_ALLOW_PADDING, "66"},
    {{"multibase-0833", SPARE}, CID_E_BASE_BITS, CID_ALLOW_SPARE_BITS, "fb"},
    {{"multibase-0839", LINES}, CID_E_BASE_CHAR, CID_ALLOW_LINE_ENDS, "666f6f"},
    {{"multibase-0840", LINES}, CID_E_BASE_CHAR, CID_ALLOW_LINE_ENDS, "666f6f"},
    {{"multibase-0842", LINES}, CID_E_BASE_PADDING, CID_ALLOW_LINE_ENDS, "66"},
    {{"multibase-0859", "z-base-32 is lower case"}, CID_E_BASE_CHAR, 0, NULL},
    {{"multibase-0868", SHORT}, CID_E_BASE_LENGTH, CID_ALLOW_SHORT, "01"},
    {{"multibase-0869", SHORT}, CID_E_BASE_LENGTH, CID_ALLOW_SHORT, "01ff"},
};
#define CHOICES (sizeof choices / sizeof choices[0])

#define CAP     65536
static uint8_t bytes[CAP];
static char line[CAP];

/* Whether a text decodes, under these leniencies, to exactly this. */
static enum cid_error decode(size_t *written, enum cid_base *base, const uint8_t *text, size_t len,
                             uint32_t allow)
{
    struct cid_multibase_options options = {.allow = allow};
    return cid_multibase_decode(bytes, sizeof bytes, written, base, (const char *)text, len,
                                &options);
}

static void ambiguous(struct tsv *tsv, const uint8_t *text, size_t len)
{
    size_t i = conformance_decision(tsv, choices, CHOICES, sizeof choices[0]);
    size_t written = 0;
    enum cid_base base;
    enum cid_error error;

    if (i == SIZE_MAX) {
        row_fail(tsv, "not decided");
        return;
    }
    error = decode(&written, &base, text, len, 0);
    if (error != choices[i].error)
        row_fail(tsv, "%s, not %s", cid_error_name(error), cid_error_name(choices[i].error));
    /* all leniencies but the one in question change nothing */
    error = decode(&written, &base, text, len, 0xfu & ~choices[i].allow);
    if (!error)
        row_fail(tsv, "is read by some other option");
    if (!choices[i].allow)
        return;
    error = decode(&written, &base, text, len, choices[i].allow);
    for (size_t k = 0; !error && k < written; k++)
        snprintf(line + 2 * k, 3, "%02x", bytes[k]);
    if (error || strcmp(line, choices[i].lenient) != 0 || written == 0)
        row_fail(tsv, "under the option: %s, %s", cid_error_name(error), line);
}

static void invalid(struct tsv *tsv, const uint8_t *text, size_t len)
{
    size_t written = 0;
    enum cid_base base;
    struct cid_fault fault = {0};
    enum cid_error error = decode(&written, &base, text, len, 0);

    if (!error)
        row_fail(tsv, "is read");
    cid_multibase_diagnose(&fault, (const char *)text, len, NULL);
    if (fault.code != error || fault.offset > len)
        row_fail(tsv, "%s, but the diagnosis is %s", cid_error_name(error),
                 cid_error_name(fault.code));
}

static void valid(struct tsv *tsv, const uint8_t *text, size_t len)
{
    const char *name = tsv_get(tsv, "base");
    struct cid_base_info info = {0};
    uint8_t *data = NULL;
    size_t data_len = 0, written = 0;
    enum cid_base base = CID_BASE_DEFAULT;
    enum cid_error error = decode(&written, &base, text, len, 0);

    if (!tsv_hex(tsv, "data_hex", &data, &data_len) || !name) {
        row_fail(tsv, "a row without data or base");
        return;
    }
    if (error || written != data_len || memcmp(bytes, data, data_len) != 0)
        row_fail(tsv, "is read as %s, %zu bytes", cid_error_name(error), written);
    else if (cid_base_by_name(&info, name, strlen(name)) || info.base != base)
        row_fail(tsv, "is read in another base");
    error = cid_multibase_encode(line, sizeof line, &written, data, data_len, base);
    if ((!error && written == len && memcmp(line, text, len) == 0) !=
        tsv_is(tsv, "expect", "roundtrip"))
        row_fail(tsv, "is written as %s, %s", cid_error_name(error), error ? "" : line);
    free(data);
}

static void row(struct tsv *tsv)
{
    uint8_t *text;
    size_t len;

    if (!tsv_hex(tsv, "text_hex", &text, &len)) {
        row_fail(tsv, "a row without a text");
        return;
    }
    if (tsv_is(tsv, "expect", "ambiguous"))
        ambiguous(tsv, text, len);
    else if (tsv_is(tsv, "expect", "invalid"))
        invalid(tsv, text, len);
    else if (tsv_is(tsv, "expect", "roundtrip") || tsv_is(tsv, "expect", "decode-only"))
        valid(tsv, text, len);
    else
        row_fail(tsv, "an unknown expectation");
    free(text);
}

static void end(struct tsv *tsv)
{
    conformance_decided(tsv, choices, CHOICES, sizeof choices[0]);
}

int main(void)
{
    static const struct conformance files[] = {{"multibase.tsv", row, end}};
    return conformance_run(files, 1);
}
