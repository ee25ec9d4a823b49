/* What every matcher does. */
#include "viewers/gorge/index/matcher.h"

bool matcher_shows(const struct spec *spec, const struct interval *interval)
{
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (spec->intervals[i]->connection != CONNECTION_NONE)
			return interval->connection != CONNECTION_NONE;
	return true;
}

struct instances *match_instances(struct generation *a, const struct interval *interval)
{
	struct matches *m = match_interval(generation_trace(a), interval);
	struct instances *found = instances_new(a, m);

	matches_free(m);
	return found;
}
