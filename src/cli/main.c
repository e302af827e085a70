#include "commands.h"
#include "text.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct command *const commands[] = {
    &inspect_command,     &convert_command,        &format_command,     &hash_command,
    &bases_command,       &codecs_command,         &hashes_command,     &car_inspect_command,
    &car_list_command,    &car_verify_command,     &car_get_command,    &car_roots_command,
    &car_index_command,   &car_index_list_command, &car_wrap_command,   &car_unwrap_command,
    &car_filter_command,  &car_concat_command,     &car_create_command, &cache_list_command,
    &cache_clear_command, &car_graph_command,      &car_tree_command,   &block_command,
    &links_command,
};
#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

/* The commands whose name starts with a prefix. */
static void list_commands(struct output *out, const char *prefix)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strncmp(commands[i]->name, prefix, strlen(prefix)) == 0)
            out_print(out, "  %-14s  %s\n", commands[i]->name, commands[i]->summary);
}

static void help_car(struct output *out)
{
    out_text(out, "Usage: cid-inspect car [COMMAND] [OPTION]... FILE...\n"
                  "\n"
                  "Reads CAR archives. 'car FILE' is 'car inspect FILE'.\n"
                  "\n"
                  "Commands:\n");
    list_commands(out, "car ");
    out_text(out, "\n'help car COMMAND' tells more.\n");
}

static void help_all(struct output *out)
{
    out_text(out, "Usage: cid-inspect [COMMAND] [OPTION]... [ARGUMENT]...\n"
                  "\n"
                  "Explains content identifiers (CIDs) and checks CAR archives, offline.\n"
                  "\n"
                  "Commands:\n");
    list_commands(out, "");
    out_text(out, "\n"
                  "Without a command it is 'inspect'; 'car FILE' is 'car inspect FILE'. Every\n"
                  "command has --json and --help; 'help COMMAND' is the same.\n"
                  "\n"
                  "Examples:\n"
                  "  cid-inspect bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4\n"
                  "  cid-inspect convert -b base36 - < cids.txt\n"
                  "  cid-inspect car verify export.car\n"
                  "\n"
                  "Exit status, the worst one wins: 3 input or output failed; 1 malformed, cut\n"
                  "short or not matching; 4 nothing wrong, but something cannot be checked; 0 all\n"
                  "good. 2 is wrong usage, and then nothing was done.\n");
}

/* ---- which command ------------------------------------------------------------------------- */

/* The command of that name: "inspect", or "car" with the name of what is to be done. */
static const struct command *find_command(const char *first, const char *second)
{
    char name[32];

    if (second) {
        if (strlen(first) + strlen(second) + 2 > sizeof name)
            return NULL;
        strcpy(name, first);
        strcat(name, " ");
        strcat(name, second);
        first = name;
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, first) == 0)
            return commands[i];
    return NULL;
}

/*
 * The place of the first operand at or after at, where only common options may come before it;
 * count if there is none.
 */
static size_t first_operand(const char **argv, size_t count, size_t at)
{
    for (; at < count; at++) {
        if (strcmp(argv[at], "--") == 0)
            return count;
        if (strcmp(argv[at], "--color") == 0)
            at++;
        else if (argv[at][0] != '-' || argv[at][1] == '\0')
            return at;
    }
    return count;
}

static void remove_argument(const char **argv, size_t *count, size_t at)
{
    memmove(argv + at, argv + at + 1, (*count - at - 1) * sizeof *argv);
    --*count;
}

struct choice {
    const struct command *command;
    bool help; /* "help COMMAND" */
    bool none; /* no command was named */
    bool car;  /* "car" alone was */
};

/* Finds the command and takes its words out of the arguments. */
static struct choice choose(const char **argv, size_t *count)
{
    struct choice choice = {&inspect_command, false, true, false};
    size_t at = first_operand(argv, *count, 0), next;

    if (at < *count && strcmp(argv[at], "help") == 0) {
        choice.help = true;
        remove_argument(argv, count, at);
        at = first_operand(argv, *count, at);
    }
    if (at >= *count)
        return choice;
    if (strcmp(argv[at], "car") == 0) {
        choice = (struct choice){&car_inspect_command, choice.help, false, true};
        remove_argument(argv, count, at);
        next = first_operand(argv, *count, at);
        if (next < *count && find_command("car", argv[next])) {
            choice.command = find_command("car", argv[next]);
            choice.car = false;
            remove_argument(argv, count, next);
        }
    } else if (strcmp(argv[at], "cache") == 0) {
        next = first_operand(argv, *count, at + 1);
        choice = (struct choice){&cache_list_command, choice.help, false, false};
        if (next < *count && find_command("cache", argv[next])) {
            choice.command = find_command("cache", argv[next]);
            remove_argument(argv, count, next);
        }
        remove_argument(argv, count, at);
    } else if (find_command(argv[at], NULL)) {
        choice = (struct choice){find_command(argv[at], NULL), choice.help, false, false};
        remove_argument(argv, count, at);
    }
    return choice;
}

/* ---- running ------------------------------------------------------------------------------- */

static bool set_color(struct cli *cli, const char *when)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    bool wanted = !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);

    if (!when || strcmp(when, "auto") == 0) {
        cli->out.color = wanted && isatty(STDOUT_FILENO);
        cli->err.color = wanted && isatty(STDERR_FILENO);
        return true;
    }
    cli->out.color = cli->err.color = strcmp(when, "always") == 0;
    if (cli->out.color || strcmp(when, "never") == 0)
        return true;
    cli_usage(cli, "--color wants auto, always or never");
    return false;
}

/* Options that end the run. */
static bool run_common(struct cli *cli, const struct choice *choice, const char **common)
{
    if (common[COMMON_VERSION]) {
        out_print(&cli->out, "cid-inspect %s\n", cid_version());
        return true;
    }
    if (!choice->help && !common[COMMON_HELP])
        return false;
    if (choice->none)
        help_all(&cli->out);
    else if (choice->car)
        help_car(&cli->out);
    else
        options_help(&cli->out, choice->command);
    return true;
}

static void run(struct cli *cli, struct arguments *args, const char **argv, size_t count)
{
    const char *common[COMMON_COUNT] = {NULL};
    struct choice choice = choose(argv, &count);

    cli->command = choice.none ? NULL : choice.command->name;
    if (!options_parse(cli, args, common, choice.command->options, argv, count) ||
        !set_color(cli, common[COMMON_COLOR]))
        return;
    if (choice.help && args->count != 0) {
        cli_usage(cli, "there is no such command to help with");
        return;
    }
    cli->as_json = common[COMMON_JSON] != NULL;
    if (run_common(cli, &choice, common))
        return;
    if (!cli->command)
        cli->command = choice.command->name;
    cli_status(cli, choice.command->run(cli, args));
}

/*
 * A closed standard descriptor would be taken by the next file that is opened. It is given one that
 * cannot be used, so that using it fails.
 */
static void fill_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0) {
            int got = open("/dev/null", fd == 1 ? O_RDONLY : O_WRONLY);
            if (got >= 0 && got != fd)
                close(got);
        }
}

int main(int argc, char **argv)
{
    struct arguments args = {{NULL}, NULL, 0, NULL, 0};
    struct cli *cli;
    enum status status;

    fill_descriptors();
    signal(SIGPIPE, SIG_IGN);
    cli = cli_alloc(sizeof *cli);
    cli_begin(cli);
    run(cli, &args, (const char **)argv + 1, argc > 0 ? (size_t)argc - 1 : 0);
    status = cli_end(cli);
    free(args.many);
    free(cli);
    return (int)status;
}
