/*
 * car/{framing,rebuilt,owned,verified}/ARCHIVE: the blocks of an archive in memory, one after the
 * other. An operation is a block. A slice goes on where the one before stopped, so that short
 * slices see all of the archive. Opening the archive is not counted among the allocations: it
 * happens once, however many blocks there are.
 */
#include "rows.h"

#include "archive.h"
#include "blocks.h"
#include "construct.h"
#include "naive_car.h"
#include "others.h"

#include <cid/car.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What is done with each block. */
enum mode {
    MODE_FRAMING,  /* nothing: the reader has found the CID and the data */
    MODE_REBUILT,  /* its CID is made anew from codec, hash code and digest */
    MODE_OWNED,    /* its CID is copied into an owner */
    MODE_VERIFIED, /* its data is checked against its CID */
    MODE_TWO_ALLOC,
    MODE_SIZED,
    MODE_STACK,
    MODE_INLINE_40, /* rebuilt, in the shapes of construct.h */
    MODE_INLINE_56,
    MODE_INLINE_72,
    MODE_INLINE_80,
    MODE_INLINE_88
};

/* One engine's way through an archive. */
struct walk {
    const struct archive *archive;
    int fd;                        /* the library reads from a file; -1: from memory */
    struct cid_car_reader *reader; /* the library's */
    struct naive_car naive;        /* the opponent's */
    other_hash *sha2_256;          /* for it to verify with */
    other_hash *blake2b_256;
};

/* ---- the library -------------------------------------------------------------------------- */

static void open_reader(struct walk *walk, bool verify)
{
    struct cid_car_options options = {.skip_verify = !verify, .pass_unverifiable = true};
    enum cid_error error;

    bench_count_pause();
    if (walk->fd < 0)
        error = cid_car_reader_open(&walk->reader, walk->archive->data, walk->archive->len,
                                    &options, NULL, bench_count.allocator);
    else if (lseek(walk->fd, 0, SEEK_SET) != 0)
        error = CID_E_IO;
    else
        error =
            cid_car_reader_open_fd(&walk->reader, walk->fd, &options, NULL, bench_count.allocator);
    bench_count_resume();
    if (error)
        bench_fail_error("cid_car_reader_open", error);
}

static void close_reader(struct walk *walk)
{
    cid_car_reader_close(walk->reader);
    walk->reader = NULL;
}

/* Builds a CID in a shape and drops it. */
#define BUILD(shape, type, kind)                                                                   \
    do {                                                                                           \
        struct type owner;                                                                         \
        construct_##shape(&owner, view->codec, view->hash.code, view->hash.digest,                 \
                          view->hash.digest_len);                                                  \
        bench_keep(&owner);                                                                        \
        if (answer)                                                                                \
            bench_answer_add(answer, kind##_bytes(&owner), owner.len);                             \
        kind##_drop(&owner);                                                                       \
    } while (0)

static inline void answer_cid(struct bench_answer *answer, const struct cid *cid)
{
    if (answer)
        bench_answer_add(answer, cid_bytes_of(&cid->raw), cid->raw.len);
}

BENCH_INLINE void rebuild(const struct cid_view *view, struct bench_answer *answer)
{
    struct cid cid;
    enum cid_error error;

    /* From a CIDv0 comes its CIDv1. */
    error = cid_make_v1(&cid, view->codec, view->hash.code, view->hash.digest,
                        view->hash.digest_len, bench_count.allocator);
    if (error)
        bench_fail_error("cid_make_v1", error);
    bench_keep(&cid);
    answer_cid(answer, &cid);
    bench_drop(&cid);
}

BENCH_INLINE void own(const struct cid_view *view, struct bench_answer *answer)
{
    struct cid cid;
    enum cid_error error = cid_own(&cid, view, bench_count.allocator);

    if (error)
        bench_fail_error("cid_own", error);
    bench_keep(&cid);
    answer_cid(answer, &cid);
    bench_drop(&cid);
}

BENCH_INLINE void use_block(const struct cid_car_block *block, enum mode mode,
                            struct bench_answer *answer)
{
    const struct cid_view *view = &block->cid;

