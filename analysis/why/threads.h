/* Groups of threads, and the processors that they ran on. */
#ifndef GLIMPSE_ANALYSIS_WHY_THREADS_H
#define GLIMPSE_ANALYSIS_WHY_THREADS_H

#include "analysis/why/ground.h"

/*
 * Sets the groups and the processors of the ground's threads. Threads whose names differ in a number
 * at their end are a group; of threads that have the name of the program, those that begin with the
 * same function.
 */
void threads_look(struct ground *g);
/* Announces the events that it needs beside the set's. */
void threads_announce(struct trace *t);

#endif
