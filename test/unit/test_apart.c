/* Outputs never overlap inputs: a debug build stops at the call that breaks the rule. */
#define _DEFAULT_SOURCE
#include "car.h"

#include <cid/dag.h>

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define C1 "bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4"

/* Where input and output meet. */
static union {
    uint8_t bytes[256];
    char text[256];
    struct cid cid;
    struct cid_prefix prefix;
    struct cid_view view;
} m;

static struct cid_view held(void)
{
    assert_error(cid_make_v1(&m.cid, CID_CODEC_DAG_PB, CID_HASH_SHA2_256,
                             (const uint8_t *)"0123456789abcdef0123456789abcdef", 32, NULL),
                 CID_OK);
    return cid_as_view(&m.cid);
}

static enum cid_error multihash_write(void)
{
    return cid_multihash_write(m.bytes, 64, NULL, CID_HASH_SHA2_256, m.bytes + 63, 32);
}

static enum cid_error multihash_make(void)
{
    return cid_multihash_make(&m.cid.raw, CID_HASH_SHA2_256, m.bytes + 8, 32, NULL);
}

static enum cid_error write_v1(void)
{
    return cid_write_v1(m.bytes + 16, 64, NULL, CID_CODEC_RAW, CID_HASH_SHA2_256, m.bytes, 32);
}

static enum cid_error make_v1(void)
{
    return cid_make_v1(&m.cid, CID_CODEC_RAW, CID_HASH_SHA2_256, m.bytes + 12, 32, NULL);
}

static enum cid_error make_v0(void)
{
    return cid_make_v0(&m.cid, m.bytes + 12, 32, NULL);
}

static enum cid_error write_cid(void)
{
    struct cid_view view = held();
    return cid_write(m.bytes, sizeof m.bytes, NULL, &view);
}

static enum cid_error link_write(void)
{
    struct cid_view view = held();
    return cid_link_write(m.bytes, sizeof m.bytes, NULL, &view);
}

static enum cid_error own(void)
{
    struct cid_view view = held();
    return cid_own(&m.cid, &view, NULL);
}

static enum cid_error copy(void)
{
    (void)held();
    return cid_copy(&m.cid, &m.cid, NULL);
}

static enum cid_error to_v0(void)
{
    struct cid_view view = held();
    return cid_to_v0(&m.cid, &view, NULL);
}

static enum cid_error to_v1(void)
{
    struct cid_view view = held();
    return cid_to_v1(&m.cid, &view, NULL);
}

static enum cid_error prefix_write(void)
{
    m.prefix = (struct cid_prefix){CID_CODEC_RAW, CID_HASH_SHA2_256, 32, 1};
    return cid_prefix_write(m.bytes, sizeof m.bytes, NULL, &m.prefix);
}

static enum cid_error hash_sum(void)
{
    return cid_hash_sum(m.bytes, 8, NULL, CID_HASH_IDENTITY, 8, m.bytes + 7, 8, NULL);
}

static enum cid_error multihash_sum(void)
{
    return cid_multihash_sum(&m.cid.raw, CID_HASH_IDENTITY, 4, m.bytes + 12, 4, NULL, NULL);
}

static enum cid_error sum_v1(void)
{
    return cid_sum_v1(&m.cid, CID_CODEC_RAW, CID_HASH_IDENTITY, 4, m.bytes + 12, 4, NULL);
}

static enum cid_error multibase_encode(void)
{
    return cid_multibase_encode(m.text, 64, NULL, m.bytes + 63, 4, CID_BASE16);
}

static enum cid_error base_encode(void)
{
    return cid_base_encode(m.text + 3, 64, NULL, m.bytes, 4, CID_BASE16);
}

static enum cid_error multibase_decode(void)
{
    memcpy(m.text, "f00", 3);
    return cid_multibase_decode(m.bytes, 8, NULL, NULL, m.text, 3, NULL);
}

static enum cid_error base_decode(void)
{
    memcpy(m.text, "00", 2);
    return cid_base_decode(m.bytes + 1, 8, NULL, m.text, 2, CID_BASE16, NULL);
}

static enum cid_error format(void)
{
    struct cid_view view = held();
    return cid_format(m.text, sizeof m.text, NULL, &view, CID_BASE32);
}

