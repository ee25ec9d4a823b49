/*
 * Declares what series are computed on: a trace, a range of its time, some of its threads; and what
 * was already collected.
 */
#ifndef GLIMPSE_NIBBLE_SAMPLE_EVALUATION_H
#define GLIMPSE_NIBBLE_SAMPLE_EVALUATION_H

#include "base/array.h"
#include "match/join/match.h"
#include "viewers/nibble/expr/node.h"
#include "viewers/nibble/sample/windows.h"

/* A picture on which the range of x has that many pixels across. */
struct canvas {
	struct limits x;
	unsigned columns, rows;
	bool log_x, log_y;
};

struct family;

struct evaluation {
	struct trace *trace;
	struct limits range; /* of time */
	double window;       /* the width of windows where none is asked for */
	struct diag *diag;
	bool *threads; /* by index: the selected ones; NULL: all; owned */
	bool drawing;  /* the series are drawn on the canvas and not computed with */
	/* as large as it may become; its axes choose the bins of hist, heat */
	struct canvas canvas;
	bool allow_empty; /* a selection without an event in the range is no error */
	/* What has no event in the range is left out, which "nothing" then says: for kinds. */
	bool optional, nothing;
	bool listed; /* the events are in lists already, so that a part of them is found at once */
	uint64_t faults; /* how many conditions and metrics overflowed or divided by zero */
	struct matches **matches; /* of each interval by index; found when first needed */
	/* Returns the instances that the caller has already; NULL: nobody has them. */
	const struct matches *(*lend)(void *lender, const struct interval *interval);
	void *lender;
	/* Finds shares of samples, for which it reads the whole run; NULL: they are refused. */
	struct family (*shares)(void *shares_of, struct evaluation *v, const struct node *n);
	void *shares_of;
	VECTOR(struct window_tally *) tallies;
};

struct evaluation *evaluation_new(struct trace *t, struct limits range, struct diag *diag);
void evaluation_free(struct evaluation *v);

/* Returns the interval's instances, which stay the evaluation's or the lender's. */
const struct matches *evaluation_matches(struct evaluation *v, const struct interval *interval);

/* Counts the events of a type that must be looked at for the range. */
uint64_t evaluation_events(const struct evaluation *v, const struct event_type *type);
/* Returns the width of a source's windows. */
double evaluation_window(const struct evaluation *v, const struct node *n);
/* Returns for each thread, by index, whether a source selects it. The caller frees it. */
bool *evaluation_threads(const struct evaluation *v, const struct source_node *source);

#endif
