/*
 * Every tier of the bases of whole bits, and of 36 and 58, against the portable one: byte for byte,
 * fault for fault, and within its bounds. With CID_TEST_SLOW=1 all wrong bytes, else a choice of
 * them.
 */
#include "support.h"

#include "base/cpu.h"

#include <cid/multibase.h>

#include <stdio.h>

#define LONGEST 300
#define TEXT    (8 * LONGEST + 16)

static const struct {
    const char *name;
    uint32_t mask;
} tiers[] = {
    {"AVX2", CID__CPU_TIER_AVX2},
    {"VBMI", CID__CPU_TIER_VBMI},
};

static uint32_t here; /* what the processor has */

static int setup(void **state)
{
    (void)state;
    cid__cpu_mask(CID__CPU_ALL);
    here = cid__cpu() & CID__CPU_ALL;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cid__cpu_mask(CID__CPU_ALL);
    test_guard_release();
    return 0;
}

/* Whether there is a tier number i, and from now on no better one. */
static bool hold(size_t i)
{
    cid__cpu_mask(tiers[i].mask);
    return (tiers[i].mask & ~CID__CPU_SHA & ~here) == 0;
}

static const enum cid_base bases[] = {
    CID_BASE2,          CID_BASE8,
    CID_BASE16,         CID_BASE16_UPPER,
    CID_BASE32,         CID_BASE32_UPPER,
    CID_BASE32_PAD,     CID_BASE32_PAD_UPPER,
    CID_BASE32_HEX,     CID_BASE32_HEX_UPPER,
    CID_BASE32_HEX_PAD, CID_BASE32_HEX_PAD_UPPER,
    CID_BASE32_Z,       CID_BASE64,
    CID_BASE64_PAD,     CID_BASE64_URL,
    CID_BASE64_URL_PAD, CID_BASE36,
    CID_BASE36_UPPER,   CID_BASE58_BTC,
    CID_BASE58_FLICKR,
};

/* Some data, and its text as the portable tier has it. */
struct sample {
    enum cid_base base;
    size_t len, text_len;
    uint8_t data[LONGEST];
    char text[TEXT];
};

static void make(struct sample *out, enum cid_base base, size_t len, struct test_random *random)
{
    out->base = base;
    out->len = len;
    test_random_fill(random, out->data, len);
    cid__cpu_mask(CID__CPU_TIER_PORTABLE);
    assert_error(cid_base_encode(out->text, sizeof out->text, &out->text_len, out->data, len, base),
                 CID_OK);
}

/* Both ways in the current tier, from and to the places given; text has room for a NUL. */
static void both_ways(const struct sample *sample, uint8_t *data, char *text)
{
    size_t written = SIZE_MAX;

    memcpy(data, sample->data, sample->len);
    memset(text, 0x55, sample->text_len + 1);
    assert_error(
        cid_base_encode(text, sample->text_len + 1, &written, data, sample->len, sample->base),
        CID_OK);
    assert_int_equal(written, sample->text_len);
    assert_memory_equal(text, sample->text, sample->text_len + 1);

    memset(data, 0x55, sample->len);
    assert_error(
        cid_base_decode(data, sample->len, &written, text, sample->text_len, sample->base, NULL),
        CID_OK);
    assert_int_equal(written, sample->len);
    assert_memory_equal(data, sample->data, sample->len);
}

static void every_length_at_every_alignment(void **state)
{
    static struct sample sample;
    static uint8_t data[LONGEST + 64];
    static char text[TEXT + 64];
    struct test_random random = {1};
    (void)state;

    for (size_t b = 0; b < COUNT(bases); b++)
        for (size_t len = 0; len <= LONGEST; len++) {
            make(&sample, bases[b], len, &random);
            for (size_t i = 0; i < COUNT(tiers); i++)
                for (size_t shift = 0; hold(i) && shift < 64; shift++)
                    both_ways(&sample, data + shift, text + (shift * 7 & 63));
        }
}

