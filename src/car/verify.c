#include "car/pool.h"

#include "base/bytes.h"
#include "car/reader.h"

/*
 * One thread reads, and finds the blocks; all threads hash; the first one hands out the verdicts,
 * in file order. A job is some batches of blocks. Over a source, jobs lie in windows, which are
 * used in turn: a window is filled again only when the blocks in it have been handed out.
 */

/*
 * Some 1,000 blocks; of large ones no further batch from 4 MiB on, so that a job has a few ms of
 * work. That is far above what a switch costs, and several jobs are there for even a small archive.
 */
#define JOB_BATCHES 4
#define JOB_BYTES   ((size_t)4 << 20)
/* The window over a source, for the same reason, and so that two threads stay below 64 MiB. */
#define WINDOW_LEAST ((size_t)512 << 10)
#define WINDOW_MOST  ((size_t)12 << 20)

struct job {
    size_t batches;
    uint64_t window; /* the number of the window its blocks lie in */
    struct cid__queue batch[JOB_BATCHES];
};

struct crew {
    struct cid_car_reader *reader;
    const struct cid_car_verify_options *options;
    struct cid_car_verdicts *verdicts;
    struct cid__pool *pool;
    size_t slots;
    struct job *jobs;              /* a ring */
    uint64_t handed_out, posted;   /* the numbers of the next job to hand out, and to post */
    uint64_t window;               /* the number of the one being read */
    uint64_t blocks, window_start; /* found in it so far, and its offset in the file */
    size_t spare_count;
    struct cid__window spare[CID_CAR_WORKERS_MAX + 1]; /* a ring */
};

/* ---- handing out --------------------------------------------------------------------------- */

static enum cid_error tell(const struct cid_car_verify_options *options,
                           struct cid_car_verdicts *verdicts, const struct cid_car_block *block,
                           enum cid_error error)
{
    verdicts->blocks++;
    verdicts->data_len += block->data_len;
    verdicts->good += block->verdict == CID_GOOD;
    verdicts->mismatches += block->verdict == CID_MISMATCH;
    verdicts->unverifiable += block->verdict == CID_UNVERIFIABLE;
    return options->block ? options->block(options->ctx, block, error) : CID_OK;
}

/* Hands out the blocks of the oldest job, when they have been verified. */
static enum cid_error hand_out_oldest(struct crew *crew)
{
    struct job *job = &crew->jobs[crew->handed_out % crew->slots];
    enum cid_error stop = CID_OK;

    cid__pool_wait(crew->pool, crew->handed_out++);
    for (size_t i = 0; i < job->batches; i++) {
        struct cid__queue *batch = &job->batch[i];
        while (!stop && batch->next < batch->count) {
            struct cid_car_block block;
            enum cid_error error = cid__reader_pop(crew->reader, batch, &block);
            stop = tell(crew->options, crew->verdicts, &block, error);
        }
    }
    return stop;
}

static enum cid_error hand_out_all(struct crew *crew)
{
    enum cid_error stop = CID_OK;

    while (!stop && crew->handed_out != crew->posted)
        stop = hand_out_oldest(crew);
    return stop;
}

/* ---- finding blocks ------------------------------------------------------------------------ */

/* Posts a job with the blocks at hand, as many as it may have. *more: there may be others. */
static enum cid_error post_job(struct crew *crew, bool *more)
{
    struct job *job = &crew->jobs[crew->posted % crew->slots];
    const struct cid__feed *feed = &crew->reader->feed;
    const uint8_t *start = feed->at;
    enum cid_error stop = CID_OK;

    if (crew->posted - crew->handed_out == crew->slots)
        stop = hand_out_oldest(crew);
    if (stop)
        return stop;
    job->window = crew->window;
    *more = true;
    for (job->batches = 0; *more && job->batches < JOB_BATCHES; job->batches++) {
        struct cid__queue *batch = &job->batch[job->batches];
        if ((size_t)(feed->at - start) >= JOB_BYTES)
            break;
        batch->room = CID__QUEUE_MAX;
        *more = cid__reader_take(crew->reader, batch);
        crew->blocks += batch->count;
    }
    if (job->batch[0].count != 0) {
        crew->posted++;
        cid__pool_post(crew->pool);
    }
    return CID_OK;
}

/* Makes windows suit the blocks that were found in this one. */
static void aim(struct crew *crew)
{
    struct cid__feed *feed = &crew->reader->feed;
    uint64_t here = cid__feed_offset(feed, feed->at);
    uint64_t size;

    if (crew->blocks == 0)
        return;
    size = (here - crew->window_start) / crew->blocks * (2 * CID__WINDOW_BLOCKS + 1) / 2;
    if (size < WINDOW_LEAST)
        size = WINDOW_LEAST;
    cid__feed_aim(feed, size < WINDOW_MOST ? size : WINDOW_MOST);
    crew->window_start = here;
    crew->blocks = 0;
}

/* Goes on to the next window, once nothing in it is needed any more. */
static enum cid_error next_window(struct crew *crew)
{
    struct cid__feed *feed = &crew->reader->feed;
    enum cid_error stop = CID_OK, error;

