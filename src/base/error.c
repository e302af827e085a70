#include <cid/common.h>

#define STRING_(x) #x
#define STRING(x)  STRING_(x)

const char *cid_version(void)
{
    return STRING(CID_VERSION_MAJOR) "." STRING(CID_VERSION_MINOR) "." STRING(CID_VERSION_PATCH);
}

/* All codes, layer by layer: code, name, sentence. */
#define COMMON_ROWS(ROW)                                                                           \
    ROW(CID_OK, "ok", "no error")                                                                  \
    ROW(CID_END, "end", "the end of the sequence")                                                 \
    ROW(CID_E_NOMEM, "nomem", "out of memory")                                                     \
    ROW(CID_E_NOSPACE, "nospace", "the buffer is too small")                                       \
    ROW(CID_E_ARGUMENT, "argument", "the call is wrong")                                           \
    ROW(CID_E_IO, "io", "reading or writing failed")                                               \
    ROW(CID_E_TOO_LARGE, "too_large", "the size does not fit the machine")                         \
    ROW(CID_E_NOT_FOUND, "not_found", "not found")                                                 \
    ROW(CID_E_TRUNCATED, "truncated", "the input ends too early")                                  \
    ROW(CID_E_TRAILING, "trailing", "bytes are left over at the end")

#define MULTIFORMATS_ROWS(ROW)                                                                     \
    ROW(CID_E_VARINT_NOT_MINIMAL, "varint_not_minimal", "the varint is not minimally encoded")     \
    ROW(CID_E_VARINT_OVERFLOW, "varint_overflow", "the varint has more than 9 bytes or 63 bits")   \
    ROW(CID_E_BASE_UNKNOWN, "base_unknown", "the first character is no multibase prefix")          \
    ROW(CID_E_BASE_RESERVED, "base_reserved",                                                      \
        "the first character is a reserved multibase prefix")                                      \
    ROW(CID_E_BASE_CHAR, "base_char", "a character is not in the alphabet of the base")            \
    ROW(CID_E_BASE_LENGTH, "base_length", "the number of characters is impossible in the base")    \
    ROW(CID_E_BASE_PADDING, "base_padding",                                                        \
        "the padding with \"=\" is missing, superfluous or misplaced")                             \
    ROW(CID_E_BASE_BITS, "base_bits", "the spare bits of the last character are not zero")         \
    ROW(CID_E_BASE_RANGE, "base_range", "a group of characters is out of range")                   \
    ROW(CID_E_TEXT_EMPTY, "text_empty", "the text is empty")                                       \
    ROW(CID_E_TEXT_LIMIT, "text_limit", "the text is longer than the limit")                       \
    ROW(CID_E_HASH_UNKNOWN, "hash_unknown", "the hash function is unknown")                        \
    ROW(CID_E_HASH_ABSENT, "hash_absent", "this build does not have the hash function")            \
    ROW(CID_E_DIGEST_LENGTH, "digest_length", "the hash function has no digests of that length")   \
    ROW(CID_E_MISMATCH, "mismatch", "the data does not match the digest")                          \
    ROW(CID_E_UNVERIFIABLE, "unverifiable", "the data cannot be verified")

#define CID_ROWS(ROW)                                                                              \
    ROW(CID_E_CID_VERSION, "cid_version", "there is no such CID version")                          \
    ROW(CID_E_CID_RESERVED, "cid_reserved", "the CID version is reserved")                         \
    ROW(CID_E_CID_EXPLICIT_V0, "cid_explicit_v0", "CID version 0 must not be written out")         \
    ROW(CID_E_V0_LENGTH, "v0_length", "a CIDv0 has 46 characters")                                 \
    ROW(CID_E_V0_IN_BASE, "v0_in_base", "a bare multihash or CIDv0 must not stand in multibase")   \
    ROW(CID_E_V0_BASE, "v0_base", "a CIDv0 has no other base than base58btc")                      \
    ROW(CID_E_V0_CODEC, "v0_codec", "a CIDv0 needs the codec dag-pb")                              \
    ROW(CID_E_V0_HASH, "v0_hash", "a CIDv0 needs a sha2-256 digest of 32 bytes")                   \
    ROW(CID_E_LINK_PREFIX, "link_prefix", "a binary link must start with the byte 00")             \
    ROW(CID_E_NO_CID, "no_cid", "there is no CID in this path or URL")                             \
    ROW(CID_E_IDENTITY_LIMIT, "identity_limit", "the identity CID is longer than the limit")       \
    ROW(CID_E_PROFILE_BASE, "profile_base",                                                        \
        "the profile wants lower-case base32 with the prefix \"b\"")                               \
    ROW(CID_E_PROFILE_VERSION, "profile_version", "the profile wants CID version 1")               \
    ROW(CID_E_PROFILE_CODEC, "profile_codec", "the profile wants the codec raw or dag-cbor")       \
    ROW(CID_E_PROFILE_HASH, "profile_hash", "the profile wants sha2-256")                          \
    ROW(CID_E_PROFILE_LENGTH, "profile_length", "the profile wants a digest of 32 bytes")

