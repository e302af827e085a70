#include "archive.h"

#include <inttypes.h>
#include <stdio.h>

struct car_file car_file_of(const void *bytes, size_t len)
{
    return (struct car_file){.bytes = bytes, .len = len, .grace = SIZE_MAX};
}

static enum cid_error read_file(void *ctx, void *buf, size_t len, uint64_t offset)
{
    struct car_file *file = ctx;

    if (file->calls++ >= file->grace)
        return CID_E_IO;
    assert_true(len > 0);
    assert_true(offset <= file->len && len <= file->len - offset);
    memcpy(buf, file->bytes + offset, len);
    return CID_OK;
}

struct cid_file car_file_use(struct car_file *file)
{
    return (struct cid_file){read_file, file, file->len};
}

struct car_sink car_sink_new(bool seekable)
{
    return (struct car_sink){.seekable = seekable, .grace = SIZE_MAX};
}

static enum cid_error give_up(struct car_sink *sink)
{
    sink->failed = true;
    return CID_E_IO;
}

static enum cid_error write_sink(void *ctx, const void *data, size_t len)
{
    struct car_sink *sink = ctx;

    assert_false(sink->failed);
    assert_true(len > 0);
    if (sink->calls++ >= sink->grace)
        return give_up(sink);
    sink->out.data = realloc(sink->out.data, sink->out.len + len);
    assert_non_null(sink->out.data);
    memcpy(sink->out.data + sink->out.len, data, len);
    sink->out.len += len;
    return CID_OK;
}

static enum cid_error patch_sink(void *ctx, const void *data, size_t len, uint64_t offset)
{
    struct car_sink *sink = ctx;

    assert_false(sink->failed);
    assert_true(len > 0);
    assert_true(offset <= sink->out.len && len <= sink->out.len - offset);
    if (sink->calls++ >= sink->grace)
        return give_up(sink);
    memcpy(sink->out.data + offset, data, len);
    return CID_OK;
}

struct cid_sink car_sink_use(struct car_sink *sink)
{
    return (struct cid_sink){write_sink, sink->seekable ? patch_sink : NULL, sink};
}

void car_sink_free(struct car_sink *sink)
{
    test_bytes_free(&sink->out);
    sink->out.len = 0;
}

const char *car_fault_text(const struct cid_fault *fault)
{
    static char text[160];
    int n = snprintf(text, sizeof text, "%s %s@%" PRIu64, cid_error_name(fault->code),
                     cid_field_name(fault->field), fault->offset);

    if (fault->need != 0 || fault->have != 0)
        snprintf(text + n, sizeof text - (size_t)n, " %" PRIu64 "/%" PRIu64, fault->need,
                 fault->have);
    return text;
}

struct cid_view car_cid(const char *hex, struct test_bytes *bytes)
{
    struct cid_view view;

    *bytes = test_hex(hex);
    assert_error(cid_read_exact(&view, bytes->data, bytes->len), CID_OK);
    return view;
}

void car_expect_bytes(const void *bytes, size_t len, const char *hex)
{
    struct test_bytes wanted = test_hex(hex);

    assert_int_equal(len, wanted.len);
    assert_memory_equal(bytes, wanted.data, len);
    test_bytes_free(&wanted);
}
