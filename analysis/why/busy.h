/* The verdict that all processors are busy: with what, and what more processors would gain. */
#ifndef GLIMPSE_ANALYSIS_WHY_BUSY_H
#define GLIMPSE_ANALYSIS_WHY_BUSY_H

#include "analysis/why/search.h"

struct busy {
	double used; /* processors that the program's threads run on, in the mean */
	unsigned processors;
	double others;      /* processors that the threads lack while they are ready, in the mean */
	parts_named groups; /* of threads that run, most first */
	bool replayed;      /* the rest is known */
	unsigned more;      /* processors */
	double gain;        /* of the run's time, with them */
};

/*
 * Returns NULL where the processors are idle for a tenth of the time or more, or where the trace does not
 * say when threads run.
 */
struct busy *busy_of(const struct evidence *g, int64_t from, int64_t to);
void busy_free(struct busy *b);

#endif
