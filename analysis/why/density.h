/* How many events a thread logs, and when. */
#ifndef GLIMPSE_ANALYSIS_WHY_DENSITY_H
#define GLIMPSE_ANALYSIS_WHY_DENSITY_H

#include "trace/trace.h"

/* Counted in so many bins of the run; within one they are taken as even. */
enum { DENSITY_BINS = 1024 };

struct density {
	int64_t duration;
	uint64_t *before;       /* by thread, DENSITY_BINS + 1: events before each bin */
};

/* Reads all events once. */
struct density *density_of(struct trace *t);
/* Returns the events of a thread (index in the trace's threads) in a time. */
double density_events(const struct density *d, uint32_t thread, int64_t from, int64_t to);
void density_free(struct density *d);

#endif
