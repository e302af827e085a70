/* Reading results back: JSON lines, one object each, members in any order. */
#include "results.h"

#include "count.h"

#include <cid/json.h>

#include <math.h>
#include <string.h>

/* A line, which is looked through once for each member that is wanted. */
struct line {
    struct cid_json_reader reader;
    const char *text;
    size_t len;
};

/* Whether the line is a JSON object and nothing else. */
static bool is_object(struct line *line)
{
    struct cid_json_item item;

    cid_json_reader_begin(&line->reader, line->text, line->len, 0);
    return !cid_json_next(&line->reader, &item) && item.kind == CID_JSON_OBJECT &&
           !cid_json_skip(&line->reader, &item) && cid_json_next(&line->reader, &item) == CID_END;
}

/* Whether an object has the member; the reader stands behind the first item of its value. */
static bool has(struct line *line, struct cid_json_item *value, const char *key)
{
    cid_json_reader_begin(&line->reader, line->text, line->len, 0);
    return !cid_json_next(&line->reader, value) && !cid_json_find(&line->reader, value, key) &&
           value->kind != CID_JSON_OBJECT_END;
}

/* The three below leave out what it is as it was if the line has no such member. */

static bool take_string(struct line *line, const char *key, char *out, size_t size)
{
    struct cid_json_item value;
    size_t len = 0;

    if (!has(line, &value, key))
        return true;
    if (value.kind != CID_JSON_STRING || cid_json_unescape(out, size - 1, &len, &value))
        return false;
    out[len] = '\0';
    return true;
}

static bool take_count(struct line *line, const char *key, size_t *out)
{
    struct cid_json_item value;
    uint64_t count = 0;

    if (!has(line, &value, key))
        return true;
    if (cid_json_read_u64(&count, &value) || count > SIZE_MAX)
        return false;
    *out = (size_t)count;
    return true;
}

/* null is NAN. */
static bool take_number(struct line *line, const char *key, double *out)
{
    struct cid_json_item value;

    if (!has(line, &value, key))
        return true;
    if (value.kind != CID_JSON_NULL)
        return !cid_json_read_double(out, &value);
    *out = NAN;
    return true;
}

static bool take_numbers(struct line *line, struct bench_result *out)
{
    struct cid_json_item value;
    size_t room = 1;

    if (!has(line, &value, "values"))
        return true;
    if (value.kind != CID_JSON_ARRAY)
        return false;
    for (const char *p = value.text; *p != '\0'; p++)
        room += *p == ',';
    out->values = bench_buffer(room * sizeof *out->values);
    while (!cid_json_next(&line->reader, &value) && value.kind != CID_JSON_ARRAY_END)
        if (cid_json_read_double(&out->values[out->value_count++], &value))
            return false;
    return true;
}

/* The object of one line. What it allocated in out->values is the caller's, whatever comes back. */
static bool parse_line(const char *text, struct bench_result *out)
{
    struct line line = {.text = text, .len = strlen(text)};

    *out = (struct bench_result){.alloc_bytes_per_op = NAN, .allocs_per_op = NAN};
    return is_object(&line) && take_string(&line, "bench", out->bench, sizeof out->bench) &&
           take_string(&line, "engine", out->engine, sizeof out->engine) &&
           take_string(&line, "unit", out->unit, sizeof out->unit) &&
           take_count(&line, "samples", &out->samples) &&
           take_number(&line, "min", &out->six.min) && take_number(&line, "q1", &out->six.q1) &&
           take_number(&line, "median", &out->six.median) &&
           take_number(&line, "mean", &out->six.mean) && take_number(&line, "q3", &out->six.q3) &&
           take_number(&line, "max", &out->six.max) &&
           take_number(&line, "bytes_per_s", &out->bytes_per_s) &&
           take_number(&line, "alloc_bytes_per_op", &out->alloc_bytes_per_op) &&
           take_number(&line, "allocs_per_op", &out->allocs_per_op) && take_numbers(&line, out) &&
           out->bench[0] != '\0' && out->engine[0] != '\0';
}

/* Reads a line of any length into *line; false at the end. A last line need not end in LF. */
static bool read_line(FILE *file, char **line, size_t *room)
{
    size_t len = 0;
    int c;

    while ((c = getc(file)) != EOF && c != '\n') {
        if (len + 2 > *room) {
            *room = *room * 2 + 256;
            *line = realloc(*line, *room);
            if (!*line)
                bench_out_of_memory();
        }
        (*line)[len++] = (char)c;
    }
    if (*line)
        (*line)[len] = '\0';
    return c != EOF || len != 0;
}

static int read_lines(struct bench_results *results, FILE *file, const char *path)
{
    char *line = NULL;
    size_t room = 0;
    int status = 0;

    for (unsigned long number = 1; status == 0 && read_line(file, &line, &room); number++) {
        struct bench_result result;
        if (!line || line[strspn(line, " \t\r")] == '\0')
            continue;
        if (parse_line(line, &result)) {
            bench_results_add(results, &result);
        } else {
            fprintf(stderr, "cid-bench: %s: line %lu is no result\n", path, number);
            status = 1;
        }
        free(result.values);
    }
    free(line);
    return status;
}

int bench_results_read(struct bench_results *results, const char *path)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "r");
    int status;

    if (!file) {
        perror(path);
        return 3;
    }
    status = read_lines(results, file, path);
    if (ferror(file)) {
        fprintf(stderr, "cid-bench: %s: cannot be read\n", path);
        status = 3;
    }
    if (!is_stdin)
        fclose(file);
    return status;
}
