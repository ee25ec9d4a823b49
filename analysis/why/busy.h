/* Measures how busy the processors are, with what, and what more of them would gain. */
#ifndef GLIMPSE_ANALYSIS_WHY_BUSY_H
#define GLIMPSE_ANALYSIS_WHY_BUSY_H

#include "analysis/replay/answer/prediction.h"
#include "analysis/why/search.h"

/* The verdict that all processors are busy. */
struct busy {
	double used; /* processors that the program's threads run on, on average */
	unsigned processors;
	double others;      /* processors that ready threads lack, on average */
	parts_named groups; /* of threads that run, most first */
};

/*
 * Returns NULL where the processors are idle for a tenth of the time or more, or where the trace
 * does not say when threads run.
 */
struct busy *busy_of(const struct evidence *g, int64_t from, int64_t to);
void busy_free(struct busy *b);

/* Returns how many threads run, or are ready, on average over a part of the run. */
double busy_threads(const struct evidence *g, enum activity activity, int64_t from, int64_t to);
/* Returns the processors that threads lack while they are ready: other programs have them. */
double busy_others(const struct evidence *g, int64_t from, int64_t to);
/*
 * Returns how many of the ready threads lack a processor because of other programs, on average:
 * those that are ready while the program's threads do not have all processors. Less than 0: it is
 * not known, as a quota of processor time stopped the program.
 */
double busy_behind_others(const struct evidence *g, int64_t from, int64_t to);

/* What twice as many processors would gain. */
struct more_processors {
	bool replayed; /* the rest is known */
	unsigned n;
	double gain, low, high; /* of the run's time, and between which it should be */
};

/*
 * Replays with twice as many as the evidence has. Nothing is known where the replay misses the run.
 */
struct more_processors more_processors_of(struct prediction *p, const struct evidence *g);

#endif
