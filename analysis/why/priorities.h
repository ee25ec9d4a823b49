/* Finds the priority of each thread over time, from events with the style "priority". */
#ifndef GLIMPSE_ANALYSIS_WHY_PRIORITIES_H
#define GLIMPSE_ANALYSIS_WHY_PRIORITIES_H

#include "trace/trace.h"

struct priorities;

/* Announces the events that it needs. */
void priorities_announce(struct trace *t);
/* Returns whether a trace has any of them. */
bool trace_has_priorities(const struct trace *t);
/* Returns NULL if no thread has another priority than 0. The trace is needed as long. */
struct priorities *priorities_of(struct trace *t);
void priorities_free(struct priorities *p);

/* Returns a thread's (index) priority at a time: the greater, the more urgent. */
int64_t priority_at(const struct priorities *p, uint32_t thread, int64_t time);

#endif
