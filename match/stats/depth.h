/* Computes how many instances of an interval are open at a time. */
#ifndef GLIMPSE_MATCH_STATS_DEPTH_H
#define GLIMPSE_MATCH_STATS_DEPTH_H

#include "match/join/match.h"

struct depth {
	size_t max;    /* most instances that were open at once; ends come before starts */
	int64_t at;    /* when there were so many for the first time */
	double mean;   /* over the trace's time, added up from one change to the next */
	double rate;   /* instances per second of the trace */
	double little; /* rate times mean duration: by Little's law the mean depth */
};

/* Measures the depth of an interval. */
void depth_of(const struct trace *t, const struct matches *m, struct depth *d);

#endif
