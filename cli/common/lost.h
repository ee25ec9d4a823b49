/* Says beside every answer what its trace lacks. */
#ifndef GLIMPSE_CLI_COMMON_LOST_H
#define GLIMPSE_CLI_COMMON_LOST_H

#include "analysis/activity/unrecorded.h"
#include "trace/stream/losses.h"
#include <stdio.h>

/*
 * Prints the sentence that says what a trace lacks, nothing if it lacks nothing. out: a line and an
 * empty one, above a text; NULL: the format has no room for it, so it is a warning on stderr. run:
 * what to call the trace beside others, or NULL.
 */
void lost_remark(FILE *out, const struct trace *t, const char *run);

/* Prints an empty line and a line, below an answer, if many samples have truncated stacks. */
void cut_remark(FILE *out, const struct trace *t);
/* The same of what the machine did not give its recorder, and an answer needs. */
void unrecorded_remark(FILE *out, const struct trace *t, uint32_t needs);

#endif
