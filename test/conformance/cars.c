/*
 * Whole archives: what the head says, every block and where it is, verdicts, tallies; and that a
 * source in pieces gives the same as memory.
 */
#include "car.h"
#include "conformance.h"
#include "support.h"

#include <inttypes.h>
#include <stdio.h>

/* What is wrong with the invalid ones. offset is that of the fault. */
static const struct {
    const char *id;
    enum cid_error error;
    uint64_t offset;
} faults[] = {
    {"cars-0005", CID_E_HEADER_LIMIT, 0},
    {"cars-0012", CID_E_TRUNCATED, 0},
    {"cars-0018", CID_E_SECTION_EMPTY, 479907},
    {"cars-0020", CID_E_V2_DATA_OFFSET, 27},
};

struct tally {
    uint64_t code;
    size_t count;
};

/* What was counted over one archive. */
struct counts {
    size_t blocks;
    uint64_t payload;
    uint64_t min, max;
    size_t duplicates;
    size_t bad;
    struct tally codecs[16];
    struct tally hashes[16];
    struct cid_view *cids; /* in file order, then sorted */
};

static uint8_t *read_file(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;
    long size;

    if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0)
        return NULL;
    rewind(file);
    bytes = malloc((size_t)size + 1);
    if (bytes && fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    *len = (size_t)size;
    return bytes;
}

static void tally(struct tally *tallies, uint64_t code)
{
    for (size_t i = 0; i < 16; i++) {
        if (tallies[i].count == 0)
            tallies[i].code = code;
        if (tallies[i].code == code) {
            tallies[i].count++;
            return;
        }
    }
}

static int by_bytes(const void *a, const void *b)
{
    return cid_compare(a, b);
}

static void count(struct counts *counts, const struct cid_car_block *block)
{
    struct cid_view *cids = realloc(counts->cids, (counts->blocks + 1) * sizeof *cids);

    if (!cids)
        abort();
    counts->cids = cids;
    cids[counts->blocks++] = block->cid;
    counts->payload += block->data_len;
    if (counts->blocks == 1 || block->data_len < counts->min)
        counts->min = block->data_len;
    if (block->data_len > counts->max)
        counts->max = block->data_len;
    /* A function that the build lacks, and any other must be good. */
    if (block->verdict != (test_has_hash(block->cid.hash.code) ? CID_GOOD : CID_UNVERIFIABLE))
        counts->bad++;
    tally(counts->codecs, block->cid.codec);
    tally(counts->hashes, block->cid.hash.code);
}

/* ---- the list of blocks ------------------------------------------------------------------- */

static struct tsv *open_list(const char *file)
{
    char path[512];

    snprintf(path, sizeof path, "cars-blocks/%.*s.tsv", (int)(strlen(file) - strlen(".car")), file);
    return tsv_open(conformance_path(path));
}

static bool number_is(struct tsv *list, const char *column, uint64_t value)
{
    uint64_t listed = 0;

    return tsv_number(list, column, &listed) && listed == value;
}

/* Whether the next row of the list is this block. file is where the archive lies in memory. */
static bool block_is(struct tsv *list, const struct cid_car_block *block, const uint8_t *file)
{
    uint8_t *bytes = NULL;
    size_t len = 0;
    char text[512];
    bool right;

    if (!tsv_next(list) || !tsv_hex(list, "cid_hex", &bytes, &len))
        return false;
    right = len == block->cid.len && memcmp(bytes, block->cid.bytes, len) == 0 &&
            number_is(list, "section_offset", block->section_in_file) &&
            number_is(list, "section_length", block->section_len) &&
            number_is(list, "block_offset", (uint64_t)(block->data - file)) &&
            number_is(list, "block_length", block->data_len) &&
            cid_format(text, sizeof text, NULL, &block->cid, CID_BASE_DEFAULT) == CID_OK &&
            tsv_is(list, "cid", text);
    free(bytes);
    return right;
}

/* ---- rows --------------------------------------------------------------------------------- */

static void check_number(struct tsv *tsv, const char *column, uint64_t value)
{
    uint64_t wanted = 0;

    if (!tsv_number(tsv, column, &wanted) || wanted != value)
        row_fail(tsv, "%s is %" PRIu64, column, value);
}

static bool has_cid(const struct counts *counts, const struct cid_view *cid)
{
    return counts->blocks != 0 &&
           bsearch(cid, counts->cids, counts->blocks, sizeof *counts->cids, by_bytes) != NULL;
}

