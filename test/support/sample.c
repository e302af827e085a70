#include "sample.h"

const struct car_sample car_d1 = {CAR_D1, "a"};
const struct car_sample car_d2 = {CAR_D2, "bc"};

enum cid_error car_put(struct cid_car_writer *writer, const struct car_sample *block,
                       uint64_t *offset)
{
    struct test_bytes bytes;
    struct cid_view cid = car_cid(block->cid, &bytes);
    enum cid_error error =
        cid_car_writer_put(writer, offset, &cid, block->data, strlen(block->data));

    test_bytes_free(&bytes);
    return error;
}

/* Sets the root D1, which is where options.reserve leads. */
enum cid_error car_set_root(struct cid_car_writer *writer)
{
    struct test_bytes bytes;
    struct cid_view root = car_cid(CAR_D1, &bytes);
    enum cid_error error = cid_car_writer_set_roots(writer, &root, 1);

    test_bytes_free(&bytes);
    return error;
}

/* Writes D1 and D2, and finishes. */
enum cid_error car_write_sample(struct cid_car_writer *writer, bool reserved, uint64_t *len)
{
    enum cid_error error = car_put(writer, &car_d1, NULL);

    if (!error)
        error = car_put(writer, &car_d2, NULL);
    if (!error && reserved)
        error = car_set_root(writer);
    return error ? error : cid_car_writer_finish(writer, len);
}

/* In each of them the root is D1. */
const struct car_way car_ways[CAR_WAYS] = {
    {"v1", CAR_V1, {0}},
    {"v1, room for roots", CAR_V1, {.reserve = 59}},
    {"v2 with index", CAR_V2I, {.version = 2}},
    {"v2 with index, room for roots", CAR_V2I, {.version = 2, .reserve = 59}},
    {"v2 without index", CAR_V2, {.version = 2, .no_index = true}},
    {"v2, padded", CAR_V2P, {.version = 2, .data_padding = 7}},
    {"v2, sizes known", CAR_V2I, {.version = 2, .data_size = 136}},
    {"v2, sizes known, no index", CAR_V2, {.version = 2, .data_size = 136, .no_index = true}},
    {"v2, sizes known, padded", CAR_V2P, {.version = 2, .data_size = 136, .data_padding = 7}},
    {"v1, no block twice", CAR_V1, {.dedupe = true}},
};

/* Fills in the root; *bytes are to be freed. */
struct cid_car_writer_options car_way_options(const struct car_way *way, struct cid_view *root,
                                              struct test_bytes *bytes)
{
    struct cid_car_writer_options options = way->options;

    *root = car_cid(CAR_D1, bytes);
    if (options.reserve == 0) {
        options.roots = root;
        options.root_count = 1;
    }
    return options;
}

bool car_needs_patch(const struct cid_car_writer_options *options)
{
    return options->reserve != 0 || (options->version == 2 && options->data_size == 0);
}
