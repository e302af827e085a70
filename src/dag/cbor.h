/*
 * cbor.h - a pull reader for DAG-CBOR: one data item a call, in the order of the bytes, checked as
 * it is read. Specification: RFC 8949 and the DAG-CBOR codec of IPLD.
 *
 * It goes without recursion and without an allocator: containers that are open take one entry each
 * of an array that the caller gives, which is the limit of nesting at the same time. Counts and
 * lengths are compared with the bytes that are left before anything else is done with them.
 *
 * By default all is refused that DAG-CBOR refuses; flags let single things pass. Indefinite
 * lengths, reserved heads, keys that are no text, duplicate keys, text that is not UTF-8 and links
 * that are no CIDs are never let pass.
 */
#ifndef CID_DAG_CBOR_H
#define CID_DAG_CBOR_H

#include "base/span.h"

#include <cid/cid.h>

/* What may pass; as notes, what has been met. */
#define CID__CBOR_LONG_HEADS 0x01u  /* numbers and lengths longer than need be */
#define CID__CBOR_KEY_ORDER  0x02u  /* map keys in any order */
#define CID__CBOR_FLOATS     0x04u  /* NaN, infinities, floats of 16 and 32 bits */
#define CID__CBOR_SIMPLES    0x08u  /* simple values besides false, true and null */
#define CID__CBOR_TAGS       0x10u  /* tags besides 42 */
#define CID__CBOR_TEXTS      0x100u /* text that is not UTF-8; it is not noted */
/* Not looked for in maps that are not sorted: duplicate keys. The caller does that. */
#define CID__CBOR_NO_SEARCH 0x10000u

/* The limit of nesting by default. */
#define CID__CBOR_DEPTH 1024

enum cid__cbor_kind {
    CID__CBOR_UINT,  /* number */
    CID__CBOR_NINT,  /* -1 - number */
    CID__CBOR_BYTES, /* bytes, len */
    CID__CBOR_TEXT,  /* bytes, len */
    CID__CBOR_ARRAY, /* number of elements, which follow */
    CID__CBOR_MAP,   /* number of pairs, which follow: key, value, key, value, ... */
    CID__CBOR_LINK,  /* link; tag and byte string are one item */
    CID__CBOR_TAG,   /* number; one item follows. Under CID__CBOR_TAGS only */
    CID__CBOR_FLOAT, /* number: the bits as they stand, len of them in bytes (2, 4 or 8) */
    CID__CBOR_BOOL,  /* number: 0 or 1 */
    CID__CBOR_NULL,
    CID__CBOR_SIMPLE /* number. Under CID__CBOR_SIMPLES only */
};

/* A data item. It points into the input. */
struct cid__cbor_item {
    enum cid__cbor_kind kind;
    bool key;        /* whether it is a map key */
    bool json;       /* of dag/json.h: bytes are `number` characters as JSON writes them */
    size_t depth;    /* how many containers are around it */
    size_t offset;   /* of its first byte */
    uint64_t number; /* see above */
    const uint8_t *bytes;
    size_t len;
    struct cid_view link; /* CID__CBOR_LINK; else of no meaning */
};

/* A container that is open. */
struct cid__cbor_level {
    size_t left;      /* items still to come */
    size_t first_key; /* maps: offset of the first key */
    size_t max_key;   /* maps: offset of the highest key so far */
    uint8_t kind;     /* enum cid__cbor_kind: array, map or tag */
    bool value_next;  /* maps: a value comes next */
};

/* A reader. Set up by cid__cbor_init; the members are read-only from then on. */
struct cid__cbor {
    struct cid__span in;
    const uint8_t *start;
    struct cid__cbor_level *levels;
    size_t max_depth;
    size_t depth;  /* containers that are open */
    uint32_t pass; /* CID__CBOR_..., what may pass */
    uint32_t notes;
    uint32_t searches; /* items that may still be looked at in search of duplicate keys */
    bool started;
    bool bad_link; /* after a failure: the link itself is at fault, not the CBOR around it */
    size_t fault;  /* after a failure: the offset of what is wrong */
};

/* Sets up a reader of len bytes. levels has max_depth entries; both must outlive the reader. */
void cid__cbor_init(struct cid__cbor *cbor, const void *bytes, size_t len, uint32_t pass,
                    struct cid__cbor_level *levels, size_t max_depth);

/*
 * Reads the next item of the one data item, whole tree, that stands at the start. CID_END: it has
 * been read; cbor->in is behind it, and what is left there is the caller's business. A failure is
 * final; cbor->fault says where.
 *
 * CID_E_TRUNCATED, CID_E_CBOR_..., CID_E_DEPTH_LIMIT; CID_E_LINK_PREFIX and the errors of
 * cid_read_exact for a link, with cbor->bad_link set.
 * CID_E_CBOR_KEY_ORDER even if it may pass: a large map in such disorder that looking for duplicate
 * keys would take too long.
 */
enum cid_error cid__cbor_next(struct cid__cbor *cbor, struct cid__cbor_item *item);

/* Reads on until the item that was given last, container or not, is complete. */
enum cid_error cid__cbor_skip(struct cid__cbor *cbor, const struct cid__cbor_item *item);

/* Whether an item is that text. */
bool cid__cbor_is_text(const struct cid__cbor_item *item, const char *text);

#endif
