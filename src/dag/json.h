/*
 * json.h - a pull reader for DAG-JSON that gives the items DAG-CBOR would have: links and bytes are
 * one item each, and the ends of maps and lists show in the depth alone. Specification: the
 * DAG-JSON codec of IPLD.
 *
 * A map that begins with the key "/" is judged by that first key as written: with a string it is a
 * link, with a map that begins with "bytes" and a string it is bytes, and neither may hold anything
 * else; with anything else it is a map like others.
 */
#ifndef CID_DAG_JSON_H
#define CID_DAG_JSON_H

#include "dag/cbor.h"

#include <cid/dag.h>
#include <cid/json.h>

/* The number of elements of maps and lists: not known. */
#define CID__DAG_UNKNOWN UINT64_MAX

/* Not looked for in objects that are not sorted: duplicate keys. The caller does that. */
#define CID__DAG_NO_SEARCH CID__CBOR_NO_SEARCH

/* A reader. Set up by cid__dag_json_init; the members are read-only from then on. */
struct cid__dag_json {
    struct cid_json_reader reader;
    struct cid__cbor_level *levels; /* first_key: offset of the map; max_key, left: of the highest
                                       key, offset and length; value_next: it has escapes */
    size_t max_depth;
    uint64_t searches; /* bytes that may still be looked at in search of duplicate keys */
    uint32_t allow;
    size_t fault; /* after a failure: the offset of what is wrong */
    uint8_t link[CID_TEXT_LIMIT];
};

/* Sets up a reader of len bytes. levels has max_depth entries, at most CID_JSON_DEPTH. */
void cid__dag_json_init(struct cid__dag_json *json, const void *text, size_t len, uint32_t allow,
                        struct cid__cbor_level *levels, size_t max_depth);

/*
 * Reads the next item. Of items with `json` set, bytes are `number` characters of JSON: text with
 * escapes, or base64, that stand for len bytes. A link points into *json, until the next call.
 * CID_END; else a failure, which is final: cid__dag_json.fault says where.
 */
enum cid_error cid__dag_json_next(struct cid__dag_json *json, struct cid__cbor_item *item);

/*
 * Decodes the base64 of JSON text that may hold escapes to out, which has room for cap bytes, all
 * there are, or is NULL: then only *written, the length, is found out. *bad: where in the text a
 * failure is.
 */
enum cid_error cid__dag_json_bytes(uint8_t *out, size_t cap, size_t *written, size_t *bad,
                                   const char *text, size_t len, bool escaped, uint32_t allow);

#endif
