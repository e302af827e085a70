/* Multibase: decoding of any text, encoding of any bytes, and each of the other. */
#include "fuzz.h"

#include <cid/multibase.h>

const struct fuzz_seed fuzz_seeds[] = {
    SEED(""),
    SEED("001111001011001010111001100100000"),
    SEED("7362625631006654133464440102"),
    SEED("9573277761329450583662625"),
    SEED("f796573206d616e692021"),
    SEED("F796573206D616E692021"),
    SEED("bpfsxgidnmfxgsibb"),
    SEED("BPFSXGIDNMFXGSIBB"),
    SEED("vf5in683dc5n6i811"),
    SEED("tf5in683dc5n6i811"),
    SEED("cpfsxgidnmfxgsibb"),
    SEED("cmy======"),
    SEED("hxf1zgedpcfzg1ebb"),
    SEED("k2lcpzo5yikidynfl"),
    SEED("z7paNL19xttacUY"),
    SEED("Z7Pznk19XTTzBtx"),
    SEED("meWVzIG1hbmkgIQ"),
    SEED("MeWVzIG1hbmkgIQ=="),
    SEED("ueWVzIG1hbmkgIQ"),
    SEED("UeWVzIG1hbmkgIQ=="),
    SEED("R.OEF6J-9EEEJA"),
    SEED("pro-lusab-babad"),
    SEED("\xf0\x9f\x9a\x80\xf0\x9f\x9a\x80\xf0\x9f\xaa\x90\xe2\x98\x84"),
    SEED_END,
};

static void decode(const char *text, size_t len)
{
    static const struct cid_multibase_options lenient = {
        .allow = CID_ALLOW_SPARE_BITS | CID_ALLOW_PADDING | CID_ALLOW_LINE_ENDS | CID_ALLOW_SHORT};
    /* Not more than one byte a bit or character, whatever the base. */
    uint8_t *strict = malloc(len + 1), *loose = malloc(len + 1);
    size_t written = 0, also = 0;
    enum cid_base base = CID_BASE_DEFAULT;
    struct cid_fault fault;
    enum cid_error error;

    FUZZ_CHECK(strict && loose);
    memset(&fault, 0, sizeof fault);
    cid_multibase_diagnose(&fault, text, len, NULL);
    error = cid_multibase_decode(strict, len + 1, &written, &base, text, len, NULL);
    FUZZ_CHECK(fault.code == error);
    FUZZ_CHECK(error == CID_OK || fault.offset <= len);
    if (error == CID_OK) {
        FUZZ_CHECK(written <= cid_multibase_decoded_bound(base, len));
        FUZZ_CHECK(cid_multibase_decode(loose, written, &also, NULL, text, len, &lenient) ==
                   CID_OK);
        FUZZ_CHECK(also == written && memcmp(strict, loose, written) == 0);
    } else if (cid_multibase_decode(loose, len + 1, &also, NULL, text, len, &lenient) == CID_OK) {
        FUZZ_CHECK(also <= len);
    }
    free(strict);
    free(loose);
}

static void encode(const uint8_t *data, size_t len, enum cid_base base)
{
    size_t bound = cid_multibase_encoded_bound(base, len), written = 0, back = 0, need = 0;
    enum cid_base same = CID_BASE_DEFAULT;
    char *text = malloc(bound + 1);
    uint8_t *bytes = malloc(len + 1);
    enum cid_error error;

    FUZZ_CHECK(text && bytes);
    error = cid_multibase_encode(text, bound + 1, &written, data, len, base);
    FUZZ_CHECK(error == CID_OK || (base == CID_BASE_PROQUINT && len % 2 == 1));
    if (error == CID_OK) {
        FUZZ_CHECK(written <= bound && strlen(text) == written);
        FUZZ_CHECK(cid_multibase_encode(NULL, 0, &need, data, len, base) == CID_E_NOSPACE);
        FUZZ_CHECK(need == written);
        FUZZ_CHECK(cid_multibase_decode(bytes, len, &back, &same, text, written, NULL) == CID_OK);
        FUZZ_CHECK(same == base && back == len && memcmp(bytes, data, len) == 0);
    }
    free(text);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    decode((const char *)data, len);
    for (size_t i = 0; len <= 256 && i < cid_base_count(); i++) {
        struct cid_base_info info;
        FUZZ_CHECK(cid_base_at(&info, i) == CID_OK);
        encode(data, len, info.base);
    }
    return 0;
}
