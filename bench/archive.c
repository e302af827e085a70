#include "archive.h"

#include "harness.h"

#include <cid/car.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define IDENTITY_DATA 195 /* makes a CID of 200 bytes */
#define CID_MAX       200

static struct archive archives[ARCHIVE_KINDS];

/* How an archive is made. */
struct recipe {
    size_t blocks;
    size_t least, most; /* size of a block's data */
    uint64_t hash_code;
    size_t identity_every; /* 0 is never */
};

static const struct recipe recipes[] = {
    [ARCHIVE_SMALL] = {100000, 100, 500, CID_HASH_SHA2_256, 0},
    [ARCHIVE_LARGE] = {256, 256 << 10, 256 << 10, CID_HASH_SHA2_256, 0},
    [ARCHIVE_BLAKE2B] = {50000, 100, 740, CID_HASH_BLAKE2B_256, 0},
    [ARCHIVE_EQUAL] = {100000, 300, 300, CID_HASH_SHA2_256, 0},
    [ARCHIVE_MANY] = {200000, 100, 500, CID_HASH_SHA2_256, 0},
    [ARCHIVE_LONG] = {100000, 100, 500, CID_HASH_SHA2_256, 100},
};

/* {"roots": [CID], "version": 1}, with its length in front and room for a CID of 36 or 38 bytes. */
#define HEADER_MAX 64

static void must(enum cid_error error, const char *what)
{
    if (error)
        bench_fail_error(what, error);
}

/* Writes the CID of a block. Where this build cannot hash, the digest is random. */
static size_t put_cid(struct archive *out, uint8_t *at, uint64_t codec, uint64_t hash_code,
                      const uint8_t *data, size_t len, struct bench_random *random)
{
    uint8_t digest[32];
    size_t written = 0;

    if (hash_code == CID_HASH_IDENTITY) {
        must(cid_write_v1(at, CID_MAX, &written, codec, hash_code, data, len), "cid_write_v1");
        return written;
    }
    if (cid_hash_sum(digest, sizeof digest, NULL, hash_code, 32, data, len, NULL) != CID_OK) {
        out->verifiable = false;
        bench_random_fill(random, digest, sizeof digest);
    }
    must(cid_write_v1(at, CID_MAX, &written, codec, hash_code, digest, 32), "cid_write_v1");
    return written;
}

/* Writes section number i and returns the place behind it. */
static uint8_t *put_section(struct archive *out, uint8_t *at, const struct recipe *recipe, size_t i,
                            struct bench_random *random)
{
    static const uint64_t codecs[] = {CID_CODEC_RAW, CID_CODEC_DAG_PB, CID_CODEC_DAG_CBOR};
    bool identity = recipe->identity_every != 0 && i % recipe->identity_every == 7;
    size_t len =
        recipe->least + (size_t)bench_random_below(random, recipe->most - recipe->least + 1);
    uint64_t codec = codecs[bench_random_below(random, 3)];
    uint8_t cid[CID_MAX];
    size_t cid_len, prefix_len;
    uint8_t *data;

    len = identity ? IDENTITY_DATA : len;
    data = at + CID_MAX + CID_VARINT_MAX_SIZE; /* moved down when the CID's size is known */
    bench_random_fill(random, data, len);
    cid_len = put_cid(out, cid, codec, identity ? CID_HASH_IDENTITY : recipe->hash_code, data, len,
                      random);
    must(cid_varint_write(at, CID_VARINT_MAX_SIZE, &prefix_len, cid_len + len), "varint");
    memcpy(at + prefix_len, cid, cid_len);
    memmove(at + prefix_len + cid_len, data, len);
    return at + prefix_len + cid_len + len;
}

