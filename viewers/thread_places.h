/* Orders the threads that are shown, the same in each run of a program. */
#ifndef GLIMPSE_VIEWERS_THREAD_PLACES_H
#define GLIMPSE_VIEWERS_THREAD_PLACES_H

#include "trace/trace.h"

/*
 * Returns the place of each of the trace's threads, by index. In each process, the threads that the
 * specification's order names come first, in that order. Threads that it does not tell apart follow
 * each other by name, with numbers as numbers; threads of one name, or of none, as they were
 * created. In a recording with states of threads, groups of like names are in the order in which
 * their first threads were created. To be freed.
 */
unsigned *thread_places(const struct trace *t);

#endif
