/*
 * json.h - a JSON writer that cannot be made to write broken JSON: it places all commas, colons,
 * quotes and escapes, and keeps count of the nesting. Specification: RFC 8259.
 *
 * The writer appends to a buffer of the caller's and hands full buffers to a function. The first
 * failure is kept; after it all calls do nothing, and cid_json_finish returns it. So the calls in
 * between need no check.
 *
 * Threads: a writer belongs to one thread at a time.
 */
#ifndef CID_JSON_H
#define CID_JSON_H

#include <cid/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How deep objects and arrays may nest. */
#define CID_JSON_DEPTH 64

/* A writer. Its members are the library's; it may live on the stack and needs no closing. */
struct cid_json {
    char *buf;
    size_t cap;
    size_t len;
    enum cid_error (*flush)(void *ctx, const char *text, size_t len);
    void *ctx;
    enum cid_error error;
    uint32_t depth;
    uint64_t in_object; /* a bit a level */
    uint64_t not_first; /* a bit a level */
    bool after_key;
    bool done; /* a whole value stands at the top level */
};

/*
 * Starts a writer on a buffer of cap bytes. flush gets the text, a piece at a time; without flush
 * (NULL) the whole text must fit the buffer. A failure of flush is kept and handed on.
 */
CID_API void cid_json_begin(struct cid_json *json, char *buf, size_t cap,
                            enum cid_error (*flush)(void *ctx, const char *text, size_t len),
                            void *ctx);

/* Opens and closes objects and arrays. Kept: CID_E_ARGUMENT for a call out of place,
 * CID_E_DEPTH_LIMIT below CID_JSON_DEPTH levels. */
CID_API void cid_json_object_begin(struct cid_json *json);
CID_API void cid_json_object_end(struct cid_json *json);
CID_API void cid_json_array_begin(struct cid_json *json);
CID_API void cid_json_array_end(struct cid_json *json);

/* A key of the object that is open, NUL-terminated; its value must follow. */
CID_API void cid_json_key(struct cid_json *json, const char *key);

/*
 * A string of len bytes. Quotes, backslashes and control characters (U+0000 to U+001F and U+007F to
 * U+009F) are escaped; bytes that are not UTF-8 become U+FFFD, one for each maximal ill-formed
 * part.
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
 * Ends the text: hands what is left to flush. With a newline the writer is ready for another value,
 * as JSON lines want it. *written (may be NULL) is the length of what stands in the buffer when
 * there is no flush. Returns the first failure: CID_E_ARGUMENT for calls out of place or a value
 * that is not whole, CID_E_NOSPACE for a buffer too small without flush, or that of flush.
 */
CID_API CID_MUST_USE enum cid_error cid_json_finish(struct cid_json *json, size_t *written,
                                                    bool newline);

#ifdef __cplusplus
}
#endif

#endif
