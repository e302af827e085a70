#include "car_scan.h"
#include "names.h"
#include "subject.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void put_u64(struct cid_json *json, const char *key, uint64_t value)
{
    cid_json_key(json, key);
    cid_json_u64(json, value);
}

/* A value that is known only if the header could be read. */
static void put_known(struct cid_json *json, const char *key, bool known, uint64_t value)
{
    cid_json_key(json, key);
    if (known)
        cid_json_u64(json, value);
    else
        cid_json_null(json);
}

static void put_roots(struct cid_json *json, const struct scan *scan)
{
    struct cid_view root;

    cid_json_key(json, "roots");
    cid_json_array_begin(json);
    for (size_t i = 0; scan->file.reader && !cid_car_reader_root(&root, scan->file.reader, i);
         i++) {
        char *text = cid_text(&root, CID_BASE_DEFAULT);
        cid_json_text(json, text);
        free(text);
    }
    cid_json_array_end(json);
    cid_json_key(json, "roots_present");
    if (scan->unsure)
        cid_json_null(json);
    else
        cid_json_bool(json, scan->file.reader && scan->roots_absent == 0);
}

static void put_sizes(struct cid_json *json, const char *key, const struct sizes *sizes)
{
    cid_json_key(json, key);
    cid_json_object_begin(json);
    put_u64(json, "min", sizes->min);
    put_u64(json, "mean", sizes_mean(sizes));
    put_u64(json, "max", sizes->max);
    cid_json_object_end(json);
}

static void put_tally(struct cid_json *json, const char *key, const struct tally *tally,
                      const char *(*name_of)(char buf[NAME_SIZE], uint64_t code))
{
    char name[NAME_SIZE];

    cid_json_key(json, key);
    cid_json_object_begin(json);
    for (size_t i = 0; i < tally->len; i++)
        put_u64(json, name_of(name, tally->rows[i].code), tally->rows[i].count);
    cid_json_object_end(json);
}

static void put_v2(struct cid_json *json, const struct cid_car_info *info)
{
    char codec[NAME_SIZE];

    cid_json_key(json, "v2");
    if (!info || info->version != 2) {
        cid_json_null(json);
        return;
    }
    cid_json_object_begin(json);
    cid_json_key(json, "characteristics");
    cid_json_hex(json, info->characteristics, sizeof info->characteristics);
    cid_json_key(json, "fully_indexed");
    cid_json_bool(json, (info->characteristics[0] & 0x80) != 0);
    put_u64(json, "data_offset", info->data_offset);
    put_u64(json, "data_size", info->data_size);
    put_u64(json, "index_offset", info->index_offset);
    cid_json_key(json, "index_codec");
    snprintf(codec, sizeof codec, "0x%04" PRIx64, info->index_codec);
    cid_json_text(json, info->index_codec != 0 ? codec : NULL);
    cid_json_object_end(json);
}

static void put_verified(struct cid_json *json, const struct scan *scan)
{
    cid_json_key(json, "verified");
    cid_json_object_begin(json);
    put_u64(json, "ok", scan->good);
    put_u64(json, "mismatch", scan->mismatches);
    put_u64(json, "unverifiable", scan->unverifiable);
    cid_json_object_end(json);
}

static void put_error(struct cid_json *json, const struct scan *scan)
{
    char message[512];

    if (scan->first.code == CID_OK) {
        cid_json_key(json, "error");
        cid_json_null(json);
        return;
    }
    car_message(message, sizeof message, &scan->file, &scan->first);
    json_error(json, &scan->first, message);
}

/* What came later than the keys above, which programs may know by their places. */
static void put_more(struct cid_json *json, const struct scan *scan)
{
    struct cid_view view = cid_as_view(&scan->last.cid);
    uint64_t unique = scan->unsure ? 0 : scan_unique(scan);
    char *text = cid_is_defined(&scan->last.cid) ? cid_text(&view, CID_BASE_DEFAULT) : NULL;

    cid_json_key(json, "verdict");
    cid_json_text(json, scan_verdict(scan));
    put_known(json, "duplicates", !scan->unsure,
              scan->blocks.count > unique ? scan->blocks.count - unique : 0);
    put_u64(json, "trailing_bytes", scan->trailing);
    index_check_json(json, &scan->index);
    cid_json_key(json, "last_good");
    if (text) {
        cid_json_object_begin(json);
        cid_json_key(json, "cid");
        cid_json_text(json, text);
        put_u64(json, "offset", scan->last.offset);
        cid_json_object_end(json);
    } else {
        cid_json_null(json);
    }
    free(text);
}

void scan_json(struct cli *cli, const struct scan *scan)
{
    struct cid_json *json = &cli->json;
    const struct cid_car_info *info =
        scan->file.reader ? cid_car_reader_info(scan->file.reader) : NULL;

    cid_json_object_begin(json);
    cid_json_key(json, "file");
    cid_json_text(json, scan->file.name);
    cid_json_key(json, "ok");
    cid_json_bool(json, scan->status == STATUS_GOOD);
    put_known(json, "version", info != NULL, info ? info->version : 0);
    put_u64(json, "size", scan_size(scan));
    put_known(json, "header_bytes", info != NULL, info ? info->header_len : 0);
    put_roots(json, scan);
    put_u64(json, "blocks", scan->blocks.count);
    put_known(json, "unique_blocks", !scan->unsure, scan->unsure ? 0 : scan_unique(scan));
    put_u64(json, "payload_bytes", scan->blocks.sum);
    put_sizes(json, "block_bytes", &scan->blocks);
    put_sizes(json, "cid_bytes", &scan->cids);
    put_tally(json, "codecs", &scan->codecs, codec_name);
    put_tally(json, "hashes", &scan->hashes, hash_name);
    put_verified(json, scan);
    put_u64(json, "padding_bytes", info ? info->padding_len : 0);
    put_v2(json, info);
    put_error(json, scan);
    put_more(json, scan);
    if (scan->dag.on)
        dag_json(json, &scan->dag);
    cid_json_object_end(json);
    cli_json_line(cli);
}
