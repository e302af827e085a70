#include "dag_rows.h"

#include "conformance.h"

#include <cid/json.h>
#include <cid/multibase.h>

#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct bytes text_of(const struct cid_json_item *item)
{
    struct bytes bytes = {malloc(item->len + 1), 0};

    if (cid_json_unescape((char *)bytes.at, item->len, &bytes.len, item))
        exit(1);
    bytes.at[bytes.len] = '\0';
    return bytes;
}

static struct bytes hex_of(const struct cid_json_item *item)
{
    struct bytes bytes = {malloc(item->len / 2 + 1), 0};

    if (cid_base_decode(bytes.at, item->len / 2 + 1, &bytes.len, item->text, item->len, CID_BASE16,
                        NULL))
        exit(1);
    return bytes;
}

static void copy_text(char *out, size_t cap, const struct cid_json_item *item)
{
    size_t len = 0;

    if (cid_json_unescape(out, cap - 1, &len, item))
        exit(1);
    out[len] = '\0';
}

static void read_list(struct dag_row *row, struct cid_json_reader *reader, bool tags)
{
    struct cid_json_item item;

    while (!cid_json_next(reader, &item) && item.kind == CID_JSON_STRING) {
        if (tags)
            row->tagged_dasl = row->tagged_dasl || cid_json_is(&item, "dasl-cid");
        else if (row->link_count < LINKS_MAX)
            copy_text(row->links[row->link_count++], sizeof row->links[0], &item);
    }
    row->has_links = row->has_links || !tags;
}

static void read_member(struct dag_row *row, struct cid_json_reader *reader,
                        const struct cid_json_item *key)
{
    const struct {
        const char *name;
        char *to;
        size_t cap;
    } texts[] = {{"id", row->id, sizeof row->id},
                 {"set", row->set, sizeof row->set},
                 {"kind", row->kind, sizeof row->kind},
                 {"codec", row->codec, sizeof row->codec},
                 {"name", row->name, sizeof row->name},
                 {"dag_cbor_cid", row->dag_cbor_cid, sizeof row->dag_cbor_cid},
                 {"dag_json_cid", row->dag_json_cid, sizeof row->dag_json_cid},
                 {"dag_pb_cid", row->dag_pb_cid, sizeof row->dag_pb_cid}};
    struct cid_json_item value;

    if (cid_json_next(reader, &value))
        exit(1);
    for (size_t i = 0; i < COUNT(texts); i++)
        if (cid_json_is(key, texts[i].name))
            copy_text(texts[i].to, texts[i].cap, &value);
    if (cid_json_is(key, "hex"))
        row->hex = hex_of(&value);
    else if (cid_json_is(key, "dag_cbor"))
        row->dag_cbor = hex_of(&value);
    else if (cid_json_is(key, "dag_pb"))
        row->dag_pb = hex_of(&value);
    else if (cid_json_is(key, "dag_json"))
        row->dag_json = text_of(&value);
    else if (cid_json_is(key, "applies_to_dag_cbor"))
        row->applies = value.kind == CID_JSON_TRUE;
    else if (cid_json_is(key, "links") || cid_json_is(key, "tags"))
        read_list(row, reader, cid_json_is(key, "tags"));
    else if (cid_json_skip(reader, &value))
        exit(1);
}

bool dag_row_read(struct dag_row *row, const char *line, size_t len)
{
    struct cid_json_reader reader;
    struct cid_json_item item;

    *row = (struct dag_row){.applies = true};
    cid_json_reader_begin(&reader, line, len, 0);
    if (cid_json_next(&reader, &item) || item.kind != CID_JSON_OBJECT)
        return false;
    while (!cid_json_next(&reader, &item) && item.kind == CID_JSON_KEY)
        read_member(row, &reader, &item);
    return cid_json_next(&reader, &item) == CID_END;
}

void dag_row_free(struct dag_row *row)
{
    free(row->hex.at);
    free(row->dag_cbor.at);
    free(row->dag_json.at);
    free(row->dag_pb.at);
}

char *dag_load(const char *name, size_t *len)
{
    FILE *file = fopen(conformance_path(name), "rb");
    char *text;

    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *len = (size_t)ftell(file);
    rewind(file);
    text = malloc(*len + 1);
    if (fread(text, 1, *len, file) != *len)
        exit(1);
    fclose(file);
    return text;
}
