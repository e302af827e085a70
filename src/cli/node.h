/*
 * node.h - the node in a block, printed as DAG-JSON.
 */
#ifndef CID_CLI_NODE_H
#define CID_CLI_NODE_H

#include "cli.h"

#include <cid/dag.h>

/*
 * Prints the node of a block to standard output: indented on a terminal, or else on one line.
 * Control characters are escaped. Errors, with *fault telling the place in the block: those of
 * cid_dag_make; then nothing was printed.
 */
enum cid_error node_put(struct cli *cli, struct cid_fault *fault, uint64_t codec, const void *data,
                        size_t len, const struct cid_dag_options *options);

#endif
