/* Reading results back: JSON lines, one flat object each, members in any order. */
#include "results.h"

#include "count.h"

#include <math.h>
#include <string.h>

#define DEPTH_MAX 16 /* of values that are passed over */

/* A cursor over one NUL-terminated line. */
struct text {
    const char *at;
};

static void skip_blanks(struct text *in)
{
    in->at += strspn(in->at, " \t\r\n");
}

/* Takes one character, blanks before it passed over. */
static bool take(struct text *in, char c)
{
    skip_blanks(in);
    if (*in->at != c)
        return false;
    in->at++;
    return true;
}

/* Takes a string, cut to what out holds. Escapes are kept as they stand: no name needs one. */
static bool take_string(struct text *in, char *out, size_t size)
{
    size_t len = 0;

    if (!take(in, '"'))
        return false;
    for (; *in->at != '"'; in->at++) {
        if (*in->at == '\0')
            return false;
        if (len + 1 < size)
            out[len++] = *in->at;
        if (*in->at == '\\' && in->at[1] != '\0')
            in->at++;
    }
    in->at++;
    out[len] = '\0';
    return true;
}

static bool take_word(struct text *in, const char *word)
{
    size_t len = strlen(word);

    skip_blanks(in);
    if (strncmp(in->at, word, len) != 0)
        return false;
    in->at += len;
    return true;
}

/* Takes a number, or null for NAN. */
static bool take_number(struct text *in, double *out)
{
    char *end = NULL;

    if (take_word(in, "null")) {
        *out = NAN;
        return true;
    }
    if (*in->at != '-' && (*in->at < '0' || *in->at > '9'))
        return false;
    *out = strtod(in->at, &end); /* the program runs in the C locale */
    in->at = end;
    return true;
}

static bool take_numbers(struct text *in, struct bench_result *out)
{
    size_t room = 1;

    for (const char *p = in->at; *p != '\0' && *p != ']'; p++)
        room += *p == ',';
    free(out->values);
    out->values = bench_buffer(room * sizeof *out->values);
    out->value_count = 0;
    if (!take(in, '['))
        return false;
    if (take(in, ']'))
        return true;
    do {
        if (!take_number(in, &out->values[out->value_count]))
            return false;
        if (isnan(out->values[out->value_count++]))
            return false;
    } while (take(in, ','));
    return take(in, ']');
}

static bool skip_value(struct text *in, int depth);

static bool skip_members(struct text *in, char close, int depth)
{
    char name[2];

    if (take(in, close))
        return true;
    do {
        if (close == '}' && !(take_string(in, name, sizeof name) && take(in, ':')))
            return false;
        if (!skip_value(in, depth + 1))
            return false;
    } while (take(in, ','));
    return take(in, close);
}

static bool skip_value(struct text *in, int depth)
{
    char string[2];
    double number;

    if (depth > DEPTH_MAX)
        return false;
    if (take(in, '{'))
        return skip_members(in, '}', depth);
    if (take(in, '['))
        return skip_members(in, ']', depth);
    if (*in->at == '"')
        return take_string(in, string, sizeof string);
    return take_word(in, "true") || take_word(in, "false") || take_number(in, &number);
}

/* Where the number of that name goes; NULL if there is no such member. */
static double *number_member(struct bench_result *r, const char *name)
{
    const struct {
        const char *name;
        double *at;
    } members[] = {
        {"min", &r->six.min},
        {"q1", &r->six.q1},
        {"median", &r->six.median},
        {"mean", &r->six.mean},
        {"q3", &r->six.q3},
        {"max", &r->six.max},
        {"bytes_per_s", &r->bytes_per_s},
        {"alloc_bytes_per_op", &r->alloc_bytes_per_op},
        {"allocs_per_op", &r->allocs_per_op},
    };

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (strcmp(members[i].name, name) == 0)
            return members[i].at;
    return NULL;
}

static bool take_member(struct text *in, struct bench_result *out)
{
    char name[BENCH_NAME_SIZE];
    double number = 0;

    if (!take_string(in, name, sizeof name) || !take(in, ':'))
        return false;
    skip_blanks(in);
    if (strcmp(name, "bench") == 0)
        return take_string(in, out->bench, sizeof out->bench);
    if (strcmp(name, "engine") == 0)
        return take_string(in, out->engine, sizeof out->engine);
    if (strcmp(name, "unit") == 0)
        return take_string(in, out->unit, sizeof out->unit);
    if (strcmp(name, "values") == 0)
        return take_numbers(in, out);
    if (strcmp(name, "samples") == 0) {
        bool ok = take_number(in, &number) && number >= 0 && number < 1e15;
        out->samples = ok ? (size_t)number : 0;
        return ok;
    }
    if (number_member(out, name))
        return take_number(in, number_member(out, name));
    return skip_value(in, 0);
}

/* The object of one line. What it allocated in out->values is the caller's, whatever comes back. */
static bool parse_line(const char *line, struct bench_result *out)
{
    struct text in = {line};

    *out = (struct bench_result){.alloc_bytes_per_op = NAN, .allocs_per_op = NAN};
    if (!take(&in, '{'))
        return false;
    do {
        if (!take_member(&in, out))
            return false;
    } while (take(&in, ','));
    if (!take(&in, '}'))
        return false;
    skip_blanks(&in);
    return *in.at == '\0' && out->bench[0] != '\0' && out->engine[0] != '\0';
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
