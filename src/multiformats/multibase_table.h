/* clang-format off */
/* Made by tools/gen-tables from tools/data/multibase.tsv; do not edit. */
#ifndef CID_MULTIFORMATS_MULTIBASE_TABLE_H
#define CID_MULTIFORMATS_MULTIBASE_TABLE_H

#define CID__BASE_COUNT 25
#define CID__NOT_A_DIGIT 255

#endif
