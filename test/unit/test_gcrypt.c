/*
 * How libgcrypt is opened: at first use, once, whoever asks; and what there is when it is missing,
 * too old, out of memory, or not ours to set up. dlopen and dlsym are ours here (--wrap). What was
 * opened stays open, so each case is a process of its own: its name is the argument.
 */
#include "support.h"

#include <cid/car.h>
#include <cid/hash.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define LIBRARY "libgcrypt.so.20"
#define SHA1    0x11
#define MD5     0xd5
#define WORKERS 8

void *__real_dlopen(const char *name, int flags);
void *__real_dlsym(void *library, const char *name);
void *__wrap_dlopen(const char *name, int flags);
void *__wrap_dlsym(void *library, const char *name);

static atomic_uint opened;
static const char *mode;

void *__wrap_dlopen(const char *name, int flags)
{
    atomic_fetch_add(&opened, 1);
    assert_string_equal(name, LIBRARY);
    return strcmp(mode, "missing") == 0 ? NULL : __real_dlopen(name, flags);
}

/* ---- functions in place of libgcrypt's ------------------------------------------------------- */

static bool memory_is_out;
static int (*real_open)(void *handle, int algorithm, unsigned flags);
static int (*real_copy)(void *to, void *from);
static int (*real_info)(int algorithm, int what, void *buffer, size_t *len);
static unsigned set_up_calls;

static int any_open(void *handle, int algorithm, unsigned flags)
{
    return memory_is_out ? 86 : real_open(handle, algorithm, flags);
}

static int any_copy(void *to, void *from)
{
    return memory_is_out ? 86 : real_copy(to, from);
}

/* As with a policy that forbids md5. */
static int any_info(int algorithm, int what, void *buffer, size_t *len)
{
    return algorithm == 1 ? 5 : real_info(algorithm, what, buffer, len);
}

/* As if the program had begun to set the library up. */
static int any_control(int command, ...)
{
    set_up_calls += command != 40; /* GCRYCTL_ANY_INITIALIZATION_P */
    return command == 40;
}

static const char *any_version(const char *least)
{
    set_up_calls++;
    return least;
}

/* Keeps what is real, and gives what is ours; both by their address, since C has no cast. */
static void *replace(void *real, void *to_real, const void *to_ours)
{
    void *ours;
    if (to_real)
        memcpy(to_real, &real, sizeof real);
    memcpy(&ours, to_ours, sizeof ours);
    return ours;
}

static const struct replacement {
    const char *mode;
    const char *name;
} replacements[] = {
    {"memory", "gcry_md_open"}, {"memory", "gcry_md_copy"},     {"forbidden", "gcry_md_algo_info"},
    {"host", "gcry_control"},   {"host", "gcry_check_version"},
};

void *__wrap_dlsym(void *library, const char *name)
{
    int (*open)(void *, int, unsigned) = any_open;
    int (*copy)(void *, void *) = any_copy;
    int (*info)(int, int, void *, size_t *) = any_info;
    int (*control)(int, ...) = any_control;
    const char *(*version)(const char *) = any_version;
    void *real = __real_dlsym(library, name);

    if (strcmp(mode, "old") == 0 && strcmp(name, "gcry_md_copy") == 0)
        return NULL;
    for (size_t i = 0; i < COUNT(replacements); i++) {
        if (strcmp(replacements[i].mode, mode) != 0 || strcmp(replacements[i].name, name) != 0)
            continue;
        switch (i) {
        case 0:
            return replace(real, &real_open, &open);
        case 1:
            return replace(real, &real_copy, &copy);
        case 2:
            return replace(real, &real_info, &info);
        case 3:
            return replace(NULL, NULL, &control);
        case 4:
            return replace(NULL, NULL, &version);
        }
    }
    return real;
}

/* ---- archives ------------------------------------------------------------------------------ */

#define BLOCKS 20000 /* some jobs for each thread */

static const struct {
    uint64_t code;
    const char *digest; /* of "abc" */
} firsts[WORKERS] = {
    {SHA1, "a9993e364706816aba3e25717850c26c9cd0d89d"},
    {MD5, "900150983cd24fb0d6963f7d28e17f72"},
    {0x1053, "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"},
    {0x1014, "4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa"},
    {0x1015, "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"},
    {0x534d, "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"},
    {SHA1, "a9993e364706816aba3e25717850c26c9cd0d89d"},
    {MD5, "900150983cd24fb0d6963f7d28e17f72"},
};

