/*
 * json.h - JSON at speed: a writer that cannot be made to write broken JSON, and a strict pull
 * reader. Specification: RFC 8259.
 *
 * The writer places all commas, colons, quotes and escapes, and keeps count of the nesting. It
 * appends to a buffer of the caller's and hands full buffers to a function. The first failure is
 * kept; after it all calls do nothing, and cid_json_finish returns it. So the calls in between need
 * no check.
 *
 * The reader gives one item a call, in the order of the text. It neither allocates nor copies:
 * strings are pieces of the text, and only those with escapes need cid_json_unescape. A failure is
 * final, and cid_json_reader_fault says where.
 *
 * Threads: a writer or reader belongs to one thread at a time.
 */
#ifndef CID_JSON_H
#define CID_JSON_H

#include <cid/common.h>

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How deep objects and arrays may nest. */
#define CID_JSON_DEPTH 1024

/* ---- writer ----------------------------------------------------------------------------- */

/* A writer. Its members are the library's; it may live on the stack and needs no closing. */
struct cid_json {
    char *buf;
    size_t cap;
    size_t len;
    enum cid_error (*flush)(void *ctx, const char *text, size_t len);
    void *ctx;
    enum cid_error error;
    uint32_t depth;
    uint32_t indent;                       /* blanks a level; 0: all on one line */
    uint8_t place;                         /* what may come next */
    uint64_t objects[CID_JSON_DEPTH / 64]; /* which of the levels outside are objects, a bit each */
};

/*
 * Starts a writer on a buffer of cap bytes. flush gets the text, a piece at a time; without flush
 * (NULL) the whole text must fit the buffer. A failure of flush is kept and handed on.
 */
CID_API void cid_json_begin(struct cid_json *json, char *buf, size_t cap,
                            enum cid_error (*flush)(void *ctx, const char *text, size_t len),
                            void *ctx);

/*
 * The same for people to read: a line an item, `indent` blanks a level (at most 16), a blank behind
 * colons. Empty objects and arrays stay on their line.
 */
CID_API void cid_json_begin_pretty(struct cid_json *json, char *buf, size_t cap,
                                   enum cid_error (*flush)(void *ctx, const char *text, size_t len),
                                   void *ctx, unsigned indent);

/* Opens and closes objects and arrays. Kept: CID_E_ARGUMENT for a call out of place,
 * CID_E_DEPTH_LIMIT below CID_JSON_DEPTH levels. */
CID_API void cid_json_object_begin(struct cid_json *json);
CID_API void cid_json_object_end(struct cid_json *json);
CID_API void cid_json_array_begin(struct cid_json *json);
CID_API void cid_json_array_end(struct cid_json *json);

/* A key of len bytes, written as cid_json_string writes, of the object that is open; its value must
 * follow. */
CID_API void cid_json_key_string(struct cid_json *json, const char *key, size_t len);

/* A key, NUL-terminated. In line, so that the compiler counts the characters of a literal. */
static inline void cid_json_key(struct cid_json *json, const char *key)
{
    cid_json_key_string(json, key, key ? strlen(key) : 1); /* NULL with a length is refused */
}

/*
 * A string of len bytes. Quotes, backslashes, control characters (U+0000 to U+001F and U+007F to
 * U+009F), and what would break lines or turn the direction of text, are escaped; bytes that are
 * not UTF-8 become U+FFFD, one for each maximal ill-formed part.
 */
CID_API void cid_json_string(struct cid_json *json, const char *text, size_t len);

/* A NUL-terminated string; NULL is null. */
CID_API void cid_json_text(struct cid_json *json, const char *text);

/* A string of lower-case hexadecimal digits. */
CID_API void cid_json_hex(struct cid_json *json, const uint8_t *bytes, size_t len);

/* A number, true or false, null. */
CID_API void cid_json_u64(struct cid_json *json, uint64_t value);
CID_API void cid_json_i64(struct cid_json *json, int64_t value);
CID_API void cid_json_bool(struct cid_json *json, bool value);
CID_API void cid_json_null(struct cid_json *json);

