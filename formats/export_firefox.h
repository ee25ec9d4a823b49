/*
 * Exports a run as a profile for the Firefox Profiler, https://profiler.firefox.com, in its processed
 * format, version 60: the first one whose tables are shared by all threads. Newer profilers upgrade it.
 */
#ifndef GLIMPSE_FORMATS_EXPORT_FIREFOX_H
#define GLIMPSE_FORMATS_EXPORT_FIREFOX_H

#include "trace/trace.h"
#include <stdio.h>

enum { FIREFOX_VERSION = 60 };

/*
 * Writes the threads, by index (NULL: all), with their samples and processor use, and the instances of
 * intervals, a list that ends with NULL, as markers of their anchors' threads. Left out: running, which
 * the processor use shows, and causes, which only lead from event to event. The trace makes event lists,
 * for one caller at a time.
 */
void firefox_write(FILE *out, struct trace *t, const bool *threads,
		   const struct interval *const *intervals);

#endif
