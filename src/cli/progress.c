#include "progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define WIDTH     64 /* of the line, at most */
#define SECOND    UINT64_C(1000000000)
#define EVERY     (SECOND / 5)
#define LOOK_EACH (UINT64_C(1) << 20) /* bytes after which the clock is looked at */

static const char wipe[] = "\r                                                                \r";

static uint64_t now(void)
{
    struct timespec t;
    return clock_gettime(CLOCK_MONOTONIC, &t) == 0
               ? (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec
               : 0;
}

static void put(const char *text, size_t len)
{
    ssize_t ignored = write(STDERR_FILENO, text, len);
    (void)ignored;
}

/* Whoever stops the program finds the terminal as it was. */
static void wipe_and_die(int number)
{
    put(wipe, sizeof wipe - 1);
    raise(number); /* its default again, by SA_RESETHAND */
}

/* Those that somebody ignores stay ignored. */
static void catch_signals(bool on)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction action;
        if (sigaction(numbers[i], NULL, &action) != 0 || action.sa_handler == SIG_IGN)
            continue;
        memset(&action, 0, sizeof action);
        sigemptyset(&action.sa_mask);
        action.sa_handler = on ? wipe_and_die : SIG_DFL;
        action.sa_flags = on ? (int)SA_RESETHAND : 0;
        (void)sigaction(numbers[i], &action, NULL);
    }
}

static bool is_fit(void)
{
    const char *term = getenv("TERM");
    struct winsize size;

    return isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0) &&
           (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 ||
            size.ws_col > WIDTH);
}

void progress_begin(struct cli *cli, struct progress *progress, uint64_t total)
{
    memset(progress, 0, sizeof *progress);
    progress->total = total;
    progress->on = !cli->as_json && is_fit();
    if (!progress->on)
        return;
    progress->start = now();
    progress->next = progress->start + SECOND;
    cli->progress = progress;
}

/* "12.3 GiB" with one decimal, cut. */
static void put_size(char out[16], uint64_t bytes)
{
    static const char units[] = "KMGTPE";
    int unit = 0;
    uint64_t tenths;

    while (bytes >= UINT64_C(1024) << 10 && unit < 5) {
        bytes >>= 10;
        unit++;
    }
    tenths = bytes * 10 / 1024;
    snprintf(out, 16, "%u.%u %ciB", (unsigned)(tenths / 10), (unsigned)(tenths % 10), units[unit]);
}

/* The ten cells of the bar. */
static void put_bar(char out[11], double part)
{
    for (int i = 0; i < 10; i++)
        out[i] = part * 10 >= i + 0.5 ? '#' : '.';
    out[10] = '\0';
}

static int put_left(char *out, size_t cap, double seconds)
{
    uint64_t left = seconds < 359999 ? (uint64_t)(seconds + 0.999) : 359999;

    return snprintf(out, cap, ", %02u:%02u:%02u left", (unsigned)(left / 3600),
                    (unsigned)(left / 60 % 60), (unsigned)(left % 60));
}

void progress_show(struct progress *progress, uint64_t done)
{
    char line[WIDTH + 64], size[16], all[16], rate[16], bar[11], left[32] = "";
    uint64_t time = now();
    double seconds = (double)(time - progress->start) / (double)SECOND;
    int len;

    progress->checked = done + LOOK_EACH;
    if (time < progress->next || seconds <= 0)
        return;
    progress->next = time + EVERY;
    put_size(size, done);
    put_size(rate, (uint64_t)((double)done / seconds));
    if (progress->total >= done && done != 0) {
        double part = (double)done / (double)progress->total;
        put_size(all, progress->total);
        put_bar(bar, part);
        put_left(left, sizeof left, seconds / part - seconds);
        len = snprintf(line, sizeof line, "\r[%s] %s of %s, %s/s%s", bar, size, all, rate, left);
    } else {
        len = snprintf(line, sizeof line, "\r%s, %s/s", size, rate);
    }
    if (!progress->shown)
        catch_signals(true);
    progress->shown = true;
    while (len < WIDTH)
        line[len++] = ' '; /* over what was there before */
    put(line, (size_t)len);
}

void progress_hide(struct progress *progress)
{
    if (!progress->shown)
        return;
    put(wipe, sizeof wipe - 1);
    catch_signals(false);
    progress->shown = false;
}

void progress_end(struct cli *cli, struct progress *progress)
{
    progress_hide(progress);
    progress->on = false;
    cli->progress = NULL;
}
