#include "analysis/why/holders.h"
#include "analysis/why/priorities.h"
#include "analysis/why/span_walk.h"
#include "base/hash.h"
#include "base/search.h"
#include <stdlib.h>

/* ---- no processor ---- */

/* How long a thread is ready between two times, while more can run than there are processors. */
static int64_t preempted_in(const struct evidence *g, uint32_t thread, int64_t from, int64_t to)
{
	const struct timeline *l = &g->graph->threads[thread];
	size_t i = stretch_before(l, from);
	int64_t sum = 0;

	for (i = i == l->n ? 0 : i; i < l->n && l->stretches[i].from < to; i++) {
		int64_t a = l->stretches[i].from, b = stretch_end(l, i);

		a = a > from ? a : from;
		b = b < to ? b : to;
		if (l->stretches[i].activity == ACTIVITY_READY && a < b)
			sum += idle_crowded(g->idle, a, b);
	}
	return sum;
}

double preempted_part(const struct evidence *g, const struct focus *f, const bool *places)
{
	struct focus waiting = *f;
	struct span_of_time s;
	int64_t sum = 0, lives;

	if (!g->idle->crowded)
		return 0;
	waiting.threads = array_zero(g->trace->nthreads, sizeof *waiting.threads);
	for (struct span_walk w = span_walk_begin(g, f, places); span_walk_next(&w, &s);) {
		waiting.threads[s.thread] = f->threads[s.thread];
		if (s.wait && s.wait->blocker != NO_THREAD)
			sum += preempted_in(g, s.wait->blocker, s.from > f->from ? s.from : f->from,
					    s.wait->blocked_until < f->to ? s.wait->blocked_until
									  : f->to);
	}
	lives = focus_lives(g, &waiting);
	free(waiting.threads);
	return lives > 0 ? (double)sum / (double)lives : 0;
}

/* Whether a thread that waits is more urgent than the one that ends its wait. */
static bool is_inverted(const struct evidence *g, const struct span_of_time *s)
{
	int64_t until = s->wait->blocked_until;

	return priority_at(g->priorities, s->thread, until) >
	       priority_at(g->priorities, s->wait->blocker, until);
}

double inverted_part(const struct evidence *g, const struct focus *f, const bool *places)
{
	struct span_of_time s;
	uint32_t thread = NO_THREAD;
	int64_t most = 0, sum = 0;

	if (!g->priorities || f->from >= f->to)
		return 0;
	/* thread by thread */
	for (struct span_walk w = span_walk_begin(g, f, places); span_walk_next(&w, &s);) {
		if (s.thread != thread)
			sum = 0;
		thread = s.thread;
		if (!s.wait || s.wait->blocker == NO_THREAD || !is_inverted(g, &s))
			continue;
		sum += preempted_in(g, s.wait->blocker, s.from > f->from ? s.from : f->from,
				    s.wait->blocked_until < f->to ? s.wait->blocked_until : f->to);
		most = sum > most ? sum : most;
	}
	return (double)most / (double)(f->to - f->from);
}

/* ---- taken again and again ---- */

/* A hold of an object. */
struct object_hold {
	int64_t from, to;
	uint32_t thread;
};

/* The holds of one object, in the order of their starts. */
struct holds {
	VECTOR(struct object_hold) at;
	uint32_t holders; /* threads that have it at some time */
	bool others_wait; /* a thread waits for it that never has it */
};

struct held_objects {
	struct hash_table numbers;
	VECTOR(struct holds) objects;
};

static struct hash_slot *object_slot(struct held_objects *h, int64_t object)
{
	return hash_table_slot(&h->numbers, hash_mix((uint64_t)object), 0);
}

