/*
 * car.h - CAR archives: a reader that goes through the blocks of a CARv1, or of the payload of a
 * CARv2, once, in file order. Specification: ipld/specs CARv1 and CARv2.
 *
 * The reader works over memory (blocks point into it, nothing is copied), over a descriptor, or
 * over a function; the latter two through one buffer that is reused. Every block is checked against
 * its CID unless told otherwise. Nothing is ever allocated from a length that the input declares.
 *
 * Threads: a reader belongs to one thread at a time.
 */
#ifndef CID_CAR_H
#define CID_CAR_H

#include <cid/cid.h>
#include <cid/common.h>
#include <cid/hash.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Limits in bytes that hold by default. */
#define CID_CAR_HEADER_LIMIT  (UINT64_C(32) << 20)
#define CID_CAR_SECTION_LIMIT (UINT64_C(8) << 20)

/* Options; all-zero is the safe default. */
struct cid_car_options {
    size_t size;            /* 0 or sizeof(struct cid_car_options) */
    uint64_t header_limit;  /* the longest header; 0 is CID_CAR_HEADER_LIMIT */
    uint64_t section_limit; /* the longest section, CID included; 0 is CID_CAR_SECTION_LIMIT */
    bool skip_verify;       /* hash nothing: every verdict is CID_UNCHECKED */
    bool pass_unverifiable; /* CID_OK for blocks that cannot be checked */
    bool allow_padding;     /* zero bytes up to the end of the payload are padding */
    bool strict;            /* refuse what the specs only discourage: CID_E_HEADER_STRICT */
    const struct cid_hash_options *hash; /* must outlive the reader; may be NULL */
    uint64_t identity_limit; /* the longest digest of an identity CID; 0 is no limit of its own */
};

/*
 * Where bytes come from. read puts up to cap bytes into buf and says how many in *got. CID_OK with
 * *got == 0 is nothing yet and asked again, 100 times, then CID_E_IO. CID_END is the end, after
 * what *got says, if it is not 0. Any other value ends reading and is handed on.
 */
struct cid_source {
    enum cid_error (*read)(void *ctx, void *buf, size_t cap, size_t *got);
    void *ctx;
};

/* A block. It lives until the next call on its reader; over memory as long as the memory. */
struct cid_car_block {
    struct cid_view cid;
    const uint8_t *data;
    size_t data_len;
    uint64_t number;             /* from 0, in file order */
    uint64_t section_in_payload; /* offset of the section from the start of the CARv1 payload */
    uint64_t section_in_file;    /* offset of the section from the start of the file */
    uint64_t section_len;        /* of the section, its length prefix included */
    enum cid_verdict verdict;
    uint64_t reserved[2];
};

/* What was read and is allowed, yet not as the specs want it. */
#define CID_CAR_NOTE_KEY_ORDER   0x01u /* header keys not in DAG-CBOR order */
#define CID_CAR_NOTE_EXTRA_KEYS  0x02u /* header keys besides "version" and "roots" */
#define CID_CAR_NOTE_NOT_MINIMAL 0x04u /* over-long CBOR heads in the header */
#define CID_CAR_NOTE_NO_ROOTS    0x08u /* an empty list of roots */
#define CID_CAR_NOTE_V2_BITS     0x10u /* unknown bits in the CARv2 characteristics */
#define CID_CAR_NOTE_V2_NO_INDEX 0x20u /* fully indexed, it says, but there is no index */

/* What the head of an archive says. Offsets and lengths in bytes. */
struct cid_car_info {
    size_t size;
    uint64_t version;       /* 1 or 2 */
    uint64_t header_offset; /* of the CARv1 header's length prefix, in the file */
    uint64_t header_len;    /* of the CARv1 header, its length prefix included */
    size_t root_count;
    uint32_t notes;              /* CID_CAR_NOTE_… */
    uint8_t characteristics[16]; /* the CARv2 fields; zero for a CARv1 */
    uint64_t data_offset;
    uint64_t data_size;
    uint64_t index_offset;
    uint64_t padding_len; /* zero bytes behind the last section; known at the end */
    uint64_t payload_len; /* of the CARv1 payload as far as read, padding included */
    uint64_t file_len;    /* of the whole file; known at the end, and from the start in memory */
    uint64_t index_codec; /* of the CARv2 index; known at the end; 0 if there is none */
};

