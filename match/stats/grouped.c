#include "match/stats/grouped.h"
#include "base/spill.h"
#include "match/plan/plan.h"
#include <stdlib.h>
#include <string.h>

#define NO_GROUP UINT32_MAX

struct group_table {
	struct grouped *groups;
	const struct matches *matches;
	bool names;
	struct hash_table parts[GROUPS_KEYS]; /* by the group of the keys before and one more key */
	VECTOR(struct group) found;
	uint32_t *of; /* for each anchor its group, or NO_GROUP */
};

/* Returns the group with these keys, a new one if there is none. */
static uint32_t group_with(struct group_table *x, const uint32_t *key)
{
	uint32_t group = 0;

	for (unsigned i = 0; i < x->groups->nkeys; i++) {
		uint64_t word = (uint64_t)group << 32 | key[i];
		bool last = i + 1 == x->groups->nkeys;
		struct hash_slot *slot = hash_table_slot(&x->parts[i], hash_mix(word), word);

		if (slot->head == HASH_NOTHING) {
			slot->head = (uint32_t)(last ? x->found.n : x->parts[i].nkeys - 1);
			if (last)
				memcpy(((struct group *)vector_add(&x->found))->key, key,
				       sizeof((struct group *)NULL)->key);
		}
		group = slot->head;
	}
	return group;
}

static uint32_t group_of(struct group_table *x, size_t anchor)
{
	struct grouped *g = x->groups;
	uint32_t key[GROUPS_KEYS] = {0};
	struct binding b;

	if (x->matches->partner_of[anchor] != UNMATCHED) {
		matches_bind(x->matches, anchor, x->names, &b);
	} else if (g->anchors) {
		memset(&b, 0, sizeof b);
		moments_bind(&x->matches->anchors, anchor, x->names, &b.side[SIDE_ANCHOR]);
	} else {
		return NO_GROUP;
	}
	for (unsigned i = 0; i < g->nkeys; i++)
		if ((key[i] = keys_number(&g->keys[i], &b)) == NO_KEY_NUMBER) {
			g->undefined++;
			return NO_GROUP;
		}
	return group_with(x, key);
}

/* Counts what each group has, then gives it its place among the durations. */
static void durations_place(struct group_table *x)
{
	const struct matches *m = x->matches;
	size_t place = 0;

	x->groups->durations = spill_new(m->matched, sizeof *x->groups->durations);
	for (size_t i = 0; i < m->count; i++) {
		if (x->of[i] == NO_GROUP)
			continue;
		if (m->partner_of[i] == UNMATCHED)
			x->found.at[x->of[i]].unmatched++;
		else
			x->found.at[x->of[i]].durations.n++;
	}
	for (size_t i = 0; i < x->found.n; i++) {
		struct series *s = &x->found.at[i].durations;

		s->words = x->groups->durations + place;
		place += s->n;
		s->n = 0;
	}
	for (size_t i = 0; i < m->count; i++) {
		struct group *g;
		int64_t duration;

		if (x->of[i] == NO_GROUP || m->partner_of[i] == UNMATCHED)
			continue;
		g = &x->found.at[x->of[i]];
		duration = matches_duration(m, i);
		g->durations.words[g->durations.n++] = duration;
		if (__builtin_add_overflow(g->total, duration, &g->total))
			g->total = INT64_MAX;
	}
}

static int compare_groups(const void *left, const void *right, void *context)
{
	const struct group *a = left, *b = right;
	const struct grouped *g = context;

	for (unsigned i = 0; i < g->nkeys; i++) {
		int order =
		    a->key[i] == b->key[i] ? 0 : keys_compare(&g->keys[i], a->key[i], b->key[i]);

		if (order)
			return order;
	}
	return 0;
}

struct grouped *grouped_new(const struct trace *t, const struct matches *m,
			    const struct expr *const *by, unsigned n)
{
	struct grouped *g = array_zero(1, sizeof *g);
	struct group_table x = {.groups = g, .matches = m};

	g->nkeys = n;
	g->anchors = true;
	for (unsigned i = 0; i < n; i++) {
		keys_init(&g->keys[i], t, by[i]);
		g->anchors = g->anchors && !expr_has(by[i], EXPR_METRIC) &&
			     !(expr_sides(by[i]) & 1 << SIDE_PARTNER);
		x.names |= expr_asks_thread(by[i]);
	}
	x.of = spill_new(m->count, sizeof *x.of);
	for (size_t i = 0; i < m->count; i++)
		x.of[i] = group_of(&x, i);
	durations_place(&x);
	spill_free(x.of);
	for (unsigned i = 0; i < n; i++)
		hash_table_free(&x.parts[i]);
	g->at = x.found.at;
	g->n = x.found.n;
	if (g->n)
		qsort_r(g->at, g->n, sizeof *g->at, compare_groups, g);
	return g;
}

void grouped_free(struct grouped *g)
{
	if (!g)
		return;
	for (unsigned i = 0; i < g->nkeys; i++)
		keys_clear(&g->keys[i]);
	spill_free(g->durations);
	free(g->at);
	free(g);
}

struct spread grouped_spread(const struct grouped *g, size_t begin)
{
	const struct keys *last = &g->keys[g->nkeys - 1];
	struct spread s = {.begin = begin, .end = begin, .widest = begin};

	for (; s.end < g->n; s.end++) {
		const struct group *at = &g->at[s.end];

		if (memcmp(at->key, g->at[begin].key, (g->nkeys - 1) * sizeof *at->key) != 0)
			break;
		if (__builtin_add_overflow(s.total, at->total, &s.total))
			s.total = INT64_MAX;
		if (at->total > s.max) {
			s.max = at->total;
			s.widest = s.end;
		}
	}
	s.mean = last->at.n ? (double)s.total / (double)last->at.n : 0;
	s.imbalance = s.max ? ((double)s.max - s.mean) / (double)s.max : 0;
	return s;
}
