/*
 * json/floats/{print,read}: an array of 4,096 doubles of random bits, as JSON; an operation is a
 * double. libcid-plain is the library with integers of any size in place of its table of powers.
 */
#include "rows.h"

#include "floats.h"
#include "json/number.h"
#include "json/plain.h"

#include <cid/json.h>

#include <stdio.h>
#include <string.h>

/* ---- the library ------------------------------------------------------------------------ */

static size_t print_libcid(struct floats *floats)
{
    struct cid_json json;
    size_t written = 0;
    enum cid_error error;

    cid_json_begin(&json, floats->out, sizeof floats->out, NULL, NULL);
    cid_json_array_begin(&json);
    for (size_t i = 0; i < FLOATS_ALL; i++)
        cid_json_double(&json, floats->value[i]);
    cid_json_array_end(&json);
    error = cid_json_finish(&json, &written, false);
    if (error)
        bench_fail_error("cid_json_finish", error);
    return written;
}

static size_t read_libcid(struct floats *floats)
{
    struct cid_json_reader reader;
    struct cid_json_item item;
    size_t count = 0;
    enum cid_error error;

    cid_json_reader_begin(&reader, floats->text, floats->len, 0);
    while (!(error = cid_json_next(&reader, &item)))
        if (item.kind == CID_JSON_NUMBER) {
            error = cid_json_read_double(&floats->back[count++], &item);
            if (error)
                bench_fail_error("cid_json_read_double", error);
        }
    if (error != CID_END)
        bench_fail_error("cid_json_next", error);
    return count;
}

/* ---- its plain twin --------------------------------------------------------------------- */

static size_t print_plain(struct floats *floats)
{
    char *out = floats->out;

    for (size_t i = 0; i < FLOATS_ALL; i++) {
        *out++ = i == 0 ? '[' : ',';
        out += cid__double_print_plain(out, floats->value[i]);
    }
    *out++ = ']';
    return (size_t)(out - floats->out);
}

static size_t read_plain(struct floats *floats)
{
    size_t count = 0;

    for (size_t i = 1, len; i < floats->len; i += len + 1) {
        len = cid__number_span(floats->text + i, floats->len - i);
        if (!cid__double_read_plain(&floats->back[count++], floats->text + i, len))
            bench_fail("cid__double_read_plain", "a double of the array");
    }
    return count;
}

/* ---- the C library ---------------------------------------------------------------------- */

static size_t print_libc(struct floats *floats)
{
    char *out = floats->out;

    for (size_t i = 0; i < FLOATS_ALL; i++) {
        *out++ = i == 0 ? '[' : ',';
        out += snprintf(out, 32, "%.17g", floats->value[i]);
    }
    *out++ = ']';
    return (size_t)(out - floats->out);
}

static size_t read_libc(struct floats *floats)
{
    size_t count = 0;
    char *at = floats->text;

    while (*at != ']')
        floats->back[count++] = strtod(at + 1, &at);
    return count;
}

/* ---- rows ------------------------------------------------------------------------------- */

/* Digits differ where not all libraries print the fewest: what they read back as is compared. */
static void answer_text(struct floats *floats, size_t len, struct bench_answer *answer)
{
    char *at = floats->out;

    if (len >= sizeof floats->out)
        bench_fail("floats", "no room");
    at[len] = '\0';
    for (; *at && *at != ']';) {
        double value = strtod(at + 1, &at);
        bench_answer_add(answer, &value, sizeof value);
    }
}

static void answer_doubles(const struct floats *floats, size_t count, struct bench_answer *answer)
{
    bench_answer_add(answer, floats->back, count * sizeof floats->back[0]);
}

#define FLOATS(name, print, read)                                                                  \
    static size_t name##_print_run(void *ctx, size_t at, size_t ops)                               \
    {                                                                                              \
        struct floats *floats = ctx;                                                               \
        for (; ops != 0; ops -= FLOATS_ALL) {                                                      \
            bench_keep_value(print(floats));                                                       \
            bench_keep(floats->out);                                                               \
        }                                                                                          \
        return at;                                                                                 \
    }                                                                                              \
    static void name##_print_answer(void *ctx, size_t i, struct bench_answer *answer)              \
    {                                                                                              \
        (void)i;                                                                                   \
        answer_text(ctx, print(ctx), answer);                                                      \
    }                                                                                              \
    static size_t name##_read_run(void *ctx, size_t at, size_t ops)                                \
    {                                                                                              \
        struct floats *floats = ctx;                                                               \
        for (; ops != 0; ops -= FLOATS_ALL) {                                                      \
            bench_keep_value(read(floats));                                                        \
            bench_keep(floats->back);                                                              \
        }                                                                                          \
        return at;                                                                                 \
    }                                                                                              \
    static void name##_read_answer(void *ctx, size_t i, struct bench_answer *answer)               \
    {                                                                                              \
        (void)i;                                                                                   \
        answer_doubles(ctx, read(ctx), answer);                                                    \
    }

FLOATS(libcid, print_libcid, read_libcid)
FLOATS(plain, print_plain, read_plain)
FLOATS(libc, print_libc, read_libc)
FLOATS(yajl, floats_yajl.print, floats_yajl.read)
FLOATS(jansson, floats_jansson.print, floats_jansson.read)

static struct floats *make_floats(uint64_t seed)
{
    struct floats *floats = bench_buffer(sizeof *floats);
    struct bench_random random = {seed};

    for (size_t i = 0; i < FLOATS_ALL;) {
        uint64_t bits = bench_random_next(&random);
        memcpy(&floats->value[i], &bits, sizeof bits);
        i += (bits >> 52 & 0x7ff) != 0x7ff; /* neither infinite nor NaN */
    }
    floats->len = print_libcid(floats);
    memcpy(floats->text, floats->out, floats->len);
    floats->text[floats->len] = '\0';
    return floats;
}

static void open_floats(struct bench_row *row, uint64_t seed)
{
    struct floats *floats = make_floats(seed);
    bool read = row->size != 0;

    row->input = floats;
    row->inputs = row->ops_answer = FLOATS_ALL;
    row->answers = 1;
    row->whole = true;
    row->op = "double";
    row->bytes_per_op = (double)floats->len / FLOATS_ALL;
    bench_add(row, read ? BENCH_ENGINE("libcid", libcid_read, floats)
                        : BENCH_ENGINE("libcid", libcid_print, floats));
    bench_add(row, read ? BENCH_ENGINE("libcid-plain", plain_read, floats)
                        : BENCH_ENGINE("libcid-plain", plain_print, floats));
    bench_add(row, read ? BENCH_ENGINE("libc", libc_read, floats)
                        : BENCH_ENGINE("libc", libc_print, floats));
    if (floats_yajl.read)
        bench_add(row, read ? BENCH_ENGINE("yajl", yajl_read, floats)
                            : BENCH_ENGINE("yajl", yajl_print, floats));
    if (floats_jansson.read)
        bench_add(row, read ? BENCH_ENGINE("jansson", jansson_read, floats)
                            : BENCH_ENGINE("jansson", jansson_print, floats));
}

void bench_rows_floats(struct bench_rows *rows)
{
    for (size_t read = 0; read < 2; read++) {
        struct bench_row *row = bench_rows_add(rows, "json/floats/%s", read ? "read" : "print");
        row->open = open_floats;
        row->size = read;
    }
}
