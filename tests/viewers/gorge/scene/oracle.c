#include "tests/viewers/gorge/scene/oracle.h"
#include "match/stats/assertions.h"
#include "trace/stream/losses.h"
#include "viewers/thread_places.h"
#include "viewers/gorge/build/building.h"
#include "viewers/gorge/draw/layout.h"
#include "viewers/gorge/scene/bars.h"
#include "viewers/gorge/scene/links.h"
#include <inttypes.h>
#include <stdlib.h>

/* What is the same in all scenes of a trace, read once. */
struct oracle {
	struct trace *trace;
	struct event **events;          /* by type, and its place */
	struct matches **matches;       /* by interval */
	struct instance **instances;    /* by interval, and anchor */
	bool **broken;                  /* whether that breaks any assertion */
};

static uint32_t lane_of(const struct building *g, uint32_t thread)
{
	return g->lane_of[trace_thread_index(g->trace, thread)];
}

static bool in_window(const struct building *g, int64_t time)
{
	return time >= g->scene->window.from && time <= g->scene->window.to;
}

/* ---- events ---- */

static uint8_t shift_of(const struct building *g, const struct event *e)
{
	uint32_t key = g->event_key[e->type->index];

	return key == NO_KEY || !g->scene->events[key].shifted ? 0 : shift_range_place(&g->ranges[key], e);
}

static void find_range(struct shift_range *range, const struct event *events, size_t n)
{
	*range = shift_range_empty();
	for (size_t i = 0; i < n; i++)
		shift_range_add(range, &events[i]);
}

static void put_events(struct building *g, const struct oracle *o, const struct event_type *type, uint32_t index)
{
	const struct event *events = o->events[type->index];
	size_t n = event_list_size(trace_events(g->trace, type));
	struct event_key *key = &g->scene->events[index];
	struct mark_builder *marks = marks_begin(g->scene, index);

	if (key->shifted)
		find_range(&g->ranges[index], events, n);
	for (size_t i = 0; i < n; i++) {
		const struct event *e = &events[i];
		uint32_t lane = lane_of(g, e->thread);
		if (lane == NO_KEY || !in_window(g, e->time))
			continue;
		key->count++;
		g->scene->lanes[lane].events++;
		marks_count(marks, lane, scene_column(g->scene, e->time), shift_of(g, e), i, 1);
	}
	marks_end(marks, &g->scene->marks);
}

/* ---- bars ---- */

struct pile {
	struct scene *scene;
	struct bars *bars;
	unsigned rows;
	int64_t *ends; /* of each row of each lane */
};

struct pile *pile_new(struct scene *s, unsigned rows)
{
	struct pile *p = array_zero(1, sizeof *p);

	*p = (struct pile){s, bars_begin(s, rows), rows,
			   array_zero((size_t)s->nlanes * rows, sizeof *p->ends)};
	for (size_t i = 0; i < (size_t)s->nlanes * rows; i++)
		p->ends[i] = INT64_MIN;
	return p;
}

void pile_add(struct pile *p, uint32_t lane, uint32_t key, int64_t start, int64_t end,
	      uint64_t anchor)
{
	int64_t *ends = p->ends + (size_t)lane * p->rows;
	unsigned row = 0;

	while (row < p->rows && ends[row] > start)
		row++;
	if (row == p->rows) {
		p->scene->deep++;
		row--;
	}
	ends[row] = ends[row] > end ? ends[row] : end;
	bars_put(p->bars, lane, row, key, start, end, anchor);
}

void pile_end(struct pile *p)
{
	bars_end(p->bars);
	free(p->ends);
	free(p);
}

/* An instance within a lane. */
struct stretch {
	int64_t start, end;
	uint32_t lane, key;
	uint64_t anchor;
	uint64_t seq;           /* of the event with which it starts */
	unsigned row;
	bool explained;         /* it is a blocked state */
};

static int compare_stretches(const void *pa, const void *pb)
{
	const struct stretch *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->anchor > b->anchor) - (a->anchor < b->anchor);
}

