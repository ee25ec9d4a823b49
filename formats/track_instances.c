#include "analysis/activity/roles.h"
#include "base/sort.h"
#include "formats/tracks.h"
#include "match/join/match.h"
#include "trace/address.h"
#include <stdlib.h>

/* An instance that is a slice. */
struct instance_slice {
	int64_t start, end;
	uint32_t interval, anchor; /* in the list of shown intervals, and in its matches */
};
typedef VECTOR(struct instance_slice) item_vector;

struct shown_interval {
	struct role role;
	struct matches *matches;
	int64_t name, category;
};

/* When a counter grows and when it shrinks. */
struct counter_changes {
	VECTOR(int64_t) starts, ends;
};

struct instance_tracks {
	struct tracks *tracks;
	VECTOR(struct shown_interval) shown;
	item_vector *slices, *states; /* by thread */
	struct counter_changes running, ready;
	uint64_t nflows;
};

/* ---- counters ---- */

/* Writes how many there are at each time at which it changes; frees the changes. */
static void counter_write(struct tracks *t, const char *name, struct counter_changes *c)
{
	size_t n = c->starts.n, begun = 0, ended = 0;
	const struct track *track;

	if (!n)
		return;
	sort_words(c->starts.at, n);
	sort_words(c->ends.at, n);
	track =
	    tracks_add(t, 0, TRACK_COUNTER, address_key_text(t->trace, text_key(t->trace, name)));
	while (ended < n) {
		int64_t time = begun < n && c->starts.at[begun] < c->ends.at[ended]
				   ? c->starts.at[begun]
				   : c->ends.at[ended];

		for (; begun < n && c->starts.at[begun] == time; begun++)
			;
		for (; ended < n && c->ends.at[ended] == time; ended++)
			;
		t->writer->counter(t->to, track, time, (int64_t)(begun - ended));
	}
	free(c->starts.at);
	free(c->ends.at);
}

/* ---- what is said of an instance ---- */

static bool is_metric(const struct interval *interval, const char *name)
{
	for (unsigned i = 0; i < interval->nmetrics; i++)
		if (strcmp(interval->metrics[i].name, name) == 0)
			return true;
	return false;
}

static const struct event *start_of(const struct interval *interval, const struct instance *i)
{
	return interval->direction == FORWARDS ? &i->anchor : &i->partner;
}

/* What it is about, unless a metric has that name. */
static void subject_list(struct tracks *t, const struct role *r, const struct event *start,
			 int attribute)
{
	if (attribute >= 0 && !is_metric(r->interval, start->type->attributes[attribute].name))
		tracks_attribute(t, start, (unsigned)attribute);
}

static void arguments_list(struct tracks *t, const struct shown_interval *s, size_t anchor,
			   const struct instance *instance)
{
	const struct interval *interval = s->role.interval;
	const struct event *start = start_of(interval, instance);
	struct binding b;
	struct value v;

	tracks_reset(t);
	if (interval->nmetrics)
		matches_bind(s->matches, anchor, true, &b);
	for (unsigned i = 0; i < interval->nmetrics; i++)
		if (expr_value(interval->metrics[i].value, &b, &v))
			tracks_metric(t, &interval->metrics[i], &v);
	subject_list(t, &s->role, start, s->role.start.object);
	subject_list(t, &s->role, start, s->role.start.code[0]);
}

/* Calls are named by their functions. */
static int64_t name_of(const struct tracks *t, const struct shown_interval *s,
		       const struct instance *instance)
{
	char buffer[ADDRESS_TEXT];

	if (s->role.kind != KIND_CALL || s->role.start.code[0] < 0)
		return s->name;
	return text_key(t->trace,
			address_function(t->trace, buffer, start_of(s->role.interval, instance),
					 (unsigned)s->role.start.code[0]));
}

static struct track_slice slice_of(struct instance_tracks *x, const struct track *track,
				   const struct instance_slice *item)
{
	const struct shown_interval *s = &x->shown.at[item->interval];
	struct tracks *t = x->tracks;
	struct instance instance;

	matches_look(s->matches, item->anchor, &instance);
	arguments_list(t, s, item->anchor, &instance);
	return (struct track_slice){
	    .track = track,
	    .name = name_of(t, s, &instance),
	    .category = s->category,
	    .start = item->start,
	    .end = item->end,
	    .arguments = t->arguments.at,
	    .narguments = t->arguments.n,
	};
}

/* ---- flows ---- */