    bench_keep(block);
    if (answer)
        bench_answer_add_number(answer, block->data_len);
    switch (mode) {
    case MODE_FRAMING:
    case MODE_VERIFIED:
        if (answer)
            bench_answer_add(answer, view->bytes, view->len);
        break;
    case MODE_REBUILT:
        rebuild(view, answer);
        break;
    case MODE_OWNED:
        own(view, answer);
        break;
    case MODE_TWO_ALLOC:
        BUILD(two_alloc, construct_heap, construct_heap);
        break;
    case MODE_SIZED:
        BUILD(sized, construct_heap, construct_heap);
        break;
    case MODE_STACK:
        BUILD(stack, construct_heap, construct_heap);
        break;
    case MODE_INLINE_40:
        BUILD(inline_40, construct_inline_40, construct_inline_40);
        break;
    case MODE_INLINE_56:
        BUILD(inline_56, construct_inline_56, construct_inline_56);
        break;
    case MODE_INLINE_72:
        BUILD(inline_72, construct_inline_72, construct_inline_72);
        break;
    case MODE_INLINE_80:
        BUILD(inline_80, construct_inline_80, construct_inline_80);
        break;
    case MODE_INLINE_88:
        BUILD(inline_88, construct_inline_88, construct_inline_88);
        break;
    }
}

/* A file may hold blocks that do not match; the archives made here must not. */
static void check_error(const struct walk *walk, enum cid_error error)
{
    if (error != CID_E_MISMATCH || !walk->archive->is_file)
        bench_fail_error("cid_car_reader_next", error);
}

BENCH_INLINE size_t library_run(struct walk *walk, size_t ops, enum mode mode)
{
    struct cid_car_block block;

    if (!walk->reader)
        open_reader(walk, mode == MODE_VERIFIED);
    while (ops != 0) {
        enum cid_error error = cid_car_reader_next(walk->reader, &block);
        if (error == CID_END) {
            close_reader(walk);
            open_reader(walk, mode == MODE_VERIFIED);
            continue;
        }
        if (error)
            check_error(walk, error);
        use_block(&block, mode, NULL);
        ops--;
    }
    return 0;
}

BENCH_INLINE void library_answer(const struct walk *walk, enum mode mode,
                                 struct bench_answer *answer)
{
    struct walk own_walk = *walk;
    struct cid_car_block block;
    enum cid_error error;

    open_reader(&own_walk, mode == MODE_VERIFIED);
    while ((error = cid_car_reader_next(own_walk.reader, &block)) != CID_END) {
        if (error)
            check_error(walk, error);
        use_block(&block, mode, answer);
    }
    close_reader(&own_walk);
}

/* ---- the opponent ------------------------------------------------------------------------- */

static void naive_start(struct walk *walk)
{
    const struct archive *archive = walk->archive;
    walk->naive.at = archive->data + archive->sections_at;
    walk->naive.end = archive->data + archive->payload_at + archive->payload_len;
}

static void naive_verify(const struct walk *walk, const struct naive_block *block)
{
    const struct naive_multihash *hash = &block->cid.hash;
    uint8_t digest[32];

    if (hash->digest_len != 32)
        return;
    if (hash->code == CID_HASH_SHA2_256)
        walk->sha2_256(digest, block->data, block->data_len);
    else if (hash->code == CID_HASH_BLAKE2B_256)
        walk->blake2b_256(digest, block->data, block->data_len);
    else
        return;
    bench_keep_value((uint64_t)memcmp(digest, hash->digest, 32));
}

BENCH_INLINE void naive_use(const struct walk *walk, const struct naive_block *block,
                            enum mode mode, struct bench_answer *answer)
{
    struct naive_bytes cid = {NULL, 0};

    bench_keep(block);
    if (answer)
        bench_answer_add_number(answer, block->data_len);
    if (mode == MODE_REBUILT) {
        cid = naive_cid_make_v1(block->cid.codec, block->cid.hash.code, block->cid.hash.digest,
                                block->cid.hash.digest_len);
    } else if (mode == MODE_OWNED) {
        cid = (struct naive_bytes){bench_malloc(block->cid.len), block->cid.len};
        memcpy(cid.data, block->bytes, cid.len);
    } else if (mode == MODE_VERIFIED) {
        naive_verify(walk, block);
    }
    bench_keep(cid.data);
    if (answer && cid.data)
        bench_answer_add(answer, cid.data, cid.len);
    else if (answer)
        bench_answer_add(answer, block->bytes, block->cid.len);
    free(cid.data);
}

BENCH_INLINE size_t naive_run(struct walk *walk, size_t ops, enum mode mode)
{
    struct naive_block block;

    while (ops != 0) {
        if (!naive_car_next(&walk->naive, &block)) {
            naive_start(walk);
            continue;
        }
        naive_use(walk, &block, mode, NULL);
        ops--;
    }
    return 0;
}

BENCH_INLINE void naive_answer(const struct walk *walk, enum mode mode, struct bench_answer *answer)
{
    struct walk own_walk = *walk;
    struct naive_block block;

    naive_start(&own_walk);
    while (naive_car_next(&own_walk.naive, &block))
        naive_use(walk, &block, mode, answer);
}

/* ---- engines ------------------------------------------------------------------------------ */

