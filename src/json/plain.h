/*
 * plain.h - the plain twins of what is quick: of what number.h does with doubles, the same results
 * by integers of any size, step by step from the definition, and 10 to 60 times as slow; of passing
 * over members, the same item by item. Only tests and the benchmark call them.
 */
#ifndef CID_JSON_PLAIN_H
#define CID_JSON_PLAIN_H

#include "json/decimal.h"

#include <cid/json.h>

/* As cid__digits. */
uint64_t cid__digits_plain(int *power, uint64_t bits);

/* As cid__nearest. */
uint64_t cid__nearest_plain(const struct cid__decimal *d);

/* As cid__double_print and cid__double_read. */
size_t cid__double_print_plain(char *out, double value);
bool cid__double_read_plain(double *out, const char *text, size_t len);

/* As cid_json_skip and cid_json_find_string. */
enum cid_error cid__json_skip_plain(struct cid_json_reader *reader,
                                    const struct cid_json_item *item);
enum cid_error cid__json_find_plain(struct cid_json_reader *reader, struct cid_json_item *item,
                                    const char *key, size_t len);

#endif
