/*
 * options.h - command lines: long options with a value behind '=' or in the next argument, mixed
 * with operands; "--" ends the options.
 */
#ifndef CID_BENCH_OPTIONS_H
#define CID_BENCH_OPTIONS_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

struct bench_args {
    int argc;
    char **argv; /* what is left, from the next argument on */
    bool ended;  /* "--" was seen */
};

/* An argument: an option by its name and its value if it must have one, or an operand. */
struct bench_arg {
    const char *option; /* "--filter"; NULL for an operand */
    const char *value;  /* of the option, or the operand */
};

/*
 * Takes the next argument; false when there are none left. with_value is a NULL-terminated list of
 * the options that have a value. A missing or unwanted value is a usage error, and the program
 * ends.
 */
bool bench_next_arg(struct bench_args *args, struct bench_arg *out, const char *const *with_value);

/* The value as a number from least to most; anything else is a usage error. */
uint64_t bench_number(const struct bench_arg *arg, uint64_t least, uint64_t most);

/* Says what is wrong with the command line and ends the program with status 2. */
_Noreturn void bench_usage(const char *what, const char *which);

/* Compiles a POSIX extended expression; one that is malformed is a usage error. */
void bench_filter_compile(regex_t *out, const char *pattern);

/* Whether the expression matches anywhere in the text; without one (NULL) everything does. */
bool bench_filter_match(const regex_t *filter, const char *text);

#endif