/* As they are drawn: those that start at one time in the order of their first events. */
static int compare_drawn(const void *pa, const void *pb)
{
	const struct stretch *a = pa, *b = pb;

	if (a->start != b->start || a->lane != b->lane || a->seq == b->seq)
		return compare_stretches(a, b);
	return a->seq < b->seq ? -1 : 1;
}

/* ---- intervals ---- */

struct walk {
	struct building *g;
	const struct oracle *oracle;
	VECTOR(struct stretch) stretches;
	struct links *links;
	struct mark_builder *stubs;
	uint32_t index;
	struct interval_key *key;
	struct span_sums sums;
};

static struct link_end end_of(const struct building *g, const struct event *e, uint32_t lane)
{
	return (struct link_end){.lane = lane, .event = g->event_key[e->type->index],
				 .shift = shift_of(g, e), .x = scene_x(g->scene, e->time)};
}

static void put_unmatched(struct walk *w, const struct event *anchor, size_t index)
{
	uint32_t lane = lane_of(w->g, anchor->thread);

	if (lane == NO_KEY || !in_window(w->g, anchor->time))
		return;
	w->key->unmatched++;
	marks_count(w->stubs, lane, scene_column(w->g->scene, anchor->time), 0, index, 1);
}

static void put_matched(struct walk *w, const struct instance *i, size_t index)
{
	const struct window *window = &w->g->scene->window;
	const struct event *first = w->key->backwards ? &i->partner : &i->anchor;
	const struct event *second = w->key->backwards ? &i->anchor : &i->partner;
	uint32_t from = lane_of(w->g, first->thread), to = lane_of(w->g, second->thread);

	if (i->end < window->from || i->start > window->to || (from == NO_KEY && to == NO_KEY))
		return;
	span_sums_add(&w->sums, i->end - i->start);
	if (from == NO_KEY || to == NO_KEY)
		w->g->hidden++;
	else if (from == to && !w->key->explains)
		*vector_add(&w->stretches) = (struct stretch){i->start, i->end, from, w->index, index, first->seq, 0, false};
	else if (from != to)
		links_add(w->links, w->index, end_of(w->g, first, from), end_of(w->g, second, to),
			  index, 1);
}

static void put_interval(struct walk *w, const struct interval *interval)
{
	size_t before = w->stretches.n, n = w->oracle->matches[interval->index]->count;

	w->key = &w->g->scene->intervals[w->index];
	w->stubs = marks_begin(w->g->scene, w->index);
	w->sums = span_sums_none();
	for (size_t a = 0; a < n; a++) {
		const struct instance *i = &w->oracle->instances[interval->index][a];
		if (i->partner.record)
			put_matched(w, i, a);
		else
			put_unmatched(w, &i->anchor, a);
	}
	key_add(w->key, &w->sums);
	if (w->stretches.n == before && w->key->count > 0 && !w->key->explains)
		w->key->form = FORM_LINE;
	marks_end(w->stubs, &w->g->scene->stubs);
}

/* Which of the rows that bars took last, a bar without length may share: those that begin with it. */
static bool may_share(const int64_t *starts, unsigned row, const struct stretch *s)
{
	return s->start == s->end && starts[row] == s->start;
}

/* Returns the row in its band: the first that is free, of calls the one below all that are open. */
static unsigned row_of(int64_t *starts, int64_t *ends, unsigned limit, const struct stretch *s,
		       enum band band, uint64_t *deep)
{
	unsigned row = 0, last;

	for (last = limit; band == BAND_CALLS && last > 0 && ends[last - 1] <= s->start; last--)
		ends[last - 1] = INT64_MIN;
	for (unsigned i = limit; band == BAND_CALLS && row == 0 && i > 0; i--)
		if (ends[i - 1] != INT64_MIN)
			row = i;
	while (row < limit && band != BAND_CALLS && ends[row] > s->start &&
	       !may_share(starts, row, s))
		row++;
	if (row == limit) {
		++*deep;
		row--;
	} else if (s->end > ends[row]) {
		starts[row] = s->start;
	}
	ends[row] = ends[row] > s->end ? ends[row] : s->end;
	return row;
}

