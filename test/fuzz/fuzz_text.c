/* CIDs as text, in paths and URLs. */
#include "fuzz.h"

#include <cid/cid.h>

#define C1 "bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4"
#define Q0 "QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n"

const struct fuzz_seed fuzz_seeds[] = {
    SEED(""),
    SEED(C1),
    SEED(Q0),
    SEED("zb2rhi36Gc9GJWijLEL6zW45MBux5FcFv5gJmjXA7VAMozEXY"),
    SEED("k2cwuecvan95uqzq14dj3a18wx6av6tgr73nxvopxn3j5kvyr0apys7b"),
    SEED("f01551220a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447"),
    SEED("mAVUSIKlIkE8vD0ebj4GXaUswGEsNLtHBzSoewPuF0pmhkqRH"),
    SEED("bafkqablimvwgy3y"),
    SEED("bafkqaaa"),
    SEED("bciqohmgeikmpyhautl57jsezn64sij5oihsgjg4tjssjlgi3pbjlqvi"),
    SEED("qmdftbbqbpq7vnxzeyej14vmruzbkqfbiwreogjgs1zr1n"),
    SEED("12D3KooWPTCWpA2Xi73a1uREdWgF3ssywwth3Sd8A7M5vm3zgdKp"),
    SEED("a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447"),
    SEED("/ipfs/" C1 "/a/b"),
    SEED("ipfs://" Q0 "/x?y#z"),
    SEED("https://gateway.example/ipfs/" C1 "?format=car"),
    SEED("https://" C1 ".ipfs.gateway.example/a"),
    SEED(" \"" C1 "\"\r\n"),
    SEED_END,
};

static void format(const struct cid *cid, enum cid_base base)
{
    struct cid_view view = cid_as_view(cid);
    struct cid again;
    struct cid_view same;
    size_t size = 0, written = 0;
    char *text;

    FUZZ_CHECK(cid_text_size(&size, &view, base) == CID_OK);
    text = malloc(size + 1);
    FUZZ_CHECK(text != NULL);
    FUZZ_CHECK(cid_format(text, size, &written, &view, base) == CID_E_NOSPACE && written == size);
    FUZZ_CHECK(cid_format(text, size + 1, &written, &view, base) == CID_OK && written == size);
    FUZZ_CHECK(strlen(text) == size);
    if (size <= CID_TEXT_LIMIT) {
        FUZZ_CHECK(cid_parse(&again, text, size, NULL) == CID_OK);
        same = cid_as_view(&again);
        FUZZ_CHECK(cid_equal(&view, &same));
        cid_free(&again, NULL);
    }
    free(text);
}

static void parse(const char *text, size_t len)
{
    struct cid_fault fault;
    struct cid cid;
    enum cid_base base = CID_BASE_DEFAULT;
    enum cid_error error = cid_parse_with(&cid, &base, text, len, NULL, NULL);

    memset(&fault, 0, sizeof fault);
    cid_diagnose(&fault, text, len);
    FUZZ_CHECK(fault.code == error);
    FUZZ_CHECK(cid_is_defined(&cid) == (error == CID_OK));
    if (error == CID_OK) {
        format(&cid, base);
        format(&cid, CID_BASE_DEFAULT);
    } else if (fault.where == CID_WHERE_TEXT) {
        FUZZ_CHECK(fault.offset <= len);
    }
    cid_free(&cid, NULL);
}

static void find(const char *text, size_t len)
{
    struct cid cid, same;
    struct cid_found found;
    struct cid_view view, other;
    if (cid_find(&cid, &found, text, len, NULL) == CID_OK) {
        FUZZ_CHECK(found.cid_at <= len && found.cid_len <= len - found.cid_at);
        FUZZ_CHECK(found.rest_at <= len && found.rest_len == len - found.rest_at);
        FUZZ_CHECK(cid_parse(&same, text + found.cid_at, found.cid_len, NULL) == CID_OK);
        view = cid_as_view(&cid);
        other = cid_as_view(&same);
        FUZZ_CHECK(cid_equal(&view, &other));
        cid_free(&same, NULL);
    }
    cid_free(&cid, NULL);
}

static void suggest(const char *text, size_t len)
{
    struct cid cid;
    if (cid_suggest(&cid, text, len, NULL) == CID_OK)
        format(&cid, CID_BASE_DEFAULT);
    cid_free(&cid, NULL);
}

static void dasl(const char *text, size_t len)
{
    struct cid cid;
    if (cid_dasl_check(text, len) == CID_OK) {
        FUZZ_CHECK(len == 59 && text[0] == 'b');
        FUZZ_CHECK(cid_parse(&cid, text, len, NULL) == CID_OK);
        cid_free(&cid, NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const char *text = (const char *)data;
    parse(text, len);
    find(text, len);
    suggest(text, len);
    dasl(text, len);
    return 0;
}
