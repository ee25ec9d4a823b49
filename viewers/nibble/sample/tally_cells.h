/* The parts of a tally: its plan, what the pass fills in, and what is read from it. */
#ifndef GLIMPSE_NIBBLE_SAMPLE_TALLY_CELLS_H
#define GLIMPSE_NIBBLE_SAMPLE_TALLY_CELLS_H

#include "trace/stream/pass.h"
#include "viewers/nibble/sample/conditions.h"
#include "viewers/nibble/sample/window_tally.h"

#include <math.h>

/* What of the events in a window is kept. */
enum tally_keep { KEEP_COUNT, KEEP_ENDS, KEEP_SUM, KEEP_EXTREMES, KEEP_VALUES, KEEP_POINTS, KEEP_TIMES };

struct held {
	uint64_t n;
	union {
		struct {
			int64_t first, last;
			uint64_t at_first; /* how many are at the first moment */
		};
		long double sum;
		struct {
			double least, greatest;
		};
		size_t start; /* in the thread's values */
	};
};

/* What one thread gave to one curve. */
struct tally_part {
	int64_t key;	    /* of the curve, see tally.h; 0: there is but one */
	size_t thread;	    /* its index */
	struct held *cells; /* of each window */
	double *values, *times;
	uint32_t *since;    /* KEEP_TIMES: counted from the window's begin, see tally_base() */
	size_t nvalues, room;
	size_t window;	 /* of the newest event */
	uint64_t before; /* events before the first window */
};

/* What one thread gave. */
struct tally_thread {
	VECTOR(struct tally_part *) parts;
	struct table *places; /* where the part of an attribute's value stands among them */
	uint64_t faults;
};

struct window_tally {
	const struct node *node;
	const struct trace *trace;
	enum tally_keep keep;
	bool *selected; /* threads, by index */
	struct conditions conditions;
	struct windows windows;  /* of a count: STEP_PIECES, each with two steps when drawn */
	int64_t from, *until; /* the windows' first edge, and what lies behind each, in whole ns */
	struct tally_thread *threads;
	size_t ncells; /* of all parts; counted by all threads at once */
	/* When all is filled: the parts in the order of their keys, then of their threads. */
	VECTOR(struct tally_part *) parts;
	size_t *firsts; /* of each curve the first of its parts; and what lies behind all */
	size_t ncurves;
};

/* From where times in a window are counted: a whole number. */
static inline int64_t tally_base(const struct window_tally *y, size_t window)
{
	return (int64_t)floor(y->windows.edges[window]);
}

/* The callback of the pass. */
void tally_take(struct window_tally *y, const struct event_chunk *b);

/*
 * A thread's part of the curve of this key, a new one where it has none yet; NULL: there are too
 * many for the memory. most: how many events there are for it, to make room for; 0: that is not
 * known.
 */
struct tally_part *tally_part(struct window_tally *y, size_t thread, int64_t key, uint64_t most);
/* Makes room for n more values. */
void part_reserve(const struct window_tally *y, struct tally_part *p, size_t n);
/* Puts the parts in order. */
void tally_settle(struct window_tally *y);
void tally_parts_free(struct window_tally *y);

#endif
