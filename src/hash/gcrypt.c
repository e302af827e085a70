/*
 * gcrypt.c - what libgcrypt computes: functions that few archives have, and that are not worth code
 * of our own. The library is no dependency: it is opened when one of them is asked for first, and
 * where it is missing they are absent, as is any that it refuses (md5, say, where only approved
 * functions are allowed). This is the one file below src/car that needs POSIX, for dlopen.
 *
 * Threads: any number may ask at once, the first time too.
 */
#include "hash/stream.h"

#include <dlfcn.h>
#include <gcrypt.h>
#include <stdatomic.h>
#include <threads.h>

/* ---- the library --------------------------------------------------------------------------- */

/* Written once, by open_library, and only read from then on. */
static struct {
    __typeof__(gcry_control) *control;
    __typeof__(gcry_check_version) *check_version;
    __typeof__(gcry_md_algo_info) *algo_info;
    __typeof__(gcry_md_hash_buffer) *hash_buffer;
    __typeof__(gcry_md_open) *open;
    __typeof__(gcry_md_copy) *copy;
    __typeof__(gcry_md_reset) *reset;
    __typeof__(gcry_md_write) *write;
    __typeof__(gcry_md_read) *read;
    __typeof__(gcry_md_close) *close;
} api;

enum state {
    UNKNOWN,
    PRESENT,
    ABSENT
};
static _Atomic unsigned library_state;
static once_flag once = ONCE_FLAG_INIT;

static const struct {
    const char *name;
    void *to; /* a pointer to a function */
} symbols[] = {
    {"gcry_control", &api.control},        {"gcry_check_version", &api.check_version},
    {"gcry_md_algo_info", &api.algo_info}, {"gcry_md_hash_buffer", &api.hash_buffer},
    {"gcry_md_open", &api.open},           {"gcry_md_copy", &api.copy},
    {"gcry_md_reset", &api.reset},         {"gcry_md_write", &api.write},
    {"gcry_md_read", &api.read},           {"gcry_md_close", &api.close},
};

/* The library stays open: nobody could know when the last function of it has returned. */
static bool find_symbols(void)
{
    void *library = dlopen("libgcrypt.so.20", RTLD_NOW | RTLD_LOCAL);

    for (size_t i = 0; library && i < sizeof symbols / sizeof symbols[0]; i++) {
        void *at = dlsym(library, symbols[i].name);
        if (!at)
            return false;
        memcpy(symbols[i].to, &at, sizeof at); /* C has no cast for it */
    }
    return library != NULL;
}

/* A program that uses libgcrypt itself has it as it wants it, or is just about to. */
static bool set_up(void)
{
    if (api.control(GCRYCTL_ANY_INITIALIZATION_P))
        return true;
    if (!api.check_version(NULL))
        return false;
    (void)api.control(GCRYCTL_DISABLE_SECMEM, 0); /* nothing is secret here */
    (void)api.control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    return true;
}

static void open_library(void)
{
    enum state state = find_symbols() && set_up() ? PRESENT : ABSENT;
    atomic_store_explicit(&library_state, state, memory_order_release);
}

static bool have_library(void)
{
    unsigned state = atomic_load_explicit(&library_state, memory_order_acquire);

    if (state == UNKNOWN) {
        call_once(&once, open_library);
        state = atomic_load_explicit(&library_state, memory_order_acquire);
    }
    return state == PRESENT;
}

/* ---- messages ------------------------------------------------------------------------------ */

struct message {
    gcry_md_hd_t handle;
};

static void init(void *state, size_t out_len)
{
    struct message *message = state;
    (void)out_len;
    api.reset(message->handle);
}

static void update(void *state, const uint8_t *data, size_t len)
{
    struct message *message = state;
    if (len != 0)
        api.write(message->handle, data, len);
}

static void final(void *state, uint8_t *out, size_t out_len)
{
    struct message *message = state;
    memcpy(out, api.read(message->handle, 0), out_len);
}

static bool copy_message(void *to, const void *from)
{
    const struct message *message = from;
    struct message *made = to;
    return api.copy(&made->handle, message->handle) == 0;
}

static void close_message(void *state)
{
    struct message *message = state;
    api.close(message->handle);
}

/* ---- functions ----------------------------------------------------------------------------- */

#define FUNCTION(name, algorithm)                                                                  \
    static bool open_##name(void *state)                                                           \
    {                                                                                              \
        struct message *message = state;                                                           \
        return api.open(&message->handle, algorithm, 0) == 0;                                      \
    }                                                                                              \
    static const struct cid__stream_owner owner_##name = {open_##name, copy_message, close_message};
#define FUNCTION_WITH_SUM(name, algorithm)                                                         \
    FUNCTION(name, algorithm)                                                                      \
    static void sum_##name(uint8_t *out, size_t out_len, const uint8_t *data, size_t len)          \
    {                                                                                              \
        (void)out_len;                                                                             \
        api.hash_buffer(algorithm, out, data, len);                                                \
    }
#define STREAM(name, sum)                                                                          \
    {                                                                                              \
        sizeof(struct message), init, update, final, sum, &owner_##name                            \
    }

FUNCTION(md5, GCRY_MD_MD5) /* its hash_buffer needs memory, and ends the program if there is none */
FUNCTION_WITH_SUM(ripemd160, GCRY_MD_RMD160)
FUNCTION_WITH_SUM(sha1, GCRY_MD_SHA1)
FUNCTION_WITH_SUM(sha2_384, GCRY_MD_SHA384)
FUNCTION_WITH_SUM(sha2_512, GCRY_MD_SHA512)
FUNCTION_WITH_SUM(sha2_512_224, GCRY_MD_SHA512_224)
FUNCTION_WITH_SUM(sha2_512_256, GCRY_MD_SHA512_256)
FUNCTION_WITH_SUM(sm3, GCRY_MD_SM3)

static const struct function {
    uint64_t code;
    int algorithm;
    struct cid__stream stream;
} functions[] = {
    {0x11, GCRY_MD_SHA1, STREAM(sha1, sum_sha1)},
    {0x13, GCRY_MD_SHA512, STREAM(sha2_512, sum_sha2_512)}, /* for builds without libsodium */
    {0x20, GCRY_MD_SHA384, STREAM(sha2_384, sum_sha2_384)},
    {0xd5, GCRY_MD_MD5, STREAM(md5, NULL)},
    {0x1014, GCRY_MD_SHA512_224, STREAM(sha2_512_224, sum_sha2_512_224)},
    {0x1015, GCRY_MD_SHA512_256, STREAM(sha2_512_256, sum_sha2_512_256)},
    {0x1053, GCRY_MD_RMD160, STREAM(ripemd160, sum_ripemd160)},
    {0x534d, GCRY_MD_SM3, STREAM(sm3, sum_sm3)},
};

/* Asked each time, since the program may forbid an algorithm when it likes. */
static bool allows(int algorithm)
{
    return have_library() && !api.algo_info(algorithm, GCRYCTL_TEST_ALGO, NULL, NULL);
}

const struct cid__stream *cid__stream_gcrypt(uint64_t code)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (functions[i].code == code)
            return allows(functions[i].algorithm) ? &functions[i].stream : NULL;
    return NULL;
}
