/*
 * Indexes. The entries of each file of car-index/, its size and order; that they point at the
 * blocks of the archive they come from; that the same bytes come out of an index made of that
 * archive; and that an archive of car-inline.tsv whose index is bad cannot be opened.
 */
#include "archive.h"
#include "conformance.h"

#include <inttypes.h>
#include <stdio.h>

/* Which archive an index is of, and what must be asked for to get the same one. */
static const struct source {
    const char *index;
    const char *archive;
    struct cid_car_index_options options;
} sources[] = {
    {"go-car--sample-rw-bs-v2", "go-car--sample-rw-bs-v2.car", {0}},
    {"go-car--sample-wrapped-v2", "go-car--sample-wrapped-v2.car", {0}},
    {"kubo--lotus_devnet_genesis_v2", "kubo--lotus_devnet_genesis_v2.car", {.identity = true}},
    {"sample-index", "go-car--sample-v1.car", {.codec = CID_CAR_INDEX_SORTED, .identity = true}},
    {"sample-multihash-index-sorted", "go-car--sample-v1.car", {0}},
};

static const struct source *source; /* of the file that is run */
static struct test_bytes index_bytes, archive_bytes;
static struct cid_car_index *in_memory, *in_file;
static struct car_file file;
static struct cid_car *car;
static uint64_t number;

static struct test_bytes read_whole(const char *format, const char *name)
{
    char path[256];
    FILE *in;
    struct test_bytes bytes = {NULL, 0};
    long size;

    snprintf(path, sizeof path, format, name);
    in = fopen(conformance_path(path), "rb");
    if (!in || fseek(in, 0, SEEK_END) != 0 || (size = ftell(in)) < 0) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(1);
    }
    rewind(in);
    bytes.data = malloc((size_t)size + 1);
    bytes.len = bytes.data ? fread(bytes.data, 1, (size_t)size, in) : 0;
    fclose(in);
    return bytes;
}

static void must(enum cid_error error, const char *what)
{
    if (!error)
        return;
    fprintf(stderr, "%s: %s: %s\n", source->index, what, cid_error_name(error));
    exit(1);
}

static void open_all(void)
{
    struct cid_car_open_options options = {.read = {.pass_unverifiable = true}};
    struct cid_file use;

    index_bytes = read_whole("car-index/%s.carindex", source->index);
    archive_bytes = read_whole("cars/%s", source->archive);
    must(cid_car_index_open(&in_memory, index_bytes.data, index_bytes.len, NULL, NULL), "open");
    file = car_file_of(index_bytes.data, index_bytes.len);
    use = car_file_use(&file);
    must(cid_car_index_open_file(&in_file, &use, NULL, NULL), "open a file");
    options.index = in_file;
    must(cid_car_open(&car, archive_bytes.data, archive_bytes.len, &options, NULL, NULL),
         "open the archive");
    number = 0;
}

/* ---- rows --------------------------------------------------------------------------------- */

static void check_entry(struct tsv *tsv, const struct cid_car_index *index, const uint8_t *digest,
                        size_t len, uint64_t offset)
{
    uint8_t buf[256];
    uint64_t code = 0;
    struct cid_car_entry entry = {0};
    struct cid_car_range range = {0};
    struct cid_multihash_view hash;
    enum cid_error error = cid_car_index_at(&entry, buf, sizeof buf, index, number);

    (void)!tsv_number(tsv, "mh_code", &code); /* "-" in an index that does not know */
    if (error || entry.hash_code != code || entry.digest_len != len ||
        memcmp(entry.digest, digest, len) != 0 || entry.section_in_payload != offset)
        row_fail(tsv, "entry %" PRIu64 ": %s, offset %" PRIu64, number, cid_error_name(error),
                 entry.section_in_payload);
    hash = (struct cid_multihash_view){code, digest, len};
    error = cid_car_index_find(&range, index, &hash);
    if (error || range.first > number || number - range.first >= range.count)
        row_fail(tsv, "is found at %" PRIu64 ": %s", range.first, cid_error_name(error));
}

static void row(struct tsv *tsv)
{
    uint8_t *digest = NULL;
    size_t len = 0;
    uint64_t offset = 0, width = 0;
    struct cid_car_block block;
    enum cid_error error;

    if (!tsv_hex(tsv, "digest", &digest, &len) || !tsv_number(tsv, "offset", &offset) ||
        !tsv_number(tsv, "bucket_width", &width) || width != len + 8) {
        row_fail(tsv, "a row without an entry");
        return;
    }
    check_entry(tsv, in_memory, digest, len, offset);
    check_entry(tsv, in_file, digest, len, offset);
    error = cid_car_get_at(&block, NULL, 0, NULL, car, offset, NULL);
    if (error || block.cid.hash.digest_len != len ||
        memcmp(block.cid.hash.digest, digest, len) != 0)
        row_fail(tsv, "points elsewhere: %s", cid_error_name(error));
    error = cid_car_get(&block, NULL, 0, NULL, car, &block.cid, NULL);
    if (error)
        row_fail(tsv, "the block is not got: %s", cid_error_name(error));
    free(digest);
    number++;
}

