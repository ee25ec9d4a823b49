/* Says below an answer how to get the names that its functions lack. */
#ifndef GLIMPSE_CLI_COMMON_NAMES_REMARK_H
#define GLIMPSE_CLI_COMMON_NAMES_REMARK_H

#include "trace/trace.h"
#include <stdio.h>

/*
 * Prints an empty line and a line if many samples are in functions without names. directory: of the
 * run.
 */
void names_remark(FILE *out, const struct trace *t, const char *directory);

#endif
