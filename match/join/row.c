#include "match/join/row.h"

/*
 * The values of all equalities, one behind the other, as a number of up to 128 bits; the first word
 * of the key is mixed with the second one so that the two together still tell all numbers apart.
 * More than that is hashed.
 */
static bool key_fill(const struct plan *plan, enum side side, const struct operand *o, size_t i,
		     uint64_t *key, uint64_t *faults)
{
	unsigned __int128 all = 0;
	uint64_t word;

	for (unsigned j = 0; j < plan->nequal; j++) {
		const struct pair *p = &plan->equal[j];

		if (!pair_word(p, side, o, i, &word, faults))
			return false;
		all = plan->exact ? all << (p->bits ? p->bits : 64) | word
				  : hash_mix((uint64_t)all) ^ word;
	}
	key[0] = hash_mix((uint64_t)all);
	if (plan->keys == 2) {
		key[1] = (uint64_t)(all >> 64);
		key[0] = hash_mix(key[0] ^ hash_mix(key[1]));
	}
	return true;
}

/* The word of an order: the candidate's must be at least the query's. */
static bool row_order(const struct plan *plan, const struct pair *p, enum side side, uint64_t *word)
{
	if (!p->rising)
		*word = ~*word;
	if (side == SIDE_ANCHOR && p->strict && (*word)++ == UINT64_MAX)
		return false;
	if (plan->candidates == SIDE_ANCHOR)
		*word = ~*word;
	return true;
}

/* An inequality's two words: the value and its complement. NaN is given two that no number has. */
static void row_differ(const struct pair *p, uint64_t word, bool query, uint64_t *words)
{
	if (p->scale == SCALE_REAL && word == WORD_NAN) {
		words[0] = words[1] = query ? 0 : UINT64_MAX;
	} else {
		words[0] = word;
		words[1] = ~word;
	}
}

bool row_columns(const struct plan *plan, enum side side, const struct operand *o, size_t i,
		 uint64_t *words, uint64_t *faults)
{
	for (unsigned j = 0; j < plan->norder; j++) {
		const struct pair *p = &plan->order[j];
		uint64_t word;

		if (!pair_word(p, side, o, i, &word, faults))
			return false;
		if (p->use == PAIR_DIFFER) {
			row_differ(p, word, side != plan->candidates, words);
			words += 2;
		} else {
			if (!row_order(plan, p, side, &word))
				return false;
			*words++ = word;
		}
	}
	return true;
}

bool row_make_any(const struct row_maker *r, enum side side, const struct moment_walk *w, uint64_t *row,
		  uint64_t *faults)
{
	const struct plan *plan = r->plan;
	struct operand o[2];
	enum verdict verdict;
	struct event e;

	moment_walk_event(w, &e);
	o[side] = (struct operand){e.type, e.record, e.time, e.thread, NULL};
	if (plan->names)
		o[side] = event_operand(r->trace, &e);
	if (!program_empty(plan->filter[side])) {
		verdict = program_holds(plan->filter[side], o);
		*faults += verdict == VERDICT_FAULT;
		if (verdict != VERDICT_TRUE)
			return false;
	}
	*row++ = (uint64_t)w->at << 1 | (side != plan->candidates);
	if (plan->keys && !key_fill(plan, side, o, w->at, row, faults))
		return false;
	return row_columns(plan, side, o, w->at, row + plan->keys, faults);
}

/* Whether all that is compared can simply be read. */
static bool all_load(const struct pair *pairs, unsigned n)
{
	for (unsigned j = 0; j < n; j++)
		if (pairs[j].load[0] == LOAD_OTHER || pairs[j].load[1] == LOAD_OTHER)
			return false;
	return true;
}

/* Finds where in the key each equality is; false: one is in both words, or they are too many. */
static bool find_places(struct row_maker *r)
{
	const struct plan *plan = r->plan;
	unsigned place = 0;

	if (plan->nequal > ROW_PLAIN)
		return false;
	for (unsigned j = plan->nequal; j-- > 0;) {
		unsigned bits = plan->equal[j].bits;

		if (bits == 0 || place / 64 != (place + bits - 1) / 64)
			return false;
		r->place[j] = (uint8_t)place;
		place += bits;
	}
	return true;
}

struct row_maker row_maker(const struct plan *plan, const struct trace *trace)
{
	struct row_maker r = {.plan = plan, .trace = trace};

	if (!plan->exact || plan->keys == 0 || !program_empty(plan->filter[0]) ||
	    !program_empty(plan->filter[1]) || !all_load(plan->equal, plan->nequal) ||
	    !all_load(plan->order, plan->norder) || !find_places(&r))
		return r;
	r.kind = plan->keys == 1 && plan->norder == 0 ? ROW_IS_SIMPLE : ROW_IS_PLAIN;
	return r;
}
