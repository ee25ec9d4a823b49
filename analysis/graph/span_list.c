#include "analysis/graph/span_list.h"
#include "match/join/match.h"
#include <stdlib.h>

static void span_add(struct span_list *s, const struct trace *t, uint32_t thread, uint32_t number,
		     int64_t start, int64_t end)
{
	*vector_add(&s->all) = (struct listed_span){
	    .start = start,
	    .end = end,
	    .thread = (uint32_t)(trace_thread(t, thread) - t->threads),
	    .role = number,
	};
}

static void matched_add(struct span_list *s, const struct trace *t, const struct matches *m,
			uint32_t number)
{
	for (size_t i = 0; i < m->count; i++) {
		struct instance in;

		if (m->partner_of[i] == UNMATCHED)
			continue;
		matches_look(m, i, &in);
		if (in.anchor.thread == in.partner.thread)
			span_add(s, t, in.anchor.thread, number, in.start, in.end);
	}
}

/* Adds the last start of each thread if nothing that can end such an interval comes after it. */
static void open_add(struct span_list *s, const struct trace *t, const struct matches *m,
		     const struct role *r, uint32_t number)
{
	const struct moments *starts = r->start.side == SIDE_ANCHOR ? &m->anchors : &m->partners;
	const struct moments *ends = r->start.side == SIDE_ANCHOR ? &m->partners : &m->anchors;
	int64_t *last = array_new(t->nthreads, sizeof *last);
	struct event e;

	for (unsigned i = 0; i < t->nthreads; i++)
		last[i] = INT64_MIN;
	for (size_t i = 0; i < starts->count; i++) {
		moments_look(starts, i, &e);
		last[trace_thread(t, e.thread) - t->threads] = e.time;
	}
	for (size_t i = 0; i < ends->count; i++) {
		moments_look(ends, i, &e);
		if (e.time >= last[trace_thread(t, e.thread) - t->threads])
			last[trace_thread(t, e.thread) - t->threads] = INT64_MIN;
	}
	for (unsigned i = 0; i < t->nthreads; i++)
		if (last[i] != INT64_MIN)
			span_add(s, t, t->threads[i].number, number, last[i], INT64_MAX);
	free(last);
}

void span_list_add(struct span_list *s, struct trace *t, const struct role *r, uint32_t number)
{
	struct matches *m = match_interval(t, r->interval);

	matched_add(s, t, m, number);
	open_add(s, t, m, r, number);
	matches_free(m);
}

static int span_order(const void *a, const void *b)
{
	const struct listed_span *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	/* the longer one is the outer one */
	return (x->end < y->end) - (x->end > y->end);
}

void span_list_sort(struct span_list *s, const struct trace *t)
{
	size_t at = 0;

	qsort(s->all.at, s->all.n, sizeof *s->all.at, span_order);
	s->first = array_new(t->nthreads + 1, sizeof *s->first);
	for (uint32_t i = 0; i <= t->nthreads; i++) {
		while (at < s->all.n && s->all.at[at].thread < i)
			at++;
		s->first[i] = at;
	}
}

void span_list_free(struct span_list *s)
{
	free(s->all.at);
	free(s->first);
}
