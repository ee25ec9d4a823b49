/*
 * Measures idle processor time. While fewer threads run than there are processors, the other
 * processors are idle: time that the program loses.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_IDLE_H
#define GLIMPSE_ANALYSIS_WHY_IDLE_H

#include "analysis/activity/instance_set.h"
#include "analysis/graph/graph.h"

/* From a time on so many threads run, are ready, and are ready within a wait that ended. */
struct idle_change {
	int64_t time;
	uint32_t running, ready, woken;
};

/* Sums of the time before; see below. */
struct idle_sums {
	double free, ready_free, stolen, alone, alone_free, contested, fair;
};

/* The sums are kept of one in so many changes: the others follow. */
enum { IDLE_BLOCK = 32 };

struct idle {
	VECTOR(struct idle_change) changes;
	struct idle_sums *sums; /* before the first change of each block */
	unsigned processors;
	bool crowded; /* at some time more threads could run than there are */
	/*
	 * ns that threads ran less than others of the program while other programs had processors,
	 * the sum of all: what they do later, alone
	 */
	double owed;
};

/*
 * processors: 0: as many as threads are seen to run at once, but for less than a hundredth of the
 * time. set: has SPANS_STATE.
 */
struct idle *idle_of(const struct graph *g, const struct instance_set *set, unsigned processors);
/*
 * Return the time (ns) in which processors run no thread of the program, divided by their number.
 *
 * The first counts the time while no thread is ready. The second counts the time while one is
 * ready, because the processor runs another program, or the thread may not run there.
 */
double idle_unused(const struct idle *l, int64_t from, int64_t to);
double idle_ready(const struct idle *l, int64_t from, int64_t to);
/*
 * The same of times that come one after the other. *at: where they have come to; zeros at first.
 */
struct idle_cursor {
	size_t change;
	struct idle_sums sums; /* before it */
};
double idle_ready_next(const struct idle *l, int64_t from, int64_t to, struct idle_cursor *at);
/*
 * The run alone, without other programs: of n threads that can run, as many would as there are
 * processors. Where fewer run, the time would pass faster by that. The first returns how long a
 * time would take, the second how much of that the processors would have nothing to do, divided by
 * their number.
 */
double idle_alone(const struct idle *l, int64_t from, int64_t to);
double idle_alone_unused_next(const struct idle *l, int64_t from, int64_t to,
			      struct idle_cursor *at);
/* Returns how long threads are ready while not all processors run some. */
double idle_stolen(const struct idle *l, int64_t from, int64_t to);
/*
 * Returns nanoseconds of ready threads, at times when not all processors run some: they are ready
 * behind other programs. At other times they are ready behind threads of their own program.
 */
double idle_ready_behind_others(const struct idle *l, int64_t from, int64_t to);
/* Returns how long no thread runs, though some could. */
int64_t idle_denied(const struct idle *l, int64_t from, int64_t to);
/* Returns how long more threads could run than there are processors. */
int64_t idle_crowded(const struct idle *l, int64_t from, int64_t to);
/*
 * Returns nanoseconds of a thread that can run: at each moment the share of the threads that can
 * run for which there is no processor, also if other programs have some.
 */
double idle_surplus(const struct idle *l, int64_t from, int64_t to);
void idle_free_all(struct idle *l);

#endif
