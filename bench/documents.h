/*
 * documents.h - JSON that is measured from outside: strings, as whole commands under a timer of
 * commands, and the manifest, for programs in other languages.
 *
 * Threads: all functions are reentrant.
 */
#ifndef CID_BENCH_DOCUMENTS_H
#define CID_BENCH_DOCUMENTS_H

#include "random.h"

#define DOCUMENT_STRING_LEN 256

/* Fills len characters of strings: letters, and a quote in a hundred strings or so. */
void document_fill(struct bench_random *random, char *text, size_t len);

#endif