    if (!feed->buffer)
        return CID_OK;
    while (!stop && crew->handed_out != crew->posted &&
           crew->jobs[crew->handed_out % crew->slots].window + crew->spare_count <= crew->window)
        stop = hand_out_oldest(crew);
    if (stop)
        return stop;
    aim(crew);
    error = cid__feed_switch(feed, &crew->spare[crew->window++ % crew->spare_count]);
    if (error)
        stop = hand_out_all(crew); /* then the one that there is can be used again */
    return stop;
}

/*
 * Reading has ended: hands out what has been found before. Only then may the reader say what it is
 * that ended it.
 */
static enum cid_error finish(struct crew *crew, enum cid_error error,
                             const struct cid_fault *fault_before)
{
    struct cid_car_reader *reader = crew->reader;
    struct cid_fault fault = reader->fault;
    uint64_t payload_len = reader->info.payload_len;
    enum cid_error stop;

    reader->fault = *fault_before;
    stop = hand_out_all(crew);
    if (stop)
        return stop;
    if (error != CID_END)
        reader->fault = fault;
    if (reader->info.payload_len < payload_len)
        reader->info.payload_len = payload_len;
    return error;
}

static enum cid_error go_through(struct crew *crew)
{
    struct cid_car_reader *reader = crew->reader;

    for (;;) {
        struct cid_fault before;
        bool more = true;
        enum cid_error error = CID_OK;
        while (!error && more)
            error = post_job(crew, &more);
        if (!error)
            error = next_window(crew);
        if (error)
            return error;
        before = reader->fault;
        error = cid__reader_resolve(reader);
        if (error)
            return finish(crew, error, &before);
    }
}

static void do_job(void *ctx, size_t slot)
{
    struct crew *crew = ctx;
    struct job *job = &crew->jobs[slot];

    for (size_t i = 0; i < job->batches; i++) {
        const struct cid__queue *next = &job->batch[i + 1];
        struct cid_data behind = {NULL, 0};
        if (i + 1 < job->batches)
            behind = (struct cid_data){next->start, next->len};
        (void)cid__queue_verify(&job->batch[i], crew->reader->options.hash, behind);
    }
}

/* ---- the crew ------------------------------------------------------------------------------ */

/* False: the threads or the memory cannot be had. */
static bool assemble(struct crew *crew, unsigned workers)
{
    const struct cid_allocator *alloc = crew->reader->alloc;
    struct cid__pool_plan plan = {workers - 1, 2 * (size_t)workers + 2, do_job, crew};

    crew->slots = plan.slots;
    crew->spare_count = (size_t)workers + 1;
    crew->window_start = cid__feed_offset(&crew->reader->feed, crew->reader->feed.at);
    crew->jobs = cid__alloc(alloc, crew->slots * sizeof *crew->jobs);
    crew->pool = crew->jobs ? cid__pool_open(&plan, alloc) : NULL;
    return crew->pool != NULL;
}

static void dismiss(struct crew *crew)
{
    const struct cid_allocator *alloc = crew->reader->alloc;

    cid__pool_close(crew->pool);
    for (size_t i = 0; i < crew->spare_count; i++)
        if (crew->spare[i].bytes)
            cid__release(alloc, crew->spare[i].bytes, crew->spare[i].size);
    if (crew->jobs)
        cid__release(alloc, crew->jobs, crew->slots * sizeof *crew->jobs);
}

/* Up to n blocks by this thread alone. CID_END: there are no more; CID_OK: there may be. */
static enum cid_error go_alone(struct cid_car_reader *reader,
                               const struct cid_car_verify_options *options,
                               struct cid_car_verdicts *verdicts, size_t n)
{
    enum cid_error stop = CID_OK;

    while (!stop && n-- != 0) {
        struct cid_car_block block;
        enum cid_error error = cid_car_reader_next(reader, &block);
        if (error && error != CID_E_MISMATCH && error != CID_E_UNVERIFIABLE)
            return error;
        stop = tell(options, verdicts, &block, error);
    }
    return stop;
}

static enum cid_error go(struct cid_car_reader *reader,
                         const struct cid_car_verify_options *options,
                         struct cid_car_verdicts *verdicts)
{
    unsigned workers =
        options->workers < CID_CAR_WORKERS_MAX ? options->workers : CID_CAR_WORKERS_MAX;
    struct cid__queue *queue = reader->queue;
    struct crew crew = {.reader = reader, .options = options, .verdicts = verdicts};
    enum cid_error error = CID_OK;

    if (workers < 2 || !queue || reader->over)
        return go_alone(reader, options, verdicts, SIZE_MAX);
    error = go_alone(reader, options, verdicts, queue->count - queue->next);
    if (!error)
        error = assemble(&crew, workers) ? go_through(&crew)
                                         : go_alone(reader, options, verdicts, SIZE_MAX);
    dismiss(&crew);
    return error;
}

enum cid_error cid_car_verify(struct cid_car_verdicts *out, struct cid_car_reader *reader,
                              const struct cid_car_verify_options *options)
{
    static const struct cid_car_verify_options defaults = {0};
    struct cid_car_verdicts verdicts = {0};
    enum cid_error error = go(reader, options ? options : &defaults, &verdicts);

    if (!reader->over)
        (void)!cid__reader_end(reader, error);
    if (out)
        *out = verdicts;
    if (error != CID_END)
        return error;
    if (verdicts.mismatches != 0)
        return CID_E_MISMATCH;
    return verdicts.unverifiable != 0 && !reader->options.pass_unverifiable ? CID_E_UNVERIFIABLE
                                                                            : CID_OK;
}