/* Gives each stretch its row; and lanes their bands, where threads are lanes. */
static void find_rows(struct building *g, struct stretch *stretches, size_t n)
{
	struct scene *s = g->scene;

	for (enum band band = 0; band < BANDS; band++) {
		unsigned limit = band_limit(band, g->trace);
		int64_t *ends = array_zero((size_t)limit * s->nlanes, sizeof *ends),
			*starts = array_zero((size_t)limit * s->nlanes, sizeof *starts);
		for (size_t i = 0; i < (size_t)limit * s->nlanes; i++)
			starts[i] = ends[i] = INT64_MIN;
		for (size_t i = 0; i < n; i++) {
			struct stretch *at = &stretches[i];
			unsigned *depth = &s->lanes[at->lane].bands[band];
			if (s->intervals[at->key].band != band)
				continue;
			at->row = row_of(&starts[at->lane * limit], &ends[at->lane * limit], limit,
					 at, band,
					 band == BAND_CALLS ? &s->deep_calls : &s->deep);
			*depth = at->row + 1 > *depth ? at->row + 1 : *depth;
		}
		free(starts);
		free(ends);
	}
}

/*
 * Of those of an interval that start at one time in one row the longest, which comes first, says when all
 * of them are drawn.
 */
static void find_turns(struct stretch *stretches, size_t n)
{
	size_t first = 0;

	for (size_t i = 0; i < n; i++) {
		size_t j = first = stretches[first].start == stretches[i].start ? first : i;

		if (stretches[i].explained)
			continue;
		while (j < i && (stretches[j].lane != stretches[i].lane || stretches[j].row != stretches[i].row ||
				 stretches[j].key != stretches[i].key))
			j++;
		stretches[i].seq = stretches[j].seq;
	}
}

/* ---- what explains blocked states ---- */

/* The key of the blocked states that waits explain; NO_KEY: nothing explains any. */
static uint32_t explained_key(const struct scene *s)
{
	uint32_t blocked = NO_KEY;
	bool explains = false;

	for (uint32_t k = s->nintervals; k-- > 0;) {
		explains |= s->intervals[k].explains;
		blocked = s->intervals[k].state == STATE_BLOCKED ? k : blocked;
	}
	return explains ? blocked : NO_KEY;
}

/* Whether a wait explains a state: it lasts for at least half of it. */
static bool is_reason(const struct instance *wait, const struct instance *state)
{
	int64_t from = wait->start > state->start ? wait->start : state->start;
	int64_t to = wait->end < state->end ? wait->end : state->end;

	return wait->partner.record && wait->anchor.thread == wait->partner.thread &&
	       wait->anchor.thread == state->anchor.thread && from <= to &&
	       (to - from) * 2 >= state->end - state->start;
}

static uint64_t first_of(const struct interval_key *key, const struct instance *i)
{
	return key->backwards ? i->partner.seq : i->anchor.seq;
}

static uint64_t last_of(const struct interval_key *key, const struct instance *i)
{
	return key->backwards ? i->anchor.seq : i->partner.seq;
}

/* Whether a reason began later than another one, or with the same event and is shorter. */
static bool is_better(const struct interval_key *key, const struct instance *wait,
		      const struct interval_key *best_key, const struct instance *best)
{
	uint64_t first = first_of(key, wait), best_first = first_of(best_key, best);
	uint64_t last = last_of(key, wait), best_last = last_of(best_key, best);

	if (first != best_first)
		return first > best_first;
	return last != best_last ? last < best_last : key >= best_key;
}

/* Gives a blocked state to its reason: of those that last for half of it the one that began last. */
static void explain(const struct building *g, const struct oracle *o, struct stretch *at, const struct instance *state)
{
	const struct spec *spec = g->trace->spec;
	const struct interval_key *keys = g->scene->intervals;
	const struct instance *best = NULL;

	for (unsigned i = 0, k = 0; i < spec->nintervals; k += g->intervals[i++])
		for (size_t a = 0; g->intervals[i] && keys[k].explains && a < o->matches[i]->count; a++) {
			const struct instance *wait = &o->instances[i][a];
			if (!is_reason(wait, state) ||
			    (best && !is_better(&keys[k], wait, &keys[at->key], best)))
				continue;
			best = wait;
			at->key = k;
			at->anchor = a;
		}
}