static enum cid_error parse(void)
{
    memcpy(m.text, C1, sizeof C1);
    return cid_parse(&m.cid, m.text, sizeof C1 - 1, NULL);
}

static enum cid_error dag_write(void)
{
    memcpy(m.bytes, "\x83\x01\x02\x03", 4);
    return cid_dag_write(m.bytes + 3, 64, NULL, NULL, CID_CODEC_DAG_JSON, CID_CODEC_DAG_CBOR,
                         m.bytes, 4, NULL, NULL);
}

static enum cid_error dag_make(void)
{
    uint8_t *data = m.bytes + sizeof m.cid - 1;
    memcpy(data, "\x83\x01\x02\x03", 4);
    return cid_dag_make(&m.cid.raw, NULL, CID_CODEC_DAG_JSON, CID_CODEC_DAG_CBOR, data, 4, NULL,
                        NULL);
}

static enum cid_error links_begin(void)
{
    static struct cid_links links;
    return cid_links_begin(&links, CID_CODEC_DAG_CBOR, &links.levels, 4, NULL);
}

/* The view of what is held, out of reach, and bytes that are in reach. */
static struct cid_view in_reach(size_t at)
{
    struct cid_view view = held();
    memmove(m.bytes + at, view.bytes, view.len);
    view.bytes = m.bytes + at;
    return view;
}

static enum cid_error header_write(void)
{
    struct cid_view roots[2] = {in_reach(128), in_reach(128)};
    return cid_car_header_write(m.bytes, 129, NULL, roots, 2);
}

static enum cid_error header_write_list(void)
{
    struct cid_view view = in_reach(sizeof m.bytes - 64);
    memcpy(&m.view, &view, sizeof view);
    return cid_car_header_write(m.bytes + sizeof view - 1, 100, NULL, &m.view, 1);
}

/* A writer to the first 128 bytes. */
static struct cid_car_writer *writer(const struct cid_view *root)
{
    static struct cid_car_writer_options options = {.root_count = 1};
    struct cid_car_writer *made = NULL;

    options.roots = root;
    assert_error(cid_car_writer_open(&made, m.bytes, 128, root ? &options : NULL, NULL), CID_OK);
    return made;
}

static enum cid_error writer_open(void)
{
    struct cid_view view = in_reach(127);
    (void)writer(&view);
    return CID_OK;
}

static enum cid_error writer_open_header(void)
{
    struct cid_car_writer_options options = {.header = m.bytes + 100, .header_len = 17};
    struct cid_car_writer *made = NULL;

    memcpy(m.bytes + 100, "\xa2\x65roots\x80\x67version\x01", 17);
    return cid_car_writer_open(&made, m.bytes, 101, &options, NULL);
}

static enum cid_error writer_put_cid(void)
{
    struct cid_view view = in_reach(127);
    return cid_car_writer_put(writer(NULL), NULL, &view, "a", 1);
}

static enum cid_error writer_put_data(void)
{
    struct cid_view view = in_reach(128);
    return cid_car_writer_put(writer(NULL), NULL, &view, m.bytes + 18, 1);
}

static enum cid_error writer_add(void)
{
    static const struct cid_prefix prefix = {CID_CODEC_RAW, CID_HASH_IDENTITY, SIZE_MAX, 1};
    struct cid_car_writer *made = NULL;
    static uint8_t room[256];

    assert_error(cid_car_writer_open(&made, room, sizeof room, NULL, NULL), CID_OK);
    return cid_car_writer_add(made, &m.cid, NULL, &prefix, m.bytes + sizeof m.cid - 1, 4);
}

/* An archive in memory, and a CID of a block that it has. */
static struct cid_car *archive(struct cid_view *view, size_t at)
{
    static const struct cid_car_open_options options = {.read = {.skip_verify = true}};
    struct test_bytes bytes = test_hex(CAR_V1), cid = test_hex(CAR_D1);
    static uint8_t memory[136];
    struct cid_car *car = NULL;

    memcpy(memory, bytes.data, sizeof memory);
    assert_error(cid_car_open(&car, memory, sizeof memory, &options, NULL, NULL), CID_OK);
    memcpy(m.bytes + at, cid.data, cid.len);
    assert_error(cid_read_exact(view, m.bytes + at, cid.len), CID_OK);
    test_bytes_free(&bytes);
    test_bytes_free(&cid);
    return car;
}

