#include "viewers/gorge/durations.h"
#include "trace/series.h"
#include "viewers/gorge/sheet.h"
#include "viewers/vector.h"
#include <math.h>
#include <stdlib.h>

/* Durations that are so many times as long as others are in bins that grow. */
enum { BINS = 40, GROWING = 30 };

struct durations {
	int64_t *at;
	size_t n, room;
	double total;
	int64_t shortest, longest;
};

static bool is_shown(const struct trace *t, const bool *threads, const struct instance *i)
{
	return !threads || threads[thread_index(t, i->anchor.thread)] ||
	       threads[thread_index(t, i->partner.thread)];
}

static void add(struct durations *d, int64_t duration)
{
	if (d->n == 0 || duration < d->shortest)
		d->shortest = duration;
	if (d->n == 0 || duration > d->longest)
		d->longest = duration;
	d->total += (double)duration;
	*vector_add(d) = duration;
}

static struct durations collect(const struct trace *t, const struct matches *m,
				const struct durations_of *of)
{
	struct durations d = {0};
	struct instance i;

	for (size_t a = 0; a < m->count; a++) {
		if (m->partner_of[a] == UNMATCHED)
			continue;
		matches_look(m, a, &i);
		if (i.end >= of->window->from && i.start <= of->window->to &&
		    is_shown(t, of->threads, &i))
			add(&d, i.end - i.start);
	}
	return d;
}

static int64_t nth(struct durations *d, double q)
{
	size_t place = quantile_place(d->n, q);

	select_word(d->at, d->n, place);
	return d->at[place];
}

static void write_numbers(struct durations *d, struct json *j)
{
	json_uint(j, "count", d->n);
	if (d->n == 0)
		return;
	json_real(j, "total", d->total);
	json_real(j, "mean", d->total / (double)d->n);
	json_int(j, "shortest", d->shortest);
	json_int(j, "p50", nth(d, 0.5));
	json_int(j, "p99", nth(d, 0.99));
	json_int(j, "longest", d->longest);
}

/* Where bin i begins: whole nanoseconds, so that a range of bins is a range of durations. */
static int64_t bin_edge(const struct durations *d, int i)
{
	double first = (double)d->shortest, end = (double)d->longest + 1, part = (double)i / BINS;
	double base = fmax(first, 1);

	if (i == BINS)
		return d->longest + 1;
	if (i == 0 || end < base * GROWING)
		return d->shortest + (int64_t)((end - first) * part);
	return (int64_t)(base * pow(end / base, part));
}

/* The last bin that does not begin behind the duration. */
static int bin_of(const int64_t *edges, int64_t duration)
{
	int low = 0, high = BINS;

	while (high - low > 1) {
		int middle = (low + high) / 2;
		if (edges[middle] <= duration)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void write_bins(const struct durations *d, struct json *j)
{
	int64_t edges[BINS + 1];
	uint64_t counts[BINS] = {0};

	for (int i = 0; i <= BINS; i++)
		edges[i] = bin_edge(d, i);
	for (size_t i = 0; i < d->n; i++)
		counts[bin_of(edges, d->at[i])]++;
	json_array(j, "bins");
	for (int i = 0; i < BINS; i++) {
		/* short durations have fewer values than bins */
		if (edges[i] == edges[i + 1])
			continue;
		json_array(j, NULL);
		json_int(j, NULL, edges[i]);
		json_int(j, NULL, edges[i + 1]);
		json_uint(j, NULL, counts[i]);
		json_close(j);
	}
	json_close(j);
}

static uint64_t count_picked(const struct durations *d, int64_t least, int64_t most)
{
	uint64_t n = 0;

	for (size_t i = 0; i < d->n; i++)
		n += d->at[i] >= least && d->at[i] <= most;
	return n;
}

void durations_write_numbers(struct model *m, const struct interval *interval,
			     const struct durations_of *of, struct json *j)
{
	struct durations d = collect(m->trace, model_matches(m, interval), of);

	write_numbers(&d, j);
	free(d.at);
}

void durations_write(struct model *m, const struct interval *interval,
		     const struct durations_of *of, struct json *j)
{
	struct durations d = collect(m->trace, model_matches(m, interval), of);

	write_numbers(&d, j);
	json_uint(j, "picked", count_picked(&d, of->least, of->most));
	if (d.n)
		write_bins(&d, j);
	free(d.at);
}
