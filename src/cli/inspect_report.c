#include "inspect.h"
#include "names.h"
#include "notes.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Digests and texts up to these lengths are shown whole. */
#define DIGEST_SHOWN 64
#define TEXT_SHOWN   256
/* How much of a block that lies in the CID is shown. */
#define CONTENT_SHOWN 64

struct report {
    struct output *out;
    const struct subject *subject;
    const struct cid_view *view;
    bool full;
};

/* ---- rows ---------------------------------------------------------------------------------- */

static void row(struct report *report, const char *label)
{
    struct output *out = report->out;
    out_text(out, style_on(out, STYLE_LABEL));
    out_print(out, "%-9s", label);
    out_text(out, style_off(out));
    out_text(out, "  ");
}

static void put_hex(struct output *out, const uint8_t *bytes, size_t len, const char *gap)
{
    for (size_t i = 0; i < len; i++)
        out_print(out, "%s%02x", i != 0 ? gap : "", bytes[i]);
}

/* Hexadecimal with its middle left out if it is long. */
static void put_long_hex(struct report *report, const uint8_t *bytes, size_t len)
{
    if (report->full || len <= DIGEST_SHOWN) {
        put_hex(report->out, bytes, len, "");
        return;
    }
    put_hex(report->out, bytes, 24, "");
    out_text(report->out, "...");
    put_hex(report->out, bytes + len - 8, 8, "");
}

/* Own text, which needs no escapes, with its middle left out if it is long. */
static void put_long_text(struct report *report, const char *text)
{
    size_t len = strlen(text), head = TEXT_SHOWN / 2;

    if (report->full || len <= TEXT_SHOWN) {
        out_text(report->out, text);
        return;
    }
    while (((uint8_t)text[head] & 0xc0) == 0x80)
        head--;
    out_write(report->out, text, head);
    out_print(report->out, "... (%zu characters, --full shows all)", text_count(text, len));
}

/* A row with the CID in a base; nothing if the base cannot hold it. */
static void text_row(struct report *report, const char *label, const struct cid_view *view,
                     const char *name, enum cid_base base)
{
    char *text = cid_text(view, base);

    if (text) {
        row(report, label);
        out_print(report->out, "%-10s", name);
        put_long_text(report, text);
        out_char(report->out, '\n');
    }
    free(text);
}

/* ---- fields -------------------------------------------------------------------------------- */

static void put_head(struct report *report)
{
    const struct subject *subject = report->subject;
    struct cid_base_info info = base_info(subject->base);
    struct output *out = report->out;

    row(report, "input");
    text_put(out, subject->item.text, subject->item.len);
    out_char(out, '\n');
    row(report, "valid");
    style_text(out, STYLE_GOOD, "yes");
    out_print(out, "   (CIDv%u, %zu bytes, %s)\n", report->view->version, report->view->len,
              is_canonical(subject) ? "canonical text" : "not its canonical text");
    row(report, "base");
    if (report->view->version == 0)
        out_print(out, "%s, implied by version 0\n", info.name);
    else
        out_print(out, "%s '%s'\n", info.name, info.prefix);
}

static void put_codec(struct report *report)
{
    struct output *out = report->out;
    uint64_t codec = report->view->codec;
    struct cid_multicodec known;

    row(report, "codec");
    if (!cid_multicodec_by_code(&known, codec))
        out_print(out, "%s 0x%" PRIx64 "%s   [%s]\n", known.name, codec,
                  report->view->version == 0 ? ", implied by version 0" : "", known.status);
    else
        out_print(out, "unknown (0x%" PRIx64 ")%s\n", codec,
                  cid_multicodec_is_private(codec) ? "   [private use, 0x300000 to 0x3fffff]" : "");
}

