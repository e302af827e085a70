/*
 * fuzz.h - what a fuzz target is: the entry point that libFuzzer calls, and seeds. The same file is
 * built in two ways: with libFuzzer (option `fuzz`, clang), and with smoke.c, which runs a fixed
 * number of mutated seeds as an ordinary test.
 */
#ifndef CID_TEST_FUZZ_H
#define CID_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Looks at one input; aborts where a property does not hold. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* Inputs to start from. The last one has NULL for bytes. */
struct fuzz_seed {
    const char *bytes;
    size_t len;
};
extern const struct fuzz_seed fuzz_seeds[];

#define SEED(literal)                                                                              \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }
#define SEED_END                                                                                   \
    {                                                                                              \
        NULL, 0                                                                                    \
    }

#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
