/* The tables of two runs, compared: what `glimpse diff` prints. */
#ifndef GLIMPSE_ANALYSIS_DIFF_DIFF_H
#define GLIMPSE_ANALYSIS_DIFF_DIFF_H

#include "analysis/diff/changes.h"

/*
 * Each adds what changed from run a to run b. A table that neither run has adds nothing. The traces
 * make event lists for it, for one caller at a time. An interval that one run does not have is NULL there.
 */
void diff_interval(struct changes *c, struct trace *a, struct trace *b, const struct interval *in_a,
		   const struct interval *in_b);
void diff_threads(struct changes *c, struct trace *a, struct trace *b);
void diff_locks(struct changes *c, struct trace *a, struct trace *b);
void diff_memory(struct changes *c, struct trace *a, struct trace *b);

/*
 * The same of functions; before and after are several runs each. Of one run each, functions whose calls are logged in
 * both are compared by their calls. All others by CPU time of their own (cpu_total) and with what they call (all_total),
 * the mean of a side's runs. They differ by chance: by the number of samples, and from run to run by DIFF_SPREAD,
 * or by more if the runs of a side do. So many
 * functions are tested at once that p is multiplied by their number (Bonferroni): of those with DIFF_TESTED samples.
 */
struct diff_runs {
	struct trace *const *at;
	unsigned n;
};
void diff_functions(struct changes *c, struct diff_runs before, struct diff_runs after);
/* The standard deviation of a function's time from run to run, as a share of it. */
#define DIFF_SPREAD 0.03
#define DIFF_TESTED 5

/* Sets what is too small: times below a share of the longer run, few things, few bytes. */
void diff_floor(struct changes *c, const struct trace *a, const struct trace *b);
#define DIFF_FLOOR_SHARE 0.001
#define DIFF_FLOOR_COUNT 10
#define DIFF_FLOOR_BYTES 65536

#endif
