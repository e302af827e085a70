/*
 * plot: box plots of a file of results, as SVG. A lane an engine, the lanes of a row together in a
 * band, all on one logarithmic scale, so that equal distances are equal ratios.
 */
#include "commands.h"

#include "options.h"
#include "results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Places and sizes, in pixels. */
#define WIDTH        980
#define MARGIN       20
#define NAMES_END    196 /* where the names of rows end, and those of engines begin */
#define PLOT_BEGIN   300
#define PLOT_END     804
#define MEDIAN_END   890 /* where the columns of figures end */
#define RATIO_END    960
#define TOP          92 /* of the first band */
#define LANE         19
#define BAND_GAP     10
#define BOX_HEIGHT   11
#define BOTTOM       44 /* below the last band: ticks and the name of the axis */
#define TICKS_MAX    64
#define FINE_DECADES 3.2 /* up to this many decades ticks at 2 and 5 are named too */

struct axis {
    double low, high; /* ns */
};

struct plot {
    FILE *out;
    const struct bench_results *results;
    struct axis axis;
    const char *title;
    int height;
};

/* ---- text --------------------------------------------------------------------------------- */

static void put_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else
            fputc(*text, out);
    }
}

static void put_text(FILE *out, double x, double y, const char *class, const char *text)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
    put_escaped(out, text);
    fputs("</text>\n", out);
}

/* "78.2 ns", "1.31 µs", "1.1 ms" */
static void format_unit(char *out, size_t size, double ns, int digits)
{
    static const char *const units[] = {"ns", "\xc2\xb5s", "ms", "s"};
    size_t unit = 0;
    int decimals;

    while (unit < 3 && ns >= 999.5) {
        ns /= 1000;
        unit++;
    }
    decimals = digits - (ns < 9.995 ? 1 : ns < 99.95 ? 2 : 3);
    snprintf(out, size, "%.*f %s", decimals > 0 ? decimals : 0, ns, units[unit]);
}

/* ---- the axis ----------------------------------------------------------------------------- */

static double x_of(const struct axis *axis, double ns)
{
    double part = log(ns / axis->low) / log(axis->high / axis->low);
    return PLOT_BEGIN + (PLOT_END - PLOT_BEGIN) * part;
}

/* The ticks 1, 2, 5 of each decade from below the least to above the greatest time. */
static size_t ticks(double *out, const struct axis *axis)
{
    static const double steps[] = {1, 2, 5};
    size_t count = 0;

    for (double decade = pow(10, floor(log10(axis->low) + 1e-9)); decade <= axis->high;
         decade *= 10)
        for (size_t i = 0; i < 3 && count < TICKS_MAX; i++) {
            double tick = decade * steps[i];
            if (tick >= axis->low * 0.999 && tick <= axis->high * 1.001)
                out[count++] = tick;
        }
    return count;
}

static double round_to_tick(double ns, bool up)
{
    static const double steps[] = {1, 2, 5, 10};
    double decade = pow(10, floor(log10(ns)));
    double best = decade;

    for (size_t i = 0; i < 4; i++) {
        if (up && decade * steps[i] >= ns * 0.999)
            return decade * steps[i];
        if (!up && decade * steps[i] <= ns * 1.001)
            best = decade * steps[i];
    }
    return best;
}

static struct axis axis_of(const struct bench_results *results)
{
    double low = INFINITY;
    double high = 0;

    for (size_t i = 0; i < results->count; i++) {
        low = fmin(low, results->at[i].six.min);
        high = fmax(high, results->at[i].six.max);
    }
    return (struct axis){round_to_tick(low, false), round_to_tick(high * 1.0001, true)};
}

static bool is_decade(double ns)
{
    double exponent = log10(ns);
    return fabs(exponent - round(exponent)) < 1e-6;
}

static void put_axis(const struct plot *plot)
{
    double at[TICKS_MAX];
    size_t count = ticks(at, &plot->axis);
    bool fine = log10(plot->axis.high / plot->axis.low) <= FINE_DECADES;
    double bottom = plot->height - BOTTOM;
    char text[32];

    for (size_t i = 0; i < count; i++) {
        double x = x_of(&plot->axis, at[i]);
        fprintf(plot->out, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n",
                x, TOP - 6, x, bottom, is_decade(at[i]) ? "grid" : "fine");
        if (!fine && !is_decade(at[i]))
            continue;
        format_unit(text, sizeof text, at[i], 1);
        put_text(plot->out, x, bottom + 15, "tick", text);
        put_text(plot->out, x, TOP - 12, "tick", text);
    }
    put_text(plot->out, (PLOT_BEGIN + PLOT_END) / 2.0, bottom + 33, "axis",
             "CPU time per operation, logarithmic scale");
}

