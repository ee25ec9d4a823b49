/*
 * Converts a moment to a row of words: its index, its key if the plan has equalities, and the words
 * that are compared. The index is shifted left; the lowest bit is set in a query. The first word of
 * a key is well mixed; a second one is there where values of up to 128 bits do not fit into the
 * first.
 */
#ifndef GLIMPSE_MATCH_PLAN_ROW_H
#define GLIMPSE_MATCH_PLAN_ROW_H

#include "match/comparisons/max_tree.h"
#include "match/plan/plan.h"
#include "trace/stream/moments.h"

enum { ROW_WORDS = 3 + MAX_TREE_COLUMNS, ROW_PLAIN = 8 };

/* Rows have 31 bits for the place of a moment. */
#define MOST_MOMENTS (UINT32_MAX >> 1)

static inline bool row_is_query(const uint64_t *row)
{
	return row[0] & 1;
}

static inline size_t row_moment(const uint64_t *row)
{
	return row[0] >> 1;
}

/* Returns how many words the rows of a plan have. */
static inline unsigned row_width(const struct plan *plan)
{
	return 1 + plan->keys + plan_columns(plan);
}

/* ---- making rows ---- */

enum row_kind {
	ROW_ANY,
	ROW_IS_SIMPLE, /* equalities of integers that are loaded, in one word: nothing can fail */
	ROW_IS_PLAIN,  /* the same in two words, and comparisons of such integers */
};

struct row_maker {
	const struct plan *plan;
	const struct trace *trace;
	enum row_kind kind;
	uint8_t place[ROW_PLAIN]; /* plain: bits of the key after each equality's */
};

struct row_maker row_maker(const struct plan *plan, const struct trace *trace);

/* Makes the row of the current moment of a walk. Returns false if it cannot take part. */
bool row_make_any(const struct row_maker *r, enum side side, const struct moment_walk *w,
		  uint64_t *row, uint64_t *faults);

/* Makes the words that are compared. Returns false if no other moment can have what is wanted. */
bool row_columns(const struct plan *plan, enum side side, const struct operand *o, size_t i,
		 uint64_t *words, uint64_t *faults);

/* Makes the key, of plan->keys words. Returns false if nothing can equal it. */
bool row_make_key(const struct plan *plan, enum side side, const struct operand *o, size_t i,
		  uint64_t *key, uint64_t *faults);

/* Returns the key of a simple row. */
static inline uint64_t row_simple_key(const struct plan *plan, enum side side,
				      const struct event *e)
{
	struct operand o = {.record = e->record, .time = e->time, .thread = e->thread};
	uint64_t key = 0;

	for (unsigned j = 0; j < plan->nequal; j++) {
		const struct comparison *c = &plan->equal[j];
		int64_t value = load_integer(c->load[side], c->offset[side], &o);

		/* in two steps: the first may be all 64 bits */
		key = key << 1 << (c->bits - 1) | ((uint64_t)value - (uint64_t)c->low);
	}
	return hash_mix(key);
}

static inline bool row_make_plain(const struct row_maker *r, enum side side,
				  const struct moment_walk *w, uint64_t *row)
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
		const struct comparison *c = &plan->equal[j];
		uint64_t value = (uint64_t)load_integer(c->load[side], c->offset[side], &o[side]);

		value = (value - (uint64_t)c->low) << r->place[j] % 64;
		low |= r->place[j] < 64 ? value : 0;
		high |= r->place[j] < 64 ? 0 : value;
	}
	row[0] = (uint64_t)w->at << 1 | (side != plan->candidates);
	row[1] = hash_mix(low);
	if (plan->keys == 2) {
		row[1] = hash_mix(row[1] ^ hash_mix(high));
		row[2] = high;
	}
	return plan->norder == 0 || row_columns(plan, side, o, w->at, row + 1 + plan->keys, NULL);
}

static inline void row_make_simple(const struct row_maker *r, enum side side,
				   const struct moment_walk *w, uint64_t *row)
{
	struct event e;

	moment_walk_event(w, &e);
	row[0] = (uint64_t)w->at << 1 | (side != r->plan->candidates);
	row[1] = row_simple_key(r->plan, side, &e);
}

#endif
