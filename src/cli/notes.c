#include "notes.h"
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest label of a host name. */
#define DNS_LABEL_LIMIT 63

static const struct {
    const char *name;
    const char *text;
} table[NOTE_COUNT] = {
    [NOTE_NOT_CANONICAL] = {"not_canonical", "this is not how the CID is usually written"},
    [NOTE_CODEC_PRIVATE] = {"codec_private", "the codec is from the range for private use"},
    [NOTE_CODEC_UNKNOWN] = {"codec_unknown", "the codec is not in the multicodec table"},
    [NOTE_HASH_PRIVATE] = {"hash_private", "the hash function is from the range for private use"},
    [NOTE_HASH_UNKNOWN] = {"hash_unknown", "the hash code is no known hash function"},
    [NOTE_HASH_ABSENT] = {"hash_absent", "blocks cannot be checked: this build does not have the "
                                         "hash function"},
    [NOTE_HASH_WEAK] = {"hash_not_cryptographic", "the hash function is not cryptographic: "
                                                  "the digest proves nothing"},
    [NOTE_IDENTITY] = {"identity", "the CID holds the block itself"},
    [NOTE_DIGEST_TRUNCATED] = {"digest_truncated", "the digest is cut; it is compared by its "
                                                   "prefix, and the DASL profile refuses it"},
    [NOTE_DIGEST_SHORT] = {"digest_short", "a digest under 20 bytes is too short to prove "
                                           "anything"},
    [NOTE_DIGEST_OVERLONG] = {"digest_overlong", "the digest is longer than the function makes: "
                                                 "no block can match it"},
    [NOTE_DAG_PB] = {"dag_pb_node", "the digest is of the dag-pb node, not of the file in it; "
                                    "sha256sum of the file differs"},
    [NOTE_SHA256SUM] = {"sha256sum", "the digest equals sha256sum of the block bytes"},
    [NOTE_LIBP2P_KEY] = {"libp2p_key", "this names a libp2p key or peer, not content"},
    [NOTE_COMMITMENT] = {"piece_commitment", "a Filecoin commitment: it cannot be checked by "
                                             "hashing the data"},
    [NOTE_CAR] = {"car_file", "this is the CID of a CAR file"},
    [NOTE_DNS_LABEL] = {"dns_label_long", "in base32 the CID is too long for a label of a host "
                                          "name, which may have 63 characters"},
};

const char *note_name(enum note note)
{
    return table[note].name;
}

const char *note_text(enum note note)
{
    return table[note].text;
}

bool is_canonical(const struct subject *subject)
{
    enum cid_base base = subject->view.codec == CID_CODEC_LIBP2P_KEY && subject->base == CID_BASE36
                             ? CID_BASE36
                             : CID_BASE_DEFAULT;
    char *text = cid_text(&subject->view, base);
    bool same = text && strlen(text) == subject->text_len &&
                memcmp(text, subject->text, subject->text_len) == 0;
    free(text);
    return same;
}

static void add(struct notes *notes, bool applies, enum note note)
{
    if (applies)
        notes->list[notes->count++] = note;
}

static void add_hash(struct notes *notes, const struct cid_multihash_view *hash)
{
    struct cid_hash_info info;
    bool private = cid_multicodec_is_private(hash->code);
    bool identity = hash->code == CID_HASH_IDENTITY;

    if (cid_hash_by_code(&info, hash->code)) {
        add(notes, private, NOTE_HASH_PRIVATE);
        add(notes, !private, NOTE_HASH_UNKNOWN);
        return;
    }
    add(notes, !info.available, NOTE_HASH_ABSENT);
    add(notes, !info.cryptographic && !identity, NOTE_HASH_WEAK);
    add(notes, identity, NOTE_IDENTITY);
    add(notes, !identity && hash->digest_len < info.min_len, NOTE_DIGEST_TRUNCATED);
    add(notes, !identity && hash->digest_len < CID_DIGEST_MIN, NOTE_DIGEST_SHORT);
    add(notes, hash->digest_len > info.max_len, NOTE_DIGEST_OVERLONG);
}

static void add_codec(struct notes *notes, uint64_t codec)
{
    bool private = cid_multicodec_is_private(codec);

    add(notes, private, NOTE_CODEC_PRIVATE);
    add(notes, !private && !codec_known(codec), NOTE_CODEC_UNKNOWN);
}

void notes_of(struct notes *notes, const struct subject *subject)
{
    const struct cid_view *view = &subject->view;
    const struct cid_multihash_view *hash = &view->hash;
    size_t size = 0;

    notes->count = 0;
    add(notes, !is_canonical(subject), NOTE_NOT_CANONICAL);
    add_codec(notes, view->codec);
    add_hash(notes, hash);
    add(notes, view->codec == CID_CODEC_DAG_PB, NOTE_DAG_PB);
    add(notes,
        view->codec == CID_CODEC_RAW && hash->code == CID_HASH_SHA2_256 && hash->digest_len == 32,
        NOTE_SHA256SUM);
    add(notes, view->codec == CID_CODEC_LIBP2P_KEY, NOTE_LIBP2P_KEY);
    add(notes,
        view->codec == CID_CODEC_FIL_COMMITMENT_UNSEALED ||
            view->codec == CID_CODEC_FIL_COMMITMENT_SEALED,
        NOTE_COMMITMENT);
    add(notes, view->codec == CID_CODEC_CAR, NOTE_CAR);
    add(notes,
        view->version == 1 && !cid_text_size(&size, view, CID_BASE32) && size > DNS_LABEL_LIMIT,
        NOTE_DNS_LABEL);
}

const char *length_text(char buf[64], const struct cid_multihash_view *hash)
{
    struct cid_hash_info info;

    if (hash->code == CID_HASH_IDENTITY || cid_hash_by_code(&info, hash->code))
        return NULL;
    if (hash->digest_len > info.max_len)
        snprintf(buf, 64, "longer than %s makes (%zu)", info.name, info.max_len);
    else if (hash->digest_len < info.min_len)
        snprintf(buf, 64, "%zu of %zu bytes, truncated", hash->digest_len, info.min_len);
    else if (hash->digest_len == info.default_len)
        snprintf(buf, 64, "full length");
    else
        snprintf(buf, 64, "the default is %zu bytes", info.default_len);
    return buf;
}