#define DAG_ROWS(ROW)                                                                              \
    ROW(CID_E_CBOR_HEAD, "cbor_head", "a CBOR initial byte is reserved or of indefinite length")   \
    ROW(CID_E_CBOR_NOT_MINIMAL, "cbor_not_minimal",                                                \
        "a CBOR number or length is longer than need be")                                          \
    ROW(CID_E_CBOR_KEY_TYPE, "cbor_key_type", "a CBOR map key is no text string")                  \
    ROW(CID_E_CBOR_KEY_ORDER, "cbor_key_order", "CBOR map keys are not sorted")                    \
    ROW(CID_E_CBOR_KEY_TWICE, "cbor_key_twice", "a CBOR map key occurs twice")                     \
    ROW(CID_E_CBOR_TAG, "cbor_tag", "a CBOR tag is not 42, or is on no link")                      \
    ROW(CID_E_CBOR_UTF8, "cbor_utf8", "a CBOR text string is not UTF-8")                           \
    ROW(CID_E_CBOR_FLOAT, "cbor_float", "a CBOR float is NaN, infinite or short")                  \
    ROW(CID_E_CBOR_SIMPLE, "cbor_simple", "a CBOR simple value is neither false, true nor null")   \
    ROW(CID_E_DEPTH_LIMIT, "depth_limit", "nested deeper than the limit")                          \
    ROW(CID_E_JSON_SYNTAX, "json_syntax", "a character cannot stand there in JSON")                \
    ROW(CID_E_JSON_STRING, "json_string",                                                          \
        "a JSON string holds a bare control character or an unknown escape")                       \
    ROW(CID_E_JSON_UTF8, "json_utf8", "a JSON string is not UTF-8")                                \
    ROW(CID_E_JSON_SURROGATE, "json_surrogate", "a JSON escape is half a surrogate pair")          \
    ROW(CID_E_JSON_NUMBER, "json_number", "a number is not written as JSON has it")                \
    ROW(CID_E_JSON_RANGE, "json_range", "a JSON number is out of range")                           \
    ROW(CID_E_JSON_SPELLING, "json_spelling",                                                      \
        "white space, an escape or a number is not in DAG-JSON's one spelling")                    \
    ROW(CID_E_JSON_KEY_ORDER, "json_key_order", "JSON object keys are not sorted")                 \
    ROW(CID_E_JSON_KEY_TWICE, "json_key_twice", "a JSON object key occurs twice")                  \
    ROW(CID_E_JSON_RESERVED, "json_reserved",                                                      \
        "an object that starts with the key \"/\" is neither a link nor bytes")                    \
    ROW(CID_E_JSON_LINK_BASE, "json_link_base",                                                    \
        "a DAG-JSON link is neither a CIDv0 nor a CIDv1 in lower-case base32")                     \
    ROW(CID_E_PB_FIELD, "pb_field", "DAG-PB has no such field or wire type")                       \
    ROW(CID_E_PB_ORDER, "pb_order", "a DAG-PB field is repeated or out of order")                  \
    ROW(CID_E_PB_NO_HASH, "pb_no_hash", "a DAG-PB link has no hash")                               \
    ROW(CID_E_PB_UTF8, "pb_utf8", "the name of a DAG-PB link is not UTF-8")                        \
    ROW(CID_E_PB_SHAPE, "pb_shape", "the value is no DAG-PB node")                                 \
    ROW(CID_E_PB_LINK_ORDER, "pb_link_order", "DAG-PB links are not sorted by name")               \
    ROW(CID_E_DAG_CODEC, "dag_codec", "libcid does not read or write blocks of that codec")        \
    ROW(CID_E_DAG_VALUE, "dag_value", "the other codec has no such value")

