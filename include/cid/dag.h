/*
 * dag.h - inside the block: DAG-CBOR, DAG-JSON, DAG-PB and raw. Whether a block is what its codec
 * says, the links in it, and the same node written in another codec. Specifications: the codecs of
 * IPLD (ipld/ipld, specs/codecs), RFC 8949, RFC 8259.
 *
 * Blocks are scanned from front to back without recursion and without a tree. Nothing is allocated
 * but the memory that cid_dag_write and cid_dag_make ask of their allocator, which is bounded by
 * the size of the block. By default a block must be in the one form that its codec has for a node,
 * so that what is accepted can be written again byte by byte; single leniencies can be allowed.
 *
 * Threads: all functions are reentrant; a struct cid_links belongs to one thread at a time.
 */
#ifndef CID_DAG_H
#define CID_DAG_H

#include <cid/cid.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How deep maps and lists may nest by default. */
#define CID_DAG_DEPTH 1024

/* Bytes of a stack of containers that one level takes. */
#define CID_DAG_LEVEL_SIZE 32

/* Leniencies, all off by default: what Go's decoders, old data and people at a keyboard make. */
#define CID_DAG_ALLOW_LONG_HEADS 0x01u /* CBOR and protobuf: numbers longer than need be */
#define CID_DAG_ALLOW_KEY_ORDER  0x02u /* CBOR: map keys in any order */
#define CID_DAG_ALLOW_FLOATS     0x04u /* CBOR: NaN, infinities, floats of 16 and 32 bits */
#define CID_DAG_ALLOW_SIMPLES    0x08u /* CBOR: simple values besides false, true and null */
#define CID_DAG_ALLOW_TAGS       0x10u /* CBOR: tags besides 42; they are passed over */
#define CID_DAG_ALLOW_BASES      0x20u /* DAG-JSON: links in any multibase */
#define CID_DAG_ALLOW_PADDING    0x40u /* DAG-JSON: bytes in base64 with padding */
/*
 * DAG-JSON: white space, keys in any order, and any spelling of strings and numbers: JSON as people
 * write it. What they type is read so, and not what is said to be a block: in canonical form, which
 * cid_dag_write to the same codec gives, it has other bytes and so another CID. Whether bytes are
 * canonical is what cid_dag_check tells without this.
 */
#define CID_DAG_ALLOW_SPELLING 0x80u
/* DAG-PB: names of links, CBOR: text strings, that are not UTF-8. Not when a node is written: no
 * codec should say them. */
#define CID_DAG_ALLOW_NAMES 0x100u
#define CID_DAG_ALLOW_ALL   0x1ffu

/* Options; all-zero is strict, with a limit of CID_DAG_DEPTH. */
struct cid_dag_options {
    size_t size;      /* 0 or sizeof(struct cid_dag_options) */
    uint32_t allow;   /* CID_DAG_ALLOW_... */
    size_t max_depth; /* 0 is CID_DAG_DEPTH; DAG-JSON is never read deeper than that */
    /*
     * Memory for the containers that are open: CID_DAG_LEVEL_SIZE bytes for each of max_depth
     * levels, aligned as malloc does. Needed for a max_depth over CID_DAG_DEPTH; else NULL will do,
     * which stands for 32 KiB of the stack, or of the struct cid_links. It must outlive the call,
     * or the iteration.
     */
    void *stack;
};

/* Whether blocks of that codec can be read here: raw, DAG-PB, DAG-CBOR, DAG-JSON. */
CID_API bool cid_dag_known(uint64_t codec);

/*
 * Checks a block: whether it is whole and right by the rules of its codec. data may be NULL when
 * len is 0. *fault (may be NULL) tells where it is not: the code that is returned, the offset in
 * the block, and for CID_E_DEPTH_LIMIT the limit in need. Only CID_E_... below the common ones are
 * about the block:
 *
 * CID_E_TRUNCATED, CID_E_TRAILING, CID_E_DEPTH_LIMIT; CID_E_CBOR_...; CID_E_JSON_...; CID_E_PB_...,
 * CID_E_VARINT_...; for links CID_E_LINK_PREFIX and the errors of cid_read_exact and cid_parse; for
 * bytes in DAG-JSON CID_E_BASE_.... The text of a link in DAG-JSON may have CID_TEXT_LIMIT
 * characters, which only identity CIDs can exceed: CID_E_TEXT_LIMIT.
 * Where keys may come in any order, CID_E_CBOR_KEY_ORDER or CID_E_JSON_KEY_ORDER still stands for
 * a map so large and disordered that to look for duplicate keys would take too long.
 * CID_E_DAG_CODEC: not a codec that can be read here. CID_E_ARGUMENT: options that are wrong.
 */
