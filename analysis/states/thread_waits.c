#include "analysis/states/thread_waits.h"
#include "base/search.h"
#include "base/sort.h"
#include "trace/address.h"
#include <stdlib.h>
#include <string.h>

/* What let a thread go on. */
struct ender {
	int64_t ended, caused;
	uint32_t thread, by;            /* indices in the trace's threads */
	const struct event_type *event; /* the end */
};

struct hold {
	int64_t start, end;
	int64_t latest; /* the latest end of all up to this one */
	uint32_t lock, thread;
};

struct wait_sources {
	const struct instance_set *set;
	const bool *threads;
	VECTOR(struct ender) enders; /* by thread, then the end, then the cause */
	VECTOR(struct hold) holds;   /* by lock, then the start */
	size_t *first_hold;          /* by lock, and one more */
};

/* ---- sources ---- */

static void ender_take(void *context, const struct event *earlier, const struct event *later)
{
	struct wait_sources *s = context;
	const struct trace *t = s->set->trace;
	uint32_t thread = trace_thread_index(t, later->thread);
	uint32_t by = trace_thread_index(t, earlier->thread);

	if (s->threads[thread] && by != thread)
		*vector_add(&s->enders) =
		    (struct ender){later->time, earlier->time, thread, by, later->type};
}

static int ender_order(const void *a, const void *b)
{
	const struct ender *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->ended != y->ended)
		return x->ended < y->ended ? -1 : 1;
	return (x->caused > y->caused) - (x->caused < y->caused);
}

