/* Finding single instances: by their anchor, and from one to the next. */
#include "viewers/gorge/index/instances.h"
#include <stdlib.h>

/* A place in the stream. */
struct spot {
	int64_t time;
	event_id id;
};

static bool finder_is_before(const struct spot *a, const struct spot *b)
{
	return a->time != b->time ? a->time < b->time : a->id < b->id;
}

static struct spot spot_of(const struct event_index *x, event_id id)
{
	return (struct spot){event_index_time(x, id), id};
}

/* The best instance so far, and the event from which it is searched. */
struct nearest_instance {
	const struct instances *instances;
	struct spot from;
	uint32_t *begin, *end; /* by thread: the first units at the event's time, and after it */
	const struct spans *spans;
	size_t i;
	struct spot best;
	event_id best_end;
};

static struct nearest_instance nearest_begin(const struct instances *n, event_id from)
{
	struct nearest_instance s = {.instances = n, .from = spot_of(n->event_index, from)};

	s.begin = array_zero(n->nthreads, sizeof *s.begin);
	s.end = array_zero(n->nthreads, sizeof *s.end);
	for (unsigned t = 0; t < n->nthreads; t++) {
		s.begin[t] = event_index_seek(n->event_index, t, s.from.time);
		s.end[t] = event_index_seek(n->event_index, t, s.from.time + 1);
	}
	return s;
}

static void fill_found(const struct instances *n, const struct spans *s, size_t i,
		       struct found_instance *found)
{
	bool backwards = n->interval->direction == BACKWARDS;
	event_id early = spans_earlier(s, i), late = spans_later(s, i);

	found->matched = true;
	found->anchor = backwards ? late : early;
	found->partner = backwards ? early : late;
	found->start = event_index_time(n->event_index, early);
	found->end = found->start + spans_length(s, i);
}

static bool nearest_end(struct nearest_instance *s, struct found_instance *found)
{
	free(s->begin);
	free(s->end);
	if (s->spans)
		fill_found(s->instances, s->spans, s->i, found);
	return s->spans;
}

static void finder_consider(struct nearest_instance *s, const struct spans *spans, size_t i,
			    bool earlier)
{
	struct spot spot = spot_of(s->instances->event_index, spans_earlier(spans, i));

	if (earlier ? !finder_is_before(&spot, &s->from) : !finder_is_before(&s->from, &spot))
		return;
	if (s->spans &&
	    (earlier ? !finder_is_before(&s->best, &spot) : !finder_is_before(&spot, &s->best)))
		return;
	s->spans = spans;
	s->i = i;
	s->best = spot;
}

/* Spans of one time are in the order of their lengths: all of them are considered, and the next. */
static void look_forward(void *context, const struct spans *spans)
{
	struct nearest_instance *s = context;
	size_t i = spans_seek(spans, 0, s->begin[spans->from]),
	       end = spans_seek(spans, i, s->end[spans->from]);

	for (; i < spans->n && i <= end; i++)
		finder_consider(s, spans, i, false);
}

static void look_back(void *context, const struct spans *spans)
{
	struct nearest_instance *s = context;
	size_t begin = spans_seek(spans, 0, s->begin[spans->from]),
	       i = spans_seek(spans, begin, s->end[spans->from]);

	while (i > 0 && i >= begin)
		finder_consider(s, spans, --i, true);
}

bool instances_next(const struct instances *n, event_id from, struct found_instance *found)
{
	struct nearest_instance s = nearest_begin(n, from);

	instances_each(n, look_forward, &s);
	return nearest_end(&s, found);
}

bool instances_previous(const struct instances *n, event_id from, struct found_instance *found)
{
	struct nearest_instance s = nearest_begin(n, from);

	instances_each(n, look_back, &s);
	return nearest_end(&s, found);
}

/*
 * Looks for the longest; of several for the first one, whatever spans they are in: stacking parts
 * those within threads anew.
 */
static void look_for_longest(void *context, const struct spans *spans)
{
	struct nearest_instance *s = context;
	struct spot spot;
	event_id end;
	size_t i;

	if (spans->n == 0 || (s->spans && spans->longest < s->spans->longest))
		return;
	i = spans_find_longer(spans, 0, spans->n, spans->longest);
	spot = spot_of(s->instances->event_index, spans_earlier(spans, i));
	end = spans_later(spans, i);
	if (s->spans && spans->longest == s->spans->longest &&
	    (finder_is_before(&s->best, &spot) || (s->best.id == spot.id && s->best_end <= end)))
		return;
	s->spans = spans;
	s->i = i;
	s->best = spot;
	s->best_end = end;
}

bool instances_longest(const struct instances *n, event_id from, struct found_instance *found)
{
	struct nearest_instance s = {.instances = n};

	(void)from;
	instances_each(n, look_for_longest, &s);
	return nearest_end(&s, found);
}

