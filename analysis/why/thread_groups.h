/* Groups threads, and finds the processors that they ran on. */
#ifndef GLIMPSE_ANALYSIS_WHY_THREAD_GROUPS_H
#define GLIMPSE_ANALYSIS_WHY_THREAD_GROUPS_H

#include "analysis/why/evidence.h"

/*
 * Sets the groups and the processors of the evidence's threads. Threads whose names differ in a
 * number at their end are a group; of threads that have the name of the program, those that begin
 * with the same function.
 */
void thread_groups_set(struct evidence *g);
/* Announces the events that it needs beside the set's. */
void thread_groups_announce(struct trace *t);

#endif
