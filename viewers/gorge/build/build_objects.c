/*
 * Builds the lanes of objects: bars of who holds them and who waits; where the window has few
 * events, also the other events that name them, and from whom to whom they were handed over.
 */
#include "base/visible.h"
#include "spec/layout.h"
#include "viewers/gorge/build/building.h"
#include "viewers/gorge/build/object_lanes.h"
#include "viewers/gorge/scene/bars.h"
#include "viewers/gorge/scene/object_scene.h"
#include <stdlib.h>

/*
 * Windows with more events have no marks in the lanes of objects, and with more hand-overs no
 * lines. More threads than MOST_THREADS share the last colour.
 */
enum { MOST_EVENTS = 20000, MOST_LINES_HERE = 2000, MOST_THREADS = 250 };

/* Of more spans in a column that are narrower than it, some are looked at for all. */
enum { LOOKED_AT = 48 };

struct object_building {
	struct building *g;
	struct grid *grid;
	struct object_index *index;
	struct object_scene *scene;
	struct bars *bars;
	uint32_t *thread_key; /* by thread: its place in the scene's list, or NO_KEY */
	uint32_t *lane_of;    /* by object: its lane, or NO_KEY */
	int64_t wide;
	uint32_t lane; /* which is being filled */
	bool plain;
};

static void give_rows(struct object_building *b, const struct traced_object *o)
{
	unsigned holders = o->holders ? o->holders : 1;

	b->g->scene->lanes[b->lane].rows = holders + o->waiters;
	b->g->scene->lanes[b->lane].bands[BAND_BARS] = holders + o->waiters;
}

/* ---- threads and their colours ---- */

static uint32_t thread_key(struct object_building *b, unsigned thread)
{
	const struct trace_thread *t = &b->g->trace->threads[thread];
	struct object_scene *s = b->scene;

	if (b->thread_key[thread] != NO_KEY)
		return b->thread_key[thread];
	if (s->threads.n == MOST_THREADS)
		return MOST_THREADS - 1;
	b->thread_key[thread] = (uint32_t)s->threads.n;
	*vector_add(&s->threads) = (struct object_thread){
	    .thread = thread,
	    .number = t->number,
	    .shown = true,
	    .name =
		s->threads.n == MOST_THREADS - 1 ? text_format("others") : visible_text(t->label),
	    .colour = object_thread_colour(b->g->scene->theme, thread)};
	return b->thread_key[thread];
}

/* Makes the keys of the bars: two of each thread. */
static void make_keys(struct object_scene *s)
{
	struct scene *bars = s->bars;

	bars->nintervals = 2 * (unsigned)s->threads.n;
	bars->intervals = array_zero(bars->nintervals, sizeof *bars->intervals);
	for (unsigned i = 0; i < bars->nintervals; i++) {
		const struct object_thread *t = &s->threads.at[i / 2];
		bars->intervals[i] = (struct interval_key){
		    .label = text_format("%s", t->name),
		    .form = FORM_BAR,
		    .named = true,
		    .band = BAND_BARS,
		    .colour = i % 2 ? object_wait_colour(bars->theme, t->colour) : t->colour};
	}
}

/* ---- bars ---- */

static uint32_t row_of(const struct object_building *b, const struct traced_object *o,
		       const struct object_span *s)
{
	return object_holds(b->index, s) ? s->row : (o->holders ? o->holders : 1) + s->row;
}

static uint32_t key_of(struct object_building *b, const struct object_span *s)
{
	return 2 * thread_key(b, s->thread) + !object_holds(b->index, s);
}

static void put_span(void *context, const struct traced_object *o, size_t i)
{
	struct object_building *b = context;
	const struct object_span *s = &o->spans.at[i];
	int64_t end = object_span_end(s);

	/* what is open goes on behind the end of the trace */
	if (s->open && end <= b->g->scene->window.to)
		end = b->g->scene->window.to + 1;
	bars_put(b->bars, b->lane, row_of(b, o, s), key_of(b, s), s->start, end, i);
}

