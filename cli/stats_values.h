/* Prints the numbers that describe a distribution, which are columns in the tables of stats. */
#ifndef GLIMPSE_CLI_STATS_VALUES_H
#define GLIMPSE_CLI_STATS_VALUES_H

#include "match/stats/series.h"

/* min, mean, p50, p90, p99, max, total. */
enum { STATS_VALUES = 7 };
extern const char *const stats_value_names[STATS_VALUES];

/* Fills them in for a series that is not empty. */
void stats_values(struct series *s, struct value *values);

#endif
