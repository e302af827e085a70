#include "inspect.h"
#include "names.h"
#include "notes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void put_hex_number(struct cid_json *json, uint64_t code)
{
    char text[NAME_SIZE];
    snprintf(text, sizeof text, "0x%" PRIx64, code);
    cid_json_key(json, "hex");
    cid_json_text(json, text);
}

static void put_base(struct cid_json *json, const struct subject *subject)
{
    struct cid_base_info info = base_info(subject->base);

    cid_json_key(json, "base");
    cid_json_object_begin(json);
    cid_json_key(json, "name");
    cid_json_text(json, info.name);
    cid_json_key(json, "prefix");
    cid_json_text(json, subject->view.version == 0 ? "" : info.prefix);
    cid_json_object_end(json);
}

static void put_codec(struct cid_json *json, uint64_t codec)
{
    cid_json_key(json, "codec");
    cid_json_object_begin(json);
    cid_json_key(json, "code");
    cid_json_u64(json, codec);
    put_hex_number(json, codec);
    cid_json_key(json, "name");
    cid_json_text(json, codec_known(codec));
    cid_json_object_end(json);
}

static void put_hash(struct cid_json *json, const struct cid_multihash_view *hash)
{
    cid_json_key(json, "hash");
    cid_json_object_begin(json);
    cid_json_key(json, "code");
    cid_json_u64(json, hash->code);
    put_hex_number(json, hash->code);
    cid_json_key(json, "name");
    cid_json_text(json, hash_known(hash->code));
    cid_json_key(json, "length");
    cid_json_u64(json, hash->digest_len);
    cid_json_key(json, "digest");
    cid_json_hex(json, hash->digest, hash->digest_len);
    cid_json_object_end(json);
}

static void put_text(struct cid_json *json, const char *key, const struct cid_view *view,
                     enum cid_base base)
{
    char *text = cid_text(view, base);
    cid_json_key(json, key);
    cid_json_text(json, text);
    free(text);
}

/* The text of the other version, null where there is none. */
static void put_version(struct cid_json *json, const char *key, const struct cid_view *view,
                        unsigned version)
{
    struct cid cid;
    struct cid_view other;

    if (version == 0 ? cid_to_v0(&cid, view, NULL) : cid_to_v1(&cid, view, NULL)) {
        cid_json_key(json, key);
        cid_json_null(json);
        return;
    }
    other = cid_as_view(&cid);
    put_text(json, key, &other, CID_BASE_DEFAULT);
    cid_free(&cid, NULL);
}

void inspect_json(struct cli *cli, const struct subject *subject)
{
    struct cid_json *json = &cli->json;
    struct notes notes;

    notes_of(&notes, subject);
    cid_json_object_begin(json);
    json_input(json, &subject->item);
    cid_json_key(json, "ok");
    cid_json_bool(json, true);
    put_text(json, "cid", &subject->view, CID_BASE_DEFAULT);
    cid_json_key(json, "version");
    cid_json_u64(json, subject->view.version);
    put_base(json, subject);
    put_codec(json, subject->view.codec);
    put_hash(json, &subject->view.hash);
    cid_json_key(json, "bytes");
    cid_json_hex(json, subject->view.bytes, subject->view.len);
    put_version(json, "v0", &subject->view, 0);
    put_version(json, "v1", &subject->view, 1);
    cid_json_key(json, "dasl");
    cid_json_bool(json, !cid_dasl_check(subject->text, subject->text_len));
    cid_json_key(json, "path");
    cid_json_string(json, subject->rest, subject->rest_len);
    cid_json_key(json, "notes");
    cid_json_array_begin(json);
    for (size_t i = 0; i < notes.count; i++)
        cid_json_text(json, note_name(notes.list[i]));
    cid_json_array_end(json);
    cid_json_object_end(json);
    cli_json_line(cli);
}
