/*
 * Finds which events a hypothesis needs, for a search while the program runs: events that are not
 * logged yet are requested only if the hypothesis may hold by what is known. Events are marked by
 * their index in the specification.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_EVENT_REQUESTS_H
#define GLIMPSE_ANALYSIS_WHY_EVENT_REQUESTS_H

#include "analysis/why/focus.h"

/* Marks the events that the measures of a condition are about. */
void requests_of_condition(const struct spec *spec, const struct expr *condition, bool *events);
/*
 * Marks what says more of the waits that a measure selects: what ends them, and who has what they
 * are for. Marks nothing if it selects no waits.
 */
void requests_of_waits(const struct spec *spec, const struct test_measure *about, bool *events);
/* Marks entries and exits of functions. */
void requests_of_calls(const struct spec *spec, bool *events);
/*
 * Marks the events that are logged from the start: states of threads, their lives, waits (at most
 * as many as switches between threads), and events that give names or say how to read others.
 */
void requests_cheap(const struct spec *spec, bool *events);

/*
 * Returns whether a condition may hold for a focus if only the events in `known` are known. Waits
 * and input and output cannot take more of the run than the processors are idle, nor more of the
 * threads' time than these do not run.
 */
bool condition_may_hold(const struct evidence *g, const struct focus *f, const struct hypothesis *h,
			const bool *known);

#endif
