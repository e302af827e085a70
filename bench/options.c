#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_usage(const char *what, const char *which)
{
    fprintf(stderr, "cid-bench: %s: %s\nTry 'cid-bench --help'.\n", which, what);
    exit(2);
}

static bool listed(const char *const *list, const char *name, size_t len)
{
    for (; *list; list++)
        if (strlen(*list) == len && memcmp(*list, name, len) == 0)
            return true;
    return false;
}

static void take_value(struct bench_args *args, struct bench_arg *out, size_t name_len, bool wants)
{
    static char name[64];
    const char *arg = out->option;

    if (arg[name_len] == '=') {
        if (!wants || name_len >= sizeof name)
            bench_usage(wants ? "unknown option" : "takes no value", arg);
        memcpy(name, arg, name_len);
        name[name_len] = '\0';
        out->option = name;
        out->value = arg + name_len + 1;
    } else if (wants) {
        if (args->argc == 0)
            bench_usage("needs a value", arg);
        out->value = *args->argv++;
        args->argc--;
    }
}

bool bench_next_arg(struct bench_args *args, struct bench_arg *out, const char *const *with_value)
{
    const char *arg;
    size_t len;

    if (args->argc == 0)
        return false;
    arg = *args->argv++;
    args->argc--;
    *out = (struct bench_arg){NULL, arg};
    if (args->ended || arg[0] != '-' || arg[1] == '\0')
        return true;
    if (strcmp(arg, "--") == 0) {
        args->ended = true;
        return bench_next_arg(args, out, with_value);
    }
    len = strcspn(arg, "=");
    *out = (struct bench_arg){arg, NULL};
    take_value(args, out, len, listed(with_value, arg, len));
    return true;
}

uint64_t bench_number(const struct bench_arg *arg, uint64_t least, uint64_t most)
{
    char *end = NULL;
    unsigned long long number;

    errno = 0;
    number = strtoull(arg->value, &end, 0);
    if (errno != 0 || arg->value[0] < '0' || arg->value[0] > '9' || *end != '\0' ||
        number < least || number > most)
        bench_usage("not a number in range", arg->value);
    return number;
}

void bench_filter_compile(regex_t *out, const char *pattern)
{
    char text[256];
    int error = regcomp(out, pattern, REG_EXTENDED | REG_NOSUB);

    if (error == 0)
        return;
    regerror(error, out, text, sizeof text);
    bench_usage(text, pattern);
}

bool bench_filter_match(const regex_t *filter, const char *text)
{
    return !filter || regexec(filter, text, 0, NULL, 0) == 0;
}
