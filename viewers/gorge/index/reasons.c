#include "viewers/gorge/index/reasons.h"
#include "base/array.h"
#include "base/parallel.h"
#include <stdlib.h>

/* A blocked state, or a wait. */
struct reason_span {
	int64_t start, end;
	uint32_t first, last; /* units of its events */
	uint32_t anchor;
	unsigned wait; /* of a state: what explains it */
};

struct reason_spans {
	VECTOR(struct reason_span) at;
};

/*
 * By their starts; of those that begin with one event the shorter one, which is inside, comes
 * later.
 */
static int compare_pieces(const void *pa, const void *pb)
{
	const struct reason_span *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	if (a->last != b->last)
		return a->last > b->last ? -1 : 1;
	return (a->wait > b->wait) - (a->wait < b->wait);
}

/* Adds the instances within a thread. */
static void take_instances(struct reason_spans *p, const struct instances *n, unsigned thread,
			   unsigned wait)
{
	const struct thread_spans *w = &n->within[thread];
	bool backwards = n->interval->direction == BACKWARDS;

	for (size_t k = 0; k < w->rows.n; k++) {
		const struct spans *s = &w->rows.at[k];
		int64_t *starts = spans_starts(s, n->event_index);

		for (size_t i = 0; i < s->n; i++)
			*vector_add(&p->at) = (struct reason_span){
			    starts[i], starts[i] + spans_length(s, i),      s->start[i],
			    s->end[i], backwards ? s->end[i] : s->start[i], wait};
		free(starts);
	}
}

static void sort_pieces(struct reason_spans *p)
{
	bool sorted = true;

	for (size_t i = 1; i < p->at.n && sorted; i++)
		sorted = compare_pieces(&p->at.at[i - 1], &p->at.at[i]) <= 0;
	if (!sorted)
		qsort(p->at.at, p->at.n, sizeof *p->at.at, compare_pieces);
}

/* Whether a wait lasts for at least half of a state. */
static bool covers(const struct reason_span *wait, const struct reason_span *state)
{
	int64_t from = wait->start > state->start ? wait->start : state->start;
	int64_t to = wait->end < state->end ? wait->end : state->end;

	return to >= from && 2 * (to - from) >= state->end - state->start;
}

/*
 * Finds what explains each state. open: the waits that may still last, in the order of their
 * starts.
 */
static void explain(struct reason_spans *states, const struct reason_spans *waits, unsigned none)
{
	struct reason_spans open = {0};
	size_t next = 0;

	for (size_t i = 0; i < states->at.n; i++) {
		struct reason_span *state = &states->at.at[i];
		size_t kept = 0;

		while (next < waits->at.n && waits->at.at[next].start <= state->end)
			*vector_add(&open.at) = waits->at.at[next++];
		state->wait = none;
		for (size_t k = 0; k < open.at.n; k++) {
			const struct reason_span wait = open.at.at[k];

			if (wait.end < state->start)
				continue;
			open.at.at[kept++] = wait;
			if (covers(&wait, state)) {
				state->wait = wait.wait;
				state->anchor = wait.anchor;
			}
		}
		open.at.n = kept;
	}
	free(open.at.at);
}

/* Parts the states by what explains them. */
static void part_states(const struct reason_spans *states, struct reason *of, unsigned n,
			unsigned thread)
{
	size_t *counts = array_zero(n, sizeof *counts);

	for (size_t i = 0; i < states->at.n; i++)
		counts[states->at.at[i].wait]++;
	for (unsigned k = 0; k < n; k++) {
		of[k].spans = spans_new_sorted(thread, thread, counts[k]);
		of[k].anchors = array_zero(counts[k], sizeof *of[k].anchors);
	}
	for (size_t i = 0; i < states->at.n; i++) {
		const struct reason_span *p = &states->at.at[i];
		struct reason *r = &of[p->wait];

		r->anchors[r->spans.n] = p->anchor;
		spans_append(&r->spans, (struct spans_entry){p->first, p->last, p->start,
							     p->end - p->start, thread});
	}
	free(counts);
}

static void explain_thread(void *context, size_t thread, unsigned worker)
{
	struct reasons *r = context;
	struct reason_spans states = {0}, waits = {0};

	(void)worker;
	take_instances(&states, r->blocked, (unsigned)thread, 0);
	for (unsigned i = 0; i < r->nwaits && states.at.n; i++)
		take_instances(&waits, r->waits[i], (unsigned)thread, i);
	sort_pieces(&states);
	sort_pieces(&waits);
	explain(&states, &waits, r->nwaits);
	part_states(&states, &r->of[thread * (r->nwaits + 1)], r->nwaits + 1, (unsigned)thread);
	free(states.at.at);
	free(waits.at.at);
}

struct reasons *reasons_new(struct instances *blocked, struct instances *const *waits, unsigned n)
{
	struct reasons *r = array_zero(1, sizeof *r);

	*r = (struct reasons){
	    .holders = 1,
	    .blocked = instances_hold(blocked),
	    .waits = array_zero(n, sizeof *r->waits),
	    .nwaits = n,
	    .nthreads = blocked->nthreads,
	    .of = array_zero((size_t)blocked->nthreads * (n + 1), sizeof *r->of),
	};
	for (unsigned i = 0; i < n; i++)
		r->waits[i] = instances_hold(waits[i]);
	parallel_for(r->nthreads, explain_thread, r);
	return r;
}

bool reasons_are_of(const struct reasons *r, const struct instances *blocked,
		    struct instances *const *waits, unsigned n)
{
	if (r->blocked != blocked || r->nwaits != n || r->nthreads != blocked->nthreads)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (r->waits[i] != waits[i])
			return false;
	return true;
}

struct reasons *reasons_hold(struct reasons *r)
{
	r->holders++;
	return r;
}

void reasons_free(struct reasons *r)
{
	if (!r || --r->holders)
		return;
	for (size_t i = 0; i < (size_t)r->nthreads * (r->nwaits + 1); i++) {
		spans_free(&r->of[i].spans);
		free(r->of[i].anchors);
	}
	for (unsigned i = 0; i < r->nwaits; i++)
		instances_free(r->waits[i]);
	instances_free(r->blocked);
	free(r->waits);
	free(r->of);
	free(r);
}