static void put_hash(struct report *report)
{
    const struct cid_multihash_view *hash = &report->view->hash;
    struct output *out = report->out;
    const char *name = hash_known(hash->code), *length;
    char buf[64];

    row(report, "hash");
    if (name)
        out_print(out, "%s 0x%" PRIx64, name, hash->code);
    else
        out_print(out, "unknown (0x%" PRIx64 ")", hash->code);
    length = length_text(buf, hash);
    out_print(out, ", %zu byte%s (%zu bits%s%s)", hash->digest_len,
              hash->digest_len == 1 ? "" : "s", hash->digest_len * 8, length ? ", " : "",
              length ? length : "");
    if (!name && cid_multicodec_is_private(hash->code))
        out_text(out, "   [private use, 0x300000 to 0x3fffff]");
    out_char(out, '\n');
    row(report, "digest");
    put_long_hex(report, hash->digest, hash->digest_len);
    out_char(out, '\n');
    if (report->full) {
        char *text = digits(hash->digest, hash->digest_len, CID_BASE64_PAD);
        row(report, "");
        out_text(out, "base64 ");
        out_text(out, text ? text : "");
        out_char(out, '\n');
        free(text);
    }
}

/* The bytes, a group for each field, and where each begins and ends. */
static void put_bytes(struct report *report)
{
    const struct cid_view *view = report->view;
    struct output *out = report->out;
    size_t codec = view->version == 0 ? 0 : cid_varint_size(view->codec);
    size_t head = view->len - view->hash.digest_len;
    size_t hash = view->version == 0 ? 0 : 1 + codec;
    size_t shown = view->hash.digest_len < 4 ? view->hash.digest_len : 4;

    row(report, "bytes");
    if (view->version != 0) {
        put_hex(out, view->bytes, 1, " ");
        out_text(out, " | ");
        put_hex(out, view->bytes + 1, codec, " ");
        out_text(out, " | ");
    }
    put_hex(out, view->bytes + hash, head - hash, " ");
    if (view->hash.digest_len != 0) {
        out_text(out, " | ");
        put_hex(out, view->hash.digest, shown, " ");
        out_text(out, shown < view->hash.digest_len ? " ...   at " : "   at ");
    } else {
        out_text(out, "   at ");
    }
    if (view->version != 0)
        out_print(out, codec == 1 ? "0, 1, " : "0, 1-%zu, ", codec);
    out_print(out, "%zu-%zu", hash, head - 1);
    if (view->hash.digest_len != 0)
        out_print(out, ", %zu-%zu", head, view->len - 1);
    out_char(out, '\n');
}

/* ---- other forms --------------------------------------------------------------------------- */

static void put_v0(struct report *report)
{
    const struct cid_view *view = report->view;
    char name[NAME_SIZE];
    struct cid cid;
    struct cid_view v0;
    enum cid_error error = cid_to_v0(&cid, view, NULL);

    if (!error) {
        v0 = cid_as_view(&cid);
        text_row(report, "as v0", &v0, "base58btc", CID_BASE_DEFAULT);
        cid_free(&cid, NULL);
        return;
    }
    row(report, "as v0");
    out_text(report->out, "not possible: ");
    if (error == CID_E_V0_CODEC)
        out_print(report->out, "the codec is %s, v0 needs dag-pb\n", codec_name(name, view->codec));
    else if (error == CID_E_V0_HASH)
        out_print(report->out, "the hash is %s with %zu bytes, v0 needs sha2-256 with 32\n",
                  hash_name(name, view->hash.code), view->hash.digest_len);
    else
        out_print(report->out, "%s\n", cid_error_text(error));
}

static void put_v1(struct report *report)
{
    struct cid cid;
    struct cid_view v1;

    if (cid_to_v1(&cid, report->view, NULL))
        return;
    v1 = cid_as_view(&cid);
    text_row(report, "as v1", &v1, "base32", CID_BASE32);
    text_row(report, "", &v1, "base36", CID_BASE36);
    text_row(report, "", &v1, "base58btc", CID_BASE58_BTC);
    text_row(report, "", &v1, "hex", CID_BASE16);
    cid_free(&cid, NULL);
}