/* Gives the blocked states to what explains them, when they have their rows. */
static void explain_all(const struct building *g, const struct oracle *o, struct stretch *stretches, size_t n)
{
	uint32_t key = explained_key(g->scene);
	unsigned blocked = 0;

	for (uint32_t before = 0; key != NO_KEY && (before < key || !g->intervals[blocked]); blocked++)
		before += g->intervals[blocked];
	for (size_t i = 0; key != NO_KEY && i < n; i++)
		if (stretches[i].key == key) {
			stretches[i].explained = true;
			explain(g, o, &stretches[i], &o->instances[blocked][stretches[i].anchor]);
		}
}

/* ---- drawing ---- */

/* A thread has one of the states that say what it does: all are in one row. */
static bool has_one_row(const struct scene *s)
{
	for (unsigned i = 0; i < s->nintervals; i++)
		if (s->intervals[i].band == BAND_STATES && s->intervals[i].state != STATE_OTHER)
			return true;
	return false;
}

static void join_states(struct scene *s, struct stretch *stretches, size_t n)
{
	if (!has_one_row(s))
		return;
	for (size_t i = 0; i < n; i++)
		if (s->intervals[stretches[i].key].band == BAND_STATES)
			stretches[i].row = 0;
	for (unsigned i = 0; i < s->nlanes; i++)
		if (s->lanes[i].bands[BAND_STATES])
			s->lanes[i].bands[BAND_STATES] = 1;
}

/* Adds to the time that a lane has of a state in the window. */
static void share_stretch(struct scene *s, const struct stretch *at)
{
	int64_t from = at->start > s->window.from ? at->start : s->window.from;
	int64_t to = at->end < s->window.to ? at->end : s->window.to;

	if (s->lanes[at->lane].shares && s->intervals[at->key].band == BAND_STATES)
		s->lanes[at->lane].shares[at->key] += (double)(to - from);
}

static void put_stretches(struct building *g, const struct oracle *o, struct stretch *stretches, size_t n)
{
	struct scene *s = g->scene;
	struct bars *bars;

	find_rows(g, stretches, n);
	join_states(s, stretches, n);
	explain_all(g, o, stretches, n);
	find_turns(stretches, n);
	if (n)
		qsort(stretches, n, sizeof *stretches, compare_drawn);

	for (unsigned lane = 0; lane < s->nlanes; lane++)
		for (enum band band = 0; band < BANDS; band++)
			s->lanes[lane].rows += s->lanes[lane].bands[band];
	bars = bars_begin(s, 1);
	for (size_t i = 0; i < n; i++) {
		struct stretch *at = &stretches[i];
		for (enum band band = 0; band < s->intervals[at->key].band; band++)
			at->row += s->lanes[at->lane].bands[band];
		bars_put(bars, at->lane, at->row, at->key, at->start, at->end, at->anchor);
		share_stretch(s, at);
	}
	bars_end(bars);
}

static void put_intervals(struct building *g, const struct oracle *o)
{
	const struct spec *spec = g->trace->spec;
	struct walk w = {.g = g, .oracle = o, .links = links_begin(g->scene, MOST_LINES + g->scene->nintervals)};

	for (unsigned i = 0; i < spec->nintervals; i++)
		if (g->intervals[i]) {
			put_interval(&w, spec->intervals[i]);
			w.index++;
		}
	if (w.stretches.n)
		qsort(w.stretches.at, w.stretches.n, sizeof *w.stretches.at, compare_stretches);
	put_stretches(g, o, w.stretches.at, w.stretches.n);
	links_end(w.links);
	free(w.stretches.at);
}

/* ---- violations ---- */

static void mark_broken(void *broken, const struct matches *m, size_t anchor)
{
	(void)m;
	((bool *)broken)[anchor] = true;
}

/* By anchor, whether it breaks any assertion. */
static bool *find_broken(struct aggregates *all, const struct spec *spec,
			 const struct interval *interval)
{
	bool *broken = array_zero(aggregates_matches(all, interval)->count + 1, sizeof *broken);

	for (unsigned i = 0; i < spec->nassertions; i++)
		if (spec->assertions[i]->interval == interval) {
			struct verdict v =
			    check_each(all, spec->assertions[i], 0, mark_broken, broken);
			verdict_clear(&v);
		}
	return broken;
}