/*
 * A number with the fewest digits that read back as the same value, whatever the locale: "0.1",
 * "1.0", "1e+21", "-0.0". Kept: CID_E_ARGUMENT for NaN and infinities, which JSON does not have.
 */
CID_API void cid_json_double(struct cid_json *json, double value);

/* A number as text. Kept: CID_E_ARGUMENT if it is no JSON number. */
CID_API void cid_json_number(struct cid_json *json, const char *text, size_t len);

/*
 * Ends the text: hands what is left to flush. With a newline the writer is ready for another value,
 * as JSON lines want it. *written (may be NULL) is the length of what stands in the buffer when
 * there is no flush. Returns the first failure: CID_E_ARGUMENT for calls out of place or a value
 * that is not whole, CID_E_NOSPACE for a buffer too small without flush, or that of flush.
 */
CID_API CID_MUST_USE enum cid_error cid_json_finish(struct cid_json *json, size_t *written,
                                                    bool newline);

/* ---- reader ----------------------------------------------------------------------------- */

enum cid_json_kind {
    CID_JSON_OBJECT, /* '{'; keys and values follow in turn, then CID_JSON_OBJECT_END */
    CID_JSON_OBJECT_END,
    CID_JSON_ARRAY, /* '['; elements follow, then CID_JSON_ARRAY_END */
    CID_JSON_ARRAY_END,
    CID_JSON_KEY,
    CID_JSON_STRING,
    CID_JSON_NUMBER,
    CID_JSON_TRUE,
    CID_JSON_FALSE,
    CID_JSON_NULL
};

/* An item. text points into what is read and lives as long as that. */
struct cid_json_item {
    enum cid_json_kind kind;
    bool escaped;     /* keys and strings: there are escapes in the text */
    const char *text; /* keys and strings: what stands between the quotes; numbers: the number */
    size_t len;
    size_t offset; /* of the item's first byte in the whole text */
    size_t depth;  /* how many objects and arrays are around it; the same for begin and end */
};

/* How many bytes a reader looks through at once, at most, and how many marks it puts there. */
#define CID_JSON_PIECE 4096
#define CID_JSON_MARKS 512

/* A reader. Its members are the library's; it may live on the stack and needs no closing. */
struct cid_json_reader {
    const char *start;
    const char *at;
    const char *end;
    size_t depth;
    size_t max_depth;
    uint8_t state;
    bool in_object;
    const char *space; /* the first white space there was; NULL: none */
    const char *piece; /* what has been looked through last */
    size_t piece_len;
    uint64_t high;                             /* bytes above 0x7f in it, a bit for each 64 */
    size_t mark;                               /* mostly the first one not before `at` */
    size_t marks_len;                          /* how many there are */
    size_t quick;                              /* the same without those at the end of the text */
    uint16_t marks[CID_JSON_MARKS];            /* where a string may end, counted from piece */
    uint64_t objects[CID_JSON_DEPTH / 64 + 1]; /* in_object of the levels outside, a bit each */
    struct cid_fault fault;
};

/*
 * Starts a reader on len bytes, which must outlive it. max_depth is how deep objects and arrays may
 * nest: 0, or more than CID_JSON_DEPTH, stands for CID_JSON_DEPTH.
 */
CID_API void cid_json_reader_begin(struct cid_json_reader *reader, const char *text, size_t len,
                                   size_t max_depth);

/*
 * Gives the next item. CID_END: the one value, and white space behind it, was the whole text.
 * A failure is final; later calls return it again.
 *
 * CID_E_TRUNCATED: the text ends too early. CID_E_TRAILING: something stands behind the value.
 * CID_E_JSON_SYNTAX, CID_E_JSON_STRING, CID_E_JSON_UTF8, CID_E_JSON_SURROGATE, CID_E_JSON_NUMBER,
 * CID_E_DEPTH_LIMIT. Duplicate keys are not looked for.
 */
