/* Orders the threads that are shown, the same in each run of a program. */
#ifndef GLIMPSE_VIEWERS_THREAD_PLACES_H
#define GLIMPSE_VIEWERS_THREAD_PLACES_H

#include "trace/trace.h"

/*
 * Returns the place of each of the trace's threads, by index. Of each process come first those that
 * the specification's order names, in that order; then, and among those of one pattern, by name,
 * with numbers as numbers; those of one name, or of none, as they were created. In a recording with
 * states of threads they come as they were created, those that are called alike together. To be
 * freed.
 */
unsigned *thread_places(const struct trace *t);

#endif
