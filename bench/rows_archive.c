/*
 * car/{index,get,write,wrap}/small and car/write/hashed: what is done with an archive as a whole.
 * An operation is a block. Each row has an engine beside the library that does only what cannot be
 * avoided, so that the difference is the library's own share:
 *
 *   index   reading the sections of the archive ("framing")
 *   get     the system call that brings the section ("pread"); and all but the check ("unverified")
 *   write   copying the bytes, a block at a time ("memcpy"); hashing the blocks ("hash")
 *   wrap    copying the file, and making an index of it ("copy")
 */
#include "rows.h"

#include "archive.h"

#include <cid/car.h>

#include <string.h>
#include <unistd.h>

struct place {
    uint64_t offset; /* of the section */
    size_t len;
    size_t data_at; /* in the section */
};

struct work {
    size_t count;
    const struct archive *archive;
    struct cid_view *view; /* of each block */
    struct place *place;
    size_t *order;          /* a permutation */
    struct cid_view *query; /* the CIDs in that order, ... */
    uint8_t *query_bytes;   /* ... and one behind the other, as a caller would have them */
    uint8_t *out;           /* room for the archive and an index */
    uint8_t *header;
    size_t header_len;
    FILE *file; /* the archive on disk */
    FILE *target;
    struct cid_car *car;
    struct cid_car *unchecked;
};

static void must(enum cid_error error, const char *what)
{
    if (error)
        bench_fail_error(what, error);
}

static struct cid_car_reader *open_reader(const struct work *in)
{
    static const struct cid_car_options unchecked = {.skip_verify = true};
    struct cid_car_reader *reader = NULL;

    must(cid_car_reader_open(&reader, in->archive->data, in->archive->len, &unchecked, NULL,
                             bench_count.allocator),
         "cid_car_reader_open");
    return reader;
}

/* ---- index -------------------------------------------------------------------------------- */

static uint64_t index_libcid(struct work *in)
{
    struct cid_car_reader *reader = open_reader(in);
    struct cid_car_index *index = NULL;
    uint64_t count;

    must(cid_car_index_build(&index, reader, NULL, bench_count.allocator), "cid_car_index_build");
    count = cid_car_index_count(index);
    cid_car_index_close(index);
    cid_car_reader_close(reader);
    return count;
}
BENCH_PASSES(index_libcid, struct work, in->count)

static uint64_t index_framing(struct work *in)
{
    struct cid_car_reader *reader = open_reader(in);
    struct cid_car_block block;
    uint64_t count = 0;

    while (cid_car_reader_next(reader, &block) == CID_OK) {
        bench_keep(&block);
        count++;
    }
    cid_car_reader_close(reader);
    return count;
}
BENCH_PASSES(index_framing, struct work, in->count)

/* ---- get ---------------------------------------------------------------------------------- */

#define SECTION_MAX 1024
#define QUERY_SIZE  36

BENCH_INLINE void get_from(const struct work *in, const struct cid_car *car, size_t i,
                           struct bench_answer *answer)
{
    uint8_t buf[SECTION_MAX];
    struct cid_car_block block;
    enum cid_error error = cid_car_get(&block, buf, sizeof buf, NULL, car, &in->query[i], NULL);

    if (error)
        bench_fail_error("cid_car_get", error);
    bench_keep(&block);
    if (answer)
        bench_answer_add(answer, block.data, block.data_len);
}

BENCH_INLINE void get_libcid(const struct work *in, size_t i, struct bench_answer *answer)
{
    get_from(in, in->car, i, answer);
}
BENCH_OP(get_libcid, struct work)

BENCH_INLINE void get_unverified(const struct work *in, size_t i, struct bench_answer *answer)
{
    get_from(in, in->unchecked, i, answer);
}
BENCH_OP(get_unverified, struct work)

