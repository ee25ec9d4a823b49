#include "match/plan/row.h"

/*
 * Makes a key: the values of all equalities, one after the other, as a number of up to 128 bits.
 * The first word is mixed with the second one, so that the two together still tell all numbers
 * apart. Values of more bits are hashed.
 */
bool row_make_key(const struct plan *plan, enum side side, const struct operand *o, size_t i,
		  uint64_t *key, uint64_t *faults)
{
	unsigned __int128 all = 0;
	uint64_t word;

	for (unsigned j = 0; j < plan->nequal; j++) {
		const struct comparison *c = &plan->equal[j];

		if (!comparison_word(c, side, o, i, &word, faults))
			return false;
		all = plan->exact ? all << (c->bits ? c->bits : 64) | word
				  : hash_mix((uint64_t)all) ^ word;
	}
	key[0] = hash_mix((uint64_t)all);
	if (plan->keys == 2) {
		key[1] = (uint64_t)(all >> 64);
		key[0] = hash_mix(key[0] ^ hash_mix(key[1]));
	}
	return true;
}

/* Turns the word of an order so that the candidate's must be at least the query's. */
static bool row_order(const struct plan *plan, const struct comparison *c, enum side side,
		      uint64_t *word)
{
	if (!c->rising)
		*word = ~*word;
	if (side == SIDE_ANCHOR && c->strict && (*word)++ == UINT64_MAX)
		return false;
	if (plan->candidates == SIDE_ANCHOR)
		*word = ~*word;
	return true;
}

/* Makes an inequality's two words: the value and its complement; of NaN, two that no number has. */
static void row_differ(const struct comparison *c, uint64_t word, bool query, uint64_t *words)
{
	if (c->scale == SCALE_REAL && word == WORD_NAN) {
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
		const struct comparison *c = &plan->order[j];
		uint64_t word;

		if (!comparison_word(c, side, o, i, &word, faults))
			return false;
		if (c->kind == COMPARISON_DIFFER) {
			row_differ(c, word, side != plan->candidates, words);
			words += 2;
		} else {
			if (!row_order(plan, c, side, &word))
				return false;
			*words++ = word;
		}
	}
	return true;
}

bool row_make_any(const struct row_maker *r, enum side side, const struct moment_walk *w,
		  uint64_t *row, uint64_t *faults)
{
	const struct plan *plan = r->plan;
	struct operand o[2];
	enum truth truth;
	struct event e;

	moment_walk_event(w, &e);
	o[side] = (struct operand){e.type, e.record, e.time, e.thread, NULL, 0};
	if (plan->names)
		o[side] = event_operand(r->trace, &e);
	if (!program_empty(plan->filter[side])) {
		truth = program_holds(plan->filter[side], o);
		*faults += truth == TRUTH_FAULT;
		if (truth != TRUTH_TRUE)
			return false;
	}
	*row++ = (uint64_t)w->at << 1 | (side != plan->candidates);
	if (plan->keys && !row_make_key(plan, side, o, w->at, row, faults))
		return false;
	return row_columns(plan, side, o, w->at, row + plan->keys, faults);
}

/* Tells whether all that is compared is simply loaded. */
static bool all_load(const struct comparison *list, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (list[i].load[0] == LOAD_OTHER || list[i].load[1] == LOAD_OTHER)
			return false;
	return true;
}

/* Finds where in the key each equality is. Returns false if one is in both words, or there are too
 * many. */
static bool key_places(struct row_maker *r)
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
	    !all_load(plan->order, plan->norder) || !key_places(&r))
		return r;
	r.kind = plan->keys == 1 && plan->norder == 0 ? ROW_IS_SIMPLE : ROW_IS_PLAIN;
	return r;
}
