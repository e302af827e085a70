/*
 * common.h - what every layer of libcid shares: error codes, the description of a fault, the
 * allocator, and the small-buffer owner of bytes.
 *
 * Outputs never overlap inputs, in all of the library, a buffer to its full capacity: a debug build
 * stops at the call that breaks this.
 *
 * Threads: everything declared here is reentrant. There is no global state.
 */
#ifndef CID_COMMON_H
#define CID_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
/* Marks a function that the shared object exports. */
#define CID_API __attribute__((visibility("default")))
/* Marks a result that must not be dropped. */
#define CID_MUST_USE __attribute__((warn_unused_result))
#else
#define CID_API
#define CID_MUST_USE
#endif

/* The version of these headers. cid_version() gives that of the library at run time. */
#define CID_VERSION_MAJOR 0
#define CID_VERSION_MINOR 1
#define CID_VERSION_PATCH 0

/* "MAJOR.MINOR.PATCH" of the library in use; a static string. */
CID_API const char *cid_version(void);

/*
 * What a fallible function returns. CID_OK is success and CID_END is the regular end of a sequence;
 * all others are failures. The values are ABI: they are pinned, grouped with room for more, and
 * never reused. Where the fault lies is told by a struct cid_fault, never by this value.
 */
enum cid_error {
    CID_OK = 0,
    CID_END = 1,

    /* any layer */
    CID_E_NOMEM = 2,     /* the allocator gave nothing */
    CID_E_NOSPACE = 3,   /* the caller's buffer is too small; *written is the size needed */
    CID_E_ARGUMENT = 4,  /* the call itself is wrong (an undefined CID, an unknown enumerator) */
    CID_E_IO = 5,        /* reading or writing failed */
    CID_E_TOO_LARGE = 6, /* a size does not fit the machine's size_t */
    CID_E_NOT_FOUND = 7, /* no such name, code or item */
    CID_E_TRUNCATED = 8, /* the input ends too early */
    CID_E_TRAILING = 9,  /* bytes are left behind a whole item */

    /* varint */
    CID_E_VARINT_NOT_MINIMAL = 20, /* a shorter encoding of the same number exists */
    CID_E_VARINT_OVERFLOW = 21,    /* more than 9 bytes or 63 bits */

    /* multibase */
    CID_E_BASE_UNKNOWN = 30,  /* the prefix is not in the multibase table */
    CID_E_BASE_RESERVED = 31, /* the prefix is reserved and stands for no base */
    CID_E_BASE_CHAR = 32,     /* a character outside the base's alphabet */
    CID_E_BASE_LENGTH = 33,   /* no data encodes to that many characters */
    CID_E_BASE_PADDING = 34,  /* '=' missing, superfluous or misplaced */
    CID_E_BASE_BITS = 35,     /* the spare bits of the last character are not zero */
    CID_E_BASE_RANGE = 36,    /* a group of characters that stands for no bytes */
    CID_E_TEXT_EMPTY = 37,    /* no text at all */
    CID_E_TEXT_LIMIT = 38,    /* text longer than the limit in force */

    /* multihash and hashing */
    CID_E_HASH_UNKNOWN = 50,  /* a function that libcid has never heard of */
    CID_E_HASH_ABSENT = 51,   /* a known function that this build does not have */
    CID_E_DIGEST_LENGTH = 52, /* the function cannot make a digest of that length */
    CID_E_MISMATCH = 53,      /* the data is not what the digest says */
    CID_E_UNVERIFIABLE = 54,  /* nothing can be said about the data */

