/*
 * A series over time for a viewer that draws it itself, as a strip below its own picture: one
 * expression, evaluated for a window of time and reduced to its pixels. No extreme is lost.
 */
#ifndef GLIMPSE_NIBBLE_TRACK_H
#define GLIMPSE_NIBBLE_TRACK_H

#include "base/array.h"
#include "match/join/match.h"

struct track_view {
	struct trace *trace;
	double from, to;        /* nanoseconds, from < to */
	unsigned columns, rows; /* pixels */
	const bool *threads;    /* by index: the selected ones; NULL: all */
	bool listed;            /* trace_events() has listed the events already */
	/* returns the instances of an interval */
	const struct matches *(*lend)(void *lender, const struct interval *interval);
	void *lender;
};

/* x: columns from the window's left edge; y: base units; NaN: the curve is broken here. */
struct track_vertex {
	double x, y;
};

struct track_curve {
	char *name;  /* the member of a family; NULL: there is only one curve */
	bool points; /* single points; else joined by straight lines */
	VECTOR(struct track_vertex) vertices;
};

/* The share of the values in a window of time and a range of values: 0 for none, 1 for the most. */
struct track_tile {
	double left, right, low, high, part;
};

struct series_track {
	char *expression;
	char *axis; /* what the values are: "duration (ms)" */
	char *unit; /* "ms"; "": none */
	/* the event or interval of the track; NULL: several. The specification has it */
	const char *name;
	double low, high; /* what the axis shows, in base units */
	double divisor;   /* a base unit is shown divided by this */
	double step;      /* between the axis' numbers, as they are shown, */
	int decimals;     /* and how many they have */
	VECTOR(struct track_curve) curves;
	VECTOR(struct track_tile) tiles;
};

/*
 * Evaluates an expression for a view. Returns NULL, and diag is told with the place in the
 * expression, if the expression has no meaning here.
 */
struct series_track *track_new(const char *expression, const struct track_view *v,
			       struct diag *diag);
void track_free(struct series_track *t);

#endif
