/* The JSON writer: whatever it is asked to write, what comes out is whole or an error. */
#include "fuzz.h"

#include <cid/json.h>

const struct fuzz_seed fuzz_seeds[] = {
    SEED(""),
    SEED("{k\"a\x01}"),
    SEED("[\"plain\"n1t]"),
    SEED("{k{k[1n]}}"),
    SEED("\"\xe2\x98\x84\xf0\x9f\x9a\x80\xed\xa0\x80\xc0\x80\xff"),
    SEED_END,
};

/* A byte a call. */
static void call(struct cid_json *json, const uint8_t *at, size_t left)
{
    switch (*at) {
    case '{':
        cid_json_object_begin(json);
        break;
    case '}':
        cid_json_object_end(json);
        break;
    case '[':
        cid_json_array_begin(json);
        break;
    case ']':
        cid_json_array_end(json);
        break;
    case 'k':
        cid_json_key(json, "k\n");
        break;
    case 'n':
        cid_json_null(json);
        break;
    case '1':
        cid_json_u64(json, left);
        break;
    case '"':
        cid_json_string(json, (const char *)at, left);
        break;
    default:
        cid_json_hex(json, at, left < 8 ? left : 8);
    }
}

/* Brackets balance outside strings, no control character stands anywhere, strings end. */
static void check_text(const char *text, size_t len)
{
    size_t depth = 0;
    int in_string = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        FUZZ_CHECK(c >= 0x20);
        if (in_string && c == '\\')
            i++;
        else if (c == '"')
            in_string = !in_string;
        else if (!in_string && (c == '{' || c == '['))
            depth++;
        else if (!in_string && (c == '}' || c == ']'))
            FUZZ_CHECK(depth-- > 0);
    }
    FUZZ_CHECK(depth == 0 && !in_string);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static char text[1 << 16];
    struct cid_json json;
    size_t written = 0;
    cid_json_begin(&json, text, sizeof text, NULL, NULL);
    for (size_t i = 0; i < len; i++)
        call(&json, data + i, len - i);
    if (cid_json_finish(&json, &written, false) == CID_OK)
        check_text(text, written);
    return 0;
}
