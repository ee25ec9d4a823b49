/* What a table says of records that are missing in a trace: events of the types whose specification has the style lost. */
#ifndef GLIMPSE_CLI_COMMON_LOST_H
#define GLIMPSE_CLI_COMMON_LOST_H

#include "trace/trace.h"
#include <stdio.h>

/*
 * Prints one line that says how many are missing, nothing if none are. out: below a text; NULL: the format has no room for it, so
 * it goes to stderr.
 */
void lost_remark(FILE *out, const struct trace *t);

#endif
