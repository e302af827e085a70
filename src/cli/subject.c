#include "subject.h"
#include "names.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------------- */

static bool looks_like_path(const struct item *item)
{
    if (item->len != 0 && item->text[0] == '/')
        return true;
    for (size_t at = 0; at + 3 <= item->len; at++)
        if (memcmp(item->text + at, "://", 3) == 0)
            return true;
    return false;
}

/* The first label of a host name such as CID.ipfs.example; SIZE_MAX if it is no such name. */
static size_t find_label(size_t *len, const struct item *item)
{
    size_t at = 0;

    while (at < item->len && item->text[at] != ':')
        at++;
    if (item->len - at < 3 || memcmp(item->text + at, "://", 3) != 0)
        return SIZE_MAX;
    at += 3;
    for (*len = 0; at + *len < item->len && !memchr("./?#", item->text[at + *len], 4); ++*len)
        continue;
    if (item->len - at - *len < 6 || (memcmp(item->text + at + *len, ".ipfs.", 6) != 0 &&
                                      memcmp(item->text + at + *len, ".ipns.", 6) != 0))
        return SIZE_MAX;
    return at;
}

/* Where the CID of a path should stand: behind "/ipfs/", "ipfs://" and the like. */
static size_t find_place(size_t *len, const struct item *item)
{
    static const char *const leads[] = {
        "/ipfs/", "/ipns/", "/ipld/", "ipfs://", "ipns://", "ipld://",
    };
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++) {
        size_t lead = strlen(leads[i]);
        for (size_t at = 0; at + lead <= item->len && at < best; at++)
            if (memcmp(item->text + at, leads[i], lead) == 0)
                best = at + lead;
    }
    if (best == SIZE_MAX)
        return find_label(len, item);
    for (*len = 0; best + *len < item->len; ++*len)
        if (memchr("/?#", item->text[best + *len], 3))
            break;
    return best;
}

/* Looks for the fault of a text that was refused with an error, at its own place in a path. */
static void diagnose(struct subject *subject)
{
    const struct item *item = &subject->item;
    struct cid_fault *fault = &subject->fault;
    size_t at = SIZE_MAX, len = item->len;

    if (looks_like_path(item) && subject->error != CID_E_NO_CID)
        at = find_place(&len, item);
    if (at == SIZE_MAX) {
        at = 0;
        len = item->len;
    }
    cid_diagnose(fault, item->text + at, len);
    if (fault->code != subject->error)
        *fault = (struct cid_fault){.code = subject->error, .where = CID_WHERE_TEXT};
    else if (fault->where == CID_WHERE_TEXT)
        fault->offset += at;
}

void subject_read(struct subject *subject, const struct item *item, enum accept accept)
{
    struct cid_found found = {CID_BASE_DEFAULT, 0, item->len, item->len, 0};

    memset(subject, 0, sizeof *subject);
    subject->item = *item;
    if (item->too_long) {
        subject->error = CID_E_TEXT_LIMIT;
        subject->fault.code = CID_E_TEXT_LIMIT;
        subject->fault.where = CID_WHERE_TEXT;
        subject->fault.offset = subject->fault.need = LINE_LIMIT;
        return;
    }
    if (accept == ACCEPT_PATHS)
        subject->error = cid_find(&subject->cid, &found, item->text, item->len, NULL);
    else
        subject->error =
            cid_parse_with(&subject->cid, &found.base, item->text, item->len, NULL, NULL);
    if (subject->error) {
        diagnose(subject);
        return;
    }
    subject->view = cid_as_view(&subject->cid);
    subject->base = subject->view.version == 0 ? CID_BASE58_BTC : found.base;
    subject->text = item->text + found.cid_at;
    subject->text_len = found.cid_len;
    subject->rest = item->text + found.rest_at;
    subject->rest_len = found.rest_len;
}

void subject_release(struct subject *subject)
{
    cid_free(&subject->cid, NULL);
}

void subject_fail(struct subject *subject, enum cid_error error, enum cid_field field)
{
    subject->error = error;
    memset(&subject->fault, 0, sizeof subject->fault);
    subject->fault.code = error;
    subject->fault.field = field;
}

/* ---- messages ------------------------------------------------------------------------------ */

/* A proposal longer than this, in characters, is not worth a line. */
#define HINT_LIMIT 256