BENCH_INLINE void get_pread(const struct work *in, size_t i, struct bench_answer *answer)
{
    uint8_t buf[SECTION_MAX];
    const struct place *place = &in->place[in->order[i]];

    if (pread(fileno(in->file), buf, place->len, (off_t)place->offset) != (ssize_t)place->len)
        bench_fail("pread", "failed");
    bench_keep(buf);
    if (answer)
        bench_answer_add(answer, buf + place->data_at, place->len - place->data_at);
}
BENCH_OP(get_pread, struct work)

/* ---- write -------------------------------------------------------------------------------- */

static uint64_t sum_out(const struct work *in, uint64_t len)
{
    return len + in->out[len / 2] + in->out[len - 1];
}

static struct cid_car_writer *open_writer(const struct work *in)
{
    struct cid_car_writer_options options = {.header = in->header, .header_len = in->header_len};
    struct cid_car_writer *writer = NULL;

    must(cid_car_writer_open(&writer, in->out, in->archive->len, &options, bench_count.allocator),
         "cid_car_writer_open");
    return writer;
}

static uint64_t finish(const struct work *in, struct cid_car_writer *writer)
{
    uint64_t len = 0;

    must(cid_car_writer_finish(writer, &len), "cid_car_writer_finish");
    cid_car_writer_close(writer);
    return sum_out(in, len);
}

static inline size_t data_len(const struct work *in, size_t i)
{
    return in->place[i].len - in->place[i].data_at;
}

static inline const uint8_t *data_of(const struct work *in, size_t i)
{
    return in->archive->data + in->place[i].offset + in->place[i].data_at;
}

static uint64_t write_libcid(struct work *in)
{
    struct cid_car_writer *writer = open_writer(in);

    for (size_t i = 0; i < in->count; i++)
        must(cid_car_writer_put(writer, NULL, &in->view[i], data_of(in, i), data_len(in, i)),
             "cid_car_writer_put");
    return finish(in, writer);
}
BENCH_PASSES(write_libcid, struct work, in->count)

static uint64_t write_memcpy(struct work *in)
{
    const uint8_t *data = in->archive->data;
    size_t at = in->archive->sections_at;

    memcpy(in->out, data, at);
    for (size_t i = 0; i < in->count; i++) {
        memcpy(in->out + at, data + in->place[i].offset, in->place[i].len);
        at += in->place[i].len;
    }
    return sum_out(in, at);
}
BENCH_PASSES(write_memcpy, struct work, in->count)

static uint64_t hashed_libcid(struct work *in)
{
    struct cid_car_writer *writer = open_writer(in);

    for (size_t i = 0; i < in->count; i++) {
        struct cid_prefix prefix = {in->view[i].codec, CID_HASH_SHA2_256, 32, 1};
        must(cid_car_writer_add(writer, NULL, NULL, &prefix, data_of(in, i), data_len(in, i)),
             "cid_car_writer_add");
    }
    return finish(in, writer);
}
BENCH_PASSES(hashed_libcid, struct work, in->count)

/* The digests are those of the archive, and so its answer is that of copying it. */
static uint64_t hashed_hash(struct work *in)
{
    uint8_t digest[32];

    for (size_t i = 0; i < in->count; i++) {
        must(cid_hash_sum(digest, sizeof digest, NULL, CID_HASH_SHA2_256, 32, data_of(in, i),
                          data_len(in, i), NULL),
             "cid_hash_sum");
        bench_keep(digest);
        if (i == in->count / 2 && memcmp(digest, in->view[i].hash.digest, 32) != 0)
            bench_fail("cid_hash_sum", "another digest");
    }
    return in->archive->len + in->archive->data[in->archive->len / 2] +
           in->archive->data[in->archive->len - 1];
}
BENCH_PASSES(hashed_hash, struct work, in->count)

/* ---- wrap --------------------------------------------------------------------------------- */

static void rewind_both(const struct work *in)
{
    if (lseek(fileno(in->file), 0, SEEK_SET) != 0 || lseek(fileno(in->target), 0, SEEK_SET) != 0)
        bench_fail("lseek", "failed");
}