/* ---- boxes -------------------------------------------------------------------------------- */

/* Engines that every picture may show have a colour of their own; others take turns. */
static const char *colour_of(const char *engine)
{
    static const struct {
        const char *engine;
        const char *colour;
    } known[] = {
        {"libcid", "#1d63d8"},       {"libcid-portable", "#82b0f2"}, {"libcid-avx2", "#4f8df0"},
        {"naive", "#8a8f98"},        {"libsodium", "#2e9e5b"},       {"openssl", "#c8553d"},
        {"multiformats", "#d9a21b"}, {"@atcute/cid", "#9b59b6"},     {"two-alloc", "#c8553d"},
        {"sized", "#d9a21b"},        {"stack", "#2e9e5b"},           {"inline", "#4f8df0"},
    };
    static const char *const others[] = {"#5fa8a0", "#b07aa1", "#7a9e3a", "#e08e45", "#6b7fc4"};
    size_t hash = 0;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].engine, engine) == 0)
            return known[i].colour;
    if (strncmp(engine, "inline-", 7) == 0)
        return "#82b0f2";
    for (; *engine != '\0'; engine++)
        hash = hash * 31 + (unsigned char)*engine;
    return others[hash % (sizeof others / sizeof others[0])];
}

static void put_box(const struct plot *plot, const struct bench_result *r, double y)
{
    FILE *out = plot->out;
    const struct axis *axis = &plot->axis;
    const char *colour = colour_of(r->engine);
    double q1 = x_of(axis, r->six.q1);
    double q3 = x_of(axis, r->six.q3);
    double width = fmax(q3 - q1, 2);
    double half = BOX_HEIGHT / 2.0;
    const double ends[] = {x_of(axis, r->six.min), x_of(axis, r->six.max)};

    fprintf(out, "<g stroke=\"%s\"><line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
            colour, ends[0], y, ends[1], y);
    for (size_t i = 0; i < 2; i++)
        fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", ends[i],
                y - half * 0.6, ends[i], y + half * 0.6);
    fprintf(out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\" "
            "fill-opacity=\"0.55\"/></g>\n",
            (q1 + q3 - width) / 2, y - half, width, BOX_HEIGHT, colour);
    fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"median\"/>\n",
            x_of(axis, r->six.median), y - half - 1, x_of(axis, r->six.median), y + half + 1);
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\" class=\"mean\"/>\n",
            x_of(axis, r->six.mean), y);
}

static void put_lane(const struct plot *plot, const struct bench_result *r, double y)
{
    const struct bench_result *naive = bench_results_find(plot->results, r->bench, "naive");
    bool own = strcmp(r->engine, "libcid") == 0;
    char text[32];

    put_text(plot->out, PLOT_BEGIN - 10, y + 4, own ? "engine own" : "engine", r->engine);
    put_box(plot, r, y);
    format_unit(text, sizeof text, r->six.median, 3);
    put_text(plot->out, MEDIAN_END, y + 4, own ? "figure own" : "figure", text);
    if (!naive || naive == r)
        return;
    snprintf(text, sizeof text, "%.*f\xc3\x97", naive->six.median / r->six.median < 9.95 ? 1 : 0,
             naive->six.median / r->six.median);
    put_text(plot->out, RATIO_END, y + 4, own ? "figure own" : "figure", text);
}

/* The lanes of the row that result number i belongs to; *next is where the next row begins. */
static double put_band(const struct plot *plot, size_t i, double y, bool shaded, size_t *next)
{
    const struct bench_results *results = plot->results;
    const char *bench = results->at[i].bench;
    size_t lanes = 0;
    double height;

    while (i + lanes < results->count && strcmp(results->at[i + lanes].bench, bench) == 0)
        lanes++;
    height = (double)lanes * LANE + BAND_GAP;
    if (shaded)
        fprintf(plot->out,
                "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" class=\"band\"/>\n",
                MARGIN / 2, y, WIDTH - MARGIN, height);
    put_text(plot->out, MARGIN, y + BAND_GAP / 2.0 + LANE / 2.0 + 4, "row", bench);
    *next = i + lanes;
    return y + height;
}

static void put_lanes(const struct plot *plot)
{
    double y = TOP;

    for (size_t i = 0; i < plot->results->count; i++) {
        const struct bench_result *r = &plot->results->at[i];
        if (i > 0 && strcmp(r->bench, plot->results->at[i - 1].bench) != 0)
            y += BAND_GAP;
        put_lane(plot, r, y + BAND_GAP / 2.0 + LANE / 2.0);
        y += LANE;
    }
}

static void put_bands(const struct plot *plot)
{
    double y = TOP;
    bool shaded = true;

    for (size_t i = 0; i < plot->results->count; shaded = !shaded)
        y = put_band(plot, i, y, shaded, &i);
}

