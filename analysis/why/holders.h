/*
 * Measures what lock holders do while others wait for the lock: they have no processor; or they
 * share the lock among themselves, and acquire it again and again.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_HOLDERS_H
#define GLIMPSE_ANALYSIS_WHY_HOLDERS_H

#include "analysis/why/focus.h"

/*
 * Returns, of the time of threads that have selected waits, that in which they wait so while who
 * ends the wait could run and has no processor, as more threads can run than there are processors.
 */
double preempted_part(const struct evidence *g, const struct focus *f, const bool *places);

/*
 * Returns, of the time of selected waits, that in which other threads have the object that have
 * taken it since the wait began; only of waits in which two of them have it at once.
 */
double overtaken_part(const struct evidence *g, const struct focus *f, const bool *places);

#endif
