/* Collects the values of a metric, for statistics. */
#ifndef GLIMPSE_GORGE_QUERY_METRIC_VALUES_H
#define GLIMPSE_GORGE_QUERY_METRIC_VALUES_H

#include "match/stats/series.h"
#include "viewers/gorge/index/instances.h"

/* Returns the values of a metric of all instances. */
struct series metric_values(const struct instances *n, const struct metric *metric);

#endif
