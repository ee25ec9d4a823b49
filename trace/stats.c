#include "trace/stats.h"
#include "trace/series.h"
#include <string.h>

void stats_of(const struct matches *m, struct stats *s)
{
	struct series durations = series_of_durations(m);

	memset(s, 0, sizeof *s);
	s->count = m->matched;
	s->unmatched = m->count - m->matched;
	if (s->count) {
		s->min = (int64_t)series_quantile(&durations, 0).integer;
		s->p50 = (int64_t)series_quantile(&durations, 0.5).integer;
		s->p90 = (int64_t)series_quantile(&durations, 0.9).integer;
		s->p99 = (int64_t)series_quantile(&durations, 0.99).integer;
		s->max = (int64_t)series_quantile(&durations, 1).integer;
		s->total = series_sum(&durations).integer;
		s->mean = (double)s->total / (double)s->count;
	}
	series_clear(&durations);
}

int64_t quantile(const int64_t *sorted, size_t n, double q)
{
	return sorted[quantile_place(n, q)];
}
