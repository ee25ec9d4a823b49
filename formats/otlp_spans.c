#include "formats/otlp_spans.h"
#include "base/search.h"
#include <stdlib.h>

/* ---- instances ---- */

/*
 * States are of the system, not of the program; causes and lines only lead from event to event;
 * objects live across what threads do.
 */
static bool can_enclose(const struct role *r)
{
	return role_takes_time(r) && r->kind != KIND_CAUSE && r->kind != KIND_STATE &&
	       (r->kind != KIND_LIFE || role_is_threads_life(r));
}

static int span_order(const void *left, const void *right)
{
	const struct otlp_span *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	if (a->interval != b->interval)
		return a->interval < b->interval ? -1 : 1;
	return (a->anchor > b->anchor) - (a->anchor < b->anchor);
}

static void instance_add(struct otlp_spans *s, uint32_t interval, uint32_t anchor,
			 const bool *threads)
{
	const struct otlp_interval *i = &s->intervals.at[interval];
	struct instance instance;
	uint32_t thread;
	struct otlp_span span;

	matches_look(i->matches, anchor, &instance);
	thread = trace_thread_index(s->trace, instance.anchor.thread);
	if (thread >= s->trace->nthreads || (threads && !threads[thread]))
		return;
	span = (struct otlp_span){.start = instance.start, .end = instance.end};
	span.interval = interval;
	span.anchor = anchor;
	span.crosses = instance.partner.thread != instance.anchor.thread;
	span.encloses = i->encloses && !span.crosses;
	*vector_add(&s->threads[thread]) = span;
	if (i->role.kind == KIND_CAUSE)
		*vector_add(&s->caused) = (struct otlp_caused){
		    (i->role.interval->direction == FORWARDS ? &instance.partner : &instance.anchor)
			->record,
		    otlp_span_number(s, &span)};
}

static void interval_add(struct otlp_spans *s, const struct interval *interval, const bool *threads)
{
	uint32_t number = (uint32_t)s->intervals.n;
	struct otlp_interval *i = vector_add(&s->intervals);

	i->role = role_of(interval);
	i->matches = match_interval(s->trace, interval);
	i->encloses = can_enclose(&i->role);
	for (size_t k = 0; k < i->matches->count; k++)
		if (i->matches->partner_of[k] != UNMATCHED)
			instance_add(s, number, (uint32_t)k, threads);
}

uint64_t otlp_span_number(const struct otlp_spans *s, const struct otlp_span *span)
{
	const struct interval *interval = s->intervals.at[span->interval].role.interval;

	return (uint64_t)(interval->index + 1) << 32 | span->anchor;
}

/* ---- causes ---- */

static int caused_order(const void *left, const void *right)
{
	const struct otlp_caused *a = left, *b = right;

	if (a->record != b->record)
		return a->record < b->record ? -1 : 1;
	return (a->cause > b->cause) - (a->cause < b->cause);
}

const struct otlp_caused *otlp_causes_of(const struct otlp_spans *s, const unsigned char *record)
{
	return s->caused.at + lower_bound(i, 0, s->caused.n, s->caused.at[i].record < record);
}

/* ---- what spans lie in ---- */

size_t otlp_open_at(const otlp_open_vector *open, int64_t time)
{
	return lower_bound(i, 0, open->n, open->at[i].end >= time);
}

/* Asks for the span of a thread that encloses an end of a span that crosses threads. */
struct span_query {
	int64_t time;
	uint64_t *answer;
};
typedef VECTOR(struct span_query) question_vector;

static int question_order(const void *left, const void *right)
{
	const struct span_query *a = left, *b = right;

	return (a->time > b->time) - (a->time < b->time);
}

static void question_add(const struct otlp_spans *s, question_vector *of_threads,
			 const struct event *e, uint64_t *answer)
{
	uint32_t thread = trace_thread_index(s->trace, e->thread);

	if (thread < s->trace->nthreads)
		*vector_add(&of_threads[thread]) = (struct span_query){e->time, answer};
}

static void questions_ask(const struct otlp_spans *s, size_t thread, question_vector *of_threads)
{
	for (size_t i = 0; i < s->threads[thread].n; i++) {
		struct otlp_span *span = &s->threads[thread].at[i];
		struct instance instance;

		if (!span->crosses)
			continue;
		matches_look(s->intervals.at[span->interval].matches, span->anchor, &instance);
		question_add(s, of_threads, &instance.anchor, &span->parent);
		question_add(s, of_threads, &instance.partner, &span->other);
	}
}

static uint64_t enclosing(const struct otlp_spans *s, size_t thread, const otlp_open_vector *open,
			  int64_t end)
{
	size_t n = otlp_open_at(open, end);

	return n ? otlp_span_number(s, &s->threads[thread].at[open->at[n - 1].span]) : OTLP_NO_SPAN;
}

/* Finds the parents of a thread's spans, and answers the questions, which are in order. */
static void thread_nest(const struct otlp_spans *s, size_t thread, const question_vector *questions)
{
	struct otlp_span *spans = s->threads[thread].at;
	size_t n = s->threads[thread].n, at = 0;
	otlp_open_vector open = {0};

	for (size_t i = 0; i <= n; i++) {
		for (; at < questions->n && (i == n || questions->at[at].time < spans[i].start);
		     at++)
			*questions->at[at].answer =
			    enclosing(s, thread, &open, questions->at[at].time);
		if (i == n || spans[i].crosses)
			continue;
		spans[i].parent = enclosing(s, thread, &open, spans[i].end);
		if (spans[i].encloses) {
			/* from here on, this one is nearer to all that the shorter ones enclose */
			open.n = otlp_open_at(&open, spans[i].end);
			*vector_add(&open) = (struct otlp_open){spans[i].end, i};
		}
	}
	free(open.at);
}

static void spans_nest(const struct otlp_spans *s)
{
	unsigned n = s->trace->nthreads;
	question_vector *questions = array_zero(n, sizeof *questions);

	for (unsigned i = 0; i < n; i++)
		questions_ask(s, i, questions);
	for (unsigned i = 0; i < n; i++) {
		if (questions[i].n)
			qsort(questions[i].at, questions[i].n, sizeof *questions[i].at,
			      question_order);
		thread_nest(s, i, &questions[i]);
		free(questions[i].at);
	}
	free(questions);
}

/* ---- all ---- */

void otlp_spans_make(struct otlp_spans *s, struct trace *t, const bool *threads,
		     const struct interval *const *intervals)
{
	*s = (struct otlp_spans){.trace = t};
	s->threads = array_zero(t->nthreads, sizeof *s->threads);
	for (; *intervals; intervals++)
		interval_add(s, *intervals, threads);
	for (unsigned i = 0; i < t->nthreads; i++)
		if (s->threads[i].n)
			qsort(s->threads[i].at, s->threads[i].n, sizeof *s->threads[i].at,
			      span_order);
	if (s->caused.n)
		qsort(s->caused.at, s->caused.n, sizeof *s->caused.at, caused_order);
	spans_nest(s);
}

void otlp_spans_free(struct otlp_spans *s)
{
	for (size_t i = 0; i < s->intervals.n; i++)
		matches_free(s->intervals.at[i].matches);
	for (unsigned i = 0; i < s->trace->nthreads; i++)
		free(s->threads[i].at);
	free(s->intervals.at);
	free(s->threads);
	free(s->caused.at);
}
