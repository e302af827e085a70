/*
 * proquint: two bytes are a word of five letters, consonants of 4 bits and vowels of 2 in turn, and
 * a hyphen stands between words ("lusab-babad"). There is no form for an odd number of bytes.
 */
#include "multiformats/base.h"

#define WORD 5 /* letters */
#define STEP 6 /* characters from word to word */

static const char consonants[] = "bdfghjklmnprstvz";
static const char vowels[] = "aiou";

static size_t encoded_bound(size_t n, const struct cid__base *base)
{
    size_t words = cid__base_scale(n, 1, 2);
    size_t total = cid__base_scale(words, STEP, 1);

    (void)base;
    return words == 0 || total == SIZE_MAX ? total : total - 1;
}

static size_t decoded_bound(size_t n, const struct cid__base *base)
{
    (void)base;
    return n / STEP * 2 + (n % STEP == WORD ? 2 : 0);
}

static void put_word(char *out, unsigned pair)
{
    out[0] = consonants[pair >> 12];
    out[1] = vowels[pair >> 10 & 3];
    out[2] = consonants[pair >> 6 & 15];
    out[3] = vowels[pair >> 4 & 3];
    out[4] = consonants[pair & 15];
}

static enum cid_error encode(char *out, size_t cap, size_t *written, const uint8_t *in, size_t n,
                             const struct cid__base *base)
{
    size_t total = encoded_bound(n, base);

    if (n % 2 != 0)
        return CID_E_BASE_LENGTH;
    if (total == SIZE_MAX)
        return CID_E_TOO_LARGE;
    *written = total;
    if (total > cap)
        return CID_E_NOSPACE;
    for (size_t i = 0; i < n; i += 2, out += STEP) {
        if (i != 0)
            out[-1] = '-';
        put_word(out, (unsigned)in[i] << 8 | in[i + 1]);
    }
    return CID_OK;
}

/* Adds what stands at a place of a word (the hyphen's included); false: it may not stand there. */
static bool add(unsigned *pair, unsigned place, char c)
{
    const char *letters = place % 2 == 0 ? consonants : vowels;
    unsigned bits = place % 2 == 0 ? 4 : 2;

    if (place == WORD)
        return c == '-';
    for (unsigned i = 0; i < 1u << bits; i++) {
        if (letters[i] == c) {
            *pair = *pair << bits | i;
            return true;
        }
    }
    return false;
}

/* Reads all of it, and writes it if out is not NULL. */
static enum cid_error walk(uint8_t *out, size_t *bad, const char *text, size_t n, uint32_t allow)
{
    unsigned pair = 0, place = 0;
    bool whole = true; /* no word is begun, and none is announced by a hyphen */

    for (size_t at = cid__base_skip(text, 0, n, allow); at < n;
         at = cid__base_skip(text, at + 1, n, allow)) {
        if (!add(&pair, place, text[at])) {
            *bad = at;
            return CID_E_BASE_CHAR;
        }
        place = (place + 1) % STEP;
        whole = place == WORD;
        if (whole && out) {
            *out++ = (uint8_t)(pair >> 8);
            *out++ = (uint8_t)pair;
        }
    }
    *bad = n;
    return whole ? CID_OK : CID_E_BASE_LENGTH;
}

static enum cid_error check(size_t *size, size_t *bad, const char *text, size_t n,
                            const struct cid__base *base, uint32_t allow)
{
    enum cid_error error = walk(NULL, bad, text, n, allow);
    if (!error)
        *size = decoded_bound(n - cid__base_line_ends(text, n, allow), base);
    return error;
}

static bool decode(uint8_t *out, size_t cap, size_t *written, const char *text, size_t n,
                   const struct cid__base *base, uint32_t allow)
{
    size_t bad;

    *written = decoded_bound(n - cid__base_line_ends(text, n, allow), base);
    return *written <= cap && walk(out, &bad, text, n, allow) == CID_OK;
}

const struct cid__base_family cid__base_proquint = {encoded_bound, decoded_bound, encode, decode,
                                                    check};
