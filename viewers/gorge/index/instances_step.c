/* From an instance to others. */
#include "viewers/gorge/index/instances.h"
#include <stdlib.h>

/* A place in the order of the stream. */
struct spot {
	int64_t time;
	event_id id;
};

static bool is_before(const struct spot *a, const struct spot *b)
{
	return a->time != b->time ? a->time < b->time : a->id < b->id;
}

static struct spot spot_of(const struct census *c, event_id id)
{
	return (struct spot){census_time(c, id), id};
}

/* The best one so far, and what it is measured by. */
struct search {
	const struct instances *instances;
	struct spot from;
	uint32_t *begin, *end; /* by thread: the first units at the time, and after it */
	const struct sheaf *sheaf;
	size_t i;
	struct spot best;
	event_id best_end;
};

static struct search search_new(const struct instances *n, event_id from)
{
	struct search s = {.instances = n, .from = spot_of(n->census, from)};

	s.begin = array_zero(n->nthreads, sizeof *s.begin);
	s.end = array_zero(n->nthreads, sizeof *s.end);
	for (unsigned t = 0; t < n->nthreads; t++) {
		s.begin[t] = census_seek(n->census, t, s.from.time);
		s.end[t] = census_seek(n->census, t, s.from.time + 1);
	}
	return s;
}

static void fill_found(const struct instances *n, const struct sheaf *s, size_t i,
		       struct found *found)
{
	bool backwards = n->interval->direction == BACKWARDS;
	event_id early = id_make(s->from, s->start[i]), late = id_make(sheaf_to(s, i), s->end[i]);

	found->matched = true;
	found->anchor = backwards ? late : early;
	found->partner = backwards ? early : late;
	found->start = census_time(n->census, early);
	found->end = found->start + sheaf_length(s, i);
}

static bool search_end(struct search *s, struct found *found)
{
	free(s->begin);
	free(s->end);
	if (s->sheaf)
		fill_found(s->instances, s->sheaf, s->i, found);
	return s->sheaf;
}

static void consider(struct search *s, const struct sheaf *sheaf, size_t i, bool earlier)
{
	struct spot spot = spot_of(s->instances->census, id_make(sheaf->from, sheaf->start[i]));

	if (earlier ? !is_before(&spot, &s->from) : !is_before(&s->from, &spot))
		return;
	if (s->sheaf && (earlier ? !is_before(&s->best, &spot) : !is_before(&spot, &s->best)))
		return;
	s->sheaf = sheaf;
	s->i = i;
	s->best = spot;
}

/* At one time instances lie by their lengths: each is looked at, and the one beyond. */
static void look_forward(void *context, const struct sheaf *sheaf)
{
	struct search *s = context;
	size_t i = sheaf_seek(sheaf, 0, s->begin[sheaf->from]),
	       end = sheaf_seek(sheaf, i, s->end[sheaf->from]);

	for (; i < sheaf->n && i <= end; i++)
		consider(s, sheaf, i, false);
}

static void look_back(void *context, const struct sheaf *sheaf)
{
	struct search *s = context;
	size_t begin = sheaf_seek(sheaf, 0, s->begin[sheaf->from]),
	       i = sheaf_seek(sheaf, begin, s->end[sheaf->from]);

	while (i > 0 && i >= begin)
		consider(s, sheaf, --i, true);
}

bool instances_next(const struct instances *n, event_id from, struct found *found)
{
	struct search s = search_new(n, from);

	instances_each(n, look_forward, &s);
	return search_end(&s, found);
}

bool instances_previous(const struct instances *n, event_id from, struct found *found)
{
	struct search s = search_new(n, from);

	instances_each(n, look_back, &s);
	return search_end(&s, found);
}

