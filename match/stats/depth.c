#include "match/stats/depth.h"
#include "base/spill.h"

/*
 * The starts or the ends of all instances, in order: the times of the anchors that have a partner,
 * or of the partners, each as often as it serves.
 */
struct depth_edges {
	const struct matches *matches;
	const struct moments *moments;
	const uint32_t *served; /* of each partner; NULL: these are anchors */
	size_t at;
	size_t left; /* how many more there are at the same moment */
};

/* Finds the next edge; returns false if there is none. */
static bool edges_find(struct depth_edges *e)
{
	while (e->left == 0 && ++e->at < e->moments->count)
		e->left = e->served ? e->served[e->at] : e->matches->partner_of[e->at] != UNMATCHED;
	return e->left > 0;
}

static struct depth_edges edges_begin(const struct matches *m, const uint32_t *served)
{
	return (struct depth_edges){m, served ? &m->partners : &m->anchors, served, SIZE_MAX, 0};
}

static int64_t edges_time(const struct depth_edges *e)
{
	return moments_time(e->moments, e->at);
}

/* Goes through starts and ends together; ends come first where times are equal. Returns the depth
 * added up over time. */
static __int128 edges_sweep(struct depth_edges *starts, struct depth_edges *ends, struct depth *d)
{
	__int128 area = 0;
	int64_t before = 0;
	size_t open = 0;

	while (edges_find(ends)) {
		/* an instance of no duration starts before it ends */
		bool start =
		    edges_find(starts) && (open == 0 || edges_time(starts) < edges_time(ends));
		int64_t time = edges_time(start ? starts : ends);

		area += (__int128)open * (time - before);
		before = time;
		open += start ? 1 : -1;
		(start ? starts : ends)->left--;
		if (open > d->max) {
			d->max = open;
			d->at = time;
		}
	}
	return area;
}

static uint32_t *count_served(const struct matches *m)
{
	uint32_t *served = spill_zero(m->partners.count, sizeof *served);

	for (size_t i = 0; i < m->count; i++)
		if (m->partner_of[i] != UNMATCHED)
			served[m->partner_of[i]]++;
	return served;
}

void depth_of(const struct trace *t, const struct matches *m, struct depth *d)
{
	bool forwards = m->interval->direction == FORWARDS;
	uint32_t *served = count_served(m);
	struct depth_edges anchors = edges_begin(m, NULL), partners = edges_begin(m, served);
	double span = t->duration > 0 ? (double)t->duration : 1;
	__int128 total = 0;

	*d = (struct depth){.max = 0};
	d->mean = (double)edges_sweep(forwards ? &anchors : &partners,
				      forwards ? &partners : &anchors, d) /
		  span;
	for (size_t i = 0; i < m->count; i++)
		if (m->partner_of[i] != UNMATCHED)
			total += matches_duration(m, i);
	if (m->matched) {
		d->rate = (double)m->matched / span * 1e9;
		d->little = d->rate / 1e9 * ((double)total / (double)m->matched);
	}
	spill_free(served);
}
