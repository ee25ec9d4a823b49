/*
 * Sums the calls of a trace by function, thread and caller; finds cycles of functions that call
 * each other.
 */
#ifndef GLIMPSE_ANALYSIS_CALLS_CALL_TABLE_H
#define GLIMPSE_ANALYSIS_CALLS_CALL_TABLE_H

#include "analysis/calls/calls.h"

#define NO_THREAD_ROW UINT32_MAX

/*
 * What rows are kept apart by. A line is that of the calls' places, and of a function if by
 * functions, too.
 */
enum {
	CALLS_BY_FUNCTION = 1,
	CALLS_BY_THREAD = 2,
	CALLS_BY_CALLER = 4,
	CALLS_BY_PROCESS = 8,
	CALLS_BY_LINE = 16
};

struct call_row {
	uint32_t thread;  /* index in the trace's threads; NO_THREAD_ROW: of all */
	uint32_t process; /* index in the trace's processes; NO_THREAD_ROW: of all */
	/* NO_FUNCTION: of all; of a caller also: outside of all calls */
	uint32_t function, caller;
	struct call_node sum; /* of their nodes */
	bool logged;          /* calls are logged, of at least one thread */
	int64_t logged_cpu;   /* what these have of the sum's cpu */
};

struct call_table {
	struct call_row *rows; /* the greatest cpu time first */
	size_t n;
};

/* Makes a table; by: of CALLS_BY_. Frees: call_table_free(). */
void call_table_make(struct call_table *t, const struct calls *c, unsigned by);
void call_table_free(struct call_table *t);

/*
 * Returns for each function the number of the cycle that it is in, of functions that call each
 * other or of one that calls itself; 0: of none. The caller frees it. *ncycles: how many there are.
 */
unsigned *call_cycles(const struct calls *c, unsigned *ncycles);

#endif