static const struct track *track_once(struct tracks *t, uint32_t *id, uint32_t thread,
				      enum track_kind kind, const char *name)
{
	if (!*id)
		*id = tracks_add(t, thread, kind, name)->id;
	return t->list[*id - 1];
}

static void flow_write(struct instance_tracks *x, const struct shown_interval *s, size_t anchor,
		       const struct instance *i, const uint32_t threads[2])
{
	struct tracks *t = x->tracks;
	struct track_slice ends[2] = {{.start = i->start, .end = i->start},
				      {.start = i->end, .end = i->end}};

	for (int k = 0; k < 2; k++) {
		ends[k].track =
		    track_once(t, &t->flows[threads[k]], threads[k], TRACK_FLOWS, "flows");
		ends[k].name = s->name;
		ends[k].category = t->flow_category;
	}
	arguments_list(t, s, anchor, i);
	ends[0].arguments = t->arguments.at;
	ends[0].narguments = t->arguments.n;
	t->writer->flow(t->to, ++x->nflows, ends);
}

/* ---- finding ---- */

static struct counter_changes *changes_of(struct instance_tracks *x, const struct role *r,
					  struct counter_changes *open)
{
	if (r->kind == KIND_WORK || r->kind == KIND_WAIT)
		return open;
	if (r->kind != KIND_STATE)
		return NULL;
	return r->state == STATE_RUNNING ? &x->running : r->state == STATE_READY ? &x->ready : NULL;
}

static void instance_add(struct instance_tracks *x, uint32_t interval, size_t anchor,
			 struct counter_changes *changes)
{
	const struct shown_interval *s = &x->shown.at[interval];
	const struct trace *trace = x->tracks->trace;
	struct instance i;
	uint32_t threads[2];

	matches_look(s->matches, anchor, &i);
	threads[0] = trace_thread_index(trace, start_of(s->role.interval, &i)->thread);
	threads[1] = trace_thread_index(
	    trace, (start_of(s->role.interval, &i) == &i.anchor ? &i.partner : &i.anchor)->thread);
	if (!tracks_has(x->tracks, threads[0]) || !tracks_has(x->tracks, threads[1]))
		return;
	if (changes) {
		*vector_add(&changes->starts) = i.start;
		*vector_add(&changes->ends) = i.end;
	}
	if (s->role.kind == KIND_CAUSE || threads[0] != threads[1])
		flow_write(x, s, anchor, &i, threads);
	else
		*vector_add(s->role.kind == KIND_STATE ? &x->states[threads[0]]
						       : &x->slices[threads[0]]) =
		    (struct instance_slice){i.start, i.end, interval, (uint32_t)anchor};
}

static void interval_add(struct instance_tracks *x, const struct interval *interval)
{
	struct tracks *t = x->tracks;
	uint32_t number = (uint32_t)x->shown.n;
	struct shown_interval *s = vector_add(&x->shown);
	const char *kind = interval_kind_name(interval->kind);
	char *name = text_format("%s open", interval->name);
	struct counter_changes open = {0};

	s->role = role_of(interval);
	s->matches = match_interval(t->trace, interval);
	s->name = text_key(t->trace, interval->name);
	s->category = text_key(t->trace, kind ? kind : "interval");
	for (size_t i = 0; i < s->matches->count; i++)
		if (s->matches->partner_of[i] != UNMATCHED)
			instance_add(x, number, i, changes_of(x, &s->role, &open));
	counter_write(t, name, &open);
	free(name);
}

/* ---- layout ---- */

static int item_order(const void *left, const void *right)
{
	const struct instance_slice *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	if (a->interval != b->interval)
		return a->interval < b->interval ? -1 : 1;
	return (a->anchor > b->anchor) - (a->anchor < b->anchor);
}

static int further_order(const void *left, const void *right)
{
	const struct instance_slice *a = left, *b = right;

	if (a->interval != b->interval)
		return a->interval < b->interval ? -1 : 1;
	return item_order(left, right);
}

/* The slices that are open on a track, the innermost last. */
typedef VECTOR(struct track_slice) slice_vector;

static void slices_end(struct tracks *t, slice_vector *open, int64_t time)
{
	while (open->n && open->at[open->n - 1].end <= time) {
		open->n--;
		if (t->writer->end)
			t->writer->end(t->to, &open->at[open->n]);
	}
}

static bool is_objects_life(const struct role *r)
{
	return r->kind == KIND_LIFE && !role_is_threads_life(r);
}

