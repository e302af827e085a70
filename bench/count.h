/*
 * count.h - counting allocations. Rows are timed with the C library's allocator, as users run them,
 * and counted in a pass of their own.
 *
 * Threads: one; the counters are global.
 */
#ifndef CID_BENCH_COUNT_H
#define CID_BENCH_COUNT_H

#include <cid/common.h>

#include <stdlib.h>

/* What was allocated while counting. */
struct bench_count {
    bool on;
    uint64_t calls;
    uint64_t bytes;
    /* What the library is given: NULL while timing, an allocator that counts while counting. */
    const struct cid_allocator *allocator;
};
extern struct bench_count bench_count;

/* Starts counting from zero, and stops. */
void bench_count_begin(void);
void bench_count_end(void);

/* For what does not belong to the operation, such as opening an archive. Only while counting. */
void bench_count_pause(void);
void bench_count_resume(void);

/* Says so and ends the program. */
_Noreturn void bench_out_of_memory(void);

/* malloc for engines that do not allocate through the library, counted alike. Never NULL. */
static inline void *bench_malloc(size_t size)
{
    void *ptr = malloc(size);
    if (!ptr)
        bench_out_of_memory();
    if (bench_count.on) {
        bench_count.calls++;
        bench_count.bytes += size;
    }
    return ptr;
}

/* Memory for inputs: never counted, never NULL, every page touched. Freed with free. */
void *bench_buffer(size_t size);

#endif