/* Blocks "abc" of all these functions in turn; md5 is too short to prove anything. */
static struct test_bytes make_archive(void)
{
    struct test_bytes out = test_hex("11a265726f6f7473806776657273696f6e01");

    out.data = realloc(out.data, out.len + (size_t)BLOCKS * 64);
    assert_non_null(out.data);
    for (size_t i = 0; i < BLOCKS; i++) {
        struct test_bytes digest = test_hex(firsts[i % WORKERS].digest);
        size_t written = 0;
        assert_error(cid_write_v1(out.data + out.len + 1, 60, &written, CID_CODEC_RAW,
                                  firsts[i % WORKERS].code, digest.data, digest.len),
                     CID_OK);
        out.data[out.len] = (uint8_t)(written + 3);
        memcpy(out.data + out.len + 1 + written, "abc", 3);
        out.len += 1 + written + 3;
        test_bytes_free(&digest);
    }
    return out;
}

static struct cid_car_verdicts verify_archive(const struct test_bytes *archive)
{
    struct cid_car_verify_options options = {.workers = WORKERS};
    struct cid_car_verdicts verdicts;
    struct cid_car_reader *reader = NULL;

    assert_error(cid_car_reader_open(&reader, archive->data, archive->len, NULL, NULL, NULL),
                 CID_OK);
    assert_error(cid_car_verify(&verdicts, reader, &options), CID_E_UNVERIFIABLE);
    assert_int_equal(verdicts.blocks, BLOCKS);
    cid_car_reader_close(reader);
    return verdicts;
}

/* ---- cases --------------------------------------------------------------------------------- */

static bool available(uint64_t code)
{
    struct cid_hash_info info;
    assert_error(cid_hash_by_code(&info, code), CID_OK);
    return info.available;
}

static void is_absent(uint64_t code)
{
    uint8_t digest[64] = {0};
    struct cid_multihash_view hash = {code, digest, 20};
    struct cid_hasher *hasher;

    assert_false(available(code));
    assert_error(cid_hash_sum(digest, 64, NULL, code, CID_DIGEST_DEFAULT, "abc", 3, NULL),
                 CID_E_HASH_ABSENT);
    assert_error(cid_hasher_open(&hasher, code, CID_DIGEST_DEFAULT, NULL, NULL), CID_E_HASH_ABSENT);
    assert_error(cid_multihash_verify(&hash, "abc", 3, NULL), CID_E_UNVERIFIABLE);
}

static void absent(void **state)
{
    struct test_bytes archive = make_archive();
    uint8_t digest[32];
    (void)state;

    assert_int_equal(verify_archive(&archive).unverifiable, BLOCKS);
    test_bytes_free(&archive);

    is_absent(SHA1);
    is_absent(MD5);
    is_absent(0x534d);
    assert_int_equal(atomic_load(&opened), 1); /* it is not looked for again and again */
    assert_error(cid_hash_sum(digest, 32, NULL, CID_HASH_SHA2_256, 32, "abc", 3, NULL), CID_OK);
}

static void forbidden(void **state)
{
    (void)state;
    is_absent(MD5);
    assert_true(available(SHA1));
}

static void host(void **state)
{
    (void)state;
    assert_true(available(SHA1));
    assert_int_equal(set_up_calls, 0);
}

