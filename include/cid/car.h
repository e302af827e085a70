/*
 * car.h - CAR archives. Specification: ipld/specs CARv1 and CARv2.
 *
 *   struct cid_car_reader   goes through the blocks of a CARv1, or of the payload of a CARv2, once,
 *                           in file order;
 *   struct cid_car_index    says where the block of a multihash is;
 *   struct cid_car          is an open archive, whose blocks are got by their CIDs;
 *   struct cid_car_writer   writes a CARv1 or CARv2.
 *
 * The reader works over memory (blocks point into it, nothing is copied), over a descriptor, or
 * over a function; the latter two through one buffer that is reused. Every block is checked against
 * its CID unless told otherwise. Nothing is ever allocated from a length that the input declares.
 *
 * cid_car_verify reads a whole archive with several threads of its own.
 *
 * Threads: a reader, an indexer, a writer and an output belong to one thread at a time. An open
 * index and an open archive never change, and any number of threads may use them at once.
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
    bool skip_data;          /* data of blocks is not wanted: it is NULL, and skip_verify holds */
};

/*
 * Where bytes come from. read puts up to cap bytes into buf and says how many in *got. CID_OK with
 * *got == 0 is nothing yet and asked again, 100 times, then CID_E_IO. CID_END is the end, after
 * what *got says, if it is not 0. Any other value ends reading and is handed on.
 *
 * skip, which may be NULL, goes forward by up to n bytes, n > 0, which read then does not give, and
 * says by how many in *skipped, 0 before the call: never behind the end, and fewer where it is not
 * sure that there are so many. It is asked where more than 64 KiB are not wanted; after CID_OK with
 * 0 it is not asked again, and they are read. Any other value ends reading and is handed on.
 */
struct cid_source {
    enum cid_error (*read)(void *ctx, void *buf, size_t cap, size_t *got);
    void *ctx;
    enum cid_error (*skip)(void *ctx, uint64_t n, uint64_t *skipped);
};

