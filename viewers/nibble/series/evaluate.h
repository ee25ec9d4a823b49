/* Computes checked expressions on a trace. */
#ifndef GLIMPSE_NIBBLE_SERIES_EVALUATE_H
#define GLIMPSE_NIBBLE_SERIES_EVALUATE_H

#include "base/array.h"
#include "match/join/match.h"
#include "viewers/nibble/expr/node.h"
#include "viewers/nibble/sample/samples.h"
#include "viewers/nibble/sample/windows.h"
#include "viewers/nibble/series/reduce.h"

struct window_tally;

struct evaluation {
	struct trace *trace;
	struct limits range; /* of time: what is looked at */
	double window;	    /* the width of windows where none is asked for */
	struct diag *diag;
	bool *threads;		  /* by index: which are looked at; NULL: all; owned */
	bool drawing;		  /* the series are for the eye, on this canvas: see tally.h */
	struct canvas canvas;	  /* how large it is at most; log_y also decides the bins of heat() */
	bool allow_empty;	  /* a selection without an event in the range is no error */
	bool listed;		  /* the events are in lists already, so that a part of them is found at once */
	uint64_t faults;	  /* conditions and metrics that overflowed or divided by zero */
	struct matches **matches; /* of each interval by index; found when first needed */
	/* Who has the instances already; NULL: nobody. */
	const struct matches *(*lend)(void *lender, const struct interval *interval);
	void *lender;
	VECTOR(struct window_tally *) tallies;
};

struct evaluation *evaluation_new(struct trace *t, struct limits range, struct diag *diag);
void evaluation_free(struct evaluation *v);

/* Reads the trace for all these expressions at once; NULL among them are passed over. */
void evaluation_prepare(struct evaluation *v, struct node *const *nodes, size_t n);

/*
 * The series of an expression, titled as it was written. Errors go to diag; the family is empty
 * then.
 */
struct family expression_evaluate(struct evaluation *v, const struct node *n, const char *title);

/* The interval's instances; they stay the evaluation's, or the lender's. */
const struct matches *evaluation_matches(struct evaluation *v, const struct interval *interval);

/* How many events of a type must be looked at for the range. */
uint64_t evaluation_events(const struct evaluation *v, const struct event_type *type);
/* The width of a source's windows. */
double evaluation_window(const struct evaluation *v, const struct node *n);
/* Which threads, by index, a source selects; the caller's. */
bool *evaluation_threads(const struct evaluation *v, const struct source_node *source);

#endif
