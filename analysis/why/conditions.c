#include "analysis/why/conditions.h"
#include "match/join/match.h"
#include <stdlib.h>

void conditions_collect(struct conditions *c, const struct expr *e)
{
	if (!e)
		return;
	if (e->measure && e->measure->condition && c->measures.n < MOST_CONDITIONS)
		*vector_add(&c->measures) = e->measure;
	conditions_collect(c, e->left);
	conditions_collect(c, e->right);
}

static uint64_t start_key(const struct interval *i, const struct event *start)
{
	return hash_mix((uint64_t)start->time ^ hash_mix((uint64_t)i->index << 32 | start->thread));
}

static void instance_add(struct conditions *c, const struct interval *i, const struct event *start,
			 uint64_t bit)
{
	struct hash_slot *slot = hash_table_slot(&c->instances, start_key(i, start), start->thread);

	if (slot->head == HASH_NOTHING) {
		slot->head = (uint32_t)c->bits.n;
		*vector_add(&c->bits) = 0;
	}
	c->bits.at[slot->head] |= bit;
}

static void measure_find(struct conditions *c, struct trace *t, size_t number)
{
	const struct test_measure *m = c->measures.at[number];
	const struct interval *interval = spec_interval(t->spec, m->exact->name);
	struct matches *found = match_interval(t, interval);
	uint64_t faults = 0;

	for (size_t i = 0; i < found->count; i++) {
		struct binding b = {0};
		struct instance in;

		if (found->partner_of[i] == UNMATCHED)
			continue;
		matches_look(found, i, &in);
		matches_bind(found, i, true, &b);
		if (expr_holds(m->condition, &b, &faults))
			instance_add(c, interval, in.anchor.time == in.start ? &in.anchor : &in.partner,
				     (uint64_t)1 << number);
	}
	matches_free(found);
}

void conditions_find(struct conditions *c, struct trace *t)
{
	for (size_t i = 0; i < c->measures.n; i++)
		measure_find(c, t, i);
}

uint64_t conditions_bits(const struct conditions *c, const struct interval *i, const struct event *start)
{
	const struct hash_slot *slot =
	    hash_table_find(&c->instances, start_key(i, start), start->thread);

	return slot ? c->bits.at[slot->head] : 0;
}

uint64_t condition_bit(const struct conditions *c, const struct test_measure *m)
{
	for (size_t i = 0; i < c->measures.n; i++)
		if (c->measures.at[i]->condition == m->condition)
			return (uint64_t)1 << i;
	return 0;
}

void conditions_end(struct conditions *c)
{
	free(c->measures.at);
	free(c->bits.at);
	hash_table_free(&c->instances);
}
