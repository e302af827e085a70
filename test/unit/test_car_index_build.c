#include "archive.h"

/* What an index should hold, worked out without one. */
struct model_entry {
    uint64_t code;
    size_t len;
    uint8_t *digest;
    uint64_t offset;
};

struct model {
    struct model_entry *at;
    size_t count;
    uint64_t codec;
    uint8_t *bytes; /* of all digests */
};

static int by_key(const void *left, const void *right)
{
    const struct model_entry *a = left, *b = right;
    int order;

    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    if (a->len != b->len)
        return a->len < b->len ? -1 : 1;
    order = a->len != 0 ? memcmp(a->digest, b->digest, a->len) : 0;
    if (order != 0)
        return order;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* How the digests of a model are drawn. */
enum shape {
    UNIFORM,   /* sha2-256 */
    MIXED,     /* several codes and lengths, in turn */
    SHORT,     /* none to nine bytes */
    SAME_HEAD, /* the first sixteen bytes are the same */
    ONE,       /* one digest for all */
    FEW,       /* each of them many times */
    COUNTERS,  /* low numbers, big-endian */
    WIDE,      /* 300 bytes */
    KINDS      /* a code of its own for each */
};
#define SHAPES 9

static void draw(struct model_entry *entry, enum shape shape, size_t i, struct test_random *random)
{
    static const uint64_t codes[] = {0x12, 0x13, 0x1b, 0xb220};
    static const size_t lens[] = {32, 64, 32, 20};

    entry->code = 0x12;
    entry->len = 32;
    switch (shape) {
    case UNIFORM:
    case SAME_HEAD:
        break;
    case MIXED:
        entry->code = codes[test_random_next(random) % 4];
        entry->len = lens[test_random_next(random) % 4];
        break;
    case SHORT:
        entry->len = (size_t)(test_random_next(random) % 10);
        break;
    case ONE:
    case FEW:
    case COUNTERS:
        memset(entry->digest, 0, 32);
        if (shape == FEW)
            entry->digest[0] = (uint8_t)(test_random_next(random) % 5);
        if (shape == COUNTERS) {
            entry->digest[30] = (uint8_t)(i >> 8);
            entry->digest[31] = (uint8_t)i;
        }
        return;
    case WIDE:
        entry->len = 300;
        break;
    case KINDS:
        entry->code = 0x1000 + (test_random_next(random) & 0xffff);
        break;
    }
    test_random_fill(random, entry->digest, entry->len);
    if (shape == SAME_HEAD)
        memset(entry->digest, 0xaa, 16);
}

static struct model make_model(enum shape shape, size_t count, uint64_t codec)
{
    struct model model = {malloc((count + 1) * sizeof *model.at), count, codec,
                          malloc(count * 300 + 1)};
    struct test_random random = {count * 16 + (size_t)shape};

    assert_non_null(model.at);
    assert_non_null(model.bytes);
    for (size_t i = 0; i < count; i++) {
        model.at[i].digest = model.bytes + i * 300;
        model.at[i].offset = 59 + 100 * (uint64_t)i;
        draw(&model.at[i], shape, i, &random);
    }
    return model;
}

static void free_model(struct model *model)
{
    free(model->at);
    free(model->bytes);
}

static enum cid_error add(struct cid_car_indexer *indexer, const struct model_entry *entry)
{
    struct cid cid;
    struct cid_view view;
    enum cid_error error = cid_make_v1(&cid, 0x55, entry->code, entry->digest, entry->len, NULL);

    assert_error(error, CID_OK);
    view = cid_as_view(&cid);
    error = cid_car_indexer_add(indexer, &view, entry->offset);
    cid_free(&cid, NULL);
    return error;
}

static struct cid_car_index *build(struct model *model)
{
    struct cid_car_index_options options = {.codec = model->codec, .identity = true};
    struct cid_car_indexer *indexer = NULL;
    struct cid_car_index *index = NULL;

    assert_error(cid_car_indexer_open(&indexer, &options, NULL), CID_OK);
    for (size_t i = 0; i < model->count; i++)
        assert_error(add(indexer, &model->at[i]), CID_OK);
    assert_error(cid_car_indexer_finish(&index, indexer), CID_OK);
    cid_car_indexer_close(indexer);
    if (model->codec == CID_CAR_INDEX_SORTED)
        for (size_t i = 0; i < model->count; i++)
            model->at[i].code = 0;
    qsort(model->at, model->count, sizeof *model->at, by_key);
    return index;
}

struct walk {
    const struct model *model;
    size_t at;
};

static enum cid_error is_next(void *ctx, const struct cid_car_entry *entry)
{
    struct walk *walk = ctx;
    const struct model_entry *wanted = &walk->model->at[walk->at++];

    assert_true(walk->at <= walk->model->count);
    assert_true(entry->hash_code == wanted->code && entry->digest_len == wanted->len);
    assert_true(entry->section_in_payload == wanted->offset);
    if (wanted->len != 0)
        assert_memory_equal(entry->digest, wanted->digest, wanted->len);
    return CID_OK;
}

/* Whether the index holds just what the model does, in that order, and finds it. */
static void check(const struct cid_car_index *index, const struct model *model)
{
    struct walk walk = {model, 0};
    struct test_random random = {7};
    uint8_t absent[300];

    assert_int_equal(cid_car_index_codec(index), model->codec);
    assert_int_equal(cid_car_index_count(index), model->count);
    assert_error(cid_car_index_each(index, is_next, &walk, NULL), CID_OK);
    assert_int_equal(walk.at, model->count);
    for (size_t i = 0, end; i < model->count; i = end) {
        const struct model_entry *entry = &model->at[i];
        struct cid_multihash_view hash = {entry->code, entry->digest, entry->len};
        struct cid_car_range range = {0};
        for (end = i + 1; end < model->count; end++)
            if (model->at[end].code != entry->code || model->at[end].len != entry->len ||
                (entry->len != 0 && memcmp(model->at[end].digest, entry->digest, entry->len) != 0))
                break;
        assert_error(cid_car_index_find(&range, index, &hash), CID_OK);
        assert_true(range.first == i && range.count == end - i);
        if (entry->len < 16)
            continue;
        memcpy(absent, entry->digest, entry->len);
        absent[entry->len - 1] ^= (uint8_t)(1 + test_random_next(&random) % 255);
        hash.digest = absent;
        if (cid_car_index_find(&range, index, &hash) == CID_OK) /* by chance it is there */
            assert_memory_equal(model->at[range.first].digest, absent, entry->len);
    }
}

static void one_model(enum shape shape, size_t count, uint64_t codec)
{
    struct model model = make_model(shape, count, codec);
    struct cid_car_index *index = build(&model), *again = NULL;
    struct car_sink sink = car_sink_new(false);
    struct cid_sink use = car_sink_use(&sink);
    struct car_file file;
    struct cid_file use_file;

    check(index, &model);
    assert_error(cid_car_index_write(index, &use), CID_OK);
    assert_int_equal(sink.out.len, cid_car_index_size(index));
    cid_car_index_close(index);
    assert_error(cid_car_index_open(&again, test_guard(sink.out.data, sink.out.len), sink.out.len,
                                    NULL, NULL),
                 CID_OK);
    check(again, &model);
    cid_car_index_close(again);
    file = car_file_of(sink.out.data, sink.out.len);
    use_file = car_file_use(&file);
    assert_error(cid_car_index_open_file(&again, &use_file, NULL, NULL), CID_OK);
    check(again, &model);
    cid_car_index_close(again);
    test_guard_release();
    car_sink_free(&sink);
    free_model(&model);
}

static void what_is_put_in_is_found(void **state)
{
    static const size_t counts[] = {0, 1, 2, 3, 47, 48, 49, 400, 1500};
    (void)state;

    for (int shape = 0; shape < SHAPES; shape++)
        for (size_t i = 0; i < COUNT(counts); i++) {
            one_model((enum shape)shape, counts[i], CID_CAR_INDEX_MULTIHASH_SORTED);
            one_model((enum shape)shape, counts[i], CID_CAR_INDEX_SORTED);
        }
}

static void digests_wider_than_a_page_are_found(void **state)
{
    enum {
        LEN = 9000,
        ENTRIES = 9
    };
    struct test_random random = {1};
    uint8_t(*digests)[LEN] = malloc(sizeof *digests * ENTRIES);
    struct cid_car_indexer *indexer = NULL;
    struct cid_car_index *built = NULL, *index = NULL;
    struct car_sink sink = car_sink_new(false);
    struct cid_sink use = car_sink_use(&sink);
    struct car_file file;
    struct cid_file use_file;
    (void)state;

    assert_non_null(digests);
    test_random_fill(&random, digests[0], LEN);
    assert_error(cid_car_indexer_open(&indexer, NULL, NULL), CID_OK);
    for (size_t i = 0; i < ENTRIES; i++) {
        struct model_entry entry = {0x300002, LEN, digests[i], i};
        memcpy(digests[i], digests[0], LEN);
        digests[i][LEN - 1] = (uint8_t)(255 - i); /* which no window shows at first */
        assert_error(add(indexer, &entry), CID_OK);
    }
    assert_error(cid_car_indexer_finish(&built, indexer), CID_OK);
    cid_car_indexer_close(indexer);
    assert_error(cid_car_index_write(built, &use), CID_OK);
    cid_car_index_close(built);
    file = car_file_of(sink.out.data, sink.out.len);
    use_file = car_file_use(&file);
    assert_error(cid_car_index_open_file(&index, &use_file, NULL, NULL), CID_OK);
    assert_error(cid_car_index_check(index, NULL), CID_OK);
    for (size_t i = 0; i < ENTRIES; i++) {
        struct cid_multihash_view hash = {0x300002, digests[i], LEN};
        struct cid_car_range range = {0};
        assert_error(cid_car_index_find(&range, index, &hash), CID_OK);
        assert_int_equal(range.first, ENTRIES - 1 - i);
        assert_int_equal(range.count, 1);
    }
    cid_car_index_close(index);
    car_sink_free(&sink);
    free(digests);
}

static void the_sample_index_comes_from_the_sample(void **state)
{
    static const struct cid_car_options unchecked = {.skip_verify = true};
    struct test_bytes bytes = test_hex(CAR_V1);
    struct cid_car_reader *reader = NULL;
    struct cid_car_index *index = NULL;
    struct car_sink sink = car_sink_new(false);
    struct cid_sink use = car_sink_use(&sink);
    (void)state;

    assert_error(cid_car_reader_open(&reader, bytes.data, bytes.len, &unchecked, NULL, NULL),
                 CID_OK);
    assert_error(cid_car_index_build(&index, reader, NULL, NULL), CID_OK);
    assert_error(cid_car_index_write(index, &use), CID_OK);
    car_expect_bytes(sink.out.data, sink.out.len, CAR_IDX);
    cid_car_index_close(index);
    cid_car_reader_close(reader);
    car_sink_free(&sink);
    test_bytes_free(&bytes);
}

/* A file cut inside its last block has no index, and neither has one whose last section lies. */
static void no_index_is_built_of_what_is_not_there(void **state)
{
    static const struct cid_car_options unchecked = {.skip_verify = true};
    static const size_t lens[] = {135, 110, 98};
    struct test_bytes bytes = test_hex(CAR_V1);
    (void)state;

    for (size_t i = 0; i < COUNT(lens); i++) {
        struct cid_car_reader *reader = NULL;
        struct cid_car_index *index = NULL;
        assert_error(cid_car_reader_open(&reader, bytes.data, lens[i], &unchecked, NULL, NULL),
                     CID_OK);
        assert_error(cid_car_index_build(&index, reader, NULL, NULL), CID_E_TRUNCATED);
        assert_null(index);
        assert_int_equal(cid_car_reader_fault(reader)->offset, 97);
        cid_car_reader_close(reader);
    }
    test_bytes_free(&bytes);
}

static void identity_is_left_out_unless_asked_for(void **state)
{
    (void)state;
    for (int identity = 0; identity < 2; identity++) {
        struct cid_car_index_options options = {.identity = identity != 0};
        struct cid_car_indexer *indexer = NULL;
        struct cid_car_index *index = NULL;
        assert_error(cid_car_indexer_open(&indexer, &options, NULL), CID_OK);
        for (uint64_t i = 0; i < 10000; i++) {
            uint8_t digest[8] = {(uint8_t)i, (uint8_t)(i >> 8), 1};
            struct model_entry entry = {CID_HASH_IDENTITY, (size_t)(i % 9), digest, i};
            assert_error(add(indexer, &entry), CID_OK);
        }
        assert_error(cid_car_indexer_finish(&index, indexer), CID_OK);
        assert_int_equal(cid_car_index_count(index), identity ? 10000 : 0);
        assert_int_equal(cid_car_index_size(index),
                         identity ? 2 + 4 + 12 + 9 * 12 + 10000 * 8 + 39996 : 6);
        cid_car_index_close(index);
        cid_car_indexer_close(indexer);
    }
}

static void what_cannot_be_indexed_is_refused(void **state)
{
    static const struct cid_car_index_options bad = {.codec = 0x0402};
    struct cid_car_indexer *indexer = NULL;
    struct cid_view undefined = {0};
    (void)state;

    assert_error(cid_car_indexer_open(&indexer, &bad, NULL), CID_E_INDEX_CODEC);
    assert_null(indexer);
    assert_error(cid_car_indexer_open(&indexer, NULL, NULL), CID_OK);
    assert_error(cid_car_indexer_add(indexer, &undefined, 0), CID_E_ARGUMENT);
    cid_car_indexer_close(indexer);
    cid_car_indexer_close(NULL);
}

static void an_indexer_can_be_used_again(void **state)
{
    struct cid_car_indexer *indexer = NULL;
    struct cid_car_index *index = NULL;
    uint8_t digest[32] = {1};
    struct model_entry entry = {0x12, 32, digest, 5};
    (void)state;

    assert_error(cid_car_indexer_open(&indexer, NULL, NULL), CID_OK);
    for (int i = 0; i < 3; i++) {
        assert_error(add(indexer, &entry), CID_OK);
        assert_error(cid_car_indexer_finish(&index, indexer), CID_OK);
        assert_int_equal(cid_car_index_count(index), 1);
        cid_car_index_close(index);
    }
    cid_car_indexer_close(indexer);
}

/* ---- a memory that gives out -------------------------------------------------------------- */

static void without_memory_nothing_is_lost(void **state)
{
    size_t grace = 0;
    bool once_more = true;
    (void)state;

    for (; once_more; grace++) {
        struct model model = make_model(MIXED, 700, CID_CAR_INDEX_MULTIHASH_SORTED);
        struct cid_car_index_options options = {.codec = model.codec};
        struct test_alloc failing;
        struct cid_car_indexer *indexer = NULL;
        struct cid_car_index *index = NULL;
        size_t i = 0;
        enum cid_error error;

        test_alloc_init(&failing, grace);
        once_more = false;
        error = cid_car_indexer_open(&indexer, &options, &failing.allocator);
        if (error) {
            failing.grace = SIZE_MAX; /* from here on there is memory again */
            once_more = true;
            assert_error(error, CID_E_NOMEM);
            assert_error(cid_car_indexer_open(&indexer, &options, &failing.allocator), CID_OK);
        }
        while (i < model.count) {
            error = add(indexer, &model.at[i]);
            i += error == CID_OK;
            if (!error)
                continue;
            assert_error(error, CID_E_NOMEM);
            failing.grace = SIZE_MAX;
            once_more = true;
        }
        error = cid_car_indexer_finish(&index, indexer);
        if (error) {
            assert_error(error, CID_E_NOMEM);
            assert_null(index);
            failing.grace = SIZE_MAX;
            once_more = true;
            assert_error(cid_car_indexer_finish(&index, indexer), CID_OK);
        }
        qsort(model.at, model.count, sizeof *model.at, by_key);
        check(index, &model);
        cid_car_index_close(index);
        cid_car_indexer_close(indexer);
        assert_int_equal(failing.live, 0);
        free_model(&model);
    }
    assert_true(grace > 10);
}

static void the_entries_are_all_that_is_kept(void **state)
{
    enum {
        ENTRIES = 20000,
        WIDTH = 40
    };
    struct test_alloc counting;
    struct cid_car_indexer *indexer = NULL;
    struct cid_car_index *index = NULL;
    struct test_random random = {3};
    uint8_t digest[32];
    (void)state;

    test_alloc_init(&counting, SIZE_MAX);
    assert_error(cid_car_indexer_open(&indexer, NULL, &counting.allocator), CID_OK);
    for (uint64_t i = 0; i < ENTRIES; i++) {
        struct model_entry entry = {0x12, sizeof digest, digest, i};
        test_random_fill(&random, digest, sizeof digest);
        assert_error(add(indexer, &entry), CID_OK);
    }
    assert_true(counting.bytes < 2 * ENTRIES * WIDTH);
    assert_true(counting.calls < 30);
    assert_error(cid_car_indexer_finish(&index, indexer), CID_OK);
    assert_int_equal(counting.live, 4); /* the indexer; the index, its buckets and its bytes */
    cid_car_index_close(index);
    cid_car_indexer_close(indexer);
    assert_int_equal(counting.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_put_in_is_found),
        cmocka_unit_test(digests_wider_than_a_page_are_found),
        cmocka_unit_test(the_sample_index_comes_from_the_sample),
        cmocka_unit_test(no_index_is_built_of_what_is_not_there),
        cmocka_unit_test(identity_is_left_out_unless_asked_for),
        cmocka_unit_test(what_cannot_be_indexed_is_refused),
        cmocka_unit_test(an_indexer_can_be_used_again),
        cmocka_unit_test(without_memory_nothing_is_lost),
        cmocka_unit_test(the_entries_are_all_that_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
