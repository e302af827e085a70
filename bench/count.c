#include "count.h"

#include <stdio.h>
#include <string.h>

struct bench_count bench_count;

static void *counting_alloc(void *ctx, size_t size)
{
    struct bench_count *count = ctx;
    if (count->on) {
        count->calls++;
        count->bytes += size;
    }
    return malloc(size);
}

static void counting_free(void *ctx, void *ptr, size_t size)
{
    (void)ctx;
    (void)size;
    free(ptr);
}

static const struct cid_allocator counting = {counting_alloc, counting_free, &bench_count};

void bench_count_begin(void)
{
    bench_count = (struct bench_count){.on = true, .allocator = &counting};
}

void bench_count_end(void)
{
    bench_count.on = false;
    bench_count.allocator = NULL;
}

void bench_count_pause(void)
{
    bench_count.on = false;
}

void bench_count_resume(void)
{
    bench_count.on = bench_count.allocator != NULL;
}

void bench_out_of_memory(void)
{
    fputs("cid-bench: out of memory\n", stderr);
    exit(3);
}

void *bench_buffer(size_t size)
{
    void *ptr = malloc(size == 0 ? 1 : size);
    if (!ptr)
        bench_out_of_memory();
    /* A first touch costs up to 14 us a page on some virtual machines. */
    memset(ptr, 0xa5, size);
    return ptr;
}