    /* CID */
    CID_E_CID_VERSION = 70,     /* no such version of CIDs */
    CID_E_CID_RESERVED = 71,    /* version 2 or 3, reserved by the specification */
    CID_E_CID_EXPLICIT_V0 = 72, /* version 0 written out */
    CID_E_V0_LENGTH = 73,       /* text that starts as a CIDv0 but has not 46 characters */
    CID_E_V0_IN_BASE = 74,      /* a CIDv0, or a bare multihash, inside multibase */
    CID_E_V0_BASE = 75,         /* a CIDv0 asked for in another base than base58btc */
    CID_E_V0_CODEC = 76,        /* only dag-pb can be a CIDv0 */
    CID_E_V0_HASH = 77,         /* only a sha2-256 digest of 32 bytes can be a CIDv0 */
    CID_E_LINK_PREFIX = 78,     /* a binary link does not start with the byte 00 */
    CID_E_NO_CID = 79,          /* no CID in that path or URL */
    CID_E_IDENTITY_LIMIT = 80,  /* an identity CID longer than the limit in force */

    /* the DASL / AT Protocol profile: which rule a CID breaks */
    CID_E_PROFILE_BASE = 90,    /* not lower-case base32 with prefix 'b' */
    CID_E_PROFILE_VERSION = 91, /* not version 1 */
    CID_E_PROFILE_CODEC = 92,   /* neither raw nor dag-cbor */
    CID_E_PROFILE_HASH = 93,    /* not sha2-256 */
    CID_E_PROFILE_LENGTH = 94,  /* not a digest of 32 bytes */

    /* DAG codecs */
    CID_E_CBOR_HEAD = 110,        /* a reserved or indefinite initial byte */
    CID_E_CBOR_NOT_MINIMAL = 111, /* an integer or length head longer than need be */
    CID_E_CBOR_KEY_TYPE = 112,    /* a map key that is no text string */
    CID_E_CBOR_KEY_ORDER = 113,   /* map keys not sorted */
    CID_E_CBOR_KEY_TWICE = 114,   /* the same map key twice */
    CID_E_CBOR_TAG = 115,         /* a tag other than 42, or 42 on something that is no link */
    CID_E_CBOR_UTF8 = 116,        /* a text string that is not UTF-8 */
    CID_E_CBOR_FLOAT = 117,       /* NaN, an infinity, or a short float */
    CID_E_CBOR_SIMPLE = 118,      /* a simple value other than false, true and null */
    CID_E_DEPTH_LIMIT = 119,      /* nested deeper than the limit in force */
    CID_E_JSON_SYNTAX = 120,      /* a character that cannot stand there in JSON */
    CID_E_JSON_STRING = 121,      /* a bare control character or an unknown escape in a string */
    CID_E_JSON_UTF8 = 122,        /* a string that is not UTF-8 */
    CID_E_JSON_SURROGATE = 123,   /* an escape that is half a surrogate pair */
    CID_E_JSON_NUMBER = 124,      /* a number as JSON does not write it */
    CID_E_JSON_RANGE = 125,       /* a number that does not fit its type */
    CID_E_JSON_SPELLING = 126,    /* white space, escapes or numbers that are not canonical */
    CID_E_JSON_KEY_ORDER = 127,   /* object keys not sorted by bytes */
    CID_E_JSON_KEY_TWICE = 128,   /* the same object key twice */
    CID_E_JSON_RESERVED = 129,    /* a first key "/" that makes neither a link nor bytes */
    CID_E_JSON_LINK_BASE = 130,   /* a link that is neither base58btc (v0) nor base32 (v1) */
    CID_E_PB_FIELD = 135,         /* a field or wire type that DAG-PB does not have */
    CID_E_PB_ORDER = 136,         /* a field repeated or out of order */
    CID_E_PB_NO_HASH = 137,       /* a link without a hash */
    CID_E_PB_UTF8 = 138,          /* the name of a link that is not UTF-8 */
    CID_E_PB_SHAPE = 139,         /* a value that is no DAG-PB node */
    CID_E_PB_LINK_ORDER = 140,    /* links not sorted by name, where a node is to be written */
    CID_E_DAG_CODEC = 145,        /* a codec whose blocks libcid does not read or write */
    CID_E_DAG_VALUE = 146,        /* a value that the codec asked for cannot hold */

