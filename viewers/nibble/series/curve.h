/*
 * A series: values over time (or, for distributions, over a measured quantity). All numbers are in
 * base units: nanoseconds since the trace's first event, bytes, events. A value that does not exist
 * is NaN and is drawn as a gap.
 */
#ifndef GLIMPSE_NIBBLE_SERIES_CURVE_H
#define GLIMPSE_NIBBLE_SERIES_CURVE_H

#include "base/array.h"
#include "viewers/nibble/expr/dimension.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum shape {
	SHAPE_CONSTANT, /* y[0] everywhere */
	SHAPE_STEPS,    /* y[i] from x[i] until x[i + 1]; "before" until x[0] */
	SHAPE_LINES,    /* straight from (x[i], y[i]) to the next; an x given twice is a jump */
	SHAPE_CELLS,    /* y[i] holds over the whole of [x[i], x[i + 1]): x has n + 1 entries */
	SHAPE_POINTS,   /* y[i] at the moment x[i] alone */
	/*
	 * Stacked boxes: from x[i] to x[i + 1] of the stack, y[i] wide; x has n + 1 entries. They
	 * are drawn upright: the stack upwards, the width to both sides.
	 */
	SHAPE_BOXES,
	SHAPE_TILES, /* how many values there are in each of the tiles; no x and y */
};

/* From left to right in time, from low to high in value: both without the upper end. */
struct tile {
	double left, right, low, high, count;
};

struct curve {
	enum shape shape;
	bool distribution;           /* x is a measured quantity, not time */
	struct dimension xdimension; /* of x: DIMENSION_TIME over time */
	struct dimension dimension;  /* of y */
	char *title;                 /* for the legend, as the user wrote the expression */
	char *quantity;  /* what y is, in a word for the axis: "duration", "events"; may be NULL */
	char *xquantity; /* the same of x; NULL: time. Of tiles: what they count */
	/*
	 * The member of a "per thread" or "per attribute" family: its key and its name; NULL
	 * outside one.
	 */
	char *group;
	int64_t key;
	/*
	 * What belongs together is drawn on one another, cells with the same edges: the part that
	 * this curve is, as legends call it, and its colour; NULL: it is drawn by itself. Those of
	 * one whole ("" if there is only one), such as a thread, share a plot.
	 */
	char *part, *whole, *colour;
	double *x, *y;
	size_t n, xroom, yroom;
	VECTOR(struct tile) tiles; /* those that are not empty */
	/*
	 * Cells of what grows with their length, such as a sum: that of a whole window; else 0. The
	 * first and the last one may be longer or shorter.
	 */
	double window;
	double absent; /* how many values of zero or less were left out for a logarithmic axis */
	double before;
	double end; /* steps: until where the last value holds */
};

struct curve *curve_new(enum shape shape, struct dimension dimension);
struct curve *curve_constant(double value, struct dimension dimension);
/* Makes a curve like s but for the numbers: shape, dimensions, names, group, before, end. */
struct curve *curve_like(const struct curve *s);
void curve_free(struct curve *s);
/* Tests whether x has one entry more than y: the right edge of the last. */
bool curve_has_edges(const struct curve *s);
void curve_append(struct curve *s, double x, double y);
/* Closes cells with the right edge of the last one. */
void curve_close(struct curve *s, double x);
/* Replaces a string member by a copy. */
void curve_set_string(char **member, const char *text);

/*
 * Makes cells that grow with their length even, as they are drawn: one that is longer or shorter
 * than a whole window has what a whole one would have at its rate.
 */
void curve_even(struct curve *s);

/* Moves a series over time; a distribution stays. */
void curve_shift(struct curve *s, double by);

/* Returns where a series ends: the last x, or "end" for steps. */
double curve_last(const struct curve *s);
/* Returns the greatest magnitude among the finite values; 0 if there is none. */
double curve_greatest(const struct curve *s);

/* What an expression yields: one series, or one for each member of a family. */
struct family {
	struct curve **at;
	size_t n, room;
};

void family_append(struct family *f, struct curve *s);
void family_free(struct family *f);

#endif
