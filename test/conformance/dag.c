/*
 * DAG-CBOR, DAG-JSON and DAG-PB over dag-cbor.jsonl and dag-big.tsv. Every block is cut, checked
 * for its links, converted and converted back.
 */
#include "conformance.h"
#include "dag_rows.h"

#include <cid/dag.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- cases on which the specifications are silent or the implementations disagree ------- */

enum verdict {
    REFUSE,  /* under any leniency */
    LENIENT, /* refused by default, read under CID_DAG_ALLOW_ALL */
    ACCEPT   /* and the same bytes come out again */
};

struct choice {
    const char *id;
    enum verdict verdict;
    const char *reason;
};

static const struct choice choices[] = {
    {"dag-0020", ACCEPT, "-0.0 is a float like others"},
    {"dag-0034", ACCEPT, "-0.0 again, as what must not be written"},
    {"dag-0360", REFUSE,
     "undefined is no value of the data model; under leniency it cannot be said"},
    {"dag-0403", LENIENT, "keys in another order and numbers longer than need be"},
    {"dag-0431", LENIENT,
     "judged by the first key as written; but what \"/\" would come first in "
     "cannot be written"},
    {"dag-0437", ACCEPT, "bytes"},
    {"dag-0438", ACCEPT, "\"/\" with a number is a map"},
    {"dag-0440", ACCEPT, "\"/\" with a list is a map"},
    {"dag-0443", REFUSE, "a string behind a first \"/\" must be a CID"},
    {"dag-0444", REFUSE, "the same"},
    {"dag-0445", REFUSE, "nothing may stand beside the string of a first \"/\""},
    {"dag-0446", LENIENT, "a map, since \"/\" is not its first key; sorted it is no longer one"},
    {"dag-0447", ACCEPT, "\"bytes\" with a number is a map"},
    {"dag-0449", REFUSE, "bytes are base64, not base64url"},
    {"dag-0452", REFUSE, "no bytes have one character"},
    {"dag-0453", ACCEPT, "CIDv0 in base58btc"},
    {"dag-0455", LENIENT, "CIDv1 is base32 in DAG-JSON"},
    {"dag-0457", REFUSE, "a CIDv0 has no multibase"},
    {"dag-0458", LENIENT, "keys are sorted by bytes"},
    {"dag-0459", LENIENT, "keys are sorted by bytes, not by length"},
    {"dag-0460", ACCEPT, "keys sorted by bytes"},
    {"dag-0461", LENIENT, "no white space"},
    {"dag-0462", LENIENT, "no white space at the end either"},
    {"dag-0464", LENIENT, "an escape that need not be; it still is the key \"/\""},
    {"dag-0470", REFUSE, "no double is that large, and infinity is no value"},
    {"dag-0471", ACCEPT, "an integer of 64 bits"},
    {"dag-0473", ACCEPT, "2^64 - 1 is an integer"},
    {"dag-0474", REFUSE, "2^64 is written as an integer and is none of DAG-CBOR"},
    {"dag-0476", ACCEPT, "integers go down to -2^64"},
    {"dag-0477", ACCEPT, "-2^64 itself"},
    {"dag-0479", REFUSE, "RFC 8259 has no leading zeros"},
    {"dag-0481", REFUSE, "RFC 8259 has no NaN"},
    {"dag-0482", REFUSE, "RFC 8259 has no infinity"},
    {"dag-0483", REFUSE, "half a surrogate pair is no character"},
    {"dag-0486", ACCEPT, "U+007F needs no escape"},
    {"dag-0487", ACCEPT, "U+2028 needs no escape"},
    {"dag-0489", REFUSE, "RFC 8259 has no trailing commas"},
    {"dag-0490", REFUSE, "RFC 8259 has no comments"},
    {"dag-0491", REFUSE, "RFC 8259 has no single quotes"},
    {"dag-0492", REFUSE, "nothing is no value"},
    {"dag-0494", REFUSE, "RFC 8259: no byte order mark"},
    {"dag-0500", ACCEPT, "floats keep a fraction, so that they stay floats"},
    {"dag-0501", ACCEPT, "1e-7 is its shortest form"},
    {"dag-0502", LENIENT, "1e21 is written 1e+21, as ECMAScript does"},
    {"dag-0503", ACCEPT, "nested, but not below 1,024 levels"},
    {"dag-0556", ACCEPT, "1,000 levels are allowed"},
    {"dag-0557", REFUSE, "10,000 levels are not"},
};
static bool asked[COUNT(choices)];

