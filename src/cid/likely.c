#include "cid/likely.h"

#include "cid/binary.h"
#include "cid/find.h"
#include "cid/text.h"

#include <string.h>

#define HEX_DIGEST_CHARS    64
#define HEX_MULTIHASH_CHARS 68 /* 1220 and the digest */
#define MULTIHASH_MAX       (2 * CID_SMALL)
/* PeerIDs are 46 to 53 characters, and no base58 text that long is much shorter in bytes. */
#define PEER_ID_CHARS_MIN 40
#define PEER_ID_CHARS_MAX 80

static bool all_hex(const char *text, size_t len)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    for (size_t i = 0; i < len; i++)
        if (text[i] == '\0' || !strchr(digits, text[i]))
            return false;
    return true;
}

static bool all_lower_alnum(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!(text[i] >= 'a' && text[i] <= 'z') && !(text[i] >= '0' && text[i] <= '9'))
            return false;
    return true;
}

/* Decodes a text in a base without its prefix. */
static bool decode(uint8_t *out, size_t cap, size_t *written, const char *text, size_t len,
                   enum cid_base base)
{
    return cid_base_decode(out, cap, written, text, len, base, NULL) == CID_OK;
}

/* Reads a bare sha2-256 multihash, in any multibase or in plain hexadecimal. */
static bool bare_multihash(struct cid_multihash_view *out, uint8_t *bytes, size_t cap,
                           const char *text, size_t len)
{
    enum cid_base base;
    size_t written = 0;
    bool plain = len == HEX_MULTIHASH_CHARS && all_hex(text, len) && memcmp(text, "1220", 4) == 0;

    if (!(plain && decode(bytes, cap, &written, text, len, CID_BASE16)) &&
        cid_multibase_decode(bytes, cap, &written, &base, text, len, NULL) != CID_OK)
        return false;
    return cid_multihash_read_exact(out, bytes, written) == CID_OK &&
           out->code == CID_HASH_SHA2_256 && out->digest_len == 32;
}

/* Reads a PeerID that holds its key: base58btc of an identity multihash of a protobuf key. */
static bool peer_id(struct cid_multihash_view *out, uint8_t *bytes, size_t cap, const char *text,
                    size_t len)
{
    size_t written = 0;
    return len >= PEER_ID_CHARS_MIN && len <= PEER_ID_CHARS_MAX && text[0] == '1' &&
           decode(bytes, cap, &written, text, len, CID_BASE58_BTC) &&
           cid_multihash_read_exact(out, bytes, written) == CID_OK &&
           out->code == CID_HASH_IDENTITY && out->digest_len > 4 && out->digest[0] == 0x08;
}

static bool is_trimmable(char c)
{
    return c == '\0' || strchr(" \t\r\n\"'<>,;()[]", c) != NULL;
}

/* Takes blanks, quotes, line ends, NUL and a byte order mark from both ends; false if none. */
static bool trim(const char **text, size_t *len)
{
    size_t before = *len;

    if (*len >= 3 && memcmp(*text, "\xef\xbb\xbf", 3) == 0) {
        *text += 3;
        *len -= 3;
    }
    while (*len != 0 && is_trimmable((*text)[0])) {
        ++*text;
        --*len;
    }
    while (*len != 0 && is_trimmable((*text)[*len - 1]))
        --*len;
    return *len != before;
}

static bool is_cid(const char *text, size_t len)
{
    struct cid__scratch scratch;
    return cid__text_to_scratch(&scratch, text, len) == CID_OK;
}

enum cid_likely cid__likely(const struct cid_fault *fault, const char *text, size_t text_len)
{
    uint8_t bytes[MULTIHASH_MAX];
    struct cid_multihash_view hash;
    struct cid_found found;
    const char *inner = text;
    size_t inner_len = text_len;

    if (text_len == 0 || text_len > CID_TEXT_LIMIT)
        return CID_LIKELY_NOTHING;
    if (text_len == HEX_DIGEST_CHARS && all_hex(text, text_len))
        return CID_LIKELY_HEX_DIGEST;
    if (bare_multihash(&hash, bytes, sizeof bytes, text, text_len))
        return CID_LIKELY_MULTIHASH;
    if (peer_id(&hash, bytes, sizeof bytes, text, text_len))
        return CID_LIKELY_PEER_ID;
    if (text_len == CID__V0_CHARS && memcmp(text, "qm", 2) == 0 && all_lower_alnum(text, text_len))
        return CID_LIKELY_V0_LOWERED;
    if (trim(&inner, &inner_len) && is_cid(inner, inner_len))
        return CID_LIKELY_QUOTED;
    if (cid__locate(&found, text, text_len) == CID_OK && found.cid_len < text_len &&
        is_cid(text + found.cid_at, found.cid_len))
        return CID_LIKELY_PATH;
    if (fault->code == CID_E_V0_LENGTH)
        return CID_LIKELY_V0_CUT;
    if (fault->have < fault->need) /* digest bytes */
        return CID_LIKELY_CUT;
    return CID_LIKELY_NOTHING;
}

/* The CIDv1 of a multihash. */
static enum cid_error of_hash(struct cid *out, uint64_t codec,
                              const struct cid_multihash_view *hash,
                              const struct cid_allocator *alloc)
{
    return cid_make_v1(out, codec, hash->code, hash->digest, hash->digest_len, alloc);
}

enum cid_error cid_suggest(struct cid *out, const char *text, size_t text_len,
                           const struct cid_allocator *alloc)
{
    uint8_t bytes[MULTIHASH_MAX];
    struct cid_multihash_view hash = {CID_HASH_SHA2_256, bytes, 32};
    struct cid_fault fault = {0};
    size_t written = 0;

    memset(out, 0, sizeof *out);
    cid_diagnose(&fault, text, text_len);
    switch (fault.likely) {
    case CID_LIKELY_MULTIHASH:
        if (bare_multihash(&hash, bytes, sizeof bytes, text, text_len))
            return of_hash(out, CID_CODEC_DAG_PB, &hash, alloc);
        break;
    case CID_LIKELY_PEER_ID:
        if (peer_id(&hash, bytes, sizeof bytes, text, text_len))
            return of_hash(out, CID_CODEC_LIBP2P_KEY, &hash, alloc);
        break;
    case CID_LIKELY_HEX_DIGEST:
        if (decode(bytes, sizeof bytes, &written, text, text_len, CID_BASE16))
            return of_hash(out, CID_CODEC_RAW, &hash, alloc);
        break;
    case CID_LIKELY_PATH:
        return cid_find(out, NULL, text, text_len, alloc);
    case CID_LIKELY_QUOTED:
        (void)trim(&text, &text_len);
        return cid_parse(out, text, text_len, alloc);
    case CID_LIKELY_NOTHING:
    case CID_LIKELY_V0_LOWERED:
    case CID_LIKELY_V0_CUT:
    case CID_LIKELY_CUT:
        break;
    }
    return CID_E_NOT_FOUND;
}
