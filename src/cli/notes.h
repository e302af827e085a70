/*
 * notes.h - what is worth knowing about a CID besides its fields. A note has a short name, which
 * is stable and stands in JSON, and a sentence.
 */
#ifndef CID_CLI_NOTES_H
#define CID_CLI_NOTES_H

#include "subject.h"

enum note {
    NOTE_NOT_CANONICAL,
    NOTE_CODEC_PRIVATE,
    NOTE_CODEC_UNKNOWN,
    NOTE_HASH_PRIVATE,
    NOTE_HASH_UNKNOWN,
    NOTE_HASH_ABSENT,
    NOTE_HASH_WEAK,
    NOTE_IDENTITY,
    NOTE_DIGEST_TRUNCATED,
    NOTE_DIGEST_SHORT,
    NOTE_DIGEST_OVERLONG,
    NOTE_DAG_PB,
    NOTE_SHA256SUM,
    NOTE_LIBP2P_KEY,
    NOTE_COMMITMENT,
    NOTE_CAR,
    NOTE_DNS_LABEL,
    NOTE_COUNT
};

struct notes {
    enum note list[NOTE_COUNT];
    size_t count;
};

/* All that apply, in the order above. */
void notes_of(struct notes *notes, const struct subject *subject);

const char *note_name(enum note note);
const char *note_text(enum note note);

/* Whether the text is the one that the CID prints as by itself, or base36 for a libp2p key. */
bool is_canonical(const struct subject *subject);

/* How a digest's length compares with its function; "full length", "20 of 32 bytes", … */
const char *length_text(char buf[64], const struct cid_multihash_view *hash);

#endif