static uint64_t wrap_libcid(struct work *in)
{
    static const struct cid_car_options unchecked = {.skip_verify = true};
    struct cid_car_writer_options options = {.version = 2};
    struct cid_car_reader *reader = NULL;
    struct cid_car_writer *writer = NULL;
    struct cid_output *output = NULL;
    struct cid_sink sink;

    rewind_both(in);
    must(cid_car_reader_open_fd(&reader, fileno(in->file), &unchecked, NULL, bench_count.allocator),
         "cid_car_reader_open_fd");
    options.header = cid_car_reader_header(reader, &options.header_len);
    must(cid_output_open_fd(&output, fileno(in->target), bench_count.allocator),
         "cid_output_open_fd");
    sink = cid_output_sink(output);
    must(cid_car_writer_open_sink(&writer, &sink, &options, bench_count.allocator),
         "cid_car_writer_open_sink");
    must(cid_car_writer_copy(writer, reader), "cid_car_writer_copy");
    must(cid_car_writer_finish(writer, NULL), "cid_car_writer_finish");
    cid_car_writer_close(writer);
    cid_output_close(output);
    cid_car_reader_close(reader);
    return in->count;
}
BENCH_PASSES(wrap_libcid, struct work, in->count)

static uint64_t wrap_copy(struct work *in)
{
    ssize_t n;

    rewind_both(in);
    while ((n = read(fileno(in->file), in->out, 256 << 10)) > 0)
        if (write(fileno(in->target), in->out, (size_t)n) != n)
            bench_fail("write", "failed");
    return index_libcid(in);
}
BENCH_PASSES(wrap_copy, struct work, in->count)

/* ---- rows --------------------------------------------------------------------------------- */

static void look_through(struct work *in)
{
    struct cid_car_reader *reader = open_reader(in);
    struct cid_car_block block;
    const uint8_t *header = cid_car_reader_header(reader, &in->header_len);

    in->header = bench_buffer(in->header_len);
    memcpy(in->header, header, in->header_len);
    for (size_t i = 0; cid_car_reader_next(reader, &block) == CID_OK; i++) {
        in->view[i] = block.cid;
        in->order[i] = i;
        in->place[i] = (struct place){block.section_in_file, (size_t)block.section_len,
                                      (size_t)(block.data - in->archive->data) -
                                          (size_t)block.section_in_file};
    }
    cid_car_reader_close(reader);
}

static void shuffle(struct work *in, uint64_t seed)
{
    struct bench_random random = {~seed};

    for (size_t i = in->count - 1; i > 0; i--) {
        size_t j = (size_t)bench_random_below(&random, i + 1);
        size_t held = in->order[i];
        in->order[i] = in->order[j];
        in->order[j] = held;
    }
}

static void copy_queries(struct work *in)
{
    in->query = bench_buffer(in->count * sizeof *in->query);
    in->query_bytes = bench_buffer(in->count * QUERY_SIZE);
    for (size_t i = 0; i < in->count; i++) {
        uint8_t *bytes = in->query_bytes + i * QUERY_SIZE;
        size_t len = 0;
        must(cid_write(bytes, QUERY_SIZE, &len, &in->view[in->order[i]]), "cid_write");
        must(cid_read_exact(&in->query[i], bytes, len), "cid_read_exact");
    }
}

static FILE *make_file(const struct work *in, bool with_archive)
{
    FILE *file = tmpfile();

    if (!file ||
        (with_archive &&
         fwrite(in->archive->data, 1, in->archive->len, file) != in->archive->len) ||
        fflush(file) != 0)
        bench_fail("tmpfile", "no file can be written");
    return file;
}

static struct work *open_work(struct bench_row *row, uint64_t seed)
{
    struct work *in = bench_buffer(sizeof *in);