struct cid_car_reader;

/*
 * Opens a reader over len bytes of memory, which must outlive it, and reads the header. *out is
 * NULL on failure; then fault (may be NULL) tells what is wrong where. The allocator is copied.
 *
 * What a CARv2 says of itself is held against the end of the file when reading gets there, as a
 * pipe allows nothing else: only a payload that starts behind the end is refused at once.
 *
 * CID_E_CAR_EMPTY, CID_E_CAR_KIND, CID_E_CAR_VERSION, CID_E_TRUNCATED, CID_E_VARINT_…,
 * CID_E_HEADER_…, CID_E_CBOR_…, CID_E_DEPTH_LIMIT, CID_E_V2_…, CID_E_NOMEM. CID_E_TRAILING: bytes
 * are left in the header. Those of a link, for links besides the roots.
 */
CID_API CID_MUST_USE enum cid_error cid_car_reader_open(struct cid_car_reader **out,
                                                        const void *data, size_t len,
                                                        const struct cid_car_options *options,
                                                        struct cid_fault *fault,
                                                        const struct cid_allocator *alloc);

/* The same over a source, which is copied. What the source's failure is, is handed on. */
CID_API CID_MUST_USE enum cid_error cid_car_reader_open_source(
    struct cid_car_reader **out, const struct cid_source *source,
    const struct cid_car_options *options, struct cid_fault *fault,
    const struct cid_allocator *alloc);

/*
 * The same over a descriptor, read from its current position on, which counts as the start of the
 * file. Pipes will do. The descriptor stays the caller's. CID_E_IO: read(2) failed; errno says why.
 */
CID_API CID_MUST_USE enum cid_error cid_car_reader_open_fd(struct cid_car_reader **out, int fd,
                                                           const struct cid_car_options *options,
                                                           struct cid_fault *fault,
                                                           const struct cid_allocator *alloc);

/* What the head says, and, at the end, the tail. Lives as long as the reader. */
CID_API const struct cid_car_info *cid_car_reader_info(const struct cid_car_reader *reader);

/* Root number i, which lives as long as the reader. CID_E_NOT_FOUND: i is not below root_count. */
CID_API CID_MUST_USE enum cid_error cid_car_reader_root(struct cid_view *out,
                                                        const struct cid_car_reader *reader,
                                                        size_t i);

/* The header as it stands in the file, without its length prefix. Lives as long as the reader. */
CID_API const uint8_t *cid_car_reader_header(const struct cid_car_reader *reader, size_t *len);

/*
 * The next block.
 *
 * CID_OK: a good block, or one that was not to be checked. CID_END: all blocks have been read.
 * CID_E_MISMATCH, CID_E_UNVERIFIABLE: out is filled, to be looked at and not trusted; reading can
 * go on. All other failures are final and returned by every later call: CID_E_TRUNCATED,
 * CID_E_VARINT_…, CID_E_SECTION_…, CID_E_PADDING, those of cid_read, CID_E_IDENTITY_LIMIT,
 * CID_E_V2_INDEX_OFFSET (the file ends before the index starts), CID_E_NOMEM, CID_E_IO, and what
 * the source returned.
 */
CID_API CID_MUST_USE enum cid_error cid_car_reader_next(struct cid_car_reader *reader,
                                                        struct cid_car_block *out);

/* The last failure of the reader; code is CID_OK if there was none. Lives as long as the reader. */
CID_API const struct cid_fault *cid_car_reader_fault(const struct cid_car_reader *reader);

/* Frees the reader. NULL is allowed. */
CID_API void cid_car_reader_close(struct cid_car_reader *reader);

/*
 * What kind of file starts with these bytes, when it is no CAR: "JSON", "HTML", "gzip", "zstd",
 * "UTF-16 text (a shell redirection?)", "a CBOR block", …; NULL when there is no idea. A static
 * string.
 */
CID_API const char *cid_car_guess(const uint8_t *bytes, size_t len);

#ifdef __cplusplus
}
#endif

#endif
