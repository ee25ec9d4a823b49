#include "analysis/graph/span_list.h"
#include "match/join/match.h"
#include <stdlib.h>

/* An interval whose instances are added. */
struct span_source {
	struct span_list *to;
	struct trace *trace;
	const struct role *role;
	span_number *number;
	void *context;
};

static uint32_t thread_index(const struct trace *t, const struct event *e)
{
	return (uint32_t)(trace_thread(t, e->thread) - t->threads);
}

static void span_add(const struct span_source *s, const struct event *start, int64_t end)
{
	*vector_add(&s->to->all) = (struct listed_span){
	    .start = start->time,
	    .end = end,
	    .thread = thread_index(s->trace, start),
	    .number = s->number(s->context, start),
	};
}

static void matched_add(const struct span_source *s, const struct matches *m)
{
	bool forwards = s->role->start.side == SIDE_ANCHOR;

	for (size_t i = 0; i < m->count; i++) {
		struct instance in;

		if (m->partner_of[i] == UNMATCHED)
			continue;
		matches_look(m, i, &in);
		if (in.anchor.thread == in.partner.thread)
			span_add(s, forwards ? &in.anchor : &in.partner, in.end);
	}
}

/* Adds the last start of each thread if nothing that can end such an interval comes after it. */
static void open_add(const struct span_source *s, const struct matches *m)
{
	bool forwards = s->role->start.side == SIDE_ANCHOR;
	const struct moments *starts = forwards ? &m->anchors : &m->partners;
	const struct moments *ends = forwards ? &m->partners : &m->anchors;
	struct event *last = array_zero(s->trace->nthreads, sizeof *last), e;

	for (size_t i = 0; i < starts->count; i++) {
		moments_look(starts, i, &e);
		last[thread_index(s->trace, &e)] = e;
	}
	for (size_t i = 0; i < ends->count; i++) {
		struct event *start;

		moments_look(ends, i, &e);
		start = &last[thread_index(s->trace, &e)];
		if (e.time >= start->time)
			start->record = NULL;
	}
	for (unsigned i = 0; i < s->trace->nthreads; i++)
		if (last[i].record)
			span_add(s, &last[i], INT64_MAX);
	free(last);
}

void span_list_add(struct span_list *s, struct trace *t, const struct role *r, span_number *number,
		   void *context)
{
	struct span_source source = {s, t, r, number, context};
	struct matches *m = match_interval(t, r->interval);

	matched_add(&source, m);
	open_add(&source, m);
	matches_free(m);
}

static int span_order(const void *a, const void *b)
{
	const struct listed_span *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	/* the longer one is the outer one */
	return (x->end < y->end) - (x->end > y->end);
}

/* Most instances come in the order of their starts: there is nothing to sort then. */
static void thread_sort(struct listed_span *spans, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (span_order(&spans[i - 1], &spans[i]) > 0) {
			qsort(spans, n, sizeof *spans, span_order);
			return;
		}
}

void span_list_sort(struct span_list *s, const struct trace *t)
{
	struct listed_span *sorted = array_new(s->all.n, sizeof *sorted);
	size_t *next = array_new(t->nthreads, sizeof *next);

	s->first = array_zero((size_t)t->nthreads + 1, sizeof *s->first);
	for (size_t i = 0; i < s->all.n; i++)
		s->first[s->all.at[i].thread + 1]++;
	for (uint32_t i = 0; i < t->nthreads; i++) {
		next[i] = s->first[i];
		s->first[i + 1] += s->first[i];
	}
	for (size_t i = 0; i < s->all.n; i++)
		sorted[next[s->all.at[i].thread]++] = s->all.at[i];
	free(s->all.at);
	free(next);
	s->all.at = sorted;
	s->all.room = s->all.n;
	for (uint32_t i = 0; i < t->nthreads; i++)
		thread_sort(sorted + s->first[i], s->first[i + 1] - s->first[i]);
}

void span_list_free(struct span_list *s)
{
	free(s->all.at);
	free(s->first);
}