    /* CAR */
    CID_E_CAR_EMPTY = 150,         /* an empty file */
    CID_E_CAR_KIND = 151,          /* some other kind of file */
    CID_E_CAR_VERSION = 152,       /* a CAR version that is neither 1 nor 2 */
    CID_E_HEADER_EMPTY = 153,      /* header length 0 */
    CID_E_HEADER_LIMIT = 154,      /* header longer than the limit in force */
    CID_E_HEADER_TYPE = 155,       /* the header or one of its values has the wrong CBOR type */
    CID_E_HEADER_NO_VERSION = 156, /* the header has no version */
    CID_E_HEADER_NO_ROOTS = 157,   /* the header has no "roots" */
    CID_E_HEADER_ROOT = 158,       /* a root that is no CID */
    CID_E_HEADER_STRICT = 159,     /* read by default, refused under strict */
    CID_E_V2_DATA_OFFSET = 160,    /* CARv2: the data cannot start there */
    CID_E_V2_DATA_SIZE = 161,      /* CARv2: the data cannot be that long */
    CID_E_V2_INDEX_OFFSET = 162,   /* CARv2: the index cannot start there */
    CID_E_V2_INNER = 163,          /* CARv2: the payload is no CARv1 */
    CID_E_SECTION_EMPTY = 164,     /* a section of length 0 (zero padding?) */
    CID_E_SECTION_LIMIT = 165,     /* a section longer than the limit in force */
    CID_E_SECTION_SHORT = 166,     /* a section shorter than its CID */
    CID_E_PADDING = 167,           /* something behind zero padding */

    /* CAR indexes */
    CID_E_INDEX_CODEC = 175,  /* an index of a kind that is not known */
    CID_E_INDEX_COUNT = 176,  /* a count that is negative, or more than the file has room for */
    CID_E_INDEX_WIDTH = 177,  /* entries too narrow for an offset */
    CID_E_INDEX_LENGTH = 178, /* entries that do not fill their bucket evenly */
    CID_E_INDEX_ORDER = 179,  /* codes, widths or entries out of order */
    CID_E_INDEX_TWICE = 180,  /* the same code or width twice */
    CID_E_INDEX_RANGE = 181,  /* an entry that points at no section of the payload */
    CID_E_INDEX_ENTRY = 182,  /* an entry that points at a block of another hash */
    CID_E_INDEX_ABSENT = 183, /* blocks are to be found, but there is no index */

    /* writing CARs */
    CID_E_ROOTS_ROOM = 190, /* the header does not take exactly the room reserved for it */
    CID_E_SEEK = 191,       /* the output cannot go back to fill in what was not known before */
    CID_E_DATA_SIZE = 192,  /* the payload is not as long as was announced */
    CID_E_OUTPUT_KIND = 193 /* something is there under that name that is no regular file */
};

/*
 * The code as it stands in JSON: the enumerator in lower case without CID_E_ ("base_char"), "ok"
 * and "end" for the two that are no failures, "unknown" for a value that is no enumerator. A static
 * string.
 */
CID_API const char *cid_error_name(enum cid_error error);

/* One English sentence without capital and full stop, for people. A static string. */
CID_API const char *cid_error_text(enum cid_error error);

/* The part of the input that a fault lies in. */
enum cid_field {
    CID_FIELD_NONE = 0,
    CID_FIELD_BASE,
    CID_FIELD_VERSION,
    CID_FIELD_CODEC,
    CID_FIELD_HASH,
    CID_FIELD_LENGTH,
    CID_FIELD_DIGEST,
    CID_FIELD_TRAILING,
    CID_FIELD_HEADER,
    CID_FIELD_ROOT,
    CID_FIELD_SECTION,
    CID_FIELD_DATA,
    CID_FIELD_INDEX,
    CID_FIELD_ENTRY,
    CID_FIELD_ITEM
};

/* What the offset of a fault counts in. */
enum cid_where {
    CID_WHERE_NONE = 0,
    CID_WHERE_TEXT,  /* bytes of the text as given */
    CID_WHERE_BYTES, /* decoded bytes */
    CID_WHERE_FILE   /* bytes of the archive */
};

