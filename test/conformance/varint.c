#include "conformance.h"

#include <cid/varint.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void valid(struct tsv *tsv, const uint8_t *in, size_t len)
{
    uint8_t out[CID_VARINT_MAX_SIZE];
    uint64_t value = 0, want = 0, want_used = 0;
    size_t used = 0, written = 0;
    enum cid_error error = cid_varint_read(&value, &used, in, len);

    if (!tsv_number(tsv, "value", &want) || !tsv_number(tsv, "used", &want_used))
        row_fail(tsv, "a row without a value");
    else if (error || value != want || used != want_used)
        row_fail(tsv, "%s, value %" PRIu64 ", used %zu", cid_error_name(error), value, used);
    else if (cid_varint_write(out, sizeof out, &written, want) || written != used ||
             memcmp(out, in, used) != 0)
        row_fail(tsv, "is written otherwise");
}

static void invalid(struct tsv *tsv, const uint8_t *in, size_t len)
{
    static const struct {
        const char *reason;
        enum cid_error error;
    } reasons[] = {
        {"truncated", CID_E_TRUNCATED},
        {"not-minimal", CID_E_VARINT_NOT_MINIMAL},
        {"too-long", CID_E_VARINT_OVERFLOW},
    };
    uint64_t value;
    enum cid_error error = cid_varint_read(&value, NULL, in, len);

    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (!tsv_is(tsv, "reason", reasons[i].reason))
            continue;
        if (error != reasons[i].error)
            row_fail(tsv, "%s, not %s", cid_error_name(error), cid_error_name(reasons[i].error));
        return;
    }
    row_fail(tsv, "an unknown reason");
}

static void row(struct tsv *tsv)
{
    uint8_t *in;
    size_t len;

    if (!tsv_hex(tsv, "hex", &in, &len)) {
        row_fail(tsv, "a row without bytes");
        return;
    }
    if (tsv_is(tsv, "kind", "valid"))
        valid(tsv, in, len);
    else if (tsv_is(tsv, "kind", "invalid"))
        invalid(tsv, in, len);
    else
        row_fail(tsv, "an unknown kind");
    free(in);
}

int main(void)
{
    static const struct conformance files[] = {{"varint.tsv", row, NULL}};
    return conformance_run(files, 1);
}
