/* Finds the program or library in whose functions without names most of the samples are. */
#ifndef GLIMPSE_ANALYSIS_SAMPLES_NAMELESS_H
#define GLIMPSE_ANALYSIS_SAMPLES_NAMELESS_H

#include "trace/trace.h"

/*
 * Returns its path, which the trace keeps, and the share of all samples that are in such functions
 * of it; NULL: that are few everywhere, or there are no samples.
 */
const char *nameless_module(const struct trace *t, double *share);

#endif
