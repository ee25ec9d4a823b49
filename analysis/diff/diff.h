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
void diff_functions(struct changes *c, struct trace *a, struct trace *b);
void diff_threads(struct changes *c, struct trace *a, struct trace *b);
void diff_locks(struct changes *c, struct trace *a, struct trace *b);
void diff_memory(struct changes *c, struct trace *a, struct trace *b);

/* Sets what is too small: times below a share of the longer run, few things, few bytes. */
void diff_floor(struct changes *c, const struct trace *a, const struct trace *b);
#define DIFF_FLOOR_SHARE 0.001
#define DIFF_FLOOR_COUNT 10
#define DIFF_FLOOR_BYTES 65536

#endif
