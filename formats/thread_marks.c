#include "formats/thread_marks.h"
#include "base/hash.h"
#include "trace/address.h"
#include <stdlib.h>

/* An instance whose ends are in one thread. */
struct nest_span {
	uint64_t start, end; /* seq */
	uint32_t interval, anchor;
	uint32_t hierarchy; /* spans of different ones may overlap */
	unsigned weight;    /* of two that overlap, the one of less weight is left out */
	bool dropped;
};
typedef VECTOR(struct nest_span) span_list;

struct marks_context {
	struct marks *marks;
	const struct export_request *request;
	enum marks_nesting nesting;
	span_list *spans;         /* by thread */
	struct hash_table orders; /* by object: how often it was held */
};

/* ---- instances ---- */

static unsigned weight_of(const struct role *r)
{
	if (r->kind == KIND_CALL)
		return 3;
	return r->kind == KIND_HOLD || r->kind == KIND_LIFE || r->kind == KIND_NONE ? 1 : 2;
}

static bool is_state(const struct role *r)
{
	return r->kind == KIND_STATE && r->state != STATE_OTHER;
}

/* It exists whatever the thread does meanwhile. */
static bool is_life_of_object(const struct role *r)
{
	return r->kind == KIND_LIFE && !role_is_threads_life(r);
}

static bool role_has_objects(const struct role *r)
{
	return r->start.event && r->start.object >= 0 && r->end.event && r->end.object >= 0;
}

static void mark_add(struct marks_context *m, uint32_t thread, struct mark mark)
{
	*vector_add(&m->marks->threads[thread]) = mark;
	m->marks->intervals.at[mark.interval].marked[mark.kind] = true;
}

static void span_add(struct marks_context *m, uint32_t thread, const struct event *start,
		     const struct event *end, const struct mark *mark)
{
	const struct role *role = &m->marks->intervals.at[mark->interval].role;

	*vector_add(&m->spans[thread]) = (struct nest_span){
	    .start = start->seq,
	    .end = end->seq,
	    .interval = mark->interval,
	    .anchor = mark->anchor,
	    .hierarchy = is_state(role)           ? 0
			 : m->nesting == NEST_ALL ? 1
						  : mark->interval + 1,
	    .weight = weight_of(role),
	};
}

static void pair_add(struct marks_context *m, uint32_t from, uint32_t to, struct mark mark,
		     const struct event *start, const struct event *end, enum mark_kind first,
		     enum mark_kind last)
{
	mark.kind = first;
	mark.seq = start->seq;
	mark.other = to;
	mark_add(m, from, mark);
	mark.kind = last;
	mark.seq = end->seq;
	mark.other = from;
	mark_add(m, to, mark);
}

static void hold_add(struct marks_context *m, uint32_t thread, struct mark mark,
		     const struct event *start, const struct event *end)
{
	const struct trace *t = m->request->trace;
	const struct role *role = &m->marks->intervals.at[mark.interval].role;
	uint64_t object = (uint64_t)address_key(t, start, (unsigned)role->start.object);
	struct hash_slot *slot =
	    hash_table_slot(&m->orders, hash_mix(object), t->threads[thread].directory);

	slot->head = slot->head == HASH_NOTHING ? 0 : slot->head + 1;
	mark.other = slot->head;
	mark.kind = MARK_ACQUIRE;
	mark.seq = start->seq;
	mark_add(m, thread, mark);
	mark.kind = MARK_RELEASE;
	mark.seq = end->seq;
	mark_add(m, thread, mark);
}

/* Reads the instance of a mark. *start is its earlier event, *end the later one. */
static void mark_instance(const struct marks *m, const struct mark *k, struct event *start,
			  struct event *end)
{
	const struct marked_interval *i = &m->intervals.at[k->interval];
	struct instance instance;

	matches_get(i->matches, k->anchor, &instance);
	*start = i->role.interval->direction == FORWARDS ? instance.anchor : instance.partner;
	*end = i->role.interval->direction == FORWARDS ? instance.partner : instance.anchor;
}

static void instance_add(struct marks_context *m, struct mark mark)
{
	struct marked_interval *i = &m->marks->intervals.at[mark.interval];
	const struct trace *t = m->request->trace;
	const bool *threads = m->request->threads;
	struct event start, end;
	uint32_t from, to;

	mark_instance(m->marks, &mark, &start, &end);
	from = trace_thread_index(t, start.thread);
	to = trace_thread_index(t, end.thread);
	if (threads && (!threads[from] || !threads[to]))
		return;
	if (is_life_of_object(&i->role))
		pair_add(m, from, to, mark, &start, &end, MARK_BIRTH, MARK_DEATH);
	else if (from != to)
		pair_add(m, from, to, mark, &start, &end, MARK_SEND, MARK_RECEIVE);
	else if (i->role.kind == KIND_CAUSE)
		i->within++;
	else
		span_add(m, from, &start, &end, &mark);
	if (i->role.kind == KIND_HOLD && from == to && role_has_objects(&i->role))
		hold_add(m, from, mark, &start, &end);
}

static void interval_add(struct marks_context *m, const struct interval *interval)
{
	uint32_t number = (uint32_t)m->marks->intervals.n;
	struct marked_interval *i = vector_add(&m->marks->intervals);

	i->role = role_of(interval);
	i->matches = match_interval(m->marks->trace, interval);
	for (uint32_t k = 0; k < i->matches->count; k++)
		if (i->matches->partner_of[k] != UNMATCHED)
			instance_add(m, (struct mark){.interval = number, .anchor = k});
}

/* ---- nesting ---- */

