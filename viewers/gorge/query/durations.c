#include "viewers/gorge/query/durations.h"
#include "match/stats/series.h"
#include "viewers/gorge/query/spread.h"
#include <math.h>
#include <stdlib.h>

/* Durations that are so many times as long as others are in bins that grow. */
enum { GROWING = 30 };

/* Where bin i begins: whole nanoseconds, so that a range of bins is a range of durations. */
static int64_t bin_edge(const struct distribution *s, int i)
{
	double first = (double)s->shortest, end = (double)s->longest + 1,
	       part = (double)i / DISTRIBUTION_BINS;
	double base = fmax(first, 1);

	if (i == DISTRIBUTION_BINS)
		return s->longest + 1;
	if (i == 0 || end < base * GROWING)
		return s->shortest + (int64_t)((end - first) * part);
	return (int64_t)(base * pow(end / base, part));
}

static void write_bins(const struct distribution_bins *b, struct json *j)
{
	json_array(j, "bins");
	for (int i = 0; i < DISTRIBUTION_BINS; i++) {
		/* short durations have fewer values than bins */
		if (b->edges[i] == b->edges[i + 1])
			continue;
		json_array(j, NULL);
		json_int(j, NULL, b->edges[i]);
		json_int(j, NULL, b->edges[i + 1]);
		json_uint(j, NULL, b->counts[i]);
		json_close(j);
	}
	json_close(j);
}

/* Gives how many are picked. */
static uint64_t write_numbers(const struct distribution *s, struct distribution_bins *bins, struct json *j)
{
	static const double wanted[QUANTILES] = {0.5, 0.99};
	int64_t quantiles[QUANTILES];
	uint64_t picked;

	json_uint(j, "count", s->n);
	if (s->n == 0)
		return 0;
	distribution_look(s, wanted, quantiles, &picked, bins);
	json_real(j, "total", (double)s->total);
	json_real(j, "mean", (double)s->total / (double)s->n);
	json_int(j, "shortest", s->shortest);
	json_int(j, "p50", quantiles[0]);
	json_int(j, "p99", quantiles[1]);
	json_int(j, "longest", s->longest);
	return picked;
}

void distribution_write_numbers(struct trace_index *m, const struct interval *interval,
			     const struct duration_query *of, struct json *j)
{
	struct distribution *s = distribution_new(m, interval, of);

	write_numbers(s, NULL, j);
	free(s);
}

void distribution_write(struct trace_index *m, const struct interval *interval,
		     const struct duration_query *of, struct json *j)
{
	struct distribution *s = distribution_new(m, interval, of);
	struct distribution_bins bins = {0};

	for (int i = 0; s->n && i <= DISTRIBUTION_BINS; i++)
		bins.edges[i] = bin_edge(s, i);
	json_uint(j, "picked", write_numbers(s, &bins, j));
	if (s->n)
		write_bins(&bins, j);
	free(s);
}

/* ---- for assertions ---- */

static struct value integer(__int128 i)
{
	return (struct value){.kind = VALUE_INT, .integer = i};
}

static struct value real(double x)
{
	return (struct value){.kind = VALUE_REAL, .real = x};
}

/* Behind any trace's end; windows are as long as numbers of 64 bits say. */
static const int64_t EVER = INT64_C(1) << 61;

static struct value statistic(const struct distribution *s, const struct aggregate *wanted)
{
	int64_t quantiles[QUANTILES];
	uint64_t picked;

	switch (wanted->function) {
	case AGGREGATE_MIN:
		return integer(s->shortest);
	case AGGREGATE_MAX:
		return integer(s->longest);
	case AGGREGATE_MEAN:
		return real((double)s->total / (double)s->n);
	case AGGREGATE_SUM:
		return integer((__int128)s->total);
	default:
		distribution_look(s, (double[QUANTILES]){wanted->quantile, wanted->quantile}, quantiles,
			    &picked, NULL);
		return integer(quantiles[0]);
	}
}

bool distribution_aggregate(struct trace_index *m, const struct aggregate *wanted, struct value *result)
{
	const struct duration_query all = {&(struct window){-EVER, EVER}, NULL, .most = -1};
	struct distribution *s = distribution_new(m, wanted->interval, &all);
	bool defined = s->n || wanted->function == AGGREGATE_SUM;

	if (defined)
		*result = statistic(s, wanted);
	free(s);
	return defined;
}
