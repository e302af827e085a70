#include "car_index_check.h"
#include "file.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the index of a pipe ------------------------------------------------------------------- */

static void keep(struct index_check *check, const void *bytes, size_t len)
{
    if (check->too_long || len > INDEX_KEPT - check->kept.len) {
        check->too_long = true;
        return;
    }
    buffer_put(&check->kept, bytes, len);
}

static void see(void *ctx, const void *bytes, size_t len, uint64_t offset)
{
    struct index_check *check = ctx;
    uint64_t skip = offset < check->offset ? check->offset - offset : 0;

    if (check->opening) /* where the index starts is known when the archive is open */
        keep(check, bytes, len);
    else if (check->has_index && check->part_ctx.fd < 0 && skip < len)
        keep(check, (const char *)bytes + skip, len - (size_t)skip);
}

struct car_tap index_check_tap(struct index_check *check)
{
    check->opening = true;
    check->part_ctx.fd = -1;
    return (struct car_tap){see, check};
}

/* Drops what came before the index while the archive was being opened. */
static void drop_front(struct index_check *check)
{
    size_t skip = check->has_index && check->offset < check->kept.len ? (size_t)check->offset
                                                                      : check->kept.len;

    if (check->part_ctx.fd >= 0 || skip == check->kept.len) {
        buffer_free(&check->kept);
        check->too_long = false;
        return;
    }
    check->kept.len -= skip;
    memmove(check->kept.data, check->kept.data + skip, check->kept.len);
}

/* ---- the index of a file ------------------------------------------------------------------- */

static enum cid_error read_part(void *ctx, void *buf, size_t len, uint64_t offset)
{
    const struct index_part *part = ctx;

    return file_read_at(part->fd, buf, len, part->base + offset);
}

/* ---- opening ------------------------------------------------------------------------------- */

static void fault(struct index_check *check, enum cid_error error, enum cid_field field,
                  uint64_t offset)
{
    check->fault = (struct cid_fault){
        .code = error, .field = field, .where = CID_WHERE_FILE, .offset = offset};
}

/* Opens the index, and says so if it cannot be opened. */
static void open_index(struct index_check *check)
{
    struct cid_fault why = {0};
    enum cid_error error;

    if (check->part_ctx.fd >= 0)
        error = cid_car_index_open_file(&check->theirs, &check->part, &why, NULL);
    else
        error = cid_car_index_open(&check->theirs, check->kept.data, check->kept.len, &why, NULL);
    if (!error) {
        check->codec = cid_car_index_codec(check->theirs);
        check->entries = cid_car_index_count(check->theirs);
        return;
    }
    if (error == CID_E_INDEX_CODEC) {
        check->codec = why.codec;
        check->state = INDEX_UNKNOWN;
        fault(check, CID_E_UNVERIFIABLE, CID_FIELD_INDEX, check->offset);
        return;
    }
    check->fault = why;
    check->fault.code = error;
    if (why.where == CID_WHERE_FILE)
        check->fault.offset += check->offset;
    check->state = INDEX_BAD;
}

static void open_indexer(struct index_check *check, struct cid_car_indexer **out, uint64_t codec)
{
    struct cid_car_index_options options = {.codec = codec, .identity = true};
    enum cid_error error = cid_car_indexer_open(out, &options, NULL);

    if (error) {
        fault(check, error, CID_FIELD_INDEX, check->offset);
        check->state = INDEX_BAD;
    }
}

/*
 * An index by digest alone needs the sections sorted alike, and, for which of them are identity
 * CIDs, by function too. On a pipe the kind is not known yet.
 */