static void put_narrow(struct object_building *b, const struct traced_object *o, size_t i,
		       int32_t column, double weight, uint64_t count)
{
	const struct object_span *s = &o->spans.at[i];

	if (object_span_end(s) - s->start < b->wide)
		bars_narrow(b->bars, b->lane, row_of(b, o, s), key_of(b, s), column, count,
			    (double)(object_span_end(s) - s->start) * weight, i);
}

/* Adds the spans that start in a column: of many, some that stand for all, and each wide one. */
static void put_column(struct object_building *b, const struct traced_object *o, size_t i,
		       size_t end, int32_t column)
{
	size_t n = end - i, looked = n < LOOKED_AT ? n : LOOKED_AT;

	for (size_t k = 0; k < looked; k++) {
		size_t from = i + n * k / looked, to = i + n * (k + 1) / looked;
		put_narrow(b, o, from, column, (double)(to - from), to - from);
	}
	while ((i = object_find_longer(o, i, end, b->wide)) < end)
		put_span(b, o, i++);
}

static size_t seek_from(const struct traced_object *o, size_t i, int64_t time)
{
	size_t step = 1;

	while (i + step < o->spans.n && o->spans.at[i + step].start < time) {
		i += step;
		step *= 2;
	}
	for (; step; step /= 2)
		if (i + step < o->spans.n && o->spans.at[i + step].start < time)
			i += step;
	return i < o->spans.n && o->spans.at[i].start < time ? i + 1 : i;
}

static void put_object(struct object_building *b, const struct traced_object *o)
{
	const struct scene *s = b->g->scene;
	size_t i = object_seek(o, s->window.from), next;

	object_reaching(o, i, s->window.from, put_span, b);
	for (; i < o->spans.n && o->spans.at[i].start <= s->window.to; i = next) {
		int32_t column = scene_column(s, o->spans.at[i].start);
		next = seek_from(o, i, scene_column_end(s, column));
		put_column(b, o, i, next, column);
	}
}

/* ---- other events ---- */

/* Returns whether bars show the events of a type already. */
static bool ends_bars(const struct object_index *x, const struct event_type *type)
{
	for (size_t i = 0; i < x->roles.n; i++)
		if (x->roles.at[i].start.event == type || x->roles.at[i].end.event == type)
			return true;
	return false;
}

/* Returns by event type the first attribute of type object, or -1. */
static int *object_attributes(const struct object_building *b)
{
	const struct spec *spec = b->g->trace->spec;
	int *found = array_new(spec->nevents, sizeof *found);

	for (unsigned i = 0; i < spec->nevents; i++) {
		const struct event_type *type = spec->events[i];
		found[i] = -1;
		for (unsigned a = type->nattributes; a-- > 0;)
			if (type->attributes[a].type == TYPE_OBJECT && !ends_bars(b->index, type))
				found[i] = (int)a;
	}
	return found;
}

static void put_event(struct object_building *b, unsigned thread, const struct event_walk *w,
		      int attribute)
{
	const struct traced_object *o;
	struct event e;
	uint32_t lane;

	event_walk_event(w, &e);
	o = object_index_find(b->index, thread, &e, attribute);
	lane = o ? b->lane_of[o - b->index->objects.at] : NO_KEY;
	if (lane != NO_KEY && building_sees(b->g, lane))
		*vector_add(&b->scene->marks) =
		    (struct object_mark){.lane = lane,
					 .thread = thread_key(b, thread),
					 .type = e.type,
					 .x = scene_x(b->g->scene, e.time),
					 .id = event_id_make(thread, w->at.unit)};
}

static uint64_t sum(const uint64_t *counts, unsigned n)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < n; i++)
		total += counts[i];
	return total;
}

