#include "support.h"

#include "base/arith.h"
#include "base/bytes.h"
#include "base/endian.h"
#include "base/span.h"

#include <stdio.h>

static void the_version_is_that_of_the_headers(void **state)
{
    char expected[32];
    (void)state;
    snprintf(expected, sizeof expected, "%d.%d.%d", CID_VERSION_MAJOR, CID_VERSION_MINOR,
             CID_VERSION_PATCH);
    assert_string_equal(cid_version(), expected);
    assert_string_equal(cid_version(), CID_MESON_VERSION);
}

static void every_code_has_its_own_name_and_text(void **state)
{
    unsigned found = 0;
    (void)state;
    for (int a = 0; a < 1000; a++) {
        const char *name = cid_error_name((enum cid_error)a);
        if (strcmp(name, "unknown") == 0)
            continue;
        found++;
        assert_true(strlen(cid_error_text((enum cid_error)a)) > 4);
        for (const char *p = name; *p; p++)
            assert_true((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || *p == '_');
        for (int b = 0; b < a; b++)
            assert_string_not_equal(name, cid_error_name((enum cid_error)b));
    }
    assert_true(found > 60);
    assert_string_equal(cid_error_name(CID_E_BASE_CHAR), "base_char");
    assert_string_equal(cid_error_name((enum cid_error)9999), "unknown");
    assert_string_equal(cid_error_text((enum cid_error)9999), "unknown error");
}

static void fields_and_places_have_names(void **state)
{
    (void)state;
    assert_string_equal(cid_field_name(CID_FIELD_NONE), "");
    assert_string_equal(cid_field_name(CID_FIELD_TRAILING), "trailing");
    for (int i = 1; i <= CID_FIELD_ITEM; i++)
        assert_true(strlen(cid_field_name((enum cid_field)i)) > 0);
    assert_string_equal(cid_field_name((enum cid_field)99), "");
    assert_string_equal(cid_where_name(CID_WHERE_TEXT), "text");
    assert_string_equal(cid_where_name(CID_WHERE_FILE), "file");
    assert_string_equal(cid_where_name((enum cid_where)99), "");
}

static void sums_and_products_say_when_they_overflow(void **state)
{
    size_t out = 4711;
    (void)state;
    assert_true(cid__add_size(&out, SIZE_MAX - 1, 1));
    assert_true(out == SIZE_MAX);
    assert_false(cid__add_size(&out, SIZE_MAX, 1));
    assert_true(cid__mul_size(&out, SIZE_MAX / 3, 3));
    assert_false(cid__mul_size(&out, SIZE_MAX / 3 + 1, 3));
    assert_true(cid__mul_size(&out, 0, SIZE_MAX));
    assert_int_equal(out, 0);
}

static void bytes_are_in_order(void **state)
{
    static const uint8_t in[9] = {0xff, 1, 2, 3, 4, 5, 6, 7, 8};
    uint8_t out[8];
    (void)state;
    assert_true(cid__load32be(in + 1) == UINT32_C(0x01020304));
    assert_true(cid__load32le(in + 1) == UINT32_C(0x04030201));
    assert_true(cid__load64be(in + 1) == UINT64_C(0x0102030405060708));
    assert_true(cid__load64le(in + 1) == UINT64_C(0x0807060504030201));
    cid__store64be(out, UINT64_C(0x0102030405060708));
    assert_memory_equal(out, in + 1, 8);
    cid__store64le(out, UINT64_C(0x0807060504030201));
    assert_memory_equal(out, in + 1, 8);
    cid__store32be(out, UINT32_C(0x01020304));
    assert_memory_equal(out, in + 1, 4);
}

static void a_span_knows_its_end(void **state)
{
    static const uint8_t in[3] = {1, 2, 3};
    struct cid__span span = cid__span_of(in, 3);
    struct cid__span none = cid__span_of(NULL, 0);
    (void)state;
    assert_true(cid__span_has(&span, 3));
    assert_false(cid__span_has(&span, 4));
    assert_false(cid__span_has(&span, UINT64_MAX));
    assert_ptr_equal(cid__span_take(&span, 2), in);
    assert_int_equal(cid__span_left(&span), 1);
    assert_true(cid__span_has(&none, 0));
    assert_false(cid__span_has(&none, 1));
}

static void overlap_is_a_byte_in_common(void **state)
{
    static const uint8_t m[8];
    (void)state;
    assert_true(cid__overlap(m, 8, m, 8));
    assert_true(cid__overlap(m, 8, m + 7, 1));
    assert_true(cid__overlap(m + 7, 1, m, 8));
    assert_true(cid__overlap(m + 2, 2, m, 8));
    assert_false(cid__overlap(m, 4, m + 4, 4));
    assert_false(cid__overlap(m + 4, 4, m, 4));
    assert_false(cid__overlap(m, 8, m + 4, 0));
    assert_false(cid__overlap(m + 4, 0, m, 8));
    assert_false(cid__overlap(NULL, 0, NULL, 0));
    assert_false(cid__overlap(m, 8, NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_is_that_of_the_headers),
        cmocka_unit_test(every_code_has_its_own_name_and_text),
        cmocka_unit_test(fields_and_places_have_names),
        cmocka_unit_test(sums_and_products_say_when_they_overflow),
        cmocka_unit_test(bytes_are_in_order),
        cmocka_unit_test(a_span_knows_its_end),
        cmocka_unit_test(overlap_is_a_byte_in_common),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