static const struct choice *choice_of(const char *id)
{
    for (size_t i = 0; i < COUNT(choices); i++) {
        if (strcmp(choices[i].id, id) != 0)
            continue;
        asked[i] = true;
        return &choices[i];
    }
    return NULL;
}

/* ---- cases ------------------------------------------------------------------------------ */

static size_t ran, left_out, failures;
static const struct dag_row *current;

#define FAIL(...)                                                                                  \
    do {                                                                                           \
        if (failures++ < 40) {                                                                     \
            printf("%s (%s): ", current->id, current->name);                                       \
            printf(__VA_ARGS__);                                                                   \
            putchar('\n');                                                                         \
        }                                                                                          \
    } while (0)

static const struct cid_dag_options lenient = {.allow = CID_DAG_ALLOW_ALL};

/* A conversion, its result on the heap and exactly as long as need be. */
static enum cid_error convert(struct bytes *out, uint64_t to, uint64_t from, struct bytes in,
                              const struct cid_dag_options *options)
{
    struct cid_bytes made;
    struct cid_fault fault = {0};
    enum cid_error error = cid_dag_make(&made, &fault, to, from, in.at, in.len, options, NULL);

    *out = (struct bytes){NULL, 0};
    if (error && (fault.code != error || fault.offset > in.len))
        FAIL("the fault of %s is %s at %llu", cid_error_name(error), cid_error_name(fault.code),
             (unsigned long long)fault.offset);
    if (error)
        return error;
    out->len = made.len;
    out->at = malloc(made.len + 1);
    memcpy(out->at, cid_bytes_of(&made), made.len);
    cid_bytes_free(&made, NULL);
    return CID_OK;
}

