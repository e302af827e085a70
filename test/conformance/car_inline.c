/*
 * Small archives, sound and broken, as a reader sees them, which does not look into an index: one
 * whose index alone is bad counts as good here. car_index.c opens them with their indexes.
 */
#include "car.h"
#include "conformance.h"

#include <stdio.h>

/* What was decided where the specifications are silent; text is as struct car_run has it. */
static const struct {
    struct decision decision;
    const char *text;
} decisions[] = {
    {{"car-inline-0080", "fully indexed without an index: read and noted, the blocks are sound"},
     "110+42 152+42 end"},
    {{"car-inline-0081", "unknown characteristics: read and noted, kept for what comes later"},
     "110+42 152+42 end"},
    {{"car-inline-0094", "an index at the very end: an index has a codec at least, so it was cut"},
     "110+42 152+42 v2_index_offset index@43 194/194"},
};

/* Which failures a reason may show as. The reasons of the data are hints, some of them wide. */
static const struct {
    const char *reason;
    enum cid_error errors[4];
} reasons[] = {
    {"bad-cid", {CID_E_CID_EXPLICIT_V0, CID_E_VARINT_NOT_MINIMAL}},
    {"bad-root", {CID_E_HEADER_ROOT}},
    {"data-offset", {CID_E_V2_DATA_OFFSET}},
    {"data-size", {CID_E_V2_DATA_SIZE, CID_E_TRUNCATED}},
    {"fuzz", {CID_E_VARINT_OVERFLOW, CID_E_HEADER_LIMIT, CID_E_MISMATCH}},
    {"hash", {CID_E_MISMATCH}},
    {"header-length", {CID_E_TRUNCATED, CID_E_HEADER_LIMIT, CID_E_HEADER_EMPTY}},
    {"header-shape", {CID_E_HEADER_TYPE, CID_E_HEADER_EMPTY}},
    {"index-offset", {CID_E_V2_INDEX_OFFSET}},
    {"inner-version", {CID_E_V2_INNER}},
    {"no-header-after-pragma", {CID_E_TRUNCATED}},
    {"no-roots", {CID_E_HEADER_NO_ROOTS}},
    {"no-version", {CID_E_HEADER_NO_VERSION}},
    {"section-length", {CID_E_TRUNCATED, CID_E_SECTION_LIMIT, CID_E_SECTION_SHORT}},
    {"varint-not-minimal", {CID_E_VARINT_NOT_MINIMAL}},
    {"varint-too-long", {CID_E_VARINT_OVERFLOW}},
    {"version", {CID_E_CAR_VERSION}},
    {"zero-length", {CID_E_SECTION_EMPTY}},
};

/* The first thing that is wrong; CID_END if nothing is. */
static enum cid_error first_error(const uint8_t *bytes, size_t len, uint64_t *version,
                                  size_t *blocks)
{
    struct cid_car_reader *reader = NULL;
    struct cid_car_block block;
    enum cid_error error = cid_car_reader_open(&reader, bytes, len, NULL, NULL, NULL);

    if (error)
        return error;
    *version = cid_car_reader_info(reader)->version;
    while ((error = cid_car_reader_next(reader, &block)) == CID_OK)
        ++*blocks;
    cid_car_reader_close(reader);
    return error;
}

/* "v1 ok:3" of other readers, where they could read it. */
static void check_count(struct tsv *tsv, const char *column, uint64_t version, size_t blocks)
{
    const char *verdict = tsv_get(tsv, column);
    unsigned their_version, their_blocks;

    if (verdict && sscanf(verdict, "v%u ok:%u", &their_version, &their_blocks) == 2 &&
        (their_version != version || their_blocks != blocks))
        row_fail(tsv, "version %u with %zu blocks", (unsigned)version, blocks);
}

static void valid(struct tsv *tsv, const uint8_t *bytes, size_t len)
{
    uint64_t version = 0;
    size_t blocks = 0;
    enum cid_error error = first_error(bytes, len, &version, &blocks);

    if (error != CID_END)
        row_fail(tsv, "%s", cid_error_name(error));
    check_count(tsv, "go", version, blocks);
    check_count(tsv, "js", version, blocks);
    check_count(tsv, "rust", version, blocks);
}

static void invalid(struct tsv *tsv, const uint8_t *bytes, size_t len)
{
    uint64_t version = 0;
    size_t blocks = 0;
    enum cid_error error = first_error(bytes, len, &version, &blocks);

    for (size_t i = 0; i < COUNT(reasons); i++) {
        if (!tsv_is(tsv, "reason", reasons[i].reason))
            continue;
        for (size_t k = 0; k < COUNT(reasons[i].errors) && reasons[i].errors[k]; k++)
            if (error == reasons[i].errors[k])
                return;
        row_fail(tsv, "%s", cid_error_name(error));
        return;
    }
    row_fail(tsv, "an unknown reason; %s", cid_error_name(error));
}

static void decided(struct tsv *tsv, const uint8_t *bytes, size_t len)
{
    size_t i = conformance_decision(tsv, decisions, COUNT(decisions), sizeof decisions[0]);
    struct car_run run = car_run_memory(bytes, len, NULL);

    if (i == SIZE_MAX)
        row_fail(tsv, "nothing has been decided; it gives \"%s\"", run.text);
    else if (strcmp(run.text, decisions[i].text) != 0)
        row_fail(tsv, "\"%s\"", run.text);
    car_run_free(&run);
}

static void row(struct tsv *tsv)
{
    uint8_t *bytes = NULL;
    size_t len = 0;
    struct car_run run;

    if (!tsv_hex(tsv, "hex", &bytes, &len)) {
        row_fail(tsv, "a row without bytes");
        return;
    }
    if (tsv_is(tsv, "expect", "valid") || tsv_is(tsv, "expect", "bad-index"))
        valid(tsv, bytes, len);
    else if (tsv_is(tsv, "expect", "invalid"))
        invalid(tsv, bytes, len);
    else
        decided(tsv, bytes, len);
    run = car_run_every_way(bytes, len, NULL); /* ends the program where they differ */
    car_run_free(&run);
    free(bytes);
}

static void end(struct tsv *tsv)
{
    conformance_decided(tsv, decisions, COUNT(decisions), sizeof decisions[0]);
}

int main(void)
{
    static const struct conformance files[] = {{"car-inline.tsv", row, end}};
    return conformance_run(files, 1);
}