/* What a bad text probably is. */
enum cid_likely {
    CID_LIKELY_NOTHING = 0,
    CID_LIKELY_V0_LOWERED, /* a CIDv0 whose capitals are lost; it cannot be restored */
    CID_LIKELY_MULTIHASH,  /* a bare sha2-256 multihash, as block stores name their files */
    CID_LIKELY_PEER_ID,    /* a libp2p PeerID in base58 */
    CID_LIKELY_HEX_DIGEST, /* 64 hexadecimal digits: a SHA-256 digest */
    CID_LIKELY_PATH,       /* a path or URL; cid_find takes those */
    CID_LIKELY_QUOTED,     /* a CID with blanks, line ends or quotes around it */
    CID_LIKELY_V0_CUT,     /* a CIDv0 with characters missing or added */
    CID_LIKELY_CUT         /* a CID that ends too early */
};

/* Which members of a fault's decoded part are set. */
#define CID_DECODED_BASE    0x01u
#define CID_DECODED_VERSION 0x02u
#define CID_DECODED_CODEC   0x04u
#define CID_DECODED_HASH    0x08u
#define CID_DECODED_LENGTH  0x10u

/*
 * A fault: what is wrong, in which part, and where. size is set by the caller before the call, to 0
 * or to sizeof(struct cid_fault); all else is the library's.
 */
struct cid_fault {
    size_t size;
    enum cid_error code;
    enum cid_field field;
    enum cid_where where;
    uint64_t offset; /* of the first byte at fault, or where the missing one was expected */
    uint64_t need;   /* a quantity that was needed, or the value in force of a limit; else 0 */
    uint64_t have;   /* what there was in its place */
    /* what could be decoded before the fault, for CIDs */
    enum cid_likely likely;
    uint32_t decoded; /* CID_DECODED_… of the members below */
    uint32_t base;    /* enum cid_base */
    uint64_t version; /* as read, whether there is such a version or not */
    uint64_t codec;
    uint64_t hash_code;
    uint64_t digest_len; /* as declared */
};

/* "base", "version", … as they stand in JSON; "" for CID_FIELD_NONE. A static string. */
CID_API const char *cid_field_name(enum cid_field field);

/* "text", "bytes", "file"; "" for CID_WHERE_NONE. A static string. */
CID_API const char *cid_where_name(enum cid_where where);

/*
 * Where memory comes from. alloc returns NULL when there is none, else memory that is aligned for
 * any object; free gets the size that alloc was asked for. Both get ctx. A NULL allocator means
 * malloc and free. The same allocator must be given to the call that makes and to the call that
 * frees. Threads: whatever the two functions allow.
 */
struct cid_allocator {
    void *(*alloc)(void *ctx, size_t size);
    void (*free)(void *ctx, void *ptr, size_t size);
    void *ctx;
};

/* The number of bytes that an owner holds without allocating. docs/design.md has the figures. */
#define CID_SMALL 80

/*
 * An owner of len bytes: in place when len <= CID_SMALL, else in one heap block of exactly len
 * bytes. It has no pointer into itself, so it may be moved with memcpy, kept in arrays and returned
 * by value. All-zero is empty and owns nothing. Assigning it moves it: free only one of the two.
 */
struct cid_bytes {
    size_t len;
    union {
        uint8_t small[CID_SMALL];
        uint8_t *heap;
    } u;
};

/* The bytes of an owner. They live as long as the owner is neither moved nor freed. */
static inline const uint8_t *cid_bytes_of(const struct cid_bytes *bytes)
{
    return bytes->len <= CID_SMALL ? bytes->u.small : bytes->u.heap;
}

/* cid_bytes_of as a function, for bindings. */
CID_API const uint8_t *cid_bytes_data(const struct cid_bytes *bytes);

/* Releases what the owner holds and leaves it empty. NULL and an empty owner are allowed. */
CID_API void cid_bytes_free(struct cid_bytes *bytes, const struct cid_allocator *alloc);

#ifdef __cplusplus
}
#endif

#endif
