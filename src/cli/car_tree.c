#include "car_dag.h"
#include "commands.h"
#include "names.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_DEPTH = CAR_OWN_OPTIONS,
    OPTION_FULL
};

static const struct option options[] = {
    CAR_OPTIONS,
    [OPTION_DEPTH] = {"depth", 0, "N", "how deep to go below the roots; 32"},
    [OPTION_FULL] = {"full", 0, NULL, "print CIDs whole"},
    {NULL, 0, NULL, NULL},
};

/* Lines are indented by their depth, so a chain of blocks prints as its square. */
#define DEPTH     32
#define DEPTH_MAX 4096

/* A tree that is being printed. Level 0 is the roots; links holds where each level is. */
struct tree {
    struct cli *cli;
    const struct car_dag *dag;
    bool full;
    size_t depth; /* the deepest level that is printed */
    uint64_t *links;
    uint8_t *seen; /* a byte a number */
    uint64_t cut;  /* blocks whose links lie too deep */
};

static void put_json(const struct tree *tree, uint32_t name, size_t level, bool seen)
{
    struct cid_json *json = &tree->cli->json;
    struct cid_view view = dag_cid(tree->dag, name);
    bool missing = dag_state(tree->dag, name) == DAG_ABSENT;
    char codec[NAME_SIZE], *text = cid_text(&view, CID_BASE_DEFAULT);

    cid_json_object_begin(json);
    cid_json_key(json, "depth");
    cid_json_u64(json, level);
    cid_json_key(json, "cid");
    cid_json_text(json, text);
    cid_json_key(json, "codec");
    cid_json_text(json, codec_name(codec, view.codec));
    cid_json_key(json, "size");
    if (missing)
        cid_json_null(json);
    else
        cid_json_u64(json, dag_size(tree->dag, name));
    cid_json_key(json, "seen");
    cid_json_bool(json, seen);
    cid_json_key(json, "missing");
    cid_json_bool(json, missing);
    cid_json_object_end(json);
    cli_json_line(tree->cli);
    free(text);
}

static void put_indent(const struct tree *tree, size_t level)
{
    struct output *out = &tree->cli->out;

    out_text(out, style_on(out, STYLE_LABEL));
    for (size_t i = 1; i < level; i++)
        out_text(out, tree->links[i] != DAG_NO_LINK ? "|  " : "   ");
    if (level != 0)
        out_text(out, tree->links[level] != DAG_NO_LINK ? "|- " : "`- ");
    out_text(out, style_off(out));
}

static void put_line(const struct tree *tree, uint32_t name, size_t level, bool seen)
{
    struct output *out = &tree->cli->out;
    struct cid_view view = dag_cid(tree->dag, name);
    enum dag_state state = dag_state(tree->dag, name);
    char codec[NAME_SIZE], shortened[DAG_SHORT], *text = NULL;

    put_indent(tree, level);
    if (tree->full)
        text = cid_text(&view, CID_BASE_DEFAULT);
    style_text(out, state == DAG_ABSENT ? STYLE_BAD : STYLE_STRONG,
               text ? text : dag_short(shortened, &view));
    free(text);
    out_print(out, "  %s", codec_name(codec, view.codec));
    if (state == DAG_ABSENT)
        style_text(out, STYLE_BAD, "  (missing)");
    else
        out_print(out, "  %" PRIu64, dag_size(tree->dag, name));
    if (state == DAG_UNREADABLE)
        style_text(out, STYLE_BAD, "  (unreadable)");
    if (state == DAG_UNREAD)
        style_text(out, STYLE_NOTE, "  (links unread)");
    if (seen)
        style_text(out, STYLE_NOTE, "  (seen)");
}