/* Counts the events in the window, up to more than are drawn. */
static uint64_t count_events(const struct object_building *b)
{
	const struct window *w = &b->g->scene->window;
	unsigned kinds = event_index_kinds(b->grid->event_index);
	uint64_t *counts = array_zero(kinds, sizeof *counts), n = 0;

	for (unsigned t = 0; t < b->g->trace->nthreads && n <= MOST_EVENTS; t++) {
		struct event_walk walk;
		event_walk_begin(&walk, b->grid->event_index, t, counts);
		event_walk_to_time(&walk, w->from);
		n -= sum(counts, kinds);
		event_walk_to_time(&walk, w->to + 1);
		n += sum(counts, kinds);
	}
	free(counts);
	return n;
}

static int compare_marks(const void *pa, const void *pb)
{
	const struct object_mark *a = pa, *b = pb;

	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	if (a->x != b->x)
		return a->x < b->x ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static void put_events(struct object_building *b)
{
	const struct window *window = &b->g->scene->window;
	int *attributes = object_attributes(b);

	for (unsigned t = 0; t < b->g->trace->nthreads; t++) {
		struct event_walk w;
		event_walk_begin(&w, b->grid->event_index, t, NULL);
		for (event_walk_to_time(&w, window->from); !w.ended && w.at.time <= window->to;
		     event_walk_step(&w))
			if (attributes[w.at.type] >= 0)
				put_event(b, t, &w, attributes[w.at.type]);
	}
	if (b->scene->marks.n)
		qsort(b->scene->marks.at, b->scene->marks.n, sizeof *b->scene->marks.at,
		      compare_marks);
	free(attributes);
}

/* ---- hand-overs ---- */

/* Instances of one cause. */
struct handing {
	struct object_building *b;
	const struct instances *instances;
	const struct role *role;
};

/* Returns the row of the bar of a thread that ends at a time; 0: there is none. */
static uint32_t row_ending(const struct object_building *b, const struct traced_object *o,
			   unsigned thread, int64_t time)
{
	size_t end = object_seek(o, time), i = object_find_ending(o, end, thread, time);

	return i < end ? row_of(b, o, &o->spans.at[i]) : 0;
}

static void put_handover(void *context, const struct spans *s, size_t i, int64_t start)
{
	const struct handing *h = context;
	struct object_building *b = h->b;
	int64_t end = start + spans_length(s, i);
	const struct traced_object *o;
	struct event e;
	uint32_t lane;

	if (!event_index_event(b->grid->event_index, spans_later(s, i), &e))
		return;
	o = object_index_find(b->index, spans_to(s, i), &e, h->role->end.object);
	lane = o ? b->lane_of[o - b->index->objects.at] : NO_KEY;
	if (lane == NO_KEY || !building_sees(b->g, lane))
		return;
	*vector_add(&b->scene->links) =
	    (struct object_link){.lane = lane,
				 .interval = h->role->interval,
				 .from_row = row_ending(b, o, s->from, start),
				 .to_row = row_ending(b, o, spans_to(s, i), end),
				 .x0 = scene_x(b->g->scene, start),
				 .x1 = scene_x(b->g->scene, end),
				 .anchor = instances_anchor(h->instances, s, i)};
}

static void put_handovers(struct handing *h)
{
	const struct grid *grid = h->b->grid;

	for (size_t k = 0; k < h->instances->across.n; k++) {
		const struct spans *s = &h->instances->across.at[k];
		struct begun begun = grid_begun(grid, s);

		grid_reaching(grid, s, begun.i, put_handover, h);
		for (size_t i = begun.i; i < begun.end; i++)
			put_handover(h, s, i,
				     event_index_time(grid->event_index, spans_earlier(s, i)));
	}
}

static uint64_t count_begun(const struct grid *grid, const struct instances *n)
{
	uint64_t count = 0;

	for (size_t k = 0; k < n->across.n; k++) {
		struct begun begun = grid_begun(grid, &n->across.at[k]);
		count += begun.end - begun.i;
	}
	return count;
}

/* Returns the causes whose ends are about an object, as bits of intervals, too; to be freed. */
static struct role *find_causes(const struct building *g, unsigned *n, bool *intervals)
{
	struct role *roles = roles_of_kind(g->trace->spec, KIND_CAUSE, n);
	unsigned kept = 0;

	for (unsigned i = 0; i < *n; i++)
		if (roles[i].start.object >= 0 && roles[i].end.object >= 0) {
			intervals[roles[i].interval->index] = true;
			roles[kept++] = roles[i];
		}
	*n = kept;
	return roles;
}

void building_objects_await(struct building *g, long patience)
{
	bool *intervals = array_zero(g->trace->spec->nintervals, 1);
	unsigned n;

	free(find_causes(g, &n, intervals));
	g->grid->causes_missing =
	    g->view->objects && matcher_wait(g->index->matcher, intervals, patience);
	free(intervals);
}

static void put_all_handovers(struct object_building *b)
{
	struct building *g = b->g;
	bool *intervals = array_zero(g->trace->spec->nintervals, 1);
	uint64_t count = 0, most = b->plain ? FEW_LINES : MOST_LINES_HERE;
	unsigned n;
	struct role *roles = find_causes(g, &n, intervals);

	b->scene->pending |= g->grid->causes_missing;
	if (g->grid->causes_missing)
		n = 0;
	for (unsigned i = 0; i < n; i++) {
		count += count_begun(b->grid, trace_index_use(g->index, roles[i].interval));
		trace_index_used();
	}
	b->scene->crowded |= !b->plain && count > most;
	for (unsigned i = 0; i < n && count <= most; i++) {
		struct handing h = {b, trace_index_use(g->index, roles[i].interval), &roles[i]};
		put_handovers(&h);
		trace_index_used();
	}
	free(roles);
	free(intervals);
}

/* ---- all of it ---- */

/* Finds the lane of each object, and gives it its rows. */
static void find_lanes(struct object_building *b)
{
	const struct object_lanes *lanes = b->g->view->objects;

	for (size_t i = 0; i < b->index->objects.n; i++)
		b->lane_of[i] = NO_KEY;
	for (size_t i = 0; i < b->g->plan.n; i++) {
		const struct lane_plan *p = &b->g->plan.at[i];

		if (!p->object || p->heading)
			continue;
		b->lane = (uint32_t)i;
		b->scene->objects[i] = lanes->objects.at[p->object - 1];
		b->lane_of[b->scene->objects[i]] = b->lane;
		give_rows(b, &b->index->objects.at[b->scene->objects[i]]);
	}
}

static void put_objects(struct object_building *b)
{
	b->bars = bars_begin(b->scene->bars, OBJECT_HOLDERS + OBJECT_WAITERS);
	for (unsigned i = 0; i < b->g->scene->nlanes; i++) {
		b->lane = i;
		if (b->scene->objects[i] != NO_KEY && building_sees(b->g, i))
			put_object(b, &b->index->objects.at[b->scene->objects[i]]);
	}
	bars_end(b->bars);
}

/* Whether all lanes are there without anybody's asking: then they have bars, and few lines. */
static bool is_plain(const struct object_lanes *l)
{
	for (size_t i = 0; i < l->groups.n; i++)
		if (!l->groups.at[i].bare)
			return false;
	return true;
}

void building_objects(struct building *g)
{
	struct object_building b = {.g = g, .grid = g->grid};

	if (!g->view->objects)
		return;
	b.scene = g->scene->objects = object_scene_new(g->scene);
	b.index = g->view->objects->index;
	b.scene->pending = !b.index;
	if (!b.index)
		return;
	b.thread_key = array_new(g->trace->nthreads, sizeof *b.thread_key);
	memset(b.thread_key, 0xff, g->trace->nthreads * sizeof *b.thread_key);
	b.lane_of = array_new(b.index->objects.n, sizeof *b.lane_of);
	b.wide = bars_wide(g->scene);
	find_lanes(&b);
	put_objects(&b);
	b.plain = is_plain(g->view->objects);
	b.scene->crowded = !b.plain && count_events(&b) > MOST_EVENTS;
	if (!b.scene->crowded && !b.plain)
		put_events(&b);
	put_all_handovers(&b);
	make_keys(b.scene);
	free(b.thread_key);
	free(b.lane_of);
}
