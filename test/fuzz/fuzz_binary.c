/* Varints, multihashes, CIDs and links in binary form. */
#include "fuzz.h"

#include <cid/cid.h>

#define DIGEST "\xa9\x48\x90\x4f\x2f\x0f\x47\x9b\x8f\x81\x97\x69\x4b\x30\x18\x4b"

const struct fuzz_seed fuzz_seeds[] = {
    SEED(""),
    SEED("\xac\x02"),
    SEED("\xff\xff\xff\xff\xff\xff\xff\xff\x7f"),
    SEED("\x12\x20" DIGEST DIGEST),
    SEED("\x01\x55\x12\x20" DIGEST DIGEST),
    SEED("\x00\x01\x71\x12\x20" DIGEST DIGEST),
    SEED("\x01\x70\xa0\xe4\x02\x20" DIGEST DIGEST),
    SEED("\x01\x55\x13\x40" DIGEST DIGEST DIGEST DIGEST),
    SEED("\x01\x55\x00\x05hello"),
    SEED("\x01\x55\x00\x00"),
    SEED("\x01\x55\x00\xff\xff\xff\xff\xff\xff\xff\xff\x7f"),
    SEED_END,
};

static void varint(const uint8_t *data, size_t len)
{
    uint8_t out[CID_VARINT_MAX_SIZE];
    uint64_t value;
    size_t used, written;
    if (cid_varint_read(&value, &used, data, len) != CID_OK)
        return;
    FUZZ_CHECK(used <= len);
    FUZZ_CHECK(cid_varint_write(out, sizeof out, &written, value) == CID_OK);
    FUZZ_CHECK(written == used && memcmp(out, data, used) == 0);
}

static void multihash(const uint8_t *data, size_t len)
{
    struct cid_multihash_view view;
    struct cid_bytes bytes;
    size_t used;
    if (cid_multihash_read(&view, &used, data, len) != CID_OK)
        return;
    FUZZ_CHECK(used <= len);
    FUZZ_CHECK(cid_multihash_make(&bytes, view.code, view.digest, view.digest_len, NULL) == CID_OK);
    FUZZ_CHECK(bytes.len == used && memcmp(cid_bytes_of(&bytes), data, used) == 0);
    cid_bytes_free(&bytes, NULL);
}

static void rebuild(const struct cid_view *view)
{
    struct cid cid;
    struct cid_view again;
    FUZZ_CHECK((view->version == 0
                    ? cid_make_v0(&cid, view->hash.digest, view->hash.digest_len, NULL)
                    : cid_make_v1(&cid, view->codec, view->hash.code, view->hash.digest,
                                  view->hash.digest_len, NULL)) == CID_OK);
    again = cid_as_view(&cid);
    FUZZ_CHECK(cid_equal(view, &again) && cid_compare(view, &again) == 0);
    FUZZ_CHECK(cid_same_content(view, &again) && cid_same_multihash(view, &again));
    cid_free(&cid, NULL);
}

static void cid(const uint8_t *data, size_t len)
{
    struct cid_view view;
    size_t used = 0;
    uint64_t need = 0;
    enum cid_error error = cid_read(&view, &used, data, len);
    enum cid_error peek = cid_peek(&need, data, len);

    if (error == CID_OK) {
        FUZZ_CHECK(used <= len && view.len == used && view.bytes == data);
        FUZZ_CHECK(peek == CID_OK && need == used);
        rebuild(&view);
    } else if (peek == CID_OK) {
        FUZZ_CHECK(error == CID_E_TRUNCATED && need > len);
    } else {
        FUZZ_CHECK(peek == error);
    }
}

static void diagnose(const uint8_t *data, size_t len)
{
    struct cid_view view;
    struct cid_fault fault;
    memset(&fault, 0, sizeof fault);
    cid_diagnose_bytes(&fault, data, len);
    FUZZ_CHECK(fault.code == cid_read_exact(&view, data, len));
    FUZZ_CHECK(fault.code == CID_OK || fault.offset <= len);
}

static void link(const uint8_t *data, size_t len)
{
    struct cid_view view;
    if (cid_link_read(&view, data, len) == CID_OK)
        FUZZ_CHECK(data[0] == 0 && view.len == len - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    varint(data, len);
    multihash(data, len);
    cid(data, len);
    diagnose(data, len);
    link(data, len);
    return 0;
}
