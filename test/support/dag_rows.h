/*
 * dag_rows.h - the lines of dag-cbor.jsonl.
 */
#ifndef CID_TEST_DAG_ROWS_H
#define CID_TEST_DAG_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *at; /* NULL: the case has none */
    size_t len;
};

#define LINKS_MAX 64

/* A line of the file. */
struct dag_row {
    char id[16], set[32], kind[16], codec[32], name[256];
    bool applies, tagged_dasl;
    struct bytes hex, dag_cbor, dag_json, dag_pb;
    char dag_cbor_cid[128], dag_json_cid[128], dag_pb_cid[128];
    char links[LINKS_MAX][128];
    size_t link_count;
    bool has_links;
};

/* Reads a line; false: it is not JSON. Ends the program where a member is not what it should be. */
bool dag_row_read(struct dag_row *row, const char *line, size_t len);
void dag_row_free(struct dag_row *row);

/* A whole file of the data, on the heap; NULL: there is none. */
char *dag_load(const char *name, size_t *len);

#endif
