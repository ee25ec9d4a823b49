/*
 * From a moment to a row: which moment it is (its place in its list, shifted left; the lowest bit
 * set in a query), its key if the plan has equalities, its columns for the index. The first word of
 * a key is well mixed; a second one is there where values of up to 128 bits do not fit into it.
 */
#ifndef GLIMPSE_MATCH_JOIN_ROW_H
#define GLIMPSE_MATCH_JOIN_ROW_H

#include "match/plan/plan.h"
#include "trace/stream/moments.h"

enum { ROW_PLAIN = 8 };

enum row_kind {
	ROW_ANY,
	ROW_IS_SIMPLE,          /* integers in one word, which stand in the records: nothing can fail */
	ROW_IS_PLAIN,           /* in two words, with comparisons of such integers */
};

struct row_maker {
	const struct plan *plan;
	const struct trace *trace;
	enum row_kind kind;
	uint8_t place[ROW_PLAIN]; /* plain: bits of the key behind each equality's */
};

struct row_maker row_maker(const struct plan *plan, const struct trace *trace);

/* Makes the row of the moment at hand; false: it cannot take part. */
bool row_make_any(const struct row_maker *r, enum side side, const struct moment_walk *w, uint64_t *row,
		  uint64_t *faults);

/* Its columns for the index; false: what it wants nothing can have. */
bool row_columns(const struct plan *plan, enum side side, const struct operand *o, size_t i,
		 uint64_t *words, uint64_t *faults);

static inline uint64_t row_simple_key(const struct plan *plan, enum side side,
				      const struct event *e)
{
	struct operand o = {.record = e->record, .time = e->time, .thread = e->thread};
	uint64_t key = 0;

	for (unsigned j = 0; j < plan->nequal; j++) {
		const struct pair *p = &plan->equal[j];
		int64_t value = load_integer(p->load[side], p->offset[side], &o);

		/* in two steps: the first may be all 64 bits */
		key = key << 1 << (p->bits - 1) | ((uint64_t)value - (uint64_t)p->low);
	}
	return hash_mix(key);
}

/* Of a plain one. */
static inline bool row_make_plain(const struct row_maker *r, enum side side, const struct moment_walk *w,
				  uint64_t *row)
{
	const struct plan *plan = r->plan;
	uint64_t low = 0, high = 0;
	struct operand o[2];
	struct event e;

	moment_walk_event(w, &e);
	o[side].record = e.record;
	o[side].time = e.time;
	o[side].thread = e.thread;
	for (unsigned j = 0; j < plan->nequal; j++) {
		const struct pair *p = &plan->equal[j];
		uint64_t value = (uint64_t)load_integer(p->load[side], p->offset[side], &o[side]);

		value = (value - (uint64_t)p->low) << r->place[j] % 64;
		low |= r->place[j] < 64 ? value : 0;
		high |= r->place[j] < 64 ? 0 : value;
	}
	row[0] = (uint64_t)w->at << 1 | (side != plan->candidates);
	row[1] = hash_mix(low);
	if (plan->keys == 2) {
		row[1] = hash_mix(row[1] ^ hash_mix(high));
		row[2] = high;
	}
	return plan->norder == 0 ||
	       row_columns(plan, side, o, w->at, row + 1 + plan->keys, NULL);
}

static inline void row_make_simple(const struct row_maker *r, enum side side, const struct moment_walk *w,
				   uint64_t *row)
{
	struct event e;

	moment_walk_event(w, &e);
	row[0] = (uint64_t)w->at << 1 | (side != r->plan->candidates);
	row[1] = row_simple_key(r->plan, side, &e);
}

#endif
