/*
 * naive_json.h - a JSON string writer of the plain kind: a call of a sink for every character.
 *
 * Threads: all functions are reentrant.
 */
#ifndef CID_BENCH_NAIVE_JSON_H
#define CID_BENCH_NAIVE_JSON_H

#include <stddef.h>

typedef void naive_json_sink(void *ctx, char c);

/* Writes a string of printable ASCII and what has to be escaped in it. */
void naive_json_string(naive_json_sink *sink, void *ctx, const char *text, size_t len);

#endif
