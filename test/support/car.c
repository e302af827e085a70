#include "car.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- sources ------------------------------------------------------------------------------ */

struct car_source car_source_of(const void *bytes, size_t len, size_t chunk, unsigned empties)
{
    return (struct car_source){
        .bytes = bytes, .len = len, .chunk = chunk, .empties = empties, .fail_at = SIZE_MAX};
}

static enum cid_error give(void *ctx, void *buf, size_t cap, size_t *got)
{
    struct car_source *source = ctx;
    size_t n = source->len - source->at;

    source->calls++;
    assert_true(cap > 0);
    if (source->empty < source->empties) {
        source->empty++;
        return CID_OK;
    }
    source->empty = 0;
    if (source->at >= source->fail_at)
        return source->error;
    if (n == 0)
        return CID_END;
    if (n > cap)
        n = cap;
    if (source->chunk != 0 && n > source->chunk)
        n = source->chunk;
    if (n > source->fail_at - source->at)
        n = source->fail_at - source->at;
    memcpy(buf, source->bytes + source->at, n);
    source->at += n;
    source->given += n;
    *got = n;
    return CID_OK;
}

static enum cid_error pass_over(void *ctx, uint64_t n, uint64_t *skipped)
{
    struct car_source *source = ctx;
    size_t left = source->len - source->at;

    assert_true(n > 0 && *skipped == 0);
    if (n > source->skip_most)
        n = source->skip_most;
    if (n > left)
        n = left;
    source->at += (size_t)n;
    source->skips += n != 0;
    *skipped = n;
    return CID_OK;
}

struct cid_source car_source_use(struct car_source *source)
{
    return (struct cid_source){give, source, source->skip_most != 0 ? pass_over : NULL};
}

/* ---- hashing ------------------------------------------------------------------------------ */

static enum cid_error sum_samples(void *ctx, uint8_t *out, size_t out_len, const void *data,
                                  size_t data_len)
{
    static const struct {
        const char *data;
        const char *digest;
    } known[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"a", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"},
        {"bc", "1e0bbd6c686ba050b8eb03ffeedc64fdc9d80947fce821abbe5d6dc8d252c5ac"},
    };

    (void)ctx;
    memset(out, 0, out_len);
    for (size_t i = 0; i < COUNT(known); i++) {
        struct test_bytes digest;
        if (strlen(known[i].data) != data_len || memcmp(known[i].data, data, data_len) != 0)
            continue;
        digest = test_hex(known[i].digest);
        assert_int_equal(out_len, digest.len);
        memcpy(out, digest.data, out_len);
        test_bytes_free(&digest);
    }
    return CID_OK;
}

struct cid_car_options car_options(const struct cid_car_options *options)
{
    static const struct cid_hash_function stand_in = {CID_HASH_SHA2_256, 32,  32, 32,
                                                      sum_samples,       NULL};
    static const struct cid_hash_options samples = {.functions = &stand_in, .function_count = 1};
    struct cid_car_options out = {0};

    if (options)
        out = *options;
    if (!out.hash && cid_hash_check(CID_HASH_SHA2_256, 32, NULL) != CID_OK)
        out.hash = &samples;
    return out;
}

/* ---- runs --------------------------------------------------------------------------------- */

struct text {
    char *chars;
    size_t len;
    size_t cap;
};

static void say(struct text *text, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (text->len + (size_t)n + 1 > text->cap) {
        text->cap = 2 * (text->len + (size_t)n + 1);
        text->chars = realloc(text->chars, text->cap);
        assert_non_null(text->chars);
    }
    va_start(args, format);
    vsnprintf(text->chars + text->len, (size_t)n + 1, format, args);
    va_end(args);
    text->len += (size_t)n;
}

static void say_hex(struct text *text, const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        say(text, "%02x", bytes[i]);
}

/* A sum of the data that would show any change (FNV-1a). */
static uint64_t sum_of(const uint8_t *bytes, size_t len)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < len; i++)
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static void say_fault(struct text *text, const struct cid_fault *fault)
{
    say(text, "%s %s@%" PRIu64, cid_error_name(fault->code), cid_field_name(fault->field),
        fault->offset);
    if (fault->need != 0 || fault->have != 0)
        say(text, " %" PRIu64 "/%" PRIu64, fault->need, fault->have);
}

static void say_view(struct text *text, const struct cid_view *view)
{
    say(text, " cid v%u codec %" PRIx64 " hash %" PRIx64 " ", view->version, view->codec,
        view->hash.code);
    say_hex(text, view->bytes, view->len);
    say(text, " digest ");
    say_hex(text, view->hash.digest, view->hash.digest_len);
}

static void say_block(struct text *full, const struct cid_car_block *block)
{
    say(full, "block %" PRIu64 " payload %" PRIu64 " file %" PRIu64 " len %" PRIu64 " verdict %d",
        block->number, block->section_in_payload, block->section_in_file, block->section_len,
        (int)block->verdict);
    assert_true(block->reserved[0] == 0 && block->reserved[1] == 0);
    say_view(full, &block->cid);
    say(full, " data %zu", block->data_len);
    if (block->data)
        say(full, " %" PRIx64, sum_of(block->data, block->data_len));
    say(full, "\n");
}