CID_API CID_MUST_USE enum cid_error cid_json_next(struct cid_json_reader *reader,
                                                  struct cid_json_item *item);

/*
 * Reads on until an item is complete: the one that was given last, for a key its value, or an
 * object or array that has been read in part. What is passed over is checked like everything else,
 * but no items are made of it. Errors as cid_json_next.
 */
CID_API CID_MUST_USE enum cid_error cid_json_skip(struct cid_json_reader *reader,
                                                  const struct cid_json_item *item);

/*
 * Looks in the object that is being read, from the place on, for the next member whose key is that
 * text of len bytes, however it is escaped, and gives its value: the first item of it, if it is an
 * object or array. If there is none, the item is the end of the object, CID_JSON_OBJECT_END, which
 * no value is. Members before it are passed over as by cid_json_skip; behind a key, its value is,
 * too. To go through all members with that key is to call it until the object ends.
 *
 * Errors as cid_json_next. CID_E_ARGUMENT: what is being read is an array, or neither that nor an
 * object; nothing is read then, and the reader may be used on.
 */
CID_API CID_MUST_USE enum cid_error cid_json_find_string(struct cid_json_reader *reader,
                                                         struct cid_json_item *item,
                                                         const char *key, size_t len);

/* The same for a NUL-terminated key. In line, so that the characters of a literal are counted by
 * the compiler. */
CID_MUST_USE static inline enum cid_error cid_json_find(struct cid_json_reader *reader,
                                                        struct cid_json_item *item, const char *key)
{
    return cid_json_find_string(reader, item, key, strlen(key));
}

/*
 * The last failure: code, and offset in the text; need is the limit for CID_E_DEPTH_LIMIT. All-zero
 * code if there was none. It lives as long as the reader.
 */
CID_API const struct cid_fault *cid_json_reader_fault(const struct cid_json_reader *reader);

/*
 * Writes a key or string without its escapes, in UTF-8, to out, which may be NULL when cap is 0.
 * *written (may be NULL) is the length; no NUL is added. It is never longer than item->len.
 * CID_E_NOSPACE. CID_E_ARGUMENT: neither a key nor a string.
 */
CID_API CID_MUST_USE enum cid_error cid_json_unescape(char *out, size_t cap, size_t *written,
                                                      const struct cid_json_item *item);

/* Whether a key or string is that text of len bytes, however it is escaped. */
CID_API bool cid_json_is_string(const struct cid_json_item *item, const char *text, size_t len);

/* The same for a NUL-terminated text. In line, so that a literal costs a comparison or two. */
static inline bool cid_json_is(const struct cid_json_item *item, const char *text)
{
    size_t len = strlen(text);

    if (item->escaped)
        return cid_json_is_string(item, text, len);
    return item->len == len && (item->kind == CID_JSON_KEY || item->kind == CID_JSON_STRING) &&
           memcmp(item->text, text, len) == 0;
}

/*
 * A number as an integer: no fraction, no exponent. CID_E_JSON_RANGE: it does not fit.
 * CID_E_ARGUMENT: no number, or no integer.
 */
CID_API CID_MUST_USE enum cid_error cid_json_read_u64(uint64_t *out,
                                                      const struct cid_json_item *item);
CID_API CID_MUST_USE enum cid_error cid_json_read_i64(int64_t *out,
                                                      const struct cid_json_item *item);

/*
 * A number as the double nearest to it, ties to even, whatever the locale. CID_E_JSON_RANGE: it is
 * beyond the largest double. CID_E_ARGUMENT: no number.
 */
CID_API CID_MUST_USE enum cid_error cid_json_read_double(double *out,
                                                         const struct cid_json_item *item);

/*
 * Writes an item that a reader gave, so that a loop over cid_json_next copies or reformats a text.
 * Escapes are written as the writer writes them, numbers stay as they are. Kept: CID_E_ARGUMENT for
 * an item out of place.
 */
CID_API void cid_json_copy(struct cid_json *json, const struct cid_json_item *item);

#ifdef __cplusplus
}
#endif

#endif
