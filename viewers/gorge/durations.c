#include "viewers/gorge/durations.h"
#include "trace/stats.h"
#include "viewers/vector.h"
#include <math.h>
#include <stdlib.h>

enum { BINS = 40 };

struct durations {
	int64_t *at;            /* sorted */
	size_t n, room;
	double total;
};

static int compare(const void *pa, const void *pb)
{
	int64_t a = *(const int64_t *)pa, b = *(const int64_t *)pb;

	return (a > b) - (a < b);
}

static struct durations collect(const struct matches *m, const struct window *w)
{
	struct durations d = {0};
	struct instance i;

	for (size_t a = 0; a < m->count; a++) {
		if (m->partner_of[a] == UNMATCHED)
			continue;
		matches_look(m, a, &i);
		if (i.end < w->from || i.start > w->to)
			continue;
		*vector_add(&d) = i.end - i.start;
		d.total += (double)(i.end - i.start);
	}
	if (d.n)
		qsort(d.at, d.n, sizeof *d.at, compare);
	return d;
}

/* Bins of equal width up to the longest; [from, to) and the count of each. */
static void write_bins(const struct durations *d, struct json *j)
{
	double first = (double)d->at[0], width = ((double)d->at[d->n - 1] + 1 - first) / BINS;
	size_t i = 0;

	json_array(j, "bins");
	for (int bin = 0; bin < BINS; bin++) {
		double end = bin + 1 < BINS ? first + (bin + 1) * width : INFINITY;
		size_t begin = i;
		while (i < d->n && (double)d->at[i] < end)
			i++;
		json_array(j, NULL);
		json_real(j, NULL, first + bin * width);
		json_real(j, NULL, first + (bin + 1) * width);
		json_uint(j, NULL, i - begin);
		json_close(j);
	}
	json_close(j);
}

void durations_write(struct model *m, const struct interval *interval, const struct window *w,
		     struct json *j)
{
	struct durations d = collect(model_matches(m, interval), w);

	json_string(j, "interval", interval->name);
	json_uint(j, "count", d.n);
	if (d.n) {
		json_real(j, "total", d.total);
		json_real(j, "mean", d.total / (double)d.n);
		json_int(j, "shortest", d.at[0]);
		json_int(j, "p50", quantile(d.at, d.n, 0.5));
		json_int(j, "p99", quantile(d.at, d.n, 0.99));
		json_int(j, "longest", d.at[d.n - 1]);
		write_bins(&d, j);
	}
	free(d.at);
}
