/*
 * progress.h - how far a long piece of work has come, on standard error: only if that is a terminal
 * of some width and no JSON is asked for, and only once the work has taken a second.
 *
 * Threads: one thread.
 */
#ifndef CID_CLI_PROGRESS_H
#define CID_CLI_PROGRESS_H

#include "cli.h"

struct progress {
    bool on;          /* it may be shown */
    bool shown;       /* a line stands there */
    uint64_t total;   /* bytes; 0 if that is not known */
    uint64_t checked; /* the clock is looked at again when so many bytes are done */
    uint64_t start;   /* in nanoseconds */
    uint64_t next;    /* when to show it again */
};

/* Begins work on so many bytes; 0: nobody knows. It must last until progress_end. */
void progress_begin(struct cli *cli, struct progress *progress, uint64_t total);

void progress_show(struct progress *progress, uint64_t done);

/* So many bytes are done. Cheap. */
static inline void progress_step(struct progress *progress, uint64_t done)
{
    if (progress->on && done >= progress->checked)
        progress_show(progress, done);
}

/* Takes the line away, so that something else can be written. */
void progress_hide(struct progress *progress);

void progress_end(struct cli *cli, struct progress *progress);

#endif
