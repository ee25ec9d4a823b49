/* What every searcher does. */
#include "viewers/gorge/layout.h"
#include "viewers/gorge/searcher.h"
#include "viewers/gorge/tiers.h"

bool searcher_shows(const struct spec *spec, const struct interval *interval)
{
	for (unsigned i = 0; i < spec->nintervals; i++)
		if (spec->intervals[i]->connection != CONNECTION_NONE)
			return interval->connection != CONNECTION_NONE;
	return true;
}

struct instances *search_interval(struct trace *t, const struct census *c,
				  const struct interval *interval)
{
	struct matches *m = match_interval(t, interval);
	struct instances *found = instances_new(c, m);

	matches_free(m);
	tiers_prepare(c, density_for(census_trace(c)->nthreads)->rows, found);
	return found;
}
