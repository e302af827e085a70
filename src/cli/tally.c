#include "tally.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* So many rows are looked through; archives hardly ever have more codes. */
#define NEAR 8

static int compare(const void *a, const void *b)
{
    const struct tally_row *left = a, *right = b;
    return left->code < right->code ? -1 : left->code > right->code;
}

void tally_finish(struct tally *tally)
{
    size_t kept = 0;

    if (tally->len == 0)
        return;
    qsort(tally->rows, tally->len, sizeof *tally->rows, compare);
    for (size_t i = 1; i < tally->len; i++) {
        if (tally->rows[i].code == tally->rows[kept].code)
            tally->rows[kept].count += tally->rows[i].count;
        else
            tally->rows[++kept] = tally->rows[i];
    }
    tally->len = kept + 1;
}

/* Merges equal codes, and doubles the room when that frees less than half of it. */
static void make_room(struct tally *tally)
{
    struct tally_row *rows;
    size_t cap;

    tally_finish(tally);
    if (tally->len < tally->cap / 2)
        return;
    cap = tally->cap != 0 ? tally->cap * 2 : 64;
    rows = cli_alloc(cap * sizeof *rows);
    if (tally->len != 0)
        memcpy(rows, tally->rows, tally->len * sizeof *rows);
    free(tally->rows);
    tally->rows = rows;
    tally->cap = cap;
}

void tally_add(struct tally *tally, uint64_t code)
{
    for (size_t i = 0; i < tally->len && i < NEAR; i++)
        if (tally->rows[i].code == code) {
            tally->rows[i].count++;
            return;
        }
    if (tally->len == tally->cap)
        make_room(tally);
    tally->rows[tally->len++] = (struct tally_row){code, 1};
}

void tally_free(struct tally *tally)
{
    free(tally->rows);
    memset(tally, 0, sizeof *tally);
}

void sizes_add(struct sizes *sizes, uint64_t size)
{
    if (sizes->count == 0 || size < sizes->min)
        sizes->min = size;
    if (size > sizes->max)
        sizes->max = size;
    sizes->sum += size;
    sizes->count++;
}

uint64_t sizes_mean(const struct sizes *sizes)
{
    return sizes->count != 0 ? sizes->sum / sizes->count : 0;
}
