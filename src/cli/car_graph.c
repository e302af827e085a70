#include "car_dag.h"
#include "commands.h"
#include "names.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_MAX_NODES = CAR_OWN_OPTIONS
};

static const struct option options[] = {
    CAR_OPTIONS,
    [OPTION_MAX_NODES] = {"max-nodes", 0, "N", "draw no more than that; 500"},
    {NULL, 0, NULL, NULL},
};

/* What Graphviz still lays out within seconds. */
#define MAX_NODES 500

/* What is drawn: the nodes nearest to the roots, then blocks that are not reachable. */
struct drawing {
    struct cli *cli;
    const struct car_dag *dag;
    uint64_t max_nodes;
    uint64_t left_out;
    struct dag_nodes {
        uint32_t *names;
        size_t len;
    } nodes;
    uint8_t *drawn; /* a byte a number */
    uint8_t *roots;
};

static void draw(struct drawing *drawing, uint32_t name)
{
    if (drawing->drawn[name])
        return;
    if (drawing->nodes.len == drawing->max_nodes) {
        drawing->left_out++;
        drawing->drawn[name] = 2; /* counted */
        return;
    }
    drawing->drawn[name] = 1;
    drawing->nodes.names[drawing->nodes.len++] = name;
}

static void draw_links(struct drawing *drawing, uint32_t name)
{
    uint64_t at = dag_first(drawing->dag, name);

    while (at != DAG_NO_LINK)
        draw(drawing, dag_twin(drawing->dag, dag_next(drawing->dag, &at)));
}

/*
 * Blocks that are there, and what they link to. A number can also be that of a link in a block that
 * turned out to be unreadable, or that came before: those have no node.
 */
static void choose(struct drawing *drawing)
{
    const struct car_dag *dag = drawing->dag;
    size_t count = (size_t)cid_set_count(dag->names);

    drawing->nodes.names = cli_alloc((count + 1) * sizeof *drawing->nodes.names);
    drawing->drawn = cli_alloc(count);
    drawing->roots = cli_alloc(count);
    for (size_t i = 0; i < dag->roots.len; i++) {
        draw(drawing, dag_twin(dag, dag->roots.items[i]));
        drawing->roots[dag_twin(dag, dag->roots.items[i])] = 1;
    }
    for (size_t i = 0; i < dag->order.len; i++) {
        draw(drawing, dag->order.items[i]);
        draw_links(drawing, dag->order.items[i]);
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t name = (uint32_t)i;
        if (!dag_has_section(dag, name) && dag_state(dag, name) == DAG_ABSENT)
            continue;
        draw(drawing, dag_twin(dag, name));
        draw_links(drawing, name);
    }
}

/* "6 bytes", "1.5 KiB"; rounded down. */
static void put_size(struct output *out, uint64_t size)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    uint64_t tenths = size * 10;
    size_t unit = 0;

    for (; tenths >= 10240 && unit < 3; unit++)
        tenths /= 1024;
    if (unit == 0)
        out_print(out, "%" PRIu64 " byte%s", size, size == 1 ? "" : "s");
    else
        out_print(out, "%" PRIu64 ".%" PRIu64 " %s", tenths / 10, tenths % 10, units[unit]);
}

static void put_node(struct output *out, const struct drawing *drawing, uint32_t name)
{
    const struct car_dag *dag = drawing->dag;
    struct cid_view view = dag_cid(dag, name);
    enum dag_state state = dag_state(dag, name);
    char codec[NAME_SIZE], shortened[DAG_SHORT];

    out_print(out, "  n%" PRIu32 " [label=\"%s\\n%s, ", name, dag_short(shortened, &view),
              codec_name(codec, view.codec));
    if (state == DAG_ABSENT)
        out_text(out, "missing");
    else
        put_size(out, dag_size(dag, name));
    if (state == DAG_UNREADABLE)
        out_text(out, "\\nunreadable");
    if (drawing->roots[name])
        out_text(out, "\\nroot");
    out_char(out, '"');
    if (state == DAG_ABSENT)
        out_text(out, ", style=\"rounded,dashed\", color=\"#c0392b\", fontcolor=\"#c0392b\"");
    else if (drawing->roots[name])
        out_text(out, ", style=\"rounded,filled,bold\", fillcolor=\"#dcebfa\"");
    else if (!dag_reached(dag, name))
        out_text(out, ", color=\"#888888\", fontcolor=\"#888888\"");
    out_text(out, "];\n");
}

/* Links of one block to another are drawn once, with their number. Links to blocks that are not
 * drawn are not. */
static void put_edges(struct output *out, const struct drawing *drawing, uint32_t name,
                      uint32_t *seen)
{
    uint64_t at = dag_first(drawing->dag, name);

    while (at != DAG_NO_LINK)
        seen[dag_twin(drawing->dag, dag_next(drawing->dag, &at))]++;
    at = dag_first(drawing->dag, name);
    while (at != DAG_NO_LINK) {
        uint32_t to = dag_twin(drawing->dag, dag_next(drawing->dag, &at)), times = seen[to];
        seen[to] = 0;
        if (times == 0 || drawing->drawn[to] != 1)
            continue;
        out_print(out, "  n%" PRIu32 " -> n%" PRIu32, name, to);
        if (times > 1)
            out_print(out, " [label=\"%" PRIu32 "\"]", times);
        out_text(out, ";\n");
    }
}

