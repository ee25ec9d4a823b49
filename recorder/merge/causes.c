#include "recorder/merge/causes.h"
#include "base/array.h"
#include "base/search.h"
#include "match/join/match.h"
#include <stdlib.h>

#define EVENTS_MOST 5000000

/* Adds the instances of an interval that lead from one thread to another. */
static void interval_add(struct causes *c, const struct matches *m, int64_t origin)
{
	for (size_t k = 0; k < m->count; k++) {
		struct instance i;
		const struct event *later;

		if (m->partner_of[k] == UNMATCHED)
			continue;
		matches_look(m, k, &i);
		later = i.anchor.time > i.partner.time ? &i.anchor : &i.partner;
		if (i.anchor.thread != i.partner.thread)
			*vector_add(c) = (struct cause){later->thread, i.start + origin,
							i.end + origin};
	}
}

static int cause_compare(const void *left, const void *right)
{
	const struct cause *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

void causes_find(struct causes *c, struct trace *t)
{
	*c = (struct causes){.at = NULL};
	for (unsigned i = 0; i < t->spec->nintervals && t->events <= EVENTS_MOST; i++) {
		struct matches *m;

		if (t->spec->intervals[i]->kind != KIND_CAUSE)
			continue;
		m = match_interval(t, t->spec->intervals[i]);
		interval_add(c, m, t->origin);
		matches_free(m);
	}
	if (c->n)
		qsort(c->at, c->n, sizeof *c->at, cause_compare);
}

int64_t causes_when(const struct causes *c, uint32_t thread, int64_t blocked, int64_t ran)
{
	struct cause key = {.thread = thread, .from = blocked};
	size_t first = lower_bound(i, 0, c->n, cause_compare(&c->at[i], &key) < 0);

	for (size_t i = first; i < c->n && c->at[i].thread == thread && c->at[i].from <= ran; i++)
		if (c->at[i].to >= ran)
			return c->at[i].from;
	return INT64_MIN;
}

void causes_free(struct causes *c)
{
	free(c->at);
}