/* With no room to spare, once at the end of what may be touched and once at its start. */
static void nothing_outside_is_touched(void **state)
{
    static struct sample sample;
    struct test_random random = {2};
    struct test_room data = test_guard_room(LONGEST), text = test_guard_room(TEXT);
    (void)state;

    for (size_t b = 0; b < COUNT(bases); b++)
        for (size_t len = 0; len <= LONGEST; len++) {
            make(&sample, bases[b], len, &random);
            for (size_t i = 0; i < COUNT(tiers); i++) {
                if (!hold(i))
                    continue;
                both_ways(&sample, data.end - sample.len, (char *)text.end - sample.text_len - 1);
                both_ways(&sample, data.start, (char *)text.start);
                /* the text at the very end, where no NUL is needed */
                memcpy(text.end - sample.text_len, sample.text, sample.text_len);
                assert_error(cid_base_decode(data.end - sample.len, sample.len, NULL,
                                             (char *)text.end - sample.text_len, sample.text_len,
                                             sample.base, NULL),
                             CID_OK);
                assert_memory_equal(data.end - sample.len, sample.data, sample.len);
            }
        }
}

/* A room of any size larger than what is needed is no matter either. */
static void any_room_will_do(void **state)
{
    static struct sample sample;
    struct test_random random = {3};
    struct test_room data = test_guard_room(512), text = test_guard_room(1024);
    (void)state;

    for (size_t b = 0; b < COUNT(bases); b++)
        for (size_t len = 1; len <= 64; len += 7)
            for (size_t more = 0; more <= 80; more++) {
                size_t cap;
                make(&sample, bases[b], len, &random);
                cap = sample.text_len + 1 + more;
                for (size_t i = 0; i < COUNT(tiers); i++) {
                    if (!hold(i))
                        continue;
                    assert_error(cid_base_encode((char *)text.end - cap, cap, NULL, sample.data,
                                                 len, bases[b]),
                                 CID_OK);
                    assert_string_equal((char *)text.end - cap, sample.text);
                    assert_error(cid_base_decode(data.end - len - more, len + more, NULL,
                                                 sample.text, sample.text_len, bases[b], NULL),
                                 CID_OK);
                    assert_memory_equal(data.end - len - more, sample.data, len);
                }
            }
}

/* The same verdict, the same bytes. The portable tier was asked before. */
static void same_verdict(const struct sample *sample, enum cid_error want, const uint8_t *want_data,
                         size_t want_len, const char *text)
{
    for (size_t i = 0; i < COUNT(tiers); i++) {
        uint8_t data[LONGEST];
        size_t written = 0;
        enum cid_error got;

        if (!hold(i))
            continue;
        got = cid_base_decode(data, sizeof data, &written, text, sample->text_len, sample->base,
                              NULL);
        if (got != want)
            fail_msg("%s, base %c, %zu characters: %s, not %s", tiers[i].name, (int)sample->base,
                     sample->text_len, cid_error_name(got), cid_error_name(want));
        if (!want)
            assert_true(written == want_len && memcmp(data, want_data, want_len) == 0);
    }
}

static void put_wrong(const struct sample *sample, char *text, size_t at, unsigned byte)
{
    const char right = text[at];
    uint8_t data[LONGEST];
    size_t written = 0;
    enum cid_error want;

    text[at] = (char)byte;
    cid__cpu_mask(CID__CPU_TIER_PORTABLE);
    want = cid_base_decode(data, sizeof data, &written, text, sample->text_len, sample->base, NULL);
    same_verdict(sample, want, data, written, text);
    text[at] = right;
}

static bool slow(void)
{
    const char *value = getenv("CID_TEST_SLOW");
    return value && value[0] == '1';
}

/* One of each alphabet, and one that is padded. */
static const enum cid_base alphabets[] = {
    CID_BASE2,  CID_BASE8,      CID_BASE16,     CID_BASE32,     CID_BASE32_HEX, CID_BASE32_Z,
    CID_BASE64, CID_BASE64_URL, CID_BASE32_PAD, CID_BASE64_PAD, CID_BASE36,     CID_BASE58_BTC,
};

