/*
 * What is picked of one interval's instances: bars as they lie in the scene, and lines of their
 * own. Where a pixel has many bars, it is shown when a picked one begins in it.
 */
#include "viewers/gorge/gather.h"
#include "viewers/gorge/links.h"
#include "viewers/gorge/marks.h"
#include "viewers/gorge/lookup.h"
#include "viewers/gorge/subset.h"
#include <stdlib.h>

struct picking {
	struct gather *g;
	const struct interval *interval;
	uint32_t key;
	const struct subset *subset;
	const struct matches *matches;
	struct scene *part;
	struct links *links;
};

/* Where they begin, lane by lane from left to right; to be freed. */
static struct mark_list begins_of(const struct picking *p)
{
	struct marks *marks = marks_begin(p->part, p->key);
	struct mark_list list = {0};

	for (unsigned t = 0; t < p->g->trace->nthreads; t++)
		if (p->g->lane_of[t] != NO_KEY)
			subset_put(p->subset, t, p->part, marks, p->g->lane_of[t]);
	marks_end(marks, &list);
	return list;
}

/* The first of the list that is in the lane and ends behind x, or is in a later lane. */
static size_t mark_from(const struct mark_list *list, uint32_t lane, double x)
{
	size_t low = 0, high = list->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct mark *m = &list->at[middle];
		if (m->lane < lane || (m->lane == lane && m->x1 <= x))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The pieces of a bar that stands for many. */
static void put_run(struct picking *p, const struct bar *run, const struct mark_list *begins)
{
	for (size_t i = mark_from(begins, run->lane, run->x0); i < begins->n; i++) {
		const struct mark *m = &begins->at[i];
		struct bar *piece;
		if (m->lane != run->lane || m->x0 >= run->x1)
			return;
		piece = vector_add(&p->part->bars);
		*piece = *run;
		piece->x0 = m->x0 > run->x0 ? m->x0 : run->x0;
		piece->x1 = m->x1 < run->x1 ? m->x1 : run->x1;
		piece->count = m->count;
	}
}

static void put_bars(struct picking *p)
{
	struct mark_list begins = begins_of(p);

	for (size_t i = 0; i < p->g->scene->bars.n; i++) {
		const struct bar *b = &p->g->scene->bars.at[i];
		if (b->key != p->key)
			continue;
		if (b->count > 1)
			put_run(p, b, &begins);
		else if (subset_has(p->subset, b->anchor))
			*vector_add(&p->part->bars) = *b;
	}
	free(begins.at);
}

static void put_link(void *context, size_t anchor, uint64_t count)
{
	struct picking *p = context;
	const struct window *w = &p->part->window;
	bool backwards = p->interval->direction == BACKWARDS;
	struct instance i;
	uint32_t from, to;

	matches_get(p->matches, anchor, &i);
	from = gather_lane(p->g, (backwards ? &i.partner : &i.anchor)->thread);
	to = gather_lane(p->g, (backwards ? &i.anchor : &i.partner)->thread);
	if (i.end < w->from || i.start > w->to || from == NO_KEY || to == NO_KEY ||
	    i.anchor.thread == i.partner.thread)
		return;
	links_add(p->links, p->key, gather_end(p->g, backwards ? &i.partner : &i.anchor, from),
		  gather_end(p->g, backwards ? &i.anchor : &i.partner, to),
		  lookup_told(p->g->model, p->matches, anchor), count);
}

/* An instance in the window has its anchor at most its duration away. */
static void put_links(struct picking *p)
{
	int64_t most = p->g->view->pick.most, limit = INT64_C(1) << 61;
	struct window w = p->part->window;

	if (!p->g->scene->intervals[p->key].across)
		return;
	most = most < 0 ? 0 : most > limit ? limit : most;
	w.from -= most;
	w.to += most;
	p->links = links_begin(p->part, MOST_LINES + p->part->nintervals);
	for (unsigned t = 0; t < p->g->trace->nthreads; t++)
		subset_visit(p->subset, t, &w, put_link, p);
	links_end(p->links);
}

/* The interval of that name, if it is chosen, and its key. */
static const struct interval *find_interval(const struct gather *g, const char *name, uint32_t *key)
{
	const struct interval *interval = spec_interval(g->trace->spec, name);

	*key = 0;
	if (!interval || !g->intervals[interval->index])
		return NULL;
	for (unsigned i = 0; i < interval->index; i++)
		*key += g->intervals[i];
	return interval;
}

void gather_pick(struct gather *g)
{
	const struct pick *pick = &g->view->pick;
	struct picking p = {.g = g};

	p.interval = find_interval(g, pick->interval, &p.key);
	if (!p.interval)
		return;
	p.subset = model_pick(g->model, p.interval, pick->least, pick->most);
	p.matches = model_matches(g->model, p.interval);
	p.part = scene_part(g->scene);
	put_bars(&p);
	put_links(&p);
	g->scene->picked = p.part;
}