#define ENGINE(name, way, mode)                                                                    \
    static size_t name##_run(void *ctx, size_t at, size_t ops)                                     \
    {                                                                                              \
        (void)at;                                                                                  \
        return way##_run(ctx, ops, mode);                                                          \
    }                                                                                              \
    static void name##_answer(void *ctx, size_t i, struct bench_answer *answer)                    \
    {                                                                                              \
        (void)i;                                                                                   \
        way##_answer(ctx, mode, answer);                                                           \
    }

ENGINE(framing_libcid, library, MODE_FRAMING)
ENGINE(rebuilt_libcid, library, MODE_REBUILT)
ENGINE(owned_libcid, library, MODE_OWNED)
ENGINE(verified_libcid, library, MODE_VERIFIED)
ENGINE(framing_naive, naive, MODE_FRAMING)
ENGINE(rebuilt_naive, naive, MODE_REBUILT)
ENGINE(owned_naive, naive, MODE_OWNED)
ENGINE(verified_naive, naive, MODE_VERIFIED)
ENGINE(two_alloc, library, MODE_TWO_ALLOC)
ENGINE(sized, library, MODE_SIZED)
ENGINE(stack, library, MODE_STACK)
ENGINE(inline_40, library, MODE_INLINE_40)
ENGINE(inline_56, library, MODE_INLINE_56)
ENGINE(inline_72, library, MODE_INLINE_72)
ENGINE(inline_80, library, MODE_INLINE_80)
ENGINE(inline_88, library, MODE_INLINE_88)

#define NAMED(name, op)                                                                            \
    {                                                                                              \
        name, op##_run, op##_answer, NULL, NULL                                                    \
    }

static const struct bench_engine by_mode[][2] = {
    [MODE_FRAMING] = {NAMED("libcid", framing_libcid), NAMED("naive", framing_naive)},
    [MODE_REBUILT] = {NAMED("libcid", rebuilt_libcid), NAMED("naive", rebuilt_naive)},
    [MODE_OWNED] = {NAMED("libcid", owned_libcid), NAMED("naive", owned_naive)},
    [MODE_VERIFIED] = {NAMED("libcid", verified_libcid), NAMED("naive", verified_naive)},
};

static const struct bench_engine shapes[] = {
    NAMED("two-alloc", two_alloc), NAMED("sized", sized),         NAMED("stack", stack),
    NAMED("inline", inline_80),    NAMED("inline-40", inline_40), NAMED("inline-56", inline_56),
    NAMED("inline-72", inline_72), NAMED("inline-80", inline_80), NAMED("inline-88", inline_88),
};

/* ---- rows --------------------------------------------------------------------------------- */

/* A row's mode and archive. */
struct car_case {
    const char *name;
    enum mode mode;
    enum archive_kind kind;
    bool file; /* the archive lies in a file */
};

static const struct car_case cases[] = {
    {"framing/small", MODE_FRAMING, ARCHIVE_SMALL, false},
    {"framing/large", MODE_FRAMING, ARCHIVE_LARGE, false},
    {"framing/blake2b", MODE_FRAMING, ARCHIVE_BLAKE2B, false},
    {"framing/equal", MODE_FRAMING, ARCHIVE_EQUAL, false},
    {"rebuilt/small", MODE_REBUILT, ARCHIVE_SMALL, false},
    {"rebuilt/large", MODE_REBUILT, ARCHIVE_LARGE, false},
    {"rebuilt/blake2b", MODE_REBUILT, ARCHIVE_BLAKE2B, false},
    {"rebuilt/long", MODE_REBUILT, ARCHIVE_LONG, false},
    {"owned/small", MODE_OWNED, ARCHIVE_SMALL, false},
    {"owned/large", MODE_OWNED, ARCHIVE_LARGE, false},
    {"owned/blake2b", MODE_OWNED, ARCHIVE_BLAKE2B, false},
    {"verified/small", MODE_VERIFIED, ARCHIVE_SMALL, false},
    {"verified/large", MODE_VERIFIED, ARCHIVE_LARGE, false},
    {"verified/blake2b", MODE_VERIFIED, ARCHIVE_BLAKE2B, false},
    {"framing/small/file", MODE_FRAMING, ARCHIVE_SMALL, true},
    {"framing/large/file", MODE_FRAMING, ARCHIVE_LARGE, true},
    {"framing/blake2b/file", MODE_FRAMING, ARCHIVE_BLAKE2B, true},
    {"verified/small/file", MODE_VERIFIED, ARCHIVE_SMALL, true},
    {"verified/large/file", MODE_VERIFIED, ARCHIVE_LARGE, true},
    {"verified/blake2b/file", MODE_VERIFIED, ARCHIVE_BLAKE2B, true},
    {"framing/file", MODE_FRAMING, ARCHIVE_FILE, false},
    {"rebuilt/file", MODE_REBUILT, ARCHIVE_FILE, false},
    {"owned/file", MODE_OWNED, ARCHIVE_FILE, false},
    {"verified/file", MODE_VERIFIED, ARCHIVE_FILE, false},
};

