/* Prints statistics of intervals in one of the formats of `glimpse stats`. */
#ifndef GLIMPSE_CLI_STATS_PRINT_H
#define GLIMPSE_CLI_STATS_PRINT_H

#include "cli/command.h"
#include "match/stats/account.h"
#include "match/stats/depth.h"
#include "match/stats/series.h"

/* One row: the durations of an interval, or one of its metrics. */
struct stats_row {
	const struct interval *interval;
	const struct metric *metric;    /* NULL: durations */
	enum unit unit;
	struct series *series;
	struct account account;
	struct depth depth;
};

void stats_print(FILE *out, enum format format, struct stats_row *rows, size_t n, bool depth);

#endif