static int held_order(const void *a, const void *b)
{
	const struct object_hold *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Adds the objects that selected waits are for. */
static void objects_collect(struct held_objects *h, const struct evidence *g, const bool *places)
{
	for (size_t i = 0; i < evidence_places(g); i++) {
		struct hash_slot *slot;

		if (!places[i] || place_class(g, i)->object == NO_KEY)
			continue;
		slot = object_slot(h, place_class(g, i)->object);
		if (slot->head == HASH_NOTHING) {
			slot->head = (uint32_t)h->objects.n;
			vector_add(&h->objects);
		}
	}
}

/* The object of each class, as a number; HASH_NOTHING: none of these. */
static uint32_t *objects_of_classes(const struct held_objects *h, const struct evidence *g)
{
	uint32_t *objects = array_new(g->set->classes.n, sizeof *objects);

	for (size_t i = 0; i < g->set->classes.n; i++) {
		int64_t object = place_class(g, i)->object;
		const struct hash_slot *slot =
		    object == NO_KEY ? NULL
				     : hash_table_find(&h->numbers, hash_mix((uint64_t)object), 0);

		objects[i] = slot ? slot->head : HASH_NOTHING;
	}
	return objects;
}

/* waits: those that are asked about. */
static void holders_count(struct held_objects *h, const struct evidence *g, const uint32_t *objects,
			  struct span_walk waits)
{
	uint32_t *last =
	    array_new(h->objects.n, sizeof *last); /* thread that was seen to have it */
	struct span_of_time s;
	bool more = span_walk_next(&waits, &s);

	for (size_t i = 0; i < h->objects.n; i++)
		last[i] = NO_THREAD;
	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const span_vector *spans = instance_spans(g->set, SPANS_HOLD, t);

		for (size_t i = 0; i < spans->n; i++) {
			uint32_t object = objects[spans->at[i].class];

			if (object == HASH_NOTHING || last[object] == t)
				continue;
			last[object] = t;
			h->objects.at[object].holders++;
		}
		for (; more && s.thread == t; more = span_walk_next(&waits, &s)) {
			int64_t key = place_class(g, s.place)->object;
			uint32_t object = key == NO_KEY ? HASH_NOTHING : object_slot(h, key)->head;

			if (object != HASH_NOTHING && last[object] != t)
				h->objects.at[object].others_wait = true;
		}
	}
	free(last);
}

/* Whether two threads may have an object while a third one waits for it. */
static bool may_be_shared(const struct holds *h)
{
	return h->holders > 2 || (h->holders == 2 && h->others_wait);
}

/* Adds the holds of objects that several threads have. */
static void holds_collect(struct held_objects *h, const struct evidence *g, struct span_walk waits)
{
	uint32_t *objects = objects_of_classes(h, g);

	holders_count(h, g, objects, waits);
	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const span_vector *spans = instance_spans(g->set, SPANS_HOLD, t);
		int64_t end = g->graph->threads[t].end;

		for (size_t i = 0; i < spans->n; i++) {
			const struct instance_span *s = &spans->at[i];
			uint32_t object = objects[s->class];

			if (object != HASH_NOTHING && may_be_shared(&h->objects.at[object]))
				*vector_add(&h->objects.at[object].at) =
				    (struct object_hold){s->start, s->end < end ? s->end : end, t};
		}
	}
	free(objects);
	for (size_t i = 0; i < h->objects.n; i++)
		if (h->objects.at[i].at.n)
			qsort(h->objects.at[i].at.at, h->objects.at[i].at.n,
			      sizeof(struct object_hold), held_order);
}

/* The holds that were looked at: which ends last, and when the last one of other threads does. */
struct latest {
	uint32_t thread;
	int64_t to, others_to;
};

/* Returns whether a hold begins while another thread has one. */
static bool latest_take(struct latest *l, const struct object_hold *s)
{
	bool shared = (s->thread == l->thread ? l->others_to : l->to) > s->from;

	if (s->to <= l->to) {
		if (s->thread != l->thread && s->to > l->others_to)
			l->others_to = s->to;
		return shared;
	}
	if (s->thread != l->thread)
		l->others_to = l->to;
	l->thread = s->thread;
	l->to = s->to;
	return shared;
}

/*
 * The time of a wait in which others have taken the object since it began; 0: none of them had it
 * at once.
 */
static int64_t overtaken_in(const struct holds *h, const struct span_of_time *w)
{
	size_t i = lower_bound(k, 0, h->at.n, h->at.at[k].from <= w->from);
	struct latest latest = {NO_THREAD, w->from, w->from};
	int64_t sum = 0, end = w->from;
	bool shared = false;

	for (; i < h->at.n && h->at.at[i].from < w->to; i++) {
		const struct object_hold *s = &h->at.at[i];
		int64_t from = s->from > end ? s->from : end, to = s->to < w->to ? s->to : w->to;

		if (s->thread == w->thread)
			continue;
		shared |= latest_take(&latest, s);
		if (from < to) {
			sum += to - from;
			end = to;
		}
	}
	return shared ? sum : 0;
}

double overtaken_part(const struct evidence *g, const struct focus *f, const bool *places)
{
	struct held_objects h = {0};
	int64_t all = 0, part = 0;
	struct span_of_time s;

	objects_collect(&h, g, places);
	holds_collect(&h, g, span_walk_begin(g, f, places));
	for (struct span_walk w = span_walk_begin(g, f, places); span_walk_next(&w, &s);) {
		int64_t object = place_class(g, s.place)->object;

		all += s.to - s.from;
		if (object != NO_KEY)
			part += overtaken_in(&h.objects.at[object_slot(&h, object)->head], &s);
	}
	for (size_t i = 0; i < h.objects.n; i++)
		free(h.objects.at[i].at.at);
	free(h.objects.at);
	hash_table_free(&h.numbers);
	return all > 0 ? (double)part / (double)all : 0;
}
