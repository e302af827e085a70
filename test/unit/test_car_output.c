#define _DEFAULT_SOURCE
#include "archive.h"

#include <errno.h>
#include <fcntl.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A directory of its own for each test. */
static char directory[64];
static char path[128];

static int enter(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/test-car-output-XXXXXX");
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/out.car", directory);
    return 0;
}

/* How many files there are; *parts: of them, those that are not whole. */
static unsigned count_files(unsigned *parts)
{
    DIR *dir = opendir(directory);
    unsigned files = 0;

    *parts = 0;
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        size_t len = strlen(entry->d_name);
        if (entry->d_name[0] == '.')
            continue;
        files++;
        *parts += len > 5 && strcmp(entry->d_name + len - 5, ".part") == 0;
    }
    closedir(dir);
    return files;
}

static int leave(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

static void expect_files(unsigned files, unsigned parts)
{
    unsigned found_parts, found = count_files(&found_parts);

    assert_int_equal(found, files);
    assert_int_equal(found_parts, parts);
}

static void make_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static struct test_bytes read_back(const char *name)
{
    struct test_bytes bytes = {malloc(1 << 20), 0};
    FILE *file = fopen(name, "rb");

    assert_non_null(file);
    assert_non_null(bytes.data);
    bytes.len = fread(bytes.data, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void expect_text(const char *name, const char *text)
{
    struct test_bytes bytes = read_back(name);

    assert_int_equal(bytes.len, strlen(text));
    assert_memory_equal(bytes.data, text, bytes.len);
    test_bytes_free(&bytes);
}

static void expect_sample(const char *name)
{
    struct test_bytes bytes = read_back(name);

    car_expect_bytes(bytes.data, bytes.len, CAR_V2I);
    test_bytes_free(&bytes);
}

/* Writes the blocks of the sample as an indexed CARv2. */
static enum cid_error write_blocks(struct cid_car_writer *writer)
{
    struct test_bytes a_bytes, b_bytes;
    struct cid_view a = car_cid(CAR_D1, &a_bytes), b = car_cid(CAR_D2, &b_bytes);
    enum cid_error error = cid_car_writer_put(writer, NULL, &a, "a", 1);

    if (!error)
        error = cid_car_writer_put(writer, NULL, &b, "bc", 2);
    test_bytes_free(&a_bytes);
    test_bytes_free(&b_bytes);
    return error;
}

static struct cid_car_writer_options sample_options(struct cid_view *root, struct test_bytes *bytes)
{
    *root = car_cid(CAR_D1, bytes);
    return (struct cid_car_writer_options){.version = 2, .roots = root, .root_count = 1};
}

static struct cid_car_writer *open_sample(const char *name)
{
    struct test_bytes bytes;
    struct cid_view root;
    struct cid_car_writer_options options = sample_options(&root, &bytes);
    struct cid_car_writer *writer = NULL;

    assert_error(cid_car_writer_open_path(&writer, name, &options, NULL), CID_OK);
    test_bytes_free(&bytes);
    return writer;
}

/* ---- files by name ------------------------------------------------------------------------ */

static void a_file_gets_its_name_when_it_is_whole(void **state)
{
    struct cid_car_writer *writer;
    uint64_t len = 0;
    (void)state;

    make_file(path, "what was there");
    writer = open_sample(path);
    expect_files(2, 1);
    assert_error(write_blocks(writer), CID_OK);
    expect_text(path, "what was there");
    assert_error(cid_car_writer_finish(writer, &len), CID_OK);
    assert_int_equal(len, 297);
    expect_files(1, 0);
    expect_sample(path);
    cid_car_writer_close(writer);
    expect_files(1, 0);
}

static void what_is_given_up_leaves_nothing(void **state)
{
    struct cid_car_writer *writer;
    (void)state;

    make_file(path, "what was there");
    writer = open_sample(path);
    assert_error(write_blocks(writer), CID_OK);
    errno = ENOSPC;
    cid_car_writer_close(writer);
    assert_int_equal(errno, ENOSPC);
    expect_files(1, 0);
    expect_text(path, "what was there");
}

/* Two at once do not meet, and the last one to finish has the name. */
static void two_writers_do_not_disturb_each_other(void **state)
{
    struct cid_car_writer *first, *second;
    (void)state;

    first = open_sample(path);
    second = open_sample(path);
    expect_files(2, 2);
    assert_error(write_blocks(first), CID_OK);
    cid_car_writer_close(first);
    expect_files(1, 1);
    assert_error(write_blocks(second), CID_OK);
    assert_error(cid_car_writer_finish(second, NULL), CID_OK);
    cid_car_writer_close(second);
    expect_files(1, 0);
    expect_sample(path);
}

static void the_input_may_have_the_name_of_the_output(void **state)
{
    struct cid_car_writer *writer;
    struct cid_car_reader *reader = NULL;
    struct cid_car_options options = car_options(NULL);
    int fd;
    (void)state;

    writer = open_sample(path);
    assert_error(write_blocks(writer), CID_OK);
    assert_error(cid_car_writer_finish(writer, NULL), CID_OK);
    cid_car_writer_close(writer);
    fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    assert_error(cid_car_reader_open_fd(&reader, fd, &options, NULL, NULL), CID_OK);
    writer = open_sample(path);
    assert_error(cid_car_writer_copy(writer, reader), CID_OK);
    assert_error(cid_car_writer_finish(writer, NULL), CID_OK);
    cid_car_writer_close(writer);
    cid_car_reader_close(reader);
    close(fd);
    expect_sample(path);
}

static void a_name_without_a_directory_will_do(void **state)
{
    struct cid_car_writer *writer;
    int here = open(".", O_RDONLY | O_DIRECTORY);
    (void)state;

    assert_true(here >= 0);
    assert_int_equal(chdir(directory), 0);
    writer = open_sample("out.car");
    assert_error(write_blocks(writer), CID_OK);
    assert_error(cid_car_writer_finish(writer, NULL), CID_OK);
    cid_car_writer_close(writer);
    assert_int_equal(fchdir(here), 0);
    close(here);
    expect_files(1, 0);
    expect_sample(path);
}

static void names_that_are_something_else_are_refused(void **state)
{
    struct cid_output *output = NULL;
    struct cid_car_writer *writer = NULL;
    char other[128], *long_name = malloc(5000);
    (void)state;

    assert_non_null(long_name);
    assert_error(cid_output_open(&output, directory, NULL), CID_E_OUTPUT_KIND);
    assert_error(cid_output_open(&output, "/dev/null", NULL), CID_E_OUTPUT_KIND);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_error(cid_output_open(&output, path, NULL), CID_E_OUTPUT_KIND);
    assert_error(cid_car_writer_open_path(&writer, path, NULL, NULL), CID_E_OUTPUT_KIND);
    assert_null(output);
    assert_null(writer);
    snprintf(other, sizeof other, "%s/none/out.car", directory);
    errno = 0;
    assert_error(cid_output_open(&output, other, NULL), CID_E_IO);
    assert_int_equal(errno, ENOENT);
    snprintf(long_name, 5000, "%s/%0300d", directory, 1);
    assert_error(cid_car_writer_open_path(&writer, long_name, NULL, NULL), CID_E_IO);
    assert_int_equal(errno, ENAMETOOLONG);
    assert_error(cid_output_open(&output, "", NULL), CID_E_IO);
    expect_files(1, 0);
    free(long_name);
}

/* A limit on the size of files stands in for a full disk: writes fail in the same way. */
static void a_full_disk_leaves_what_was_there(void **state)
{
    static uint8_t data[3000];
    struct rlimit before, limit;
    struct cid_car_writer *writer;
    struct test_bytes bytes;
    struct cid_view cid = car_cid(CAR_D1, &bytes);
    enum cid_error error = CID_OK;
    (void)state;

    make_file(path, "what was there");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    writer = open_sample(path);
    for (int i = 0; i < 100 && !error; i++)
        error = cid_car_writer_put(writer, NULL, &cid, data, sizeof data);
    assert_error(error, CID_E_IO);
    assert_int_equal(errno, EFBIG);
    assert_error(cid_car_writer_finish(writer, NULL), CID_E_IO);
    cid_car_writer_close(writer);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    expect_files(1, 0);
    expect_text(path, "what was there");
    test_bytes_free(&bytes);
}

/* A file system that is really full. Only root can make one, and only where that is allowed. */
static void a_full_file_system_leaves_what_was_there(void **state)
{
    static uint8_t data[3000];
    struct cid_car_writer *writer;
    struct test_bytes bytes;
    struct cid_view cid;
    enum cid_error error = CID_OK;
    (void)state;

    if (!getenv("CID_TEST_SLOW") || mount("none", directory, "tmpfs", 0, "size=128k") != 0)
        skip();
    cid = car_cid(CAR_D1, &bytes);
    make_file(path, "what was there");
    writer = open_sample(path);
    for (int i = 0; i < 200 && !error; i++)
        error = cid_car_writer_put(writer, NULL, &cid, data, sizeof data);
    assert_error(error, CID_E_IO);
    assert_int_equal(errno, ENOSPC);
    assert_error(cid_car_writer_finish(writer, NULL), CID_E_IO);
    cid_car_writer_close(writer);
    expect_files(1, 0);
    expect_text(path, "what was there");
    assert_int_equal(umount(directory), 0);
    test_bytes_free(&bytes);
}

/* Killed in the middle, with much already on the disk: only the passing name is there. */
static void a_killed_writer_leaves_the_name_alone(void **state)
{
    static uint8_t data[3000];
    unsigned parts;
    int status = 0;
    pid_t child;
    (void)state;

    make_file(path, "what was there");
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct cid_car_writer *writer = open_sample(path);
        struct test_bytes bytes;
        struct cid_view cid = car_cid(CAR_D1, &bytes);
        for (int i = 0; i < 100; i++)
            if (cid_car_writer_put(writer, NULL, &cid, data, sizeof data))
                _exit(1);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(count_files(&parts), 2);
    assert_int_equal(parts, 1);
    expect_text(path, "what was there");
}

static void without_memory_nothing_is_left(void **state)
{
    struct test_bytes bytes;
    struct cid_view root;
    struct cid_car_writer_options options = sample_options(&root, &bytes);
    size_t grace = 0;
    enum cid_error error;
    (void)state;

    do {
        struct test_alloc failing;
        struct cid_car_writer *writer = NULL;
        test_alloc_init(&failing, grace++);
        error = cid_car_writer_open_path(&writer, path, &options, &failing.allocator);
        if (!error)
            error = write_blocks(writer);
        if (!error)
            error = cid_car_writer_finish(writer, NULL);
        cid_car_writer_close(writer);
        assert_int_equal(failing.live, 0);
        if (error)
            expect_files(0, 0);
    } while (error);
    assert_true(grace > 6);
    expect_sample(path);
    test_bytes_free(&bytes);
}

static void an_index_is_a_file_too(void **state)
{
    struct test_bytes idx = test_hex(CAR_IDX), bytes;
    struct cid_car_index *index = NULL;
    struct cid_output *output = NULL;
    struct cid_sink sink;
    (void)state;

    assert_error(cid_car_index_open(&index, idx.data, idx.len, NULL, NULL), CID_OK);
    assert_error(cid_output_open(&output, path, NULL), CID_OK);
    sink = cid_output_sink(output);
    assert_error(cid_car_index_write(index, &sink), CID_OK);
    assert_error(cid_output_commit(output), CID_OK);
    assert_error(cid_output_commit(output), CID_E_ARGUMENT);
    cid_output_close(output);
    cid_output_close(NULL);
    cid_car_index_close(index);
    bytes = read_back(path);
    car_expect_bytes(bytes.data, bytes.len, CAR_IDX);
    test_bytes_free(&bytes);
    test_bytes_free(&idx);
}

/* ---- descriptors -------------------------------------------------------------------------- */

static enum cid_error write_to_fd(int fd, const struct cid_car_writer_options *options)
{
    struct cid_output *output = NULL;
    struct cid_car_writer *writer = NULL;
    struct cid_sink sink;
    enum cid_error error;

    assert_error(cid_output_open_fd(&output, fd, NULL), CID_OK);
    sink = cid_output_sink(output);
    error = cid_car_writer_open_sink(&writer, &sink, options, NULL);
    if (!error)
        error = write_blocks(writer);
    if (!error)
        error = cid_car_writer_finish(writer, NULL);
    cid_car_writer_close(writer);
    if (!error)
        error = cid_output_commit(output);
    cid_output_close(output);
    return error;
}

static void a_descriptor_is_written_from_where_it_stands(void **state)
{
    struct test_bytes root_bytes, bytes;
    struct cid_view root;
    struct cid_car_writer_options options = sample_options(&root, &root_bytes);
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    (void)state;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, "front", 5), 5);
    assert_error(write_to_fd(fd, &options), CID_OK);
    close(fd);
    bytes = read_back(path);
    assert_memory_equal(bytes.data, "front", 5);
    car_expect_bytes(bytes.data + 5, bytes.len - 5, CAR_V2I);
    test_bytes_free(&bytes);

    /* What is appended to cannot be patched. */
    fd = open(path, O_WRONLY | O_APPEND);
    assert_error(write_to_fd(fd, &options), CID_E_SEEK);
    options.data_size = 136;
    assert_error(write_to_fd(fd, &options), CID_OK);
    close(fd);
    bytes = read_back(path);
    assert_int_equal(bytes.len, 5 + 2 * 297);
    car_expect_bytes(bytes.data + 5 + 297, 297, CAR_V2I);
    test_bytes_free(&bytes);
    test_bytes_free(&root_bytes);
}

static void a_pipe_takes_what_needs_no_going_back(void **state)
{
    struct test_bytes root_bytes;
    struct cid_view root;
    struct cid_car_writer_options options = sample_options(&root, &root_bytes);
    struct cid_output *output = NULL;
    uint8_t got[400];
    int fds[2];
    (void)state;

    assert_int_equal(pipe(fds), 0);
    assert_error(write_to_fd(fds[1], &options), CID_E_SEEK);
    options.data_size = 136;
    assert_error(write_to_fd(fds[1], &options), CID_OK);
    assert_int_equal(read(fds[0], got, sizeof got), 297);
    car_expect_bytes(got, 297, CAR_V2I);
    close(fds[0]);
    signal(SIGPIPE, SIG_IGN);
    assert_error(write_to_fd(fds[1], &options), CID_E_IO);
    assert_int_equal(errno, EPIPE);
    close(fds[1]);
    assert_error(cid_output_open_fd(&output, fds[1], NULL), CID_E_IO);
    assert_int_equal(errno, EBADF);
    test_bytes_free(&root_bytes);
}

/* ---- reading ------------------------------------------------------------------------------ */

static void blocks_are_got_from_a_descriptor(void **state)
{
    struct cid_car_open_options options = {.read = car_options(NULL)};
    struct cid_car_writer *writer = open_sample(path);
    struct test_bytes bytes;
    struct cid_view cid = car_cid(CAR_D2, &bytes);
    struct cid_car *car = NULL;
    struct cid_car_block block;
    uint8_t buf[100];
    int fd;
    (void)state;

    assert_error(write_blocks(writer), CID_OK);
    assert_error(cid_car_writer_finish(writer, NULL), CID_OK);
    cid_car_writer_close(writer);
    fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    assert_int_equal(lseek(fd, 3, SEEK_SET), 3);
    assert_error(cid_car_open_fd(&car, fd, &options, NULL, NULL), CID_OK);
    assert_error(cid_car_get(&block, buf, sizeof buf, NULL, car, &cid, NULL), CID_OK);
    assert_memory_equal(block.data, "bc", 2);
    assert_int_equal(lseek(fd, 0, SEEK_CUR), 3);
    /* Somebody makes the file shorter. */
    assert_int_equal(truncate(path, 120), 0);
    assert_error(cid_car_get(&block, buf, sizeof buf, NULL, car, &cid, NULL), CID_E_TRUNCATED);
    cid_car_close(car);
    close(fd);
    test_bytes_free(&bytes);
}

static void what_cannot_be_read_at_any_place_is_refused(void **state)
{
    struct cid_car *car = NULL;
    struct cid_fault fault = {0};
    int fds[2];
    (void)state;

    assert_int_equal(pipe(fds), 0);
    assert_error(cid_car_open_fd(&car, fds[0], NULL, &fault, NULL), CID_E_IO);
    assert_int_equal(errno, ESPIPE);
    assert_error(fault.code, CID_E_IO);
    close(fds[0]);
    close(fds[1]);
    assert_error(cid_car_open_fd(&car, fds[0], NULL, NULL, NULL), CID_E_IO);
    assert_int_equal(errno, EBADF);
    assert_null(car);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_gets_its_name_when_it_is_whole),
        TEST(what_is_given_up_leaves_nothing),
        TEST(two_writers_do_not_disturb_each_other),
        TEST(the_input_may_have_the_name_of_the_output),
        TEST(a_name_without_a_directory_will_do),
        TEST(names_that_are_something_else_are_refused),
        TEST(a_full_disk_leaves_what_was_there),
        TEST(a_full_file_system_leaves_what_was_there),
        TEST(a_killed_writer_leaves_the_name_alone),
        TEST(without_memory_nothing_is_left),
        TEST(an_index_is_a_file_too),
        TEST(a_descriptor_is_written_from_where_it_stands),
        TEST(a_pipe_takes_what_needs_no_going_back),
        TEST(blocks_are_got_from_a_descriptor),
        TEST(what_cannot_be_read_at_any_place_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
