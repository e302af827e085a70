/*
 * multicodec.h - the multicodec table: numbers and names of content codecs, hash functions and
 * more. The table is compiled in and needs no set-up. Specification: multiformats/multicodec.
 *
 * Threads: all functions are reentrant; the strings are static.
 */
#ifndef CID_MULTICODEC_H
#define CID_MULTICODEC_H

#include <cid/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Codes that programs write by name. */
#define CID_CODEC_RAW                     UINT64_C(0x55)
#define CID_CODEC_DAG_PB                  UINT64_C(0x70)
#define CID_CODEC_DAG_CBOR                UINT64_C(0x71)
#define CID_CODEC_LIBP2P_KEY              UINT64_C(0x72)
#define CID_CODEC_CAR                     UINT64_C(0x0202)
#define CID_CODEC_DAG_JSON                UINT64_C(0x0129)
#define CID_CODEC_FIL_COMMITMENT_UNSEALED UINT64_C(0xf101)
#define CID_CODEC_FIL_COMMITMENT_SEALED   UINT64_C(0xf102)

/* One row of the table. */
struct cid_multicodec {
    uint64_t code;
    const char *name;   /* "dag-pb" */
    const char *tag;    /* "ipld", "multihash", "multiaddr", … */
    const char *status; /* "permanent", "draft", "deprecated" */
};

/* Finds a row by its code. CID_E_NOT_FOUND: the table has no such code. */
CID_API CID_MUST_USE enum cid_error cid_multicodec_by_code(struct cid_multicodec *out,
                                                           uint64_t code);

/* Finds a row by its name, compared byte by byte. CID_E_NOT_FOUND: the table has no such name. */
CID_API CID_MUST_USE enum cid_error cid_multicodec_by_name(struct cid_multicodec *out,
                                                           const char *name, size_t name_len);

/* The number of rows. */
CID_API size_t cid_multicodec_count(void);

/* Row number i in the order of codes. CID_E_NOT_FOUND: i is not below the number of rows. */
CID_API CID_MUST_USE enum cid_error cid_multicodec_at(struct cid_multicodec *out, size_t i);

/* Whether the code lies in the table's range for private use, 0x300000 to 0x3fffff. */
CID_API bool cid_multicodec_is_private(uint64_t code);

#ifdef __cplusplus
}
#endif

#endif