static void put_violations(struct building *g, const struct oracle *o, const struct interval *interval, uint32_t key)
{
	const bool *broken = o->broken[interval->index];
	struct mark_builder *marks = marks_begin(g->scene, key);
	struct scene *s = g->scene;

	for (size_t a = 0; a < o->matches[interval->index]->count; a++) {
		const struct event *anchor = &o->instances[interval->index][a].anchor;
		uint32_t lane = lane_of(g, anchor->thread);
		if (broken[a] && lane != NO_KEY && in_window(g, anchor->time))
			marks_count(marks, lane, scene_column(s, anchor->time), 0, a, 1);
	}
	marks_end(marks, &s->violations);
	for (size_t k = 0; k < s->bars.n; k++)
		if (s->bars.at[k].key == key)
			s->bars.at[k].violates = s->bars.at[k].count == 1 && broken[s->bars.at[k].anchor];
	for (size_t k = 0; k < s->links.n; k++)
		if (s->links.at[k].key == key)
			s->links.at[k].violates = s->links.at[k].count == 1 && broken[s->links.at[k].anchor];
}

static void put_all_violations(struct building *g, const struct oracle *o)
{
	const struct spec *spec = g->trace->spec;

	for (unsigned i = 0, key = 0; i < spec->nintervals; i++)
		if (g->intervals[i])
			put_violations(g, o, spec->intervals[i], key++);
}

static struct event *all_events(const struct event_list *list)
{
	struct event *events = array_zero(event_list_size(list) + 1, sizeof *events);

	for (size_t i = 0; i < event_list_size(list); i++)
		event_list_get(list, i, &events[i]);
	return events;
}

static struct instance *all_instances(const struct matches *m)
{
	struct instance *instances = array_zero(m->count + 1, sizeof *instances);

	for (size_t a = 0; a < m->count; a++)
		matches_get(m, a, &instances[a]);
	return instances;
}

struct oracle *oracle_new(struct trace *t)
{
	const struct spec *spec = t->spec;
	struct oracle *o = array_zero(1, sizeof *o);
	struct aggregates *all = aggregates_new(t);

	o->trace = t;
	o->events = array_zero(spec->nevents + 1, sizeof *o->events);
	o->matches = array_zero(spec->nintervals + 1, sizeof *o->matches);
	o->instances = array_zero(spec->nintervals + 1, sizeof *o->instances);
	o->broken = array_zero(spec->nintervals + 1, sizeof *o->broken);
	for (unsigned i = 0; i < spec->nevents; i++)
		o->events[i] = all_events(trace_events(t, spec->events[i]));
	for (unsigned i = 0; i < spec->nintervals; i++) {
		o->matches[i] = match_interval(t, spec->intervals[i]);
		o->instances[i] = all_instances(o->matches[i]);
		o->broken[i] = find_broken(all, spec, spec->intervals[i]);
	}
	aggregates_free(all);
	return o;
}

void oracle_free(struct oracle *o)
{
	const struct spec *spec = o->trace->spec;

	for (unsigned i = 0; i < spec->nevents; i++)
		free(o->events[i]);
	for (unsigned i = 0; i < spec->nintervals; i++) {
		matches_free(o->matches[i]);
		free(o->instances[i]);
		free(o->broken[i]);
	}
	free(o->events);
	free(o->matches);
	free(o->instances);
	free(o->broken);
	free(o);
}

struct scene *oracle_scene(const struct oracle *o, const struct view *v)
{
	struct trace *t = o->trace;
	struct building g;
	struct view view = *v;
	unsigned *places = thread_places(t);
	struct scene *scene;
	char *losses;
	bool good;

	view.places = places;
	good = building_begin(&g, &view, t, &(struct diag){0});
	free(places);
	if (!good)
		return NULL;
	for (unsigned i = 0; i < t->spec->nevents; i++)
		if (g.events[i])
			put_events(&g, o, t->spec->events[i], g.event_key[i]);
	put_intervals(&g, o);
	put_all_violations(&g, o);
	g.losses = losses = losses_text(t);
	scene = building_end(&g);
	free(losses);
	return scene;
}