/* Prints a block, and opens the next level if its links are to follow. Returns the level. */
static size_t visit(struct tree *tree, uint32_t name, size_t level)
{
    uint64_t first = dag_first(tree->dag, name);
    bool seen = tree->seen[name] != 0 && dag_state(tree->dag, name) != DAG_ABSENT;
    bool deep = first != DAG_NO_LINK && !seen && level == tree->depth;

    if (tree->cli->as_json) {
        put_json(tree, name, level, seen);
    } else {
        put_line(tree, name, level, seen);
        if (deep)
            style_text(&tree->cli->out, STYLE_NOTE, "  ...");
        out_char(&tree->cli->out, '\n');
    }
    tree->cut += deep;
    if (deep || seen)
        return level;
    tree->seen[name] = 1;
    if (first == DAG_NO_LINK)
        return level;
    tree->links[level + 1] = first;
    return level + 1;
}

static void put_root(struct tree *tree, uint32_t root)
{
    size_t level = visit(tree, root, 0);

    while (level != 0 && cli_going(tree->cli)) {
        if (tree->links[level] == DAG_NO_LINK)
            level--;
        else
            level =
                visit(tree, dag_twin(tree->dag, dag_next(tree->dag, &tree->links[level])), level);
    }
}

static void put_rest(const struct tree *tree)
{
    const struct car_dag *dag = tree->dag;
    struct output *out = &tree->cli->out;
    uint64_t rest = dag->blocks - dag->reachable;

    if (dag->roots.len == 0)
        style_text(out, STYLE_NOTE, "there are no roots\n");
    if (rest != 0)
        out_print(out, "%s%" PRIu64 " block%s cannot be reached from the roots%s\n",
                  style_on(out, STYLE_NOTE), rest, rest == 1 ? "" : "s", style_off(out));
    if (tree->cut != 0)
        out_print(out, "%s...: links of %" PRIu64 " block%s lie deeper (--depth)%s\n",
                  style_on(out, STYLE_NOTE), tree->cut, tree->cut == 1 ? "" : "s", style_off(out));
}

static void print(struct cli *cli, const char *name, const struct cid_car_options *limits,
                  size_t depth, bool full)
{
    struct dag_file *read = cli_alloc(sizeof *read);
    struct tree tree = {.cli = cli, .dag = &read->dag, .full = full, .depth = depth};

    if (dag_file_read(cli, read, name, limits)) {
        tree.links = cli_alloc((depth + 2) * sizeof *tree.links);
        tree.seen = cli_alloc((size_t)cid_set_count(read->names));
        for (size_t i = 0; i < read->dag.roots.len && cli_going(cli); i++)
            put_root(&tree, dag_twin(&read->dag, read->dag.roots.items[i]));
        if (!cli->as_json)
            put_rest(&tree);
    }
    free(tree.links);
    free(tree.seen);
    dag_file_free(read);
    free(read);
}

static enum status run(struct cli *cli, const struct arguments *args)
{
    uint64_t depth = DEPTH;
    struct cid_car_options limits;

    if (args->count > 1)
        return cli_usage(cli, "one file at a time");
    if (!options_size(cli, &depth, "depth", args->values[OPTION_DEPTH]) ||
        !car_options(cli, &limits, args))
        return STATUS_USAGE;
    if (depth > DEPTH_MAX)
        return cli_usage(cli, "--depth goes up to %d", DEPTH_MAX);
    limits.skip_verify = true;
    print(cli, args->count != 0 ? args->operands[0] : "-", &limits, (size_t)depth,
          args->values[OPTION_FULL] != NULL);
    return cli->status;
}

const struct command car_tree_command = {
    "car tree",
    "FILE",
    "show the blocks of an archive as a tree below its roots",
    "Prints the blocks of an archive as a tree, depth first from the roots: a shortened CID, the\n"
    "codec, and the length of the data. The links of a block follow where it is met first; later\n"
    "on it is marked (seen). What is linked to and not there is marked (missing). With --json\n"
    "prints an object a line. Nothing is hashed; 'car verify' does that.\n"
    "\n"
    "Exit status: 0 the whole archive was read, 1 it is broken or cut short, 2 wrong usage,\n"
    "3 it could not be read.\n",
    options,
    run,
};
