/* The tables of codes and of bases: each row is in ours, and ours have no other rows. */
#include "conformance.h"

#include <cid/multibase.h>
#include <cid/multicodec.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static size_t codes_met, bases_met;

static bool is_row(const struct cid_multicodec *codec, struct tsv *tsv, uint64_t code)
{
    return codec->code == code && tsv_is(tsv, "name", codec->name) &&
           tsv_is(tsv, "tag", codec->tag) && tsv_is(tsv, "status", codec->status);
}

static void code_row(struct tsv *tsv)
{
    const char *name = tsv_get(tsv, "name");
    struct cid_multicodec codec = {0};
    uint64_t code;

    if (!tsv_number(tsv, "code", &code) || !name) {
        row_fail(tsv, "a row without code or name");
        return;
    }
    if (cid_multicodec_by_code(&codec, code) || !is_row(&codec, tsv, code))
        row_fail(tsv, "0x%" PRIx64 " is not found by its code", code);
    if (cid_multicodec_by_name(&codec, name, strlen(name)) || !is_row(&codec, tsv, code))
        row_fail(tsv, "%s is not found by its name", name);
    codes_met++;
}

static void code_end(struct tsv *tsv)
{
    if (cid_multicodec_count() != codes_met)
        row_fail(tsv, "our table has %zu rows", cid_multicodec_count());
}

static void base_row(struct tsv *tsv)
{
    const char *name = tsv_get(tsv, "name");
    const char *point = tsv_get(tsv, "codepoint");
    uint32_t code = point ? (uint32_t)strtoul(point + 2, NULL, 16) : 0;
    struct cid_base_info info = {0};

    if (!point || !name) {
        row_fail(tsv, "a row without code point or name");
        return;
    }
    if (tsv_is(tsv, "status", "reserved")) {
        char text[] = {(char)code, 'a', 'a'};
        uint8_t out[8];
        if (cid_base_by_code(&info, code) != CID_E_NOT_FOUND ||
            cid_multibase_decode(out, sizeof out, NULL, NULL, text, sizeof text, NULL) !=
                CID_E_BASE_RESERVED)
            row_fail(tsv, "0x%x is not reserved", (unsigned)code);
        return;
    }
    if (cid_base_by_code(&info, code) || (uint32_t)info.base != code ||
        !tsv_is(tsv, "name", info.name) || !tsv_is(tsv, "character", info.prefix) ||
        !tsv_is(tsv, "status", info.status))
        row_fail(tsv, "0x%x is not found by its code", (unsigned)code);
    if (cid_base_by_name(&info, name, strlen(name)) || (uint32_t)info.base != code)
        row_fail(tsv, "%s is not found by its name", name);
    bases_met++;
}

static void base_end(struct tsv *tsv)
{
    if (cid_base_count() != bases_met)
        row_fail(tsv, "our table has %zu bases", cid_base_count());
}

int main(void)
{
    static const struct conformance files[] = {
        {"codes.tsv", code_row, code_end},
        {"bases.tsv", base_row, base_end},
    };
    return conformance_run(files, sizeof files / sizeof files[0]);
}
