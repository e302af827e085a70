/*
 * number.h - numbers and their text: integers and doubles, exactly, whatever the locale.
 */
#ifndef CID_JSON_NUMBER_H
#define CID_JSON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for any text that the functions below write, and for what they may touch behind it. */
#define CID__NUMBER_SIZE 32

/* Writes an integer; returns its length. */
size_t cid__number_print(char *out, bool negative, uint64_t magnitude);

/*
 * Writes a double that is neither NaN nor infinite: the fewest digits that read back as the same
 * value, and of those the nearest to it. Always with a fraction or an exponent, so that it is not
 * taken for an integer: "1.0", "0.000001", "1e-7", "100000000000000000000.0", "1e+21". Returns the
 * length.
 */
size_t cid__double_print(char *out, double value);

/*
 * Writes digits * 10^power in that form; the digits are not a multiple of ten, or 0 with a power of
 * 0. Returns the length. Below 10^17 the digits leave room for any power that a double has.
 */
size_t cid__decimal_print(char *out, bool negative, uint64_t digits, int power);

/* How many of the first len bytes are a number as JSON writes it; 0: none stands there. */
size_t cid__number_span(const char *text, size_t len);

/* What a JSON number is. */
enum cid__number_kind {
    CID__NUMBER_INTEGER, /* no fraction, no exponent; magnitude and sign fit */
    CID__NUMBER_LARGE,   /* an integer whose magnitude exceeds 64 bits */
    CID__NUMBER_REAL     /* a fraction or an exponent */
};

enum cid__number_kind cid__number_read(bool *negative, uint64_t *magnitude, const char *text,
                                       size_t len);

/* The double nearest to a JSON number, ties to even. false: beyond the largest double. */
bool cid__double_read(double *out, const char *text, size_t len);

#endif
