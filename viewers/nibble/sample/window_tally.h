/*
 * Tallies the events of a type by windows of time, for all expressions in one pass over the logs,
 * on all processors. The order between threads, for which trace_events() merges its lists, does not
 * matter to it.
 */
#ifndef GLIMPSE_NIBBLE_SAMPLE_WINDOW_TALLY_H
#define GLIMPSE_NIBBLE_SAMPLE_WINDOW_TALLY_H

#include "viewers/nibble/sample/collect.h"
#include <math.h>

/* The state kept for the events in a window. */
enum tally_keep {
	KEEP_COUNT,
	KEEP_ENDS,
	KEEP_SUM,
	KEEP_EXTREMES,
	KEEP_VALUES,
	KEEP_POINTS,
	KEEP_TIMES
};

struct tally_cell {
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
	/* of the curve: a thread's number or an attribute's value; 0: one curve */
	int64_t key;
	size_t thread;            /* its index */
	struct tally_cell *cells; /* of each window */
	double *values, *times;
	uint32_t *since; /* KEEP_TIMES: counted from the window's begin, see tally_base() */
	size_t nvalues, room;
	size_t window;   /* of the newest event */
	uint64_t before; /* events before the first window */
};

/* What one thread gave. */
struct tally_thread {
	VECTOR(struct tally_part *) parts;
	struct hash_table *places; /* the part of each attribute value */
	uint64_t faults;
};

struct window_tally {
	const struct node *node;
	const struct trace *trace;
	enum tally_keep keep;
	bool *selected; /* threads, by index */
	struct conditions conditions;
	struct windows windows;
	int64_t from, *until; /* the first edge, and the first ns after each window */
	struct tally_thread *threads;
	size_t ncells; /* of all parts; counted by all threads at once */
	/* Once all is filled: the parts in the order of their keys, then of their threads. */
	VECTOR(struct tally_part *) parts;
	size_t *firsts; /* of each curve its first part; and the end of the last */
	size_t ncurves;
};

/* Returns the whole number from which times in a window are counted. */
static inline int64_t tally_base(const struct window_tally *y, size_t window)
{
	return (int64_t)floor(y->windows.edges[window]);
}

/*
 * Tests whether a tally is better than samples for a source: it asks for events, and there are many
 * of them.
 */
bool tally_pays(const struct evaluation *v, const struct node *n);
/*
 * Adds a tally for this source to the evaluation, which tallies_fill() fills. Takes the windows.
 * Returns false if the windows are too many or too long.
 */
bool tally_add(struct evaluation *v, const struct node *n, enum tally_keep keep,
	       struct windows windows);
/*
 * Fills all tallies. Where the curves of a family turn out to be too many for the memory, the tally
 * is given up, and its events are announced to be listed.
 */
void tallies_fill(struct evaluation *v);
void tallies_free(struct evaluation *v);
/* Returns the tally of a source, or NULL. */
const struct window_tally *tally_find(const struct evaluation *v, const struct node *n);

/* Of fewer events no tally is made; tests make it small. */
extern uint64_t tally_least;
/*
 * Of more windows, of all curves and threads together, none is made either: they would fill the
 * memory.
 */
extern size_t tally_most;

#endif