CID_API CID_MUST_USE enum cid_error cid_dag_check(struct cid_fault *fault, uint64_t codec,
                                                  const void *data, size_t len,
                                                  const struct cid_dag_options *options);

/* ---- links ------------------------------------------------------------------------------ */

/*
 * An iteration over the links of a block. Its members are the library's; it may live on the stack,
 * takes some 38 KiB there, of which no more is touched than the block needs, and needs no closing.
 * It must not be moved or copied while in use.
 */
struct cid_links {
    union {
        uint64_t words[784];
        void *pointer;
    } state;
    union {
        uint64_t words[CID_DAG_DEPTH * CID_DAG_LEVEL_SIZE / 8];
        void *pointer;
    } levels;
};

/*
 * Starts over the block at data, which must outlive the iteration, as must the options' stack; the
 * options themselves (may be NULL) need not. What is wrong with the block is told by
 * cid_links_next, where it is met. CID_E_DAG_CODEC: blocks of that codec cannot be read here.
 * CID_E_ARGUMENT: options that are wrong.
 */
CID_API CID_MUST_USE enum cid_error cid_links_begin(struct cid_links *links, uint64_t codec,
                                                    const void *data, size_t len,
                                                    const struct cid_dag_options *options);

/*
 * Gives the next link, in the order of the block; raw blocks have none. The view points into the
 * block and lives as long as that; of DAG-JSON, whose links are text, it points into *links and
 * lives until the next call. CID_END: there are no more, and the block is as cid_dag_check wants
 * it. Errors are those of cid_dag_check, are final, and do not take back the links before.
 */
CID_API CID_MUST_USE enum cid_error cid_links_next(struct cid_links *links, struct cid_view *out);

/* The last failure, as cid_dag_check tells it; code CID_OK if there was none. It lives as long as
 * *links; what was asked for before a failure does not show it. */
CID_API const struct cid_fault *cid_links_fault(const struct cid_links *links);

/* ---- the same node in another codec ----------------------------------------------------- */

/*
 * Reads a block of the codec `from` and writes its node in the codec `to`, in canonical form, to
 * out, which may be NULL when cap is 0. *written (may be NULL) is the length; with CID_E_NOSPACE
 * the length needed.
 *
 * from: any codec that can be read here; a raw block is a byte string. to: DAG-CBOR, DAG-JSON, and
 * DAG-PB for nodes that have its form. Writing in the same codec checks, and puts in canonical form
 * what options->allow has let pass. Maps are sorted as `to` wants it: by length first in DAG-CBOR,
 * by bytes in DAG-JSON. Floats keep their value and their being floats, integers go from -2^64 to
 * 2^64 - 1.
 *
 * Errors, with *fault (may be NULL) telling the place in the block: as cid_dag_check. Further:
 * CID_E_DAG_VALUE: what `to` cannot say: NaN and infinities, simple values. CID_E_JSON_RESERVED: a
 * map that DAG-JSON would read as a link or bytes, or refuse. CID_E_PB_SHAPE, CID_E_PB_LINK_ORDER:
 * no node of DAG-PB. CID_E_JSON_RANGE: a number that is no integer of 64 bits and sign and no
 * finite double. CID_E_NOMEM. CID_E_TOO_LARGE. Links longer than cid_dag_check lets pass in
 * DAG-JSON are written there all the same, to be shown.
 */
CID_API CID_MUST_USE enum cid_error cid_dag_write(uint8_t *out, size_t cap, size_t *written,
                                                  struct cid_fault *fault, uint64_t to,
                                                  uint64_t from, const void *data, size_t len,
                                                  const struct cid_dag_options *options,
                                                  const struct cid_allocator *alloc);

/* cid_dag_write to an owner of exactly the length needed, which is empty after a failure. */
CID_API CID_MUST_USE enum cid_error cid_dag_make(struct cid_bytes *out, struct cid_fault *fault,
                                                 uint64_t to, uint64_t from, const void *data,
                                                 size_t len, const struct cid_dag_options *options,
                                                 const struct cid_allocator *alloc);

#ifdef __cplusplus
}
#endif

#endif
