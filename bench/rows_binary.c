/* multihash/read, cid/make/v1, cid/read/{v0,v1}: the binary forms. */
#include "rows.h"

#include "naive.h"

#include <cid/cid.h>

#include <string.h>

struct cids {
    size_t count;
    uint64_t codec[BENCH_INPUTS];
    uint8_t digest[BENCH_INPUTS][32];
    size_t len;
    uint8_t bytes[BENCH_INPUTS][36]; /* multihash, CIDv0 or CIDv1, as the row wants it */
};

/* ---- reading ------------------------------------------------------------------------------ */

BENCH_INLINE void multihash_libcid(const struct cids *in, size_t i, struct bench_answer *answer)
{
    struct cid_multihash_view view;
    size_t used = 0;
    enum cid_error error = cid_multihash_read(&view, &used, in->bytes[i], in->len);

    if (error)
        bench_fail_error("cid_multihash_read", error);
    bench_keep(&view);
    if (answer) {
        bench_answer_add_number(answer, view.code + used);
        bench_answer_add(answer, view.digest, view.digest_len);
    }
}
BENCH_OP(multihash_libcid, struct cids)

BENCH_INLINE void multihash_naive(const struct cids *in, size_t i, struct bench_answer *answer)
{
    struct naive_multihash view;
    size_t used = naive_multihash_read(&view, in->bytes[i], in->len);

    if (used == 0)
        bench_fail("naive_multihash_read", "failed");
    bench_keep(&view);
    if (answer) {
        bench_answer_add_number(answer, view.code + used);
        bench_answer_add(answer, view.digest, view.digest_len);
    }
}
BENCH_OP(multihash_naive, struct cids)

BENCH_INLINE void read_libcid(const struct cids *in, size_t i, struct bench_answer *answer)
{
    struct cid_view view;
    size_t used = 0;
    enum cid_error error = cid_read(&view, &used, in->bytes[i], in->len);

    if (error)
        bench_fail_error("cid_read", error);
    bench_keep(&view);
    if (answer) {
        bench_answer_add_number(answer, view.codec + used);
        bench_answer_add(answer, view.hash.digest, view.hash.digest_len);
    }
}
BENCH_OP(read_libcid, struct cids)

BENCH_INLINE void read_naive(const struct cids *in, size_t i, struct bench_answer *answer)
{
    struct naive_cid view;
    size_t used = naive_cid_read(&view, in->bytes[i], in->len);

    if (used == 0)
        bench_fail("naive_cid_read", "failed");
    bench_keep(&view);
    if (answer) {
        bench_answer_add_number(answer, view.codec + used);
        bench_answer_add(answer, view.hash.digest, view.hash.digest_len);
    }
}
BENCH_OP(read_naive, struct cids)

/* ---- making ------------------------------------------------------------------------------- */

BENCH_INLINE void make_libcid(const struct cids *in, size_t i, struct bench_answer *answer)
{
    struct cid cid;
    enum cid_error error = cid_make_v1(&cid, in->codec[i], CID_HASH_SHA2_256, in->digest[i],
                                       sizeof in->digest[i], bench_count.allocator);
    if (error)
        bench_fail_error("cid_make_v1", error);
    bench_keep(&cid);
    if (answer)
        bench_answer_add(answer, cid_bytes_of(&cid.raw), cid.raw.len);
    bench_drop(&cid);
}
BENCH_OP(make_libcid, struct cids)

BENCH_INLINE void make_naive(const struct cids *in, size_t i, struct bench_answer *answer)
{
    struct naive_bytes cid =
        naive_cid_make_v1(in->codec[i], CID_HASH_SHA2_256, in->digest[i], sizeof in->digest[i]);

    bench_keep(cid.data);
    if (answer)
        bench_answer_add(answer, cid.data, cid.len);
    free(cid.data);
}
BENCH_OP(make_naive, struct cids)

/* ---- rows --------------------------------------------------------------------------------- */

static struct cids *open_cids(struct bench_row *row, uint64_t seed)
{
    struct cids *in = bench_buffer(sizeof *in);

    in->count = BENCH_INPUTS;
    in->len = row->size;
    bench_digests(in->digest, in->count, seed);
    for (size_t i = 0; i < in->count; i++) {
        uint8_t *p = in->bytes[i];
        in->codec[i] = bench_codec(i);
        if (in->len == 36) {
            p += naive_varint_write(p, 1);
            p += naive_varint_write(p, in->codec[i]);
        }
        *p++ = 0x12;
        *p++ = 32;
        memcpy(p, in->digest[i], 32);
    }
    row->input = in;
    row->inputs = in->count;
    row->bytes_per_op = (double)in->len;
    return in;
}

static void open_multihash(struct bench_row *row, uint64_t seed)
{
    struct cids *in = open_cids(row, seed);
    bench_add(row, BENCH_ENGINE("libcid", multihash_libcid, in));
    bench_add(row, BENCH_ENGINE("naive", multihash_naive, in));
}

static void open_make(struct bench_row *row, uint64_t seed)
{
    struct cids *in = open_cids(row, seed);
    bench_add(row, BENCH_ENGINE("libcid", make_libcid, in));
    bench_add(row, BENCH_ENGINE("naive", make_naive, in));
}

static void open_read(struct bench_row *row, uint64_t seed)
{
    struct cids *in = open_cids(row, seed);
    bench_add(row, BENCH_ENGINE("libcid", read_libcid, in));
    bench_add(row, BENCH_ENGINE("naive", read_naive, in));
}

void bench_rows_binary(struct bench_rows *rows)
{
    static const struct {
        const char *name;
        size_t size;
        void (*open)(struct bench_row *row, uint64_t seed);
    } all[] = {
        {"multihash/read", 34, open_multihash},
        {"cid/make/v1", 36, open_make},
        {"cid/read/v0", 34, open_read},
        {"cid/read/v1", 36, open_read},
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct bench_row *row = bench_rows_add(rows, "%s", all[i].name);
        row->size = all[i].size;
        row->open = all[i].open;
    }
}
