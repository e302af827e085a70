/*
 * Eight threads at one open archive and one open index. Under the thread sanitizer this shows what
 * they share; without it, that each of them gets the right blocks.
 */
#define _DEFAULT_SOURCE
#include "archive.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum {
    THREADS = 8,
    BLOCKS = 2000,
    GETS = 1500,
    DATA_MOST = 1500
};

struct shared {
    const struct cid_car *car;
    struct cid cids[BLOCKS];
    uint8_t *data[BLOCKS];
    size_t data_len[BLOCKS];
};

struct worker {
    pthread_t thread;
    const struct shared *shared;
    uint64_t seed;
    unsigned wrong; /* asserting is for the main thread alone */
};

static bool is_block(const struct shared *shared, size_t i, const struct cid_car_block *block)
{
    return block->data_len == shared->data_len[i] &&
           memcmp(block->data, shared->data[i], block->data_len) == 0;
}

/* Gets block number i in one way or the other. */
static bool get_one(const struct shared *shared, size_t i, bool own)
{
    struct cid_view view = cid_as_view(&shared->cids[i]);
    uint8_t buf[DATA_MOST + 100];
    struct cid_bytes memory = {0};
    struct cid_car_block block;
    struct cid_car_range range;
    struct cid_fault fault = {0};
    bool right;

    if (cid_car_index_find(&range, cid_car_index_of(shared->car), &view.hash) != CID_OK)
        return false;
    if (own)
        right = cid_car_own(&block, &memory, shared->car, &view, &fault, NULL) == CID_OK;
    else
        right = cid_car_get(&block, buf, sizeof buf, NULL, shared->car, &view, &fault) == CID_OK;
    right = right && is_block(shared, i, &block);
    cid_bytes_free(&memory, NULL);
    return right;
}

static void *work(void *ctx)
{
    struct worker *worker = ctx;
    const struct cid_car *car = worker->shared->car;
    struct test_random random = {worker->seed};
    struct cid_view root;

    for (int n = 0; n < GETS; n++) {
        size_t i = (size_t)(test_random_next(&random) % BLOCKS);
        worker->wrong += !get_one(worker->shared, i, n % 4 == 0);
    }
    worker->wrong += cid_car_root(&root, car, 0) != CID_OK;
    worker->wrong += cid_car_info_of(car)->version == 0;
    worker->wrong += cid_car_index_check(cid_car_index_of(car), NULL) != CID_OK;
    return NULL;
}

static void make_blocks(struct shared *shared)
{
    struct test_random random = {1};
    uint8_t digest[32];

    for (size_t i = 0; i < BLOCKS; i++) {
        size_t len = (size_t)(test_random_next(&random) % DATA_MOST);
        shared->data[i] = malloc(len + 1);
        assert_non_null(shared->data[i]);
        shared->data_len[i] = len;
        test_random_fill(&random, shared->data[i], len);
        if (cid_sum_v1(&shared->cids[i], 0x55, CID_HASH_SHA2_256, CID_DIGEST_DEFAULT,
                       shared->data[i], len, NULL) == CID_OK)
            continue;
        test_random_fill(&random, digest, sizeof digest); /* this build cannot hash */
        assert_error(cid_make_v1(&shared->cids[i], 0x55, 0x300002, digest, sizeof digest, NULL),
                     CID_OK);
    }
}

static void write_archive(const struct shared *shared, uint32_t version, int fd)
{
    struct cid_view root = cid_as_view(&shared->cids[0]);
    struct cid_car_writer_options options = {.version = version, .roots = &root, .root_count = 1};
    struct cid_output *output = NULL;
    struct cid_car_writer *writer = NULL;
    struct cid_sink sink;

    assert_error(cid_output_open_fd(&output, fd, NULL), CID_OK);
    sink = cid_output_sink(output);
    assert_error(cid_car_writer_open_sink(&writer, &sink, &options, NULL), CID_OK);
    for (size_t i = 0; i < BLOCKS; i++) {
        struct cid_view view = cid_as_view(&shared->cids[i]);
        assert_error(cid_car_writer_put(writer, NULL, &view, shared->data[i], shared->data_len[i]),
                     CID_OK);
    }
    assert_error(cid_car_writer_finish(writer, NULL), CID_OK);
    cid_car_writer_close(writer);
    cid_output_close(output);
}

static void run_threads(const struct shared *shared)
{
    struct worker workers[THREADS];

    for (size_t t = 0; t < THREADS; t++) {
        workers[t] = (struct worker){.shared = shared, .seed = t + 1};
        assert_int_equal(pthread_create(&workers[t].thread, NULL, work, &workers[t]), 0);
    }
    for (size_t t = 0; t < THREADS; t++) {
        assert_int_equal(pthread_join(workers[t].thread, NULL), 0);
        assert_int_equal(workers[t].wrong, 0);
    }
}

/* In a file and in memory; by an index in the file, and by one that was built. */
static void eight_threads_get_the_right_blocks(void **state)
{
    static const struct cid_car_open_options pass = {.read = {.pass_unverifiable = true}};
    struct shared *shared = calloc(1, sizeof *shared);
    (void)state;

    assert_non_null(shared);
    make_blocks(shared);
    for (uint32_t version = 1; version <= 2; version++) {
        FILE *file = tmpfile();
        struct cid_file bytes;
        struct cid_car *car = NULL;
        uint8_t *memory;
        assert_non_null(file);
        write_archive(shared, version, fileno(file));
        assert_error(cid_car_open_fd(&car, fileno(file), &pass, NULL, NULL), CID_OK);
        shared->car = car;
        run_threads(shared);
        cid_car_close(car);

        assert_error(cid_file_of_fd(&bytes, fileno(file)), CID_OK);
        memory = malloc((size_t)bytes.len);
        assert_non_null(memory);
        assert_error(bytes.read(bytes.ctx, memory, (size_t)bytes.len, 0), CID_OK);
        assert_error(cid_car_open(&car, memory, (size_t)bytes.len, &pass, NULL, NULL), CID_OK);
        shared->car = car;
        run_threads(shared);
        cid_car_close(car);
        free(memory);
        fclose(file);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        free(shared->data[i]);
        cid_free(&shared->cids[i], NULL);
    }
    free(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_threads_get_the_right_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
