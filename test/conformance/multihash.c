#include "conformance.h"

#include <cid/hash.h>
#include <cid/multicodec.h>

#include "support.h"

#include <stdio.h>

#define OUT_MAX 256

enum action {
    AS_GIVEN,
    REVERSED, /* the digest is right with its bytes the other way round */
    REFUSED   /* the function makes no digest of that length */
};

/* Rows on which the specifications are silent or the implementations disagree. */
static const struct choice {
    struct decision decision;
    enum action action;
} choices[] = {
    {{"multihash-0486", "a number is written high byte first, as murmur3-x64-* are"}, REVERSED},
    {{"multihash-0492", "a number is written high byte first, as murmur3-x64-* are"}, REVERSED},
    {{"multihash-0493", "murmur3-x64-64 has 64 bits; all 128 are murmur3-x64-128"}, REFUSED},
    {{"multihash-0497", "high byte first; the digest is the same either way"}, AS_GIVEN},
    {{"multihash-0500", "high byte first"}, AS_GIVEN},
    {{"multihash-0501", "high byte first"}, AS_GIVEN},
    {{"multihash-0502", "high byte first"}, AS_GIVEN},
    {{"multihash-0504", "high byte first"}, AS_GIVEN},
    {{"multihash-0605", "high byte first"}, AS_GIVEN},
    {{"multihash-0606", "high byte first"}, AS_GIVEN},
    {{"multihash-0608", "high byte first"}, AS_GIVEN},
    {{"multihash-0609", "high byte first"}, AS_GIVEN},
    {{"multihash-0610", "high byte first"}, AS_GIVEN},
    {{"multihash-0611", "high byte first"}, AS_GIVEN},
    {{"multihash-0612", "high byte first"}, AS_GIVEN},
};

/* What a row of sums says. */
struct sum {
    uint64_t code;
    size_t len;
    uint8_t *input;
    size_t input_len;
    uint8_t *digest; /* NULL where the row has none */
    size_t digest_len;
};

static bool read_sum(struct tsv *tsv, struct sum *sum)
{
    const char *name = tsv_get(tsv, "name");
    struct cid_hash_info info;
    uint64_t len;

    *sum = (struct sum){.digest = NULL};
    if (!name || !tsv_number(tsv, "code_hex", &sum->code) || !tsv_number(tsv, "len", &len) ||
        !tsv_hex(tsv, "input_hex", &sum->input, &sum->input_len)) {
        row_fail(tsv, "a sum without its parts");
        return false;
    }
    sum->len = (size_t)len;
    (void)tsv_hex(tsv, "digest_hex", &sum->digest, &sum->digest_len);
    if (cid_hash_by_name(&info, name, strlen(name)) || info.code != sum->code)
        row_fail(tsv, "%s is not known by that name and code", name);
    else if (info.available != test_has_hash(sum->code))
        row_fail(tsv, "%s is %savailable", name, info.available ? "" : "not ");
    return true;
}

static void free_sum(struct sum *sum)
{
    free(sum->input);
    free(sum->digest);
}

/* Whether a digest of that function and length proves anything. */
static bool is_proof(uint64_t code, size_t len)
{
    struct cid_hash_info info;

    if (code == CID_HASH_IDENTITY)
        return true;
    return !cid_hash_by_code(&info, code) && info.cryptographic && len >= CID_DIGEST_MIN &&
           len <= info.max_len;
}

static void check_verify(struct tsv *tsv, const struct sum *sum)
{
    struct cid_multihash_view hash = {sum->code, sum->digest, sum->digest_len};
    bool proof = is_proof(sum->code, sum->digest_len);
    enum cid_error error = cid_multihash_verify(&hash, sum->input, sum->input_len, NULL);

    if (error != (proof ? CID_OK : CID_E_UNVERIFIABLE))
        row_fail(tsv, "verifying gives %s", cid_error_name(error));
    if (sum->digest_len == 0)
        return;
    sum->digest[sum->digest_len - 1] ^= 0x80;
    error = cid_multihash_verify(&hash, sum->input, sum->input_len, NULL);
    sum->digest[sum->digest_len - 1] ^= 0x80;
    if (error != (proof ? CID_E_MISMATCH : CID_E_UNVERIFIABLE))
        row_fail(tsv, "verifying a wrong digest gives %s", cid_error_name(error));
}

