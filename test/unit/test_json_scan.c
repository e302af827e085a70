/*
 * The loops over the characters of JSON strings in every tier: the place of each character that
 * needs looking at, at every length and alignment, without a byte read or written beyond.
 */
#include "support.h"

#include "base/cpu.h"
#include "json/scan.h"

#define LONGEST 300

static const uint32_t tiers[] = {CID__CPU_TIER_PORTABLE, CID__CPU_TIER_AVX2, CID__CPU_TIER_AVX512,
                                 CID__CPU_TIER_VBMI2};

static bool stops(uint8_t c, bool ascii)
{
    return c < 0x20 || c == '"' || c == '\\' || (ascii && c > 0x7e);
}

static size_t plain_span(const uint8_t *at, size_t len, bool ascii)
{
    size_t n = 0;

    while (n < len && !stops(at[n], ascii))
        n++;
    return n;
}

/* All three loops on len bytes in front of a guarded page, copying to the end of another. */
static void hold_spans(const uint8_t *at, size_t len, uint8_t *out_end)
{
    uint8_t *out = out_end - len;
    size_t any = plain_span(at, len, false), ascii = plain_span(at, len, true);

    assert_int_equal(cid__json_scan(at, len), any);
    memset(out, 0, len);
    assert_int_equal(cid__json_copy(out, at, len), any);
    assert_memory_equal(out, at, any);
    memset(out, 0, len);
    assert_int_equal(cid__json_copy_ascii(out, at, len), ascii);
    assert_memory_equal(out, at, ascii);
}

/* The marks of len bytes, where there is room for so many. */
static void hold_marks_in(size_t room, const uint8_t *at, size_t len)
{
    uint16_t marks[LONGEST + 2 * CID__JSON_BLOCK + 1];
    struct cid__marked marked;
    size_t n = 0, right = 0;
    bool high = false;

    memset(marks, 0xa5, sizeof marks);
    marked = cid__json_mark(marks, room, at, len);
    assert_true(marked.len <= len && marked.count <= room);
    for (size_t i = 0; i < marked.len; i++) {
        high |= at[i] >= 0x80;
        if (!stops(at[i], false))
            continue;
        if (n < marked.count && marks[n] == i)
            right++;
        n++;
    }
    if (n != marked.count || right != n)
        fail_msg("%u of %u", (unsigned)right, (unsigned)n);
    assert_int_equal(marked.high, high);
    assert_int_equal(marks[room], 0xa5a5);
    if (marked.len != len) { /* only where there is no room for a block more */
        assert_true(marked.count + CID__JSON_BLOCK > room);
        assert_int_equal(marked.len % CID__JSON_BLOCK, 0);
    }
}

static void hold_high(const uint8_t *at, size_t len)
{
    uint64_t right = 0;

    for (size_t i = 0; i < len; i++)
        right |= (uint64_t)(at[i] >= 0x80) << i / CID__JSON_BLOCK;
    assert_int_equal(cid__json_high(at, len), right);
}

static void hold_marks(const uint8_t *at, size_t len)
{
    hold_high(at, len);
    hold_marks_in(LONGEST + 2 * CID__JSON_BLOCK, at, len);
    hold_marks_in(CID__JSON_BLOCK + len % CID__JSON_BLOCK, at, len);
}

static void every_byte_is_judged_alike(void **state)
{
    uint8_t *in = test_guard_room(LONGEST).end, *out = test_guard_room(LONGEST).end;
    uint8_t *whole = in - LONGEST;
    (void)state;

    for (size_t t = 0; t < COUNT(tiers); t++) {
        cid__cpu_mask(tiers[t]);
        for (size_t i = 0; i < LONGEST; i++)
            in[(int)i - LONGEST] =
                (uint8_t)i; /* every value, and some beside others than its neighbours */
        hold_marks(whole, LONGEST);
        for (unsigned c = 0; c < 256; c++)
            for (size_t len = 1; len <= 129; len += 32) {
                uint8_t *at = in - len;
                memset(at, 'a', len);
                at[c % len] = (uint8_t)c;
                hold_spans(at, len, out);
                hold_marks(at, len);
            }
    }
    cid__cpu_mask(CID__CPU_ALL);
    test_guard_release();
}

/* One odd byte at each place of each length, and a second one behind it. */
static void every_place_of_every_length(void **state)
{
    static const uint8_t odd[] = {'"', '\\', 0x00, 0x1f, 0x7f, 0x80, 0xff};
    uint8_t *in = test_guard_room(LONGEST).end, *out = test_guard_room(LONGEST).end;
    (void)state;

    for (size_t t = 0; t < COUNT(tiers); t++) {
        cid__cpu_mask(tiers[t]);
        for (size_t len = 0; len <= LONGEST; len += 1 + len / 70) {
            uint8_t *at = in - len;
            memset(at, 0x20, len);
            hold_spans(at, len, out);
            hold_marks(at, len);
            for (size_t i = 0; i < len; i += 1 + len / 70) {
                at[i] = odd[(i + len) % COUNT(odd)];
                at[len - 1 - i / 2] ^= 0x80;
                hold_spans(at, len, out);
                hold_marks(at, len);
                memset(at, '~', len);
            }
        }
    }
    cid__cpu_mask(CID__CPU_ALL);
    test_guard_release();
}

/* The same text at every distance from a border of 64 bytes. */
static void every_alignment(void **state)
{
    static uint8_t text[LONGEST + 64], copy[LONGEST + 64];
    (void)state;

    for (size_t t = 0; t < COUNT(tiers); t++) {
        cid__cpu_mask(tiers[t]);
        for (size_t shift = 0; shift < 64; shift++) {
            uint8_t *out = copy + sizeof copy - shift;
            memset(text, 'a', sizeof text);
            for (size_t i = 0; i < 6; i++)
                text[shift + 7 + 43 * i] = i % 2 ? '"' : '\n';
            hold_marks(text + shift, LONGEST);
            for (size_t from = 0; from < LONGEST; from += 11)
                hold_spans(text + shift + from, LONGEST - from, out);
        }
    }
    cid__cpu_mask(CID__CPU_ALL);
}

/* From no mark in a block of 64 bytes to 64. */
static void every_number_of_marks(void **state)
{
    uint8_t *in = test_guard_room(LONGEST).end;
    (void)state;

    for (size_t t = 0; t < COUNT(tiers); t++) {
        cid__cpu_mask(tiers[t]);
        for (size_t step = 1; step <= 65; step++) {
            memset(in - LONGEST, 'a', LONGEST);
            for (size_t i = 0; i < LONGEST; i += step)
                in[(int)i - LONGEST] = '"';
            for (size_t len = 60; len <= LONGEST; len += 17)
                hold_marks(in - len, len);
        }
        for (size_t n = 0; n <= 64; n++) {
            memset(in - 64, 'a', 64);
            memset(in - n, '\\', n);
            hold_marks(in - 64, 64);
        }
    }
    cid__cpu_mask(CID__CPU_ALL);
    test_guard_release();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_is_judged_alike),
        cmocka_unit_test(every_place_of_every_length),
        cmocka_unit_test(every_alignment),
        cmocka_unit_test(every_number_of_marks),
    };
    return cmocka_run_group_tests_name("json_scan", tests, NULL, NULL);
}
