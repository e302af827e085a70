/* Outputs never overlap inputs: a debug build stops at the call that breaks the rule. */
#define _DEFAULT_SOURCE
#include "support.h"

#include <cid/cid.h>

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
    };
    return cmocka_run_group_tests_name("apart", tests, NULL, NULL);
}
