#include "options.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

const struct option common_options[] = {
    [COMMON_JSON] = {"json", 0, NULL, "print JSON, one object a line; errors too"},
    [COMMON_COLOR] = {"color", 0, "WHEN", "auto (on a terminal, the default), always or never"},
    [COMMON_HELP] = {"help", 'h', NULL, "print this help"},
    [COMMON_VERSION] = {"version", 0, NULL, "print the version"},
    [COMMON_COUNT] = {NULL, 0, NULL, NULL},
};

struct parser {
    struct cli *cli;
    const struct option *options; /* of the command; may be NULL */
    const char **values;
    const char **common;
    const char **argv;
    size_t count;
    size_t at; /* of the next argument */
    struct arguments *args;
};

/* An option was found by name (len bytes) or, if name is NULL, by letter; *slot is its place. */
static const struct option *look_up(const struct parser *parser, const char ***slot,
                                    const char *name, size_t len, char letter)
{
    const struct option *const tables[] = {parser->options, common_options};
    const char **const slots[] = {parser->values, parser->common};

    for (size_t t = 0; t < 2; t++)
        for (size_t i = 0; tables[t] && tables[t][i].name; i++) {
            const struct option *option = &tables[t][i];
            bool found = name ? strlen(option->name) == len && memcmp(option->name, name, len) == 0
                              : option->letter == letter;
            if (found) {
                *slot = &slots[t][i];
                return option;
            }
        }
    return NULL;
}

static bool complain(struct parser *parser, const char *what, const char *name, size_t len)
{
    struct cli *cli = parser->cli;
    struct output *err = cli_message(cli);

    if (cli->command)
        out_print(err, "%s: ", cli->command);
    out_print(err, "%s ", what);
    text_put(err, name, len);
    out_print(err, "\nTry 'cid-inspect %s%s--help'.\n", cli->command ? cli->command : "",
              cli->command ? " " : "");
    cli_message_end(cli);
    cli_status(cli, STATUS_USAGE);
    return false;
}

static void keep_many(struct parser *parser, const char *value)
{
    struct arguments *args = parser->args;

    if (!args->many) /* there cannot be more values than arguments */
        args->many = cli_alloc(parser->count * sizeof *args->many);
    args->many[args->many_count++] = value;
}

/* The value of an option that needs one: what follows in the same argument, or the next one. */
static bool take_value(struct parser *parser, const struct option *option, const char **slot,
                       const char *attached, const char *shown, size_t shown_len)
{
    if (!attached && parser->at == parser->count)
        return complain(parser, "a value is missing after", shown, shown_len);
    *slot = attached ? attached : parser->argv[parser->at++];
    if (strstr(option->value, "..."))
        keep_many(parser, *slot);
    return true;
}

static bool parse_long(struct parser *parser, const char *arg)
{
    const char *equals = strchr(arg, '=');
    size_t len = equals ? (size_t)(equals - arg) : strlen(arg);
    const char **slot = NULL;
    const struct option *option = look_up(parser, &slot, arg + 2, len - 2, 0);

    if (!option)
        return complain(parser, "unknown option", arg, len);
    if (option->value)
        return take_value(parser, option, slot, equals ? equals + 1 : NULL, arg, len);
    if (equals)
        return complain(parser, "no value may follow", arg, len);
    *slot = "";
    return true;
}

static bool parse_letters(struct parser *parser, const char *arg)
{
    for (const char *at = arg + 1; *at; at++) {
        char shown[2] = {'-', *at};
        const char **slot = NULL;
        const struct option *option = look_up(parser, &slot, NULL, 0, *at);

        if (!option && at == arg + 1)
            return complain(parser, "unknown option", arg, strlen(arg));
        if (!option)
            return complain(parser, "unknown option", shown, 2);
        if (option->value)
            return take_value(parser, option, slot, at[1] ? at + 1 : NULL, shown, 2);
        *slot = "";
    }
    return true;
}

bool options_parse(struct cli *cli, struct arguments *args, const char *common[COMMON_COUNT],
                   const struct option *options, const char **argv, size_t count)
{
    struct parser parser = {cli, options, args->values, common, argv, count, 0, args};
    bool ended = false;

    args->operands = argv;
    args->count = 0;
    while (parser.at < count) {
        const char *arg = argv[parser.at++];
        bool fine = true;

        if (ended || arg[0] != '-' || arg[1] == '\0')
            argv[args->count++] = arg;
        else if (strcmp(arg, "--") == 0)
            ended = true;
        else
            fine = arg[1] == '-' ? parse_long(&parser, arg) : parse_letters(&parser, arg);
        if (!fine)
            return false;
    }
    return true;
}

static void help_option(struct output *out, const struct option *option)
{
    char left[64];
    snprintf(left, sizeof left, "%c%c%s --%s%s%s", option->letter ? '-' : ' ',
             option->letter ? option->letter : ' ', option->letter ? "," : " ", option->name,
             option->value ? "=" : "", option->value ? option->value : "");
    out_print(out, "  %-22s  %s\n", left, option->help);
}

void options_help(struct output *out, const struct command *command)
{
    out_print(out, "Usage: cid-inspect %s [OPTION]...%s%s\n\n", command->name,
              *command->operands ? " " : "", command->operands);
    out_text(out, command->help);
    out_text(out, "\nOptions:\n");
    for (size_t i = 0; command->options && command->options[i].name; i++)
        help_option(out, &command->options[i]);
    for (size_t i = 0; i < COMMON_COUNT; i++)
        help_option(out, &common_options[i]);
}

/* The factor of a unit; 0 if it is none. */
static uint64_t unit_factor(const char *unit)
{
    static const char letters[] = "KMGT";
    const char *at;

    if (*unit == '\0')
        return 1;
    at = strchr(letters, *unit >= 'a' && *unit <= 'z' ? *unit - 'a' + 'A' : *unit);
    if (!at || (unit[1] != '\0' && strcmp(unit + 1, "iB") != 0))
        return 0;
    return UINT64_C(1) << (10 * (at - letters + 1));
}

bool options_size(struct cli *cli, uint64_t *size, const char *name, const char *text)
{
    const char *at = text;
    uint64_t value = 0, factor;

    if (!text)
        return true;
    while (*at >= '0' && *at <= '9' && value < UINT64_C(1) << 60)
        value = value * 10 + (uint64_t)(*at++ - '0');
    factor = unit_factor(at);
    if (value == 0 || factor == 0 || value > (UINT64_MAX >> 1) / factor) {
        cli_usage(cli, "--%s wants a size from 1 up, such as 65536, 64K, 16M or 2G", name);
        return false;
    }
    *size = value * factor;
    return true;
}