static void every_wrong_byte_is_seen(void **state)
{
    static struct sample sample;
    struct test_random random = {4};
    const size_t longest = slow() ? LONGEST : 70;
    (void)state;

    for (size_t b = 0; b < COUNT(alphabets); b++)
        for (size_t len = 1;; len++) {
            char *text;
            make(&sample, alphabets[b], len, &random);
            if (sample.text_len > longest)
                break;
            text = sample.text;
            for (size_t at = 0; at < sample.text_len; at++) {
                if (slow()) {
                    for (unsigned byte = 0; byte < 256; byte++)
                        put_wrong(&sample, text, at, byte);
                    continue;
                }
                put_wrong(&sample, text, at, (unsigned)(at + 31 * len) % 256);
                put_wrong(&sample, text, at, (uint8_t)text[at] ^ 0x80u);
                put_wrong(&sample, text, at, (uint8_t)text[at] ^ 0x20u);
                put_wrong(&sample, text, at, (uint8_t)text[at] ^ 0x01u);
                put_wrong(&sample, text, at, 0);
            }
        }
}

static void every_byte_in_every_lane(void **state)
{
    static struct sample sample;
    struct test_random random = {5};
    (void)state;

    for (size_t b = 0; b < COUNT(alphabets); b++) {
        make(&sample, alphabets[b], 30, &random);
        for (size_t at = 0; at < sample.text_len && at < 64; at++)
            for (unsigned byte = 0; byte < 256; byte++)
                put_wrong(&sample, sample.text, at, byte);
    }
}

/* Any number of characters, right or not, and either case. */
static void every_number_of_characters(void **state)
{
    static struct sample sample;
    struct test_random random = {6};
    (void)state;

    for (size_t b = 0; b < COUNT(bases); b++) {
        make(&sample, bases[b], 120, &random);
        for (size_t n = 1; n < 200 && n < strlen(sample.text); n++)
            for (unsigned change = 0; change < 3; change++) {
                char right = sample.text[n - 1];
                sample.text_len = n;
                if (change > 0 && right >= 'A')
                    sample.text[n - 1] ^= 0x20;
                put_wrong(&sample, sample.text, n - 1,
                          change == 2 ? (unsigned)sample.text[0] : (unsigned)sample.text[n - 1]);
                sample.text[n - 1] = right;
            }
    }
}

/* Both ways in all tiers, the portable one too, for data whose text is not looked at. */
static void there_and_back(enum cid_base base, const uint8_t *data, size_t len)
{
    static struct sample sample;
    uint8_t again[LONGEST];
    char text[TEXT];

    sample.base = base;
    sample.len = len;
    memcpy(sample.data, data, len);
    cid__cpu_mask(CID__CPU_TIER_PORTABLE);
    assert_error(cid_base_encode(sample.text, TEXT, &sample.text_len, data, len, base), CID_OK);
    both_ways(&sample, again, text);
    for (size_t i = 0; i < COUNT(tiers); i++)
        if (hold(i))
            both_ways(&sample, again, text);
}

static const struct {
    enum cid_base base;
    unsigned radix;
    char zero, last;
} numbers[] = {
    {CID_BASE36, 36, '0', 'z'},
    {CID_BASE36_UPPER, 36, '0', 'Z'},
    {CID_BASE58_BTC, 58, '1', 'z'},
    {CID_BASE58_FLICKR, 58, '1', 'Z'},
};

