/*
 * Says what the recorder did not see of a run: processor time, by what the kernel counts for the
 * program; processes without probes; and processes that went on after the recorder had ended.
 */
#ifndef GLIMPSE_TRACE_STREAM_UNSEEN_H
#define GLIMPSE_TRACE_STREAM_UNSEEN_H

#include "trace/trace.h"

/* Returns whether the difference is more than two ways to measure one thing differ by. */
bool unseen_matters(int64_t ran, int64_t used);
/* Returns how much of the time was seen, at most 1. */
double unseen_share(int64_t ran, int64_t used);
/*
 * Returns the line `unprobed` (doc/log-format.md) as a text: which processes have no events of the
 * probes in the program. NULL: there is no such line, or it is not valid. The caller frees it.
 */
char *unprobed_text(const char *line);
/*
 * Returns what was not seen of the run of a trace, "69 % of the processor time was not recorded";
 * NULL: nothing that is known. The caller frees it.
 */
char *unseen_text(const struct trace *t);

#endif
