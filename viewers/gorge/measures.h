/* The values of a metric of all instances that were found, for statistics of it. */
#ifndef GLIMPSE_GORGE_MEASURES_H
#define GLIMPSE_GORGE_MEASURES_H

#include "trace/series.h"
#include "viewers/gorge/instances.h"

struct series measures_of(const struct instances *n, const struct metric *metric);

#endif
