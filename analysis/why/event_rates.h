/* Counts the events that a thread logs over time. */
#ifndef GLIMPSE_ANALYSIS_WHY_EVENT_RATES_H
#define GLIMPSE_ANALYSIS_WHY_EVENT_RATES_H

#include "trace/trace.h"

/* Counted in so many bins of the run; within one they are taken as even. */
enum { EVENT_RATE_BINS = 1024 };

struct event_rates {
	int64_t duration;
	uint64_t *before; /* by thread, EVENT_RATE_BINS + 1: events before each bin */
};

/* Reads all events once. */
struct event_rates *event_rates_of(struct trace *t);
/* Returns the events of a thread (index in the trace's threads) in a time. */
double event_rates_events(const struct event_rates *d, uint32_t thread, int64_t from, int64_t to);
void event_rates_free(struct event_rates *d);

#endif
