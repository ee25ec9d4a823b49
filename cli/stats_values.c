#include "cli/stats_values.h"
#include <string.h>

static const double quantiles[] = {0, 0.5, 0.9, 0.99, 1};
enum { NQUANTILES = sizeof quantiles / sizeof *quantiles };

const char *const stats_value_names[STATS_VALUES] = {"min", "mean", "p50",  "p90",
						     "p99", "max",  "total"};

void stats_values(struct series *s, struct value *values)
{
	struct value quantile[NQUANTILES];

	series_quantiles(s, quantiles, NQUANTILES, quantile);
	values[STATS_VALUES - 1] = series_sum(s);
	values[0] = quantile[0];
	values[1] = (struct value){.kind = VALUE_REAL,
				   .real = series_mean_of(s, &values[STATS_VALUES - 1])};
	memcpy(values + 2, quantile + 1, (NQUANTILES - 1) * sizeof *values);
}