/* Makes the index of the archive, which must be that file, to the byte. */
static void compare_built(struct tsv *tsv)
{
    static const struct cid_car_options unchecked = {.skip_verify = true};
    struct cid_car_reader *reader = NULL;
    struct cid_car_index *index = NULL;
    struct car_sink sink = car_sink_new(false);
    struct cid_sink use = car_sink_use(&sink);

    must(
        cid_car_reader_open(&reader, archive_bytes.data, archive_bytes.len, &unchecked, NULL, NULL),
        "read the archive");
    must(cid_car_index_build(&index, reader, &source->options, NULL), "build");
    must(cid_car_index_write(index, &use), "write");
    if (sink.out.len != index_bytes.len ||
        memcmp(sink.out.data, index_bytes.data, index_bytes.len) != 0)
        row_fail(tsv, "the index built of %s is another", source->archive);
    car_sink_free(&sink);
    cid_car_index_close(index);
    cid_car_reader_close(reader);
}

static void end(struct tsv *tsv)
{
    if (number != cid_car_index_count(in_memory))
        row_fail(tsv, "the index has %" PRIu64 " entries", cid_car_index_count(in_memory));
    must(cid_car_index_check(in_memory, NULL), "check");
    must(cid_car_index_check(in_file, NULL), "check a file");
    compare_built(tsv);
    cid_car_close(car);
    cid_car_index_close(in_memory);
    cid_car_index_close(in_file);
    test_bytes_free(&index_bytes);
    test_bytes_free(&archive_bytes);
}

/* ---- small archives ----------------------------------------------------------------------- */

static void inline_row(struct tsv *tsv)
{
    uint8_t *bytes = NULL;
    size_t len = 0;
    struct cid_car *opened = NULL;
    enum cid_error error;

    if (!tsv_hex(tsv, "hex", &bytes, &len)) {
        row_fail(tsv, "a row without bytes");
        return;
    }
    error = cid_car_open(&opened, bytes, len, NULL, NULL, NULL);
    if (tsv_is(tsv, "expect", "bad-index") && error != CID_E_INDEX_COUNT)
        row_fail(tsv, "%s", cid_error_name(error));
    if (tsv_is(tsv, "expect", "valid") && error != CID_OK)
        row_fail(tsv, "%s", cid_error_name(error));
    cid_car_close(opened);
    free(bytes);
}

/* An index of a kind that is not known, and so a file of remarks without a row. */
static int check_unknown(void)
{
    struct test_bytes bytes = read_whole("car-index/%s.carindex", "spec--carv2-basic");
    struct cid_car_index *index = NULL;
    struct cid_fault fault = {0};
    enum cid_error error = cid_car_index_open(&index, bytes.data, bytes.len, &fault, NULL);

    test_bytes_free(&bytes);
    if (error == CID_E_INDEX_CODEC && fault.codec == 1)
        return 0;
    fprintf(stderr, "spec--carv2-basic.carindex: %s\n", cid_error_name(error));
    return 1;
}

/* An archive wrapped by us is the one that others wrapped. */
static int check_wrapped(void)
{
    static const struct cid_car_options unchecked = {.skip_verify = true};
    struct test_bytes v1 = read_whole("cars/%s", "go-car--sample-v1.car");
    struct test_bytes v2 = read_whole("cars/%s", "go-car--sample-wrapped-v2.car");
    struct cid_car_writer_options options = {.version = 2};
    struct car_sink sink = car_sink_new(true);
    struct cid_sink use = car_sink_use(&sink);
    struct cid_car_reader *reader = NULL;
    struct cid_car_writer *writer = NULL;
    int status;

    source = &sources[1];
    must(cid_car_reader_open(&reader, v1.data, v1.len, &unchecked, NULL, NULL), "read");
    options.header = cid_car_reader_header(reader, &options.header_len);
    must(cid_car_writer_open_sink(&writer, &use, &options, NULL), "write");
    must(cid_car_writer_copy(writer, reader), "copy");
    must(cid_car_writer_finish(writer, NULL), "finish");
    cid_car_writer_close(writer);
    cid_car_reader_close(reader);
    status = sink.out.len != v2.len || memcmp(sink.out.data, v2.data, v2.len) != 0;
    if (status)
        fprintf(stderr, "go-car--sample-v1.car: wrapped it is another\n");
    car_sink_free(&sink);
    test_bytes_free(&v1);
    test_bytes_free(&v2);
    return status;
}

int main(void)
{
    static const struct conformance inline_file = {"car-inline.tsv", inline_row, NULL};
    int status = conformance_run(&inline_file, 1);

    for (size_t i = 0; i < COUNT(sources) && status == 0; i++) {
        char name[256];
        struct conformance entries = {name, row, end};
        source = &sources[i];
        snprintf(name, sizeof name, "car-index/%s.carindex.tsv", source->index);
        open_all();
        status = conformance_run(&entries, 1);
    }
    if (status == 0)
        status = check_unknown() | check_wrapped();
    return status;
}