/* A block. It lives until the next call on its reader; over memory as long as the memory. */
struct cid_car_block {
    struct cid_view cid;
    const uint8_t *data; /* NULL under skip_data */
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
 * What is not wanted of a regular file is passed by lseek(2).
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

/* ---- whole archives ------------------------------------------------------------------------- */

/* The most threads that are used. */
#define CID_CAR_WORKERS_MAX 64

/* How an archive is verified; all-zero is one thread, and nothing told but the sums. */
struct cid_car_verify_options {
    size_t size;      /* 0 or sizeof(struct cid_car_verify_options) */
    unsigned workers; /* threads that hash, the calling one among them; 0 is 1 */
    /*
     * Gets each block, in file order, in the calling thread; may be NULL. error is what
     * cid_car_reader_next would have returned: CID_OK, CID_E_MISMATCH or CID_E_UNVERIFIABLE. The
     * block lives until block returns. It may ask the reader for its info, roots, header and fault.
     * Anything but CID_OK, CID_END aside, ends all work and is handed on.
     */
    enum cid_error (*block)(void *ctx, const struct cid_car_block *block, enum cid_error error);
    void *ctx;
};

/* What came out: numbers of blocks, and the bytes of their data. */
struct cid_car_verdicts {
    uint64_t blocks;
    uint64_t good;
    uint64_t mismatches;
    uint64_t unverifiable;
    uint64_t data_len;
};

/*
 * Reads the blocks of an open reader, from the next one to the last, and verifies them with several
 * threads. Blocks, verdicts, result and what the reader tells afterwards are the same whatever the
 * number of threads; threads or memory for them that cannot be had make it slower and nothing else.
 * The reader's source and allocator are used by the calling thread only; the hash functions of its
 * options by all of them at once. A reader that verifies nothing is read by the calling thread
 * alone.
 *
 * With n > 1 threads there are, over a source, at most n + 2 buffers, each of half a MiB, or of 16
 * blocks and at most 12 MiB where they are large, or of twice a section where that is more still;
 * and everywhere n times 256 KiB, and as much again for the stack of each thread. Nothing grows
 * with the length of the archive.
 *
 * out (may be NULL) is filled whatever the result. options may be NULL. Afterwards the reader gives
 * no more blocks.
 *
 * CID_OK: the archive has been read to its end, and all is good. Else the worst that was found:
 * what ended the reading, as in cid_car_reader_next, or CID_E_MISMATCH, or CID_E_UNVERIFIABLE.
 */
CID_API CID_MUST_USE enum cid_error cid_car_verify(struct cid_car_verdicts *out,
                                                   struct cid_car_reader *reader,
                                                   const struct cid_car_verify_options *options);

/*
 * What kind of file starts with these bytes, when it is no CAR: "JSON", "HTML", "gzip", "zstd",
 * "UTF-16 text (a shell redirection?)", "a CBOR block", …; NULL when there is no idea. A static
 * string.
 */
CID_API const char *cid_car_guess(const uint8_t *bytes, size_t len);

/* ---- files and sinks ---------------------------------------------------------------------- */

/*
 * A file that is read at any place. read puts exactly len bytes, len > 0, from that offset on into
 * buf; it is never asked for what lies behind len. What it returns if it cannot is handed on. It is
 * called by as many threads at once as use the archive or the index.
 */
struct cid_file {
    enum cid_error (*read)(void *ctx, void *buf, size_t len, uint64_t offset);
    void *ctx;
    uint64_t len; /* of the file */
};

/*
 * The file behind a descriptor, read with pread(2) from its start: where the descriptor stands does
 * not matter and does not change. It stays the caller's and must outlive the use of *out, and the
 * file must keep its length. CID_E_IO: it is a pipe, or else errno says why.
 */
CID_API CID_MUST_USE enum cid_error cid_file_of_fd(struct cid_file *out, int fd);

/*
 * Where bytes go. write appends all len bytes, len > 0. patch, which may be NULL, overwrites bytes
 * that have been written, counted from the first one that write was given. What they return if they
 * cannot is handed on, and nothing is written afterwards.
 */
struct cid_sink {
    enum cid_error (*write)(void *ctx, const void *data, size_t len);
    enum cid_error (*patch)(void *ctx, const void *data, size_t len, uint64_t offset);
    void *ctx;
};

struct cid_output;

/*
 * Opens a file that gets its name when it is whole. Until then it lies in the same directory, under
 * that name with ".PROCESS-NUMBER.part" behind; cid_output_commit makes sure that it is on the disk
 * and puts it in the place of what has the name. Should anything go wrong, what had the name is as
 * it was. A name that is a symbolic link is replaced, not what it points at. path is copied.
 *
 * CID_E_IO: errno says why. CID_E_OUTPUT_KIND: the name belongs to a directory, a device, a pipe or
 * a socket. CID_E_NOMEM.
 */
CID_API CID_MUST_USE enum cid_error cid_output_open(struct cid_output **out, const char *path,
                                                    const struct cid_allocator *alloc);

/*
 * Opens a descriptor for writing, from where it stands on. It stays the caller's. If it is a pipe,
 * the sink has no patch. CID_E_NOMEM, CID_E_IO.
 */
CID_API CID_MUST_USE enum cid_error cid_output_open_fd(struct cid_output **out, int fd,
                                                       const struct cid_allocator *alloc);

/* The sink of an output, which lives as long. It fails with CID_E_IO; errno says why. */
CID_API struct cid_sink cid_output_sink(struct cid_output *output);

/*
 * Gives the file its name; a descriptor is left alone. CID_E_IO: errno says why. The name is then
 * as it was, unless it is only the directory that could not be written to the disk.
 */
CID_API CID_MUST_USE enum cid_error cid_output_commit(struct cid_output *output);

/* Frees the output; a file that has not been committed vanishes. NULL is allowed. Keeps errno. */
CID_API void cid_output_close(struct cid_output *output);

/* ---- index -------------------------------------------------------------------------------- */

/* The two kinds of index, by their multicodec codes. */
#define CID_CAR_INDEX_SORTED           UINT64_C(0x0400) /* by digest alone */
#define CID_CAR_INDEX_MULTIHASH_SORTED UINT64_C(0x0401) /* by hash code and digest */

struct cid_car_index;

/* An entry of an index. */
struct cid_car_entry {
    uint64_t hash_code; /* 0 in a CID_CAR_INDEX_SORTED, which does not know */
    const uint8_t *digest;
    size_t digest_len;
    uint64_t section_in_payload;
};

/* Entries of one multihash: those with the numbers first to first + count - 1. */
struct cid_car_range {
    uint64_t first;
    uint64_t count;
};

/*
 * Opens an index over len bytes of memory, which must outlive it. What the index says of its
 * codes, widths, counts and lengths is checked, so that nothing outside is ever read; its entries
 * are not looked at, so that a large file need not be loaded. An index whose entries are out of
 * order is therefore one in which not all is found, just as one from which entries are missing:
 * cid_car_index_check tells. Memory: some 40 bytes for each pair of code and width.
 *
 * *out is NULL on failure; then fault (may be NULL) tells what is wrong where. The allocator is
 * copied.
 *
 * CID_E_INDEX_CODEC: some other kind of index; fault->codec says which. CID_E_INDEX_COUNT,
 * CID_E_INDEX_WIDTH, CID_E_INDEX_LENGTH, CID_E_INDEX_ORDER, CID_E_INDEX_TWICE, CID_E_TRUNCATED,
 * CID_E_TRAILING, CID_E_VARINT_…, CID_E_NOMEM.
 */
CID_API CID_MUST_USE enum cid_error cid_car_index_open(struct cid_car_index **out, const void *data,
                                                       size_t len, struct cid_fault *fault,
                                                       const struct cid_allocator *alloc);

/* The same over a file, which is copied. What the file's failure is, is handed on. */
CID_API CID_MUST_USE enum cid_error cid_car_index_open_file(struct cid_car_index **out,
                                                            const struct cid_file *file,
                                                            struct cid_fault *fault,
                                                            const struct cid_allocator *alloc);

/* Frees the index. NULL is allowed. */
CID_API void cid_car_index_close(struct cid_car_index *index);

/* CID_CAR_INDEX_SORTED or CID_CAR_INDEX_MULTIHASH_SORTED. */
CID_API uint64_t cid_car_index_codec(const struct cid_car_index *index);

/* How many entries there are. */
CID_API uint64_t cid_car_index_count(const struct cid_car_index *index);

/* The size in bytes of the index as a file. */
CID_API uint64_t cid_car_index_size(const struct cid_car_index *index);

/*
 * Finds the entries of a multihash. Blocks can have the same multihash and different codecs, and a
 * block can be there twice: an index made by libcid has such entries in the order of the archive.
 * In a CID_CAR_INDEX_SORTED they can also be those of another hash function.
 *
 * CID_E_NOT_FOUND: there are none. What a file's failure is, is handed on.
 */
CID_API CID_MUST_USE enum cid_error cid_car_index_find(struct cid_car_range *out,
                                                       const struct cid_car_index *index,
                                                       const struct cid_multihash_view *hash);

/*
 * The entry with that number, in the order of the file. Over a file the digest is read to buf, over
 * memory it lies there and buf is not used.
 *
 * CID_E_NOT_FOUND: number is not below the count. CID_E_NOSPACE: cap is smaller than the digest;
 * all of *out but the digest is set.
 */
CID_API CID_MUST_USE enum cid_error cid_car_index_at(struct cid_car_entry *out, uint8_t *buf,
                                                     size_t cap, const struct cid_car_index *index,
                                                     uint64_t number);

/*
 * Goes through all entries, in the order of the file, and hands each to fn until that returns
 * something else than CID_OK, which is handed on. The entry lives until fn returns. fn may be NULL.
 * CID_E_INDEX_ORDER: an entry is lower than the one before; fault (may be NULL) tells where.
 * CID_E_NOMEM: over a file only, if two entries have more than 8 KiB.
 */
CID_API CID_MUST_USE enum cid_error cid_car_index_each(
    const struct cid_car_index *index,
    enum cid_error (*fn)(void *ctx, const struct cid_car_entry *entry), void *ctx,
    struct cid_fault *fault);

/* Checks the order of all entries: cid_car_index_each without a function. */
CID_API CID_MUST_USE enum cid_error cid_car_index_check(const struct cid_car_index *index,
                                                        struct cid_fault *fault);

/* Writes the index as it stands in a file of its own, or in a CARv2. */
CID_API CID_MUST_USE enum cid_error cid_car_index_write(const struct cid_car_index *index,
                                                        const struct cid_sink *sink);

/* Options of making an index; all-zero is the default. */
struct cid_car_index_options {
    size_t size;    /* 0 or sizeof(struct cid_car_index_options) */
    uint64_t codec; /* 0 is CID_CAR_INDEX_MULTIHASH_SORTED */
    bool identity;  /* identity CIDs too, which need no index: their blocks are in them */
};

struct cid_car_indexer;

/*
 * Opens what an index is made with. It needs the size of the entries, which is a digest and eight
 * bytes for each, and while it sorts them as much again.
 * CID_E_INDEX_CODEC: there is no such kind. CID_E_NOMEM.
 */
CID_API CID_MUST_USE enum cid_error cid_car_indexer_open(
    struct cid_car_indexer **out, const struct cid_car_index_options *options,
    const struct cid_allocator *alloc);

/*
 * Adds a block, by its CID and by where its section starts in the CARv1 payload. Identity CIDs are
 * left out unless asked for. CID_E_NOMEM: nothing was added. CID_E_ARGUMENT: the view is undefined.
 * CID_E_TOO_LARGE: a digest too long for an index, which is one of 4 GiB.
 */
CID_API CID_MUST_USE enum cid_error cid_car_indexer_add(struct cid_car_indexer *indexer,
                                                        const struct cid_view *view,
                                                        uint64_t section_in_payload);

/*
 * Sorts what was added and makes an index of it, in memory. The indexer is then empty, and may be
 * used again. CID_E_NOMEM, CID_E_TOO_LARGE: *out is NULL, and the indexer as it was.
 */
CID_API CID_MUST_USE enum cid_error cid_car_indexer_finish(struct cid_car_index **out,
                                                           struct cid_car_indexer *indexer);

/* Frees the indexer. NULL is allowed. */
CID_API void cid_car_indexer_close(struct cid_car_indexer *indexer);

/*
 * Makes an index of all blocks that a reader has yet to give; whether they are checked is the
 * reader's business, and one that fails, or cannot be checked, ends it. Errors:
 * cid_car_reader_next, whose fault the reader keeps; CID_E_INDEX_CODEC, CID_E_NOMEM.
 */
CID_API CID_MUST_USE enum cid_error cid_car_index_build(struct cid_car_index **out,
                                                        struct cid_car_reader *reader,
                                                        const struct cid_car_index_options *options,
                                                        const struct cid_allocator *alloc);

/* ---- open archives ------------------------------------------------------------------------ */

/* Options of an open archive; all-zero is the safe default. */
struct cid_car_open_options {
    size_t size;                       /* 0 or sizeof(struct cid_car_open_options) */
    struct cid_car_options read;       /* limits, what is checked, and how; not skip_data */
    const struct cid_car_index *index; /* to be used; NULL is the archive's own, or one that is
                                          built where there is none of a kind that is known */
    bool rebuild_index;                /* look not at the archive's own, but build one */
    bool no_build;                     /* build none */
    bool by_multihash;                 /* a block of the same multihash will do */
};

struct cid_car;

/*
 * Opens an archive over len bytes of memory, which must outlive it, as must the index that options
 * name. Its header is read; where an index must be built, so is the whole archive, though no block
 * is checked. *out is NULL on failure; then fault (may be NULL) tells what is wrong where. The
 * allocator is copied.
 *
 * Errors: cid_car_reader_open; cid_car_index_open for the archive's own index, a codec that is not
 * known aside; those of cid_car_reader_next while an index is built. CID_E_TRUNCATED: the payload
 * of a CARv2 is longer than the file.
 */
CID_API CID_MUST_USE enum cid_error cid_car_open(struct cid_car **out, const void *data, size_t len,
                                                 const struct cid_car_open_options *options,
                                                 struct cid_fault *fault,
                                                 const struct cid_allocator *alloc);

/* The same over a file, which is copied. What the file's failure is, is handed on. */
CID_API CID_MUST_USE enum cid_error cid_car_open_file(struct cid_car **out,
                                                      const struct cid_file *file,
                                                      const struct cid_car_open_options *options,
                                                      struct cid_fault *fault,
                                                      const struct cid_allocator *alloc);

/* The same over a descriptor, with cid_file_of_fd. */
CID_API CID_MUST_USE enum cid_error cid_car_open_fd(struct cid_car **out, int fd,
                                                    const struct cid_car_open_options *options,
                                                    struct cid_fault *fault,
                                                    const struct cid_allocator *alloc);

/* Frees the archive. NULL is allowed. */
CID_API void cid_car_close(struct cid_car *car);

/* What the head says; the index codec too. What only reading to the end can tell is 0. */
CID_API const struct cid_car_info *cid_car_info_of(const struct cid_car *car);

/* Root number i, which lives as long as the archive. CID_E_NOT_FOUND: i is not below root_count. */
CID_API CID_MUST_USE enum cid_error cid_car_root(struct cid_view *out, const struct cid_car *car,
                                                 size_t i);

/* The header as it stands in the file, without its length prefix. Lives as long as the archive. */
CID_API const uint8_t *cid_car_header(const struct cid_car *car, size_t *len);

/* The index that blocks are found by; NULL if there is none. It lives as long as the archive. */
CID_API const struct cid_car_index *cid_car_index_of(const struct cid_car *car);

/*
 * Gets a block by its CID. Over memory the block lies there, and buf is not used; over a file its
 * section is read to buf. What an identity CID holds needs no archive: the block then lies in the
 * CID that was given, and all that is told of a section is 0. number is 0 too. *need (may be NULL)
 * is the size of buffer that this block takes, 0 where it takes none.
 *
 * On failure *out is untouched, so that bytes which are not what the CID says are never seen; fault
 * (may be NULL) tells what is wrong where.
 *
 * CID_E_NOT_FOUND: the index has no such block. CID_E_NOSPACE: cap is less than *need.
 * CID_E_MISMATCH, CID_E_UNVERIFIABLE: as cid_car_reader_next. CID_E_INDEX_ABSENT.
 * CID_E_INDEX_RANGE, CID_E_INDEX_ENTRY: the index is wrong about this block. CID_E_SECTION_LIMIT.
 * CID_E_ARGUMENT: the view is undefined. What a file's failure is, is handed on.
 */
CID_API CID_MUST_USE enum cid_error cid_car_get(struct cid_car_block *out, uint8_t *buf, size_t cap,
                                                size_t *need, const struct cid_car *car,
                                                const struct cid_view *view,
                                                struct cid_fault *fault);

/*
 * cid_car_get into memory of its own, which *memory owns and cid_bytes_free releases: one
 * allocation of exactly the section's size, none over memory or for an identity CID. memory is
 * empty on failure. CID_E_NOMEM. The block points into *memory, which must not be moved.
 */
CID_API CID_MUST_USE enum cid_error cid_car_own(struct cid_car_block *out, struct cid_bytes *memory,
                                                const struct cid_car *car,
                                                const struct cid_view *view,
                                                struct cid_fault *fault,
                                                const struct cid_allocator *alloc);

/*
 * Gets the block whose section starts at an offset in the payload, such as an index entry gives; it
 * is checked against its own CID. As cid_car_get, but CID_E_NOT_FOUND and CID_E_INDEX_ENTRY.
 */
CID_API CID_MUST_USE enum cid_error cid_car_get_at(struct cid_car_block *out, uint8_t *buf,
                                                   size_t cap, size_t *need,
                                                   const struct cid_car *car,
                                                   uint64_t section_in_payload,
                                                   struct cid_fault *fault);

/* ---- writing ------------------------------------------------------------------------------ */

/* The size of a section, its length prefix included. CID_E_TOO_LARGE: there is no such section. */
CID_API CID_MUST_USE enum cid_error cid_car_section_size(uint64_t *size, size_t cid_len,
                                                         uint64_t data_len);

/*
 * The size of a CARv1 header with these roots, its length prefix included: what comes before the
 * first section. CID_E_ARGUMENT: a root is undefined. CID_E_TOO_LARGE.
 */
CID_API CID_MUST_USE enum cid_error cid_car_header_size(uint64_t *size,
                                                        const struct cid_view *roots,
                                                        size_t root_count);

/* Writes such a header, in DAG-CBOR's one form. CID_E_NOSPACE: *written is the size needed. */
CID_API CID_MUST_USE enum cid_error cid_car_header_write(uint8_t *out, size_t cap, size_t *written,
                                                         const struct cid_view *roots,
                                                         size_t root_count);

/* Options of a writer; all-zero is a CARv1 without roots. All they point at is copied, hash aside.
 */
struct cid_car_writer_options {
    size_t size;                  /* 0 or sizeof(struct cid_car_writer_options) */
    uint32_t version;             /* 1 or 2; 0 is 1 */
    const struct cid_view *roots; /* may be NULL when root_count is 0 */
    size_t root_count;
    /*
     * A header of another archive to be written as it is, without its length prefix, in place of
     * roots: its keys beyond roots and version stay what they were.
     */
    const uint8_t *header;
    size_t header_len;
    /*
     * In place of both: the size that cid_car_header_size gives for the roots that
     * cid_car_writer_set_roots will be given at the end. A CAR header cannot be padded, so the
     * number of the roots must be known, and the length of each.
     */
    uint64_t reserve;
    uint64_t section_limit; /* the longest section, CID included; 0 is CID_CAR_SECTION_LIMIT */
    bool dedupe;            /* leave out a block whose CID has been written */
    /* CARv2 only */
    bool no_index;
    struct cid_car_index_options index; /* with identity, the archive is called fully indexed */
    uint64_t data_padding;              /* zero bytes in front of the payload */
    uint64_t index_padding;             /* zero bytes in front of the index */
    uint64_t data_size; /* of the payload, where the output cannot go back; 0: not known */
    const struct cid_hash_options *hash; /* must outlive the writer; may be NULL */
};

struct cid_car_writer;

/*
 * Opens a writer to cap bytes of memory, which must outlive it, and writes the header. Together
 * with the sizes above one exact allocation is enough. *out is NULL on failure.
 *
 * CID_E_NOSPACE. CID_E_ARGUMENT: options that contradict each other, or an undefined root.
 * CID_E_INDEX_CODEC. CID_E_NOMEM. CID_E_HEADER_LIMIT: the header is over CID_CAR_HEADER_LIMIT.
 * CID_E_HEADER_…, CID_E_CBOR_… and the others of cid_car_reader_open: options->header is no header
 * of a CARv1.
 */
CID_API CID_MUST_USE enum cid_error cid_car_writer_open(
    struct cid_car_writer **out, void *buf, size_t cap,
    const struct cid_car_writer_options *options, const struct cid_allocator *alloc);

/*
 * The same to a sink, which is copied, through a buffer of 64 KiB. If the sink cannot go back, what
 * is at the front must be known: CID_E_SEEK for a reserved header, and for a CARv2 without
 * data_size. What the sink's failure is, is handed on.
 */
CID_API CID_MUST_USE enum cid_error cid_car_writer_open_sink(
    struct cid_car_writer **out, const struct cid_sink *sink,
    const struct cid_car_writer_options *options, const struct cid_allocator *alloc);

/*
 * The same to a file that gets its name when it is whole: see cid_output_open. To a descriptor:
 * cid_output_open_fd, and the sink of that.
 */
CID_API CID_MUST_USE enum cid_error cid_car_writer_open_path(
    struct cid_car_writer **out, const char *path, const struct cid_car_writer_options *options,
    const struct cid_allocator *alloc);

/*
 * Writes a block, under a CID that is not checked. *offset (may be NULL) is where its section
 * starts in the payload; UINT64_MAX if it was left out under dedupe.
 *
 * CID_E_ARGUMENT: the view is undefined, or the writer is finished. CID_E_SECTION_LIMIT.
 * CID_E_NOSPACE: the memory is too small. After these three the writer is as it was, and can go on.
 * All others are final, and returned by every later call: CID_E_NOMEM, and what the sink returned.
 */
CID_API CID_MUST_USE enum cid_error cid_car_writer_put(struct cid_car_writer *writer,
                                                       uint64_t *offset,
                                                       const struct cid_view *view,
                                                       const void *data, size_t data_len);

/*
 * Hashes a block, as the prefix says, and writes it. *out (may be NULL) is its CID, to be freed
 * with the writer's allocator. Errors: cid_prefix_sum, after which the writer is as it was, and
 * cid_car_writer_put.
 */
CID_API CID_MUST_USE enum cid_error cid_car_writer_add(struct cid_car_writer *writer,
                                                       struct cid *out, uint64_t *offset,
                                                       const struct cid_prefix *prefix,
                                                       const void *data, size_t data_len);

/*
 * Writes all blocks that a reader has yet to give. Errors: cid_car_reader_next, whose fault the
 * reader keeps, and cid_car_writer_put. The blocks before are then written. CID_E_ARGUMENT also:
 * the reader gives no data.
 */
CID_API CID_MUST_USE enum cid_error cid_car_writer_copy(struct cid_car_writer *writer,
                                                        struct cid_car_reader *reader);

/*
 * Fills the room that was reserved. CID_E_ROOTS_ROOM: these roots do not take exactly that.
 * CID_E_ARGUMENT: none was reserved, a root is undefined, or the writer is finished. CID_E_NOMEM.
 * What the sink returned is final.
 */
CID_API CID_MUST_USE enum cid_error cid_car_writer_set_roots(struct cid_car_writer *writer,
                                                             const struct cid_view *roots,
                                                             size_t root_count);

/*
 * Writes all that is left, and gives a file its name. An index without entries is not written,
 * unless the sink cannot go back and data_size said that one would be. *len (may be NULL) is the
 * length of the archive. Nothing can be written afterwards.
 *
 * CID_E_ARGUMENT: it is finished. CID_E_ROOTS_ROOM: roots were reserved and not set, which can
 * still be done. All others are final: CID_E_DATA_SIZE, CID_E_NOMEM, CID_E_TOO_LARGE;
 * CID_E_NOSPACE: the memory is too small, *len is the length needed; what the sink returned, and
 * cid_output_commit.
 */
CID_API CID_MUST_USE enum cid_error cid_car_writer_finish(struct cid_car_writer *writer,
                                                          uint64_t *len);

/* Frees the writer. A file that is not finished vanishes. NULL is allowed. Keeps errno. */
CID_API void cid_car_writer_close(struct cid_car_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