static const char *file_path; /* of the row's archive, where that is a file */

struct walks {
    size_t count;
    struct walk at[BENCH_ENGINES_MAX];
    FILE *file;
    struct block_list blocks;
    struct block_check openssl, sodium;
};

static void add(struct bench_row *row, struct bench_engine engine, bool tiered,
                const struct archive *archive)
{
    struct walks *walks = row->input;
    struct walk *walk = &walks->at[walks->count++];

    *walk = (struct walk){.archive = archive,
                          .fd = walks->file ? fileno(walks->file) : -1,
                          .sha2_256 = other_sha2_256(),
                          .blake2b_256 = other_blake2b_256()};
    naive_start(walk);
    engine.ctx = walk;
    if (tiered)
        bench_add_hash_tiered(row, engine);
    else
        bench_add(row, engine);
}

/* Puts the archive into a file without a name, which is in the page cache then. */
static FILE *make_file(const struct archive *archive)
{
    FILE *file = tmpfile();

    if (!file || fwrite(archive->data, 1, archive->len, file) != archive->len || fflush(file) != 0)
        bench_fail("tmpfile", "the archive cannot be written to a file");
    return file;
}

/* The other libraries, which are given an array and have no archive to read. */
static void add_others(struct bench_row *row, const struct car_case *which,
                       const struct archive *archive)
{
    struct walks *walks = row->input;
    bool blake2b = which->kind == ARCHIVE_BLAKE2B;

    walks->blocks = blocks_of(archive);
    walks->openssl =
        (struct block_check){&walks->blocks, blake2b ? NULL : other_openssl_sha2_256()};
    walks->sodium =
        (struct block_check){&walks->blocks, blake2b ? other_blake2b_256() : other_sha2_256()};
    if (walks->openssl.hash)
        bench_add(row, blocks_engine("openssl", &walks->openssl));
    if (walks->sodium.hash)
        bench_add(row, blocks_engine("libsodium", &walks->sodium));
}

/* The library from memory or a file, and its opponents from memory. */
static void add_engines(struct bench_row *row, const struct car_case *which,
                        const struct archive *archive)
{
    bool verifies = which->mode == MODE_VERIFIED;
    struct walks *walks = row->input;

    add(row, by_mode[which->mode][0], verifies && !which->file, archive);
    if (which->file)
        return;
    if (verifies && which->kind != ARCHIVE_FILE)
        add_others(row, which, archive);
    if (!verifies || walks->at[0].sha2_256)
        add(row, by_mode[which->mode][1], false, archive);
    if (which->mode == MODE_REBUILT && which->kind == ARCHIVE_SMALL)
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
            add(row, shapes[i], false, archive);
}

static void open_car(struct bench_row *row, uint64_t seed)
{
    const struct car_case *which = row->param;
    const struct archive *archive = archive_get(which->kind, seed, file_path);
    bool verifies = which->mode == MODE_VERIFIED;
    struct walks *walks = bench_buffer(sizeof *walks);

    memset(walks, 0, sizeof *walks);
    row->input = walks;
    row->op = "block";
    row->inputs = archive->blocks;
    row->answers = 1;
    row->ops_answer = archive->blocks;
    row->bytes_per_op = (double)archive->len / (double)archive->blocks;
    row->whole = verifies && which->kind == ARCHIVE_LARGE; /* a slice must not be part of a batch */
    if (verifies && !archive->verifiable) {
        fprintf(stderr, "cid-bench: %s: left out: this build cannot hash\n", row->name);
        return;
    }
    if (which->file)
        walks->file = make_file(archive);
    add_engines(row, which, archive);
}

static void close_car(struct bench_row *row)
{
    const struct car_case *which = row->param;
    struct walks *walks = row->input;

    for (size_t i = 0; i < walks->count; i++)
        close_reader(&walks->at[i]);
    if (walks->file)
        fclose(walks->file);
    blocks_free(&walks->blocks);
    archive_put(which->kind);
    bench_close_input(row);
}

void bench_rows_car(struct bench_rows *rows, const char *path)
{
    file_path = path;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench_row *row;
        if (cases[i].kind == ARCHIVE_FILE && !path)
            continue;
        row = bench_rows_add(rows, "car/%s", cases[i].name);
        row->open = open_car;
        row->close = close_car;
        row->param = &cases[i];
    }
}
