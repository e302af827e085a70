/*
 * commands.h - the commands of cid-inspect, each in a file of its own.
 */
#ifndef CID_CLI_COMMANDS_H
#define CID_CLI_COMMANDS_H

#include "options.h"

extern const struct command inspect_command;
extern const struct command convert_command;
extern const struct command format_command;
extern const struct command hash_command;
extern const struct command bases_command;
extern const struct command codecs_command;
extern const struct command hashes_command;
extern const struct command car_inspect_command;
extern const struct command car_list_command;
extern const struct command car_verify_command;
extern const struct command car_get_command;
extern const struct command block_command;
extern const struct command links_command;
extern const struct command car_graph_command;
extern const struct command car_tree_command;
extern const struct command car_index_command;
extern const struct command car_index_list_command;
extern const struct command car_wrap_command;
extern const struct command car_unwrap_command;
extern const struct command car_filter_command;
extern const struct command car_concat_command;
extern const struct command car_roots_command;
extern const struct command car_create_command;
extern const struct command cache_list_command;
extern const struct command cache_clear_command;

#endif
