/* What `glimpse profile` prints: tables and trees of calls. */
#ifndef GLIMPSE_CLI_PROFILE_H
#define GLIMPSE_CLI_PROFILE_H

#include "analysis/calls/call_table.h"
#include "cli/common/command.h"

struct profile {
	const struct trace *trace;
	const struct calls *calls;
	unsigned by;                    /* CALLS_BY_ */
	enum { BELOW_NOTHING, BELOW_CALLERS, BELOW_CALLEES } below;
	size_t top;                     /* rows of a text; SIZE_MAX: all */
	bool lines;                     /* functions with file and line */
	bool states;                    /* it is known when the threads ran */
	unsigned *cycles, ncycles;      /* of functions: see call_cycles() */
};

void profile_table_print(FILE *out, enum format format, const struct profile *p);
void profile_tree_print(FILE *out, enum format format, const struct profile *p);

/* Returns a function's name, with its line where that is wanted, and its cycle; to be freed. */
char *profile_name(const struct profile *p, uint32_t function);
/* Returns the mean of a time. */
int64_t profile_mean(const struct call_times *t, uint64_t calls);

#endif
