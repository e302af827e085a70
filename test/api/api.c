/*
 * A user's program in C: public headers only, linked against the installed library. It goes once
 * through every layer; what is right in detail is the unit tests' question.
 */
#include <cid/car.h>
#include <cid/cid.h>
#include <cid/json.h>
#include <cid/set.h>

#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

static int failures;

/* The CIDv1 of "hello world\n" as one raw block under sha2-256. */
static const char hello[] = "hello world\n";
static const char hello_text[] = "bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4";
static const char hello_hex[] =
    "f01551220a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447";

static void version(void)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", CID_VERSION_MAJOR, CID_VERSION_MINOR,
             CID_VERSION_PATCH);
    CHECK(strcmp(cid_version(), text) == 0);
    CHECK(strcmp(cid_error_name(CID_E_BASE_CHAR), "base_char") == 0);
}

static void numbers(void)
{
    uint8_t out[CID_VARINT_MAX_SIZE];
    size_t written = 0, used = 0;
    uint64_t value = 0;

    CHECK(cid_varint_write(out, sizeof out, &written, 300) == CID_OK);
    CHECK(cid_varint_read(&value, &used, out, written) == CID_OK);
    CHECK(value == 300 && used == 2);
}

static void tables(void)
{
    struct cid_multicodec codec;
    struct cid_base_info base;
    struct cid_hash_info hash;

    CHECK(cid_multicodec_by_name(&codec, "dag-cbor", 8) == CID_OK && codec.code == 0x71);
    CHECK(cid_base_by_name(&base, "base32", 6) == CID_OK && base.base == CID_BASE32);
    CHECK(cid_hash_by_name(&hash, "sha2-256", 8) == CID_OK && hash.default_len == 32);
}

static void text(void)
{
    struct cid cid;
    struct cid_view view;
    char out[128];
    size_t written = 0;

    CHECK(cid_parse(&cid, hello_text, strlen(hello_text), NULL) == CID_OK);
    view = cid_as_view(&cid);
    CHECK(view.version == 1 && view.codec == CID_CODEC_RAW && view.len == 36);
    CHECK(cid_format(out, sizeof out, &written, &view, CID_BASE16) == CID_OK);
    CHECK(written == strlen(hello_hex) && strcmp(out, hello_hex) == 0);
    CHECK(cid_format(out, sizeof out, NULL, &view, CID_BASE_DEFAULT) == CID_OK);
    CHECK(strcmp(out, hello_text) == 0);
    cid_free(&cid, NULL);
    CHECK(!cid_is_defined(&cid));
}

static void faults(void)
{
    struct cid cid;
    struct cid_fault fault;

    memset(&fault, 0, sizeof fault);
    CHECK(cid_parse(&cid, "bafkre!", 7, NULL) == CID_E_BASE_CHAR);
    CHECK(!cid_is_defined(&cid));
    cid_free(&cid, NULL);
    cid_diagnose(&fault, "bafkre!", 7);
    CHECK(fault.code == CID_E_BASE_CHAR && fault.where == CID_WHERE_TEXT && fault.offset == 6);
}

static void hashes(void)
{
    struct cid cid;
    struct cid_view view;
    struct cid_hash_info info;
    char out[128];

    CHECK(cid_hash_by_code(&info, CID_HASH_SHA2_256) == CID_OK);
    if (!info.available)
        return;
    CHECK(cid_sum_v1(&cid, CID_CODEC_RAW, CID_HASH_SHA2_256, CID_DIGEST_DEFAULT, hello,
                     strlen(hello), NULL) == CID_OK);
    view = cid_as_view(&cid);
    CHECK(cid_format(out, sizeof out, NULL, &view, CID_BASE_DEFAULT) == CID_OK);
    CHECK(strcmp(out, hello_text) == 0);
    CHECK(cid_verify(&view, hello, strlen(hello), NULL) == CID_OK);
    CHECK(cid_verify(&view, hello, strlen(hello) - 1, NULL) == CID_E_MISMATCH);
    cid_free(&cid, NULL);
}

static void sets(void)
{
    struct cid_set *set = NULL;
    struct cid cid;
    struct cid_view view;
    bool added = false;

    CHECK(cid_set_open(&set, NULL) == CID_OK);
    CHECK(cid_parse(&cid, hello_text, strlen(hello_text), NULL) == CID_OK);
    view = cid_as_view(&cid);
    CHECK(cid_set_add(set, &added, &view) == CID_OK && added);
    CHECK(cid_set_add(set, &added, &view) == CID_OK && !added);
    CHECK(cid_set_has(set, &view) && cid_set_count(set) == 1);
    cid_free(&cid, NULL);
    cid_set_close(set);
}

/* A CARv1 without roots and with one block, "hello" under the identity function. */
static const uint8_t archive[] = {
    0x11, 0xa2, 0x65, 'r',  'o',  'o',  't', 's', 0x80, 0x67, 'v', 'e', 'r', 's', 'i', 'o', 'n',
    0x01, 14,   0x01, 0x55, 0x00, 0x05, 'h', 'e', 'l',  'l',  'o', 'h', 'e', 'l', 'l', 'o',
};

static void archives(void)
{
    struct cid_car_reader *reader = NULL;
    struct cid_car_block block;
    struct cid_fault fault;

    memset(&fault, 0, sizeof fault);
    CHECK(cid_car_reader_open(&reader, archive, sizeof archive, NULL, &fault, NULL) == CID_OK);
    if (!reader)
        return;
    CHECK(cid_car_reader_info(reader)->version == 1);
    CHECK(cid_car_reader_next(reader, &block) == CID_OK);
    CHECK(block.verdict == CID_GOOD && block.data_len == 5 && memcmp(block.data, "hello", 5) == 0);
    CHECK(cid_car_reader_next(reader, &block) == CID_END);
    CHECK(cid_car_reader_fault(reader)->code == CID_OK);
    cid_car_reader_close(reader);
}

static void json(void)
{
    struct cid_json json;
    struct cid_json_reader reader;
    struct cid_json_item object, item;
    char out[64];
    size_t written = 0;

    cid_json_begin(&json, out, sizeof out, NULL, NULL);
    cid_json_object_begin(&json);
    cid_json_key(&json, "a");
    cid_json_text(&json, "\"");
    cid_json_object_end(&json);
    CHECK(cid_json_finish(&json, &written, false) == CID_OK);
    CHECK(written == 10 && memcmp(out, "{\"a\":\"\\\"\"}", 10) == 0);

    cid_json_reader_begin(&reader, out, written, 0);
    CHECK(cid_json_next(&reader, &object) == CID_OK && object.kind == CID_JSON_OBJECT);
    CHECK(cid_json_find(&reader, &item, "a") == CID_OK && cid_json_is(&item, "\""));
    CHECK(cid_json_find(&reader, &item, "a") == CID_OK && item.kind == CID_JSON_OBJECT_END);
    CHECK(cid_json_skip(&reader, &object) == CID_OK);
    CHECK(cid_json_next(&reader, &item) == CID_END);
}

int main(void)
{
    version();
    numbers();
    tables();
    text();
    faults();
    hashes();
    sets();
    archives();
    json();
    printf("%d failures\n", failures);
    return failures != 0;
}