/* Of several the first, in whatever sheaves they are: those within a thread are parted anew when they are stacked. */
static void look_for_longest(void *context, const struct sheaf *sheaf)
{
	struct search *s = context;
	struct spot spot;
	event_id end;
	size_t i;

	if (sheaf->n == 0 || (s->sheaf && sheaf->longest < s->sheaf->longest))
		return;
	i = sheaf_longer(sheaf, 0, sheaf->n, sheaf->longest);
	spot = spot_of(s->instances->census, id_make(sheaf->from, sheaf->start[i]));
	end = id_make(sheaf_to(sheaf, i), sheaf->end[i]);
	if (s->sheaf && sheaf->longest == s->sheaf->longest &&
	    (is_before(&s->best, &spot) || (s->best.id == spot.id && s->best_end <= end)))
		return;
	s->sheaf = sheaf;
	s->i = i;
	s->best = spot;
	s->best_end = end;
}

bool instances_longest(const struct instances *n, event_id from, struct found *found)
{
	struct search s = {.instances = n};

	(void)from;
	instances_each(n, look_for_longest, &s);
	return search_end(&s, found);
}

/* The first of a thread's lonely anchors whose unit is at least the one given. */
static size_t alone_from(const struct instances *n, unsigned thread, uint32_t unit)
{
	return units_seek(n->alone, n->first_alone[thread], n->first_alone[thread + 1], unit);
}

static void fill_alone(const struct spot *spot, struct found *found)
{
	*found = (struct found){.anchor = spot->id, .start = spot->time, .end = spot->time};
}

bool instances_next_alone(const struct instances *n, event_id from, struct found *found)
{
	struct spot here = spot_of(n->census, from), best = {INT64_MAX, UINT64_MAX};

	for (unsigned t = 0; t < n->nthreads; t++) {
		size_t i = alone_from(n, t, census_seek(n->census, t, here.time));
		for (; i < n->first_alone[t + 1]; i++) {
			struct spot spot = spot_of(n->census, id_make(t, n->alone[i]));
			if (!is_before(&here, &spot))
				continue;
			best = is_before(&spot, &best) ? spot : best;
			break;
		}
	}
	if (best.id != UINT64_MAX)
		fill_alone(&best, found);
	return best.id != UINT64_MAX;
}

struct wanted {
	const struct instances *instances;
	struct spot anchor;
	uint32_t begin, end; /* units of the thread at the anchor's time */
	struct found *found;
	bool done;
};

static void look_at_starts(struct wanted *w, const struct sheaf *s)
{
	size_t i = sheaf_seek(s, 0, w->begin), end = sheaf_seek(s, i, w->end);

	for (; i < end && !w->done; i++)
		if (s->start[i] == id_unit(w->anchor.id)) {
			fill_found(w->instances, s, i, w->found);
			w->done = true;
		}
}

static void look_at_ends(struct wanted *w, const struct sheaf *s)
{
	for (size_t b = 0; b * SHEAF_BLOCK < s->n && !w->done; b++) {
		if (s->blocks[b].first_end > w->anchor.time ||
		    s->blocks[b].last_end < w->anchor.time)
			continue;
		for (size_t i = b * SHEAF_BLOCK; i < s->n && i < (b + 1) * SHEAF_BLOCK; i++)
			if (s->end[i] == id_unit(w->anchor.id) && !w->done) {
				fill_found(w->instances, s, i, w->found);
				w->done = true;
			}
	}
}

static void look_for_anchor(void *context, const struct sheaf *s)
{
	struct wanted *w = context;
	unsigned thread = id_thread(w->anchor.id);

	if (w->instances->interval->direction == FORWARDS && s->from == thread)
		look_at_starts(w, s);
	else if (w->instances->interval->direction == BACKWARDS && s->to == thread)
		look_at_ends(w, s);
}

bool instances_find(const struct instances *n, event_id anchor, struct found *found)
{
	unsigned thread = id_thread(anchor);
	struct wanted w = {.instances = n, .anchor = spot_of(n->census, anchor), .found = found};
	size_t i = alone_from(n, thread, id_unit(anchor));

	if (i < n->first_alone[thread + 1] && n->alone[i] == id_unit(anchor)) {
		fill_alone(&w.anchor, found);
		return true;
	}
	w.begin = census_seek(n->census, thread, w.anchor.time);
	w.end = census_seek(n->census, thread, w.anchor.time + 1);
	instances_each(n, look_for_anchor, &w);
	return w.done;
}
