#include "tsv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 64

struct tsv {
    char *text;
    char *at; /* the line to be read next */
    const char *path;
    size_t rows;
    size_t line;
    size_t columns;
    char *names[MAX_COLUMNS];
    char *cells[MAX_COLUMNS];
};

static void broken(const struct tsv *tsv, const char *what, const char *detail)
{
    fprintf(stderr, "%s:%zu: %s%s\n", tsv->path, tsv->line, what, detail);
    exit(1);
}

static char *load(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t len = 0, cap = 1 << 16;
    char *text = file ? malloc(cap) : NULL;

    if (!file)
        return NULL;
    while (text && (len += fread(text + len, 1, cap - 1 - len, file)) == cap - 1)
        text = realloc(text, cap *= 2);
    if (!text || ferror(file)) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    fclose(file);
    text[len] = '\0';
    return text;
}

/* By lines alone, without regard to what tsv_next does. */
static size_t count_rows(const char *text)
{
    size_t rows = 0;
    for (const char *line = text; *line;) {
        const char *end = strchr(line, '\n');
        rows += *line != '#';
        line = end ? end + 1 : line + strlen(line);
    }
    return rows;
}

static char *next_line(struct tsv *tsv)
{
    char *line = tsv->at;
    char *end = strchr(line, '\n');

    if (*line == '\0')
        return NULL;
    tsv->at = end ? end + 1 : line + strlen(line);
    if (end)
        *end = '\0';
    tsv->line++;
    return line;
}

static size_t split(struct tsv *tsv, char **cells, char *line)
{
    size_t count = 0;

    for (char *tab = line; tab; line = tab + 1) {
        if (count == MAX_COLUMNS)
            broken(tsv, "too many columns", "");
        cells[count++] = line;
        tab = strchr(line, '\t');
        if (!tab)
            break;
        *tab = '\0';
    }
    return count;
}

struct tsv *tsv_open(const char *path)
{
    char *text = load(path);
    struct tsv *tsv = text ? calloc(1, sizeof *tsv) : NULL;
    char *line;

    if (!tsv)
        return NULL;
    tsv->path = path;
    tsv->text = tsv->at = text;
    tsv->rows = count_rows(text);
    do
        line = next_line(tsv);
    while (line && strncmp(line, "# ", 2) == 0);
    if (!line || *line != '#')
        broken(tsv, "no line that names the columns", "");
    tsv->columns = split(tsv, tsv->names, line + 1);
    return tsv;
}

void tsv_close(struct tsv *tsv)
{
    if (!tsv)
        return;
    free(tsv->text);
    free(tsv);
}

size_t tsv_rows(const struct tsv *tsv)
{
    return tsv->rows;
}

bool tsv_next(struct tsv *tsv)
{
    char *line;

    do
        line = next_line(tsv);
    while (line && *line == '#');
    if (!line)
        return false;
    if (split(tsv, tsv->cells, line) != tsv->columns)
        broken(tsv, "a row with too few or too many cells", "");
    return true;
}

size_t tsv_line(const struct tsv *tsv)
{
    return tsv->line;
}

const char *tsv_raw(const struct tsv *tsv, const char *column)
{
    for (size_t i = 0; i < tsv->columns; i++)
        if (strcmp(tsv->names[i], column) == 0)
            return tsv->cells[i];
    broken(tsv, "no column ", column);
    return NULL;
}

const char *tsv_get(const struct tsv *tsv, const char *column)
{
    const char *cell = tsv_raw(tsv, column);

    if (strcmp(cell, "-") == 0)
        return NULL;
    return strcmp(cell, ".") == 0 ? "" : cell;
}

bool tsv_is(const struct tsv *tsv, const char *column, const char *value)
{
    const char *cell = tsv_get(tsv, column);
    return cell && strcmp(cell, value) == 0;
}

static int nibble(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

bool tsv_hex(const struct tsv *tsv, const char *column, uint8_t **out, size_t *len)
{
    const char *hex = tsv_get(tsv, column);
    size_t n = hex ? strlen(hex) / 2 : 0;
    uint8_t *bytes;

    if (!hex || strlen(hex) % 2 != 0)
        return false;
    bytes = malloc(n ? n : 1);
    for (size_t i = 0; bytes && i < n; i++) {
        int high = nibble(hex[2 * i]), low = nibble(hex[2 * i + 1]);
        if (high < 0 || low < 0) {
            free(bytes);
            return false;
        }
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    *out = bytes;
    *len = n;
    return bytes != NULL;
}

bool tsv_number(const struct tsv *tsv, const char *column, uint64_t *out)
{
    const char *cell = tsv_get(tsv, column);
    bool hex = cell && strncmp(cell, "0x", 2) == 0;
    unsigned radix = hex ? 16 : 10;
    uint64_t value = 0;

    if (!cell || cell[hex ? 2 : 0] == '\0')
        return false;
    for (cell += hex ? 2 : 0; *cell; cell++) {
        int digit = nibble(*cell);
        if (digit < 0 || (unsigned)digit >= radix || value > (UINT64_MAX - (unsigned)digit) / radix)
            return false;
        value = value * radix + (unsigned)digit;
    }
    *out = value;
    return true;
}