    memset(in, 0, sizeof *in);
    in->archive = archive_get(ARCHIVE_MANY, seed, NULL);
    in->count = in->archive->blocks;
    in->view = bench_buffer(in->count * sizeof *in->view);
    in->place = bench_buffer(in->count * sizeof *in->place);
    in->order = bench_buffer(in->count * sizeof *in->order);
    look_through(in);
    shuffle(in, seed);
    row->input = in;
    row->op = "block";
    row->inputs = in->count;
    row->bytes_per_op = (double)in->archive->len / (double)in->count;
    return in;
}

static void open_pass(struct bench_row *row)
{
    row->whole = true;
    row->answers = 1;
    row->ops_answer = row->inputs;
}

static void open_index(struct bench_row *row, uint64_t seed)
{
    struct work *in = open_work(row, seed);

    open_pass(row);
    bench_add(row, BENCH_ENGINE("libcid", index_libcid, in));
    bench_add(row, BENCH_ENGINE("framing", index_framing, in));
}

static void open_get(struct bench_row *row, uint64_t seed)
{
    struct work *in = open_work(row, seed);
    struct cid_car_open_options options = {.read = {.skip_verify = !in->archive->verifiable}};

    copy_queries(in);
    in->file = make_file(in, true);
    must(cid_car_open_fd(&in->car, fileno(in->file), &options, NULL, NULL), "cid_car_open_fd");
    options.read.skip_verify = true;
    must(cid_car_open_fd(&in->unchecked, fileno(in->file), &options, NULL, NULL),
         "cid_car_open_fd");
    row->answers = 1000;
    bench_add_tiered(row, BENCH_ENGINE("libcid", get_libcid, in));
    bench_add(row, BENCH_ENGINE("unverified", get_unverified, in));
    bench_add(row, BENCH_ENGINE("pread", get_pread, in));
}

static void open_write(struct bench_row *row, uint64_t seed)
{
    struct work *in = open_work(row, seed);

    in->out = bench_buffer(in->archive->len);
    open_pass(row);
    bench_add(row, BENCH_ENGINE("libcid", write_libcid, in));
    bench_add(row, BENCH_ENGINE("memcpy", write_memcpy, in));
}

static void open_hashed(struct bench_row *row, uint64_t seed)
{
    struct work *in = open_work(row, seed);

    in->out = bench_buffer(in->archive->len);
    open_pass(row);
    if (!in->archive->verifiable) {
        fprintf(stderr, "cid-bench: %s: left out: this build cannot hash\n", row->name);
        return;
    }
    bench_add(row, BENCH_ENGINE("libcid", hashed_libcid, in));
    bench_add(row, BENCH_ENGINE("hash", hashed_hash, in));
}

static void open_wrap(struct bench_row *row, uint64_t seed)
{
    struct work *in = open_work(row, seed);

    in->file = make_file(in, true);
    in->target = make_file(in, false);
    in->out = bench_buffer(256 << 10);
    open_pass(row);
    bench_add(row, BENCH_ENGINE("libcid", wrap_libcid, in));
    bench_add(row, BENCH_ENGINE("copy", wrap_copy, in));
}

static void close_work(struct bench_row *row)
{
    struct work *in = row->input;

    cid_car_close(in->car);
    cid_car_close(in->unchecked);
    if (in->file)
        fclose(in->file);
    if (in->target)
        fclose(in->target);
    free(in->view);
    free(in->place);
    free(in->order);
    free(in->query);
    free(in->query_bytes);
    free(in->header);
    free(in->out);
    archive_put(ARCHIVE_MANY);
    bench_close_input(row);
}

void bench_rows_archive(struct bench_rows *rows)
{
    static const struct {
        const char *name;
        void (*open)(struct bench_row *row, uint64_t seed);
    } all[] = {
        {"car/index/small", open_index}, {"car/get/small", open_get},
        {"car/write/small", open_write}, {"car/write/hashed", open_hashed},
        {"car/wrap/small", open_wrap},
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct bench_row *row = bench_rows_add(rows, "%s", all[i].name);
        row->open = all[i].open;
        row->close = close_work;
    }
}