void index_check_begin(struct index_check *check, const struct car_file *file)
{
    const struct cid_car_info *info = cid_car_reader_info(file->reader);

    check->opening = false;
    check->has_index = info->version == 2 && info->index_offset != 0;
    check->fully_indexed = (info->characteristics[0] & 0x80) != 0;
    check->offset = info->index_offset;
    check->data_offset = info->version == 2 ? info->data_offset : 0;
    if (file->has_size) {
        uint64_t size = file->size > check->offset ? file->size - check->offset : 0;
        check->part_ctx = (struct index_part){file->fd, file->start + check->offset};
        check->part = (struct cid_file){read_part, &check->part_ctx, size};
    }
    drop_front(check);
    if (!check->has_index)
        return;
    check->state = INDEX_UNREACHED;
    if (file->has_size && check->part.len != 0)
        open_index(check);
    if (check->state != INDEX_UNREACHED)
        return;
    open_indexer(check, &check->sections, CID_CAR_INDEX_MULTIHASH_SORTED);
    if (check->codec != CID_CAR_INDEX_MULTIHASH_SORTED)
        open_indexer(check, &check->by_digest, CID_CAR_INDEX_SORTED);
}

void index_check_block(struct index_check *check, const struct cid_view *cid,
                       uint64_t section_in_payload)
{
    enum cid_error error = CID_OK;

    if (check->state != INDEX_UNREACHED)
        return;
    error = cid_car_indexer_add(check->sections, cid, section_in_payload);
    if (!error && check->by_digest)
        error = cid_car_indexer_add(check->by_digest, cid, section_in_payload);
    if (error) {
        fault(check, error, CID_FIELD_INDEX, check->offset);
        check->state = INDEX_BAD;
    }
}

/* ---- their entries against our sections ---------------------------------------------------- */

/* Both are in the same order. The sections of one multihash are a group. */
struct merge {
    struct index_check *check;
    const struct cid_car_index *ours;
    const struct cid_car_index *by_hash; /* tells identity CIDs, where ours does not */
    uint64_t first, count;               /* the group; count is 0 at the end */
    struct cid_car_entry group;
    uint64_t hits; /* entries that point into the group */
    uint64_t first_missing;
};

static struct cid_car_entry our_entry(const struct cid_car_index *ours, uint64_t number)
{
    struct cid_car_entry entry = {0};

    /* It lies in memory, so that all that can fail is a number that is too large. */
    return cid_car_index_at(&entry, NULL, 0, ours, number) ? (struct cid_car_entry){0} : entry;
}

static int compare(const struct cid_car_entry *a, const struct cid_car_entry *b)
{
    if (a->hash_code != b->hash_code)
        return a->hash_code < b->hash_code ? -1 : 1;
    if (a->digest_len != b->digest_len)
        return a->digest_len < b->digest_len ? -1 : 1;
    return a->digest_len != 0 ? memcmp(a->digest, b->digest, a->digest_len) : 0;
}

static void next_group(struct merge *merge)
{
    uint64_t total = cid_car_index_count(merge->ours);

    merge->first += merge->count;
    merge->count = merge->hits = 0;
    if (merge->first == total)
        return;
    merge->group = our_entry(merge->ours, merge->first);
    for (merge->count = 1; merge->first + merge->count < total; merge->count++) {
        struct cid_car_entry next = our_entry(merge->ours, merge->first + merge->count);
        if (compare(&next, &merge->group) != 0)
            break;
    }
}

