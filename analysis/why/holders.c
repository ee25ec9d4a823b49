#include "analysis/why/holders.h"
#include "base/search.h"
#include <stdlib.h>

/* ---- no processor ---- */

/* How long a thread is ready between two times, while more can run than there are processors. */
static int64_t preempted_in(const struct ground *g, uint32_t thread, int64_t from, int64_t to)
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

double preempted_part(const struct ground *g, const struct focus *f, const bool *places)
{
	struct focus waiting = *f;
	int64_t sum = 0, lives;

	waiting.threads = array_zero(g->trace->nthreads, sizeof *waiting.threads);
	for (size_t i = 0; i < f->n; i++) {
		const struct span_of_time *s = &g->spans.at[f->spans[i]];

		if (!places[s->place])
			continue;
		waiting.threads[s->thread] = f->threads[s->thread];
		if (s->blocker != NO_THREAD)
			sum += preempted_in(g, s->blocker, s->from > f->from ? s->from : f->from,
					    s->blocked_until < f->to ? s->blocked_until : f->to);
	}
	lives = focus_lives(g, &waiting);
	free(waiting.threads);
	return lives > 0 ? (double)sum / (double)lives : 0;
}

/* ---- taken again and again ---- */

/* The holds of one object, in the order of their starts. */
struct holds {
	VECTOR(const struct span_of_time *) at;
};

struct held_objects {
	struct hash_table numbers;
	VECTOR(struct holds) objects;
};

static struct hash_slot *object_slot(struct held_objects *h, int64_t object)
{
	return hash_table_slot(&h->numbers, hash_mix((uint64_t)object), 0);
}

static void holds_collect(struct held_objects *h, const struct ground *g)
{
	for (size_t i = 0; i < g->spans.n; i++) {
		const struct span_of_time *s = &g->spans.at[i];
		const struct place *p = &g->places.at[s->place];
		struct hash_slot *slot;

		if (!p->role || p->role->kind != KIND_HOLD || p->object == NO_KEY)
			continue;
		slot = object_slot(h, p->object);
		if (slot->head == HASH_NOTHING) {
			slot->head = (uint32_t)h->objects.n;
			vector_add(&h->objects);
		}
		*vector_add(&h->objects.at[slot->head].at) = s;
	}
}

/* The holds that were looked at: which ends last, and when the last one of other threads does. */
struct latest {
	uint32_t thread;
	int64_t to, others_to;
};

/* Returns whether a hold begins while another thread has one. */
static bool latest_take(struct latest *l, const struct span_of_time *s)
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

/* The time of a wait in which others have taken the object since it began; 0: none of them had it at once. */
static int64_t overtaken_in(const struct holds *h, const struct span_of_time *w)
{
	size_t i = lower_bound(k, 0, h->at.n, h->at.at[k]->from <= w->from);
	struct latest latest = {NO_THREAD, w->from, w->from};
	int64_t sum = 0, end = w->from;
	bool shared = false;

	for (; i < h->at.n && h->at.at[i]->from < w->to; i++) {
		const struct span_of_time *s = h->at.at[i];
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

double overtaken_part(const struct ground *g, const struct focus *f, const bool *places)
{
	struct held_objects h = {0};
	int64_t all = 0, part = 0;

	holds_collect(&h, g);
	for (size_t i = 0; i < f->n; i++) {
		const struct span_of_time *s = &g->spans.at[f->spans[i]];
		int64_t object = g->places.at[s->place].object;
		uint32_t number;

		if (!places[s->place])
			continue;
		all += s->to - s->from;
		number = object == NO_KEY ? HASH_NOTHING : object_slot(&h, object)->head;
		if (number != HASH_NOTHING)
			part += overtaken_in(&h.objects.at[number], s);
	}
	for (size_t i = 0; i < h.objects.n; i++)
		free(h.objects.at[i].at.at);
	free(h.objects.at);
	hash_table_free(&h.numbers);
	return all > 0 ? (double)part / (double)all : 0;
}
