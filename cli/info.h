/* What `glimpse info` says of a trace. */
#ifndef GLIMPSE_CLI_INFO_H
#define GLIMPSE_CLI_INFO_H

#include "trace/trace.h"
#include <stdio.h>

/* What logging cost a process, as far as its runtime measured: a floating estimate. */
struct overhead {
	double ns;              /* in all threads together */
	double share;           /* of the time between the first and the last event of each thread, summed; 0..1 */
};

struct overhead process_overhead(const struct trace *t, const struct trace_process *p);
uint64_t process_events(const struct trace *t, const struct trace_process *p);

void info_text(FILE *out, const struct trace *t);
void info_json(FILE *out, const struct trace *t);

#endif
