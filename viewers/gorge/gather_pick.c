/*
 * What is picked of one interval's instances: bars as they lie in the scene, and lines of their
 * own. Where a pixel has many bars, it is shown when a picked one begins in it.
 */
#include "viewers/gorge/gather.h"
#include "viewers/gorge/links.h"
#include "viewers/gorge/marks.h"
#include "viewers/gorge/lookup.h"
#include "viewers/gorge/pyramid.h"
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

/* ---- lines: of matches ---- */

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
static void put_matches(struct picking *p)
{
	int64_t most = p->g->view->pick.most, limit = INT64_C(1) << 61;
	struct window w = p->part->window;

	most = most < 0 ? 0 : most > limit ? limit : most;
	w.from -= most;
	w.to += most;
	for (unsigned t = 0; t < p->g->trace->nthreads; t++)
		subset_visit(p->subset, t, &w, put_link, p);
}

/* ---- of instances ---- */

/* So many lines are drawn one by one; of more, one stands for several. */
enum { MOST_DRAWN = 3 * MOST_LINES };

static struct link_end end_at(const struct picking *p, enum side side, event_id id, int64_t time)
{
	const struct interval_end *end =
	    side == SIDE_ANCHOR ? &p->interval->anchor : &p->interval->partner;
	struct event e = {.time = time, .type = end_event(end)};

	if (e.type->offset_attribute >= 0)
		census_event(pyramid_census(p->g->model->pyramid), id, &e);
	return gather_end(p->g, &e, p->g->lane_of[id_thread(id)]);
}

static void put_straw(const struct picking *p, const struct sheaf *s, size_t i, int64_t start,
		      uint64_t count)
{
	bool backwards = p->interval->direction == BACKWARDS;
	event_id from = id_make(s->from, s->start[i]), to = id_make(s->to, s->end[i]);

	links_add(p->links, p->key, end_at(p, backwards ? SIDE_PARTNER : SIDE_ANCHOR, from, start),
		  end_at(p, backwards ? SIDE_ANCHOR : SIDE_PARTNER, to, start + sheaf_length(s, i)),
		  backwards ? to : from, count);
}

static bool is_picked(const struct picking *p, const struct sheaf *s, size_t i)
{
	const struct pick *pick = &p->g->view->pick;
	int64_t length = sheaf_length(s, i);

	return length >= pick->least && length <= pick->most;
}

/* One that began before the window. */
static void put_reaching(void *context, const struct sheaf *s, size_t i, int64_t start)
{
	const struct picking *p = context;

	if (is_picked(p, s, i))
		put_straw(p, s, i, start, 1);
}

/* Of those [i, end) that are picked the first, which stands for all. */
static void put_group(const struct picking *p, const struct sheaf *s, size_t i, size_t end,
		      struct census_walk *w)
{
	uint64_t count = 0;
	size_t first = end;

	for (size_t k = sheaf_longer(s, i, end, p->g->view->pick.least); k < end; k++)
		if (is_picked(p, s, k) && count++ == 0)
			first = k;
	if (count == 0)
		return;
	walk_to_unit(w, s->start[first]);
	put_straw(p, s, first, w->at.time, count);
}

static void put_sheaf(struct picking *p, const struct sheaf *s, size_t n)
{
	const struct census *c = pyramid_census(p->g->model->pyramid);
	const struct window *w = &p->part->window;
	struct sheaf_moment begin = {w->from, census_seek(c, s->to, w->from)};
	size_t i = sheaf_find(s, census_seek(c, s->from, w->from)),
	       end = sheaf_seek(s, i, census_seek(c, s->from, w->to + 1)),
	       each = (end - i) * n / MOST_DRAWN + 1;
	struct census_walk walk;

	sheaf_reaching(s, c, i, begin, put_reaching, p);
	walk_begin(&walk, c, s->from, NULL);
	for (; i < end; i += each)
		put_group(p, s, i, end - i < each ? end : i + each, &walk);
}

static void put_instances(struct picking *p)
{
	const struct instances *n = pyramid_use(p->g->model->pyramid, p->interval);

	for (size_t i = 0; i < n->across.n; i++) {
		const struct sheaf *s = &n->across.at[i];
		if (p->g->lane_of[s->from] != NO_KEY && p->g->lane_of[s->to] != NO_KEY)
			put_sheaf(p, s, n->across.n);
	}
	pyramid_used(p->g->model->pyramid);
}

/* ---- both ---- */

static void put_links(struct picking *p)
{
	if (!p->g->scene->intervals[p->key].across)
		return;
	p->links = links_begin(p->part, MOST_LINES + p->part->nintervals);
	if (p->g->model->pyramid)
		put_instances(p);
	else
		put_matches(p);
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
	p.matches = g->model->pyramid ? NULL : model_matches(g->model, p.interval);
	p.part = scene_part(g->scene);
	put_bars(&p);
	put_links(&p);
	g->scene->picked = p.part;
}
