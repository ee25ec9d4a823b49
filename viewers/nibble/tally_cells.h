/* The parts of a tally: its plan, what the pass fills in, and what is read from it. */
#ifndef GLIMPSE_NIBBLE_TALLY_CELLS_H
#define GLIMPSE_NIBBLE_TALLY_CELLS_H

#include "trace/each.h"
#include "viewers/nibble/conditions.h"
#include "viewers/nibble/tally.h"

/* What of the events in a window is kept. */
enum keep { KEEP_COUNT, KEEP_ENDS, KEEP_SUM, KEEP_EXTREMES, KEEP_VALUES, KEEP_POINTS, KEEP_TIMES };

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

/* What one thread gave. */
struct tally_thread {
	struct held *cells; /* of each window; NULL: it has none of the events */
	double *values, *times;
	size_t nvalues;
	size_t window;	 /* of the newest event */
	uint64_t before; /* events before the first window */
	uint64_t faults;
};

struct tally {
	const struct node *node;
	const struct trace *trace;
	enum keep keep;
	bool *selected; /* threads, by index */
	struct conditions conditions;
	struct grid windows; /* of a count: CLIMB_PIECES, in each of which it has two steps when drawn */
	int64_t from, *until; /* the windows' first edge, and what lies behind each, in whole ns */
	struct tally_thread *threads;
};

/* The callback of the pass. */
void tally_take(struct tally *y, const struct batch *b);

#endif
