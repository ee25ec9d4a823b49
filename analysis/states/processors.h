/* Finds how many processors the threads of a trace could run on. */
#ifndef GLIMPSE_ANALYSIS_STATES_PROCESSORS_H
#define GLIMPSE_ANALYSIS_STATES_PROCESSORS_H

#include "trace/trace.h"

/*
 * Returns the number of processors that events with the style "processors" gave last to each
 * thread: the number whose threads ran longest. ran: how long each thread (index) ran. Returns 0
 * without these events. The trace makes event lists, for one caller at a time.
 */
unsigned processors_usable_of(struct trace *t, const int64_t *ran);
/* Announces the events that it needs. */
void processors_announce(struct trace *t);

#endif
