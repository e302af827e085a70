/* clang-format off */
/* Made by tools/gen-tables from tools/data/multicodec.tsv; do not edit. */
#ifndef CID_MULTIFORMATS_MULTICODEC_TABLE_H
#define CID_MULTIFORMATS_MULTICODEC_TABLE_H

#include <stdint.h>

#define CID__CODEC_COUNT 637
#define CID__CODEC_TAG_SIZE 14
#define CID__CODEC_STATE_SIZE 11

/* A row of the table, without pointers: nothing to relocate at load time. */
struct cid__codec {
    uint32_t code;
    uint16_t name; /* where its name starts in cid__codec_names, ended by NUL */
    uint8_t name_len;
    uint8_t tag;   /* of cid__codec_tags */
    uint8_t state; /* of cid__codec_states */
};

/* Sorted by code. */
extern const struct cid__codec cid__codecs[CID__CODEC_COUNT];
extern const char cid__codec_names[];
/* Row numbers, sorted by name: bytewise, a prefix first. */
extern const uint16_t cid__codecs_by_name[CID__CODEC_COUNT];
extern const char cid__codec_tags[][CID__CODEC_TAG_SIZE];
extern const char cid__codec_states[][CID__CODEC_STATE_SIZE];

#endif
