/*
 * commands.h - what cid-bench does besides measuring: commands over files of results, and documents
 * for others to measure. Each takes the arguments behind its name and returns the exit status: 0; 1
 * for a malformed file; 2 for a usage error; 3 if a file cannot be read or written.
 */
#ifndef CID_BENCH_COMMANDS_H
#define CID_BENCH_COMMANDS_H

int bench_compare(int argc, char **argv); /* OLD.json NEW.json */
int bench_plot(int argc, char **argv);    /* RESULTS.json OUT.svg */
int bench_table(int argc, char **argv);   /* RESULTS.json... */

int bench_strings(int argc, char **argv);  /* strings as JSON, to standard output */
int bench_manifest(int argc, char **argv); /* the manifest, likewise */

#endif
