/* mremap is of Linux, and huge pages are. */
#define _GNU_SOURCE

#include "pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

/* Pieces of that size get pages of their own; smaller ones would leave too much of them empty, and
 * those of 1 MiB and a little more, which sets ask for again and again, nearly half. */
#define LARGE (HUGE_PAGE / 4 * 3)

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

/* The size in whole huge pages; 0 if there is no such size. */
static size_t whole(size_t size)
{
    return size > SIZE_MAX - 2 * HUGE_PAGE ? 0 : (size + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
}

/* Maps whole huge pages, at a place where they can be. NULL without memory. */
static void *map(size_t size)
{
    size_t front;
    uint8_t *at;

    if (size == 0)
        return NULL;
    at = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    front = (size_t)(-(uintptr_t)at & (HUGE_PAGE - 1));
    if (front != 0)
        munmap(at, front);
    munmap(at + front + size, HUGE_PAGE - front);
#ifdef MADV_HUGEPAGE
    (void)!madvise(at + front, size, MADV_HUGEPAGE); /* where there are none, small ones will do */
#endif
    return at + front;
}

/* Moves what is mapped to a larger place, which is mapped too. NULL without memory. */
static void *move(void *to, size_t to_size, void *from, size_t from_size)
{
#ifdef MREMAP_FIXED
    void *there = mremap(from, from_size, to_size, MREMAP_MAYMOVE | MREMAP_FIXED, to);
    return there == MAP_FAILED ? NULL : there;
#else
    (void)to_size;
    memcpy(to, from, from_size);
    munmap(from, from_size);
    return to;
#endif
}

static void *grow_small(void *array, size_t was, size_t size)
{
    uint8_t *grown = realloc(array, size);

    if (grown)
        memset(grown + was, 0, size - was);
    return grown;
}

void *pages_grow(void *array, size_t was, size_t size)
{
    void *grown;

    if (size < LARGE)
        return grow_small(array, was, size);
    if (was >= LARGE && whole(was) == whole(size))
        return array;
    grown = map(whole(size));
    if (!grown)
        return NULL;
    if (was >= LARGE)
        return move(grown, whole(size), array, whole(was));
    if (was != 0)
        memcpy(grown, array, was);
    free(array);
    return grown;
}

void pages_free(void *array, size_t size)
{
    if (size < LARGE)
        free(array);
    else
        munmap(array, whole(size));
}

static void *alloc_piece(void *ctx, size_t size)
{
    (void)ctx;
    return size < LARGE ? malloc(size) : map(whole(size));
}

static void free_piece(void *ctx, void *piece, size_t size)
{
    (void)ctx;
    pages_free(piece, size);
}

const struct cid_allocator pages_allocator = {.alloc = alloc_piece, .free = free_piece};