static int span_order(const void *left, const void *right)
{
	const struct nest_span *a = left, *b = right;

	if (a->hierarchy != b->hierarchy)
		return a->hierarchy < b->hierarchy ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	if (a->interval != b->interval)
		return a->interval < b->interval ? -1 : 1;
	return (a->anchor > b->anchor) - (a->anchor < b->anchor);
}

typedef VECTOR(struct nest_span *) span_stack;

/* Drops one of two spans that overlap. Those that are open end the earlier the later they began. */
static void span_fit(span_stack *open, struct nest_span *s)
{
	size_t n = open->n;

	while (n && open->at[n - 1]->end < s->end && open->at[n - 1]->weight < s->weight)
		n--;
	s->dropped = s->start >= s->end || (n && open->at[n - 1]->end < s->end);
	if (s->dropped)
		return;
	while (open->n > n)
		open->at[--open->n]->dropped = true;
	*vector_add(open) = s;
}

static void spans_nest(span_list *spans)
{
	span_stack open = {0};

	if (spans->n)
		qsort(spans->at, spans->n, sizeof *spans->at, span_order);
	for (size_t i = 0; i < spans->n; i++) {
		struct nest_span *s = &spans->at[i];

		if (i && s[-1].hierarchy != s->hierarchy)
			open.n = 0;
		while (open.n && open.at[open.n - 1]->end <= s->start)
			open.n--;
		span_fit(&open, s);
	}
	free(open.at);
}

/* ---- marks in order ---- */

static void span_mark(struct marks_context *m, uint32_t thread, const struct nest_span *s, bool end)
{
	bool state = is_state(&m->marks->intervals.at[s->interval].role);
	enum mark_kind kind =
	    end ? (state ? MARK_STATE_END : MARK_LEAVE) : (state ? MARK_STATE_BEGIN : MARK_ENTER);

	mark_add(m, thread,
		 (struct mark){.seq = end ? s->end : s->start,
			       .kind = kind,
			       .interval = s->interval,
			       .anchor = s->anchor});
}

static void spans_leave(struct marks_context *m, uint32_t thread, span_stack *open, uint64_t seq)
{
	while (open->n && open->at[open->n - 1]->end <= seq)
		span_mark(m, thread, open->at[--open->n], true);
}

static void spans_mark(struct marks_context *m, uint32_t thread)
{
	span_list *spans = &m->spans[thread];
	span_stack open = {0};

	for (size_t i = 0; i < spans->n; i++) {
		struct nest_span *s = &spans->at[i];

		if (s->dropped) {
			m->marks->intervals.at[s->interval].overlapping++;
			continue;
		}
		spans_leave(m, thread, &open,
			    open.n && open.at[0]->hierarchy != s->hierarchy ? UINT64_MAX
									    : s->start);
		span_mark(m, thread, s, false);
		*vector_add(&open) = s;
	}
	spans_leave(m, thread, &open, UINT64_MAX);
	free(open.at);
}

struct placed_mark {
	struct mark mark;
	size_t place;
};

static int mark_order(const void *left, const void *right)
{
	const struct placed_mark *a = left, *b = right;

	if (a->mark.seq != b->mark.seq)
		return a->mark.seq < b->mark.seq ? -1 : 1;
	if (a->mark.kind != b->mark.kind)
		return a->mark.kind < b->mark.kind ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* The spans' marks keep their order where they are of one event. */
static void marks_sort(struct marks *m, uint32_t thread)
{
	size_t n = m->threads[thread].n;
	struct placed_mark *placed = array_new(n, sizeof *placed);

	for (size_t i = 0; i < n; i++)
		placed[i] = (struct placed_mark){m->threads[thread].at[i], i};
	qsort(placed, n, sizeof *placed, mark_order);
	for (size_t i = 0; i < n; i++)
		m->threads[thread].at[i] = placed[i].mark;
	free(placed);
}

void marks_make(struct marks *m, const struct export_request *r, enum marks_nesting nesting)
{
	struct marks_context making = {.marks = m, .request = r, .nesting = nesting};

	*m = (struct marks){.trace = r->trace};
	m->threads = array_zero(r->trace->nthreads, sizeof *m->threads);
	making.spans = array_zero(r->trace->nthreads, sizeof *making.spans);
	for (const struct interval *const *i = r->intervals; *i; i++)
		interval_add(&making, *i);
	for (uint32_t i = 0; i < r->trace->nthreads; i++) {
		spans_nest(&making.spans[i]);
		spans_mark(&making, i);
		marks_sort(m, i);
		free(making.spans[i].at);
	}
	hash_table_free(&making.orders);
	free(making.spans);
}

void marks_free(struct marks *m)
{
	for (size_t i = 0; i < m->intervals.n; i++)
		matches_free(m->intervals.at[i].matches);
	for (uint32_t i = 0; i < m->trace->nthreads; i++)
		free(m->threads[i].at);
	free(m->intervals.at);
	free(m->threads);
}

void marks_warn(const struct marks *m, const struct export_request *r,
		const struct export_format *f)
{
	for (size_t i = 0; i < m->intervals.n; i++) {
		const struct marked_interval *k = &m->intervals.at[i];
		const char *name = k->role.interval->name;
		char *overlapping =
		    text_format("instances of %s that overlap others in their thread", name);
		char *within = text_format("instances of %s that lead to their own thread", name);

		if (!k->marked[MARK_ACQUIRE])
			export_left_out(r, f, k->overlapping, overlapping);
		export_left_out(r, f, k->within, within);
		free(overlapping);
		free(within);
	}
}