/* A message under construction; what does not fit is left out. */
struct message {
    char text[1024];
    size_t len;
};

static void say(struct message *message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(struct message *message, const char *format, ...)
{
    size_t room = sizeof message->text - message->len;
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(message->text + message->len, room, format, args);
    va_end(args);
    if (n > 0)
        message->len += (size_t)n < room ? (size_t)n : room - 1;
}

/* The character at a place of the input, in quotes where it can be shown. */
static void say_character(struct message *message, const struct item *item, uint64_t offset)
{
    struct text_char c;

    if (offset >= item->len)
        return;
    c = text_next(item->text + offset, item->len - (size_t)offset);
    if (!c.valid || !text_is_plain(item->text + offset, c.len))
        say(message, c.valid ? "U+%04X" : "the byte %02x", (unsigned)c.point);
    else
        say(message, "'%.*s'", (int)c.len, item->text + offset);
}

static void say_truncated(struct message *message, const struct cid_fault *fault)
{
    if (fault->field == CID_FIELD_DIGEST && fault->need > fault->have)
        say(message, "the digest is cut short: %" PRIu64 " of %" PRIu64 " bytes are there",
            fault->have, fault->need);
    else if (fault->field != CID_FIELD_NONE)
        say(message, "the CID ends before its %s does",
            fault->field == CID_FIELD_LENGTH ? "digest length" : cid_field_name(fault->field));
    else
        say(message, "%s", cid_error_text(fault->code));
}

/* The sentence for a fault; those that know more than their code have a case of their own. */
static void say_fault(struct message *message, const struct subject *subject)
{
    const struct cid_fault *fault = &subject->fault;
    const struct item *item = &subject->item;

    if (fault->code == CID_E_BASE_CHAR && fault->where == CID_WHERE_TEXT &&
        fault->offset < item->len) {
        say_character(message, item, fault->offset);
        say(message, " is not a character of %s",
            fault->decoded & CID_DECODED_BASE ? base_info((enum cid_base)fault->base).name
                                              : "the base");
    } else if (fault->code == CID_E_BASE_UNKNOWN && fault->offset < item->len) {
        say_character(message, item, fault->offset);
        say(message, " is not the prefix of any base");
    } else if (fault->code == CID_E_BASE_RESERVED && fault->offset < item->len) {
        say_character(message, item, fault->offset);
        say(message, " is a reserved prefix and stands for no base");
    } else if (fault->code == CID_E_V0_LENGTH && fault->have != 0) {
        say(message, "a CIDv0 has 46 characters, this one has %" PRIu64, fault->have);
    } else if (fault->code == CID_E_TRUNCATED) {
        say_truncated(message, fault);
    } else if (fault->code == CID_E_TRAILING && fault->have > fault->need) {
        say(message, "%" PRIu64 " more byte%s than the CID has stand%s behind its digest",
            fault->have - fault->need, fault->have - fault->need == 1 ? "" : "s",
            fault->have - fault->need == 1 ? "s" : "");
    } else if (fault->code == CID_E_TEXT_LIMIT && fault->need != 0) {
        say(message, "the text is longer than the limit of %" PRIu64 " bytes", fault->need);
    } else {
        say(message, "%s", cid_error_text(fault->code));
        if ((fault->code == CID_E_CID_VERSION || fault->code == CID_E_CID_RESERVED) &&
            (fault->decoded & CID_DECODED_VERSION))
            say(message, " (%" PRIu64 ")", fault->version);
    }
}

/* What the text probably is; NULL if there is no idea. *leads is whether a CID should follow. */
static const char *likely_text(enum cid_likely likely, bool *leads)
{
    *leads = false;
    switch (likely) {
    case CID_LIKELY_NOTHING:
        return NULL;
    case CID_LIKELY_V0_LOWERED:
        return "this looks like a lower-cased CIDv0; the case is lost and cannot be restored";
    case CID_LIKELY_V0_CUT:
        return "this looks like a CIDv0 with characters missing or added";
    case CID_LIKELY_CUT:
        return "this looks like a CID that was cut short";
    case CID_LIKELY_MULTIHASH:
        *leads = true;
        return "this is a bare sha2-256 multihash; as dag-pb its CID is";
    case CID_LIKELY_PEER_ID:
        *leads = true;
        return "this is a libp2p PeerID; as a CID it is";
    case CID_LIKELY_HEX_DIGEST:
        *leads = true;
        return "this looks like a SHA-256 digest in hexadecimal; as raw its CID is";
    case CID_LIKELY_PATH:
        *leads = true;
        return "this looks like a path or URL; the CID in it is";
    case CID_LIKELY_QUOTED:
        *leads = true;
        return "there are blanks, line ends or quotes around the CID";
    }
    return NULL;
}

/* How a CID that is proposed is best written: a key in base36, a CIDv0 with its CIDv1. */
static char *suggested_text(const struct cid *cid)
{
    struct cid_view view = cid_as_view(cid);
    return cid_text(&view, view.codec == CID_CODEC_LIBP2P_KEY ? CID_BASE36 : CID_BASE_DEFAULT);
}

/* The hint, or nothing. */
static void say_hint(struct message *message, const struct subject *subject)
{
    bool leads = false;
    const char *likely = likely_text(subject->fault.likely, &leads);
    struct cid cid = {0}, v0 = {0};
    struct cid_view view;
    char *text;

    if (!likely)
        return;
    if (!leads || cid_suggest(&cid, subject->item.text, subject->item.len, NULL)) {
        size_t len = strlen(likely);
        say(message, "%.*s", (int)(leads ? strcspn(likely, ";") : len), likely);
        return;
    }
    text = suggested_text(&cid);
    if (!text || strlen(text) > HINT_LIMIT) {
        say(message, "%.*s", (int)strcspn(likely, ";"), likely);
        goto done;
    }
    say(message, "%s%s %s", likely, subject->fault.likely == CID_LIKELY_QUOTED ? ":" : "", text);
    view = cid_as_view(&cid);
    if (subject->fault.likely == CID_LIKELY_MULTIHASH && !cid_to_v0(&v0, &view, NULL)) {
        char *old;
        view = cid_as_view(&v0);
        old = cid_text(&view, CID_BASE_DEFAULT);
        if (old && strcmp(old, text) != 0)
            say(message, " = %s", old);
        free(old);
    }
done:
    free(text);
    cid_free(&v0, NULL);
    cid_free(&cid, NULL);
}

/* What could be decoded before the fault. */
static void say_decoded(struct message *message, const struct cid_fault *fault)
{
    char name[NAME_SIZE];
    const char *gap = "";

    if (fault->decoded & CID_DECODED_BASE) {
        say(message, "%s", base_info((enum cid_base)fault->base).name);
        gap = ", ";
    }
    if (fault->decoded & CID_DECODED_VERSION) {
        say(message, "%sversion %" PRIu64, gap, fault->version);
        gap = ", ";
    }
    if (fault->decoded & CID_DECODED_CODEC) {
        say(message, "%scodec %s", gap, codec_name(name, fault->codec));
        gap = ", ";
    }
    if (fault->decoded & CID_DECODED_HASH) {
        say(message, "%shash %s", gap, hash_name(name, fault->hash_code));
        gap = ", ";
    }
    if (fault->decoded & CID_DECODED_LENGTH)
        say(message, "%sdigest length %" PRIu64, gap, fault->digest_len);
}

/* ---- telling ------------------------------------------------------------------------------- */

static void put_label(struct output *err, const char *label)
{
    out_text(err, "  ");
    out_text(err, style_on(err, STYLE_LABEL));
    out_print(err, "%-9s", label);
    out_text(err, style_off(err));
    out_text(err, "  ");
}

/* The input with a mark under the place of the fault; of a long input only what is near. */
static void put_caret(struct output *err, const struct item *item, uint64_t offset)
{
    size_t at = offset < item->len ? (size_t)offset : item->len;
    bool whole = item->len <= 80;
    size_t from = whole || at <= 48 ? 0 : at - 48;
    size_t to = whole || item->len - at <= 24 ? item->len : at + 24;
    size_t indent;

    while (from > 0 && ((uint8_t)item->text[from] & 0xc0) == 0x80)
        from--;
    while (to < item->len && ((uint8_t)item->text[to] & 0xc0) == 0x80)
        to++;
    indent = text_width(item->text + from, at - from) + (from != 0 ? 4 : 0);
    put_label(err, "input");
    out_text(err, from != 0 ? "... " : "");
    text_put(err, item->text + from, to - from);
    out_text(err, to < item->len ? " ...\n" : "\n");
    put_label(err, "");
    out_repeat(err, ' ', indent);
    style_text(err, STYLE_BAD, "^");
    out_print(err, " byte %zu", at);
    if (text_count(item->text, at) != at)
        out_print(err, ", character %zu", text_count(item->text, at));
    out_text(err, " (from 0)\n");
}

static void put_start(struct output *err, const struct item *item)
{
    size_t len = item->len > 80 ? 80 : item->len;

    if (len == 0)
        return;
    while (len < item->len && ((uint8_t)item->text[len] & 0xc0) == 0x80)
        len++;
    put_label(err, "input");
    text_put(err, item->text, len);
    out_text(err, len < item->len || item->too_long ? " ...\n" : "\n");
}

static void complain_in_words(struct cli *cli, const struct subject *subject)
{
    const struct cid_fault *fault = &subject->fault;
    struct message reason = {.len = 0}, decoded = {.len = 0}, hint = {.len = 0};
    struct output *err = cli_message(cli);

    say_fault(&reason, subject);
    say_decoded(&decoded, fault);
    say_hint(&hint, subject);
    if (subject->item.line != 0)
        out_print(err, "line %" PRIu64 ": ", subject->item.line);
    out_text(err, cid_is_defined(&subject->cid) ? "" : "not a CID: ");
    text_put(err, reason.text, reason.len);
    out_char(err, '\n');
    if (fault->where == CID_WHERE_TEXT && !subject->item.too_long && subject->item.len != 0)
        put_caret(err, &subject->item, fault->offset);
    else
        put_start(err, &subject->item);
    if (fault->where == CID_WHERE_BYTES) {
        put_label(err, "place");
        out_print(err, "%s, byte %" PRIu64 " of the decoded bytes\n", cid_field_name(fault->field),
                  fault->offset);
    }
    if (decoded.len != 0) {
        put_label(err, "decoded");
        out_print(err, "%s\n", decoded.text);
    }
    if (hint.len != 0) {
        put_label(err, "hint");
        out_text(err, style_on(err, STYLE_NOTE));
        text_put(err, hint.text, hint.len);
        out_print(err, "%s\n", style_off(err));
    }
    cli_message_end(cli);
}

static void complain_in_json(struct cli *cli, const struct subject *subject)
{
    struct message message = {.len = 0}, hint = {.len = 0};

    say_fault(&message, subject);
    say_hint(&hint, subject);
    if (hint.len != 0)
        say(&message, "; %s", hint.text);
    cid_json_object_begin(&cli->json);
    json_input(&cli->json, &subject->item);
    cid_json_key(&cli->json, "ok");
    cid_json_bool(&cli->json, false);
    json_error(&cli->json, &subject->fault, message.text);
    cid_json_object_end(&cli->json);
    cli_json_line(cli);
}

void subject_complain(struct cli *cli, const struct subject *subject)
{
    bool machine = subject->error == CID_E_NOMEM || subject->error == CID_E_IO;

    cli_status(cli, machine ? STATUS_IO : STATUS_BAD);
    if (cli->as_json)
        complain_in_json(cli, subject);
    else
        complain_in_words(cli, subject);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

void json_input(struct cid_json *json, const struct item *item)
{
    cid_json_key(json, "input");
    cid_json_string(json, item->text, item->len);
    if (text_is_utf8(item->text, item->len))
        return;
    cid_json_key(json, "input_hex");
    cid_json_hex(json, (const uint8_t *)item->text, item->len);
}

void json_error(struct cid_json *json, const struct cid_fault *fault, const char *message)
{
    cid_json_key(json, "error");
    cid_json_object_begin(json);
    cid_json_key(json, "code");
    cid_json_text(json, cid_error_name(fault->code));
    cid_json_key(json, "message");
    cid_json_text(json, message ? message : cid_error_text(fault->code));
    cid_json_key(json, "field");
    cid_json_text(json, cid_field_name(fault->field));
    cid_json_key(json, "where");
    cid_json_text(json, cid_where_name(fault->where));
    cid_json_key(json, "offset");
    cid_json_u64(json, fault->offset);
    if (fault->need != 0 || fault->have != 0) {
        cid_json_key(json, "need");
        cid_json_u64(json, fault->need);
        cid_json_key(json, "have");
        cid_json_u64(json, fault->have);
    }
    cid_json_object_end(json);
}
