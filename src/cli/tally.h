/*
 * tally.h - how often each code occurs, and statistics of sizes. Memory and time stay in proportion
 * to the number of distinct codes, whatever the order they come in.
 */
#ifndef CID_CLI_TALLY_H
#define CID_CLI_TALLY_H

#include <stddef.h>
#include <stdint.h>

struct tally_row {
    uint64_t code;
    uint64_t count;
};

/* All-zero is empty. */
struct tally {
    struct tally_row *rows;
    size_t len;
    size_t cap;
};

void tally_add(struct tally *tally, uint64_t code);
/* Puts the rows in the order of codes, each code once. */
void tally_finish(struct tally *tally);
void tally_free(struct tally *tally);

/* Sizes seen; all-zero is none. */
struct sizes {
    uint64_t count;
    uint64_t sum;
    uint64_t min;
    uint64_t max;
};

void sizes_add(struct sizes *sizes, uint64_t size);
/* Rounded down; 0 for none. */
uint64_t sizes_mean(const struct sizes *sizes);

#endif