/* Where carries go furthest: powers of the radix and their neighbours, and the same of 256. */
static void numbers_that_carry(void **state)
{
    (void)state;
    for (size_t b = 0; b < COUNT(numbers); b++) {
        uint8_t data[LONGEST];
        char text[LONGEST];
        size_t len;

        for (size_t n = 1; n < 70; n++)
            for (size_t zeros = 0; zeros < n; zeros++) {
                memset(text, numbers[b].last, n); /* radix^(n - zeros) - 1 */
                memset(text, numbers[b].zero, zeros);
                cid__cpu_mask(CID__CPU_TIER_PORTABLE);
                assert_error(
                    cid_base_decode(data, sizeof data, &len, text, n, numbers[b].base, NULL),
                    CID_OK);
                there_and_back(numbers[b].base, data, len);
                for (size_t i = len; i-- > 0 && ++data[i] == 0;)
                    continue; /* and one more */
                there_and_back(numbers[b].base, data, len);
            }
        for (size_t n = 1; n < 50; n++)
            for (size_t zeros = 0; zeros <= n; zeros++) {
                memset(data, 0, n);
                memset(data + zeros, 0xff, n - zeros);
                there_and_back(numbers[b].base, data, n);
                memset(data + zeros, 0, n - zeros);
                if (zeros < n)
                    data[zeros] = 1;
                there_and_back(numbers[b].base, data, n);
            }
    }
}

/* The digits of a number by long division, a byte at a time. */
static size_t divide_long(char *out, const uint8_t *data, size_t len, unsigned radix,
                          const char *alphabet)
{
    uint8_t rest[LONGEST];
    char turned[TEXT];
    size_t count = 0, from = 0, zeros = 0;

    memcpy(rest, data, len);
    while (zeros < len && data[zeros] == 0)
        zeros++;
    for (from = zeros; from < len;) {
        unsigned digit = 0;
        for (size_t i = from; i < len; i++) {
            digit = digit << 8 | rest[i];
            rest[i] = (uint8_t)(digit / radix);
            digit %= radix;
        }
        turned[count++] = alphabet[digit];
        while (from < len && rest[from] == 0)
            from++;
    }
    memset(out, alphabet[0], zeros);
    for (size_t i = 0; i < count; i++)
        out[zeros + i] = turned[count - 1 - i];
    return zeros + count;
}

static void numbers_are_what_long_division_gives(void **state)
{
    static const struct {
        enum cid_base base;
        const char *alphabet;
    } by_hand[] = {
        {CID_BASE10, "0123456789"},
        {CID_BASE36, "0123456789abcdefghijklmnopqrstuvwxyz"},
        {CID_BASE58_BTC, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"},
    };
    struct test_random random = {7};
    (void)state;

    for (size_t b = 0; b < COUNT(by_hand); b++)
        for (size_t round = 0; round < 6; round++)
            for (size_t len = 1; len <= 100; len++) {
                uint8_t data[LONGEST];
                char want[TEXT], got[TEXT];
                size_t want_len, got_len;

                test_random_fill(&random, data, len);
                memset(data, 0, round < len ? round : len); /* zeros in front */
                want_len = divide_long(want, data, len, (unsigned)strlen(by_hand[b].alphabet),
                                       by_hand[b].alphabet);
                for (size_t i = 0; i <= COUNT(tiers); i++) {
                    cid__cpu_mask(i < COUNT(tiers) ? tiers[i].mask : CID__CPU_TIER_PORTABLE);
                    assert_error(
                        cid_base_encode(got, sizeof got, &got_len, data, len, by_hand[b].base),
                        CID_OK);
                    assert_int_equal(got_len, want_len);
                    assert_memory_equal(got, want, want_len);
                }
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_at_every_alignment),
        cmocka_unit_test(nothing_outside_is_touched),
        cmocka_unit_test(any_room_will_do),
        cmocka_unit_test(every_wrong_byte_is_seen),
        cmocka_unit_test(every_byte_in_every_lane),
        cmocka_unit_test(every_number_of_characters),
        cmocka_unit_test(numbers_that_carry),
        cmocka_unit_test(numbers_are_what_long_division_gives),
    };

    setup(NULL);
    for (size_t i = 0; i < COUNT(tiers); i++)
        if (!hold(i))
            printf("# not on this processor: %s\n", tiers[i].name);
    return cmocka_run_group_tests(tests, setup, teardown);
}