static int hold_order(const void *a, const void *b)
{
	const struct hold *x = a, *y = b;

	if (x->lock != y->lock)
		return x->lock < y->lock ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

static void holds_take(struct wait_sources *s)
{
	const struct instance_set *set = s->set;
	size_t nlocks = set->objects->locks.n, next = 0;

	for (uint32_t t = 0; t < set->trace->nthreads; t++) {
		const span_vector *spans = instance_spans(set, SPANS_HOLD, t);

		for (size_t i = 0; i < spans->n; i++) {
			uint32_t lock = set->classes.at[spans->at[i].class].lock;

			if (lock != NO_LOCK)
				*vector_add(&s->holds) =
				    (struct hold){spans->at[i].start, spans->at[i].end, 0, lock, t};
		}
	}
	if (s->holds.n)
		qsort(s->holds.at, s->holds.n, sizeof *s->holds.at, hold_order);
	s->first_hold = array_new(nlocks + 1, sizeof *s->first_hold);
	for (size_t lock = 0; lock <= nlocks; lock++) {
		int64_t latest = INT64_MIN;

		s->first_hold[lock] = next;
		for (; next < s->holds.n && s->holds.at[next].lock == lock; next++) {
			latest = s->holds.at[next].end > latest ? s->holds.at[next].end : latest;
			s->holds.at[next].latest = latest;
		}
	}
}

struct wait_sources *wait_sources_of(const struct instance_set *set, const bool *threads)
{
	struct wait_sources *s = array_zero(1, sizeof *s);

	s->set = set;
	s->threads = threads;
	for (unsigned i = 0; i < set->causes.n; i++)
		cause_list_each(&set->causes, i, ender_take, s);
	if (s->enders.n)
		qsort(s->enders.at, s->enders.n, sizeof *s->enders.at, ender_order);
	holds_take(s);
	return s;
}

void wait_sources_free(struct wait_sources *s)
{
	free(s->enders.at);
	free(s->holds.at);
	free(s->first_hold);
	free(s);
}

/* ---- a wait ---- */

static uint32_t ender_find(const struct wait_sources *s, uint32_t thread,
			   const struct instance_span *wait)
{
	const struct ender *all = s->enders.at;
	const struct event_type *end = span_role(s->set, wait)->end.event;
	size_t next = lower_bound(i, (size_t)0, s->enders.n,
				  all[i].thread < thread ||
				      (all[i].thread == thread && all[i].ended <= wait->end));
	uint32_t within = NO_THREAD_KNOWN;

	while (next-- > 0 && all[next].thread == thread && all[next].ended > wait->start) {
		if (all[next].ended == wait->end && all[next].event == end)
			return all[next].by;
		if (within == NO_THREAD_KNOWN)
			within = all[next].by;
		if (all[next].ended < wait->end)
			break;
	}
	return wait->end == INT64_MAX ? NO_THREAD_KNOWN : within;
}

static void holder_find(const struct wait_sources *s, uint32_t thread, uint32_t lock,
			struct thread_wait *w)
{
	const struct hold *holds = s->holds.at;
	size_t first, next;
	int64_t *held;

	if (lock == NO_LOCK || s->first_hold[lock] == s->first_hold[lock + 1])
		return;
	first = s->first_hold[lock];
	next = lower_bound(i, first, s->first_hold[lock + 1], holds[i].start < w->end);
	held = array_zero(s->set->trace->nthreads, sizeof *held);
	while (next-- > first && holds[next].latest > w->start) {
		int64_t from = holds[next].start > w->start ? holds[next].start : w->start;
		int64_t to = holds[next].end < w->end ? holds[next].end : w->end;
		uint32_t by = holds[next].thread;

		if (by == thread || to <= from)
			continue;
		held[by] += to - from;
		if (held[by] > w->held || (held[by] == w->held && by < w->holder)) {
			w->held = held[by];
			w->holder = by;
		}
	}
	free(held);
}

static void wait_add(struct thread_waits *all, const struct wait_sources *s, uint32_t thread,
		     const struct instance_span *span, const struct states_window *window)
{
	const struct span_class *class = &s->set->classes.at[span->class];
	struct thread_wait w = {.start = span->start,
				.end = span->end,
				.class = class,
				.object = "",
				.holder = NO_THREAD_KNOWN};

	if (!states_window_cut(window, &w.start, &w.end))
		return;
	if (class->object != NO_KEY)
		w.object = address_key_text(s->set->trace, class->object);
	w.ended_by = ender_find(s, thread, span);
	holder_find(s, thread, class->lock, &w);
	*vector_add(&all->waits) = w;
}

/* Returns the wait that covers a time and began last, or NULL. */
static const struct thread_wait *thread_wait_at(const struct thread_waits *w, int64_t time)
{
	size_t next = lower_bound(i, (size_t)0, w->waits.n, w->waits.at[i].start <= time);

	while (next-- > 0)
		if (w->waits.at[next].end > time)
			return &w->waits.at[next];
	return NULL;
}

/* ---- sums ---- */

/* Returns how long the thread was blocked before a time. */
static int64_t blocked_until(const struct thread_waits *w, const int64_t *sums, int64_t time)
{
	size_t next = lower_bound(i, (size_t)0, w->states.n, w->states.at[i].start < time);
	const struct thread_span *last = next ? &w->states.at[next - 1] : NULL;

	if (!last)
		return 0;
	if (last->state != STATE_BLOCKED)
		return sums[next - 1];
	return sums[next - 1] + (last->end < time ? last->end : time) - last->start;
}

/*
 * Gives each wait its own time: between two bounds of waits it is that of the one that began last.
 */
static void own_times_find(struct thread_waits *w)
{
	size_t n = 0;
	int64_t *bounds = array_new(2 * w->waits.n + 1, sizeof *bounds);
	int64_t *sums = array_new(w->states.n + 1, sizeof *sums), blocked = 0;

	for (size_t i = 0; i < w->states.n; i++) {
		sums[i] = blocked;
		if (w->states.at[i].state == STATE_BLOCKED)
			blocked += w->states.at[i].end - w->states.at[i].start;
	}
	w->blocked_else = blocked;
	for (size_t i = 0; i < w->waits.n; i++) {
		bounds[n++] = w->waits.at[i].start;
		bounds[n++] = w->waits.at[i].end;
	}
	sort_words(bounds, n);
	for (size_t i = 1; i < n; i++) {
		/* the list is the caller's own */
		struct thread_wait *x = (struct thread_wait *)thread_wait_at(w, bounds[i - 1]);
		int64_t time;

		if (!x || bounds[i - 1] == bounds[i])
			continue;
		time = blocked_until(w, sums, bounds[i]) - blocked_until(w, sums, bounds[i - 1]);
		x->own += bounds[i] - bounds[i - 1];
		x->blocked += time;
		w->blocked_else -= time;
	}
	free(bounds);
	free(sums);
}

static int total_order(const void *a, const void *b)
{
	const struct wait_total *x = a, *y = b;
	int order;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	order = strcmp(x->role->interval->name, y->role->interval->name);
	return order ? order : strcmp(x->object, y->object);
}

/* Waits by interval, then object, then the longest first. */
static int group_order(const void *a, const void *b)
{
	const struct thread_wait *x = *(const struct thread_wait *const *)a;
	const struct thread_wait *y = *(const struct thread_wait *const *)b;
	int64_t length = x->end - x->start, other = y->end - y->start;
	int order = strcmp(x->class->role->interval->name, y->class->role->interval->name);

	order = order ? order : strcmp(x->object, y->object);
	if (order)
		return order;
	if (length != other)
		return length > other ? -1 : 1;
	return (x > y) - (x < y);
}

static void total_add(struct thread_waits *w, const struct thread_wait *x)
{
	struct wait_total *t = w->totals.n ? &w->totals.at[w->totals.n - 1] : NULL;

	if (!t || t->role->interval != x->class->role->interval ||
	    strcmp(t->object, x->object) != 0) {
		t = vector_add(&w->totals);
		*t = (struct wait_total){.role = x->class->role,
					 .object = x->object,
					 .longest = x->end - x->start,
					 .holder = NO_THREAD_KNOWN,
					 .ended_by = NO_THREAD_KNOWN};
	}
	t->times++;
	t->total += x->own;
	t->blocked += x->blocked;
	t->holder = t->holder == NO_THREAD_KNOWN ? x->holder : t->holder;
	t->ended_by = t->ended_by == NO_THREAD_KNOWN ? x->ended_by : t->ended_by;
}

static void totals_find(struct thread_waits *w)
{
	const struct thread_wait **order = array_new(w->waits.n + 1, sizeof *order);

	for (size_t i = 0; i < w->waits.n; i++)
		order[i] = &w->waits.at[i];
	qsort(order, w->waits.n, sizeof *order, group_order);
	for (size_t i = 0; i < w->waits.n; i++)
		total_add(w, order[i]);
	if (w->totals.n)
		qsort(w->totals.at, w->totals.n, sizeof *w->totals.at, total_order);
	free(order);
}

/* ---- all ---- */

static int state_order(const void *a, const void *b)
{
	const struct thread_span *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

void thread_waits_find(struct thread_waits *w, const struct wait_sources *s, uint32_t thread,
		       struct states_window window)
{
	const span_vector *states = instance_spans(s->set, SPANS_STATE, thread);
	const span_vector *waits = instance_spans(s->set, SPANS_WAIT, thread);
	int64_t last = s->set->trace->threads[thread].last;

	*w = (struct thread_waits){0};
	window.to = window.to < last ? window.to : last;
	for (size_t i = 0; i < states->n; i++) {
		struct thread_span x = {span_role(s->set, &states->at[i])->state,
					states->at[i].start, states->at[i].end};

		if (states_window_cut(&window, &x.start, &x.end))
			*vector_add(&w->states) = x;
	}
	if (w->states.n)
		qsort(w->states.at, w->states.n, sizeof *w->states.at, state_order);
	for (size_t i = 0; i < waits->n; i++)
		wait_add(w, s, thread, &waits->at[i], &window);
	own_times_find(w);
	totals_find(w);
}

void thread_waits_free(struct thread_waits *w)
{
	free(w->states.at);
	free(w->waits.at);
	free(w->totals.at);
}