/* Writes the header in front of the first section, whose CID becomes the root. */
static void put_header(struct archive *out)
{
    uint8_t header[HEADER_MAX] = {0, 0xa2, 0x65, 'r', 'o', 'o', 't', 's', 0x81, 0xd8, 0x2a, 0x58};
    static const uint8_t tail[] = {0x67, 'v', 'e', 'r', 's', 'i', 'o', 'n', 0x01};
    struct cid_view root;
    uint64_t section = 0;
    size_t used = 0;
    size_t len = 12;

    must(cid_varint_read(&section, &used, out->data + HEADER_MAX, CID_VARINT_MAX_SIZE), "varint");
    must(cid_read(&root, NULL, out->data + HEADER_MAX + used, CID_MAX), "cid_read");
    header[len++] = (uint8_t)(root.len + 1);
    header[len++] = 0;
    memcpy(header + len, root.bytes, root.len);
    len += root.len;
    memcpy(header + len, tail, sizeof tail);
    len += sizeof tail;
    header[0] = (uint8_t)(len - 1);
    /* The archive starts where the header ends up, close before its sections. */
    memmove(out->data + len, out->data + HEADER_MAX, out->len - HEADER_MAX);
    memcpy(out->data, header, len);
    out->len -= HEADER_MAX - len;
    out->sections_at = len;
}

static void make(struct archive *out, const struct recipe *recipe, uint64_t seed)
{
    struct bench_random random = {seed};
    size_t room = HEADER_MAX + recipe->blocks * (recipe->most + 64) + 4096;
    uint8_t *at;

    out->data = bench_buffer(room);
    out->verifiable = true;
    at = out->data + HEADER_MAX;
    for (size_t i = 0; i < recipe->blocks; i++)
        at = put_section(out, at, recipe, i, &random);
    out->len = (size_t)(at - out->data);
    out->blocks = recipe->blocks;
    put_header(out);
    out->payload_len = out->len;
}

/* ---- files -------------------------------------------------------------------------------- */

_Noreturn static void file_failed(const char *path)
{
    fflush(stdout);
    fprintf(stderr, "cid-bench: %s: %s\n", path, strerror(errno));
    exit(3);
}

static void read_file(struct archive *out, const char *path)
{
    int fd = open(path, O_RDONLY);
    size_t room = 0;

    if (fd < 0)
        file_failed(path);
    for (;;) {
        ssize_t got;
        if (out->len == room) {
            room = room * 2 + (1 << 20);
            out->data = realloc(out->data, room);
            if (!out->data)
                bench_out_of_memory();
        }
        got = read(fd, out->data + out->len, room - out->len);
        if (got < 0 && errno != EINTR)
            file_failed(path);
        if (got == 0)
            break;
        out->len += got < 0 ? 0 : (size_t)got;
    }
    close(fd);
}

/* Counts the blocks, and refuses an archive that cannot be read to its end. */
static void look_through(struct archive *out, const char *path)
{
    static const struct cid_car_options options = {.skip_verify = true};
    struct cid_car_reader *reader = NULL;
    const struct cid_car_info *info;
    struct cid_car_block block;
    enum cid_error error;

    error = cid_car_reader_open(&reader, out->data, out->len, &options, NULL, NULL);
    if (error)
        bench_fail_error(path, error);
    while ((error = cid_car_reader_next(reader, &block)) == CID_OK)
        out->blocks++;
    if (error != CID_END)
        bench_fail_error(path, error);
    if (out->blocks == 0)
        bench_fail(path, "an archive without blocks");
    info = cid_car_reader_info(reader);
    out->payload_at = (size_t)(info->version == 2 ? info->data_offset : 0);
    out->payload_len = (size_t)info->payload_len;
    out->sections_at = (size_t)(info->header_offset + info->header_len);
    out->verifiable = true;
    out->is_file = true;
    cid_car_reader_close(reader);
}

const struct archive *archive_get(enum archive_kind kind, uint64_t seed, const char *path)
{
    struct archive *out = &archives[kind];

    if (out->users++ != 0)
        return out;
    if (kind == ARCHIVE_FILE) {
        read_file(out, path);
        look_through(out, path);
    } else {
        make(out, &recipes[kind], seed);
    }
    return out;
}

void archive_put(enum archive_kind kind)
{
    struct archive *out = &archives[kind];

    if (--out->users != 0)
        return;
    free(out->data);
    *out = (struct archive){0};
}
