/*
 * construct/{36,68,long-codec,identity-200}: CIDs built from codec and multihash, in the library's
 * way and in the shapes of construct.h. They are kept in a list of 512, as programs keep them, so
 * that what a large owner costs is seen too; a CID takes the place of an older one.
 */
#include "rows.h"

#include "construct.h"
#include "naive.h"

#include <cid/cid.h>

#include <string.h>

#define OWNER_MAX  96
#define DIGEST_MAX 195

/* A case by the name it has in rows. */
struct construct_case {
    const char *name;
    uint64_t hash_code;
    size_t digest_len;
    size_t len;     /* of the whole CID */
    uint64_t codec; /* 0 stands for the usual ones, in turn */
};

struct parts {
    uint64_t hash_code;
    size_t digest_len;
    uint64_t codec[BENCH_INPUTS];
    uint8_t digest[BENCH_INPUTS][DIGEST_MAX];
};

/* What one engine works on: the parts, which are shared, and its own owners. */
struct builds {
    size_t count;
    const struct parts *parts;
    void *owners; /* BENCH_INPUTS of them, all zero at first */
};

/* An engine of a shape, whose owners are of that type and have the functions bytes and drop. */
#define SHAPE(shape, type, kind)                                                                   \
    BENCH_INLINE void shape##_op(const struct builds *in, size_t i, struct bench_answer *answer)   \
    {                                                                                              \
        struct type *owner = (struct type *)in->owners + i;                                        \
                                                                                                   \
        kind##_drop(owner);                                                                        \
        construct_##shape(owner, in->parts->codec[i], in->parts->hash_code, in->parts->digest[i],  \
                          in->parts->digest_len);                                                  \
        bench_keep(owner);                                                                         \
        if (answer)                                                                                \
            bench_answer_add(answer, kind##_bytes(owner), owner->len);                             \
    }                                                                                              \
    BENCH_OP(shape##_op, struct builds)                                                            \
    static void shape##_drop(const struct builds *in)                                              \
    {                                                                                              \
        for (size_t i = 0; i < in->count; i++)                                                     \
            kind##_drop((struct type *)in->owners + i);                                            \
    }

SHAPE(two_alloc, construct_heap, construct_heap)
SHAPE(sized, construct_heap, construct_heap)
SHAPE(stack, construct_heap, construct_heap)
SHAPE(inline_40, construct_inline_40, construct_inline_40)
SHAPE(inline_56, construct_inline_56, construct_inline_56)
SHAPE(inline_72, construct_inline_72, construct_inline_72)
SHAPE(inline_80, construct_inline_80, construct_inline_80)
SHAPE(inline_88, construct_inline_88, construct_inline_88)

/* The library while it is timed uses malloc, and a counting allocator while it is counted, whose
 * free is the same: the owners of one may be dropped by the other. */
BENCH_INLINE void libcid_op(const struct builds *in, size_t i, struct bench_answer *answer)
{
    struct cid *owner = (struct cid *)in->owners + i;
    enum cid_error error;

    bench_drop(owner);
    error = cid_make_v1(owner, in->parts->codec[i], in->parts->hash_code, in->parts->digest[i],
                        in->parts->digest_len, bench_count.allocator);
    if (error)
        bench_fail_error("cid_make_v1", error);
    bench_keep(owner);
    if (answer)
        bench_answer_add(answer, cid_bytes_of(&owner->raw), owner->raw.len);
}
BENCH_OP(libcid_op, struct builds)

static void libcid_drop(const struct builds *in)
{
    for (size_t i = 0; i < in->count; i++)
        bench_drop((struct cid *)in->owners + i);
}

BENCH_INLINE void naive_op(const struct builds *in, size_t i, struct bench_answer *answer)
{
    struct naive_bytes *owner = (struct naive_bytes *)in->owners + i;

    free(owner->data);
    *owner = naive_cid_make_v1(in->parts->codec[i], in->parts->hash_code, in->parts->digest[i],
                               in->parts->digest_len);
    bench_keep(owner);
    if (answer)
        bench_answer_add(answer, owner->data, owner->len);
}
BENCH_OP(naive_op, struct builds)

static void naive_drop(const struct builds *in)
{
    for (size_t i = 0; i < in->count; i++)
        free(((struct naive_bytes *)in->owners)[i].data);
}

/* ---- rows --------------------------------------------------------------------------------- */

#define NAMED(name, shape)                                                                         \
    {                                                                                              \
        {name, shape##_op_run, shape##_op_answer, NULL, NULL}, shape##_drop                        \
    }

static const struct {
    struct bench_engine engine;
    void (*drop)(const struct builds *in);
} engines[] = {
    NAMED("libcid", libcid),       NAMED("naive", naive),         NAMED("two-alloc", two_alloc),
    NAMED("sized", sized),         NAMED("stack", stack),         NAMED("inline", inline_80),
    NAMED("inline-40", inline_40), NAMED("inline-56", inline_56), NAMED("inline-72", inline_72),
    NAMED("inline-80", inline_80), NAMED("inline-88", inline_88),
};
#define ENGINES (sizeof engines / sizeof engines[0])

struct constructs {
    struct parts parts;
    struct builds builds[ENGINES];
};

static void open_construct(struct bench_row *row, uint64_t seed)
{
    const struct construct_case *which = row->param;
    struct constructs *in = bench_buffer(sizeof *in);
    struct bench_random random = {seed};

    in->parts.hash_code = which->hash_code;
    in->parts.digest_len = which->digest_len;
    for (size_t i = 0; i < BENCH_INPUTS; i++) {
        in->parts.codec[i] = which->codec ? which->codec : bench_codec(i);
        bench_random_fill(&random, in->parts.digest[i], which->digest_len);
    }
    row->input = in;
    row->inputs = BENCH_INPUTS;
    row->bytes_per_op = (double)which->len;
    for (size_t i = 0; i < ENGINES; i++) {
        struct bench_engine engine = engines[i].engine;
        in->builds[i] = (struct builds){BENCH_INPUTS, &in->parts, NULL};
        in->builds[i].owners = bench_buffer(BENCH_INPUTS * OWNER_MAX);
        memset(in->builds[i].owners, 0, BENCH_INPUTS * OWNER_MAX);
        engine.ctx = &in->builds[i];
        bench_add(row, engine);
    }
}

static void close_construct(struct bench_row *row)
{
    struct constructs *in = row->input;

    for (size_t i = 0; i < ENGINES; i++) {
        engines[i].drop(&in->builds[i]);
        free(in->builds[i].owners);
    }
    bench_close_input(row);
}

void bench_rows_construct(struct bench_rows *rows)
{
    static const struct construct_case cases[] = {
        {"36", CID_HASH_SHA2_256, 32, 36, 0},
        {"68", CID_HASH_SHA2_512, 64, 68, 0},
        {"long-codec", CID_HASH_SHA2_256, 32, 44, CID_VARINT_MAX},
        {"identity-200", CID_HASH_IDENTITY, DIGEST_MAX, 200, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench_row *row = bench_rows_add(rows, "construct/%s", cases[i].name);
        row->open = open_construct;
        row->close = close_construct;
        row->param = &cases[i];
    }
}