static void memory(void **state)
{
    struct cid_hasher *hasher = NULL;
    uint8_t digest[20], expected[20];
    struct cid_multihash_view hash = {SHA1, digest, 20};
    (void)state;

    assert_error(cid_hash_sum(expected, 20, NULL, SHA1, 20, "abc", 3, NULL), CID_OK);
    memory_is_out = true;
    assert_error(cid_hash_sum(digest, 20, NULL, MD5, 16, "abc", 3, NULL), CID_E_NOMEM);
    hasher = (struct cid_hasher *)&hash;
    assert_error(cid_hasher_open(&hasher, SHA1, 20, NULL, NULL), CID_E_NOMEM);
    assert_null(hasher);
    memory_is_out = false;
    assert_error(cid_hasher_open(&hasher, SHA1, 20, NULL, NULL), CID_OK);
    assert_error(cid_hasher_update(hasher, "abc", 3), CID_OK);
    memory_is_out = true;
    assert_error(cid_hasher_finish(digest, 20, NULL, hasher), CID_E_NOMEM);
    cid_hasher_reset(hasher);
    assert_error(cid_hasher_update(hasher, "abc", 3), CID_OK);
    memory_is_out = false;
    assert_error(cid_hasher_finish(digest, 20, NULL, hasher), CID_OK);
    assert_memory_equal(digest, expected, 20);
    cid_hasher_close(hasher);
}

static pthread_barrier_t start;

/* Half of them hash at once, half in pieces. Returns NULL when all is well. */
static void *ask(void *arg)
{
    size_t i = *(size_t *)arg, written = 0;
    struct cid_hasher *hasher = NULL;
    uint8_t *digest = (uint8_t *)arg + sizeof i;
    bool good;

    (void)pthread_barrier_wait(&start);
    if (i % 2)
        return cid_hash_sum(digest, 64, NULL, firsts[i].code, CID_DIGEST_DEFAULT, "abc", 3, NULL)
                   ? arg
                   : NULL;
    good = !cid_hasher_open(&hasher, firsts[i].code, CID_DIGEST_DEFAULT, NULL, NULL) &&
           !cid_hasher_update(hasher, "abc", 3) && !cid_hasher_finish(digest, 64, &written, hasher);
    cid_hasher_close(hasher);
    return good ? NULL : arg;
}

static void first_use(void **state)
{
    struct {
        size_t i;
        uint8_t digest[64];
    } jobs[WORKERS];
    pthread_t threads[WORKERS];
    uint8_t digest[32];
    (void)state;

    assert_error(cid_hash_sum(digest, 32, NULL, CID_HASH_SHA2_256, 32, "abc", 3, NULL), CID_OK);
    assert_true(available(CID_HASH_BLAKE2B_256));
    assert_int_equal(atomic_load(&opened), 0);
#ifdef RTLD_NOLOAD
    assert_null(__real_dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD));
#endif
    assert_int_equal(pthread_barrier_init(&start, NULL, WORKERS), 0);
    for (size_t i = 0; i < WORKERS; i++) {
        jobs[i].i = i;
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &jobs[i]), 0);
    }
    for (size_t i = 0; i < WORKERS; i++) {
        struct test_bytes want = test_hex(firsts[i].digest);
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
        assert_memory_equal(jobs[i].digest, want.data, want.len);
        test_bytes_free(&want);
    }
    assert_int_equal(atomic_load(&opened), 1);
    (void)pthread_barrier_destroy(&start);
}

/* Archives are verified by threads with small stacks, which open the library then. */
static void workers(void **state)
{
    struct test_bytes archive = make_archive();
    struct cid_car_verdicts verdicts;
    (void)state;

    assert_int_equal(atomic_load(&opened), 0);
    verdicts = verify_archive(&archive);
    assert_int_equal(atomic_load(&opened), 1);
    assert_int_equal(verdicts.good, BLOCKS / WORKERS * 6);
    assert_int_equal(verdicts.unverifiable, BLOCKS / WORKERS * 2);
    test_bytes_free(&archive);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        {"first_use", first_use, NULL, NULL, NULL}, {"workers", workers, NULL, NULL, NULL},
        {"missing", absent, NULL, NULL, NULL},      {"old", absent, NULL, NULL, NULL},
        {"forbidden", forbidden, NULL, NULL, NULL}, {"host", host, NULL, NULL, NULL},
        {"memory", memory, NULL, NULL, NULL},
    };

    mode = argc == 2 ? argv[1] : "";
    for (size_t i = 0; i < COUNT(tests); i++) {
        const struct CMUnitTest one[] = {tests[i]};
        if (strcmp(tests[i].name, mode) == 0)
            return cmocka_run_group_tests_name("gcrypt", one, NULL, NULL);
    }
    fputs("usage: test_gcrypt first_use|workers|missing|old|forbidden|host|memory\n", stderr);
    return 2;
}
