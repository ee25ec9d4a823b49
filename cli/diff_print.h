/* Prints what `glimpse diff` found. */
#ifndef GLIMPSE_CLI_DIFF_PRINT_H
#define GLIMPSE_CLI_DIFF_PRINT_H

#include "cli/command.h"
#include "match/stats/diff.h"

/* fail_above: a share, or INFINITY: the rows beyond it are marked. */
void diff_print(FILE *out, enum format format, const struct diff *diffs, size_t n,
		double fail_above);
#endif
