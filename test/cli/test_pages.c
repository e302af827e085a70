/* Arrays that grow from small to large, and memory for sets, as src/cli/pages.h has them. */
#include "support.h"

#include "cli/pages.h"

#include <stddef.h>

#define MIB ((size_t)1 << 20)

static uint8_t byte_at(size_t i)
{
    return (uint8_t)(i * 7 + i / 4096 + 1);
}

/* What was there stays, what is new is zero, and the last byte can be written. */
static void arrays_grow(void **state)
{
    static const size_t sizes[] = {1,       4096,        MIB - 1, MIB,         MIB + 1,
                                   2 * MIB, 2 * MIB + 1, 3 * MIB, 4 * MIB + 5, 9 * MIB};
    uint8_t *array = NULL;
    size_t was = 0;

    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        array = pages_grow(array, was, sizes[s]);
        assert_non_null(array);
        for (size_t i = 0; i < was; i++)
            if (array[i] != byte_at(i))
                fail_msg("byte %zu of %zu was lost at %zu", i, was, sizes[s]);
        for (size_t i = was; i < sizes[s]; i++) {
            if (array[i] != 0)
                fail_msg("byte %zu of %zu is not zero", i, sizes[s]);
            array[i] = byte_at(i);
        }
        was = sizes[s];
    }
    pages_free(array, was);
    pages_free(NULL, 0);
}

/* From nothing to large at once, and each size on its own. */
static void pieces_can_be_written(void **state)
{
    static const size_t sizes[] = {1, 4096, MIB - 1, MIB, 2 * MIB, 2 * MIB + 1, 5 * MIB};

    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        uint8_t *piece = pages_allocator.alloc(pages_allocator.ctx, sizes[s]);
        uint8_t *array = pages_grow(NULL, 0, sizes[s]);
        assert_non_null(piece);
        assert_non_null(array);
        assert_int_equal((uintptr_t)piece % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < sizes[s]; i++) {
            piece[i] = byte_at(i);
            assert_int_equal(array[i], 0);
        }
        pages_allocator.free(pages_allocator.ctx, piece, sizes[s]);
        pages_free(array, sizes[s]);
    }
}

/* No size wraps around, and an array that cannot grow is as it was. */
static void there_is_an_end(void **state)
{
    uint8_t *array = pages_grow(NULL, 0, 2 * MIB);

    (void)state;
    assert_non_null(array);
    array[2 * MIB - 1] = 5;
    for (size_t less = 0; less < 3; less++) {
        assert_null(pages_grow(array, 2 * MIB, SIZE_MAX - less * MIB));
        assert_null(pages_allocator.alloc(pages_allocator.ctx, SIZE_MAX - less * MIB));
    }
    assert_null(pages_grow(array, 2 * MIB, SIZE_MAX / 2));
    assert_int_equal(array[2 * MIB - 1], 5);
    pages_free(array, 2 * MIB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_grow),
        cmocka_unit_test(pieces_can_be_written),
        cmocka_unit_test(there_is_an_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
