/*
 * Writes archives of every kind to a folder, and beside each what a reader should find in it: a
 * line "root CID" for each root and "block CID DATA" for each block, the data in hexadecimal.
 *
 * usage: write FOLDER
 */
#include <cid/car.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 300

struct archive {
    const char *name;
    struct cid_car_writer_options options;
    size_t roots;
    size_t blocks;
};

static struct cid cids[BLOCKS];
static uint8_t data[BLOCKS][BLOCKS];

static void must(enum cid_error error, const char *what)
{
    if (!error)
        return;
    fprintf(stderr, "write: %s: %s\n", what, cid_error_text(error));
    exit(1);
}

/* Blocks of 0 to 299 bytes; one in seven has an identity CID, one in eleven a CIDv0. */
static void make_blocks(void)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        for (size_t k = 0; k < i; k++)
            data[i][k] = (uint8_t)(i * 7 + k * 13);
        if (i % 7 == 3)
            must(cid_make_v1(&cids[i], CID_CODEC_RAW, CID_HASH_IDENTITY, data[i], i, NULL), "CID");
        else if (i % 11 == 3)
            must(cid_sum_v0(&cids[i], data[i], i, NULL), "CID");
        else
            must(cid_sum_v1(&cids[i], CID_CODEC_RAW, CID_HASH_SHA2_256, CID_DIGEST_DEFAULT, data[i],
                            i, NULL),
                 "CID");
    }
}

static void print_cid(FILE *list, const char *kind, const struct cid_view *view)
{
    char text[1000];

    must(cid_format(text, sizeof text, NULL, view, CID_BASE_DEFAULT), "cid_format");
    fprintf(list, "%s %s", kind, text);
}

static void write_list(const char *path, const struct archive *archive)
{
    FILE *list = fopen(path, "w");

    if (!list)
        must(CID_E_IO, path);
    for (size_t i = 0; i < archive->roots; i++) {
        struct cid_view view = cid_as_view(&cids[i]);
        print_cid(list, "root", &view);
        fputc('\n', list);
    }
    for (size_t i = 0; i < archive->blocks; i++) {
        struct cid_view view = cid_as_view(&cids[i]);
        print_cid(list, "block", &view);
        fputc(' ', list);
        for (size_t k = 0; k < i; k++)
            fprintf(list, "%02x", data[i][k]);
        fputc('\n', list);
    }
    if (fclose(list) != 0)
        must(CID_E_IO, path);
}

static void write_archive(const char *path, const struct archive *archive)
{
    struct cid_car_writer_options options = archive->options;
    struct cid_view roots[BLOCKS];
    struct cid_car_writer *writer = NULL;

    for (size_t i = 0; i < archive->roots; i++)
        roots[i] = cid_as_view(&cids[i]);
    if (options.reserve != 0) {
        must(cid_car_header_size(&options.reserve, roots, archive->roots), "cid_car_header_size");
    } else {
        options.roots = roots;
        options.root_count = archive->roots;
    }
    must(cid_car_writer_open_path(&writer, path, &options, NULL), path);
    for (size_t i = 0; i < archive->blocks; i++) {
        struct cid_view view = cid_as_view(&cids[i]);
        must(cid_car_writer_put(writer, NULL, &view, data[i], i), path);
    }
    if (options.reserve != 0)
        must(cid_car_writer_set_roots(writer, roots, archive->roots), path);
    must(cid_car_writer_finish(writer, NULL), path);
    cid_car_writer_close(writer);
}

int main(int argc, char **argv)
{
    static const struct archive archives[] = {
        {"v1-empty", {0}, 0, 0},
        {"v1-one", {0}, 1, 1},
        {"v1-many", {0}, 30, BLOCKS},
        {"v1-late-roots", {.reserve = 1}, 3, BLOCKS},
        {"v2-empty", {.version = 2}, 0, 0},
        {"v2-many", {.version = 2}, 1, BLOCKS},
        {"v2-bare", {.version = 2, .no_index = true}, 1, BLOCKS},
        {"v2-sorted", {.version = 2, .index = {.codec = CID_CAR_INDEX_SORTED}}, 1, BLOCKS},
        {"v2-padded",
         {.version = 2, .data_padding = 1000, .index_padding = 5, .index = {.identity = true}},
         2,
         BLOCKS},
    };

    if (argc != 2)
        return 2;
    make_blocks();
    for (size_t i = 0; i < sizeof archives / sizeof archives[0]; i++) {
        char path[1000];
        snprintf(path, sizeof path, "%s/%s.car", argv[1], archives[i].name);
        write_archive(path, &archives[i]);
        snprintf(path, sizeof path, "%s/%s.txt", argv[1], archives[i].name);
        write_list(path, &archives[i]);
    }
    return 0;
}
