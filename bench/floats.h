/*
 * floats.h - an array of doubles as JSON, printed and read; and what other libraries make of it.
 *
 * Threads: all functions are reentrant.
 */
#ifndef CID_BENCH_FLOATS_H
#define CID_BENCH_FLOATS_H

#include <stddef.h>

#define FLOATS_ALL 4096

struct floats {
    double value[FLOATS_ALL];
    char text[FLOATS_ALL * 32]; /* "[v,v,...]", each with as few digits as it needs */
    size_t len;
    char out[FLOATS_ALL * 40]; /* where engines print, each value so that it reads back */
    double back[FLOATS_ALL];   /* where they put what they read */
};

/* print returns the length of what it wrote, read the number of doubles. NULL: cannot be had. */
struct floats_codec {
    size_t (*print)(struct floats *floats);
    size_t (*read)(struct floats *floats);
};
extern const struct floats_codec floats_yajl;
extern const struct floats_codec floats_jansson;

#endif