static void put_dot(struct output *out, const struct drawing *drawing)
{
    uint32_t *seen = cli_alloc((size_t)cid_set_count(drawing->dag->names) * sizeof *seen);

    out_text(out, "digraph car {\n"
                  "  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=10];\n"
                  "  edge [color=\"#555555\", fontname=\"sans-serif\", fontsize=9];\n");
    for (size_t i = 0; i < drawing->nodes.len; i++)
        put_node(out, drawing, drawing->nodes.names[i]);
    for (size_t i = 0; i < drawing->nodes.len; i++)
        put_edges(out, drawing, drawing->nodes.names[i], seen);
    if (drawing->left_out != 0)
        out_print(out,
                  "  more [shape=plaintext, label=\"%" PRIu64 " more are not drawn\\n"
                  "(--max-nodes)\"];\n",
                  drawing->left_out);
    out_text(out, "}\n");
    free(seen);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void put_flag(struct cid_json *json, const char *key, bool value)
{
    cid_json_key(json, key);
    cid_json_bool(json, value);
}

static void node_json(struct cli *cli, const struct drawing *drawing, uint32_t name)
{
    const struct car_dag *dag = drawing->dag;
    struct cid_json *json = &cli->json;
    struct cid_view view = dag_cid(dag, name);
    uint64_t at = dag_first(dag, name);
    char codec[NAME_SIZE], *text = cid_text(&view, CID_BASE_DEFAULT);

    cid_json_object_begin(json);
    cid_json_key(json, "cid");
    cid_json_text(json, text);
    free(text);
    cid_json_key(json, "codec");
    cid_json_text(json, codec_name(codec, view.codec));
    cid_json_key(json, "size");
    if (dag_state(dag, name) == DAG_ABSENT)
        cid_json_null(json);
    else
        cid_json_u64(json, dag_size(dag, name));
    put_flag(json, "root", drawing->roots[name] != 0);
    put_flag(json, "missing", dag_state(dag, name) == DAG_ABSENT);
    put_flag(json, "unreadable", dag_state(dag, name) == DAG_UNREADABLE);
    put_flag(json, "reachable", dag_reached(dag, name));
    cid_json_key(json, "links");
    cid_json_array_begin(json);
    while (at != DAG_NO_LINK) {
        view = dag_cid(dag, dag_twin(dag, dag_next(dag, &at))); /* as its own row has it */
        text = cid_text(&view, CID_BASE_DEFAULT);
        cid_json_text(json, text);
        free(text);
    }
    cid_json_array_end(json);
    cid_json_object_end(json);
    cli_json_line(cli);
}

/* ---- the command --------------------------------------------------------------------------- */

static void graph(struct cli *cli, const char *name, const struct cid_car_options *limits,
                  uint64_t max_nodes)
{
    struct dag_file *read = cli_alloc(sizeof *read);
    struct drawing drawing = {.cli = cli, .dag = &read->dag, .max_nodes = max_nodes};

    if (dag_file_read(cli, read, name, limits)) {
        choose(&drawing);
        if (!cli->as_json)
            put_dot(&cli->out, &drawing);
        for (size_t i = 0; cli->as_json && cli_going(cli) && i < drawing.nodes.len; i++)
            node_json(cli, &drawing, drawing.nodes.names[i]);
    }
    free(drawing.nodes.names);
    free(drawing.drawn);
    free(drawing.roots);
    dag_file_free(read);
    free(read);
}

static enum status run(struct cli *cli, const struct arguments *args)
{
    const char *text = args->values[OPTION_MAX_NODES];
    uint64_t max_nodes = cli->as_json ? UINT64_MAX : MAX_NODES;
    struct cid_car_options limits;

    if (args->count > 1)
        return cli_usage(cli, "one file at a time");
    if (!options_size(cli, &max_nodes, "max-nodes", text) || !car_options(cli, &limits, args))
        return STATUS_USAGE;
    limits.skip_verify = true;
    graph(cli, args->count != 0 ? args->operands[0] : "-", &limits, max_nodes);
    return cli->status;
}

const struct command car_graph_command = {
    "car graph",
    "FILE",
    "draw the blocks of an archive and their links for Graphviz",
    "Prints the blocks of an archive and their links as a graph for Graphviz: 'dot -Tsvg' draws\n"
    "it. Roots are filled, what is missing is dashed, what is not reachable from the roots is\n"
    "grey; several links from one block to another are one arrow with their number. The blocks\n"
    "nearest to the roots are drawn, up to --max-nodes. With --json prints an object a block,\n"
    "all of them unless --max-nodes is given. Nothing is hashed; 'car verify' does that.\n"
    "\n"
    "Exit status: 0 the whole archive was read, 1 it is broken or cut short, 2 wrong usage,\n"
    "3 it could not be read.\n",
    options,
    run,
};