/* The whole multihash, made by hashing. */
static void check_multihash(struct tsv *tsv, const struct sum *sum)
{
    struct cid_bytes made;
    uint8_t *want;
    size_t want_len;
    enum cid_error error;

    if (!tsv_hex(tsv, "multihash_hex", &want, &want_len)) {
        row_fail(tsv, "a row without a multihash");
        return;
    }
    error = cid_multihash_sum(&made, sum->code, sum->len, sum->input, sum->input_len, NULL, NULL);
    if (error)
        row_fail(tsv, "making it gives %s", cid_error_name(error));
    else if (made.len != want_len || memcmp(cid_bytes_of(&made), want, want_len) != 0)
        row_fail(tsv, "another multihash is made");
    cid_bytes_free(&made, NULL);
    free(want);
}

static bool equal_or_reversed(const uint8_t *a, const uint8_t *b, size_t len, bool reversed)
{
    for (size_t i = 0; i < len; i++)
        if (a[i] != b[reversed ? len - 1 - i : i])
            return false;
    return true;
}

static void check_sum(struct tsv *tsv, struct sum *sum, enum action action)
{
    uint8_t out[OUT_MAX];
    size_t written = 0;
    enum cid_error error = cid_hash_sum(out, sizeof out, &written, sum->code, sum->len, sum->input,
                                        sum->input_len, NULL);

    if (action == REFUSED) {
        if (error != CID_E_DIGEST_LENGTH)
            row_fail(tsv, "%s, not digest_length", cid_error_name(error));
        return;
    }
    if (error || written != sum->digest_len || written != sum->len)
        row_fail(tsv, "%s, %zu bytes", cid_error_name(error), written);
    else if (!equal_or_reversed(out, sum->digest, written, action == REVERSED))
        row_fail(tsv, "another digest");
    else if (action == AS_GIVEN) {
        check_multihash(tsv, sum);
        check_verify(tsv, sum);
    }
}

/* Rows whose function this build lacks. */
static size_t absent;

static void check_absent(struct tsv *tsv, const struct sum *sum)
{
    struct cid_multihash_view hash = {sum->code, sum->digest, sum->digest_len};
    uint8_t out[OUT_MAX];

    absent++;
    if (cid_hash_sum(out, sizeof out, NULL, sum->code, sum->len, sum->input, sum->input_len,
                     NULL) != CID_E_HASH_ABSENT)
        row_fail(tsv, "is hashed by a function that is absent");
    if (sum->digest &&
        cid_multihash_verify(&hash, sum->input, sum->input_len, NULL) != CID_E_UNVERIFIABLE)
        row_fail(tsv, "is verified by a function that is absent");
}

static void sum_row(struct tsv *tsv, enum action action)
{
    struct sum sum;

    if (!read_sum(tsv, &sum))
        return;
    if (action != REFUSED && !sum.digest)
        sum.digest = malloc(1); /* an empty digest */
    if (test_has_hash(sum.code))
        check_sum(tsv, &sum, action);
    else
        check_absent(tsv, &sum);
    free_sum(&sum);
}