/* Writes, of items in order, those that nest; returns the others, which are to be freed. */
static item_vector nested_write(struct instance_tracks *x, const struct track *track,
				const item_vector *items)
{
	struct tracks *t = x->tracks;
	item_vector further = {0};
	slice_vector open = {0};

	for (size_t i = 0; i < items->n; i++) {
		const struct instance_slice *item = &items->at[i];

		slices_end(t, &open, item->start);
		if (is_objects_life(&x->shown.at[item->interval].role) ||
		    (open.n && open.at[open.n - 1].end < item->end)) {
			*vector_add(&further) = *item;
		} else {
			struct track_slice s = slice_of(x, track, item);

			t->writer->begin(t->to, &s);
			*vector_add(&open) = s;
		}
	}
	slices_end(t, &open, INT64_MAX);
	free(open.at);
	return further;
}

/* A track without nesting, and when it is free: a heap, the earliest first. */
struct track_lane {
	int64_t free;
	const struct track *track;
};
typedef VECTOR(struct track_lane) lane_vector;

/* Sinks the first lane, which is taken for longer. */
static void lane_sink(lane_vector *l)
{
	for (size_t i = 0, least;; i = least) {
		struct track_lane moved = l->at[i];

		least = i;
		for (size_t k = 2 * i + 1; k <= 2 * i + 2 && k < l->n; k++)
			if (l->at[k].free < l->at[least].free)
				least = k;
		if (least == i)
			return;
		l->at[i] = l->at[least];
		l->at[least] = moved;
	}
}

/* Returns a track that is free from start on, and takes it until end. */
static const struct track *lane_take(struct tracks *t, lane_vector *l, uint32_t thread,
				     const struct instance_slice *item, const char *name)
{
	const struct track *track;

	if (!l->n || l->at[0].free > item->start) {
		size_t i = l->n;

		/* no later than all that are taken: it becomes the first, then sinks */
		vector_add(l);
		for (; i; i = (i - 1) / 2)
			l->at[i] = l->at[(i - 1) / 2];
		l->at[0].track = tracks_add(t, thread, TRACK_FURTHER, name);
	}
	track = l->at[0].track;
	l->at[0].free = item->end;
	lane_sink(l);
	return track;
}

static void further_write(struct instance_tracks *x, uint32_t thread, item_vector *items)
{
	struct tracks *t = x->tracks;
	lane_vector lanes = {0};

	if (items->n)
		qsort(items->at, items->n, sizeof *items->at, further_order);
	for (size_t i = 0; i < items->n; i++) {
		const struct instance_slice *item = &items->at[i];
		struct track_slice s;

		if (i && items->at[i - 1].interval != item->interval)
			lanes.n = 0;
		s = slice_of(x,
			     lane_take(t, &lanes, thread, item,
				       x->shown.at[item->interval].role.interval->name),
			     item);
		t->writer->begin(t->to, &s);
		if (t->writer->end)
			t->writer->end(t->to, &s);
	}
	free(lanes.at);
	free(items->at);
}

static void items_write(struct instance_tracks *x, uint32_t thread, const struct track *track,
			item_vector *items)
{
	item_vector further;

	if (items->n)
		qsort(items->at, items->n, sizeof *items->at, item_order);
	further = nested_write(x, track, items);
	further_write(x, thread, &further);
}

static void thread_write(struct instance_tracks *x, uint32_t thread)
{
	struct tracks *t = x->tracks;

	if (x->states[thread].n)
		items_write(x, thread,
			    track_once(t, &t->states[thread], thread, TRACK_STATES, "states"),
			    &x->states[thread]);
	if (x->slices[thread].n)
		items_write(x, thread, t->list[thread], &x->slices[thread]);
	free(x->states[thread].at);
	free(x->slices[thread].at);
}

void tracks_instances(struct tracks *t)
{
	struct instance_tracks x = {.tracks = t};

	x.slices = array_zero(t->trace->nthreads, sizeof *x.slices);
	x.states = array_zero(t->trace->nthreads, sizeof *x.states);
	for (const struct interval *const *i = t->request->intervals; *i; i++)
		interval_add(&x, *i);
	counter_write(t, "threads running", &x.running);
	counter_write(t, "threads ready", &x.ready);
	for (uint32_t i = 0; i < t->trace->nthreads; i++)
		thread_write(&x, i);
	for (size_t i = 0; i < x.shown.n; i++)
		matches_free(x.shown.at[i].matches);
	free(x.shown.at);
	free(x.slices);
	free(x.states);
}
