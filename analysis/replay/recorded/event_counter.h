/* Counts the events that a thread logged up to a time, and their cost. */
#ifndef GLIMPSE_ANALYSIS_REPLAY_RECORDED_EVENT_COUNTER_H
#define GLIMPSE_ANALYSIS_REPLAY_RECORDED_EVENT_COUNTER_H

#include "trace/log/cursor.h"
#include "trace/trace.h"

struct event_counter {
	struct log_cursor cursor;
	int64_t origin, next; /* times: of the trace; of the next event */
	double cost;          /* ns, of each */
};

void event_counter_open(struct event_counter *c, const struct trace *t, uint32_t thread);
/*
 * Returns the cost of the events after the last call's time and up to this one; times do not
 * decrease.
 */
double event_counter_cost(struct event_counter *c, int64_t until);

#endif