/* ---- the picture -------------------------------------------------------------------------- */

static const char style[] =
    "<style>\n"
    "text{font-family:'DejaVu Sans',Verdana,'Helvetica Neue',Arial,sans-serif;font-size:12px;"
    "fill:#24292f}\n"
    ".title{font-size:17px;font-weight:bold}.note{fill:#57606a}\n"
    ".row{font-weight:bold}.engine{text-anchor:end;fill:#424a53}.own{font-weight:bold}\n"
    ".figure,.head{text-anchor:end}.head{fill:#57606a;font-size:11px}\n"
    ".tick,.axis{text-anchor:middle;fill:#57606a;font-size:11px}\n"
    ".band{fill:#f3f5f8}.grid{stroke:#c3cad3}.fine{stroke:#e4e8ed}\n"
    ".median{stroke:#10151b;stroke-width:1.6}.mean{fill:#fff;stroke:#10151b;stroke-width:0.8}\n"
    "</style>\n";

static int height_of(const struct bench_results *results)
{
    int height = TOP + BOTTOM;
    for (size_t i = 0; i < results->count; i++) {
        bool first = i == 0 || strcmp(results->at[i].bench, results->at[i - 1].bench) != 0;
        height += LANE + (first ? BAND_GAP : 0);
    }
    return height;
}

static void put_picture(const struct plot *plot)
{
    fprintf(plot->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\">\n%s",
            WIDTH, plot->height, WIDTH, plot->height, style);
    fprintf(plot->out, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", WIDTH, plot->height);
    put_text(plot->out, MARGIN, 30, "title", plot->title);
    put_text(plot->out, MARGIN, 50, "note",
             "Box: quartiles. Line: median. Dot: mean. Whiskers: least and greatest slice. "
             "Further left is faster.");
    put_text(plot->out, MEDIAN_END, TOP - 12, "head", "median");
    put_text(plot->out, RATIO_END, TOP - 12, "head", "vs naive");
    put_bands(plot);
    put_axis(plot);
    put_lanes(plot);
    fputs("</svg>\n", plot->out);
}

static int write_picture(const struct bench_results *results, const char *title, const char *path)
{
    bool is_stdout = strcmp(path, "-") == 0;
    struct plot plot = {is_stdout ? stdout : fopen(path, "w"), results, axis_of(results), title,
                        height_of(results)};
    bool failed;

    if (!plot.out) {
        perror(path);
        return 3;
    }
    put_picture(&plot);
    failed = fflush(plot.out) != 0 || ferror(plot.out);
    if (!is_stdout)
        failed |= fclose(plot.out) != 0;
    if (failed)
        fprintf(stderr, "cid-bench: %s: cannot be written\n", path);
    return failed ? 3 : 0;
}

/* Only what can be drawn: six numbers above zero. */
static bool drawable(const struct bench_result *r)
{
    return r->six.min > 0 && isfinite(r->six.max) && r->six.max >= r->six.min;
}

int bench_plot(int argc, char **argv)
{
    static const char *const with_value[] = {"--filter", "--title", NULL};
    struct bench_args args = {argc, argv, false};
    struct bench_arg arg;
    const char *paths[2];
    size_t path_count = 0;
    const char *title = "cid-bench";
    const char *pattern = "";
    struct bench_results all = {0};
    struct bench_results rows = {0};
    regex_t filter;
    int status;

    while (bench_next_arg(&args, &arg, with_value)) {
        if (!arg.option && path_count < 2)
            paths[path_count++] = arg.value;
        else if (arg.option && strcmp(arg.option, "--filter") == 0)
            pattern = arg.value;
        else if (arg.option && strcmp(arg.option, "--title") == 0)
            title = arg.value;
        else
            bench_usage("unknown option or too many files", arg.option ? arg.option : arg.value);
    }
    if (path_count != 2)
        bench_usage("needs a file of results and the name of a picture", "plot");
    bench_filter_compile(&filter, pattern);
    status = bench_results_read(&all, paths[0]);
    bench_results_gather(&rows, &all, &filter);
    regfree(&filter);
    for (size_t i = 0; status == 0 && i < rows.count; i++)
        if (!drawable(&rows.at[i])) {
            fprintf(stderr, "cid-bench: %s: no times to draw\n", rows.at[i].bench);
            status = 1;
        }
    if (status == 0 && rows.count == 0) {
        fprintf(stderr, "cid-bench: %s: no such results\n", paths[0]);
        status = 1;
    }
    if (status == 0)
        status = write_picture(&rows, title, paths[1]);
    bench_results_free(&rows);
    bench_results_free(&all);
    return status;
}