/* Returns the first of a thread's unmatched anchors that has the unit or a later one. */
static size_t alone_from(const struct instances *n, unsigned thread, uint32_t unit)
{
	return units_seek(n->unmatched, n->first_unmatched[thread], n->first_unmatched[thread + 1],
			  unit);
}

static void fill_alone(const struct spot *spot, struct found_instance *found)
{
	*found =
	    (struct found_instance){.anchor = spot->id, .start = spot->time, .end = spot->time};
}

bool instances_next_unmatched(const struct instances *n, event_id from,
			      struct found_instance *found)
{
	struct spot here = spot_of(n->event_index, from), best = {INT64_MAX, UINT64_MAX};

	for (unsigned t = 0; t < n->nthreads; t++) {
		size_t i = alone_from(n, t, event_index_seek(n->event_index, t, here.time));
		for (; i < n->first_unmatched[t + 1]; i++) {
			struct spot spot =
			    spot_of(n->event_index, event_id_make(t, n->unmatched[i]));
			if (!finder_is_before(&here, &spot))
				continue;
			best = finder_is_before(&spot, &best) ? spot : best;
			break;
		}
	}
	if (best.id != UINT64_MAX)
		fill_alone(&best, found);
	return best.id != UINT64_MAX;
}

struct anchor_search {
	const struct instances *instances;
	struct spot anchor;
	uint32_t begin, end; /* units of the thread at the anchor's time */
	struct found_instance *found;
	bool done;
};

static void look_at_starts(struct anchor_search *w, const struct spans *s)
{
	size_t i = spans_seek(s, 0, w->begin), end = spans_seek(s, i, w->end);

	for (; i < end && !w->done; i++)
		if (s->start[i] == event_id_unit(w->anchor.id)) {
			fill_found(w->instances, s, i, w->found);
			w->done = true;
		}
}

static void look_at_ends(struct anchor_search *w, const struct spans *s)
{
	for (size_t b = 0; b * SPANS_BLOCK < s->n && !w->done; b++) {
		if (s->blocks[b].first_end > w->anchor.time ||
		    s->blocks[b].last_end < w->anchor.time)
			continue;
		for (size_t i = b * SPANS_BLOCK; i < s->n && i < (b + 1) * SPANS_BLOCK; i++)
			if (s->end[i] == event_id_unit(w->anchor.id) && !w->done) {
				fill_found(w->instances, s, i, w->found);
				w->done = true;
			}
	}
}

static void look_for_anchor(void *context, const struct spans *s)
{
	struct anchor_search *w = context;
	unsigned thread = event_id_thread(w->anchor.id);

	if (w->instances->interval->direction == FORWARDS && s->from == thread)
		look_at_starts(w, s);
	else if (w->instances->interval->direction == BACKWARDS && s->to == thread)
		look_at_ends(w, s);
}

bool instances_find(const struct instances *n, event_id anchor, struct found_instance *found)
{
	unsigned thread = event_id_thread(anchor);
	struct spot spot = spot_of(n->event_index, anchor);
	struct anchor_search w = {.instances = n, .anchor = spot, .found = found};
	size_t i = alone_from(n, thread, event_id_unit(anchor));

	if (i < n->first_unmatched[thread + 1] && n->unmatched[i] == event_id_unit(anchor)) {
		fill_alone(&w.anchor, found);
		return true;
	}
	w.begin = event_index_seek(n->event_index, thread, w.anchor.time);
	w.end = event_index_seek(n->event_index, thread, w.anchor.time + 1);
	instances_each(n, look_for_anchor, &w);
	return w.done;
}

/* ---- by the later event ---- */

struct later_search {
	const struct instances *instances;
	struct spot later;
	struct found_instance *found;
	bool any;
};

static void later_consider(struct later_search *w, const struct spans *s, size_t i)
{
	struct found_instance f;

	if (s->end[i] != event_id_unit(w->later.id) ||
	    spans_to(s, i) != event_id_thread(w->later.id))
		return;
	fill_found(w->instances, s, i, &f);
	if (!w->any || f.start > w->found->start)
		*w->found = f;
	w->any = true;
}

static void look_for_later(void *context, const struct spans *s)
{
	struct later_search *w = context;

	if (!s->tos && s->to != event_id_thread(w->later.id))
		return;
	for (size_t b = 0; b * SPANS_BLOCK < s->n; b++) {
		if (s->blocks[b].first_end > w->later.time || s->blocks[b].last_end < w->later.time)
			continue;
		for (size_t i = b * SPANS_BLOCK; i < s->n && i < (b + 1) * SPANS_BLOCK; i++)
			later_consider(w, s, i);
	}
}

bool instances_find_later(const struct instances *n, event_id later, struct found_instance *found)
{
	struct later_search w = {n, spot_of(n->event_index, later), found, false};

	instances_each(n, look_for_later, &w);
	return w.any;
}
