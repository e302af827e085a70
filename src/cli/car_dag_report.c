#include "car_dag.h"
#include "names.h"
#include "subject.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A CID that only says where a link comes from is cut to so many characters: identity CIDs have no
 * limit, and there may be as many links in one as it has bytes. That is a multiple of eight, the
 * characters of five bytes, behind the prefix of base32.
 */
#define SHOWN       (1 + 8 * SHOWN_FIVES)
#define SHOWN_FIVES 32

const char *dag_short(char out[DAG_SHORT], const struct cid_view *view)
{
    char *text = cid_text(view, CID_BASE_DEFAULT);
    size_t len = text ? strlen(text) : 0;

    if (len < 20)
        snprintf(out, DAG_SHORT, "%s", text ? text : "?");
    else
        snprintf(out, DAG_SHORT, "%.6s..%s", text, text + len - 8);
    free(text);
    return out;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void put_u64(struct cid_json *json, const char *key, uint64_t value)
{
    cid_json_key(json, key);
    cid_json_u64(json, value);
}

/* The text of a CID, cut if it is long; all of it is not even made then. */
static char *cut_text(const struct cid_view *view)
{
    char *whole, *text;

    if (view->len <= 5 * SHOWN_FIVES)
        return cid_text(view, CID_BASE_DEFAULT);
    whole = digits(view->bytes, 5 * SHOWN_FIVES, CID_BASE32);
    text = cli_alloc(SHOWN + 4);
    snprintf(text, SHOWN + 4, "b%s...", whole ? whole : "");
    free(whole);
    return text;
}

static void put_cid(struct cid_json *json, const struct car_dag *dag, uint32_t name)
{
    struct cid_view view = dag_cid(dag, name);
    char *text = cid_text(&view, CID_BASE_DEFAULT);

    cid_json_text(json, text);
    free(text);
}

/* The block that a link is from; null for a root. */
static void put_from(struct cid_json *json, const struct car_dag *dag, uint32_t name)
{
    struct cid_view view = {0};
    char *text = NULL;

    if (name != DAG_NO_NAME) {
        view = dag_cid(dag, name);
        text = cut_text(&view);
    }
    cid_json_text(json, text);
    free(text);
}

static void put_missing(struct cid_json *json, const struct car_dag *dag)
{
    cid_json_key(json, "missing");
    cid_json_array_begin(json);
    for (size_t i = 0; i < dag->missing_len; i++) {
        cid_json_object_begin(json);
        cid_json_key(json, "cid");
        put_cid(json, dag, dag->missing[i].name);
        cid_json_key(json, "from");
        put_from(json, dag, dag->missing[i].from);
        cid_json_object_end(json);
    }
    cid_json_array_end(json);
}

static void put_unreadable(struct cid_json *json, const struct car_dag *dag)
{
    cid_json_key(json, "unreadable");
    cid_json_array_begin(json);
    for (size_t i = 0; i < dag->unreadable_len; i++) {
        const struct dag_unreadable *block = &dag->unreadable[i];
        struct cid_fault fault = {
            .code = block->error, .where = CID_WHERE_BYTES, .offset = block->offset};
        cid_json_object_begin(json);
        cid_json_key(json, "cid");
        put_cid(json, dag, block->name);
        json_error(json, &fault, NULL);
        cid_json_object_end(json);
    }
    cid_json_array_end(json);
}

void dag_json(struct cid_json *json, const struct car_dag *dag)
{
    cid_json_key(json, "dag");
    cid_json_object_begin(json);
    cid_json_key(json, "complete");
    cid_json_bool(json, dag_status(dag) == STATUS_GOOD);
    cid_json_key(json, "roots");
    cid_json_array_begin(json);
    for (size_t i = 0; i < dag->roots.len; i++)
        put_cid(json, dag, dag->roots.items[i]);
    cid_json_array_end(json);
    put_u64(json, "reachable", dag->reachable);
    put_missing(json, dag);
    put_u64(json, "unreachable", dag->blocks - dag->reachable);
    put_u64(json, "unread", dag->unread);
    put_u64(json, "links", dag->links.len);
    put_unreadable(json, dag);
    cid_json_object_end(json);
}

/* ---- words --------------------------------------------------------------------------------- */

void dag_words(struct output *out, const struct car_dag *dag)
{
    out_print(out, "%" PRIu64 " reachable, %zu missing, %" PRIu64 " not reachable", dag->reachable,
              dag->missing_len, dag->blocks - dag->reachable);
    if (dag->unreadable_len != 0)
        out_print(out, ", %zu unreadable", dag->unreadable_len);
    if (dag->unread != 0)
        out_print(out, ", %" PRIu64 " of unknown codecs, whose links are unread", dag->unread);
    if (dag->roots.len == 0)
        out_text(out, "; there are no roots to start from, --root=CID names one");
}

static void put_name(struct output *out, const struct car_dag *dag, uint32_t name)
{
    struct cid_view view = dag_cid(dag, name);
    char *text = cut_text(&view);

    out_text(out, text ? text : "");
    free(text);
}

static struct output *start(struct cli *cli, const char *file)
{
    struct output *err = cli_message(cli);

    text_put(err, file, strlen(file));
    out_text(err, ": ");
    return err;
}

void dag_complain(struct cli *cli, const char *file, const struct car_dag *dag)
{
    struct output *err;

    for (size_t i = 0; i < dag->missing_len; i++) {
        err = start(cli, file);
        out_text(err, "missing: ");
        put_name(err, dag, dag->missing[i].name);
        if (dag->missing[i].from == DAG_NO_NAME) {
            out_text(err, ", a root");
        } else {
            out_text(err, ", linked from ");
            put_name(err, dag, dag->missing[i].from);
        }
        out_char(err, '\n');
        cli_message_end(cli);
    }
    for (size_t i = 0; i < dag->unreadable_len; i++) {
        err = start(cli, file);
        out_text(err, "unreadable: ");
        put_name(err, dag, dag->unreadable[i].name);
        out_print(err, ", at its byte %" PRIu64 ": %s\n", dag->unreadable[i].offset,
                  cid_error_text(dag->unreadable[i].error));
        cli_message_end(cli);
    }
}
