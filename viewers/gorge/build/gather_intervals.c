#include "viewers/gorge/build/build.h"
#include "viewers/gorge/build/stretches.h"
#include "viewers/gorge/draw/layout.h"
#include "viewers/gorge/scene/bars.h"
#include "viewers/gorge/scene/links.h"
#include "viewers/gorge/scene/marks.h"
#include <inttypes.h>
#include <stdlib.h>

/* What one interval's instances are added to. */
struct target {
	struct gather *g;
	uint32_t index;
	struct interval_key *key;
	struct stretches *stretches;
	struct links *links;
	struct marks *stubs;
};

static void add_unmatched(struct target *t, const struct event *anchor, size_t index)
{
	const struct window *w = &t->g->scene->window;
	uint32_t lane = gather_lane(t->g, anchor->thread);

	if (lane == NO_KEY || anchor->time < w->from || anchor->time > w->to)
		return;
	t->key->unmatched++;
	marks_put(t->stubs, lane, scene_column(t->g->scene, anchor->time), 0, index);
}

struct link_end gather_end(const struct gather *g, const struct event *e, uint32_t lane)
{
	return (struct link_end){
		.lane = lane, .event = g->event_key[e->type->index],
		.shift = gather_shift(g, e), .x = scene_x(g->scene, e->time),
	};
}

static void add_matched(struct target *t, const struct instance *i, size_t index)
{
	const struct window *w = &t->g->scene->window;
	const struct event *first = t->key->backwards ? &i->partner : &i->anchor;
	const struct event *second = t->key->backwards ? &i->anchor : &i->partner;
	uint32_t from = gather_lane(t->g, first->thread), to = gather_lane(t->g, second->thread);

	if (i->end < w->from || i->start > w->to || (from == NO_KEY && to == NO_KEY))
		return;
	key_count(t->key, i->end - i->start);
	if (from == NO_KEY || to == NO_KEY)
		t->g->hidden++;
	else if (from == to)
		*vector_add(t->stretches) = (struct stretch){i->start, i->end, from, index};
	else
		links_add(t->links, t->index, gather_end(t->g, first, from),
			  gather_end(t->g, second, to), index, 1);
}

static void gather_interval(struct gather *g, const struct interval *interval, uint32_t index,
			    struct stretches *stretches, struct links *links)
{
	const struct matches *m = model_matches(g->model, interval);
	struct target target = {
		.g = g, .index = index, .key = &g->scene->intervals[index], .stretches = stretches,
		.links = links, .stubs = marks_begin(g->scene, index),
	};
	struct instance i;

	for (size_t a = 0; a < m->count; a++) {
		matches_look(m, a, &i);
		gather_step(g);
		if (i.partner.record)
			add_matched(&target, &i, a);
		else
			add_unmatched(&target, &i.anchor, a);
	}
	if (m->faults)
		diag_warning(g->diag, "fault", interval->where,
			     "the condition of %s overflowed or divided by zero %" PRIu64
			     " times, and was false there",
			     interval->name, m->faults);
	marks_end(target.stubs, &g->scene->stubs);
	stretches_sort(stretches);
	model_done(g->model, interval);
}

static void stack_bars(struct gather *g, struct stretches *all)
{
	struct bars *bars = bars_begin(g->scene, density_for(g->scene->nlanes)->rows);
	const struct stretch *t;
	unsigned key;

	while ((t = stretches_next(all, g->scene->nintervals, &key)))
		bars_add(bars, t->lane, key, t->start, t->end, t->anchor);
	bars_end(bars);
}

/* An interval without a connection is drawn as what its instances are. */
static void settle_forms(struct gather *g, const struct stretches *all)
{
	const struct spec *spec = g->trace->spec;

	for (unsigned i = 0, key = 0; i < spec->nintervals; i++) {
		if (!g->intervals[i])
			continue;
		if (all[key].n == 0 && g->scene->intervals[key].count > 0)
			g->scene->intervals[key].form = FORM_LINE;
		key++;
	}
}

void gather_intervals(struct gather *g)
{
	const struct spec *spec = g->trace->spec;
	struct stretches *all = array_zero(g->scene->nintervals, sizeof *all);
	struct links *links = links_begin(g->scene, MOST_LINES + g->scene->nintervals);

	for (unsigned i = 0, key = 0; i < spec->nintervals; i++)
		if (g->intervals[i]) {
			gather_interval(g, spec->intervals[i], key, &all[key], links);
			key++;
		}
	stack_bars(g, all);
	links_end(links);
	settle_forms(g, all);
	for (unsigned i = 0; i < g->scene->nintervals; i++)
		free(all[i].at);
	free(all);
}
