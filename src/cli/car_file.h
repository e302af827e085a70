/*
 * car_file.h - an archive that is read from front to back, and how errors in archives are told.
 */
#ifndef CID_CLI_CAR_FILE_H
#define CID_CLI_CAR_FILE_H

#include "cli.h"
#include "options.h"

#include <cid/car.h>

/* The options that all car commands have, first in their tables. */
enum {
    CAR_ALLOW_PADDING,
    CAR_MAX_SECTION,
    CAR_MAX_HEADER,
    CAR_OWN_OPTIONS
};
#define CAR_OPTIONS                                                                                \
    [CAR_ALLOW_PADDING] = {"allow-padding", 0, NULL, "zero bytes at the end are no error"},        \
    [CAR_MAX_SECTION] = {"max-section", 0, "SIZE", "the longest section accepted; 8M"},            \
    [CAR_MAX_HEADER] = {"max-header", 0, "SIZE", "the longest header accepted; 32M"}

/* Fills the options of a reader. False after a usage error, which has been told. */
bool car_options(struct cli *cli, struct cid_car_options *out, const struct arguments *args);

/* ---- the file ------------------------------------------------------------------------------ */

/* Sees all bytes of a file as they are read; offset counts from where reading starts. */
struct car_tap {
    void (*see)(void *ctx, const void *bytes, size_t len, uint64_t offset);
    void *ctx;
};

/* An archive being read through a descriptor, which may be a pipe. */
struct car_file {
    const char *name;
    int fd;
    int error;      /* errno of a failure */
    bool has_size;  /* size and start are known: a regular file */
    uint64_t size;  /* from the place where reading starts */
    uint64_t start; /* that place in the file */
    struct car_tap tap;
    uint64_t total; /* bytes read or skipped */
    size_t head_len;
    uint8_t head[512]; /* the first bytes */
    struct cid_car_reader *reader;
    struct cid_fault fault; /* of opening or reading */
};

/*
 * Opens the file and the archive in it. On failure file->fault says why. Close it in any case.
 */
enum cid_error car_file_open(struct car_file *file, const char *name,
                             const struct cid_car_options *options);
/* The same, and the tap sees what is read, that which opening reads too. */
enum cid_error car_file_open_tapped(struct car_file *file, const char *name,
                                    const struct cid_car_options *options,
                                    const struct car_tap *tap);
void car_file_close(struct car_file *file);

/* Remembers why reading ended. */
void car_file_failed(struct car_file *file, enum cid_error error);

/* The status that a failure stands for. */
enum status car_status(enum cid_error error);

/* The last block that was good. */
struct car_last {
    struct cid cid;
    uint64_t offset;
};
void car_last_set(struct car_last *last, const struct cid_car_block *block);

/* Tells the failure in words; last may be NULL. */
void car_complain(struct cli *cli, const struct car_file *file, const struct car_last *last);

/* Tells the failure in words or as a JSON line, and remembers its status; last may be NULL. */
void car_fail(struct cli *cli, const struct car_file *file, const struct car_last *last);

/* One sentence on the failure, for JSON. */
void car_message(char *out, size_t cap, const struct car_file *file, const struct cid_fault *fault);

#endif