static bool is_in_range(const struct cid_car_index *index, const struct cid_car_range *range,
                        uint64_t offset)
{
    uint64_t low = range->first, high = range->first + range->count;

    while (low < high) { /* sections of one multihash are in the order of the archive */
        uint64_t middle = low + (high - low) / 2;
        uint64_t at = our_entry(index, middle).section_in_payload;
        if (at == offset)
            return true;
        if (at < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* The sections of the group that are identity CIDs, which need no index. */
static struct cid_car_range identity_of(const struct merge *merge)
{
    struct cid_multihash_view hash = {CID_HASH_IDENTITY, merge->group.digest,
                                      merge->group.digest_len};
    struct cid_car_range range = {0, 0};

    if (merge->ours == merge->by_hash && merge->group.hash_code != CID_HASH_IDENTITY)
        return range;
    return cid_car_index_find(&range, merge->by_hash, &hash) ? (struct cid_car_range){0, 0} : range;
}

/* Where the first section of the group is that should be in the index. */
static uint64_t first_due(const struct merge *merge, const struct cid_car_range *identity)
{
    for (uint64_t i = 0; i < merge->count; i++) {
        uint64_t at = our_entry(merge->ours, merge->first + i).section_in_payload;
        if (merge->check->fully_indexed || !is_in_range(merge->by_hash, identity, at))
            return at;
    }
    return merge->group.section_in_payload;
}

static void end_group(struct merge *merge)
{
    struct index_check *check = merge->check;
    struct cid_car_range identity = {0, 0};
    uint64_t first;

    if (merge->hits != 0) {
        check->left_out += merge->hits < merge->count ? merge->count - merge->hits : 0;
        return;
    }
    if (!check->fully_indexed)
        identity = identity_of(merge);
    if (identity.count == merge->count)
        return;
    first = first_due(merge, &identity);
    if (check->missing == 0 || first < merge->first_missing)
        merge->first_missing = first;
    check->missing += merge->count - identity.count;
}

static void wrong_entry(struct index_check *check, uint64_t offset)
{
    if (check->wrong < INDEX_WRONG_KEPT)
        check->wrong_at[check->wrong] = offset;
    check->wrong++;
}

static enum cid_error take_entry(void *ctx, const struct cid_car_entry *entry)
{
    struct merge *merge = ctx;
    struct cid_car_range range;

    while (merge->count != 0 && compare(&merge->group, entry) < 0) {
        end_group(merge);
        next_group(merge);
    }
    range = (struct cid_car_range){merge->first, merge->count};
    if (merge->count != 0 && compare(&merge->group, entry) == 0 &&
        is_in_range(merge->ours, &range, entry->section_in_payload))
        merge->hits++;
    else
        wrong_entry(merge->check, entry->section_in_payload);
    return CID_OK;
}

static enum cid_error look_for(void *ctx, const struct cid_car_entry *entry)
{
    return entry->section_in_payload == *(const uint64_t *)ctx ? CID_END : CID_OK;
}

/* Says of the first entry that is wrong in what way. */
static void judge_wrong(struct index_check *check, const struct cid_car_index *ours)
{
    uint64_t at = check->wrong_at[0];
    bool is_section = cid_car_index_each(ours, look_for, &at, NULL) == CID_END;
    uint64_t most = UINT64_MAX - check->data_offset;

    fault(check, is_section ? CID_E_INDEX_ENTRY : CID_E_INDEX_RANGE, CID_FIELD_ENTRY,
          check->data_offset + (at < most ? at : most));
}

static enum cid_error hold_against(struct index_check *check, const struct cid_car_index *ours,
                                   const struct cid_car_index *by_hash)
{
    struct merge merge = {.check = check, .ours = ours, .by_hash = by_hash};
    struct cid_fault why = {0};
    enum cid_error error;

    next_group(&merge);
    error = cid_car_index_each(check->theirs, take_entry, &merge, &why);
    if (error) {
        check->missing = check->left_out = 0; /* not all entries were seen */
        check->fault = why;
        check->fault.code = error;
        if (why.where == CID_WHERE_FILE)
            check->fault.offset += check->offset;
        return error;
    }
    for (; merge.count != 0; next_group(&merge))
        end_group(&merge);
    if (check->wrong != 0)
        judge_wrong(check, ours);
    else if (check->missing != 0)
        fault(check, CID_E_NOT_FOUND, CID_FIELD_INDEX, check->data_offset + merge.first_missing);
    return CID_OK;
}

static void compare_all(struct index_check *check)
{
    struct cid_car_index *by_hash = NULL, *by_digest = NULL;
    bool sorted = check->codec == CID_CAR_INDEX_SORTED;
    enum cid_error error = cid_car_indexer_finish(&by_hash, check->sections);

    if (!error && sorted)
        error = cid_car_indexer_finish(&by_digest, check->by_digest);
    if (error)
        fault(check, error, CID_FIELD_INDEX, check->offset);
    else
        error = hold_against(check, sorted ? by_digest : by_hash, by_hash);
    check->state = error || check->fault.code ? INDEX_BAD : INDEX_GOOD;
    cid_car_index_close(by_hash);
    cid_car_index_close(by_digest);
}

void index_check_finish(struct index_check *check, const struct car_file *file, bool whole)
{
    if (check->state != INDEX_UNREACHED || !whole)
        return;
    if (!file->has_size && check->too_long) {
        check->codec = cid_car_reader_info(file->reader)->index_codec;
        check->state = INDEX_UNCHECKED;
        fault(check, CID_E_UNVERIFIABLE, CID_FIELD_INDEX, check->offset);
        return;
    }
    if (!check->theirs)
        open_index(check);
    if (check->theirs)
        compare_all(check);
}

void index_check_free(struct index_check *check)
{
    cid_car_index_close(check->theirs);
    cid_car_indexer_close(check->sections);
    cid_car_indexer_close(check->by_digest);
    buffer_free(&check->kept);
}

/* ---- telling ------------------------------------------------------------------------------- */

const char *index_state_name(enum index_state state)
{
    static const char *const names[] = {
        [INDEX_NONE] = "none",
        [INDEX_GOOD] = "good",
        [INDEX_BAD] = "bad",
        [INDEX_UNKNOWN] = "unknown",
        [INDEX_UNCHECKED] = "unchecked",
        [INDEX_UNREACHED] = "unreached",
    };
    return names[state];
}

static void put_u64(struct cid_json *json, const char *key, uint64_t value)
{
    cid_json_key(json, key);
    cid_json_u64(json, value);
}

void index_check_json(struct cid_json *json, const struct index_check *check)
{
    char codec[24];

    cid_json_key(json, "index");
    if (!check->has_index) {
        cid_json_null(json);
        return;
    }
    snprintf(codec, sizeof codec, "0x%04" PRIx64, check->codec);
    cid_json_object_begin(json);
    cid_json_key(json, "state");
    cid_json_text(json, index_state_name(check->state));
    cid_json_key(json, "codec");
    cid_json_text(json, check->codec != 0 ? codec : NULL);
    put_u64(json, "entries", check->entries);
    put_u64(json, "wrong", check->wrong);
    put_u64(json, "missing", check->missing);
    put_u64(json, "left_out", check->left_out);
    cid_json_object_end(json);
}

static void put_count(struct output *out, uint64_t count, const char *one, const char *many)
{
    out_print(out, "%" PRIu64 " %s", count, count == 1 ? one : many);
}

static void put_bad(struct output *out, const struct index_check *check)
{
    if (check->wrong == 0 && check->missing == 0) {
        out_print(out, "bad: %s", cid_error_text(check->fault.code));
        return;
    }
    out_text(out, "bad: ");
    if (check->wrong != 0)
        put_count(out, check->wrong, "entry is wrong", "entries are wrong");
    if (check->wrong != 0 && check->missing != 0)
        out_text(out, ", ");
    if (check->missing != 0)
        put_count(out, check->missing, "block is missing from it", "blocks are missing from it");
}

void index_check_words(struct output *out, const struct index_check *check)
{
    switch (check->state) {
    case INDEX_NONE:
        out_text(out, "none");
        break;
    case INDEX_GOOD:
        put_count(out, check->entries, "entry, all true", "entries, all true");
        break;
    case INDEX_BAD:
        put_bad(out, check);
        break;
    case INDEX_UNKNOWN:
        out_print(out, "of an unknown kind, 0x%04" PRIx64, check->codec);
        break;
    case INDEX_UNCHECKED:
        out_text(out, "not checked: it is too long to be kept from a pipe; give the file's name");
        break;
    case INDEX_UNREACHED:
        out_text(out, "not checked, since reading ended before it");
        break;
    }
}

void index_check_complain(struct cli *cli, const struct car_file *file,
                          const struct index_check *check)
{
    struct output *err = cli_message(cli);

    text_put(err, file->name, strlen(file->name));
    if (check->fault.where == CID_WHERE_FILE)
        out_print(err, ": at byte %" PRIu64, check->fault.offset);
    out_text(err, ": index ");
    index_check_words(err, check);
    out_char(err, '\n');
    if (check->wrong != 0) {
        out_print(err, "  %s%-15s%s  %s\n", style_on(err, STYLE_LABEL), "first of them",
                  style_off(err), cid_error_text(check->fault.code));
    }
    cli_message_end(cli);
}
