#include "match/stats/stats.h"
#include "match/stats/series.h"
#include <string.h>

void stats_of(const struct matches *m, struct stats *s)
{
	static const double wanted[] = {0, 0.5, 0.9, 0.99, 1};
	struct series durations = series_of_durations(m);
	struct value values[5];

	memset(s, 0, sizeof *s);
	s->count = m->matched;
	s->unmatched = m->count - m->matched;
	if (s->count) {
		series_quantiles(&durations, wanted, 5, values);
		s->min = (int64_t)values[0].integer;
		s->p50 = (int64_t)values[1].integer;
		s->p90 = (int64_t)values[2].integer;
		s->p99 = (int64_t)values[3].integer;
		s->max = (int64_t)values[4].integer;
		s->total = series_sum(&durations).integer;
		s->mean = (double)s->total / (double)s->count;
	}
	series_clear(&durations);
}
