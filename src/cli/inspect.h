/*
 * inspect.h - the two forms in which 'inspect' explains a CID.
 */
#ifndef CID_CLI_INSPECT_H
#define CID_CLI_INSPECT_H

#include "subject.h"

/* A report for people. full: nothing is shortened. */
void inspect_report(struct cli *cli, const struct subject *subject, bool full);

/* A JSON line. */
void inspect_json(struct cli *cli, const struct subject *subject);

#endif
