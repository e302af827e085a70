/* The JSON reader: what it gives can be written, and is then read as the same. */
#include "fuzz.h"

#include <cid/json.h>

const struct fuzz_seed fuzz_seeds[] = {
    SEED("{\"a\":[1,-2.5e3,\"\\u0001\\ud83d\\ude80\xe2\x82\xac\"],\"b\\n\":{}}"),
    SEED(" [ true , false , null ] "),
    SEED("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]"),
    SEED_END,
};

static enum cid_error copy(char *out, size_t cap, size_t *written, const char *text, size_t len)
{
    struct cid_json_reader reader;
    struct cid_json_item item;
    struct cid_json json;
    enum cid_error error;

    cid_json_reader_begin(&reader, text, len, 0);
    cid_json_begin(&json, out, cap, NULL, NULL);
    while (!(error = cid_json_next(&reader, &item)))
        cid_json_copy(&json, &item);
    FUZZ_CHECK(cid_json_reader_fault(&reader)->offset <= len);
    if (error == CID_END)
        return cid_json_finish(&json, written, false);
    return error;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static char once[1 << 16], twice[1 << 16];
    size_t first = 0, second = 0;
    enum cid_error error = copy(once, sizeof once, &first, (const char *)data, len);

    if (error)
        return 0;
    FUZZ_CHECK(copy(twice, sizeof twice, &second, once, first) == CID_OK);
    FUZZ_CHECK(first == second && memcmp(once, twice, first) == 0);
    return 0;
}