/* The roots in order, and how many have no block. An identity CID is its own block. */
static void check_roots(struct tsv *tsv, const struct cid_car_reader *reader,
                        const struct counts *counts)
{
    char roots[4096] = "";
    size_t len = 0;
    size_t missing = 0;

    for (size_t i = 0; i < cid_car_reader_info(reader)->root_count; i++) {
        struct cid_view root;
        size_t written = 0;
        if (cid_car_reader_root(&root, reader, i) ||
            cid_format(roots + len + (i > 0), sizeof roots - len - 2, &written, &root,
                       CID_BASE_DEFAULT)) {
            row_fail(tsv, "root %zu cannot be read", i);
            return;
        }
        if (i > 0)
            roots[len++] = ' ';
        len += written;
        missing += !has_cid(counts, &root) && root.hash.code != CID_HASH_IDENTITY;
    }
    if (!tsv_is(tsv, "roots", len == 0 ? "none" : roots))
        row_fail(tsv, "the roots are %s", roots);
    check_number(tsv, "roots_missing", missing);
}

static void check_v2(struct tsv *tsv, const struct cid_car_info *info, bool at_end)
{
    check_number(tsv, "version", info->version);
    if (info->version == 1)
        return;
    check_number(tsv, "data_offset", info->data_offset);
    check_number(tsv, "data_size", info->data_size);
    check_number(tsv, "index_offset", info->index_offset);
    if (at_end)
        check_number(tsv, "index_codec", info->index_codec);
}

static void check_fault(struct tsv *tsv, const struct cid_fault *fault)
{
    for (size_t i = 0; i < COUNT(faults); i++) {
        if (!tsv_is(tsv, "id", faults[i].id))
            continue;
        if (fault->code != faults[i].error || fault->offset != faults[i].offset)
            row_fail(tsv, "%s at %" PRIu64, cid_error_name(fault->code), fault->offset);
        return;
    }
    row_fail(tsv, "%s, which nobody expected", cid_error_name(fault->code));
}

static int by_code_text(const void *a, const void *b)
{
    char left[32], right[32];

    snprintf(left, sizeof left, "%" PRIx64, ((const struct tally *)a)->code);
    snprintf(right, sizeof right, "%" PRIx64, ((const struct tally *)b)->code);
    return strcmp(left, right);
}

static size_t write_tallies(char *out, size_t cap, const char *name, struct tally *tallies)
{
    size_t used = 0;
    size_t len;

    while (used < 16 && tallies[used].count != 0)
        used++;
    qsort(tallies, used, sizeof *tallies, by_code_text);
    len = (size_t)snprintf(out, cap, "\"%s\":{", name);
    for (size_t i = 0; i < used; i++)
        len += (size_t)snprintf(out + len, cap - len, "%s\"0x%" PRIx64 "\":%zu", i ? "," : "",
                                tallies[i].code, tallies[i].count);
    return len + (size_t)snprintf(out + len, cap - len, "},");
}

/* Another reader's tallies, where it has any: its line must hold ours to the letter. */
static void check_tallies(struct tsv *tsv, struct counts *counts)
{
    static char *all;
    char ours[2048], key[256];
    size_t len = 0;
    char *line, *end, *found;

    if (!all) {
        all = (char *)read_file(conformance_path("car-inspect.jsonl"), &len);
        if (!all)
            abort();
        all[len] = 0;
    }
    snprintf(key, sizeof key, "{\"file\":\"%s\",", tsv_get(tsv, "file"));
    line = strstr(all, key);
    if (!line || counts->blocks == 0)
        return;
    end = strchr(line, '\n');
    found = strstr(line, "\"codecs\":");
    if (!found || !end || found > end)
        return;
    len = write_tallies(ours, sizeof ours, "codecs", counts->codecs);
    len += write_tallies(ours + len, sizeof ours - len, "mhs", counts->hashes);
    snprintf(ours + len, sizeof ours - len,
             "\"min_block\":%" PRIu64 ",\"avg_block\":%" PRIu64 ",\"max_block\":%" PRIu64 "}",
             counts->min, counts->payload / counts->blocks, counts->max);
    if (strncmp(found, ours, strlen(ours)) != 0)
        row_fail(tsv, "tallies are %s", ours);
}

