/* Counts the events of each thread in a focus, or sums one of their attributes. */
#ifndef GLIMPSE_ANALYSIS_WHY_EVENT_SUMS_H
#define GLIMPSE_ANALYSIS_WHY_EVENT_SUMS_H

#include "analysis/why/focus.h"

/*
 * Adds to the sum of each thread in focus its events of a name in that time, or the values of an
 * attribute: "Event.attribute".
 */
void focus_event_sums(const struct evidence *g, const struct focus *f, const char *name,
		      double *sums);

#endif
