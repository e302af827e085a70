#include "floats.h"
#include "harness.h"
#include "manifest.h"

#if defined(BENCH_WITH_YAJL)
#include <string.h>
#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>

struct decoding {
    manifest_use *use;
    void *ctx;
    bool is_cid; /* the last key was "cid" */
    size_t count;
};

static int on_key(void *ctx, const unsigned char *key, size_t len)
{
    struct decoding *d = ctx;
    d->is_cid = len == 3 && memcmp(key, "cid", 3) == 0;
    return 1;
}

static int on_string(void *ctx, const unsigned char *text, size_t len)
{
    struct decoding *d = ctx;
    if (d->is_cid) {
        manifest_cid(d->use, d->ctx, (const char *)text, len);
        d->count++;
    }
    return 1;
}

static size_t decode(const struct manifest *manifest, manifest_use *use, void *ctx)
{
    static const yajl_callbacks callbacks = {.yajl_string = on_string, .yajl_map_key = on_key};
    struct decoding d = {.use = use, .ctx = ctx};
    yajl_handle handle = yajl_alloc(&callbacks, NULL, &d);

    if (!handle)
        bench_out_of_memory();
    if (yajl_parse(handle, (const unsigned char *)manifest->text, manifest->len) !=
            yajl_status_ok ||
        yajl_complete_parse(handle) != yajl_status_ok)
        bench_fail("yajl", "the manifest is refused");
    yajl_free(handle);
    return d.count;
}

static void put_text(yajl_gen gen, const char *text)
{
    yajl_gen_string(gen, (const unsigned char *)text, strlen(text));
}

static void put_file(yajl_gen gen, const struct manifest_file *file)
{
    char text[64];

    if (cid_format(text, sizeof text, NULL, &file->view, CID_BASE_DEFAULT))
        bench_fail("cid_format", "a CID of the manifest");
    yajl_gen_map_open(gen);
    put_text(gen, "name");
    put_text(gen, file->name);
    put_text(gen, "path");
    put_text(gen, file->path);
    put_text(gen, "checksum");
    put_text(gen, file->checksum);
    put_text(gen, "cid");
    put_text(gen, text);
    yajl_gen_map_close(gen);
}

static size_t encode(struct manifest *manifest)
{
    yajl_gen gen = yajl_gen_alloc(NULL);
    const unsigned char *text;
    size_t len = 0;

    if (!gen)
        bench_out_of_memory();
    yajl_gen_map_open(gen);
    put_text(gen, "groups");
    yajl_gen_array_open(gen);
    for (size_t g = 0; g < MANIFEST_GROUPS; g++) {
        yajl_gen_map_open(gen);
        put_text(gen, "name");
        put_text(gen, manifest->group[g]);
        put_text(gen, "files");
        yajl_gen_array_open(gen);
        for (size_t f = 0; f < MANIFEST_FILES; f++)
            put_file(gen, &manifest->file[g * MANIFEST_FILES + f]);
        yajl_gen_array_close(gen);
        yajl_gen_map_close(gen);
    }
    yajl_gen_array_close(gen);
    yajl_gen_map_close(gen);
    if (yajl_gen_get_buf(gen, &text, &len) != yajl_gen_status_ok || len > manifest->cap)
        bench_fail("yajl", "the manifest cannot be written");
    memcpy(manifest->out, text, len);
    yajl_gen_free(gen);
    return len;
}

/* ---- doubles ---------------------------------------------------------------------------- */

static size_t print_floats(struct floats *floats)
{
    yajl_gen gen = yajl_gen_alloc(NULL);
    const unsigned char *text;
    size_t len = 0;

    if (!gen)
        bench_out_of_memory();
    yajl_gen_array_open(gen);
    for (size_t i = 0; i < FLOATS_ALL; i++)
        yajl_gen_double(gen, floats->value[i]);
    yajl_gen_array_close(gen);
    if (yajl_gen_get_buf(gen, &text, &len) != yajl_gen_status_ok || len > sizeof floats->out)
        bench_fail("yajl", "the doubles cannot be written");
    memcpy(floats->out, text, len);
    yajl_gen_free(gen);
    return len;
}

static int on_double(void *ctx, double value)
{
    double **back = ctx;
    *(*back)++ = value;
    return 1;
}

static size_t read_floats(struct floats *floats)
{
    static const yajl_callbacks callbacks = {.yajl_double = on_double};
    double *back = floats->back;
    yajl_handle handle = yajl_alloc(&callbacks, NULL, &back);

    if (!handle)
        bench_out_of_memory();
    if (yajl_parse(handle, (const unsigned char *)floats->text, floats->len) != yajl_status_ok ||
        yajl_complete_parse(handle) != yajl_status_ok)
        bench_fail("yajl", "the doubles are refused");
    yajl_free(handle);
    return (size_t)(back - floats->back);
}

const struct manifest_codec manifest_yajl = {decode, encode};
const struct floats_codec floats_yajl = {print_floats, read_floats};

#else

const struct manifest_codec manifest_yajl = {NULL, NULL};
const struct floats_codec floats_yajl = {NULL, NULL};

#endif
