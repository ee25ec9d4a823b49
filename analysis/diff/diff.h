/* Compares the tables of several runs: what `glimpse diff` prints. */
#ifndef GLIMPSE_ANALYSIS_DIFF_DIFF_H
#define GLIMPSE_ANALYSIS_DIFF_DIFF_H

#include "analysis/diff/changes.h"

/* Runs before a change, then those after it. */
struct diff_runs {
	struct trace *const *at;
	unsigned n; /* as many as the groups of the changes have */
};

/*
 * Marks changes that are too small: times below a share of the longest run, low counts, few bytes.
 */
void diff_floor(struct diff_changes *c, struct diff_runs runs);
#define DIFF_FLOOR_SHARE 0.001
#define DIFF_FLOOR_COUNT 10
#define DIFF_FLOOR_BYTES 65536

/*
 * Each adds what differs between the groups of runs. A table that no run has adds nothing. The
 * traces make event lists for it, for one caller at a time.
 */
/*
 * intervals: of each run those that are compared, as an array that ends with NULL; the same by name
 * are one.
 */
void diff_intervals(struct diff_changes *c, struct diff_runs runs,
		    const struct interval **const *intervals);
/*
 * Functions whose calls are logged in all runs that have them are compared by their calls, all
 * others by CPU time of their own (cpu_total) and with what they call (all_total).
 */
void diff_functions(struct diff_changes *c, struct diff_runs runs);
void diff_threads(struct diff_changes *c, struct diff_runs runs);
void diff_locks(struct diff_changes *c, struct diff_runs runs);
void diff_memory(struct diff_changes *c, struct diff_runs runs);

#endif
