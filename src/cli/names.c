#include "names.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *codec_known(uint64_t code)
{
    struct cid_multicodec row;
    return cid_multicodec_by_code(&row, code) ? NULL : row.name;
}

const char *hash_known(uint64_t code)
{
    struct cid_hash_info info;
    struct cid_multicodec row;

    if (!cid_hash_by_code(&info, code))
        return info.name;
    if (cid_multicodec_by_code(&row, code))
        return NULL;
    return strcmp(row.tag, "multihash") == 0 || strcmp(row.tag, "hash") == 0 ? row.name : NULL;
}

static const char *name_or_number(char buf[NAME_SIZE], const char *name, uint64_t code)
{
    if (name)
        return name;
    snprintf(buf, NAME_SIZE, "0x%" PRIx64, code);
    return buf;
}

const char *codec_name(char buf[NAME_SIZE], uint64_t code)
{
    return name_or_number(buf, codec_known(code), code);
}

const char *hash_name(char buf[NAME_SIZE], uint64_t code)
{
    return name_or_number(buf, hash_known(code), code);
}

struct cid_base_info base_info(enum cid_base base)
{
    struct cid_base_info info = {base, "?", "?", "", false};
    if (cid_base_by_code(&info, (uint32_t)base))
        info.name = "?";
    return info;
}

static bool complain(struct cli *cli, const char *what, const char *text, const char *list)
{
    struct output *err = cli_message(cli);

    out_print(err, "%s: there is no %s ", cli->command, what);
    text_put(err, text, strlen(text));
    out_print(err, "\n'cid-inspect %s' lists them.\n", list);
    cli_message_end(cli);
    cli_status(cli, STATUS_USAGE);
    return false;
}

bool parse_base(struct cli *cli, enum cid_base *base, const char *text)
{
    struct cid_base_info info;

    if (!text)
        return true;
    if (cid_base_by_name(&info, text, strlen(text)))
        return complain(cli, "base", text, "bases");
    *base = info.base;
    return true;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

/* A number of at most 63 bits, in decimal or after 0x in hexadecimal. */
static bool parse_number(uint64_t *number, const char *text)
{
    unsigned base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
    uint64_t value = 0;
    const char *at = base == 16 ? text + 2 : text;

    if (*at == '\0')
        return false;
    for (; *at != '\0'; at++) {
        unsigned digit = (unsigned)digit_of(*at);
        if (digit >= base || value > (CID_VARINT_MAX - digit) / base)
            return false;
        value = value * base + digit;
    }
    *number = value;
    return true;
}

bool parse_codec(struct cli *cli, uint64_t *code, const char *text)
{
    struct cid_multicodec row;

    if (!text || parse_number(code, text))
        return true;
    if (cid_multicodec_by_name(&row, text, strlen(text)))
        return complain(cli, "codec", text, "codecs");
    *code = row.code;
    return true;
}

bool parse_hash(struct cli *cli, uint64_t *code, const char *text)
{
    struct cid_hash_info info;

    if (!text || parse_number(code, text))
        return true;
    if (cid_hash_by_name(&info, text, strlen(text)))
        return complain(cli, "hash function", text, "hashes");
    *code = info.code;
    return true;
}

char *cid_text(const struct cid_view *view, enum cid_base base)
{
    size_t size = 0;
    char *text;

    if (cid_text_size(&size, view, base))
        return NULL;
    text = cli_alloc(size + 1);
    if (!cid_format(text, size + 1, NULL, view, base))
        return text;
    free(text);
    return NULL;
}

char *digits(const void *data, size_t len, enum cid_base base)
{
    size_t size = cid_multibase_encoded_bound(base, len);
    char *text;

    if (size == SIZE_MAX)
        return NULL;
    text = cli_alloc(size + 1);
    if (!cid_base_encode(text, size + 1, NULL, data, len, base))
        return text;
    free(text);
    return NULL;
}
