#include "blocks.h"

#include <string.h>

struct block_list blocks_of(const struct archive *archive)
{
    struct cid_car_options options = {.skip_verify = true};
    struct block_list list = {0, bench_buffer(archive->blocks * sizeof *list.at)};
    struct cid_car_reader *reader = NULL;
    enum cid_error error =
        cid_car_reader_open(&reader, archive->data, archive->len, &options, NULL, NULL);

    while (!error && list.count < archive->blocks)
        error = cid_car_reader_next(reader, &list.at[list.count++]);
    if (error)
        bench_fail_error("cid_car_reader_next", error);
    cid_car_reader_close(reader);
    return list;
}

void blocks_free(struct block_list *list)
{
    free(list->at);
    *list = (struct block_list){0, NULL};
}

static void check_one(const struct block_check *check, size_t i, struct bench_answer *answer)
{
    const struct cid_car_block *block = &check->list->at[i];
    uint8_t digest[32];

    check->hash(digest, block->data, block->data_len);
    bench_keep_value((uint64_t)memcmp(digest, block->cid.hash.digest, sizeof digest));
    if (!answer)
        return;
    bench_answer_add_number(answer, block->data_len);
    bench_answer_add(answer, block->cid.bytes, block->cid.len);
}

static size_t run(void *ctx, size_t at, size_t ops)
{
    const struct block_check *check = ctx;

    for (; ops != 0; ops--) {
        check_one(check, at, NULL);
        at = at + 1 == check->list->count ? 0 : at + 1;
    }
    return at;
}

/* All blocks are one answer. */
static void answer_all(void *ctx, size_t i, struct bench_answer *answer)
{
    const struct block_check *check = ctx;

    (void)i;
    for (size_t block = 0; block < check->list->count; block++)
        check_one(check, block, answer);
}

struct bench_engine blocks_engine(const char *name, struct block_check *check)
{
    return (struct bench_engine){.name = name, .run = run, .answer = answer_all, .ctx = check};
}
