#include "floats.h"
#include "harness.h"
#include "manifest.h"

#if defined(BENCH_WITH_JANSSON)
#include <jansson.h>

static size_t decode_group(json_t *group, manifest_use *use, void *ctx)
{
    json_t *files = json_object_get(group, "files");
    size_t count = json_array_size(files);

    for (size_t i = 0; i < count; i++) {
        json_t *cid = json_object_get(json_array_get(files, i), "cid");
        manifest_cid(use, ctx, json_string_value(cid), json_string_length(cid));
    }
    return count;
}

static size_t decode(const struct manifest *manifest, manifest_use *use, void *ctx)
{
    json_t *root = json_loadb(manifest->text, manifest->len, 0, NULL);
    json_t *groups = json_object_get(root, "groups");
    size_t count = 0;

    if (!root)
        bench_fail("jansson", "the manifest is refused");
    for (size_t i = 0; i < json_array_size(groups); i++)
        count += decode_group(json_array_get(groups, i), use, ctx);
    json_decref(root);
    return count;
}

static json_t *file_object(const struct manifest_file *file)
{
    json_t *object = json_object();
    char text[64];

    if (cid_format(text, sizeof text, NULL, &file->view, CID_BASE_DEFAULT))
        bench_fail("cid_format", "a CID of the manifest");
    json_object_set_new(object, "name", json_string(file->name));
    json_object_set_new(object, "path", json_string(file->path));
    json_object_set_new(object, "checksum", json_string(file->checksum));
    json_object_set_new(object, "cid", json_string(text));
    return object;
}

static size_t encode(struct manifest *manifest)
{
    json_t *root = json_object(), *groups = json_array();
    size_t len;

    for (size_t g = 0; g < MANIFEST_GROUPS; g++) {
        json_t *group = json_object(), *files = json_array();
        for (size_t f = 0; f < MANIFEST_FILES; f++)
            json_array_append_new(files, file_object(&manifest->file[g * MANIFEST_FILES + f]));
        json_object_set_new(group, "name", json_string(manifest->group[g]));
        json_object_set_new(group, "files", files);
        json_array_append_new(groups, group);
    }
    json_object_set_new(root, "groups", groups);
    len = json_dumpb(root, manifest->out, manifest->cap, JSON_COMPACT);
    json_decref(root);
    return len;
}

static size_t print_floats(struct floats *floats)
{
    json_t *root = json_array();
    size_t len;

    for (size_t i = 0; i < FLOATS_ALL; i++)
        json_array_append_new(root, json_real(floats->value[i]));
    len = json_dumpb(root, floats->out, sizeof floats->out, JSON_COMPACT);
    json_decref(root);
    return len;
}

static size_t read_floats(struct floats *floats)
{
    json_t *root = json_loadb(floats->text, floats->len, 0, NULL);
    size_t count = json_array_size(root);

    if (!root)
        bench_fail("jansson", "the doubles are refused");
    for (size_t i = 0; i < count; i++)
        floats->back[i] = json_real_value(json_array_get(root, i));
    json_decref(root);
    return count;
}

const struct manifest_codec manifest_jansson = {decode, encode};
const struct floats_codec floats_jansson = {print_floats, read_floats};

#else

const struct manifest_codec manifest_jansson = {NULL, NULL};
const struct floats_codec floats_jansson = {NULL, NULL};

#endif
