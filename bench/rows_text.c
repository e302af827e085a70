/* cid/parse and cid/format: CIDs of 36 bytes (34 for version 0) from text and to text. */
#include "rows.h"

#include "naive.h"
#include "others.h"

#include <cid/cid.h>

#include <string.h>

#define TEXT_MAX 128

/* A form of CID text by the name it has in rows. */
struct form {
    const char *name;
    enum cid_base base;
    unsigned version;
};

struct texts {
    size_t count;
    enum cid_base base;
    const struct naive_base *naive;
    const struct other_base *sodium;
    struct cid_view view[BENCH_INPUTS]; /* into cid */
    uint8_t cid[BENCH_INPUTS][36];
    size_t len[BENCH_INPUTS];
    char text[BENCH_INPUTS][TEXT_MAX];
};

/* ---- parse -------------------------------------------------------------------------------- */

BENCH_INLINE void parse_libcid(const struct texts *in, size_t i, struct bench_answer *answer)
{
    struct cid cid;
    enum cid_error error = cid_parse(&cid, in->text[i], in->len[i], bench_count.allocator);

    if (error)
        bench_fail_error("cid_parse", error);
    bench_keep(&cid);
    if (answer)
        bench_answer_add(answer, cid_bytes_of(&cid.raw), cid.raw.len);
    bench_drop(&cid);
}
BENCH_OP(parse_libcid, struct texts)

BENCH_INLINE void parse_naive(const struct texts *in, size_t i, struct bench_answer *answer)
{
    struct naive_bytes cid = naive_cid_parse(in->text[i], in->len[i]);

    if (!cid.data)
        bench_fail("naive_cid_parse", "failed");
    bench_keep(cid.data);
    if (answer)
        bench_answer_add(answer, cid.data, cid.len);
    free(cid.data);
}
BENCH_OP(parse_naive, struct texts)

/* ---- format ------------------------------------------------------------------------------- */

BENCH_INLINE void format_libcid(const struct texts *in, size_t i, struct bench_answer *answer)
{
    char text[TEXT_MAX];
    size_t len = 0;
    enum cid_error error = cid_format(text, sizeof text, &len, &in->view[i], in->base);

    if (error)
        bench_fail_error("cid_format", error);
    bench_keep(text);
    if (answer)
        bench_answer_add(answer, text, len + 1);
}
BENCH_OP(format_libcid, struct texts)

BENCH_INLINE void format_naive(const struct texts *in, size_t i, struct bench_answer *answer)
{
    size_t len = 0;
    char *text = naive_cid_format(in->naive, &len, in->view[i].bytes, in->view[i].len);

    bench_keep(text);
    if (answer)
        bench_answer_add(answer, text, len + 1);
    free(text);
}
BENCH_OP(format_naive, struct texts)

BENCH_INLINE void format_sodium(const struct texts *in, size_t i, struct bench_answer *answer)
{
    char text[TEXT_MAX];
    size_t len = other_encode(in->sodium, text, sizeof text, in->view[i].bytes, in->view[i].len);

    bench_keep(text);
    if (answer)
        bench_answer_add(answer, text, len + 1);
}
BENCH_OP(format_sodium, struct texts)

/* ---- rows --------------------------------------------------------------------------------- */

static void fill(struct texts *in, size_t i, unsigned version, const uint8_t *digest)
{
    size_t len = 0;
    enum cid_error error;

    if (version == 1) {
        error = cid_write_v1(in->cid[i], sizeof in->cid[i], NULL, bench_codec(i), CID_HASH_SHA2_256,
                             digest, 32);
        len = 36;
    } else {
        error =
            cid_multihash_write(in->cid[i], sizeof in->cid[i], &len, CID_HASH_SHA2_256, digest, 32);
    }
    if (!error)
        error = cid_read_exact(&in->view[i], in->cid[i], len);
    if (!error)
        error = cid_format(in->text[i], TEXT_MAX, &in->len[i], &in->view[i], in->base);
    if (error)
        bench_fail_error("cid_format", error);
}

static struct texts *open_texts(struct bench_row *row, uint64_t seed)
{
    const struct form *form = row->param;
    struct texts *in = bench_buffer(sizeof *in);
    uint8_t digests[BENCH_INPUTS][32];
    size_t len = 0;

    in->count = BENCH_INPUTS;
    in->base = form->base;
    in->naive = naive_base((uint32_t)form->base);
    in->sodium = other_sodium((uint32_t)form->base);
    bench_digests(digests, BENCH_INPUTS, seed);
    for (size_t i = 0; i < in->count; i++) {
        fill(in, i, form->version, digests[i]);
        len += in->len[i];
    }
    row->input = in;
    row->inputs = in->count;
    row->bytes_per_op = (double)len / (double)in->count; /* of text */
    return in;
}

static void open_parse(struct bench_row *row, uint64_t seed)
{
    struct texts *in = open_texts(row, seed);
    bench_add_tiered(row, BENCH_ENGINE("libcid", parse_libcid, in));
    bench_add(row, BENCH_ENGINE("naive", parse_naive, in));
}

static void open_format(struct bench_row *row, uint64_t seed)
{
    struct texts *in = open_texts(row, seed);
    bench_add_tiered(row, BENCH_ENGINE("libcid", format_libcid, in));
    bench_add(row, BENCH_ENGINE("naive", format_naive, in));
    if (in->sodium)
        bench_add(row, BENCH_ENGINE("libsodium", format_sodium, in));
}

void bench_rows_text(struct bench_rows *rows)
{
    static const struct form forms[] = {
        {"base32", CID_BASE32, 1}, {"qm", CID_BASE58_BTC, 0}, {"z", CID_BASE58_BTC, 1},
        {"k", CID_BASE36, 1},      {"base16", CID_BASE16, 1}, {"base64url", CID_BASE64_URL, 1},
    };

    for (size_t way = 0; way < 2; way++)
        for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
            struct bench_row *row =
                bench_rows_add(rows, "cid/%s/%s", way == 0 ? "parse" : "format", forms[i].name);
            row->open = way == 0 ? open_parse : open_format;
            row->param = &forms[i];
        }
}
