/*
 * output.h - buffered writing to a descriptor, every write of which is checked: a full disk or a
 * closed pipe is never taken for success. The first failure is kept and ends all writing.
 *
 * Threads: one thread.
 */
#ifndef CID_CLI_OUTPUT_H
#define CID_CLI_OUTPUT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct output {
    int fd;
    int error;  /* errno of the first failure, or 0 */
    bool color; /* whether colours go here */
    size_t len;
    char buf[65536];
};

void out_begin(struct output *out, int fd);

void out_write(struct output *out, const char *text, size_t len);
void out_text(struct output *out, const char *text);
void out_char(struct output *out, char c);
/* n times c. */
void out_repeat(struct output *out, char c, size_t n);
/* In a column of that width: a number to the right of it, text to the left. */
void out_number(struct output *out, uint64_t value, size_t width);
void out_column(struct output *out, const char *text, size_t width);
/* As printf. A single conversion may write at most 1,000 characters. */
void out_print(struct output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void out_vprint(struct output *out, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Hands everything on; false once anything has failed. */
bool out_flush(struct output *out);

#endif
