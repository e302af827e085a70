/*
 * car_out.h - the commands that write archives or indexes: where the output goes, copying blocks
 * to it, and what is told of it.
 *
 * A file appears under its name when it is whole; after any failure the name is as it was.
 */
#ifndef CID_CLI_CAR_OUT_H
#define CID_CLI_CAR_OUT_H

#include "car_file.h"

/* The options that those commands have, behind those of all car commands. */
enum {
    OUT_OUTPUT = CAR_OWN_OPTIONS,
    OUT_NO_VERIFY,
    OUT_OWN_OPTIONS
};
#define OUT_OPTIONS                                                                                \
    CAR_OPTIONS, [OUT_OUTPUT] = {"output", 'o', "FILE", "write here; '-' is standard output"},     \
                 [OUT_NO_VERIFY] = {"no-verify", 0, NULL,                                          \
                                    "do not check blocks against their CIDs"}

struct car_out {
    const char *name; /* for messages */
    bool to_stdout;
    struct cid_output *output;
    struct cid_sink sink;
    struct cid_car_writer *writer; /* NULL until car_out_write */
    uint32_t version;              /* of the archive */
    uint64_t blocks;
    uint64_t left_out;     /* blocks that were not copied */
    uint64_t unverifiable; /* of those copied */
};

/*
 * The options of reading, and whether the output is one that may be written. False after a usage
 * error, which has been told: it is a terminal, or standard output under --json, or one of the
 * operands from the one with number first on.
 */
bool car_out_options(struct cli *cli, struct cid_car_options *out, const struct arguments *args,
                     size_t first);

/* False after a usage error, which has been told: there is more than one operand. */
bool car_out_one_file(struct cli *cli, const struct arguments *args);

/* The one operand; "-" without. */
const char *car_out_file_of(const struct arguments *args);

/* Whether the output would overwrite this input; then that is told as a usage error. */
bool car_out_clashes(struct cli *cli, const char *output, const char *input);

/* The version that --car-version says. False after a usage error; absent leaves *version. */
bool car_out_version(struct cli *cli, uint32_t *version, const char *text);

/* The kind of index that --codec says. False after a usage error; absent leaves *codec. */
bool car_out_codec(struct cli *cli, uint64_t *codec, const char *text);

/* Opens the output; name may be NULL for standard output. False after a failure that was told. */
bool car_out_open(struct cli *cli, struct car_out *out, const char *name);

/* Opens the writer of an archive there. False after a failure that was told. */
bool car_out_write(struct cli *cli, struct car_out *out,
                   const struct cid_car_writer_options *options);

/* Writes a block. False after a failure that was told. */
bool car_out_put(struct cli *cli, struct car_out *out, const struct cid_car_block *block);

/*
 * Copies the blocks of a file that is open, those that wanted says, or all if it is NULL. False
 * after a failure that was told.
 */
bool car_out_copy(struct cli *cli, struct car_out *out, struct car_file *file,
                  bool (*wanted)(void *ctx, const struct cid_car_block *block), void *ctx);

/* Finishes the archive, if one is being written, gives the file its name, and tells. */
void car_out_finish(struct cli *cli, struct car_out *out);

/* Tells that writing failed; errno says why if error is CID_E_IO. */
void car_out_fail(struct cli *cli, const struct car_out *out, enum cid_error error);

/* Tells of blocks that could not be checked, if there were any. */
void car_out_unverifiable(struct cli *cli, const char *name, uint64_t count);

/* Closes the output; what is not finished vanishes. */
void car_out_close(struct car_out *out);

#endif
