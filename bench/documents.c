#include "documents.h"

#include "commands.h"
#include "harness.h"
#include "manifest.h"
#include "naive_json.h"
#include "options.h"

#include <cid/json.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Different strings; they come round and round, so that making them takes no time to speak of. */
#define STRINGS  64
#define OUT_SIZE 65536

struct request {
    const char *engine;
    uint64_t count;
    uint64_t seed;
};

void document_fill(struct bench_random *random, char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        text[i] = bench_random_below(random, 100 * DOCUMENT_STRING_LEN) == 0
                      ? '"'
                      : (char)('a' + bench_random_below(random, 26));
}

/* ---- standard output ---------------------------------------------------------------------- */

static enum cid_error write_all(void *ctx, const char *text, size_t len)
{
    (void)ctx;
    while (len != 0) {
        ssize_t n = write(STDOUT_FILENO, text, len);
        if (n < 0 && errno != EINTR)
            return CID_E_IO;
        if (n > 0) {
            text += n;
            len -= (size_t)n;
        }
    }
    return CID_OK;
}

static int failed(void)
{
    fprintf(stderr, "cid-bench: standard output: %s\n", strerror(errno));
    return 3;
}

/* ---- strings ------------------------------------------------------------------------------ */

static const char *string_at(const char *text, uint64_t i)
{
    return text + i % STRINGS * DOCUMENT_STRING_LEN;
}

static enum cid_error strings_libcid(const char *text, uint64_t count)
{
    static char out[OUT_SIZE];
    struct cid_json json;

    cid_json_begin(&json, out, sizeof out, write_all, NULL);
    cid_json_array_begin(&json);
    for (uint64_t i = 0; i < count; i++)
        cid_json_string(&json, string_at(text, i), DOCUMENT_STRING_LEN);
    cid_json_array_end(&json);
    return cid_json_finish(&json, NULL, false);
}

struct sink {
    char out[OUT_SIZE];
    size_t len;
    enum cid_error error;
};

static void flush(struct sink *sink)
{
    if (!sink->error)
        sink->error = write_all(NULL, sink->out, sink->len);
    sink->len = 0;
}

static void put(void *ctx, char c)
{
    struct sink *sink = ctx;

    if (sink->len == sizeof sink->out)
        flush(sink);
    sink->out[sink->len++] = c;
}

static enum cid_error strings_naive(const char *text, uint64_t count)
{
    static struct sink sink;

    put(&sink, '[');
    for (uint64_t i = 0; i < count; i++) {
        if (i != 0)
            put(&sink, ',');
        naive_json_string(put, &sink, string_at(text, i), DOCUMENT_STRING_LEN);
    }
    put(&sink, ']');
    flush(&sink);
    return sink.error;
}

/* ---- the commands ------------------------------------------------------------------------- */

/* strings: --engine and --count may be given too. */
static struct request request_of(int argc, char **argv, bool strings)
{
    static const char *const with_value[] = {"--seed", "--engine", "--count", NULL};
    struct request request = {"libcid", 1, 1};
    struct bench_args args = {argc, argv, false};
    struct bench_arg arg;

    while (bench_next_arg(&args, &arg, with_value)) {
        if (!arg.option)
            bench_usage("not expected", arg.value);
        if (strcmp(arg.option, "--seed") == 0)
            request.seed = bench_number(&arg, 0, UINT64_MAX);
        else if (strings && strcmp(arg.option, "--engine") == 0)
            request.engine = arg.value;
        else if (strings && strcmp(arg.option, "--count") == 0)
            request.count = bench_number(&arg, 0, UINT32_MAX);
        else
            bench_usage("unknown option", arg.option);
    }
    return request;
}

int bench_strings(int argc, char **argv)
{
    static char text[STRINGS * DOCUMENT_STRING_LEN];
    struct request request = request_of(argc, argv, true);
    struct bench_random random = {request.seed};
    enum cid_error error;

    document_fill(&random, text, sizeof text);
    if (strcmp(request.engine, "libcid") == 0)
        error = strings_libcid(text, request.count);
    else if (strcmp(request.engine, "per-character") == 0)
        error = strings_naive(text, request.count);
    else
        bench_usage("no such engine", request.engine);
    return error ? failed() : 0;
}

int bench_manifest(int argc, char **argv)
{
    struct request request = request_of(argc, argv, false);
    struct manifest *manifest = manifest_make(request.seed);
    enum cid_error error = write_all(NULL, manifest->text, manifest->len);

    manifest_free(manifest);
    return error ? failed() : 0;
}
