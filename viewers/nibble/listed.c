#include "viewers/nibble/listed.h"

/* How many events come before x or, if or_at, not after it. */
static size_t count_before(const struct event_list *l, double x, bool or_at)
{
	size_t low = 0, high = event_list_size(l);

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		double time = (double)event_list_time(l, middle);

		if (time < x || (or_at && time == x))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t listed_in(const struct event_list *l, struct range r)
{
	size_t before = count_before(l, r.from, false), until = count_before(l, r.to, true);

	return until > before ? until - before : 0;
}

struct series *listed_rate(const struct event_list *l, const struct grid *g)
{
	struct series *cells = series_new(SHAPE_CELLS, DIMENSION_RATE);
	size_t before = count_before(l, g->edges[0], false);

	for (size_t w = 0; w < g->n; w++) {
		size_t until = count_before(l, g->edges[w + 1], w + 1 == g->n);

		series_append(cells, g->edges[w],
			      (double)(until - before) / (g->edges[w + 1] - g->edges[w]));
		before = until;
	}
	series_close(cells, g->edges[g->n]);
	return cells;
}

struct series *listed_count(const struct event_list *l, struct range r, unsigned parts)
{
	struct series *steps = series_new(SHAPE_STEPS, DIMENSION_EVENTS);
	size_t before = count_before(l, r.from, false);

	steps->before = (double)before;
	steps->end = r.to;
	for (unsigned i = 1; i <= parts; i++) {
		double edge = i == parts ? r.to : r.from + (r.to - r.from) * i / parts;
		size_t until = count_before(l, edge, i == parts);
		double first, last;

		if (until == before)
			continue;
		first = (double)event_list_time(l, before);
		last = (double)event_list_time(l, until - 1);
		if (first < last)
			series_append(steps, first, (double)count_before(l, first, true));
		series_append(steps, last, (double)until);
		before = until;
	}
	return steps;
}