static void check_end(struct tsv *tsv, const struct cid_car_reader *reader, struct counts *counts,
                      enum cid_error error)
{
    if (counts->blocks != 0)
        qsort(counts->cids, counts->blocks, sizeof *counts->cids, by_bytes);
    for (size_t i = 1; i < counts->blocks; i++)
        counts->duplicates += cid_equal(&counts->cids[i - 1], &counts->cids[i]);
    check_number(tsv, "blocks", counts->blocks);
    check_number(tsv, "payload", counts->payload);
    check_number(tsv, "duplicates", counts->duplicates);
    if (counts->bad)
        row_fail(tsv, "%zu blocks that do not match", counts->bad);
    check_roots(tsv, reader, counts);
    check_v2(tsv, cid_car_reader_info(reader), error == CID_END);
    check_tallies(tsv, counts);
    if (tsv_is(tsv, "expect", "invalid"))
        check_fault(tsv, cid_car_reader_fault(reader));
    else if (error != CID_END)
        row_fail(tsv, "%s", cid_error_name(error));
}

static void check_blocks(struct tsv *tsv, struct cid_car_reader *reader, const uint8_t *file)
{
    struct tsv *list = open_list(tsv_get(tsv, "file"));
    struct counts counts = {0};
    struct cid_car_block block;
    enum cid_error error;

    while ((error = cid_car_reader_next(reader, &block)) == CID_OK || error == CID_E_MISMATCH ||
           error == CID_E_UNVERIFIABLE) {
        count(&counts, &block);
        if (list && !block_is(list, &block, file)) {
            row_fail(tsv, "block %" PRIu64 " is another", block.number);
            break;
        }
    }
    if (list && tsv_next(list))
        row_fail(tsv, "there are more blocks");
    if (!list && counts.blocks != 0)
        row_fail(tsv, "there is no list of blocks");
    check_end(tsv, reader, &counts, error);
    tsv_close(list);
    free(counts.cids);
}

/* A source in pieces of some primes must give what memory gives. */
static void check_sources(struct tsv *tsv, const uint8_t *bytes, size_t len)
{
    static const size_t chunks[] = {0, 61, 4099, 70001};
    struct car_run memory = car_run_memory(bytes, len, NULL);

    for (size_t i = 0; i < COUNT(chunks); i++) {
        struct car_source source = car_source_of(bytes, len, chunks[i], 0);
        struct car_run run = car_run_source(&source, NULL);
        if (strcmp(run.full, memory.full) != 0)
            row_fail(tsv, "a source in pieces of %zu gives something else", chunks[i]);
        car_run_free(&run);
    }
    car_run_free(&memory);
}

/* Without the data the same sections must be found, however many of them are skipped. */
static void check_skipping(struct tsv *tsv, const uint8_t *bytes, size_t len)
{
    static const struct cid_car_options unchecked = {.skip_verify = true};
    static const struct cid_car_options no_data = {.skip_data = true};
    static const size_t chunks[] = {0, 61, 4099, 70001};
    struct car_run all = car_run_memory(bytes, len, &unchecked);
    struct car_run memory = car_run_memory(bytes, len, &no_data);

    if (strcmp(all.text, memory.text) != 0)
        row_fail(tsv, "without data it is %s", memory.text);
    for (size_t i = 0; i < 2 * COUNT(chunks); i++) {
        struct car_source source = car_source_of(bytes, len, chunks[i / 2], 0);
        struct car_run run;
        source.skip_most = i % 2 ? 100000 : SIZE_MAX;
        run = car_run_source(&source, &no_data);
        if (strcmp(run.full, memory.full) != 0)
            row_fail(tsv, "a source that skips gives something else: %s", run.text);
        car_run_free(&run);
    }
    car_run_free(&memory);
    car_run_free(&all);
}

static void row(struct tsv *tsv)
{
    struct cid_fault fault = {0};
    struct cid_car_reader *reader = NULL;
    char path[512];
    uint8_t *bytes;
    size_t len = 0;

    snprintf(path, sizeof path, "cars/%s", tsv_get(tsv, "file"));
    bytes = read_file(conformance_path(path), &len);
    if (!bytes) {
        row_fail(tsv, "there is no such file");
        return;
    }
    check_number(tsv, "size", len);
    if (cid_car_reader_open(&reader, bytes, len, NULL, &fault, NULL) == CID_OK)
        check_blocks(tsv, reader, bytes);
    else if (tsv_is(tsv, "expect", "invalid"))
        check_fault(tsv, &fault);
    else
        row_fail(tsv, "%s at %" PRIu64, cid_error_name(fault.code), fault.offset);
    cid_car_reader_close(reader);
    check_sources(tsv, bytes, len);
    check_skipping(tsv, bytes, len);
    free(bytes);
}

int main(void)
{
    static const struct conformance files[] = {{"cars.tsv", row, NULL}};
    return conformance_run(files, 1);
}