static void say_info(struct text *full, const struct cid_car_reader *reader, bool at_end)
{
    const struct cid_car_info *info = cid_car_reader_info(reader);
    size_t header_len = 0;
    const uint8_t *header = cid_car_reader_header(reader, &header_len);
    struct cid_view view;

    assert_int_equal(info->size, sizeof *info);
    say(full, "version %" PRIu64 " header %" PRIu64 "+%" PRIu64 " notes %x v2 ", info->version,
        info->header_offset, info->header_len, info->notes);
    say_hex(full, info->characteristics, 16);
    say(full, " %" PRIu64 " %" PRIu64 " %" PRIu64 " padding %" PRIu64 " payload %" PRIu64 "\n",
        info->data_offset, info->data_size, info->index_offset, info->padding_len,
        info->payload_len);
    if (at_end)
        say(full, "file %" PRIu64 " index %" PRIx64 "\n", info->file_len, info->index_codec);
    say(full, "header ");
    say_hex(full, header, header_len);
    for (size_t i = 0; i < info->root_count; i++) {
        assert_error(cid_car_reader_root(&view, reader, i), CID_OK);
        say_view(full, &view);
    }
    assert_error(cid_car_reader_root(&view, reader, info->root_count), CID_E_NOT_FOUND);
    say(full, "\n");
}

static const char *mark(enum cid_verdict verdict)
{
    switch (verdict) {
    case CID_UNCHECKED:
        return "-";
    case CID_GOOD:
        return "";
    case CID_MISMATCH:
        return "!";
    case CID_UNVERIFIABLE:
        return "?";
    }
    return "#";
}

static bool gave_block(enum cid_error error)
{
    return error == CID_OK || error == CID_E_MISMATCH || error == CID_E_UNVERIFIABLE;
}

static void read_all(struct cid_car_reader *reader, struct text *text, struct text *full,
                     size_t *blocks)
{
    struct cid_car_block block;
    enum cid_error error;

    while (gave_block(error = cid_car_reader_next(reader, &block))) {
        say(text, "%" PRIu64 "+%" PRIu64 "%s ", block.section_in_file, block.section_len,
            mark(block.verdict));
        say_block(full, &block);
        assert_true(block.number == (*blocks)++);
        if (error)
            assert_error(cid_car_reader_fault(reader)->code, error);
        assert_true(cid_car_reader_info(reader)->payload_len ==
                    block.section_in_payload + block.section_len);
    }
    if (error == CID_END) {
        say(text, "end");
    } else {
        assert_error(cid_car_reader_fault(reader)->code, error);
        say_fault(text, cid_car_reader_fault(reader));
    }
    for (int i = 0; i < 3; i++) /* it stays so */
        assert_error(cid_car_reader_next(reader, &block), error);
    say_info(full, reader, error == CID_END);
}

struct car_run car_run_reader(struct cid_car_reader *reader, const struct cid_fault *fault)
{
    struct text text = {0}, full = {0};
    struct car_run run = {0};

    say(&text, "%s", "");
    say(&full, "%s", "");
    if (reader) {
        read_all(reader, &text, &full, &run.blocks);
    } else {
        say(&text, "open: ");
        say_fault(&text, fault);
    }
    say(&full, "%s", text.chars);
    cid_car_reader_close(reader);
    run.text = text.chars;
    run.full = full.chars;
    return run;
}

struct car_run car_run_memory(const void *bytes, size_t len, const struct cid_car_options *options)
{
    struct cid_car_options used = car_options(options);
    struct cid_fault fault = {0};
    struct cid_car_reader *reader = NULL;
    enum cid_error error = cid_car_reader_open(&reader, bytes, len, &used, &fault, NULL);

    assert_error(fault.code, error);
    assert_int_equal(error == CID_OK, reader != NULL);
    return car_run_reader(reader, &fault);
}

struct car_run car_run_source(struct car_source *source, const struct cid_car_options *options)
{
    struct cid_car_options used = car_options(options);
    struct cid_fault fault = {0};
    struct cid_car_reader *reader = NULL;
    struct cid_source use = car_source_use(source);
    enum cid_error error = cid_car_reader_open_source(&reader, &use, &used, &fault, NULL);

    assert_error(fault.code, error);
    assert_int_equal(error == CID_OK, reader != NULL);
    return car_run_reader(reader, &fault);
}

void car_run_free(struct car_run *run)
{
    free(run->text);
    free(run->full);
    memset(run, 0, sizeof *run);
}

struct car_run car_run_every_way(const void *bytes, size_t len,
                                 const struct cid_car_options *options)
{
    static const struct {
        size_t chunk;
        unsigned empties;
    } ways[] = {{0, 0}, {1, 0}, {1, 2}, {7, 0}, {7, 1}, {64, 0}};
    const uint8_t *guarded = test_guard(bytes, len);
    struct car_run run = car_run_memory(guarded, len, options);

    for (size_t i = 0; i < COUNT(ways); i++) {
        struct car_source source = car_source_of(guarded, len, ways[i].chunk, ways[i].empties);
        struct car_run other;
        if (len > 10000 && ways[i].chunk != 0)
            source.chunk *= 1009; /* large files in larger pieces, to be done today */
        if (len > 1000000 && ways[i].empties != 0)
            continue;
        other = car_run_source(&source, options);
        assert_string_equal(other.full, run.full);
        car_run_free(&other);
    }
    test_guard_release();
    return run;
}

void car_expect(const char *name, const char *hex, const struct cid_car_options *options,
                const char *expected)
{
    struct test_bytes bytes = test_hex(hex);
    struct car_run run = car_run_every_way(bytes.data, bytes.len, options);

    if (strcmp(run.text, expected) != 0)
        fail_msg("%s: \"%s\" instead of \"%s\"", name, run.text, expected);
    car_run_free(&run);
    test_bytes_free(&bytes);
}
