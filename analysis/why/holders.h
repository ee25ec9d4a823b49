/*
 * Measures what lock holders do while others wait for the lock: they have no processor; or they
 * share the lock among themselves, and acquire it again and again.
 */
#ifndef GLIMPSE_ANALYSIS_WHY_HOLDERS_H
#define GLIMPSE_ANALYSIS_WHY_HOLDERS_H

#include "analysis/why/focus.h"

/*
 * Sums the time in selected waits during which the thread that ends the wait is ready without a
 * processor, because more threads are runnable than processors. Returns its share of the lifetime
 * of the threads that wait.
 */
double preempted_part(const struct evidence *g, const struct focus *f, const bool *places);

/*
 * Returns the share of the run in which the thread that ends a selected wait is ready so, and less
 * urgent than the waiter. Of several waiters, the one that waits so longest counts.
 */
double inverted_part(const struct evidence *g, const struct focus *f, const bool *places);

/*
 * Returns, of the time of selected waits, that in which other threads have the object that have
 * taken it since the wait began; only of waits in which two of them have it at once.
 */
double overtaken_part(const struct evidence *g, const struct focus *f, const bool *places);

#endif
