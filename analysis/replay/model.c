#include "analysis/replay/model.h"
#include "analysis/replay/contention.h"
#include "base/search.h"
#include "match/join/match.h"
#include <stdlib.h>

static uint32_t thread_index(const struct trace *t, const struct event *e)
{
	return (uint32_t)(trace_thread(t, e->thread) - t->threads);
}

/* ---- holds ---- */

static void hold_add(void *context, const struct listed_span *span)
{
	struct model *m = context;

	*vector_add(&m->holds) = (struct model_hold){
	    .start = span->start, .end = span->end, .thread = span->thread, .lock = span->number};
}

struct naming {
	struct model *model;
	const struct role *role;
};

static uint32_t object_number(void *context, const struct event *start)
{
	const struct naming *n = context;
	int64_t until;

	return lock_register_find(&n->model->locks, n->role, &n->role->start, start, &until);
}

static uint32_t wait_object(void *context, const struct event *start)
{
	const struct naming *n = context;

	return n->role->start.object < 0 ? NO_LOCK : object_number(context, start);
}

/* Adds the instances of all intervals of a kind whose ends are in one thread. */
static void kind_add(struct model *m, enum interval_kind kind, span_number *number,
		     struct span_list *to)
{
	unsigned n;
	struct role *roles = roles_of_kind(m->trace->spec, kind, &n);

	for (unsigned i = 0; i < n; i++) {
		struct naming naming = {m, &roles[i]};

		if (roles[i].same_thread)
			span_list_add(to, m->trace, &roles[i], number, &naming);
	}
	free(roles);
}

static void holds_find(struct model *m)
{
	struct span_list spans = {0};

	kind_add(m, KIND_HOLD, object_number, &spans);
	span_list_sort(&spans, m->trace);
	m->first_hold = array_new(m->trace->nthreads + 1, sizeof *m->first_hold);
	m->holds.at = vector_reserve(NULL, spans.all.n, &m->holds.room, sizeof *m->holds.at);
	for (size_t i = 0; i < spans.all.n; i++)
		hold_add(m, &spans.all.at[i]);
	for (uint32_t t = 0; t <= m->trace->nthreads; t++)
		m->first_hold[t] = spans.first[t];
	span_list_free(&spans);
}

/* ---- states ---- */

static uint32_t the_state(void *context, const struct event *start)
{
	(void)start;
	return ((const struct naming *)context)->role->state;
}

/* Returns for how long all processors were busy before a time. */
static int64_t full_until(const struct model *m, int64_t time)
{
	size_t i = lower_bound(k, (size_t)0, m->full.n, m->full.at[k].time <= time);
	const struct model_full *f = i ? &m->full.at[i - 1] : NULL;

	return f ? f->before + (f->full ? time - f->time : 0) : 0;
}

int64_t model_ready(const struct model *m, uint32_t thread, int64_t from, int64_t to)
{
	const struct listed_span *s = m->states.all.at;
	size_t first = m->states.first[thread], end = m->states.first[thread + 1];
	size_t i = lower_bound(k, first, end, s[k].start < from);
	int64_t sum = 0;

	/* back to the state that had begun: states without length may come after its start */
	while (i > first && (s[i - 1].end > from || s[i - 1].start == s[i - 1].end))
		i--;
	for (; i < end && s[i].start < to; i++)
		if (s[i].number == STATE_READY && s[i].end > from)
			sum += full_until(m, s[i].end < to ? s[i].end : to) -
			       full_until(m, s[i].start > from ? s[i].start : from);
	return sum;
}

struct change {
	int64_t time;
	int more;
};

static int by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->more - y->more;
}

/* So many threads at most ran at once, but for a hundredth of the time. */
static unsigned cores_of(const struct change *changes, size_t n, unsigned threads)
{
	int64_t *at = array_zero(threads + 2, sizeof *at), above = 0, busy = 0;
	unsigned running = 0, cores = threads;

	for (size_t i = 0; i + 1 < n; i++) {
		running += (unsigned)changes[i].more;
		at[running <= threads ? running : threads + 1] += changes[i + 1].time - changes[i].time;
	}
	for (unsigned i = 1; i <= threads; i++)
		busy += at[i];
	while (cores > 1 && above + at[cores] <= busy / 100)
		above += at[cores--];
	free(at);
	return cores;
}

static void full_find(struct model *m, const struct change *changes, size_t n)
{
	int64_t before = 0;
	unsigned running = 0;
	bool full = false;

	for (size_t i = 0; i < n; i++) {
		const struct model_full *last = m->full.n ? &m->full.at[m->full.n - 1] : NULL;

		running += (unsigned)changes[i].more;
		if ((running >= m->cores) == full)
			continue;
		before += last && last->full ? changes[i].time - last->time : 0;
		full = !full;
		*vector_add(&m->full) = (struct model_full){changes[i].time, before, full};
	}
}

static void cores_find(struct model *m)
{
	struct change *changes = array_new(2 * m->states.all.n, sizeof *changes);
	int64_t ready = 0, running = 0;
	size_t n = 0;

	for (size_t i = 0; i < m->states.all.n; i++) {
		const struct listed_span *s = &m->states.all.at[i];
		int64_t last = m->graph->threads[s->thread].end, end = s->end < last ? s->end : last;

		if (s->number == STATE_READY)
			ready += end - s->start;
		if (s->number != STATE_RUNNING)
			continue;
		running += end - s->start;
		changes[n++] = (struct change){s->start, 1};
		changes[n++] = (struct change){end, -1};
	}
	if (n)
		qsort(changes, n, sizeof *changes, by_time);
	if (ready > running / 1000)
		m->cores = cores_of(changes, n, m->trace->nthreads);
	if (m->cores)
		full_find(m, changes, n);
	free(changes);
}

