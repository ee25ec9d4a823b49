#include "analysis/activity/blocked_samples.h"
#include "analysis/activity/innermost.h"
#include <stdlib.h>

/* ---- stacks of waits ---- */

/*
 * A stack is that of the wait that began last among those under way, unless that has one already.
 * Returns the waits, whose classes are their stacks; STACK_WHOLE: none.
 */
static span_vector waits_stacked(const struct thread_samples *t, const struct span_class *classes,
				 const span_vector *waits)
{
	span_vector stacked = {0};
	VECTOR(size_t) open = {0};
	size_t next = 0;

	for (size_t i = 0; i < waits->n; i++)
		if (classes[waits->at[i].class].role->kind != KIND_SPIN)
			*vector_add(&stacked) = (struct instance_span){
			    waits->at[i].start, waits->at[i].end, STACK_WHOLE};
	instance_spans_sort(stacked.at, stacked.n);
	for (size_t i = 0; i < t->waits.n; i++) {
		const struct stack_wait *s = &t->waits.at[i];
		size_t n = 0;

		for (; next < stacked.n && stacked.at[next].start <= s->time; next++)
			*vector_add(&open) = next;
		for (size_t k = 0; k < open.n; k++)
			if (stacked.at[open.at[k]].end >= s->time)
				open.at[n++] = open.at[k];
		open.n = n;
		if (n && stacked.at[open.at[n - 1]].class == STACK_WHOLE)
			stacked.at[open.at[n - 1]].class = s->stack;
	}
	free(open.at);
	return stacked;
}

/* ---- time ---- */

static span_vector blocked_of(const struct span_class *classes, const span_vector *states)
{
	span_vector blocked = {0};

	for (size_t i = 0; i < states->n; i++)
		if (classes[states->at[i].class].role->state == STATE_BLOCKED)
			*vector_add(&blocked) = states->at[i];
	instance_spans_sort(blocked.at, blocked.n);
	return blocked;
}

struct blocking {
	struct thread_samples result;
	innermost_vector waits; /* class: the stack */
	size_t at;              /* in the waits */
};

static void blocked_add(struct blocking *b, int64_t from, int64_t to)
{
	while (b->at + 1 < b->waits.n && b->waits.at[b->at + 1].from <= from)
		b->at++;
	for (size_t i = b->at; from < to; i++) {
		uint32_t stack = b->waits.at[i].class;
		int64_t end = i + 1 < b->waits.n ? b->waits.at[i + 1].from : INT64_MAX;

		end = end < to ? end : to;
		*vector_add(&b->result.list) = (struct stack_sample){
		    from, end, stack == NO_SPAN ? STACK_WHOLE : stack, false, true};
		from = end;
	}
}

/* Adds a sample's time. *next: the first of the blocked spans that may be in it. */
static void sample_add(struct blocking *b, const struct stack_sample *s, const span_vector *blocked,
		       size_t *next)
{
	size_t counted = SIZE_MAX;
	int64_t from = s->from;

	for (; from < s->to; ++*next) {
		bool any = *next < blocked->n && blocked->at[*next].start < s->to;
		struct instance_span span =
		    any ? blocked->at[*next] : (struct instance_span){s->to, s->to, 0};

		if (any && span.end <= from)
			continue;
		if (from < span.start) {
			counted = b->result.list.n;
			*vector_add(&b->result.list) =
			    (struct stack_sample){from, span.start, s->stack, false, false};
			from = span.start;
		}
		if (span.end >= s->to) {
			blocked_add(b, from, s->to);
			break;
		}
		blocked_add(b, from, span.end);
		from = span.end;
	}
	if (counted != SIZE_MAX)
		b->result.list.at[counted].counts = s->counts;
}

static bool is_blocked_first(const struct span_class *classes, const span_vector *states)
{
	int64_t first = INT64_MAX;
	bool blocked = false;

	for (size_t i = 0; i < states->n; i++)
		if (states->at[i].start < first) {
			first = states->at[i].start;
			blocked = classes[states->at[i].class].role->state == STATE_BLOCKED;
		}
	return blocked;
}

struct thread_samples blocked_samples(const struct thread_samples *t,
				      const struct span_class *classes, const span_vector *states,
				      const span_vector *waits)
{
	span_vector stacked = waits_stacked(t, classes, waits);
	span_vector blocked = blocked_of(classes, states);
	struct blocking b = {.waits = innermost_spans(&stacked)};
	size_t next = 0;

	for (size_t i = 0; i < t->list.n; i++)
		sample_add(&b, &t->list.at[i], &blocked, &next);
	b.result.blocked_first = is_blocked_first(classes, states);
	free(blocked.at);
	free(stacked.at);
	free(b.waits.at);
	return b.result;
}
