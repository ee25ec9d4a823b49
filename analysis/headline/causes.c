#include "analysis/headline/causes.h"
#include "analysis/headline/path_use.h"
#include "analysis/headline/words.h"
#include "analysis/samples/samples.h"
#include "analysis/why/axes.h"
#include "analysis/why/fixes.h"
#include "analysis/why/meanwhile.h"
#include "base/search.h"
#include "trace/symbols/symbols.h"
#include <stdlib.h>

/* Of so many threads of a group none is named alone, unless it has half of their time. */
enum { MANY_THREADS = 10 };
/* A function and a thread are one cause if the first one named has so much of the other's path. */
static const double most_of = 0.8;
/* A lock's holders wait if they do for more of its holds. */
static const double most_held = 0.5;

static bool share_a_class(const struct evidence *g, const struct subject *a,
			  const struct subject *b)
{
	for (size_t i = 0; i < g->set->classes.n; i++) {
		const struct span_class *c = &g->set->classes.at[i];

		if (subject_has_class(g->set, a, c) && subject_has_class(g->set, b, c))
			return true;
	}
	return false;
}

static bool is_computing(const struct rank_row *row)
{
	return row->subject.kind == SUBJECT_FUNCTION || row->subject.kind == SUBJECT_THREAD;
}

/* Whether a row is another name of what one before it says. */
static bool is_same(const struct evidence *g, const struct rank_row *before,
		    const struct rank_row *row)
{
	if (before == row)
		return true;
	if (is_computing(before) && is_computing(row) && before->subject.kind != row->subject.kind)
		return (double)before->worth.path >= most_of * (double)row->worth.path;
	return share_a_class(g, &before->subject, &row->subject);
}

/* Whether a row is the start of a process, before its first function, in few samples. */
static bool is_short_start(const struct evidence *g, const struct rank_row *row)
{
	const struct samples *s = g->set->samples;
	size_t n = 0;

	if (row->subject.kind != SUBJECT_FUNCTION || !s || !is_start(row->subject.name))
		return false;
	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		for (size_t i = 0; i < s->threads[t].list.n; i++)
			n += s->threads[t].list.at[i].counts &&
			     own_function(s, s->threads[t].list.at[i].stack) == row->subject.key;
	return n < FEW_SAMPLES;
}

static uint32_t group_size(const struct evidence *g, uint32_t thread)
{
	uint32_t n = 0;

	for (uint32_t t = 0; t < g->trace->nthreads; t++)
		n += g->groups[t] == g->groups[thread];
	return n;
}

bool is_one_of_many(const struct evidence *g, const struct rank_row *row, int64_t from, int64_t to,
		    struct group_use *use)
{
	uint32_t thread =
	    row->subject.kind == SUBJECT_THREAD ? thread_keyed(g, row->subject.key) : NO_THREAD;

	if (thread == NO_THREAD || group_size(g, thread) < MANY_THREADS)
		return false;
	*use = path_group_of(g, thread, from, to);
	return 2 * use->most < use->time;
}

static bool is_cause(const struct evidence *g, const struct rank_row *row)
{
	struct group_use use;

	return row->fix != FIX_BLOCKERS && row->known > 0 &&
	       fix_gain(row) >= fix_least_gain * (double)row->known &&
	       !(row->subject.kind == SUBJECT_INTERVAL && is_hold_row(g, row)) &&
	       !is_short_start(g, row) && !is_one_of_many(g, row, 0, g->trace->duration, &use);
}

size_t causes_next(const struct evidence *g, const struct rank *rank, const struct rank_row *first,
		   const struct rank_row **next, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < rank->n && n < most; i++) {
		const struct rank_row *row = &rank->rows[i];
		bool known = !is_cause(g, row) || (first && is_same(g, first, row));

		for (size_t k = 0; k < n && !known; k++)
			known = is_same(g, next[k], row);
		if (!known)
			next[n++] = row;
	}
	return n;
}

const struct span_class *subject_class(const struct evidence *g, const struct subject *s)
{
	for (size_t i = 0; i < g->set->classes.n; i++) {
		const struct span_class *c = &g->set->classes.at[i];

		if (c->role->kind != KIND_CALL && subject_has_class(g->set, s, c))
			return c;
	}
	return NULL;
}

int64_t lock_site(const struct evidence *g, int64_t lock)
{
	struct axis_sums sums = {0};
	int64_t key = NO_KEY;
	axis_values values;

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const span_vector *holds = instance_spans(g->set, SPANS_HOLD, t);
		int64_t end = g->graph->threads[t].end;

		for (size_t i = 0; i < holds->n; i++) {
			const struct span_class *p = place_class(g, holds->at[i].class);
			int64_t to = holds->at[i].end < end ? holds->at[i].end : end;

			if (p->object == lock && p->site != NO_KEY && to > holds->at[i].start)
				axis_sums_add(&sums, p->site, to - holds->at[i].start);
		}
	}
	values = axis_sums_end(&sums);
	if (values.n)
		key = values.at[0].key;
	free(values.at);
	return key;
}

static bool is_outside(const struct span_class *c)
{
	return c->role->interval->until && !c->role->interval->idle && c->role->start.object >= 0;
}

/* Adds a thread's waits for what is outside of the program, from one time to another. */
static void outside_add(struct axis_sums *sums, const struct evidence *g, const span_vector *waits,
			int64_t from, int64_t to)
{
	for (size_t i = lower_bound(k, 0, waits->n, waits->at[k].start < from);
	     i < waits->n && waits->at[i].start < to; i++) {
		const struct instance_span *w = &waits->at[i];
		int64_t end = w->end < to ? w->end : to;

		if (is_outside(&g->set->classes.at[w->class]) && w->start < end)
			axis_sums_add(sums, w->class, end - w->start);
	}
}

const struct span_class *lock_held_wait(const struct evidence *g, int64_t lock)
{
	const struct span_class *most = NULL;
	struct axis_sums sums = {0};
	axis_values values;
	int64_t held = 0;

	for (uint32_t t = 0; t < g->trace->nthreads; t++) {
		const span_vector *holds = instance_spans(g->set, SPANS_HOLD, t);
		int64_t end = g->graph->threads[t].end;

		for (size_t i = 0; i < holds->n; i++) {
			int64_t from = holds->at[i].start;
			int64_t to = holds->at[i].end < end ? holds->at[i].end : end;

			if (place_class(g, holds->at[i].class)->object != lock || from >= to)
				continue;
			held += to - from;
			outside_add(&sums, g, instance_spans(g->set, SPANS_WAIT, t), from, to);
		}
	}
	values = axis_sums_end(&sums);
	if (values.n && (double)values.at[0].time > most_held * (double)held)
		most = &g->set->classes.at[values.at[0].key];
	free(values.at);
	return most;
}
