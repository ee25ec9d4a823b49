/* Labels threads: by their names, and if several have the same name, by their numbers, too. */
#ifndef GLIMPSE_TRACE_LABEL_H
#define GLIMPSE_TRACE_LABEL_H

#include "trace/trace.h"

/*
 * Sets the label of each of the n threads of a trace, which have their names and numbers. A program
 * that runs out of memory here ends, as with array_new(). The caller passes the threads to
 * labels_free() before the names are freed.
 */
void labels_make(struct trace_thread *threads, size_t n);
void labels_free(struct trace_thread *threads, size_t n);

/*
 * Returns whether a pattern (as of file names) names a thread: its label, or the name that it may
 * share with others. A label matches itself, whatever characters it has.
 */
bool label_matches(const char *pattern, const struct trace_thread *thread);

#endif