/* ---- waits and causes ---- */

uint32_t model_wait_object(const struct model *m, uint32_t thread, int64_t start)
{
	const struct listed_span *w = m->waits.all.at;
	size_t end = m->waits.first[thread + 1];
	size_t i = lower_bound(k, m->waits.first[thread], end, w[k].start < start);

	while (i + 1 < end && w[i + 1].start == start)
		i++;
	return i < end && w[i].start == start ? w[i].number : NO_LOCK;
}

static const struct model_hold *hold_ending(const struct model *m, uint32_t thread, uint32_t lock,
					    int64_t end)
{
	/* of nested holds the inner ones begin later: from the last that began before */
	size_t i = lower_bound(k, m->first_hold[thread], m->first_hold[thread + 1],
			       m->holds.at[k].start <= end);

	for (unsigned tried = 0; i > m->first_hold[thread] && tried < 64; tried++) {
		const struct model_hold *h = &m->holds.at[--i];

		if (h->lock == lock && h->end == end)
			return h;
	}
	return NULL;
}

/* Whether a cause's earlier event begins a wait that its later event ends. */
static bool is_meeting(const struct graph *g, const struct role *cause)
{
	for (unsigned i = 0; i < g->nwaits; i++)
		if (g->waits[i].start.event == cause->start.event &&
		    g->waits[i].end.event == cause->end.event)
			return true;
	return false;
}

static void cause_add(struct model *m, const struct role *role, const struct event *earlier,
		      const struct event *later, bool meeting)
{
	struct model_cause c = {
	    .waiter = thread_index(m->trace, later),
	    .from = thread_index(m->trace, earlier),
	    .time = earlier->time,
	    .lock = NO_LOCK,
	    .meeting = meeting,
	};
	const struct timeline *l = &m->graph->threads[c.waiter];
	int64_t until;

	c.stretch = stretch_before(l, later->time);
	if (c.stretch == l->n || (c.waiter == c.from && !meeting))
		return;
	if (role->start.object >= 0) {
		uint32_t lock = lock_register_find(&m->locks, role, &role->start, earlier, &until);

		if (hold_ending(m, c.from, lock, c.time))
			c.lock = lock;
	}
	if (c.time >= l->stretches[c.stretch].from && (l->stretches[c.stretch].activity == ACTIVITY_WAITING ||
						       l->stretches[c.stretch].activity == ACTIVITY_BLOCKED))
		*vector_add(&m->causes) = c;
	else if (!meeting && c.lock == NO_LOCK && c.time <= later->time)
		*vector_add(&m->needs) = (struct need){c.waiter, later->time, c.from, c.time};
}

static void causes_add(struct model *m, const struct role *role)
{
	struct matches *found = match_interval(m->trace, role->interval);
	bool forwards = role->start.side == SIDE_ANCHOR, meeting = is_meeting(m->graph, role);

	for (size_t i = 0; i < found->count; i++) {
		struct instance in;

		if (found->partner_of[i] == UNMATCHED)
			continue;
		matches_look(found, i, &in);
		cause_add(m, role, forwards ? &in.anchor : &in.partner,
			  forwards ? &in.partner : &in.anchor, meeting);
	}
	matches_free(found);
}

static int by_waiter(const void *a, const void *b)
{
	const struct model_cause *x = a, *y = b;

	if (x->waiter != y->waiter)
		return x->waiter < y->waiter ? -1 : 1;
	if (x->stretch != y->stretch)
		return x->stretch < y->stretch ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

static int need_order(const void *a, const void *b)
{
	const struct need *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

static void causes_find(struct model *m)
{
	unsigned n;
	struct role *roles = roles_of_kind(m->trace->spec, KIND_CAUSE, &n);
	size_t at = 0;

	for (unsigned i = 0; i < n; i++)
		causes_add(m, &roles[i]);
	free(roles);
	if (m->causes.n)
		qsort(m->causes.at, m->causes.n, sizeof *m->causes.at, by_waiter);
	if (m->needs.n)
		qsort(m->needs.at, m->needs.n, sizeof *m->needs.at, need_order);
	m->first_cause = array_new(m->trace->nthreads + 1, sizeof *m->first_cause);
	for (uint32_t t = 0; t <= m->trace->nthreads; t++) {
		while (at < m->causes.n && m->causes.at[at].waiter < t)
			at++;
		m->first_cause[t] = at;
	}
}

/* ---- all ---- */

struct model *model_of(struct trace *t)
{
	struct model *m = array_zero(1, sizeof *m);
	unsigned nlives;

	m->trace = t;
	m->graph = graph_of(t);
	m->lives = roles_of_kind(t->spec, KIND_LIFE, &nlives);
	lock_register_open(&m->locks, t, m->lives, nlives);
	holds_find(m);
	kind_add(m, KIND_WAIT, wait_object, &m->waits);
	kind_add(m, KIND_SPIN, wait_object, &m->waits);
	span_list_sort(&m->waits, t);
	kind_add(m, KIND_STATE, the_state, &m->states);
	span_list_sort(&m->states, t);
	cores_find(m);
	causes_find(m);
	contention_find(m);
	lock_register_name(&m->locks);
	return m;
}

void model_free(struct model *m)
{
	lock_register_close(&m->locks);
	span_list_free(&m->waits);
	span_list_free(&m->states);
	graph_free(m->graph);
	free(m->lives);
	free(m->holds.at);
	free(m->first_hold);
	free(m->contended.at);
	free(m->full.at);
	free(m->causes.at);
	free(m->needs.at);
	free(m->first_cause);
	free(m);
}
