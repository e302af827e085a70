#include "manifest.h"

#include "harness.h"

#include <cid/json.h>

#include <stdio.h>
#include <string.h>

#define TEXT_CAP 6000000

static void fill_letters(struct bench_random *random, char *out, size_t len)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_./";

    for (size_t i = 0; i < len; i++)
        out[i] = letters[bench_random_below(random, sizeof letters - 1)];
    out[len] = '\0';
}

static void fill_file(struct manifest_file *file, struct bench_random *random)
{
    uint8_t digest[32];

    fill_letters(random, file->name, 20 + (size_t)bench_random_below(random, 16));
    fill_letters(random, file->path, 150 + (size_t)bench_random_below(random, 80));
    bench_random_fill(random, digest, sizeof digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(file->checksum + 2 * i, 3, "%02x", digest[i]);
    if (cid_write_v1(file->cid, sizeof file->cid, NULL, CID_CODEC_RAW, CID_HASH_SHA2_256, digest,
                     sizeof digest) ||
        cid_read_exact(&file->view, file->cid, sizeof file->cid))
        bench_fail("cid_write_v1", "a CID of the manifest");
}

struct manifest *manifest_make(uint64_t seed)
{
    struct manifest *manifest = bench_buffer(sizeof *manifest);
    struct bench_random random = {seed};

    for (size_t i = 0; i < MANIFEST_ALL; i++)
        fill_file(&manifest->file[i], &random);
    for (size_t i = 0; i < MANIFEST_GROUPS; i++)
        snprintf(manifest->group[i], sizeof manifest->group[i], "group-%02zu", i);
    manifest->cap = TEXT_CAP;
    manifest->out = bench_buffer(manifest->cap);
    manifest->text = bench_buffer(manifest->cap);
    manifest->len = manifest_write(manifest);
    memcpy(manifest->text, manifest->out, manifest->len);
    return manifest;
}

void manifest_free(struct manifest *manifest)
{
    if (!manifest)
        return;
    free(manifest->text);
    free(manifest->out);
    free(manifest);
}

static void write_file(struct cid_json *json, const struct manifest_file *file)
{
    char text[64];
    size_t len = 0;

    if (cid_format(text, sizeof text, &len, &file->view, CID_BASE_DEFAULT))
        bench_fail("cid_format", "a CID of the manifest");
    cid_json_object_begin(json);
    cid_json_key(json, "name");
    cid_json_text(json, file->name);
    cid_json_key(json, "path");
    cid_json_text(json, file->path);
    cid_json_key(json, "checksum");
    cid_json_text(json, file->checksum);
    cid_json_key(json, "cid");
    cid_json_string(json, text, len);
    cid_json_object_end(json);
}

size_t manifest_write(struct manifest *manifest)
{
    struct cid_json json;
    size_t written = 0;
    enum cid_error error;

    cid_json_begin(&json, manifest->out, manifest->cap, NULL, NULL);
    cid_json_object_begin(&json);
    cid_json_key(&json, "groups");
    cid_json_array_begin(&json);
    for (size_t g = 0; g < MANIFEST_GROUPS; g++) {
        cid_json_object_begin(&json);
        cid_json_key(&json, "name");
        cid_json_text(&json, manifest->group[g]);
        cid_json_key(&json, "files");
        cid_json_array_begin(&json);
        for (size_t f = 0; f < MANIFEST_FILES; f++)
            write_file(&json, &manifest->file[g * MANIFEST_FILES + f]);
        cid_json_array_end(&json);
        cid_json_object_end(&json);
    }
    cid_json_array_end(&json);
    cid_json_object_end(&json);
    error = cid_json_finish(&json, &written, false);
    if (error)
        bench_fail_error("cid_json_finish", error);
    return written;
}

void manifest_cid(manifest_use *use, void *ctx, const char *text, size_t len)
{
    struct cid cid;
    enum cid_error error = cid_parse(&cid, text, len, NULL);

    if (error)
        bench_fail_error("cid_parse", error);
    use(ctx, &cid);
    cid_free(&cid, NULL);
}