static void put_profile(struct report *report)
{
    const struct subject *subject = report->subject;
    enum cid_error error = cid_dasl_check(subject->text, subject->text_len);

    row(report, "profile");
    out_text(report->out, "DASL / AT Protocol: ");
    if (error)
        out_print(report->out, "no, %s\n", cid_error_text(error));
    else
        out_text(report->out, "yes\n");
}

/* ---- what only some CIDs have -------------------------------------------------------------- */

static void put_content(struct report *report)
{
    const struct cid_multihash_view *hash = &report->view->hash;
    size_t shown =
        hash->digest_len < CONTENT_SHOWN || report->full ? hash->digest_len : CONTENT_SHOWN;

    while (shown < hash->digest_len && (hash->digest[shown] & 0xc0) == 0x80)
        shown++; /* not inside a character */

    row(report, "content");
    out_print(report->out, "%zu byte%s", hash->digest_len, hash->digest_len == 1 ? "" : "s");
    if (!text_is_utf8((const char *)hash->digest, hash->digest_len)) {
        out_text(report->out, ", not text");
    } else if (hash->digest_len != 0) {
        out_text(report->out, ": \"");
        text_put(report->out, (const char *)hash->digest, shown);
        out_text(report->out, shown < hash->digest_len ? "\"..." : "\"");
    }
    out_char(report->out, '\n');
}

static void put_peer(struct report *report)
{
    const struct cid_multihash_view *hash = &report->view->hash;
    size_t size = report->view->len;
    uint8_t *multihash = cli_alloc(size);
    char *text = NULL;

    if (!cid_multihash_write(multihash, size, &size, hash->code, hash->digest, hash->digest_len))
        text = digits(multihash, size, CID_BASE58_BTC);
    if (text) {
        row(report, "peer id");
        put_long_text(report, text);
        out_char(report->out, '\n');
    }
    free(text);
    free(multihash);
}

static void put_dns(struct report *report)
{
    size_t base32 = 0, base36 = 0;

    if (cid_text_size(&base32, report->view, CID_BASE32) ||
        cid_text_size(&base36, report->view, CID_BASE36))
        return;
    row(report, "dns label");
    out_print(report->out, "base32 has %zu characters, a label holds 63; base36 has %zu", base32,
              base36);
    out_text(report->out, base36 <= 63 ? " and fits\n" : ", too many as well\n");
}

static void put_rest(struct report *report)
{
    const struct subject *subject = report->subject;

    if (subject->rest_len == 0)
        return;
    row(report, "path");
    text_put(report->out, subject->rest, subject->rest_len);
    out_char(report->out, '\n');
}

static bool has_note(const struct notes *notes, enum note note)
{
    for (size_t i = 0; i < notes->count; i++)
        if (notes->list[i] == note)
            return true;
    return false;
}

static void put_notes(struct report *report, const struct notes *notes)
{
    for (size_t i = 0; i < notes->count; i++) {
        enum note note = notes->list[i];
        if (note == NOTE_DNS_LABEL || note == NOTE_IDENTITY)
            continue; /* they have rows of their own */
        row(report, "note");
        style_text(report->out, STYLE_NOTE, note_text(note));
        out_char(report->out, '\n');
        if (note == NOTE_NOT_CANONICAL)
            text_row(report, "", report->view, "usually", CID_BASE_DEFAULT);
    }
}

void inspect_report(struct cli *cli, const struct subject *subject, bool full)
{
    struct report report = {&cli->out, subject, &subject->view, full};
    struct notes notes;

    notes_of(&notes, subject);
    put_head(&report);
    put_rest(&report);
    put_codec(&report);
    put_hash(&report);
    if (has_note(&notes, NOTE_IDENTITY))
        put_content(&report);
    if (has_note(&notes, NOTE_LIBP2P_KEY))
        put_peer(&report);
    put_bytes(&report);
    put_v0(&report);
    put_v1(&report);
    if (has_note(&notes, NOTE_DNS_LABEL))
        put_dns(&report);
    put_profile(&report);
    put_notes(&report, &notes);
}
