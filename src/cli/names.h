/*
 * names.h - names and numbers of bases, codecs and hash functions, as the program reads and shows
 * them.
 */
#ifndef CID_CLI_NAMES_H
#define CID_CLI_NAMES_H

#include "cli.h"

/* Room for a name that is made of a number. */
#define NAME_SIZE 24

/* The name of a code, or "0x…" in buf if it has none. */
const char *codec_name(char buf[NAME_SIZE], uint64_t code);
const char *hash_name(char buf[NAME_SIZE], uint64_t code);

/* The name of a code, or NULL. */
const char *codec_known(uint64_t code);
const char *hash_known(uint64_t code);

/* The name and prefix of a base; "?" if there is no such base. */
struct cid_base_info base_info(enum cid_base base);

/*
 * What an option says: the name of a base or its prefix; the name of a codec or hash function, or
 * its number (0x55, 85). False after a usage error, which has been told; NULL leaves the output.
 */
bool parse_base(struct cli *cli, enum cid_base *base, const char *text);
bool parse_codec(struct cli *cli, uint64_t *code, const char *text);
bool parse_hash(struct cli *cli, uint64_t *code, const char *text);

/* The text of a CID in a base, or NULL where it has none. Free it with free. */
char *cid_text(const struct cid_view *view, enum cid_base base);

/* A text in a base without prefix. Free it with free. NULL where there is none. */
char *digits(const void *data, size_t len, enum cid_base base);

#endif
