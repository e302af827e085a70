#include "conformance.h"

#include <cid/cid.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Rows on which the specifications are silent or the implementations disagree. */
static const struct choice {
    struct decision decision;
    bool accept;
} choices[] = {
    {{"cid-0159", "cid_find ends the CID at '?', and hands the rest on"}, true},
    {{"cid-0447", "whether a length suits the function is a question of verifying"}, true},
    {{"cid-0534", "cid_find knows ipfs://"}, true},
    {{"cid-0535", "cid_find ends the CID at '/', and hands the rest on"}, true},
    {{"cid-0537", "a CID under /ipns/ is a CID"}, true},
    {{"cid-0538", "a CID under /ipld/ is a CID"}, true},
    {{"cid-0541", "nothing stands where the CID should"}, false},
    {{"cid-0544", "cid_find ends the CID at '?', and hands the rest on"}, true},
    {{"cid-0545", "cid_find ends the CID at '#', and hands the rest on"}, true},
    {{"cid-0546", "cid_find ends the CID at '/', and hands the rest on"}, true},
};

/* Reads the row's input in the way its form asks for. */
static enum cid_error read_input(struct tsv *tsv, struct cid *out)
{
    struct cid_view view;
    uint8_t *in;
    size_t len;
    enum cid_error error = CID_E_ARGUMENT;

    memset(out, 0, sizeof *out);
    if (!tsv_hex(tsv, "input_hex", &in, &len)) {
        row_fail(tsv, "a row without input");
        return error;
    }
    if (tsv_is(tsv, "form", "string")) {
        error = cid_parse(out, (const char *)in, len, NULL);
    } else if (tsv_is(tsv, "form", "path")) {
        error = cid_find(out, NULL, (const char *)in, len, NULL);
    } else if (tsv_is(tsv, "form", "bytes")) {
        error = cid_read_exact(&view, in, len);
        if (!error)
            error = cid_own(out, &view, NULL);
    } else {
        row_fail(tsv, "an unknown form");
    }
    free(in);
    return error;
}

static void same_number(struct tsv *tsv, const char *column, uint64_t value)
{
    uint64_t want = 0;
    if (tsv_get(tsv, column) && (!tsv_number(tsv, column, &want) || want != value))
        row_fail(tsv, "%s is %" PRIu64, column, value);
}

static void same_bytes(struct tsv *tsv, const char *column, const uint8_t *bytes, size_t len)
{
    uint8_t *want;
    size_t want_len;

    if (!tsv_hex(tsv, column, &want, &want_len))
        return;
    if (want_len != len || (len != 0 && memcmp(want, bytes, len) != 0))
        row_fail(tsv, "%s differs", column);
    free(want);
}

/* Holds a converted CID against the text in a column; "-" says that there is none. */
static void same_text(struct tsv *tsv, const char *column, enum cid_error error, struct cid *cid)
{
    const char *want = tsv_get(tsv, column);
    struct cid_view view = cid_as_view(cid);
    char text[4096];

    if (!want && !error)
        row_fail(tsv, "there is a %s", column);
    else if (want && (error || cid_format(text, sizeof text, NULL, &view, CID_BASE_DEFAULT) ||
                      strcmp(text, want) != 0))
        row_fail(tsv, "%s: %s", column, error ? cid_error_name(error) : text);
    cid_free(cid, NULL);
}

static void valid(struct tsv *tsv, const struct cid *cid)
{
    struct cid_view view = cid_as_view(cid);
    struct cid other;
    enum cid_error error;

    same_number(tsv, "version", view.version);
    same_number(tsv, "codec", view.codec);
    same_number(tsv, "mh", view.hash.code);
    same_number(tsv, "mhlen", view.hash.digest_len);
    same_bytes(tsv, "digest", view.hash.digest, view.hash.digest_len);
    same_bytes(tsv, "bytes_hex", view.bytes, view.len);
    error = cid_to_v0(&other, &view, NULL);
    same_text(tsv, "v0", error, &other);
    error = cid_to_v1(&other, &view, NULL);
    same_text(tsv, "v1", error, &other);
}

static void cid_row(struct tsv *tsv)
{
    struct cid cid;
    enum cid_error error = read_input(tsv, &cid);

    if (tsv_is(tsv, "kind", "valid")) {
        if (error)
            row_fail(tsv, "%s", cid_error_name(error));
        else
            valid(tsv, &cid);
    } else if (tsv_is(tsv, "kind", "invalid")) {
        if (!error)
            row_fail(tsv, "is read");
    } else if (tsv_is(tsv, "kind", "ambiguous")) {
        size_t i = conformance_decision(tsv, choices, COUNT(choices), sizeof choices[0]);
        if (i == SIZE_MAX)
            row_fail(tsv, "is not decided");
        else if (choices[i].accept != (error == CID_OK))
            row_fail(tsv, "%s, not as decided", cid_error_name(error));
    } else {
        row_fail(tsv, "an unknown kind");
    }
    cid_free(&cid, NULL);
}

static void cid_end(struct tsv *tsv)
{
    conformance_decided(tsv, choices, COUNT(choices), sizeof choices[0]);
}

static void dasl_row(struct tsv *tsv)
{
    struct cid_view view;
    uint8_t *in;
    size_t len;
    enum cid_error error;

    if (!tsv_hex(tsv, "input_hex", &in, &len)) {
        row_fail(tsv, "a row without input");
        return;
    }
    if (tsv_is(tsv, "form", "bytes")) {
        error = cid_read_exact(&view, in, len);
        if (!error)
            error = cid_dasl_check_view(&view);
    } else {
        error = cid_dasl_check((const char *)in, len);
    }
    if (!tsv_is(tsv, "dasl", "accept") && !tsv_is(tsv, "dasl", "refuse"))
        row_fail(tsv, "an unknown verdict");
    else if (tsv_is(tsv, "dasl", "accept") != (error == CID_OK))
        row_fail(tsv, "%s", cid_error_name(error));
    free(in);
}

int main(void)
{
    static const struct conformance files[] = {
        {"cid.tsv", cid_row, cid_end},
        {"cid-dasl.tsv", dasl_row, NULL},
    };
    return conformance_run(files, COUNT(files));
}