static void decode_row(struct tsv *tsv)
{
    struct cid_multihash_view hash = {0};
    uint8_t *in, *digest = NULL;
    size_t in_len, digest_len = 0;
    uint64_t code, len;
    enum cid_error error;

    if (!tsv_hex(tsv, "multihash_hex", &in, &in_len)) {
        row_fail(tsv, "a row without a multihash");
        return;
    }
    error = cid_multihash_read_exact(&hash, in, in_len);
    if (error)
        row_fail(tsv, "%s", cid_error_name(error));
    if (tsv_number(tsv, "code_hex", &code) && hash.code != code)
        row_fail(tsv, "another code");
    if (tsv_number(tsv, "len", &len) && hash.digest_len != len)
        row_fail(tsv, "another length");
    if (tsv_hex(tsv, "digest_hex", &digest, &digest_len) &&
        (hash.digest_len != digest_len ||
         (digest_len != 0 && memcmp(hash.digest, digest, digest_len) != 0)))
        row_fail(tsv, "another digest");
    if (tsv_is(tsv, "reason", "digest-length-odd") &&
        cid_hash_check(hash.code, hash.digest_len, NULL) !=
            (test_has_hash(hash.code) ? CID_E_DIGEST_LENGTH : CID_E_HASH_ABSENT))
        row_fail(tsv, "the length is held to suit the function");
    if (tsv_is(tsv, "reason", "unknown-code") &&
        cid_hash_check(hash.code, hash.digest_len, NULL) != CID_E_HASH_UNKNOWN)
        row_fail(tsv, "the function is held to be known");
    free(digest);
    free(in);
}

static void invalid_row(struct tsv *tsv)
{
    static const struct {
        const char *reason;
        enum cid_error error; /* CID_OK: whichever comes up first in bytes that are no multihash */
    } reasons[] = {
        {"length-mismatch", CID_E_TRUNCATED},
        {"too-short", CID_E_TRUNCATED},
        {"varint-truncated", CID_E_TRUNCATED},
        {"trailing", CID_E_TRAILING},
        {"varint-not-minimal", CID_E_VARINT_NOT_MINIMAL},
        {"varint-too-long", CID_E_VARINT_OVERFLOW},
        {"not-a-multihash", CID_OK},
    };
    struct cid_multihash_view hash;
    uint8_t *in;
    size_t in_len, i = 0;
    enum cid_error error;

    if (!tsv_hex(tsv, "multihash_hex", &in, &in_len)) {
        row_fail(tsv, "a row without a multihash");
        return;
    }
    error = cid_multihash_read_exact(&hash, in, in_len);
    free(in);
    while (i < COUNT(reasons) && !tsv_is(tsv, "reason", reasons[i].reason))
        i++;
    if (i == COUNT(reasons))
        row_fail(tsv, "an unknown reason");
    else if (!error)
        row_fail(tsv, "is read");
    else if (reasons[i].error && error != reasons[i].error)
        row_fail(tsv, "%s, not %s", cid_error_name(error), cid_error_name(reasons[i].error));
}

static void row(struct tsv *tsv)
{
    if (tsv_is(tsv, "kind", "sum")) {
        sum_row(tsv, AS_GIVEN);
    } else if (tsv_is(tsv, "kind", "sum-error")) {
        sum_row(tsv, REFUSED);
    } else if (tsv_is(tsv, "kind", "decode")) {
        decode_row(tsv);
    } else if (tsv_is(tsv, "kind", "invalid")) {
        invalid_row(tsv);
    } else if (tsv_is(tsv, "kind", "ambiguous")) {
        size_t i = conformance_decision(tsv, choices, COUNT(choices), sizeof choices[0]);
        if (i == SIZE_MAX)
            row_fail(tsv, "is not decided");
        else
            sum_row(tsv, choices[i].action);
    } else {
        row_fail(tsv, "an unknown kind");
    }
}

/* Where libgcrypt is built in, that is one row of ripemd-256 and one of ripemd-320. */
static void end(struct tsv *tsv)
{
    printf("multihash.tsv: %zu rows of functions that are absent in this build\n", absent);
#ifdef CID_WITH_GCRYPT
    if (absent != 2)
        row_fail(tsv, "%zu rows of absent functions, not 2", absent);
#endif
    conformance_decided(tsv, choices, COUNT(choices), sizeof choices[0]);
}

int main(void)
{
    static const struct conformance files[] = {{"multihash.tsv", row, end}};
    return conformance_run(files, COUNT(files));
}
