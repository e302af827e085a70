#include "commands.h"

int bench_plot(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return 2;
}
