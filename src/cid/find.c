#include "cid/find.h"

#include <string.h>

/* A text under way: what is still to be read. */
struct rest {
    const char *at;
    size_t len;
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether the rest starts with a word, case aside; if so it is passed over. */
static bool skip(struct rest *rest, const char *word)
{
    size_t len = strlen(word);
    if (rest->len < len)
        return false;
    for (size_t i = 0; i < len; i++)
        if (lower(rest->at[i]) != word[i])
            return false;
    rest->at += len;
    rest->len -= len;
    return true;
}

static bool skip_any(struct rest *rest, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (skip(rest, words[i]))
            return true;
    return false;
}

/* How many bytes come before the first of the marks. */
static size_t until(const struct rest *rest, const char *marks)
{
    size_t i = 0;
    while (i < rest->len && (rest->at[i] == '\0' || !strchr(marks, rest->at[i])))
        i++;
    return i;
}

static bool skip_namespace(struct rest *rest)
{
    static const char *const names[] = {"/ipfs/", "/ipns/", "/ipld/"};
    return skip_any(rest, names, sizeof names / sizeof names[0]);
}

/* A gateway URL behind its scheme: host/ipfs/CID…, or CID.ipfs.host…; *len is that of the CID. */
static bool find_in_url(struct rest *rest, size_t *len)
{
    static const char *const labels[] = {".ipfs.", ".ipns.", ".ipld."};
    size_t host = until(rest, "/?#");
    struct rest path = {rest->at + host, rest->len - host};
    size_t label = until(rest, "./?#");
    struct rest domain = {rest->at + label, host - label};

    if (skip_any(&domain, labels, sizeof labels / sizeof labels[0])) {
        *len = label;
        return true;
    }
    if (!skip_namespace(&path))
        return false;
    *rest = path;
    *len = until(rest, "/?#");
    return true;
}

/* What comes before the CID is passed over, *len is its length, *at_host: a host name follows it.
 */
static bool locate(struct rest *rest, size_t *len, bool *at_host)
{
    static const char *const schemes[] = {"ipfs://", "ipns://", "ipld://"};
    static const char *const web[] = {"http://", "https://"};
    const char *start;

    *at_host = false;
    (void)skip(rest, "dweb:"); /* a namespace path follows */
    if (skip_any(rest, schemes, sizeof schemes / sizeof schemes[0]) || skip_namespace(rest)) {
        *len = until(rest, "/?#");
        return true;
    }
    if (skip_any(rest, web, sizeof web / sizeof web[0])) {
        start = rest->at;
        if (!find_in_url(rest, len))
            return false;
        *at_host = rest->at == start;
        return true;
    }
    /* Bare text, and all of it: '/' is a digit of base64. */
    *len = rest->len;
    return rest->len == 0 || rest->at[0] != '/';
}

enum cid_error cid__locate(struct cid_found *out, const char *text, size_t text_len)
{
    struct rest rest = {text, text_len};
    bool at_host = false;
    size_t len = 0;

    if (!locate(&rest, &len, &at_host))
        return CID_E_NO_CID;
    out->base = CID_BASE_DEFAULT;
    out->cid_at = (size_t)(rest.at - text);
    out->cid_len = len;
    rest.at += len;
    rest.len -= len;
    /* Behind a host name the path begins at the first '/', '?' or '#'. */
    out->rest_at = (size_t)(rest.at - text) + (at_host ? until(&rest, "/?#") : 0);
    out->rest_len = text_len - out->rest_at;
    return CID_OK;
}

enum cid_error cid_find(struct cid *out, struct cid_found *found, const char *text, size_t text_len,
                        const struct cid_allocator *alloc)
{
    struct cid_found at;
    enum cid_error error = cid__locate(&at, text, text_len);

    if (error) {
        memset(out, 0, sizeof *out);
        return error;
    }
    error = cid_parse_with(out, &at.base, text + at.cid_at, at.cid_len, NULL, alloc);
    if (!error && found)
        *found = at;
    return error;
}
