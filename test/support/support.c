#define _DEFAULT_SOURCE
#include "support.h"

#include <sys/mman.h>
#include <unistd.h>

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

struct test_bytes test_hex(const char *hex)
{
    struct test_bytes bytes = {malloc(strlen(hex) / 2 + 1), 0};
    assert_non_null(bytes.data);
    for (const char *p = hex; *p;) {
        int high, low;
        if (*p == ' ') {
            p++;
            continue;
        }
        high = hex_digit(p[0]);
        low = high < 0 ? -1 : hex_digit(p[1]);
        if (low < 0)
            fail_msg("bad hexadecimal: %s", hex);
        bytes.data[bytes.len++] = (uint8_t)(high << 4 | low);
        p += 2;
    }
    return bytes;
}

void test_bytes_free(struct test_bytes *bytes)
{
    free(bytes->data);
    bytes->data = NULL;
}

/* ---- guarded input ------------------------------------------------------------------------ */

static struct guard {
    void *map;
    size_t size;
} * guards;
static size_t guard_count;

struct test_room test_guard_room(size_t len)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t body = (len + page - 1) / page * page;
    uint8_t *map = mmap(NULL, body + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_true(map != MAP_FAILED);
    if (body > 0)
        assert_int_equal(mprotect(map + page, body, PROT_READ | PROT_WRITE), 0);
    guards = realloc(guards, (guard_count + 1) * sizeof *guards);
    assert_non_null(guards);
    guards[guard_count++] = (struct guard){map, body + 2 * page};
    return (struct test_room){map + page, map + page + body};
}

const uint8_t *test_guard(const void *bytes, size_t len)
{
    uint8_t *start = test_guard_room(len).end - len;

    if (len != 0)
        memcpy(start, bytes, len);
    return start;
}

void test_guard_release(void)
{
    for (size_t i = 0; i < guard_count; i++)
        munmap(guards[i].map, guards[i].size);
    free(guards);
    guards = NULL;
    guard_count = 0;
}

/* ---- allocators --------------------------------------------------------------------------- */

#define HEADER 16 /* room for the size, and the alignment of malloc kept */

static void *counting_alloc(void *ctx, size_t size)
{
    struct test_alloc *alloc = ctx;
    uint8_t *block;

    alloc->calls++;
    alloc->last_size = size;
    if (alloc->calls > alloc->grace)
        return NULL;
    block = malloc(size + HEADER);
    assert_non_null(block);
    memcpy(block, &size, sizeof size);
    alloc->live++;
    alloc->bytes += size;
    alloc->held += size;
    alloc->peak = alloc->held > alloc->peak ? alloc->held : alloc->peak;
    return block + HEADER;
}

static void counting_free(void *ctx, void *ptr, size_t size)
{
    struct test_alloc *alloc = ctx;
    uint8_t *block;
    size_t asked;

    if (!ptr)
        return;
    block = (uint8_t *)ptr - HEADER;
    memcpy(&asked, block, sizeof asked);
    assert_int_equal(size, asked);
    assert_true(alloc->live > 0);
    alloc->live--;
    alloc->held -= size;
    free(block);
}

void test_alloc_init(struct test_alloc *alloc, size_t grace)
{
    memset(alloc, 0, sizeof *alloc);
    alloc->allocator = (struct cid_allocator){counting_alloc, counting_free, alloc};
    alloc->grace = grace;
}

/* ---- random numbers ----------------------------------------------------------------------- */

uint64_t test_random_next(struct test_random *random)
{
    /* SplitMix64 */
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void test_random_fill(struct test_random *random, uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)test_random_next(random);
}