#define CAR_ROWS(ROW)                                                                              \
    ROW(CID_E_CAR_EMPTY, "car_empty", "the file is empty")                                         \
    ROW(CID_E_CAR_KIND, "car_kind", "this is not a CAR")                                           \
    ROW(CID_E_CAR_VERSION, "car_version", "the CAR version is not supported")                      \
    ROW(CID_E_HEADER_EMPTY, "header_empty", "the header has length 0")                             \
    ROW(CID_E_HEADER_LIMIT, "header_limit", "the header is longer than the limit")                 \
    ROW(CID_E_HEADER_TYPE, "header_type", "the header has the wrong shape")                        \
    ROW(CID_E_HEADER_NO_VERSION, "header_no_version", "the header has no version")                 \
    ROW(CID_E_HEADER_NO_ROOTS, "header_no_roots", "the header has no roots")                       \
    ROW(CID_E_HEADER_ROOT, "header_root", "a root in the header is no CID")                        \
    ROW(CID_E_HEADER_STRICT, "header_strict", "the header is not as the specification wants it")   \
    ROW(CID_E_V2_DATA_OFFSET, "v2_data_offset", "the CARv2 data offset is impossible")             \
    ROW(CID_E_V2_DATA_SIZE, "v2_data_size", "the CARv2 data size is impossible")                   \
    ROW(CID_E_V2_INDEX_OFFSET, "v2_index_offset", "the CARv2 index offset is impossible")          \
    ROW(CID_E_V2_INNER, "v2_inner", "the CARv2 payload is no CARv1")                               \
    ROW(CID_E_SECTION_EMPTY, "section_empty",                                                      \
        "a section has length 0; it looks like zero padding")                                      \
    ROW(CID_E_SECTION_LIMIT, "section_limit", "the section is longer than the limit")              \
    ROW(CID_E_SECTION_SHORT, "section_short", "the section is shorter than its CID")               \
    ROW(CID_E_PADDING, "padding", "something stands behind the zero padding")                      \
    ROW(CID_E_INDEX_CODEC, "index_codec", "the kind of index is not known")                        \
    ROW(CID_E_INDEX_COUNT, "index_count", "a count in the index is impossible")                    \
    ROW(CID_E_INDEX_WIDTH, "index_width", "entries of the index are too narrow for an offset")     \
    ROW(CID_E_INDEX_LENGTH, "index_length",                                                        \
        "the length of the index entries is no multiple of their width")                           \
    ROW(CID_E_INDEX_ORDER, "index_order", "the index is out of order")                             \
    ROW(CID_E_INDEX_TWICE, "index_twice", "a code or width occurs twice in the index")             \
    ROW(CID_E_INDEX_RANGE, "index_range", "an index entry points at no section")                   \
    ROW(CID_E_INDEX_ENTRY, "index_entry", "an index entry points at another block")                \
    ROW(CID_E_INDEX_ABSENT, "index_absent", "there is no index to find blocks by")                 \
    ROW(CID_E_ROOTS_ROOM, "roots_room",                                                            \
        "the header does not take exactly the room reserved for it")                               \
    ROW(CID_E_SEEK, "seek",                                                                        \
        "the output cannot go back, so roots and sizes must be known beforehand")                  \
    ROW(CID_E_DATA_SIZE, "data_size", "the payload is not as long as was announced")               \
    ROW(CID_E_OUTPUT_KIND, "output_kind",                                                          \
        "something that is no regular file has the name of the output")

#define ROW(error, name, sentence)                                                                 \
    case error:                                                                                    \
        return text ? sentence : name;

/* The name if text is false, else the sentence. */
static const char *describe(enum cid_error error, bool text)
{
    switch (error) {
        COMMON_ROWS(ROW)
        MULTIFORMATS_ROWS(ROW)
        CID_ROWS(ROW)
        DAG_ROWS(ROW)
        CAR_ROWS(ROW)
    }
    return text ? "unknown error" : "unknown";
}

#undef ROW

const char *cid_error_name(enum cid_error error)
{
    return describe(error, false);
}

const char *cid_error_text(enum cid_error error)
{
    return describe(error, true);
}

const char *cid_field_name(enum cid_field field)
{
    switch (field) {
    case CID_FIELD_NONE:
        return "";
    case CID_FIELD_BASE:
        return "base";
    case CID_FIELD_VERSION:
        return "version";
    case CID_FIELD_CODEC:
        return "codec";
    case CID_FIELD_HASH:
        return "hash";
    case CID_FIELD_LENGTH:
        return "length";
    case CID_FIELD_DIGEST:
        return "digest";
    case CID_FIELD_TRAILING:
        return "trailing";
    case CID_FIELD_HEADER:
        return "header";
    case CID_FIELD_ROOT:
        return "root";
    case CID_FIELD_SECTION:
        return "section";
    case CID_FIELD_DATA:
        return "data";
    case CID_FIELD_INDEX:
        return "index";
    case CID_FIELD_ENTRY:
        return "entry";
    case CID_FIELD_ITEM:
        return "item";
    }
    return "";
}

const char *cid_where_name(enum cid_where where)
{
    switch (where) {
    case CID_WHERE_NONE:
        return "";
    case CID_WHERE_TEXT:
        return "text";
    case CID_WHERE_BYTES:
        return "bytes";
    case CID_WHERE_FILE:
        return "file";
    }
    return "";
}
