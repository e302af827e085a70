/*
 * options.h - the commands as tables, and the one parser of their options.
 *
 * -x, -xVALUE, -x VALUE, -xy; --name, --name=VALUE, --name VALUE. Options and operands may be
 * mixed,
 * "--" ends the options, "-" is an operand. The last of several equal options holds,
 * unless all do.
 */
#ifndef CID_CLI_OPTIONS_H
#define CID_CLI_OPTIONS_H

#include "cli.h"

#define OPTIONS_MAX 16

struct option {
    const char *name;  /* without the dashes; NULL ends a table */
    char letter;       /* 0 if it has none */
    const char *value; /* what the value is called in the help; NULL: the option takes none. With
                          "..." behind it the option may be repeated, one of a command at most */
    const char *help;
};

/* The operands, and the value of each option of the table: NULL if absent, "" if it takes none. */
struct arguments {
    const char *values[OPTIONS_MAX];
    const char **operands;
    size_t count;
    const char **many; /* all values of the option that may be repeated; to be freed */
    size_t many_count;
};

struct command {
    const char *name;
    const char *operands; /* as in the usage line */
    const char *summary;  /* one line, for the list of commands */
    const char *help;     /* what more there is to say; ends in a newline */
    const struct option *options;
    enum status (*run)(struct cli *cli, const struct arguments *args);
};

/* The options that all commands have. */
enum common {
    COMMON_JSON,
    COMMON_COLOR,
    COMMON_HELP,
    COMMON_VERSION,
    COMMON_COUNT
};
extern const struct option common_options[];

/*
 * Parses what follows the command; argv is reordered, args->operands points into it. common gets
 * the values of the common options. False after a usage error, which has been told.
 */
bool options_parse(struct cli *cli, struct arguments *args, const char *common[COMMON_COUNT],
                   const struct option *options, const char **argv, size_t count);

/* The help of a command. */
void options_help(struct output *out, const struct command *command);

/*
 * A size like 4096, 64K, 16M, 2G, of 1,024 each. False after a usage error, which has been told; an
 * absent option leaves *size.
 */
bool options_size(struct cli *cli, uint64_t *size, const char *name, const char *text);

#endif
