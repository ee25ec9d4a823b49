/*
 * From a moment to a row: which moment it is (its place in its list, shifted left; the lowest bit
 * set in a query), its key if the plan has equalities, its columns for the index. The first word of
 * a key is well mixed; a second one is there where values of up to 128 bits do not fit into it.
 */
#ifndef GLIMPSE_TRACE_ROW_H
#define GLIMPSE_TRACE_ROW_H

#include "trace/plan.h"
#include "trace/walk.h"

enum { ROW_PLAIN = 8 };

struct row_maker {
	const struct plan *plan;
	const struct trace *trace;
	bool simple;            /* integers in one word, which stand in the records: nothing can fail */
	bool plain;             /* in two words, with comparisons of such integers */
	uint8_t place[ROW_PLAIN]; /* plain: bits of the key behind each equality's */
};

struct row_maker row_maker(const struct plan *plan, const struct trace *trace);

/* Makes the row of the moment at hand; false: it cannot take part. */
bool row_make_any(const struct row_maker *r, enum side side, const struct walk *w, uint64_t *row,
		  uint64_t *faults);

/* The same of a plain one. */
bool row_make_plain(const struct row_maker *r, enum side side, const struct walk *w, uint64_t *row);

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
	return word_mix(key);
}

static inline bool row_make(const struct row_maker *r, enum side side, const struct walk *w,
			    uint64_t *row, uint64_t *faults)
{
	struct event e;

	if (r->plain)
		return row_make_plain(r, side, w, row);
	if (!r->simple)
		return row_make_any(r, side, w, row, faults);
	walk_event(w, &e);
	row[0] = (uint64_t)w->at << 1 | (side != r->plan->candidates);
	row[1] = row_simple_key(r->plan, side, &e);
	return true;
}

#endif
