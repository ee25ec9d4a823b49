/* Computes the cost of a span of a thread's time, from sums that are made once. */
#ifndef GLIMPSE_ANALYSIS_RANK_MEASURES_H
#define GLIMPSE_ANALYSIS_RANK_MEASURES_H

#include "analysis/graph/critical_path.h"
#include "analysis/graph/span_subset.h"

/* From here on so many threads run. */
struct running_change {
	int64_t time;
	uint32_t running;
	double npt; /* of one thread that ran all the time before */
};

struct measures {
	struct span_subset *running; /* where threads run */
	/* of each of its spans: of the thread before it, less that of one that always ran */
	double *npt_before;
	/* where threads are on the critical path, handovers apart */
	struct span_subset *path;
	struct running_change *changes;
	size_t nchanges;
};

struct worth {
	int64_t time;
	int64_t cpu; /* of that, while the thread ran */
	/*
	 * Normalised processor time: each moment that the thread ran, divided by the number of
	 * threads that ran at that moment (Anderson and Lazowska, "Quartz", 1990).
	 */
	double npt;
	int64_t path; /* on the critical path */
};

struct measures *measures_of(const struct graph *g, const struct critical_path *p);
/* Where a subject's spans have come to; zeros at first. */
struct measure_cursor {
	uint32_t thread;
	bool moved;
	size_t running, path, change;
};
/*
 * Adds what a span is worth. The spans that share a cursor come thread by thread, in the order of
 * time.
 */
void measures_add(const struct measures *m, struct worth *w, struct measure_cursor *c,
		  uint32_t thread, int64_t from, int64_t to);
/*
 * Returns the time of [from, to] in which some thread runs, to which the normalised processor times
 * add up.
 */
int64_t measures_busy(const struct measures *m, int64_t from, int64_t to);
void measures_free(struct measures *m);

#endif