static enum cid_error car_get(void)
{
    struct cid_view view;
    struct cid_car *car = archive(&view, 127);
    struct cid_car_block block;
    return cid_car_get(&block, m.bytes, 128, NULL, car, &view, NULL);
}

static enum cid_error car_own(void)
{
    struct cid_view view;
    struct cid_car *car = archive(&view, sizeof m.cid - 1);
    struct cid_car_block block;
    return cid_car_own(&block, &m.cid.raw, car, &view, NULL, NULL);
}

/* What only touches is no overlap: the same calls a byte apart go through. */
static void neighbours_are_no_overlap(void **state)
{
    struct cid_view view, roots[1];
    struct cid_car_block block;
    struct cid_car_writer *made;
    struct cid_car *car = archive(&view, 128);
    (void)state;

    assert_error(cid_car_get(&block, m.bytes, 128, NULL, car, &view, NULL), CID_OK);
    assert_int_equal(block.data_len, 1);
    cid_car_close(car);
    roots[0] = in_reach(128);
    assert_error(cid_car_header_write(m.bytes, 128, NULL, roots, 1), CID_OK);
    made = writer(NULL);
    roots[0] = in_reach(128);
    assert_error(cid_car_writer_put(made, NULL, &roots[0], m.bytes + 17, 1), CID_OK);
    cid_car_writer_close(made);
    memcpy(m.bytes, "\x83\x01\x02\x03", 4);
    assert_error(cid_dag_write(m.bytes + 4, 64, NULL, NULL, CID_CODEC_DAG_JSON, CID_CODEC_DAG_CBOR,
                               m.bytes, 4, NULL, NULL),
                 CID_OK);
    assert_memory_equal(m.bytes + 4, "[1,2,3]", 7);
}

static const struct {
    const char *name;
    enum cid_error (*call)(void);
} calls[] = {
    {"multihash_write", multihash_write},
    {"multihash_make", multihash_make},
    {"write_v1", write_v1},
    {"make_v1", make_v1},
    {"make_v0", make_v0},
    {"write", write_cid},
    {"link_write", link_write},
    {"own", own},
    {"copy", copy},
    {"to_v0", to_v0},
    {"to_v1", to_v1},
    {"prefix_write", prefix_write},
    {"hash_sum", hash_sum},
    {"multihash_sum", multihash_sum},
    {"sum_v1", sum_v1},
    {"multibase_encode", multibase_encode},
    {"base_encode", base_encode},
    {"multibase_decode", multibase_decode},
    {"base_decode", base_decode},
    {"format", format},
    {"parse", parse},
    {"dag_write", dag_write},
    {"dag_make", dag_make},
    {"links_begin", links_begin},
    {"header_write", header_write},
    {"header_write, list", header_write_list},
    {"writer_open", writer_open},
    {"writer_open, header", writer_open_header},
    {"writer_put, cid", writer_put_cid},
    {"writer_put, data", writer_put_data},
    {"writer_add", writer_add},
    {"car_get", car_get},
    {"car_own", car_own},
};

/* Makes the call in a process of its own, and says whether it was stopped. */
static bool is_stopped(enum cid_error (*call)(void))
{
    int status = 0;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child == 0) {
        static const struct rlimit no_core;
        (void)!setrlimit(RLIMIT_CORE, &no_core);
        (void)!freopen("/dev/null", "w", stderr);
        signal(SIGABRT, SIG_DFL); /* the test's own handler is not for this */
        (void)!call();
        _exit(0);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void a_debug_build_stops_at_an_overlap(void **state)
{
    (void)state;
#ifdef NDEBUG
    (void)calls, (void)is_stopped;
    skip();
#else
    for (size_t i = 0; i < COUNT(calls); i++)
        if (!is_stopped(calls[i].call))
            fail_msg("%s was not stopped", calls[i].name);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_debug_build_stops_at_an_overlap),
        cmocka_unit_test(neighbours_are_no_overlap),
    };
    return cmocka_run_group_tests_name("apart", tests, NULL, NULL);
}
