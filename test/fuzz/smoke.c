/*
 * smoke.c - runs a fuzz target over a fixed, seeded set of mutated inputs, each at the end of a
 * page, so that reading too far faults even without sanitizers. Usage: fuzz-NAME [ROUNDS [SEED]];
 * or, to have the seeds as files for libFuzzer to start from, fuzz-NAME --seeds FOLDER.
 */
#include "fuzz.h"
#include "support.h"

#include <signal.h>
#include <unistd.h>

enum {
    LONGEST = 2048,
    ROUNDS = 4000
};

struct input {
    uint8_t bytes[LONGEST];
    size_t len;
};

static struct input now;

static size_t below(struct test_random *random, size_t n)
{
    return (size_t)(test_random_next(random) % n);
}

static size_t count_seeds(void)
{
    size_t count = 0;
    while (fuzz_seeds[count].bytes)
        count++;
    return count;
}

static void start_from(struct input *input, const struct fuzz_seed *seed)
{
    input->len = seed->len < LONGEST ? seed->len : LONGEST;
    memcpy(input->bytes, seed->bytes, input->len);
}

static void insert(struct input *input, size_t at, const uint8_t *bytes, size_t len)
{
    if (len > LONGEST - input->len)
        return;
    memmove(input->bytes + at + len, input->bytes + at, input->len - at);
    memmove(input->bytes + at, bytes, len);
    input->len += len;
}

static void erase(struct input *input, size_t at, size_t len)
{
    memmove(input->bytes + at, input->bytes + at + len, input->len - at - len);
    input->len -= len;
}

static void splice(struct input *input, const struct fuzz_seed *seed, struct test_random *random)
{
    size_t from = below(random, seed->len + 1);
    size_t len = below(random, seed->len - from + 1);
    insert(input, below(random, input->len + 1), (const uint8_t *)seed->bytes + from, len);
}

static void mutate(struct input *input, struct test_random *random)
{
    static const uint8_t telling[] = {0x00, 0x01, 0x12, 0x20, 0x7f, 0x80, 0xff, '/', '=', 'z', 'A'};
    size_t at = below(random, input->len + 1);
    size_t some = below(random, input->len - at + 1);
    uint8_t one = telling[below(random, sizeof telling)];

    switch (below(random, 7)) {
    case 0:
        if (at < input->len)
            input->bytes[at] ^= (uint8_t)(1u << below(random, 8));
        break;
    case 1:
        if (at < input->len)
            input->bytes[at] = one;
        break;
    case 2:
        insert(input, at, &one, 1);
        break;
    case 3:
        erase(input, at, some < 4 ? some : below(random, 4));
        break;
    case 4:
        input->len = at;
        break;
    case 5:
        splice(input, &fuzz_seeds[below(random, count_seeds())], random);
        break;
    default:
        if (at < input->len)
            input->bytes[at] = (uint8_t)test_random_next(random);
    }
}

static void run(const struct input *input)
{
    LLVMFuzzerTestOneInput(test_guard(input->bytes, input->len), input->len);
    test_guard_release();
}

/* Says which input it was; async-signal-safe. */
static void report(int signal)
{
    static const char digits[] = "0123456789abcdef";
    static const char head[] = "the input, in hexadecimal: ";
    char line[2 * LONGEST + 1];
    size_t len = 0;
    for (size_t i = 0; i < now.len; i++) {
        line[len++] = digits[now.bytes[i] >> 4];
        line[len++] = digits[now.bytes[i] & 15];
    }
    line[len++] = '\n';
    if (write(2, head, sizeof head - 1) < 0 || write(2, line, len) < 0)
        _exit(1);
    _exit(128 + signal);
}

static int run_all(int argc, char **argv)
{
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : ROUNDS;
    struct test_random random = {argc > 2 ? strtoul(argv[2], NULL, 10) : 1};
    size_t seeds = count_seeds();

    signal(SIGABRT, report);
    for (size_t i = 0; i < seeds; i++) {
        start_from(&now, &fuzz_seeds[i]);
        run(&now);
    }
    for (unsigned long i = 0; i < rounds; i++) {
        start_from(&now, &fuzz_seeds[below(&random, seeds)]);
        for (size_t n = below(&random, 4); n < 4; n++)
            mutate(&now, &random);
        run(&now);
    }
    printf("%zu seeds and %lu mutated inputs\n", seeds, rounds);
    return 0;
}

static int write_seeds(const char *folder)
{
    for (size_t i = 0; fuzz_seeds[i].bytes; i++) {
        char path[4096];
        FILE *file;
        snprintf(path, sizeof path, "%s/seed-%02zu", folder, i);
        file = fopen(path, "wb");
        if (!file || fwrite(fuzz_seeds[i].bytes, 1, fuzz_seeds[i].len, file) != fuzz_seeds[i].len ||
            fclose(file) != 0) {
            perror(path);
            return 3;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--seeds") == 0)
        return write_seeds(argv[2]);
    return run_all(argc, argv);
}