static bool same(struct bytes a, struct bytes b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

/* Whether a link is the one expected; in DAG-JSON, whose maps have another order, any of them. */
static bool is_expected(uint64_t codec, size_t i, const char *text)
{
    if (!current->has_links)
        return true;
    if (codec != CID_CODEC_DAG_JSON)
        return i < current->link_count && strcmp(text, current->links[i]) == 0;
    for (size_t k = 0; k < current->link_count; k++)
        if (strcmp(text, current->links[k]) == 0)
            return true;
    return false;
}

/* The links that the block holds against those of the line. */
static void check_links(uint64_t codec, struct bytes in, const struct cid_dag_options *options)
{
    static struct cid_links links;
    struct cid_view view;
    size_t count = 0;
    enum cid_error error = cid_links_begin(&links, codec, in.at, in.len, options);

    while (!error && !(error = cid_links_next(&links, &view))) {
        char text[4096];
        if (cid_format(text, sizeof text, NULL, &view, CID_BASE_DEFAULT))
            FAIL("a link cannot be printed");
        else if (!is_expected(codec, count, text))
            FAIL("link %zu is %s", count, text);
        count++;
    }
    if (error != CID_END)
        FAIL("links: %s", cid_error_name(error));
    else if (current->has_links && count != current->link_count)
        FAIL("%zu links, not %zu", count, current->link_count);
}

static void check_cid(uint64_t codec, struct bytes in, const char *text)
{
    struct cid cid;
    struct cid_view view;

    if (!*text)
        return;
    if (cid_parse(&cid, text, strlen(text), NULL)) {
        FAIL("%s is no CID", text);
        return;
    }
    view = cid_as_view(&cid);
    if (view.codec != codec || cid_verify(&view, in.at, in.len, NULL) == CID_E_MISMATCH)
        FAIL("%s is of another block", text);
    cid_free(&cid, NULL);
}

static uint64_t codec_of(const char *name)
{
    if (strcmp(name, "dag-json") == 0)
        return CID_CODEC_DAG_JSON;
    return strcmp(name, "dag-pb") == 0 ? CID_CODEC_DAG_PB : CID_CODEC_DAG_CBOR;
}

/* Whether the block is accepted, and written again as it was. */
static void round_trip(uint64_t codec, struct bytes in)
{
    struct bytes again;
    enum cid_error error = cid_dag_check(NULL, codec, in.at, in.len, NULL);

    if (error) {
        FAIL("refused: %s", cid_error_name(error));
        return;
    }
    error = convert(&again, codec, codec, in, NULL);
    if (error || !same(again, in))
        FAIL("is written otherwise: %s %.*s", cid_error_name(error), (int)again.len,
             (const char *)again.at);
    free(again.at);
}

static void accepted_leniently(uint64_t codec, struct bytes in)
{
    enum cid_error error = cid_dag_check(NULL, codec, in.at, in.len, &lenient);

    if (error)
        FAIL("refused even leniently: %s", cid_error_name(error));
    if (!cid_dag_check(NULL, codec, in.at, in.len, NULL))
        FAIL("accepted by default");
}

static void refused(uint64_t codec, struct bytes in, bool ever)
{
    struct bytes out;
    struct cid_fault fault = {0};
    enum cid_error error = cid_dag_check(&fault, codec, in.at, in.len, NULL);

    if (!error)
        FAIL("accepted");
    else if (fault.code != error || fault.offset > in.len)
        FAIL("a fault in no place");
    if (ever && !cid_dag_check(NULL, codec, in.at, in.len, &lenient) &&
        !convert(&out, CID_CODEC_DAG_CBOR, codec, in, &lenient)) {
        FAIL("accepted leniently");
        free(out.at);
    }
}

/* ---- kinds of cases --------------------------------------------------------------------- */

/* One block in two codecs: each is made from the other. */
static void pair(uint64_t a_codec, struct bytes a, uint64_t b_codec, struct bytes b,
                 const struct cid_dag_options *options)
{
    struct bytes made;
    enum cid_error error;

    if (!a.at || !b.at)
        return;
    error = convert(&made, b_codec, a_codec, a, options);
    if (error || !same(made, b))
        FAIL("0x%llx to 0x%llx: %s %.*s", (unsigned long long)a_codec, (unsigned long long)b_codec,
             cid_error_name(error), (int)made.len, (const char *)made.at);
    free(made.at);
}

static void fixture(const struct dag_row *row)
{
    const struct {
        uint64_t codec;
        struct bytes block;
        const char *cid;
    } forms[] = {{CID_CODEC_DAG_CBOR, row->dag_cbor, row->dag_cbor_cid},
                 {CID_CODEC_DAG_JSON, row->dag_json, row->dag_json_cid},
                 {CID_CODEC_DAG_PB, row->dag_pb, row->dag_pb_cid}};

    for (size_t i = 0; i < COUNT(forms); i++) {
        if (!forms[i].block.at)
            continue;
        round_trip(forms[i].codec, forms[i].block);
        check_links(forms[i].codec, forms[i].block, NULL);
        check_cid(forms[i].codec, forms[i].block, forms[i].cid);
        for (size_t k = 0; k < COUNT(forms); k++)
            pair(forms[i].codec, forms[i].block, forms[k].codec, forms[k].block, NULL);
    }
}

static void chosen(const struct dag_row *row, const struct choice *choice)
{
    uint64_t codec = codec_of(row->codec);

    switch (choice->verdict) {
    case REFUSE:
        refused(codec, row->hex, true);
        return;
    case LENIENT:
        accepted_leniently(codec, row->hex);
        if (row->dag_cbor.at)
            pair(codec, row->hex, CID_CODEC_DAG_CBOR, row->dag_cbor, &lenient);
        return;
    case ACCEPT:
        round_trip(codec, row->hex);
        check_links(codec, row->hex, NULL);
        if (row->dag_cbor.at && strcmp(row->id, "dag-0474") != 0)
            pair(codec, row->hex, CID_CODEC_DAG_CBOR, row->dag_cbor, NULL);
        return;
    }
}

/* Whether the one link of a block is a DASL CID. */
static bool is_dasl(struct bytes in)
{
    static struct cid_links links;
    struct cid_view view;

    return !cid_links_begin(&links, CID_CODEC_DAG_CBOR, in.at, in.len, NULL) &&
           !cid_links_next(&links, &view) && !cid_dasl_check_view(&view);
}

static void invalid_out(const struct dag_row *row)
{
    struct bytes made;

    if (codec_of(row->codec) != CID_CODEC_DAG_PB) { /* no bytes that are read are written so */
        refused(codec_of(row->codec), row->hex, false);
        return;
    }
    if (!convert(&made, CID_CODEC_DAG_PB, CID_CODEC_DAG_JSON, row->dag_json, &lenient)) {
        FAIL("written");
        free(made.at);
    }
}

static unsigned flips = 1; /* bits of each byte that are flipped: in the slow suite all of them */

/* Reads a block in every way. What is said of it is of no interest here, but that something is. */
static void look_at(uint64_t codec, struct bytes in)
{
    static const uint64_t to[] = {CID_CODEC_DAG_CBOR, CID_CODEC_DAG_JSON, CID_CODEC_DAG_PB};
    static uint8_t out[1 << 16];
    enum cid_error strict = cid_dag_check(NULL, codec, in.at, in.len, NULL);
    size_t written = 0;

    if (!strict && cid_dag_check(NULL, codec, in.at, in.len, &lenient))
        FAIL("accepted strictly only");
    for (size_t i = 0; i < COUNT(to); i++) {
        enum cid_error error = cid_dag_write(out, sizeof out, &written, NULL, to[i], codec, in.at,
                                             in.len, strict ? &lenient : NULL, NULL);
        if (error || strict || to[i] != codec || codec == CID_CODEC_DAG_PB)
            continue;
        if (written != in.len || memcmp(out, in.at, in.len) != 0)
            FAIL("accepted strictly and written otherwise");
    }
}

/* Every cut and flips of a block; each cut ends at the end of its block of memory. */
static void mangle(uint64_t codec, struct bytes block)
{
    size_t step = flips > 1 || block.len < 300 ? 1 : block.len / 100;

    if (!block.at)
        return;
    for (size_t len = 0; len < block.len; len += step) {
        struct bytes cut = {malloc(len + !len), len};
        memcpy(cut.at, block.at, len);
        if (!cid_dag_check(NULL, codec, cut.at, len, NULL) && codec != CID_CODEC_DAG_PB)
            FAIL("accepted when cut at %zu", len);
        look_at(codec, cut);
        free(cut.at);
    }
    for (size_t i = 0; i < block.len; i += step) {
        for (unsigned bit = 0; bit < flips; bit++) {
            uint8_t mask = (uint8_t)(1 << (flips > 1 ? bit : i % 8));
            block.at[i] ^= mask;
            look_at(codec, block);
            block.at[i] ^= mask;
        }
    }
}

static bool is_one_number(struct bytes block)
{
    return block.at && block.len != 0 && block.at[0] != '{' && block.at[0] != '[' &&
           block.at[0] != '"';
}

static void mangle_all(const struct dag_row *row)
{
    if (strcmp(row->kind, "fixture") != 0)
        return;
    mangle(CID_CODEC_DAG_CBOR, row->dag_cbor);
    if (!is_one_number(row->dag_json)) /* a part of a number is a number */
        mangle(CID_CODEC_DAG_JSON, row->dag_json);
    mangle(CID_CODEC_DAG_PB, row->dag_pb);
}

static void run_row(const struct dag_row *row)
{
    const struct choice *choice = choice_of(row->id);
    uint64_t codec = codec_of(row->codec);

    current = row;
    ran++;
    if (choice)
        chosen(row, choice);
    else if (strcmp(row->codec, "atproto-json") == 0)
        left_out++; /* a data model of its own on top of JSON */
    else if (!row->applies && !row->tagged_dasl)
        left_out++;
    else if (!row->applies && strcmp(row->id, "dag-0006") == 0)
        left_out++; /* DASL means sha2-256 here */
    else if (!row->applies && is_dasl(row->hex) != (strcmp(row->kind, "roundtrip") == 0))
        FAIL("by the DASL profile it is otherwise");
    else if (!row->applies)
        return;
    else if (strcmp(row->kind, "fixture") == 0)
        fixture(row);
    else if (strcmp(row->kind, "invalid_in") == 0)
        refused(codec, row->hex, codec == CID_CODEC_DAG_JSON);
    else if (strcmp(row->kind, "invalid_out") == 0)
        invalid_out(row);
    else if (strcmp(row->kind, "decode-only") == 0)
        accepted_leniently(codec, row->hex);
    else if (strcmp(row->kind, "roundtrip") == 0) {
        round_trip(codec, row->hex);
        check_links(codec, row->hex, NULL);
        pair(codec, row->hex, CID_CODEC_DAG_CBOR, row->dag_cbor, NULL);
        pair(CID_CODEC_DAG_CBOR, row->dag_cbor, codec, row->hex, NULL);
    } else {
        FAIL("kind %s, and no decision", row->kind);
    }
}

/* ---- the files -------------------------------------------------------------------------- */

static bool run_lines(const char *text, size_t len)
{
    static struct dag_row row;
    size_t lines = 0;

    for (const char *at = text, *end = text + len; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        if (stop > at && *at == '{') {
            lines++;
            if (!dag_row_read(&row, at, (size_t)(stop - at))) {
                printf("line %zu is not JSON\n", lines);
                return false;
            }
            run_row(&row);
            mangle_all(&row);
            dag_row_free(&row);
        }
        at = stop + 1;
    }
    for (size_t i = 0; i < COUNT(choices); i++) {
        if (asked[i])
            continue;
        printf("decision %s is for no row\n", choices[i].id);
        failures++;
    }
    printf("dag-cbor.jsonl: %zu of %zu rows run, %zu failures, %zu decided by us, %zu left out\n",
           ran, lines, failures, COUNT(choices), left_out);
    return failures == 0 && ran == lines && lines > 300;
}

/* dag-big.tsv: strict, its links, and round trips. */
static void big_row(struct tsv *tsv)
{
    char name[256];
    struct bytes block, json, again;
    static struct cid_links links;
    struct cid_view view;
    uint64_t size = 0;
    size_t count = 0;
    enum cid_error error;

    snprintf(name, sizeof name, "dag-big/%s", tsv_get(tsv, "file"));
    block.at = (uint8_t *)dag_load(name, &block.len);
    if (!block.at || !tsv_number(tsv, "size", &size) || size != block.len) {
        row_fail(tsv, "%s is not there as told", name);
        return;
    }
    error = cid_links_begin(&links, CID_CODEC_DAG_CBOR, block.at, block.len, NULL);
    while (!error && !(error = cid_links_next(&links, &view)))
        count++;
    snprintf(name, sizeof name, "ok, %zu links", count);
    if (error != CID_END || strncmp(tsv_get(tsv, "go"), name, strlen(name)) != 0)
        row_fail(tsv, "%s, %s", cid_error_name(error), name);
    if (convert(&json, CID_CODEC_DAG_JSON, CID_CODEC_DAG_CBOR, block, NULL) ||
        convert(&again, CID_CODEC_DAG_CBOR, CID_CODEC_DAG_JSON, json, NULL)) {
        row_fail(tsv, "is not converted");
        return;
    }
    if (!same(again, block))
        row_fail(tsv, "does not come back");
    free(block.at);
    free(json.at);
    free(again.at);
}

/* With an argument every bit of the fixtures is flipped, not some. */
int main(int argc, char **argv)
{
    static const struct dag_row none = {.id = "dag-big"};
    static const struct conformance big[] = {{"dag-big.tsv", big_row, NULL}};
    const char *folder = getenv("CID_VECTORS");
    size_t len = 0;
    char *text = folder && *folder ? dag_load("dag-cbor.jsonl", &len) : NULL;
    bool good = true;
    int status;

    (void)argv;
    flips = argc > 1 ? 8 : 1;
    current = &none;
    status = conformance_run(big, COUNT(big));
    if (!text)
        return status;
    good = run_lines(text, len);
    free(text);
    return good ? status : EXIT_FAILURE;
}
