/* The aggregates of a trace that assertions ask for: found once, remembered. */
#ifndef GLIMPSE_MATCH_STATS_AGGREGATES_H
#define GLIMPSE_MATCH_STATS_AGGREGATES_H

#include "match/stats/series.h"

struct aggregates;

struct aggregates *aggregates_new(struct trace *t);
/* The same, of instances that somebody else finds and keeps; measure gives the values of a metric. */
struct lender {
	const struct matches *(*find)(void *context, const struct interval *interval);
	struct series (*measure)(void *context, const struct interval *interval, const struct metric *metric);
	void *context;
};
struct aggregates *aggregates_new_from(struct trace *t, const struct lender *lender);
void aggregates_free(struct aggregates *a);

/* The interval's instances; they live as long as the aggregates. */
const struct matches *aggregates_matches(struct aggregates *a, const struct interval *interval);

/* For binding.aggregate, with the aggregates as its context. */
bool aggregates_value(void *aggregates, const struct aggregate *aggregate, struct value *result);

#endif
