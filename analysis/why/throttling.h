/*
 * Measures for how long the program could not run because it had used its share of the processors.
 * The events say how much time of processors was withheld, and roughly when; the states of the
 * threads say when some could run and none did.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_THROTTLING_H
#define GLIMPSE_ANALYSIS_WHY_THROTTLING_H

#include "analysis/why/focus.h"

/* Returns for how long (ns) threads could run, none did, and this is the cause. */
double throttled_time(const struct evidence *g, int64_t from, int64_t to);
/* Returns the same of the focus's time, as a share of it. */
double throttled_part(const struct evidence *g, const struct focus *f);
/* Marks the events that the measure needs. */
void throttled_events_mark(const struct spec *spec, bool *events);

#endif
